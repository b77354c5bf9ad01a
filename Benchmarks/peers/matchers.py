"""Peers with one interface: traces in, matches out, with the CPU seconds of the peer's own calls.

A match is a list of parts, each a list of (longitude, latitude). Python's work before and after a call is not counted;
a library's own reading of requests and writing of answers as text is. Each peer is given the
expected noise: OSRM by `radiuses`, Valhalla by `sigma_z` of its configuration (a request's `gps_accuracy` has no
effect) and `search_radius`, FMM by `gps_error` and its radius. Valhalla's `breakage_distance` is 10 km, as on its
public server; otherwise traces with one fix per minute would be lost.

Ways of asking: `raw` gives every fix that is not exactly at the previous position (peers fail on those); `thinned`
omits fixes within two standard deviations of the last remaining one, as Newson and Krumm recommend; `tidy` is OSRM's
own thinning; `untold` gives every fix without the expected noise, so that the peer's own settings apply.
"""

import json
import os
import time
from dataclasses import dataclass

from engines import OSRM, Valhalla, polyline
from paced import metres

MODE = "automobile"


@dataclass
class Trace:
    id: str
    points: list  # (longitude, latitude)
    times: list  # seconds since 1970


@dataclass
class Matches:
    """The matches of one matcher for a file of traces."""

    rate: float  # fixes per CPU second, including those that a way of asking omits
    parts: dict  # by trace
    matched: float | None = None  # share of fixes, including those that a way of asking omits


def radius(sigma, most=float("inf")):
    """The radius in metres of the search for streets around a fix."""
    return min(most, max(50, 3 * sigma))


def thinned(trace, limit):
    """Omits fixes within `limit` metres of the last one kept; unchanged if fewer than two would remain."""
    kept = [0]
    for number in range(1, len(trace.points)):
        if metres(trace.points[kept[-1]], trace.points[number]) > limit:
            kept.append(number)
    if len(kept) < 2:
        return trace
    return Trace(trace.id, [trace.points[number] for number in kept], [trace.times[number] for number in kept])


class OSRMMatcher:
    name, package, ways = "OSRM", "osrm-bindings", ("raw", "thinned", "tidy", "untold")

    def __init__(self, map, folder):
        self.osrm = OSRM(map, MODE, folder, {}, algorithm="CH")

    def question(self, trace, sigma, tidy):
        noise = {} if sigma is None else {"radiuses": [sigma] * len(trace.points)}
        return self.osrm.library.MatchParameters(
            coordinates=trace.points, timestamps=[int(time) for time in trace.times], gaps="ignore", tidy=tidy,
            overview="full", geometries="polyline6", generate_hints=False, **noise)

    def call(self, question):
        return self.osrm.engine.Match(question)

    def parts(self, answer):
        return [polyline(matching["geometry"]) for matching in answer["matchings"]]

    def matched(self, answer):
        return sum(point is not None and not isinstance(point, str) for point in answer["tracepoints"])


class ValhallaMatcher:
    name, package, ways = "Valhalla", "pyvalhalla", ("raw", "thinned", "untold")
    attributes = [
        "shape", "edge.begin_shape_index", "edge.end_shape_index", "matched.type", "matched.edge_index",
        "matched.begin_route_discontinuity", "matched.end_route_discontinuity", "matched.point"]

    def __init__(self, map, folder):
        self.valhalla = Valhalla(map, MODE, folder)
        self.sigma, self.actor = None, None

    def tune(self, sigma):
        import valhalla

        if self.actor is not None and sigma == self.sigma:
            return
        with open(self.valhalla.config) as file:
            settings = json.load(file)
        for section in ("default", "auto"):
            settings["meili"][section]["breakage_distance"] = 10_000
            if sigma is not None:
                settings["meili"][section]["sigma_z"] = sigma
        settings["service_limits"]["trace"]["max_shape"] = 100_000
        for section in ("mjolnir", "thor", "odin", "meili", "loki", "skadi"):
            settings.setdefault(section, {})["logging"] = {"type": ""}
        self.sigma, self.actor = sigma, valhalla.Actor(settings)

    def question(self, trace, sigma, tidy):
        self.tune(sigma)
        noise = {} if sigma is None else {"gps_accuracy": sigma, "search_radius": radius(sigma, most=100)}
        return json.dumps({
            "shape": [{"lon": lon, "lat": lat, "time": time} for (lon, lat), time in zip(trace.points, trace.times)],
            "costing": self.valhalla.costing, "shape_match": "map_snap",
            "trace_options": noise,
            "filters": {"action": "include", "attributes": self.attributes}})

    def call(self, question):
        return self.actor.trace_attributes(question)

    def parts(self, answer):
        """A new part begins at each edge that does not begin at the end of the previous one."""
        answer = json.loads(answer)
        shape, parts, end = polyline(answer["shape"]), [], None
        for edge in answer["edges"]:
            first, last = edge["begin_shape_index"], edge["end_shape_index"]
            if first == end:
                parts[-1].extend(shape[first + 1 : last + 1])
            else:
                parts.append(shape[first : last + 1])
            end = last
        return parts

    def matched(self, answer):
        return sum(point["type"] != "unmatched" for point in json.loads(answer)["matched_points"])


def match(matcher, traces, sigma, way):
    """Matches all traces with a peer; a trace that it refuses is unmatched."""
    spent, fixes, matched, found = 0.0, 0, 0, {}
    for trace in traces:
        asked = thinned(trace, 2 * sigma if way == "thinned" else 0)
        question = matcher.question(asked, None if way == "untold" else sigma, way == "tidy")
        start = time.process_time()
        try:
            answer = matcher.call(question)
        except RuntimeError:
            answer = None
        spent += time.process_time() - start
        fixes += len(trace.points)
        found[trace.id] = []
        if answer is not None:
            found[trace.id] = matcher.parts(answer)
            matched += matcher.matched(answer) + len(trace.points) - len(asked.points)
    return Matches(fixes / max(spent, 1e-9), found, matched / fixes)


def read(path):
    """Reads matches written earlier."""
    with open(path) as file:
        return Matches(**json.load(file))


def write(matches, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w") as file:
        json.dump(vars(matches), file)
    os.replace(path + ".part", path)
