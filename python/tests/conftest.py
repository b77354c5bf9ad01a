"""Shared fixtures: the sample map, its network, and jobs run by the wheel's command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import odometer

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("odometer")


@pytest.fixture(scope="session")
def map_path(folder):
    path = folder / "helsinki.osm.pbf"
    path.write_bytes((DATA / "helsinki.osm.pbf").read_bytes())
    return path


@pytest.fixture(scope="session")
def network(map_path):
    return odometer.Network(map_path, by="walking", workers=2)


@pytest.fixture(scope="session")
def feed(folder):
    """A fictitious timetable on the sample map."""
    if not (DATA / "helsinki-feed.zip").exists():
        subprocess.run([sys.executable, str(DATA / "make-feed")], check=True)
    path = folder / "feed.zip"
    path.write_bytes((DATA / "helsinki-feed.zip").read_bytes())
    return path


@pytest.fixture(scope="session")
def transit(map_path, feed):
    return odometer.Network(map_path, gtfs=feed, walk_limit=600, limit=3600, workers=2)


@pytest.fixture(scope="session")
def network_file(map_path, folder):
    odometer.Network.build(map_path, "foot", output=folder / "helsinki.network")
    return folder / "helsinki.network"


@pytest.fixture(scope="session")
def run_job(map_path, folder):
    """Runs a job on the sample map and returns its folder."""

    def run(name, **keys):
        output = folder / name
        if not output.exists():
            job = {"map": str(map_path), "transportType": "walking", "output": str(output)} | keys
            (folder / f"{name}.json5").write_text(json.dumps(job))
            command = [sys.executable, "-m", "odometer", "run", str(folder / f"{name}.json5"), "--quiet"]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
        return output

    return run
