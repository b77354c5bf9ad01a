"""Routes with the time at which each point of their shape is passed, at the speeds of the engine that found them."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from engines import polyline

NEAR = 60  # maximum metres from a point to its street
METRES = 111_195.0  # per degree


@dataclass
class Paced:
    shape: np.ndarray  # rows of longitude, latitude
    seconds: np.ndarray  # at each of them, from the start

    def joined(self, other, pause):
        """This route, a pause, and the other."""
        return Paced(
            np.vstack([self.shape, other.shape[1:]]), np.hstack([self.seconds, self.seconds[-1] + pause + other.seconds[1:]]))


def metres(a, b):
    """Between two points, or between the points of two arrays, pair by pair."""
    a, b = np.asarray(a), np.asarray(b)
    x = (b[..., 0] - a[..., 0]) * np.cos(np.radians((a[..., 1] + b[..., 1]) / 2))
    return np.hypot(x, b[..., 1] - a[..., 1]) * METRES


def along(shape):
    """Metres from the start to each point of a shape."""
    return np.hstack([0, np.cumsum(metres(shape[:-1], shape[1:]))])


def paced(shape, pieces, seconds):
    """A shape whose pieces, (metres, seconds), are each passed at constant speed, in `seconds` overall."""
    shape = np.array(shape, float)
    where = along(shape)
    lengths, times = (np.hstack([0, np.cumsum(column)]) for column in zip(*pieces))
    if len(shape) < 2 or not where[-1] or not lengths[-1] or not times[-1]:
        return None
    moments = np.interp(where / where[-1], lengths / lengths[-1], times / times[-1])
    return Paced(shape, moments * seconds)


def by_odometer(engine, pairs):
    """One piece per step."""
    routes, pieces = engine.routes(pairs), defaultdict(list)
    for pair, *piece in engine.rows("SELECT pair_id, distance, expected_travel_time FROM step ORDER BY pair_id, step"):
        pieces[pair].append(piece)
    return [route and paced(route.shape, pieces[pair], route.seconds) for pair, route in enumerate(routes)]


def by_osrm(engine, pairs):
    """One piece per segment."""
    def ask(pair):
        try:
            route = engine.engine.Route(engine.library.RouteParameters(
                coordinates=list(pair), overview="full", geometries="polyline6", annotations=["duration", "distance"],
                radiuses=[NEAR, NEAR]))["routes"][0]
        except RuntimeError:  # no route
            return None
        notes = route["legs"][0]["annotation"]
        return paced(polyline(route["geometry"]), list(zip(notes["distance"], notes["duration"])), route["duration"])

    return [ask(pair) for pair in pairs]


def by_valhalla(engine, pairs):
    """One piece per maneuver."""
    def ask(pair):
        try:
            leg = engine.actor.route({
                "locations": [{"lon": lon, "lat": lat, "radius": 0, "search_cutoff": NEAR} for lon, lat in pair],
                "costing": engine.costing, "shape_format": "polyline6"})["trip"]["legs"][0]
        except RuntimeError:  # no route
            return None
        pieces = [(maneuver["length"], maneuver["time"]) for maneuver in leg["maneuvers"]]
        return paced(polyline(leg["shape"]), pieces, leg["summary"]["time"])

    return [ask(pair) for pair in pairs]
