"""The notebooks run, with the expected pictures and text."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from conftest import DATA
from nbclient import NotebookClient

import odometer

ROOT = Path(__file__).parents[2]


def outputs(name, folder):
    """The output of a notebook's cells, run in a folder with the sample data."""
    (folder / "data").mkdir()
    for file in DATA.glob("helsinki*"):
        if file.suffix in (".csv", ".pbf", ".json5"):
            shutil.copy(file, folder / "data")
    notebook = nbformat.read(ROOT / "python" / name, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


@pytest.mark.parametrize(
    "name, pictures, text",
    [
        ("tutorial.ipynb", 3, r"\d+% of the homes"),
        ("access.ipynb", 1, r"\d+% of the residents reach a station"),
        ("nightly.ipynb", 1, r"\d+ of 480 trips take longer, \+\d"),
    ],
)
def test_notebooks_run(name, pictures, text, tmp_path):
    shown = outputs(name, tmp_path)
    assert sum("image/png" in output.get("data", {}) for output in shown) == pictures
    assert any(re.search(text, output.get("text", "")) for output in shown)


def test_documented_methods_exist():
    text = (ROOT / "docs" / "python.md").read_text()
    for name in set(re.findall(r"\bnetwork\.(\w+)", text)) - {"snap_to_network", "network"}:
        assert hasattr(odometer.Network, name), name
