"""Three engines with one interface: where a place snaps to, and the route of a pair."""

import csv
import gzip
import hashlib
import json
import os
import re
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass

from machine import note

MODES = {
    "automobile": {"osrm": "car", "valhalla": "auto"},
    "walking": {"osrm": "foot", "valhalla": "pedestrian"},
    "cycling": {"osrm": "bicycle", "valhalla": "bicycle"},
    # OSRM lacks such profiles. The lorry has the size given in data/profiles/truck.json5.
    "truck": {
        "valhalla": "truck", "transportType": "automobile",
        "options": {"height": 4, "width": 2.55, "length": 16.5, "weight": 40, "axle_load": 11.5, "hazmat": False}},
    "wheelchair": {"valhalla": "pedestrian", "transportType": "walking", "options": {"type": "wheelchair"}},
}


@dataclass
class Route:
    seconds: float
    metres: float
    shape: list  # (longitude, latitude); for OSRM the positions of OSM nodes between the two ends


def run(*words, codes=(0,)):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode not in codes:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout[-500:]}\n{done.stderr[-2000:]}")
    return done.stdout


def osrm_base(map, mode, folder, algorithm):
    """OSRM's data of an extract, created if missing."""
    import osrm

    home = os.path.dirname(osrm.__file__)
    profile = MODES[mode]["osrm"]
    programs, last = {
        "CH": (["osrm-contract"], ".hsgr"), "MLD": (["osrm-partition", "osrm-customize"], ".cell_metrics")}[algorithm]
    base = os.path.join(folder, f"osrm-{profile}" + ("-ch" if algorithm == "CH" else ""), "map.osrm")
    if not os.path.exists(base + last):
        note(f"osrm-extract, {', '.join(programs)} ...")
        os.makedirs(os.path.dirname(base), exist_ok=True)
        link = os.path.join(os.path.dirname(base), "map.osm.pbf")
        if not os.path.lexists(link):
            os.symlink(map, link)
        lua = next(os.path.join(root, f"{profile}.lua") for root, _, files in os.walk(home) if f"{profile}.lua" in files)
        run(os.path.join(home, "bin", "osrm-extract"), "-p", lua, link, "--threads", "1")
        for program in programs:
            run(os.path.join(home, "bin", program), base, "--threads", "1")
    return base


def emptied(text, key):
    """The text of a profile with one of its objects emptied."""
    start = re.search(rf"^  {key}: {{", text, re.MULTILINE)
    if not start:
        return text
    end, depth = start.end(), 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[: start.end()] + text[end - 1 :]


class Odometer:
    """One binary. Its networks are cached by the binary's digest, so that two versions never share one."""

    name = "Odometer"

    def __init__(self, binary, map, mode, folder, profile):
        with open(binary, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()[:12]
        self.binary, self.map, self.mode = binary, map, mode
        self.folder = os.path.join(folder, f"odometer-{digest}", mode)
        os.makedirs(self.folder, exist_ok=True)
        self.profile = profile and os.path.join(self.folder, "profile.json5")
        if not profile:  # the stock profile
            return
        # Without penalties: the compared points are on streets, and must not be snapped to others.
        with open(profile) as file, open(self.profile, "w") as copy:
            text = file.read()
            # A profile with a base inherits the base's penalties.
            none = {"tunnel": None, "location": None, "route": None}
            layered = {"base": mode, "name": f"{mode}-as-peers", "snapPenalties": none}
            copy.write(json.dumps(layered) if re.search(r"^  base:", text, re.MULTILINE) else emptied(text, "snapPenalties"))

    def job(self, kind, pairs):
        table, job, output = (os.path.join(self.folder, name) for name in ("pairs.csv", "job.json5", "output"))
        with open(table, "w") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "origin_lon", "origin_lat", "destination_lon", "destination_lat"])
            writer.writerows([number, *origin, *destination] for number, (origin, destination) in enumerate(pairs))
        with open(job, "w") as file:
            settings = {"kind": kind, "map": self.map, "transportType": MODES[self.mode].get("transportType", self.mode), "pairs": table, "output": output, "snapLegs": False}
            json.dump({**settings, **({"profile": self.profile} if self.profile else {})}, file)
        run(self.binary, "run", job, "--fresh", "--quiet", "--workers", "1", "--cache", self.folder)
        return output

    def rows(self, query):
        """Queries the database of the last job."""
        with closing(sqlite3.connect(os.path.join(self.folder, "output", "results.sqlite"))) as database:
            return database.execute(query).fetchall()

    def snap(self, points):
        pairs = [(points[number], points[number - 1]) for number in range(len(points))]
        self.job("etas", pairs)
        rows = self.rows("SELECT longitude, latitude, snapped_longitude, snapped_latitude FROM place")
        found = {(lon, lat): (x, y) for lon, lat, x, y in rows if x is not None}
        return [found.get(point) for point in points]

    def routes(self, pairs):
        answers = [None] * len(pairs)
        with gzip.open(os.path.join(self.job("routes", pairs), "routes.geojson.gz"), "rt") as file:
            for line in file:
                if not line.startswith('{"type":"Feature",'):
                    continue
                feature = json.loads(line.rstrip().rstrip(","))
                facts = feature["properties"]
                if facts["status"] == "ok" and feature["geometry"]:
                    answers[facts["pair_id"]] = Route(
                        facts["expected_travel_time"], facts["distance"],
                        [tuple(point) for point in feature["geometry"]["coordinates"]])
        return answers


class OSRM:
    name = "OSRM"

    def __init__(self, map, mode, folder, position, algorithm="MLD"):
        import osrm

        self.library, self.position = osrm, position
        base = osrm_base(map, mode, folder, algorithm)
        self.engine = osrm.OSRM(storage_config=base, use_shared_memory=False, algorithm=algorithm)

    def snap(self, points):
        answers = []
        for point in points:
            try:
                nearest = self.engine.Nearest(self.library.NearestParameters(coordinates=[point]))
                answers.append(tuple(list(nearest["waypoints"])[0]["location"]))
            except RuntimeError:
                answers.append(None)
        return answers

    def routes(self, pairs):
        return [self.route(pair) for pair in pairs]

    def route(self, pair):
        wanted = self.library.RouteParameters(
            coordinates=list(pair), overview="false", steps=False, annotations=["nodes"])
        try:
            answer = self.engine.Route(wanted)
        except RuntimeError:  # no route
            return None
        best = list(answer["routes"])[0]
        ends = [tuple(end["location"]) for end in answer["waypoints"]]
        nodes = [int(node) for node in list(best["legs"])[0]["annotation"]["nodes"]]
        # The first node is before the start and the last one after the end.
        inner = [self.position[node] for node in nodes[1:-1] if node in self.position]
        return Route(best["duration"], best["distance"], [ends[0], *inner, ends[1]])


class Valhalla:
    name = "Valhalla"

    def __init__(self, map, mode, folder):
        import valhalla
        from valhalla.config import get_config

        tiles, self.config = os.path.join(folder, "valhalla"), os.path.join(folder, "valhalla.json")
        if not os.path.exists(self.config) or not os.path.isdir(tiles):
            os.makedirs(tiles, exist_ok=True)
            settings = get_config(tile_extract="", tile_dir=tiles, verbose=False)
            settings["mjolnir"]["concurrency"] = 1
            for mode_settings in (choice["valhalla"] for choice in MODES.values()):
                settings["service_limits"][mode_settings]["max_distance"] = 1e9
            with open(self.config, "w") as file:
                json.dump(settings, file)
            run(os.path.join(os.path.dirname(valhalla.__file__), "bin", "valhalla_build_tiles"), "-c", self.config, map)
        self.actor = valhalla.Actor(self.config)
        self.costing = MODES[mode]["valhalla"]
        self.options = {"costing": self.costing, "costing_options": {self.costing: MODES[mode].get("options", {})}}

    def snap(self, points):
        answers = []
        for lon, lat in points:
            try:
                request = {"locations": [{"lon": lon, "lat": lat}], **self.options}
                edges = self.actor.locate(request)[0]["edges"]
                answers.append((edges[0]["correlated_lon"], edges[0]["correlated_lat"]) if edges else None)
            except RuntimeError:
                answers.append(None)
        return answers

    def routes(self, pairs):
        return [self.route(pair) for pair in pairs]

    def route(self, pair):
        request = {"locations": [{"lon": lon, "lat": lat} for lon, lat in pair], **self.options,
                   "directions_type": "none", "shape_format": "polyline6"}
        try:
            trip = self.actor.route(request)["trip"]
        except RuntimeError:
            return None
        shape = polyline(trip["legs"][0]["shape"])
        return Route(trip["summary"]["time"], trip["summary"]["length"] * 1000, shape)


def polyline(text):
    """Google's encoded polyline with six decimals."""
    points, position, values = [], 0, [0, 0]
    while position < len(text):
        for axis in (0, 1):
            shift = result = 0
            while True:
                byte = ord(text[position]) - 63
                position += 1
                result |= (byte & 31) << shift
                shift += 5
                if byte < 32:
                    break
            values[axis] += ~(result >> 1) if result & 1 else result >> 1
        points.append((values[1] / 1e6, values[0] / 1e6))
    return points
