"""Called by `compare`: measures Odometer and its peers on one extract, and prints one table.

Times are CPU seconds of the process that answers (wall seconds for Odometer's own report are the same on one core). Each scene
is measured in turns, Odometer before and after each peer, so that a slow minute hurts both.
"""

import csv
import json
import os
import random
import statistics
import subprocess
import sys
import time

from engines import osrm_base
from machine import note, processor, version

MAP, BY, FOLDER, ODOMETER = sys.argv[1:5]
SIZES = [int(n) for n in os.environ.get("SIZES", "1000,3000").split(",") if n]
POINTS = os.path.join(FOLDER, "points.csv")


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def odometer(*words):
    return run(ODOMETER, "bench", MAP, "--by", BY, "--cache", FOLDER, *words)


def measured(body, repetitions):
    """The median of CPU seconds."""
    seconds = []
    for _ in range(repetitions):
        start = time.process_time()
        body()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds)


class Table:
    """Rows of (scene, unit, Odometer's rate, peer, its rate)."""

    def __init__(self):
        self.rows = []

    def add(self, scene, unit, ours, peer, theirs):
        self.rows.append((scene, unit, ours, peer, theirs))
        note(f"{scene}: Odometer {ours:,.0f}, {peer} {theirs:,.0f} {unit}/s, {ours / theirs:.1f} times")

    def write(self, file):
        lines = [
            f"{os.path.basename(MAP)} by {BY}, one core, {time.strftime('%Y-%m-%d')}, {processor()}", "",
            "| scene | Odometer | peer | its rate | ratio |", "|---|---|---|---|---|"]
        for scene, unit, ours, peer, theirs in self.rows:
            lines.append(f"| {scene}, {unit}/s | {ours:,.0f} | {peer} | {theirs:,.0f} | **{ours / theirs:.1f}** |")
        file.write("\n".join(lines) + "\n")


def ours(scene):
    """Odometer's rate for each scene of a kind, by name."""
    return {result["scene"]: result["perSecond"] for result in json.loads(odometer("--json", "--repeat", "5", *scene))}


def read_points():
    if not os.path.exists(POINTS):
        with open(POINTS, "w") as file:
            file.write(odometer("--make-points", "20000"))
    with open(POINTS) as file:
        return [(float(row["lon"]), float(row["lat"])) for row in csv.DictReader(file)]


def fair(scene, measure):
    """Odometer's rates, the mean of one run before and one after `measure`, and what that returned."""
    before = ours(scene)
    theirs = measure()
    after = ours(scene)
    return {name: (before[name] + after[name]) / 2 for name in before}, theirs


def compare_osrm(table, points):
    import osrm

    base = osrm_base(MAP, BY, FOLDER, "CH")
    engine = osrm.OSRM(storage_config=base, use_shared_memory=False, algorithm="CH")
    name = f"OSRM {version('osrm-bindings')}"

    def measure(size, annotations):
        rng = random.Random(size)
        coordinates = [rng.choice(points) for _ in range(2 * size)]
        parameters = osrm.TableParameters(
            coordinates=coordinates, sources=list(range(size)), destinations=list(range(size, 2 * size)),
            annotations=annotations)
        return size * size / measured(lambda: engine.Table(parameters), 3)

    for size in SIZES:
        for annotations, suffix in ((["duration"], ""), (["duration", "distance"], " with distances")):
            scene = f"matrix {size}x{size}{suffix}"
            rates, theirs = fair(
                ["--kinds", "matrix", "--points", POINTS, "--sizes", f"{size}x{size}"],
                lambda: measure(size, annotations))
            table.add(scene, "cells", rates[scene], name, theirs)

    def routes():
        rng = random.Random(1)
        wanted = [
            osrm.RouteParameters(
                coordinates=[rng.choice(points), rng.choice(points)], overview="full", geometries="polyline", steps=True)
            for _ in range(2000)]

        def ask():
            for one in wanted:
                try:
                    engine.Route(one)
                except Exception:  # no route
                    pass

        return len(wanted) / measured(ask, 3)

    rates, theirs = fair(["--kinds", "paths", "--points", POINTS], routes)
    table.add("routes with shape and steps", "routes", rates["paths"], name, theirs)


def compare_valhalla(table, points):
    import valhalla
    from valhalla.config import get_config

    tiles = os.path.join(FOLDER, "valhalla")
    config = os.path.join(FOLDER, "valhalla.json")
    if not os.path.isdir(tiles) or not os.listdir(tiles):
        note("Valhalla builds its tiles ...")
        os.makedirs(tiles, exist_ok=True)
        settings = get_config(tile_extract="", tile_dir=tiles, verbose=False)
        settings["mjolnir"]["concurrency"] = 1
        for costing in ("pedestrian", "auto"):
            settings["service_limits"][costing].update(
                max_matrix_location_pairs=10**8, max_matrix_distance=1e9, max_locations=10**5, max_distance=1e9)
        with open(config, "w") as file:
            json.dump(settings, file)
        run(os.path.join(os.path.dirname(valhalla.__file__), "bin", "valhalla_build_tiles"), "-c", config, MAP)
    actor = valhalla.Actor(config)
    size = 200
    rng = random.Random(size)

    def places():
        return [{"lon": lon, "lat": lat} for lon, lat in (rng.choice(points) for _ in range(size))]

    request = json.dumps(
        {"sources": places(), "targets": places(), "costing": {"walking": "pedestrian", "automobile": "auto"}[BY]})
    scene = f"matrix {size}x{size} with distances"
    rates, theirs = fair(
        ["--kinds", "matrix", "--points", POINTS, "--sizes", f"{size}x{size}"],
        lambda: size * size / measured(lambda: actor.matrix(request), 1))
    table.add(scene, "cells", rates[scene], f"Valhalla {version('pyvalhalla')}", theirs)


def compare_pandana(table, points):
    import numpy
    import osmium
    import pandana
    import pandas

    note("pandana reads the streets ...")
    ways = []
    uses = {}

    class Ways(osmium.SimpleHandler):
        def way(self, way):
            if "highway" in way.tags and len(way.nodes) > 1:
                nodes = [(node.ref, node.location.lon, node.location.lat) for node in way.nodes if node.location.valid()]
                for ref, _, _ in nodes:
                    uses[ref] = uses.get(ref, 0) + 1
                if len(nodes) > 1:
                    ways.append(nodes)

    Ways().apply_file(MAP, locations=True)
    nodes, edges = {}, []
    for way in ways:
        start, length = way[0], 0.0
        for before, after in zip(way, way[1:]):
            scale = numpy.cos(numpy.radians(before[2])) * 111_195
            length += numpy.hypot((after[1] - before[1]) * scale, (after[2] - before[2]) * 111_195)
            if uses[after[0]] > 1 or after is way[-1]:
                nodes[start[0]], nodes[after[0]] = start[1:], after[1:]
                edges.append((start[0], after[0], length))
                start, length = after, 0.0
    ids = {ref: number for number, ref in enumerate(nodes)}
    place = pandas.DataFrame(nodes.values(), columns=["x", "y"])
    edge = pandas.DataFrame([(ids[a], ids[b], length) for a, b, length in edges], columns=["from", "to", "metres"])
    network = pandana.Network(place.x, place.y, edge["from"], edge["to"], edge[["metres"]], twoway=True)
    stations = random.Random(3).sample(points, 200)
    network.set_pois(
        "station", 100_000, 3, pandas.Series([lon for lon, _ in stations]), pandas.Series([lat for _, lat in stations]))

    def nearest():
        return len(ids) / measured(lambda: network.nearest_pois(100_000, "station", num_pois=3), 3)

    rates, theirs = fair(["--kinds", "nearest", "--points", POINTS, "--nearest", "3of200"], nearest)
    table.add("nearest 3 of 200 for every junction", "junctions", rates["nearest 3 of 200"],
              f"pandana {version('pandana')}", theirs)


def main():
    # Peers print to stdout as they like: what is left of it is the table.
    table_output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    points = read_points()
    table = Table()
    for compare in (compare_osrm, compare_valhalla, compare_pandana):
        if compare is compare_pandana and BY != "walking":
            continue
        try:
            compare(table, points)
        except Exception as error:  # a peer that cannot answer spoils no other
            note(f"{compare.__name__}: left out: {error}")
    table.write(table_output)
    table_output.close()


main()
