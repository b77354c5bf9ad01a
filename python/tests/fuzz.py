"""Random invalid calls for a number of minutes: they must return or raise errors, never crash the process.

    python fuzz.py helsinki.osm.pbf MINUTES
"""

import random
import sys
import time
import warnings
from datetime import datetime, timedelta

import numpy as np
import pandas as pd

import odometer

ODD = [None, "", "x", float("nan"), float("inf"), -float("inf"), 0, -1, 1, 3, 1e300, -1e300, 2**31, 2**63, -(2**63), True, [], {}, (1, 2), b"x", "\0"]
BOX = (24.93, 60.16, 24.96, 60.18)


def place(chance):
    if chance.random() < 0.8:
        return chance.uniform(BOX[1], BOX[3]), chance.uniform(BOX[0], BOX[2])
    numbers = [number for number in ODD if isinstance(number, float)] + [90.0, -180.0, 0.0, 1e-300]
    return chance.choice(numbers), chance.choice(numbers)


def places(chance):
    found = [place(chance) for _ in range(chance.choice([0, 1, 2, 5, 40]))]
    form = chance.randrange(6)
    if form == 0:
        return np.array(found).reshape(-1, 2)[:: chance.choice([1, -1, 2])]
    if form == 1:
        return pd.DataFrame(found, columns=["lat", "lon"], index=[f"p{number}" for number in range(len(found))])
    if form == 2:
        return {"latitude": [row[0] for row in found], "longitude": [row[1] for row in found]}
    if form == 3:
        return chance.choice(ODD)
    if form == 4:
        return np.array(found, dtype=chance.choice(["f4", "f8", "O", "S3"])).reshape(-1, 2)
    return found


def moment(chance):
    form = chance.randrange(5)
    if form == 0:
        return datetime(2026, 11, 23) + timedelta(seconds=chance.uniform(-1e9, 1e9))
    if form == 1:
        return chance.choice(["2026-11-23T08:30", "2026-11-23T08:30+02:00", "9999-12-31T23:59", "0001-01-01T00:00", "now"])
    if form == 2:
        return chance.choice(ODD)
    if form == 3:
        return np.datetime64(chance.randrange(-(2**62), 2**62), "ms")
    return None


def moments(chance):
    return [moment(chance) for _ in range(chance.randrange(4))] if chance.random() < 0.5 else moment(chance)


def pick(chance, usual):
    return usual if chance.random() < 0.7 else chance.choice(ODD)


def main(path, minutes):
    warnings.simplefilter("ignore")
    networks = [odometer.Network(path, by=by, workers=workers) for by, workers in (("foot", 1), ("car", 2))]
    chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    calls = [
        lambda net: net.etas(places(chance), places(chance), departures=moments(chance)),
        lambda net: net.matrix(places(chance), places(chance), departures=moments(chance), distances=pick(chance, True)),
        lambda net: net.matrix_array(places(chance), departures=moments(chance), distances=pick(chance, False)),
        lambda net: net.nearest(places(chance), places(chance), pick(chance, 2), within=pick(chance, None), departure=moment(chance)),
        lambda net: net.routes(places(chance), places(chance), alternates=pick(chance, True), steps=chance.random() < 0.5),
        lambda net: net.isochrones(places(chance), pick(chance, [60, 300]), buffer=pick(chance, 30), departure=moment(chance)),
        lambda net: net.match(places(chance)),
        lambda net: odometer.Network(pick(chance, path), by=pick(chance, "walking"), snap_limit=pick(chance, 100)),
        lambda net: net.cancel(),
    ]
    end, answered, refused = time.monotonic() + 60 * minutes, 0, {}
    while time.monotonic() < end:
        try:
            chance.choice(calls)(chance.choice(networks))
            answered += 1
        except Exception as error:
            name = type(error).__name__
            if isinstance(error, odometer.Error) and error.code == 70:
                raise
            if name not in ("UsageError", "InputError") and name not in refused:
                print(f"{name}: {error}", flush=True)
            refused[name] = refused.get(name, 0) + 1
    print(f"fuzz: done, {answered} answers, refused {sum(refused.values())}: {refused}")


main(sys.argv[1], float(sys.argv[2]))
