"""Values equal those of the program's jobs bit for bit, and exports do not change results."""

import gc
import os
import shutil
import sqlite3
import sys
import warnings
from contextlib import closing
from datetime import date

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
    with closing(sqlite3.connect(folder / "results.sqlite")) as results:
        return pd.read_sql(query, results)


@pytest.fixture(scope="session")
def matrix_job(run_job):
    return run_job("matrix", kind="matrix", origins=ADDRESSES, destinations=STATIONS, format=["npy", "sqlite", "csv"])


def test_cells_equal_a_job(network, matrix_job):
    seconds, metres = network.matrix_array(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), distances=True)
    assert seconds.tobytes() == np.load(matrix_job / "travel_times.npy").tobytes()
    assert metres.tobytes() == np.load(matrix_job / "distances.npy").tobytes()


def test_trips_equal_a_job(network, run_job):
    job = table(run_job("etas", kind="etas", pairs=PAIRS), "SELECT * FROM route ORDER BY pair_id")
    trips = network.etas(pd.read_csv(PAIRS))
    assert list(trips.status) == list(job.status)
    assert trips.travel_time.to_numpy().tobytes() == job.expected_travel_time.to_numpy(float).tobytes()
    assert trips["distance"].to_numpy().tobytes() == job["distance"].to_numpy(float).tobytes()


def are_equal(lines, others):
    """Whether all lines are equal; routes of zero length have none."""
    return (lines.geom_equals(others) | lines.isna() & others.isna()).all()


def test_routes_equal_a_job(network, run_job):
    folder = run_job("routes", kind="routes", pairs=PAIRS)
    job = geopandas.read_file(folder / "results.sqlite", layer="route").sort_values("pair_id").reset_index()
    routes, steps = network.routes(pd.read_csv(PAIRS), steps=True)
    assert list(routes.name) == list(job.name)
    assert routes.travel_time.tolist() == job.expected_travel_time.tolist()
    assert are_equal(routes.geometry, job.geometry.reset_index(drop=True))
    written = table(folder, "SELECT * FROM step ORDER BY pair_id, step")
    assert steps.instructions.tolist() == written.instructions.tolist()
    assert steps.travel_time.tolist() == written.expected_travel_time.tolist()


def test_areas_equal_a_job(network, run_job):
    folder = run_job("areas", kind="isochrones", origins=STATIONS, thresholds=[5, 10])
    job = geopandas.read_file(folder / "results.sqlite", layer="isochrone")
    areas = network.isochrones(pd.read_csv(STATIONS), [300, 600])
    job = job.sort_values(["place_id", "threshold"]).reset_index(drop=True)
    areas = areas.sort_values(["id", "travel_time"]).reset_index(drop=True)
    assert len(job) == len(areas) and job["area"].tolist() == areas["area"].tolist()
    assert job["street_length"].tolist() == areas["street_length"].tolist()
    # A job with bands stores rings: here each area is whole.
    assert areas.geometry.geom_equals(job.geometry).all()


def test_parquet_cells_equal_the_table(matrix_job, tmp_path):
    odometer.export(matrix_job, tmp_path / "cells.parquet")
    found = pyarrow.parquet.read_table(tmp_path / "cells.parquet").to_pandas()
    assert list(found.columns) == ["from_id", "to_id", "travel_time", "distance"]
    expected = table(matrix_job, "SELECT * FROM matrix")
    assert (found.from_id == expected.origin_id).all() and (found.to_id == expected.destination_id).all()
    assert np.array_equal(found.travel_time, expected.expected_travel_time.astype(np.float32), equal_nan=True)


def test_database_cells_equal_npy(run_job, matrix_job, tmp_path):
    alone = run_job("rows", kind="matrix", origins=ADDRESSES, destinations=STATIONS)
    for folder, name in ((alone, "rows"), (matrix_job, "npy")):
        odometer.export(folder, tmp_path / f"{name}.parquet")
    rows, npy = (pyarrow.parquet.read_table(tmp_path / f"{name}.parquet") for name in ("rows", "npy"))
    assert rows.equals(npy)


def test_exports_cells_without_distances(run_job, matrix_job, tmp_path):
    alone = run_job("times", kind="matrix", origins=ADDRESSES, destinations=STATIONS, distances=False)
    odometer.export(alone, tmp_path / "times.parquet")
    odometer.export(alone, tmp_path / "times.omx")
    expected = np.load(matrix_job / "travel_times.npy")
    found = pd.read_parquet(tmp_path / "times.parquet")
    assert list(found.columns) == ["from_id", "to_id", "travel_time"]
    assert np.array_equal(found.travel_time, expected.reshape(-1), equal_nan=True)
    with openmatrix.open_file(str(tmp_path / "times.omx")) as file:
        assert file.list_matrices() == ["travel_time"] and np.array_equal(np.array(file["travel_time"]), expected, equal_nan=True)


def test_omx_cells_equal_npy(run_job, tmp_path):
    folder = run_job("square", kind="matrix", origins=STATIONS, format=["npy"])
    odometer.export(folder, tmp_path / "cells.omx")
    with openmatrix.open_file(str(tmp_path / "cells.omx")) as file:
        assert np.array_equal(np.array(file["travel_time"]), np.load(folder / "travel_times.npy"), equal_nan=True)
        assert file.list_mappings() == ["id"]
        assert list(file.mapping("id")) == pd.read_csv(STATIONS).id.tolist()


def test_geoparquet_routes_equal_the_table(run_job, tmp_path):
    folder = run_job("routes", kind="routes", pairs=PAIRS)
    odometer.export(folder, tmp_path / "routes.parquet")
    found = geopandas.read_parquet(tmp_path / "routes.parquet")
    expected = geopandas.read_file(folder / "results.sqlite", layer="route")
    assert found.crs.equals("OGC:CRS84") and are_equal(found.geometry, expected.geometry)
    assert found.expected_travel_time.tolist() == expected.expected_travel_time.tolist()


@pytest.mark.parametrize("size", [0, 9, 200])
def test_truncated_arrays_are_input_errors(matrix_job, tmp_path, size):
    folder = shutil.copytree(matrix_job, tmp_path / "job")
    os.truncate(folder / "travel_times.npy", size)
    for read in (lambda: odometer.export(folder, tmp_path / "cells.parquet"), odometer.Results(folder).array):
        with pytest.raises(odometer.InputError, match="travel_times.npy: the NumPy file is corrupt or truncated"):
            read()


def test_export_does_not_replace_other_files(matrix_job, tmp_path):
    mine = tmp_path / "mine.parquet"
    mine.write_text("mine")
    with pytest.raises(odometer.InputError, match="this is a different kind of file"):
        odometer.export(matrix_job, mine)
    with pytest.raises(odometer.UsageError, match="expected a name that ends with"):
        odometer.export(matrix_job, mine.rename(tmp_path / "mine.txt"))
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_rejects_unsupported_exports(run_job, matrix_job, tmp_path):
    routes = run_job("routes", kind="routes", pairs=PAIRS)
    places = {"kind": "matrix", "origins": ADDRESSES, "destinations": STATIONS}
    long, sums = run_job("long", format=["csv"], **places), run_job("sums", summary=["nearest"], **places)
    for folder, name, sentence in (
        (tmp_path, "x.parquet", "no results here"), (matrix_job, "x.xls", "expected a name that ends with"),
        (routes, "x.omx", "results of kind routes"), (matrix_job, "none/x.parquet", "No such file or directory"),
        (long, "x.parquet", "the job stored no cells: its key `format` has neither npy nor sqlite"), (sums, "x.omx", "no cells"),
    ):
        with pytest.raises(odometer.Error, match=sentence):
            odometer.export(folder, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(odometer.UsageError, match="there is no table nothing"):
        odometer.export(routes, tmp_path / "x.parquet", table="nothing")


def test_results_show_headline_and_page(run_job):
    folder = run_job("access", kind="access", origins=ADDRESSES, stations=STATIONS, nearest=2)
    results = odometer.Results(folder)
    assert results.headline == table(folder, "SELECT value FROM job WHERE key = 'headline'").value[0]
    assert results.headline.endswith("on foot.") and results.headline in repr(results)
    shown = results._repr_html_()
    assert shown.startswith("<iframe") and "srcdoc=\"&lt;!DOCTYPE html&gt;" in shown


def test_nearest_equal_a_job(network, run_job):
    folder = run_job("access", kind="access", origins=ADDRESSES, stations=STATIONS, nearest=2)
    job = table(folder, "SELECT * FROM access ORDER BY origin_id, rank")
    found = network.nearest(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), 2).sort_values(["from_id", "rank"])
    assert found.travel_time.tolist() == job.expected_travel_time.tolist()
    assert found["distance"].tolist() == job["distance"].tolist() and found.to_id.tolist() == job.station_id.tolist()


def test_traces_equal_a_job(network, run_job):
    fixes = pd.read_csv(DATA / "helsinki-traces.csv")
    fixes["received"], fixes["speed"] = fixes.time + 2, 5.0
    file = run_job("access", kind="access", origins=ADDRESSES, stations=STATIONS, nearest=2).parent / "traces.csv"
    fixes.to_csv(file, index=False)
    folder = run_job("traces", kind="traces", traces=str(file))
    job = table(folder, "SELECT * FROM trace ORDER BY fid")
    traces = network.match(fixes).traces
    assert traces.trace_id.tolist() == job.trace_id.tolist() and traces.status.tolist() == job.status.tolist()
    assert traces["distance"].tolist() == job["distance"].tolist()
    assert traces.travel_time.tolist() == job.expected_travel_time.tolist()


def test_access_equals_a_job(network, run_job):
    folder = run_job("access", kind="access", origins=ADDRESSES, stations=STATIONS, nearest=2)
    found = network.access(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), nearest=2)
    expected = table(folder, "SELECT * FROM access")
    assert found.nearest.expected_travel_time.tolist() == expected.expected_travel_time.tolist()
    assert set(found.shares.threshold) == {300, 600, 900} and found.shares.share.between(0, 1).all()


def test_access_keeps_all_places(network):
    origins = pd.read_csv(ADDRESSES).head(5).assign(id=["a", "a", None, "b", "b"], jobs=[1, 10, 100, 1000, 10000])
    origins.loc[3, "lat"] = np.nan
    origins.loc[4, ["lat", "lon"]] = origins.loc[4, ["lon", "lat"]].tolist()
    with pytest.warns(odometer.PlacesWarning):
        found = network.access(origins, pd.read_csv(STATIONS), [900], weights="jobs")
    assert [None if pd.isna(own) else own for own in found.nearest.origin_id] == ["a", "a", None, "b", "b"]
    assert found.nearest.status.tolist() == ["ok"] * 3 + ["placemark_not_found"] * 2
    assert found.nearest.station_id.dtype == "Int64" and set(found.services.station_id) == set(pd.read_csv(STATIONS).id)
    totals = found.shares.set_index("measure")
    assert totals.total["jobs"] == 11111 and totals.value["jobs"] == 111 and totals.total["origins"] == 5


def test_access_accepts_departures_with_and_without_zone(network):
    places = pd.read_csv(ADDRESSES).head(3), pd.read_csv(STATIONS)
    moments = "2026-11-23T08:00", pd.Timestamp("2026-11-23T06:00", tz="UTC")
    local, utc = (network.access(*places, 300, departure=moment).nearest for moment in moments)
    assert local.equals(utc)


def test_run_returns_the_results(map_path, folder):
    events = []
    job = {"kind": "routes", "map": map_path, "transportType": "walking", "pairs": PAIRS, "output": folder / "run"}
    results = odometer.run(job, progress=lambda done, total, unit: events.append((done, total, unit)))
    assert events[-1] == (480, 480, "routes") and results.path == folder / "run"
    routes = results.table("route")
    assert len(routes) == 480 and routes.crs == 4326 and {"route", "step", "od", "rejected"} <= set(results.tables)
    assert not [name for name in results.tables if results.table(name) is None]
    assert results.job["kind"] == "routes" and results.report.is_file() and "routes" in repr(results)
    with pytest.raises(odometer.UsageError, match="there is no table nothing"):
        results.table("nothing")
    with pytest.raises(odometer.InputError, match="no such file"):
        results.array()


def test_failed_jobs_report_the_reason(map_path, folder):
    with pytest.raises(odometer.UsageError, match="pairz"):
        odometer.run({"kind": "routes", "map": map_path, "transportType": "walking", "pairz": PAIRS, "output": folder / "no"})
    with pytest.raises(odometer.UsageError, match="^kind: got"):
        odometer.run({"kind": "x", "date": date(2026, 11, 23), "thresholds": np.array([5])})
    with pytest.raises(odometer.UsageError, match="^pairs: got a DataFrame"):
        odometer.run({"kind": "routes", "pairs": pd.DataFrame()})
    with pytest.raises(odometer.UsageError, match="^job: got None"):
        odometer.run(None)
    with pytest.raises(odometer.UsageError, match="^workers: got -1"):
        odometer.run({}, workers=-1)
    with pytest.raises(odometer.InputError, match="another file with output$"):
        odometer.Network.build(map_path, output=folder / "none" / "x.network")
    with pytest.raises(odometer.InputError, match="no results here"):
        odometer.Results(folder / "no")


def test_jobs_with_few_answers_raise_an_error_with_their_results(network, map_path, folder):
    job = {"kind": "etas", "map": map_path, "transportType": "walking", "output": folder / "few"}
    places = pd.DataFrame({"id": [1, 2], "o_lat": [60.17, 0], "o_lon": [24.94, 0], "d_lat": 60.171, "d_lon": 24.941})
    places.to_csv(folder / "few.csv", index=False)
    places.tail(1).to_csv(folder / "none.csv", index=False)
    for keys, sentence in (
        ({"pairs": folder / "few.csv", "minimumShare": 0.9}, "^1 of 2 rows are ok; expected a share of 0.9"),
        ({"pairs": folder / "none.csv"}, "^0 of 1 rows are ok; expected at least one row$"),
    ):
        with pytest.raises(odometer.FewAnswers, match=sentence) as error:
            odometer.run(job | keys, fresh=True, progress=False)
        assert error.value.code == 7 and len(error.value.results.table("route")) in (1, 2)
    assert len(odometer.run(job | {"pairs": folder / "few.csv"}, fresh=True).table("route")) == 2
    with pytest.warns(odometer.PlacesWarning):
        assert set(network.access([(0, 0)], pd.read_csv(STATIONS)).nearest.status) == {"placemark_not_found"}


def test_a_job_closes_its_pipes():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        with pytest.raises(odometer.UsageError), pytest.MonkeyPatch.context() as patch:
            leaks = []
            patch.setattr(sys, "unraisablehook", leaks.append)
            try:
                odometer.run({})
            finally:
                gc.collect()
                assert not leaks


def test_missing_packages_are_named_with_their_extra(matrix_job, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(odometer.UsageError, match=r"pip install 'odometer\[export\]'"):
        odometer.export(matrix_job, tmp_path / "cells.omx")
