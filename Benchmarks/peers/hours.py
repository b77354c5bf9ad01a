"""Called by `hours`: travel times at hours of a Monday, by Odometer and by Valhalla, on one extract.

Figures are CPU seconds: Odometer's of whole jobs, including start, reading and writing; Valhalla's of its calls alone.
Odometer runs before and after Valhalla, so that a slow minute affects both.
"""

import csv
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import time

from machine import note, processor, version

MAP, FOLDER, ODOMETER = sys.argv[1:4]
SIZE = int(os.environ.get("SIZE", "1000"))
ROWS = int(os.environ.get("ROWS", "10"))
PAIRS = int(os.environ.get("PAIRS", "10000"))
PEER_PAIRS = 300
SCENES = os.environ.get("SCENES", "lanes,matrix,pairs").split(",")
HOURS = 24
CITY = 5_000  # metres around the middle of the points
MONDAY, HOUR = "2026-11-23", "08:00"
CLASSES = {
    "motorway": 0.38, "trunk": 0.38, "primary": 0.36, "secondary": 0.34, "tertiary": 0.30, "street": 0.18,
    "livingStreet": 0.18, "service": 0.18}


def traffic():
    """The path of a traffic table with peaks at 8:24 and 18:12, deepest on main roads, averaged by hour."""
    if "TRAFFIC" in os.environ:
        return os.path.abspath(os.environ["TRAFFIC"])
    path = os.path.join(FOLDER, "hours.traffic.json5")

    def peak(minute, middle, deviation):
        return math.exp(-(((minute - middle) / deviation) ** 2) / 2)

    def slowness(depth, hour):
        speeds = [
            1 - depth * min(1, peak(60 * hour + minute, 504, 45) + peak(60 * hour + minute, 1092, 60))
            for minute in range(60)]
        return 1 / statistics.mean(speeds)

    classes = {
        name: {f"Mo-Fr {hour:02}:00-{hour + 1:02}:00": round(slowness(depth, hour), 3) for hour in range(24)}
        for name, depth in CLASSES.items()}
    with open(path, "w") as file:
        json.dump({"periods": "60min", "classes": classes}, file, indent=1)
    return path


def points(near=None):
    path = os.path.join(FOLDER, "points.csv")
    if not os.path.exists(path):
        words = [ODOMETER, "bench", MAP, "--by", "automobile", "--cache", FOLDER, "--make-points", "20000"]
        with open(path, "w") as file:
            file.write(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    with open(path) as file:
        all = [(float(row["lon"]), float(row["lat"])) for row in csv.DictReader(file)]
    if not near:
        return all
    middle = (statistics.median(lon for lon, _ in all), statistics.median(lat for _, lat in all))
    scale = math.cos(math.radians(middle[1])) * 111_195

    def metres(point):
        return math.hypot((point[0] - middle[0]) * scale, (point[1] - middle[1]) * 111_195)

    return [point for point in all if metres(point) <= near]


def write(name, header, rows):
    path = os.path.join(FOLDER, name)
    with open(path, "w") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def job(settings):
    """CPU seconds of a job."""
    settings = {
        "map": MAP, "transportType": "automobile", "snapLegs": False, "output": os.path.join(FOLDER, "out"),
        "traffic": traffic(), "week": ["Mo"], **settings}
    path = os.path.join(FOLDER, "hours.json5")
    with open(path, "w") as file:
        json.dump(settings, file)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [ODOMETER, "run", path, "--fresh", "--quiet", "--workers", "1", "--cache", FOLDER], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{path}\n{done.stdout[-500:]}\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def matrix(origins, destinations):
    """CPU seconds per row and hour, in a job of all hours."""
    header = ["id", "lon", "lat"]
    lists = {
        name: write(f"{name}.csv", header, [(number, *place) for number, place in enumerate(places)])
        for name, places in (("origins", origins), ("destinations", destinations))}
    settings = {
        "kind": "matrix", **lists, "distances": False, "format": ["npy"],
        "departures": {"from": "00:00", "to": f"{HOURS - 1:02}:00", "every": "60min"}}
    return job(settings) / len(origins) / HOURS


def etas(pairs):
    header = ["id", "origin_lon", "origin_lat", "destination_lon", "destination_lat"]
    table = write("pairs.csv", header, [(number, *a, *b) for number, (a, b) in enumerate(pairs)])
    return job({"kind": "etas", "pairs": table, "departures": [HOUR]}) / len(pairs)


def lanes():
    """CPU seconds per row by scene: to all states, for sixteen departures at once, and for one by Dijkstra's algorithm."""
    words = [ODOMETER, "bench", MAP, "--by", "automobile", "--cache", FOLDER, "--kinds", "hours", "--json"]
    results = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return {result["scene"]: result["cpu"] / result["count"] for result in results}


def valhalla():
    import valhalla
    from valhalla.config import get_config

    tiles, config = os.path.join(FOLDER, "valhalla"), os.path.join(FOLDER, "valhalla-hours.json")
    os.makedirs(tiles, exist_ok=True)
    settings = get_config(tile_extract="", tile_dir=tiles, verbose=False)
    settings["mjolnir"]["concurrency"] = 1
    limits = settings["service_limits"]
    # max_matrix_distance keeps its default: without it, searches for unreachable places do not end early.
    limits["auto"].update(max_matrix_location_pairs=10**8, max_locations=10**5)
    limits.update(max_timedep_distance_matrix=limits["auto"]["max_matrix_distance"])
    with open(config, "w") as file:
        json.dump(settings, file)
    if not os.listdir(tiles):
        note("Valhalla builds its tiles ...")
        program = os.path.join(os.path.dirname(valhalla.__file__), "bin", "valhalla_build_tiles")
        subprocess.run([program, "-c", config, MAP], check=True, capture_output=True)
    # A new actor for each scene: after a matrix, its routes take fifteen times as long.
    return lambda: valhalla.Actor(config)


DATE_TIME = {"type": 1, "value": f"{MONDAY}T{HOUR}"}


def places(coordinates):
    return [{"lon": lon, "lat": lat} for lon, lat in coordinates]


def peer_matrix(actor, origins, destinations):
    actor.matrix(json.dumps({"sources": places(origins[:1]), "targets": places(destinations[:1]), "costing": "auto"}))
    request = json.dumps(
        {"sources": places(origins), "targets": places(destinations), "costing": "auto", "date_time": DATE_TIME})
    start = time.process_time()
    answer = json.loads(actor.matrix(request))
    seconds = time.process_time() - start
    # Any other algorithm ignores the time of day.
    if answer.get("algorithm", "timedistancematrix") != "timedistancematrix":
        raise SystemExit(f"Valhalla answered by {answer['algorithm']}, expected timedistancematrix")
    return seconds / len(origins)


def peer_pairs(actor, pairs):
    times = []
    for a, b in pairs[:10] + pairs:  # the first ones warm up
        request = json.dumps(
            {"locations": places([a, b]), "costing": "auto", "date_time": DATE_TIME, "directions_type": "none"})
        start = time.process_time()
        try:
            actor.route(request)
        except RuntimeError:  # no route
            continue
        times.append(time.process_time() - start)
    return statistics.mean(times[10:])


def compare_lanes(add, new_actor, rng):
    coordinates = points()
    before = lanes()
    theirs = peer_matrix(new_actor(), rng.choices(coordinates, k=ROWS), rng.choices(coordinates, k=SIZE))
    after = lanes()
    for scene in before:
        add(f"{scene}, to all states; against {ROWS} x {SIZE:,} at {HOUR}", (before[scene], after[scene]), theirs)


def compare_matrix(add, new_actor, rng):
    for name, near in (("city", CITY), ("whole region", None)):
        coordinates = points(near)
        origins, destinations = (rng.choices(coordinates, k=SIZE) for _ in range(2))
        before = matrix(origins, destinations)
        theirs = peer_matrix(new_actor(), origins[:ROWS], destinations)
        add(f"a row of {SIZE:,}, {name}; {SIZE:,} x {SIZE:,} x {HOURS} hours against {ROWS} x {SIZE:,} at {HOUR}",
            (before, matrix(origins, destinations)), theirs)


def compare_pairs(add, new_actor, rng):
    coordinates = points()
    pairs = [(rng.choice(coordinates), rng.choice(coordinates)) for _ in range(PAIRS)]
    before = etas(pairs)
    theirs = peer_pairs(new_actor(), pairs[:PEER_PAIRS])
    add(f"a pair at {HOUR}, whole region; {PAIRS:,} against {PEER_PAIRS}", (before, etas(pairs)), theirs)


def main():
    # Peers print to stdout: send that to stderr, so that stdout has only the table.
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    new_actor = valhalla()
    rng = random.Random(1)
    lines = [
        f"{os.path.basename(MAP)} by automobile, one core, {time.strftime('%Y-%m-%d')}, {processor()}", "",
        f"| CPU ms | Odometer, before and after | Valhalla {version('pyvalhalla')} | ratio |", "|---|---|---|---|"]

    def add(scene, ours, theirs):
        ours, theirs = [1000 * seconds for seconds in ours], 1000 * theirs
        ratio = theirs / statistics.mean(ours)
        lines.append(f"| {scene} | {ours[0]:.3g}, {ours[1]:.3g} | {theirs:.3g} | **{ratio:.1f}** |")
        note(lines[-1])

    if "lanes" in SCENES:
        compare_lanes(add, new_actor, rng)
    if "matrix" in SCENES:
        compare_matrix(add, new_actor, rng)
    if "pairs" in SCENES:
        compare_pairs(add, new_actor, rng)
    output.write("\n".join(lines) + "\n")
    output.close()


main()
