"""Values are those of the program's jobs, bit for bit; results go into other formats unchanged."""

import sqlite3

import geopandas
import numpy as np
import openmatrix
import pandas as pd
import pyarrow.parquet
import pytest
from conftest import DATA

import odometer

STATIONS, ADDRESSES = str(DATA / "helsinki-stations.csv"), str(DATA / "helsinki-addresses.csv")
PAIRS = str(DATA / "helsinki-pairs.csv")


def table(folder, query):
    with sqlite3.connect(folder / "results.sqlite") as results:
        return pd.read_sql(query, results)


@pytest.fixture(scope="session")
def matrix_job(run_job):
    return run_job("matrix", kind="matrix", origins=ADDRESSES, destinations=STATIONS, format=["npy", "sqlite", "csv"])


def test_cells(network, matrix_job):
    seconds, metres = network.matrix_array(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), distances=True)
    assert seconds.tobytes() == np.load(matrix_job / "travel_times.npy").tobytes()
    assert metres.tobytes() == np.load(matrix_job / "distances.npy").tobytes()


def test_trips(network, run_job):
    job = table(run_job("etas", kind="etas", pairs=PAIRS), "SELECT * FROM route ORDER BY pair_id")
    trips = network.etas(pd.read_csv(PAIRS))
    assert list(trips.status) == list(job.status)
    assert trips.travel_time.to_numpy().tobytes() == job.expected_travel_time.to_numpy(float).tobytes()
    assert trips["distance"].to_numpy().tobytes() == job["distance"].to_numpy(float).tobytes()


def test_routes(network, run_job):
    folder = run_job("routes", kind="routes", pairs=PAIRS)
    job = geopandas.read_file(folder / "results.sqlite", layer="route").sort_values("pair_id").reset_index()
    routes, steps = network.routes(pd.read_csv(PAIRS), steps=True)
    assert list(routes.name) == list(job.name)
    assert routes.travel_time.tolist() == job.expected_travel_time.tolist()
    assert routes.geometry.geom_equals(job.geometry.reset_index(drop=True)).all()
    written = table(folder, "SELECT * FROM step ORDER BY pair_id, step")
    assert steps.instructions.tolist() == written.instructions.tolist()
    assert steps.travel_time.tolist() == written.expected_travel_time.tolist()


def test_areas(network, run_job):
    folder = run_job("areas", kind="isochrones", origins=STATIONS, thresholds=[5, 10])
    job = geopandas.read_file(folder / "results.sqlite", layer="isochrone")
    areas = network.isochrones(pd.read_csv(STATIONS), [300, 600])
    job = job.sort_values(["place_id", "threshold"]).reset_index(drop=True)
    areas = areas.sort_values(["id", "travel_time"]).reset_index(drop=True)
    assert len(job) == len(areas) and job["area"].tolist() == areas["area"].round().tolist()
    # A job with bands keeps rings: here each area is whole.
    assert areas.geometry.geom_equals(job.geometry).all()


def test_cells_as_parquet(matrix_job, tmp_path):
    odometer.export(matrix_job, tmp_path / "cells.parquet")
    found = pyarrow.parquet.read_table(tmp_path / "cells.parquet").to_pandas()
    assert list(found.columns) == ["from_id", "to_id", "travel_time", "distance"]
    expected = table(matrix_job, "SELECT * FROM matrix")
    assert (found.from_id == expected.origin_id).all() and (found.to_id == expected.destination_id).all()
    assert np.array_equal(found.travel_time, expected.expected_travel_time.astype(np.float32), equal_nan=True)


def test_cells_of_the_database_are_those_of_npy(run_job, matrix_job, tmp_path):
    alone = run_job("rows", kind="matrix", origins=ADDRESSES, destinations=STATIONS)
    for folder, name in ((alone, "rows"), (matrix_job, "npy")):
        odometer.export(folder, tmp_path / f"{name}.parquet")
    rows, npy = (pyarrow.parquet.read_table(tmp_path / f"{name}.parquet") for name in ("rows", "npy"))
    assert rows.equals(npy)


def test_cells_as_omx(run_job, tmp_path):
    folder = run_job("square", kind="matrix", origins=STATIONS, format=["npy"])
    odometer.export(folder, tmp_path / "cells.omx")
    with openmatrix.open_file(str(tmp_path / "cells.omx")) as file:
        assert np.array_equal(np.array(file["travel_time"]), np.load(folder / "travel_times.npy"), equal_nan=True)
        assert file.list_mappings() == ["id"]
        assert list(file.mapping("id")) == pd.read_csv(STATIONS).id.tolist()


def test_routes_as_geoparquet(run_job, tmp_path):
    folder = run_job("routes", kind="routes", pairs=PAIRS)
    odometer.export(folder, tmp_path / "routes.parquet")
    found = geopandas.read_parquet(tmp_path / "routes.parquet")
    expected = geopandas.read_file(folder / "results.sqlite", layer="route")
    assert found.crs.equals("OGC:CRS84") and found.geometry.geom_equals(expected.geometry).all()
    assert found.expected_travel_time.tolist() == expected.expected_travel_time.tolist()


def test_an_export_replaces_no_other_file(matrix_job, tmp_path):
    mine = tmp_path / "mine.parquet"
    mine.write_text("mine")
    with pytest.raises(odometer.InputError, match="this is another file"):
        odometer.export(matrix_job, mine)
    assert mine.read_text() == "mine"


def test_what_cannot_be_exported_is_said(run_job, matrix_job, tmp_path):
    routes = run_job("routes", kind="routes", pairs=PAIRS)
    for folder, name, sentence in (
        (tmp_path, "x.parquet", "there are no results here"), (matrix_job, "x.xls", "expected a name that ends with"),
        (routes, "x.omx", "results of kind routes"),
    ):
        with pytest.raises(odometer.Error, match=sentence):
            odometer.export(folder, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(odometer.UsageError, match="there is no table nothing"):
        odometer.export(routes, tmp_path / "x.parquet", table="nothing")




def test_results(run_job):
    folder = run_job("access", kind="access", origins=ADDRESSES, stations=STATIONS)
    results = odometer.Results(folder)
    assert results.headline == table(folder, "SELECT value FROM job WHERE key = 'headline'").value[0]
    assert results.headline.endswith("on foot.") and results.headline in repr(results)
    frame = results.table("access_share")
    assert len(frame) == len(table(folder, "SELECT * FROM access_share")) and "geom" not in results.table("access")
    shown = results._repr_html_()
    assert shown.startswith("<iframe") and "srcdoc=\"&lt;!DOCTYPE html&gt;" in shown
    with pytest.raises(odometer.UsageError, match="no such table"):
        results.table("routes")
    with pytest.raises(odometer.InputError):
        odometer.Results(folder / "nowhere")
