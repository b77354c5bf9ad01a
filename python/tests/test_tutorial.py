"""The tutorial runs, and its map and figures are those it speaks of."""

import re
import shutil
from pathlib import Path

import nbformat
from conftest import DATA
from nbclient import NotebookClient

import odometer

ROOT = Path(__file__).parents[2]


def test_the_tutorial_runs(tmp_path):
    (tmp_path / "data").mkdir()
    for file in DATA.glob("helsinki*"):
        if file.suffix in (".csv", ".pbf", ".json5"):
            shutil.copy(file, tmp_path / "data")
    notebook = nbformat.read(ROOT / "python" / "tutorial.ipynb", as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 3
    assert any(re.search(r"\d+% of the homes", output.get("text", "")) for output in outputs)


def test_documents_name_what_is_there():
    text = (ROOT / "docs" / "python.md").read_text()
    for name in set(re.findall(r"\bnetwork\.(\w+)", text)) - {"snap_to_network", "network"}:
        assert hasattr(odometer.Network, name), name
