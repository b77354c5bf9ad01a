"""Public transport: values are those of the program's jobs, bit for bit."""

import pickle

import geopandas
import numpy as np
import pandas as pd
import pytest
from conftest import DATA
from test_jobs import PAIRS, STATIONS, table

import odometer

ADDRESSES = pd.read_csv(DATA / "helsinki-addresses.csv").head(40)
WINDOW = [f"2026-11-23T07:{minute:02}" for minute in range(0, 60, 10)]
HOURS = {"date": "2026-11-23", "departures": {"from": "07:00", "to": "07:50", "every": "10min"}}


@pytest.fixture(scope="session")
def run_transit(run_job, feed, folder):
    """Runs a job like those of the fixture `transit`."""
    ADDRESSES.to_csv(folder / "addresses.csv", index=False)
    pd.read_csv(PAIRS).head(30).to_csv(folder / "pairs.csv", index=False)

    def run(name, **keys):
        keys = {"transportType": "transit", "gtfs": str(feed), "walkLimit": 10} | HOURS | keys
        return run_job(f"transit-{name}", **keys)

    return run


def test_cells_equal_a_job(transit, run_transit, folder):
    stations = pd.read_csv(STATIONS)
    for name, keys in (("percentiles", {"percentiles": [50, 0, 90]}), ("departures", {})):
        job = run_transit(
            f"cells-{name}", kind="matrix", origins=str(folder / "addresses.csv"), destinations=STATIONS, format=["npy"],
            limit=60, **keys,
        )
        cells = transit.matrix_array(ADDRESSES, stations, departures=WINDOW, **keys)
        assert cells.tobytes() == np.load(job / "travel_times.npy").tobytes()
    frame = transit.matrix(ADDRESSES, stations, departures=pd.to_datetime(WINDOW), percentiles=[50, 90])
    assert list(frame.columns) == ["from_id", "to_id", "percentile", "travel_time", "status", "reason"]
    assert np.array_equal(frame.travel_time[frame.percentile == 90].to_numpy().reshape(len(ADDRESSES), -1),
                          transit.matrix_array(ADDRESSES, stations, departures=WINDOW, percentiles=[90])[:, 0], equal_nan=True)  # fmt: skip
    single = transit.matrix_array(ADDRESSES, stations, departures=WINDOW[0])
    assert single.shape == (len(ADDRESSES), len(stations))
    late = transit.matrix_array(ADDRESSES[:3], stations[:3], arrivals=["2026-11-23T08:00"])
    assert late.shape == (3, 1, 3) and np.isfinite(late).any()


def test_exports_have_the_cells_of_each_departure_or_percentile(run_transit, folder, tmp_path):
    for axis, keys in (("percentile", {"percentiles": [50, 0, 90]}), ("departure", {})):
        keys |= {"kind": "matrix", "origins": str(folder / "addresses.csv"), "destinations": STATIONS, "limit": 60}
        npy, rows = (run_transit(f"cells-{axis}s-{format}", format=[format], **keys) for format in ("npy", "sqlite"))
        for job in (npy, rows):
            odometer.export(job, tmp_path / f"{job.name}.parquet")
        found, other = (pd.read_parquet(tmp_path / f"{job.name}.parquet") for job in (npy, rows))
        assert list(found.columns) == ["from_id", "to_id", axis, "travel_time"] and found.equals(other)
        assert np.array_equal(found.travel_time, np.load(npy / "travel_times.npy").reshape(-1), equal_nan=True)
        labels = [50, 0, 90] if axis == "percentile" else [f"{departure}:00+02:00" for departure in WINDOW]
        assert found[axis][:: found.to_id.nunique()].tolist() == labels * len(ADDRESSES)
        with pytest.raises(odometer.UsageError, match=f"OMX holds one time per cell; this matrix has one for each of . {axis}s"):
            odometer.export(npy, tmp_path / "cells.omx")


def test_trips_equal_a_job(transit, run_transit, folder):
    pairs = pd.read_csv(folder / "pairs.csv")
    job = run_transit("etas", kind="etas", pairs=str(folder / "pairs.csv"), percentiles=[50], limit=60)
    expected = table(job, "SELECT * FROM route ORDER BY pair_id")
    found = transit.etas(pairs, departures=WINDOW, percentiles=[50])
    assert found.id.tolist() == expected.pair_id.tolist() and set(found.percentile) == {50}
    for name in ("travel_time", "access_time", "waiting_time", "riding_time", "transfer_time", "egress_time", "rides"):
        own = expected["expected_travel_time" if name == "travel_time" else name]
        assert np.array_equal(found[name].to_numpy(float), own.to_numpy(float), equal_nan=True)
    parts = found[["access_time", "waiting_time", "riding_time", "transfer_time", "egress_time"]].sum(axis=1)
    assert np.allclose(parts, found.travel_time)
    both = transit.etas(pairs.head(2), departures=WINDOW[:2])
    assert both.departure.tolist() == WINDOW[:2] * 2


def test_routes_equal_a_job(transit, run_transit, folder):
    pairs = pd.read_csv(folder / "pairs.csv")
    job = run_transit("routes", kind="routes", pairs=str(folder / "pairs.csv"), limit=60)
    routes, steps = transit.routes(pairs, departures=WINDOW, steps=True)
    expected = geopandas.read_file(job / "results.sqlite", layer="route").sort_values(["pair_id", "departure"])
    assert routes.travel_time.tolist() == expected.expected_travel_time.tolist() and list(routes.name) == list(expected.name)
    assert routes.geometry.geom_equals(expected.geometry.reset_index(drop=True)).all()
    assert list(steps.instructions) == list(table(job, "SELECT * FROM step ORDER BY pair_id, departure, step").instructions)
    rides = transit.rides(pairs, departures=WINDOW)
    assert len(rides) == routes.rides.sum() > 0
    assert list(rides.trip_id) == list(table(job, "SELECT * FROM ride ORDER BY pair_id, departure, ride").trip_id)


def test_trips_without_rides_have_the_usual_columns(transit):
    near = ADDRESSES.head(2)
    rides = transit.rides(near, near, departures=WINDOW[0])
    assert len(rides) == 0 and {"line", "trip_id"} <= set(rides.columns) and rides.crs == 4326
    routes = transit.routes(near, near, departures=WINDOW[0])
    assert list(routes.rides) == [0, 0] and routes.has_tolls.dtype == "boolean" and "advisory_notices" in routes


def test_every_place_has_a_row(transit):
    places = ADDRESSES.head(4).copy()
    places.loc[0, "lat"] = np.nan
    places.loc[1, ["lat", "lon"]] = places.loc[1, ["lon", "lat"]].tolist()
    places.loc[2, "lat"] += 1
    reasons = ["origin: invalid", "origin: off_map", "origin: off_map", None]
    with pytest.warns(odometer.PlacesWarning, match="2 of 4 places are off the map; 1 would be .*; 1 of 4 places has no coordinates"):
        for call in (transit.etas, transit.routes):
            found = call(places, ADDRESSES.head(4), departures=WINDOW[0])
            assert [None if pd.isna(reason) else reason for reason in found.reason] == reasons
            assert found.status.tolist() == ["placemark_not_found"] * 3 + ["ok"]
            assert len(call(places[:2], places[:2], departures=WINDOW[0])) == 2
    with pytest.warns(odometer.PlacesWarning):
        areas = transit.isochrones(places, [60, 120], departures=WINDOW[0])
    assert areas.id.tolist() == np.repeat(places.id, 2).tolist() and areas.reason[0] == "invalid"
    for call in (transit.etas, transit.routes, transit.rides):
        assert len(call(places[:0], places[:0], departures=WINDOW[0])) == 0
    assert len(transit.isochrones(places[:0], [60], departures=WINDOW[0])) == 0


def test_areas_equal_a_job(transit, run_transit, folder):
    job = run_transit("areas", kind="isochrones", origins=str(folder / "addresses.csv"), thresholds=[5, 10], percentiles=[50])
    expected = geopandas.read_file(job / "results.sqlite", layer="isochrone")
    areas = transit.isochrones(ADDRESSES, [300, 600], departures=WINDOW, percentiles=[50])
    expected = expected.sort_values(["place_id", "threshold"]).reset_index(drop=True)
    areas = areas.sort_values(["id", "travel_time"]).reset_index(drop=True)
    assert areas["area"].tolist() == expected["area"].tolist() and set(areas.percentile) == {50}
    assert areas.geometry.geom_equals(expected.geometry).all()


def test_access_equals_a_job(transit, run_transit, folder):
    job = run_transit("access", kind="access", origins=str(folder / "addresses.csv"), stations=STATIONS, nearest=1, percentiles=[50])
    found = transit.access(ADDRESSES, pd.read_csv(STATIONS), departures=WINDOW, percentiles=[50])
    expected = table(job, "SELECT * FROM access")
    assert found.nearest.expected_travel_time.tolist() == expected.expected_travel_time.tolist()
    assert found.shares.share.tolist() == table(job, "SELECT * FROM access_share").share.tolist()


def test_a_network_pickles_with_its_timetables(transit):
    copy = pickle.loads(pickle.dumps(transit))
    cells = [network.matrix_array(ADDRESSES[:5], departures=WINDOW) for network in (transit, copy)]
    assert np.array_equal(*cells, equal_nan=True) and copy.transport_type == "transit"


def test_street_percentiles_are_taken_over_departures(network):
    hours = ["2026-11-23T07:00", "2026-11-23T08:00"]
    cells = network.matrix_array(ADDRESSES, departures=hours)
    assert np.array_equal(network.matrix_array(ADDRESSES, departures=hours, percentiles=[100])[:, 0], cells.max(axis=1), equal_nan=True)


def test_rejects_incompatible_arguments(transit, network, map_path, feed):
    for call, sentence in (
        (lambda: transit.matrix(ADDRESSES), "departures: a transit trip needs a departure"),
        (lambda: transit.nearest(ADDRESSES, ADDRESSES), "nearest: only for streets"),
        (lambda: transit.matrix_array(ADDRESSES, departures=WINDOW, percentiles=[101]), "percentiles: got"),
        (lambda: transit.routes(ADDRESSES, ADDRESSES, departures=WINDOW, alternates=True), "alternates: transit finds one best trip"),
        (lambda: network.matrix(ADDRESSES, arrivals=WINDOW), "arrivals: only for public transport"),
        (lambda: transit.matrix(ADDRESSES, departures=WINDOW[:1] * 2), "departures: one of them occurs twice"),
        (lambda: transit.matrix(ADDRESSES, departures="2026-11-23T07:00:00.500"), "departures: expected whole seconds"),
        (lambda: transit.isochrones(ADDRESSES, [300.5], departures=WINDOW), "limits: got 300.5, expected whole seconds"),
        (lambda: transit.isochrones(ADDRESSES, [300], arrivals=WINDOW), "arrivals: areas from a place"),
        (lambda: odometer.Network(map_path, gtfs=feed, boarding_slack=89.9), "boarding_slack: got 89.9, expected whole"),
        (lambda: odometer.Network(map_path, walk_limit=60), "walk_limit: only for public transport; add gtfs"),
        (lambda: odometer.Network(map_path, gtfs=feed, traffic="porto"), "traffic: vehicles follow their timetable"),
    ):
        with pytest.raises(odometer.UsageError, match=sentence):
            call()
    with pytest.raises(odometer.InputError, match="nothing runs on 2030-01-01"):
        transit.matrix(ADDRESSES, departures="2030-01-01T07:00")
