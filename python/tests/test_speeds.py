"""Observed speeds: values are those of the program's jobs with the same keys, bit for bit."""

import numpy as np
import pandas as pd
import pytest
from conftest import DATA
from test_jobs import ADDRESSES, PAIRS, STATIONS, table

import odometer

STATION = pd.read_csv(STATIONS).head(1)
MONDAY = "2026-11-23T08:30:00+02:00"


@pytest.fixture(scope="session")
def files(run_job, folder):
    """Speeds of streets in some hours, and of one street on Sunday nights; and slowness by class."""
    traces = run_job("driven", kind="traces", transportType="automobile", traces=str(DATA / "helsinki-traces.csv"))
    observed = traces / "observed_speeds.csv.gz"
    street = int(pd.read_csv(observed).way_id[0])
    (folder / "sunday.csv").write_text(f"way_id,slowness\n{street},4\n")
    return {
        "speeds": [str(observed), {"file": str(folder / "sunday.csv"), "days": "Su", "from": "02:00", "to": "03:00"}],
        "traffic": str(DATA / "helsinki.traffic.json5"),
    }


@pytest.fixture(scope="session")
def driving(map_path, files):
    return odometer.Network(map_path, by="car", workers=2, **files)


@pytest.fixture(scope="session")
def run_driving(run_job, files):
    def run(name, **keys):
        moment = {} if "arrivalDate" in keys else {"departureDate": MONDAY}
        return run_job(f"driving-{name}", **({"transportType": "automobile"} | moment | files | keys))

    return run


def test_trips_equal_a_job(driving, run_driving):
    job = table(run_driving("etas", kind="etas", pairs=PAIRS), "SELECT * FROM route ORDER BY pair_id")
    trips = driving.etas(pd.read_csv(PAIRS), departures=MONDAY)
    for column in ("departure", "departure_time"):
        assert driving.etas(pd.read_csv(PAIRS).assign(**{column: MONDAY})).travel_time.equals(trips.travel_time)
    assert trips.travel_time.to_numpy().tobytes() == job.expected_travel_time.to_numpy(float).tobytes()
    free = driving.etas(pd.read_csv(PAIRS))
    assert (trips.travel_time.dropna() >= free.travel_time.dropna()).all()
    assert trips.travel_time.sum() > free.travel_time.sum() * 1.1


def test_cells_equal_a_job(driving, run_driving):
    job = run_driving("matrix", kind="matrix", origins=ADDRESSES, destinations=STATIONS, format=["npy"])
    cells = driving.matrix_array(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), departures=MONDAY)
    assert cells.tobytes() == np.load(job / "travel_times.npy").tobytes()


@pytest.mark.parametrize("direction", ["from", "to"])
def test_areas_equal_a_job(driving, run_driving, direction):
    moment = {} if direction == "from" else {"arrivalDate": MONDAY}
    keys = {"kind": "isochrones", "origins": STATIONS, "thresholds": [2, 4], "direction": direction} | moment
    job = table(run_driving(f"areas-{direction}", **keys), "SELECT * FROM isochrone ORDER BY place_id, threshold")
    moment = {"departure": MONDAY} if direction == "from" else {"arrivals": MONDAY}
    areas = driving.isochrones(pd.read_csv(STATIONS), [120, 240], direction=direction, **moment)
    areas = areas.sort_values(["id", "travel_time"])
    assert areas["area"].tolist() == job["area"].tolist()
    assert areas.street_length.sum() < driving.isochrones(pd.read_csv(STATIONS), [120, 240], direction=direction).street_length.sum()


def test_nearest_equal_a_job(driving, run_driving):
    keys = {"kind": "access", "origins": ADDRESSES, "stations": STATIONS, "nearest": 2}
    job = table(run_driving("access", **keys), "SELECT * FROM access ORDER BY origin_id, rank")
    found = driving.nearest(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), 2, departure=MONDAY)
    found = found.sort_values(["from_id", "rank"])
    for name, own in (("travel_time", "expected_travel_time"), ("distance", "distance")):
        assert np.array_equal(found[name], job[own].astype(float), equal_nan=True)
    access = driving.access(pd.read_csv(ADDRESSES), pd.read_csv(STATIONS), nearest=2, departure=MONDAY).nearest
    access = access.sort_values(["origin_id", "rank"])
    assert np.array_equal(access.expected_travel_time, job.expected_travel_time, equal_nan=True)


def test_stock_tables_have_names(map_path):
    porto = odometer.Network(map_path, by="car", traffic="porto")
    trips = [porto.etas(pd.read_csv(PAIRS).head(50), departures=when).travel_time.sum() for when in (MONDAY, None)]
    assert trips[0] > trips[1]


def test_rejects_incompatible_arguments(driving, map_path, files):
    for call, sentence in (
        (lambda: odometer.Network(map_path, by="car", speeds=[]), "speeds: got an empty list"),
        (lambda: odometer.Network(map_path, by="car", speeds={"dayz": "Mo"}), "speeds: unknown key dayz"),
        (lambda: driving.isochrones(STATION, [60], direction="to", departure=MONDAY), "departure: with observed speeds, trips"),
        (lambda: driving.isochrones(STATION, [60], arrivals=MONDAY), "arrivals: only for trips to a place"),
    ):
        with pytest.raises(odometer.UsageError, match=sentence):
            call()
    with pytest.raises((odometer.UsageError, odometer.InputError), match="none.json5: traffic: no such file"):
        odometer.Network(map_path, by="car", traffic="none.json5")
