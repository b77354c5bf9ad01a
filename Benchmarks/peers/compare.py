"""Called by `compare`: measures Odometer and its peers on one extract, and prints one table.

Both sides do the same work, from coordinates to answers, on one core; the measure is the CPU time of the process that
answers. They run alternately, RUNS times each (default: 5). Rates are medians, followed by the slowest and the fastest
run. Agreement is the share of pairs whose times, and distances, differ by at most 1 %.
"""

import csv
import gzip
import json
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import time

from engines import osrm_base
from machine import note, processor, version

MAP, BY, FOLDER, ODOMETER = sys.argv[1:5]
SIZES = [int(n) for n in os.environ.get("SIZES", "1000,3000").split(",") if n]
RUNS = int(os.environ.get("RUNS", "5"))
PAIRS = int(os.environ.get("PAIRS", "2000"))
POINTS = os.path.join(FOLDER, "points.csv")


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout


def odometer(*words):
    return run(ODOMETER, "bench", MAP, "--by", BY, "--cache", FOLDER, *words)


def cpu_of(body):
    """CPU seconds that this process spends in a call."""
    start = time.process_time()
    body()
    return time.process_time() - start


def cpu_of_child(*words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(*words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def scene(name, *words):
    """CPU seconds of a scene of `odometer bench`, after a run to warm up."""

    def measure():
        results = json.loads(odometer("--json", "--repeat", "1", "--points", POINTS, *words))
        return next(result["cpuRuns"][0] for result in results if result["scene"] == name)

    return measure


def alternating(ours, theirs):
    """CPU seconds of RUNS alternating runs of each."""
    runs = [(ours(), theirs()) for _ in range(RUNS)]
    return [run[0] for run in runs], [run[1] for run in runs]


def agreement(pairs):
    """The share of pairs of numbers that differ by at most 1 %, among those that both sides have; as text."""
    both = [(a, b) for a, b in pairs if a is not None and b is not None and b > 0]
    if not both:
        return "–"
    return f"{100 * sum(abs(a - b) <= 0.01 * b for a, b in both) / len(both):.0f} %"


class Table:
    """Rows of a scene: both sides' rates (minimum, median and maximum), and the agreement of their answers."""

    def __init__(self):
        self.rows = []

    def add(self, scene, unit, counts, seconds, peer, agree=("–", "–")):
        """`counts` are the answers of each side in one run, and `seconds` the time of each of its runs."""
        rates = [sorted(count / each for each in runs) for count, runs in zip(counts, seconds)]
        ours, theirs = (statistics.median(rate) for rate in rates)
        spread = [f"{rate[0]:,.0f} to {rate[-1]:,.0f}" for rate in rates]
        self.rows.append(
            f"| {scene}, {unit}/s | {ours:,.0f} | {peer} | {theirs:,.0f} | **{ours / theirs:.1f}** "
            f"| {spread[0]} | {spread[1]} | {agree[0]} | {agree[1]} |")
        note(f"{scene}: Odometer {ours:,.0f}, {peer} {theirs:,.0f} {unit}/s, {ours / theirs:.1f} times")

    def write(self, file):
        lines = [
            f"{os.path.basename(MAP)} by {BY}, one core, {time.strftime('%Y-%m-%d')}, {processor()}, "
            f"{run(ODOMETER, '--version').strip()}, {RUNS} alternating runs, CPU seconds", "",
            "| scene | Odometer | peer | its rate | ratio | Odometer, slowest to fastest | peer | times within 1 % | distances |",
            "|---|---|---|---|---|---|---|---|---|"]
        file.write("\n".join(lines + self.rows) + "\n")


def read_points():
    if not os.path.exists(POINTS):
        with open(POINTS, "w") as file:
            file.write(odometer("--make-points", "20000"))
    with open(POINTS) as file:
        return [(float(row["lon"]), float(row["lat"])) for row in csv.DictReader(file)]


def random_pairs(points):
    rng = random.Random(1)
    return [(rng.choice(points), rng.choice(points)) for _ in range(PAIRS)]


def job(name, pairs, **keys):
    """The command that runs a job of pairs, and the folder of its results."""
    table, output = os.path.join(FOLDER, f"{name}.csv"), os.path.join(FOLDER, name)
    with open(table, "w") as file:
        file.write("id,origin_lon,origin_lat,destination_lon,destination_lat\n")
        for number, (origin, destination) in enumerate(pairs):
            file.write(f"{number},{origin[0]},{origin[1]},{destination[0]},{destination[1]}\n")
    path = os.path.join(FOLDER, f"{name}.json5")
    with open(path, "w") as file:
        json.dump(dict(map=MAP, transportType=BY, pairs=table, output=output, **keys), file)
    return [ODOMETER, "run", path, "--fresh", "--quiet", "--workers", "1", "--cache", FOLDER], output


def answers(pairs):
    """Odometer's time and distance for each pair; None without a route."""
    words, output = job("answers", pairs, kind="etas")
    run(*words)
    found = sqlite3.connect(os.path.join(output, "results.sqlite")).execute(
        "SELECT pair_id, expected_travel_time, distance FROM route")
    by_pair = {int(pair): (seconds, metres) for pair, seconds, metres in found}
    return [by_pair.get(number, (None, None)) for number in range(len(pairs))]


def agreements(pairs, theirs):
    """The agreement of times and of distances."""
    ours = answers(pairs)
    return tuple(agreement([(a[part], b[part]) for a, b in zip(ours, theirs)]) for part in (0, 1))


def compare_osrm(table, points):
    import osrm

    base = osrm_base(MAP, BY, FOLDER, "CH")
    engine = osrm.OSRM(storage_config=base, use_shared_memory=False, algorithm="CH")
    name = f"OSRM {version('osrm-bindings')}"

    pairs = random_pairs(points)

    def route(pair, **parameters):
        try:
            wanted = osrm.RouteParameters(coordinates=list(pair), **parameters)
            return list(engine.Route(wanted)["routes"])[0]
        except RuntimeError:  # no route
            return None

    found = [route(pair, overview="false", steps=False) for pair in pairs]
    agree = agreements(pairs, [(best["duration"], best["distance"]) if best else (None, None) for best in found])

    def table_of(size, annotations):
        rng = random.Random(size)
        coordinates = [rng.choice(points) for _ in range(2 * size)]
        parameters = osrm.TableParameters(
            coordinates=coordinates, sources=list(range(size)), destinations=list(range(size, 2 * size)),
            annotations=annotations)
        return lambda: cpu_of(lambda: engine.Table(parameters))

    for size in SIZES:
        for annotations, suffix in ((["duration"], ""), (["duration", "distance"], " with distances")):
            title = f"matrix {size}x{size}{suffix}"
            seconds = alternating(
                scene(title, "--kinds", "matrix", "--sizes", f"{size}x{size}"), table_of(size, annotations))
            table.add(title, "cells", (size * size, size * size), seconds, name, agree)

    full = dict(overview="full", geometries="polyline", steps=True)
    seconds = alternating(
        scene("routes", "--kinds", "routes"), lambda: cpu_of(lambda: [route(pair, **full) for pair in pairs]))
    table.add("routes with shape and steps", "routes", (10_000, len(pairs)), seconds, name, agree)

    words, _ = job("written", pairs, kind="routes")

    def write_all():
        """Writes what a job writes: tables of routes and steps, and shapes as compressed GeoJSON."""
        path = os.path.join(FOLDER, "peer.sqlite")
        if os.path.exists(path):
            os.remove(path)
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE route (pair_id, expected_travel_time, distance, shape)")
        database.execute("CREATE TABLE step (pair_id, step, maneuver, name, distance, expected_travel_time)")
        with gzip.open(os.path.join(FOLDER, "peer.geojson.gz"), "wt", compresslevel=6) as file:
            for number, pair in enumerate(pairs):
                best = route(pair, overview="full", geometries="geojson", steps=True)
                if not best:
                    continue
                line = [list(point) for point in best["geometry"]["coordinates"]]
                shape = json.dumps(line)
                file.write(f'{{"type":"Feature","id":{number},"geometry":{{"type":"LineString","coordinates":{shape}}}}}\n')
                database.execute(
                    "INSERT INTO route VALUES (?, ?, ?, ?)", (number, best["duration"], best["distance"], shape))
                database.executemany(
                    "INSERT INTO step VALUES (?, ?, ?, ?, ?, ?)",
                    [(number, index, str(step["maneuver"]["type"]), str(step["name"]), step["distance"], step["duration"])
                     for index, step in enumerate(list(best["legs"])[0]["steps"])])
        database.commit()
        database.close()

    seconds = alternating(lambda: cpu_of_child(*words), lambda: cpu_of(write_all))
    table.add("routes written to files", "routes", (len(pairs), len(pairs)), seconds, name, agree)


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

    costing = {"walking": "pedestrian", "automobile": "auto"}[BY]
    request = json.dumps({"sources": places(), "targets": places(), "costing": costing})

    def route(pair):
        wanted = {"locations": [{"lon": lon, "lat": lat} for lon, lat in pair], "costing": costing, "directions_type": "none"}
        try:
            summary = actor.route(wanted)["trip"]["summary"]
            return summary["time"], summary["length"] * 1000
        except RuntimeError:  # no route
            return None, None

    pairs = random_pairs(points)[:500]
    agree = agreements(pairs, [route(pair) for pair in pairs])
    title = f"matrix {size}x{size} with distances"
    seconds = alternating(
        scene(title, "--kinds", "matrix", "--sizes", f"{size}x{size}"), lambda: cpu_of(lambda: actor.matrix(request)))
    table.add(title, "cells", (size * size, size * size), seconds, f"Valhalla {version('pyvalhalla')}", agree)


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

    # Both sides answer for every junction; Odometer does so for each of its states.
    seconds = alternating(
        scene("nearest 3 of 200", "--kinds", "nearest", "--nearest", "3of200"),
        lambda: cpu_of(lambda: network.nearest_pois(100_000, "station", num_pois=3)))
    table.add("nearest 3 of 200 for every junction", "junctions", (len(ids), len(ids)), seconds,
              f"pandana {version('pandana')}")


def main():
    # Peers print to stdout: send that to stderr, so that stdout has only the table.
    table_output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    points = read_points()
    table = Table()
    for compare in (compare_osrm, compare_valhalla, compare_pandana):
        if compare is compare_pandana and BY != "walking":
            continue
        try:
            compare(table, points)
        except Exception as error:  # a peer that fails does not affect the others
            note(f"{compare.__name__}: left out: {error}")
    table.write(table_output)
    table_output.close()


main()
