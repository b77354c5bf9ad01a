"""Drives with known streets and times, and the fixes that a device would have recorded on them.

Trips between random points are routed by several engines in turn, so that no matcher has only its own routes as truth.
Each is driven at the speeds of its engine times random factors, since drivers do not follow profiles.
Random numbers are those of Python's `random`, whose sequences are the same in every version.
"""

import csv
import json
import math
import os
import random
from dataclasses import dataclass

import numpy as np

from paced import METRES, along, metres

LENGTHS = 2_000, 15_000  # metres from end to end in a straight line
SAME_END = 30.0  # metres: engines whose ends are farther apart do not answer the same trip
TRIP_PACE, TRIP_SPREAD = 0.8, 0.2  # of the engine's pace: median, and deviation of its logarithm, per trip
PIECE, PIECE_SPREAD = 400.0, 0.3  # metres, and the deviation per piece
STOPS_APART, STOP = 1200.0, (10, 60)  # average metres between two stops; seconds
TURNING = 5.0  # seconds
EPOCH = 1_400_000_000  # start of the first drive, in seconds since 1970; the next begins DAY later
DAY = 100_000


@dataclass
class Drive:
    by: str  # the engine of the route
    shape: np.ndarray
    when: np.ndarray  # seconds from the start
    where: np.ndarray  # metres from the start at these times

    @property
    def metres(self):
        return self.where[-1]

    @property
    def seconds(self):
        return self.when[-1]

    def fixes(self, number, interval, sigma, noise):
        """(seconds since 1970, longitude, latitude), with noise of sigma metres per axis."""
        end = math.ceil(self.seconds)
        moments = np.array([*range(0, end, interval), end])
        at = np.interp(moments, self.when, self.where)
        reached = along(self.shape)
        for moment, lon, lat in zip(moments, np.interp(at, reached, self.shape[:, 0]), np.interp(at, reached, self.shape[:, 1])):
            north, east = noise.gauss(0, sigma), noise.gauss(0, sigma)
            yield (EPOCH + number * DAY + int(moment), lon + east / (METRES * math.cos(math.radians(lat))), lat + north / METRES)


def random_pairs(points, count, rng):
    pairs, tried = [], 0
    while len(pairs) < count:
        a, b = rng.choice(points), rng.choice(points)
        if LENGTHS[0] <= metres(a, b) <= LENGTHS[1]:
            pairs.append((a, b))
        tried += 1
        if tried > 1000 * count:
            raise SystemExit(
                f"traces: got {len(pairs)} pairs of points {LENGTHS[0]} to {LENGTHS[1]} m apart, expected {count}; the map is too small")
    return pairs


def driven(by, route, stops, rng):
    """A drive along a route."""
    pace, factor, until = math.exp(rng.gauss(math.log(TRIP_PACE), TRIP_SPREAD)), 1.0, 0.0
    next_stop = rng.expovariate(1 / STOPS_APART) if stops else math.inf
    reached = along(route.shape)
    when, where = [0.0], [0.0]
    for point in range(1, len(reached)):
        if reached[point] > until:
            factor, until = math.exp(rng.gauss(0, PIECE_SPREAD)), until + PIECE
        when.append(when[-1] + max(1e-3, route.seconds[point] - route.seconds[point - 1]) / (pace * factor))
        where.append(reached[point])
        if reached[point] > next_stop:
            when.append(when[-1] + rng.uniform(*STOP))
            where.append(reached[point])
            next_stop = reached[point] + rng.expovariate(1 / STOPS_APART)
    return Drive(by, route.shape, np.array(when), np.array(where))


def there_and_back(routes):
    """Joins each route to the next one, which leads back from its end, by a turn; None if they do not meet."""
    def joined(there, back):
        return there.joined(back, TURNING) if there and back and metres(there.shape[-1], back.shape[0]) < 1 else None

    return [joined(*pair) for pair in zip(routes[::2], routes[1::2])]


def alike(routes):
    """Whether all engines have a route, between the same ends."""
    return all(routes) and all(
        metres(routes[0].shape[end], route.shape[end]) <= SAME_END for route in routes[1:] for end in (0, -1))


def make(points, routers, count, seed, stops=False, back=False):
    """`count` drives between random points; a router is a name and a function from pairs to paced routes."""
    rng = random.Random(seed)
    pairs = random_pairs(points, 4 * count, rng)
    if back:
        pairs = [way for a, b in pairs[: 2 * count] for way in ((a, b), (b, a))]
    answers = [route(pairs) for _, route in routers]
    if back:
        answers = [there_and_back(routes) for routes in answers]
    drives = []
    for routes in zip(*answers):
        if alike(routes) and len(drives) < count:
            turn = len(drives) % len(routers)
            drives.append(driven(routers[turn][0], routes[turn], stops, rng))
    return drives


def write(drives, folder, cells, seed):
    """traces-INTERVAL-SIGMA.csv for each cell, and truth.json."""
    os.makedirs(folder, exist_ok=True)
    for interval, sigma in cells:
        noise = random.Random(f"{seed} {interval} {sigma}")
        with open(os.path.join(folder, f"traces-{interval}-{sigma}.csv"), "w") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["trace_id", "time", "lon", "lat"])
            for number, drive in enumerate(drives):
                writer.writerows(
                    [number, time, f"{lon:.7f}", f"{lat:.7f}"] for time, lon, lat in drive.fixes(number, interval, sigma, noise))
    with open(os.path.join(folder, "truth.json"), "w") as file:
        json.dump([
            {"by": drive.by, "metres": round(drive.metres), "seconds": round(drive.seconds),
             "shape": [[round(lon, 7), round(lat, 7)] for lon, lat in drive.shape.tolist()]} for drive in drives], file)
