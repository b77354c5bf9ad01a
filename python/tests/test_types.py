"""The package's type annotations pass mypy."""

import subprocess
import sys
from pathlib import Path


def test_package_passes_mypy():
    package = Path(__file__).parents[1] / "odometer"
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--disallow-untyped-defs", "--cache-dir=/dev/null"]
    done = subprocess.run([*command, str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_answers_have_precise_types(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import odometer\n"
        "network = odometer.Network('m')\n"
        "reveal_type(network.matrix_array([]))\n"
        "reveal_type(network.matrix_array([], distances=True))\n"
        "reveal_type(network.matrix([]))\n"
        "reveal_type(odometer.run({}))\n"
    )
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir=/dev/null", str(program)]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    expected = ["ndarray[", "tuple[", "DataFrame", "odometer.results.Results"]
    assert len(lines) >= 4 and all(word in line for word, line in zip(expected, lines)), lines
