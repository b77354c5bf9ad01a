"""On a real cluster: values equal those of a plain job, even if an executor is killed."""

import hashlib
import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

pyspark = pytest.importorskip("pyspark")

import cluster

import odometer
from odometer import spark as odometer_spark

pytestmark = pytest.mark.skipif(not cluster.is_possible(), reason="there is no Java")
TRIPS = 60_000


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    nodes = cluster.Cluster(tmp_path_factory.mktemp("spark"))
    yield nodes
    nodes.stop()


@pytest.fixture(scope="module")
def session(nodes):
    session = nodes.session("odometer")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def trips():
    chance = np.random.default_rng(21)
    ends = chance.uniform((60.163, 24.934, 60.163, 24.934), (60.181, 24.955, 60.181, 24.955), (TRIPS, 4)).round(6)
    # Some places are off the map.
    ends[::997, 0] = 10
    return pd.DataFrame(ends, columns=["origin_lat", "origin_lon", "destination_lat", "destination_lon"]).assign(
        id=np.arange(TRIPS)
    )[["id", "origin_lat", "origin_lon", "destination_lat", "destination_lon"]]


def digest(frame):
    """A digest of all columns, in the order of ids."""
    frame = frame.sort_values("id")
    text = hashlib.sha256()
    for name in ("id", "status", "travel_time", "distance"):
        column = frame[name]
        text.update("\0".join(column).encode() if name == "status" else column.to_numpy("f8" if name != "id" else "i8").tobytes())
    return text.hexdigest()


@pytest.fixture(scope="module")
def expected(trips, run_job, folder):
    """The results of a plain job."""
    import sqlite3
    from contextlib import closing

    trips.to_csv(folder / "trips.csv", index=False)
    job = run_job("plain", kind="etas", pairs=str(folder / "trips.csv"))
    with closing(sqlite3.connect(job / "results.sqlite")) as results:
        return pd.read_sql("SELECT pair_id AS id, status, expected_travel_time AS travel_time, distance FROM route", results)


def test_cluster_results_equal_a_job(session, trips, expected, network_file):
    frame = session.createDataFrame(trips).repartition(12)
    found = odometer_spark.etas(frame, network_file).toPandas()
    assert (found.status == "placemark_not_found").sum() == (expected.status == "placemark_not_found").sum() > 0
    assert digest(found) == digest(expected)


def test_departures_are_a_column(session, trips, expected, network_file):
    moments = pd.Timestamp("2026-11-23T08:30", tz="Europe/Helsinki") + pd.to_timedelta(np.arange(3000) % 600, "m")
    frame = session.createDataFrame(trips.head(3000).assign(departure=moments))
    found = odometer_spark.etas(frame, network_file, departures="departure").toPandas()
    # Nothing on this map depends on the hour.
    assert digest(found) == digest(expected.sort_values("id").head(3000))


def test_killed_executor_does_not_change_results(session, trips, expected, network_file, nodes):
    frame = session.createDataFrame(trips).repartition(24)
    killed = []

    def kill():
        time.sleep(1.5)
        for executor in nodes.executors()[:1]:
            os.kill(executor, signal.SIGKILL)
            killed.append(executor)

    thread = threading.Thread(target=kill)
    thread.start()
    # Long enough to be killed halfway.
    found = pd.concat(odometer_spark.etas(frame, network_file).toPandas() for _ in range(3)).drop_duplicates()
    thread.join()
    assert killed and digest(found) == digest(expected)


def test_cluster_matrix_equals_one_machine(session, network, network_file, trips):
    places = trips.rename(columns={"origin_lat": "lat", "origin_lon": "lon"})[["id", "lat", "lon"]]
    origins, destinations = places.head(3000), places.tail(50)
    found = odometer_spark.matrix(session.createDataFrame(origins).repartition(6), destinations, network_file).toPandas()
    found = found.sort_values(["from_id", "to_id"]).reset_index(drop=True)
    expected = network.matrix(origins, destinations).sort_values(["from_id", "to_id"]).reset_index(drop=True)
    assert list(found.columns) == ["from_id", "to_id", "travel_time", "distance"]
    for column in ("from_id", "to_id"):
        assert found[column].tolist() == expected[column].tolist()
    for column in ("travel_time", "distance"):
        assert np.array_equal(found[column].to_numpy("f4"), expected[column].to_numpy("f4"), equal_nan=True)


@pytest.mark.parametrize("keys", [{"percentiles": [50, 90]}, {}], ids=["percentiles", "departures"])
def test_transit_matrix_equals_one_machine(session, transit, network_file, feed, trips, keys):
    places = trips.rename(columns={"origin_lat": "lat", "origin_lon": "lon"})[["id", "lat", "lon"]]
    origins, destinations = places.head(200), places.tail(20)
    window = [f"2026-11-23T07:{minute:02}" for minute in range(0, 60, 10)]
    found = odometer_spark.matrix(
        session.createDataFrame(origins).repartition(4), destinations, network_file, gtfs=[feed], walk_limit=600,
        limit=3600, departures=window, **keys,
    ).toPandas()
    row = "percentile" if keys else "departure"
    assert list(found.columns) == ["from_id", "to_id", row, "travel_time"]
    numbers = keys.get("percentiles", range(1, len(window) + 1))
    assert sorted(found[row].unique()) == list(numbers)
    cells = found.sort_values(["from_id", row, "to_id"]).travel_time.to_numpy("f4")
    expected = transit.matrix_array(origins, destinations, departures=window, **keys)
    assert np.array_equal(cells, expected.reshape(-1), equal_nan=True) and np.isfinite(cells).any()


def test_distributed_network_is_installed_once(session, trips, network_file, nodes, tmp_path, expected):
    session.sparkContext.addFile(str(network_file))
    found = odometer_spark.etas(session.createDataFrame(trips).repartition(4), "elsewhere/helsinki.network").toPandas()
    assert digest(found) == digest(expected)
    cache = nodes.folder / "cache"
    assert len([file for file in cache.iterdir() if file.suffix == ".network"]) == 1


def test_rejects_invalid_arguments_before_running(session, trips, map_path, network_file):
    frame = session.createDataFrame(trips.head(3))
    with pytest.raises(odometer.UsageError, match="expected a network file"):
        odometer_spark.etas(frame, map_path)
    with pytest.raises(odometer.UsageError, match="no column origin_lat"):
        odometer_spark.etas(frame.drop("origin_lat"), network_file)
    with pytest.raises(odometer.UsageError, match="gtfs: etas computes trips on streets only"):
        odometer_spark.etas(frame, network_file, gtfs="feed.zip")
    with pytest.raises(odometer.UsageError, match="no column id"):
        odometer_spark.matrix(frame.drop("id"), trips, network_file)
