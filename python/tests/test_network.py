"""Answers for every type of argument, and errors."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings
from datetime import datetime, timezone

import geopandas
import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
from conftest import DATA

import odometer

ADDRESSES = pd.read_csv(DATA / "helsinki-addresses.csv")
STATIONS = pd.read_csv(DATA / "helsinki-stations.csv")
PAIRS = pd.read_csv(DATA / "helsinki-pairs.csv")
TRACES = pd.read_csv(DATA / "helsinki-traces.csv")


def points(frame):
    return geopandas.GeoDataFrame(frame[["id"]], geometry=geopandas.points_from_xy(frame.lon, frame.lat), crs=4326)


def texts(column):
    """The texts of a column; None for missing values, which are NaN in pandas 3."""
    return [None if pd.isna(text) else text for text in column]


FORMS = {
    "pandas": lambda frame: frame,
    "polars": polars.from_pandas,
    "arrow": lambda frame: pyarrow.Table.from_pandas(frame, preserve_index=False),
    "geopandas": points,
    "dictionary": lambda frame: {name: frame[name].to_numpy() for name in ("id", "lat", "lon")},
    "capitals": lambda frame: frame.rename(columns={"lat": "Latitude", "lon": "LONG"}),
    "array": lambda frame: frame[["lat", "lon"]].to_numpy(),
    "list": lambda frame: [tuple(place) for place in frame[["lat", "lon"]].to_numpy().tolist()],
}


@pytest.mark.parametrize("form", FORMS)
def test_accepts_places_in_every_form(network, form):
    expected = network.matrix_array(ADDRESSES, STATIONS)
    found = network.matrix_array(FORMS[form](ADDRESSES), FORMS[form](STATIONS))
    assert np.array_equal(found, expected, equal_nan=True)


def test_frames_use_the_package_of_the_input(network):
    assert isinstance(network.matrix(ADDRESSES, STATIONS), pd.DataFrame)
    frame = network.matrix(polars.from_pandas(ADDRESSES), STATIONS)
    assert isinstance(frame, polars.DataFrame) and frame.columns == ["from_id", "to_id", "travel_time", "distance", "status", "reason"]
    assert isinstance(network.etas(polars.from_pandas(PAIRS)), polars.DataFrame)


def test_projected_points_are_converted_to_degrees(network):
    projected = points(ADDRESSES).to_crs(3067)
    difference = network.matrix_array(projected, STATIONS) - network.matrix_array(ADDRESSES, STATIONS)
    assert np.abs(difference).max() < 0.1


def test_a_matrix_has_a_row_for_each_cell(network):
    frame = network.matrix(ADDRESSES, STATIONS)
    seconds, metres = network.matrix_array(ADDRESSES, STATIONS, distances=True)
    assert list(frame.from_id[: len(STATIONS)].unique()) == [ADDRESSES.id[0]]
    assert list(frame.to_id[: len(STATIONS)]) == list(STATIONS.id)
    assert np.array_equal(frame.travel_time, seconds.reshape(-1)) and np.array_equal(frame.distance, metres.reshape(-1))


def test_ids_may_be_text(network):
    named = ADDRESSES.assign(id="x" + ADDRESSES.id.astype(str)).head(3)
    assert list(network.matrix(named).from_id.astype(str).unique()) == list(named.id)


def test_departures_add_a_dimension(network):
    hours = ["2026-11-23T08:00", "2026-11-23T17:00"]
    cells = network.matrix_array(ADDRESSES, STATIONS, departures=hours)
    assert cells.shape == (len(ADDRESSES), 2, len(STATIONS))
    assert np.array_equal(cells[:, 1], network.matrix_array(ADDRESSES, STATIONS, departures=hours[1]))
    frame = network.matrix(ADDRESSES, STATIONS, departures=hours)
    assert list(frame.departure[:: len(STATIONS)][:4]) == hours * 2


def test_trips_equal_cells(network):
    cells = network.matrix_array(ADDRESSES[:60], STATIONS[:60])
    trips = network.etas(ADDRESSES[:60], STATIONS[:60])
    assert np.array_equal(np.diagonal(cells), trips.travel_time.astype(np.float32))
    assert list(trips.columns) == ["from_id", "to_id", "status", "reason", "travel_time", "distance"]


def test_reports_places_without_a_street(network):
    trips = network.etas([(60.17, 24.94), (0, 0), (np.nan, 24.9)], [(60.171, 24.941)] * 3)
    assert list(trips.status) == ["ok", "placemark_not_found", "placemark_not_found"]
    assert list(trips.travel_time.isna()) == [False, True, True]
    assert texts(trips.reason) == [None, "origin: off_map", "origin: invalid"]


def test_missing_answers_have_reasons_in_every_frame(network):
    places = pd.DataFrame({"id": [7, 8], "lat": [60.17, 0.0], "lon": [24.94, 0.0]})
    matrix = network.matrix(places)
    assert list(matrix.status) == ["ok"] + ["placemark_not_found"] * 3
    assert texts(matrix.reason) == [
        None, "destination: off_map", "origin: off_map", "origin: off_map, destination: off_map",
    ]  # fmt: skip
    nearest = network.nearest(places, STATIONS, 1)
    assert list(nearest["rank"]) == [1, 0] and list(nearest.status) == ["ok", "placemark_not_found"]
    assert nearest.reason[1] == "off_map" and nearest.to_id[0] in set(STATIONS.id) and pd.isna(nearest.to_id[1])
    assert list(network.nearest(places.head(1), STATIONS, within=1).status) == ["beyond_limit"]
    areas = network.isochrones(places, [60, 90])
    assert list(areas.status) == ["ok"] * 2 + ["placemark_not_found"] * 2 and texts(areas.reason)[1:3] == [None, "off_map"]
    assert list(areas.travel_time) == [60, 90] * 2 and areas.geometry[2].is_empty
    unreached = network.isochrones([(60.17, 24.94)], [5, 600])
    assert list(unreached.status) == ["beyond_limit", "ok"]
    assert list(unreached["area"].isna()) == list(unreached.street_length.isna()) == [True, False]
    routes = network.routes(places, places)
    assert texts(routes.reason) == [None, "origin: off_map, destination: off_map"]
    assert list(routes.alternative) == [0, 0] and list(routes.has_tolls.isna()) == [False, True]


def test_empty_geometries_are_missing_places(network):
    import shapely

    shapes = geopandas.GeoSeries([shapely.Point(), shapely.Polygon(), None], crs=4326)
    with pytest.warns(odometer.PlacesWarning, match="origins: 3 of 3 places have no coordinates$"):
        assert set(network.matrix(shapes, STATIONS).reason) == {"origin: invalid"}


def test_masked_values_are_missing(network):
    pairs = np.ma.masked_array(ADDRESSES[["lat", "lon"]].head(2), mask=[[1, 0], [0, 0]])
    columns = {"id": np.ma.masked_array([1, 2], mask=[0, 1]), "lat": pairs[:, 0], "lon": pairs[:, 1]}
    with pytest.warns(odometer.PlacesWarning, match="origins: 1 of 2 places has no coordinates$"):
        assert np.isnan(network.matrix_array(pairs, STATIONS)).all(axis=1).tolist() == [True, False]
        found = network.matrix(columns, STATIONS.head(1))
    assert texts(found.reason) == ["origin: invalid", None] and found.from_id[0] == 1 and pd.isna(found.from_id[1])
    hours = np.ma.masked_array(["2026-11-23T08:00", "2026-11-23T09:00"], mask=[0, 1], dtype="M8[s]")
    assert len(network.etas(PAIRS.head(2).to_dict("series") | {"departure": hours})) == 2
    with pytest.raises(odometer.UsageError, match="departures: one of them is not a time"):
        network.etas(PAIRS.head(2), departures=hours)


def test_empty_inputs_have_the_usual_columns(network):
    for call in (network.routes, network.etas, lambda pairs: network.routes(pairs, steps=True)[1]):
        empty, full = call(PAIRS.head(0)), call(PAIRS.head(2))
        assert list(empty.columns) == list(full.columns) and not len(empty)
        for name in ("status", "step", "travel_time", "has_tolls"):
            if name in full and full[name].dtype != "str":
                assert empty[name].dtype == full[name].dtype or empty[name].dtype == object
    assert network.isochrones(STATIONS.head(0), [60]).status.dtype == object
    for name in ("traces", "parts", "streets", "stops", "fixes"):
        empty, full = (getattr(network.match(fixes), name) for fixes in (TRACES.head(0), TRACES))
        assert list(empty.columns) == list(full.columns) and not len(empty)


def test_ids_have_the_names_of_a_job(network):
    for name in ("GEOID20", "OSM ID", "code", "fid"):
        assert network.nearest(ADDRESSES.head(2).rename(columns={"id": name}), STATIONS).from_id.tolist() == ADDRESSES.id[:2].tolist()


def test_a_column_of_departures_may_have_gaps(network):
    free, given = network.etas(PAIRS.head(2)), network.etas(PAIRS.head(2).assign(departure=[pd.Timestamp("2026-11-23T08:00"), None]))
    assert given.travel_time[1] == free.travel_time[1]
    with pytest.raises(odometer.UsageError, match="departures: got '08:00', expected a date with a time"):
        network.etas(PAIRS.head(1).assign(departure_time="08:00"))
    with pytest.raises(odometer.UsageError, match="departures: one of them is not a time"):
        network.etas(PAIRS.head(2), departures=[pd.Timestamp("2026-11-23T08:00"), pd.NaT])


def test_places_off_the_map_are_counted_in_a_warning(network):
    exchanged = ADDRESSES.rename(columns={"lat": "lon", "lon": "lat"})
    with pytest.warns(odometer.PlacesWarning, match=r"origins: 160 of 160 places are off the map; 160 would be on it with") as seen:
        network.matrix_array(exchanged, STATIONS)
    assert seen[0].filename == __file__
    with pytest.warns(odometer.PlacesWarning, match="destinations: 1 of 2 places is off the map$"):
        network.etas([(60.17, 24.94)] * 2, [(60.17, 24.95), (1, 2)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        network.matrix(ADDRESSES, STATIONS)
        network.match(TRACES)


def test_routes_keep_the_columns_of_their_pairs(network):
    pairs = PAIRS.iloc[[5, 3, 4]].assign(name="mine", note=["x", "y", "z"])
    for form in (lambda frame: frame, polars.from_pandas):
        routes, steps = network.routes(form(pairs), steps=True, alternates=True)
        for frame in (routes, steps):
            joined = frame.merge(pairs, left_on="pair_id", right_on="id", suffixes=("", "_own"))
            assert len(joined) == len(frame) and (joined.note == joined.note_own).all()
            assert (joined.origin_name == joined.origin_name_own).all() and set(frame.pair_id) == set(pairs.id)
        # A column of the answer replaces the input's column.
        assert "mine" not in set(routes.name)
    unnamed = pairs.drop(columns=["id"])
    assert list(network.routes(unnamed).pair_id) == [5, 3, 4]
    assert list(network.routes(ADDRESSES.head(2), STATIONS.head(2)).columns[:3]) == ["pair_id", "from_id", "to_id"]


def test_match_reads_device_columns(network):
    late = TRACES.assign(received=TRACES.time + 1)
    late.loc[late.index[20], "received"] += 100
    fixes = network.match(late).fixes
    assert list(np.flatnonzero(fixes.reason == "age")) == [20]
    odd = TRACES.rename(columns={"trace_id": "trip_id", "time": "timestamp"})
    assert network.match(odd).streets.equals(network.match(TRACES).streets)


def test_areas_are_places(network):
    squares = points(STATIONS.head(3)).to_crs(3067)
    squares.geometry = squares.buffer(5)
    middle = network.matrix_array(STATIONS.head(3))
    assert np.abs(network.matrix_array(squares) - middle).max() < 10


def test_a_multipoint_of_one_point_is_a_place(network):
    import shapely

    single = points(STATIONS)
    several = single.assign(geometry=[shapely.MultiPoint([point]) for point in single.geometry])
    assert np.array_equal(network.matrix_array(several), network.matrix_array(STATIONS), equal_nan=True)
    several.loc[several.index[1], "geometry"] = shapely.MultiPoint(list(single.geometry[:2]))
    with pytest.raises(odometer.UsageError, match="origins: got a MultiPoint in row 1, expected points or areas"):
        network.matrix_array(several)


def test_counts_in_facts_are_numbers(network):
    assert network.facts["junctions"] > 1000 and network.facts["time zone"] == "Europe/Helsinki"


def test_nearest_are_the_shortest_of_a_row(network):
    cells = network.matrix_array(ADDRESSES, STATIONS)
    found = network.nearest(ADDRESSES, STATIONS, 3)
    for number, address in enumerate(ADDRESSES.id.head(20)):
        own = found[found.from_id == address]
        assert list(own["rank"]) == [1, 2, 3]
        assert np.array_equal(np.sort(cells[number])[:3], own.travel_time.astype(np.float32))
    assert network.nearest(ADDRESSES, STATIONS, within=60).travel_time.max() <= 60


def test_lines_are_as_long_as_their_routes(network):
    routes, steps = network.routes(PAIRS.head(20), steps=True, alternates=True)
    best = routes[routes.alternative == 0]
    assert np.array_equal(best.travel_time, network.etas(PAIRS.head(20)).travel_time)
    assert routes.geometry.is_valid.all() and routes.crs == 4326
    assert (routes.to_crs(3067).length / routes["distance"] - 1).abs().max() < 0.01
    sums = steps.groupby(["pair_id", "alternative"]).travel_time.sum()
    assert np.allclose(sort(routes.set_index(["pair_id", "alternative"]).travel_time), sort(sums))


def sort(series):
    return np.sort(series.to_numpy())


def test_areas_grow_and_contain_reached_places(network):
    areas = network.isochrones(points(STATIONS.head(3)), [300, 600])
    assert list(areas.travel_time) == [300, 600] * 3 and areas.geometry.is_valid.all()
    assert (areas["area"][1::2].to_numpy() > areas["area"][0::2].to_numpy()).all()
    near = network.nearest(STATIONS.head(1), points(ADDRESSES), 1000, within=300)
    inside = points(ADDRESSES).set_index("id").loc[near.to_id].within(areas.geometry[0].buffer(0.0005))
    assert inside.all()


def test_traces_follow_streets(network):
    matches = network.match(TRACES)
    assert list(matches.traces.trace_id) == list(TRACES.trace_id.unique())
    assert len(matches.fixes) == len(TRACES)
    assert (matches.parts.to_crs(3067).length / matches.parts["distance"] - 1).abs().max() < 0.05
    whole = matches.parts.groupby("trace_id")["distance"].sum()
    traces = matches.traces.set_index("trace_id")["distance"]
    assert np.allclose(whole, traces[whole.index], atol=0.02)


def test_equal_instants_in_different_zones_are_equal(network):
    local, utc = datetime(2026, 11, 23, 8, 30), datetime(2026, 11, 23, 6, 30, tzinfo=timezone.utc)
    from odometer import _times

    assert _times.milliseconds(local, network.time_zone) == _times.milliseconds(utc, network.time_zone)
    series = (
        pd.Series([local]), pd.Series([utc]), polars.Series([local]), polars.Series([utc]), np.array([local], "M8[s]"),
        pyarrow.array([local]), pyarrow.array([utc], pyarrow.timestamp("us", "UTC")), pyarrow.chunked_array([[local]]),
        [local], ["2026-11-23T06:30Z"], pd.DatetimeIndex([utc]),
    )
    assert len({int(_times.times(value, 1, network.time_zone)[0]) for value in series}) == 1
    assert _times.milliseconds("2026-11-23T06:30Z", network.time_zone) == _times.milliseconds(local, network.time_zone)


def test_fix_times_respect_time_zones(network):
    numbers = network.match(TRACES)
    moments = pd.to_datetime(TRACES.time, unit="s")
    utc, local = moments.dt.tz_localize("UTC"), moments.dt.tz_localize("UTC").dt.tz_convert(network.time_zone).dt.tz_localize(None)
    for times in (TRACES.time * 1000, TRACES.time * 1000.0, utc, local, utc.dt.strftime("%Y-%m-%dT%H:%M:%SZ")):
        found = network.match(TRACES.assign(time=times))
        assert found.streets.equals(numbers.streets) and found.stops.equals(numbers.stops)


def test_a_network_pickles_as_its_path(network):
    copy = pickle.loads(pickle.dumps(network))
    assert len(pickle.dumps(network)) < 1000
    assert np.array_equal(copy.matrix_array(ADDRESSES, STATIONS), network.matrix_array(ADDRESSES, STATIONS))


def test_a_network_file_needs_no_map(network, network_file, tmp_path):
    alone = tmp_path / "alone.network"
    alone.write_bytes(network_file.read_bytes())
    found = odometer.Network(alone).matrix_array(ADDRESSES, STATIONS)
    assert np.array_equal(found, network.matrix_array(ADDRESSES, STATIONS))


def test_concurrent_calls_return_equal_results(network):
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(network.matrix_array(ADDRESSES, STATIONS))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and all(np.array_equal(answer, answers[0]) for answer in answers)


def test_a_call_costs_less_than_a_millisecond(network):
    place = np.array([[60.17, 24.94]])
    network.eta_arrays(place, place)
    times = []
    for _ in range(50):
        start = time.perf_counter()
        network.eta_arrays(place, place)
        times.append(time.perf_counter() - start)
    assert np.median(times) < 0.001


def test_an_interrupt_ends_a_long_call(map_path):
    program = (
        "import numpy, odometer, sys\n"
        f"network = odometer.Network({str(map_path)!r}, workers=1)\n"
        "places = numpy.random.default_rng(1).uniform((60.165, 24.936), (60.178, 24.952), (400_000, 2))\n"
        "print('ready', flush=True)\n"
        "try:\n    network.eta_arrays(places, places[::-1])\n"
        "except KeyboardInterrupt:\n    print('interrupted')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.perf_counter()
    os.kill(process.pid, signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert rest == "interrupted\n" and process.returncode == 0
    assert time.perf_counter() - start < 5


def test_cancelling_ends_calls_of_other_threads(network):
    places = np.random.default_rng(1).uniform((60.165, 24.936), (60.178, 24.952), (400_000, 2))
    outcome = []

    def work():
        try:
            network.eta_arrays(places, places[::-1])
        except odometer.Cancelled as error:
            outcome.append(error.code)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.5)
    network.cancel()
    thread.join()
    assert outcome == [130]


WRONG = {
    "no such map": (lambda network: odometer.Network("nowhere.osm.pbf"), odometer.InputError, "there is no such map"),
    "profile": (lambda network: odometer.Network("m.osm.pbf", by="plane"), odometer.UsageError, "by: got plane, expected one of automobile"),
    "no columns": (lambda network: network.matrix(pd.DataFrame({"a": [1]})), odometer.UsageError, "origins: no column latitude"),
    "shape": (lambda network: network.matrix([1, 2, 3]), odometer.UsageError, "expected (latitude, longitude)"),
    "words": (lambda network: network.matrix([("a", "b")]), odometer.UsageError, "expected (latitude, longitude)"),
    "lengths": (lambda network: network.etas(ADDRESSES, STATIONS), odometer.UsageError, "expected equal numbers"),
    "pairs": (lambda network: network.etas(ADDRESSES), odometer.UsageError, "no column origin_lat"),
    "departure": (lambda network: network.etas(PAIRS, departures="tomorrow"), odometer.UsageError, "got 'tomorrow'"),
    "year": (lambda network: network.etas(PAIRS, departures="0001-01-01T00:00"), odometer.UsageError, "a year from 1600"),
    "departures": (lambda network: network.etas(PAIRS, departures=["2026-01-01T08:00"] * 2), odometer.UsageError, "got 2, expected"),
    "count": (lambda network: network.nearest(ADDRESSES, STATIONS, 0), odometer.UsageError, "count: got 0"),
    "large count": (
        lambda network: network.nearest(ADDRESSES, STATIONS, 10**12), odometer.UsageError,
        "count: got 1000000000000, expected a whole number from 1 to 1000000",
    ),
    "limits": (lambda network: network.isochrones(STATIONS, [0]), odometer.UsageError, "limits: got 0.0"),
    "direction": (lambda network: network.isochrones(STATIONS, [60], direction="both"), odometer.UsageError, "direction"),
    "lines": (lambda network: network.matrix(points(STATIONS).buffer(1).boundary), odometer.UsageError, "got a LineString in row 0"),
    "column": (lambda network: network.match(TRACES, speed="fast"), odometer.UsageError, "fixes: no column fast; there are"),
    "no time": (lambda network: network.matrix(ADDRESSES, departures=pd.NaT), odometer.UsageError, "departures: got NaT"),
    "number": (lambda network: network.matrix(ADDRESSES, departures=5), odometer.UsageError, "departures: got 5"),
    "column of places": (lambda network: network.matrix(ADDRESSES.lat), odometer.UsageError, "origins: expected (latitude, longitude)"),
    "unequal": (lambda network: network.matrix({"lat": [60.1], "lon": [24.9, 25]}), odometer.UsageError, "columns of different lengths"),
    "scalars": (lambda network: network.matrix({"lat": 60.1, "lon": 24.9}), odometer.UsageError, "origins.latitude: got an array of"),
    "same names": (lambda network: network.routes(pd.concat([PAIRS, PAIRS[["id"]]], axis=1)), odometer.UsageError, "two columns id"),
    "no limits": (lambda network: network.isochrones(STATIONS, []), odometer.UsageError, "limits: got an empty list"),
    "microseconds": (lambda network: network.match(TRACES.assign(time=TRACES.time * 10**6)), odometer.UsageError, "time: got"),
    "digits": (lambda network: network.match(TRACES.assign(time=TRACES.time.astype(str))), odometer.UsageError, "time: got '"),
    "no trace": (lambda network: network.match(TRACES.assign(trace_id=None)), odometer.UsageError, "trace_id: row 0 has none"),
    "path": (lambda network: odometer.Network(5), odometer.UsageError, "path: got 5, expected a path"),
    "repeated": (
        lambda network: network.matrix(ADDRESSES, departures=["2026-11-23T08:00", "2026-11-23T09:00"], percentiles=[50, 50]),
        odometer.UsageError, "expected each once",
    ),
    "fraction": (lambda network: network.access(ADDRESSES, STATIONS, [300.5]), odometer.UsageError, "limits: got 300.5, expected whole"),
    "no limit": (lambda network: network.access(ADDRESSES, STATIONS, [0]), odometer.UsageError, "limits: got 0.0"),
    "nearest": (lambda network: network.access(ADDRESSES, STATIONS, nearest=0), odometer.UsageError, "nearest: got 0"),
    "no origins": (lambda network: network.access([], STATIONS), odometer.UsageError, "origins: got no places"),
    "way": (lambda network: network.access(ADDRESSES, STATIONS, direction="both"), odometer.UsageError, "direction: got 'both'"),
    "negative": (
        lambda network: network.access(ADDRESSES.assign(jobs=-1), STATIONS, weights=["jobs"]), odometer.InputError, "origins: column jobs"
    ),
    "weights": (lambda network: network.access(ADDRESSES, STATIONS, weights=["jobs"]), odometer.UsageError, "no column jobs"),
    "unsorted": (lambda network: network.match(TRACES.iloc[::7].sample(frac=1, random_state=1)), odometer.UsageError, "sort the frame"),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", WRONG)
def test_rejects_invalid_arguments(network, case):
    call, kind, sentence = WRONG[case]
    with pytest.raises(kind) as error:
        call(network)
    assert sentence in str(error.value) and "\n" not in str(error.value)


def test_wheel_includes_the_command(map_path):
    version = subprocess.run([sys.executable, "-m", "odometer", "--version"], capture_output=True, text=True)
    assert version.stdout == f"odometer {odometer.__version__}\n"
    wrong = subprocess.run([sys.executable, "-m", "odometer", "eta", "x", "y"], capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("odometer: ")
    command = os.path.join(os.path.dirname(sys.executable), "odometer")
    listing = subprocess.run([command, "network", "info", str(map_path)], capture_output=True, text=True)
    assert "streets" in listing.stdout
