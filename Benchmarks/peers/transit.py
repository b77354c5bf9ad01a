"""Called by `transit`: travel times from every stop of a GTFS zip to every stop, by Odometer and by cafein.

`odometer bench FEED --cells` writes the date, stops, walks and percentiles, and cafein gets the same. Times are CPU
seconds of the cells only; timetables, transfers and TBTR's precomputation are not counted. Runs alternate, so that a
slow minute affects both.

cafein ignores transfers.txt, and lets riders board and alight at calls that forbid both. If a feed has either, both
programs get a copy without them.
"""

import csv
import io
import json
import os
import resource
import statistics
import subprocess
import sys
import zipfile

import cafein
import numpy

from machine import note, processor, version

SOURCE, FOLDER, ODOMETER = sys.argv[1:4]
TURNS = int(os.environ.get("TURNS", "3"))
ROUTERS = os.environ.get("ROUTERS", "raptor,tbtr").split(",")
CELLS = os.path.join(FOLDER, "transit-cells")
NONE = 2**32 - 1
SHOWN = 20


def calls(text):
    """The rows of stop_times.txt that allow boarding or alighting, and the number of others."""
    rows = list(csv.DictReader(io.StringIO(text)))
    kept = [row for row in rows if not row.get("pickup_type") == row.get("drop_off_type") == "1"]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(kept)
    return out.getvalue(), len(rows) - len(kept)


def common_feed():
    """The feed reduced to what both support; prints what is left out."""
    with zipfile.ZipFile(SOURCE) as feed:
        texts, passed = calls(feed.read("stop_times.txt").decode("utf-8-sig"))
        rules = feed.read("transfers.txt").count(b"\n") - 1 if "transfers.txt" in feed.namelist() else 0
        if passed == rules == 0:
            return SOURCE
        print(f"left out: {rules} rows of transfers.txt, {passed} calls without boarding and alighting\n")
        path = os.path.join(FOLDER, "common-" + os.path.basename(SOURCE))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as copy:
            for name in feed.namelist():
                if name != "transfers.txt":
                    copy.writestr(name, texts if name == "stop_times.txt" else feed.read(name))
        return path


FEED = common_feed()


def cpu():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime


def ours():
    words = [ODOMETER, "bench", FEED, "--cells", CELLS, "--cache", FOLDER, "--json", "--repeat", "1"]
    answer = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    return answer[0]["cpuRuns"][0]


def read_cells(stops, facts):
    shape = (len(stops), len(facts["percentiles"]), len(stops))
    return numpy.fromfile(os.path.join(CELLS, "cells.u32"), dtype="<u4").reshape(shape)


def ranks(facts):
    """The percentiles that give cafein the ranks of Odometer: cafein rounds p(n - 1)/100 to a rank from 0, Odometer uses
    the ceil(pn/100)-th."""
    count = facts["departures"]
    return [100 * (max(1, -(-p * count // 100)) - 1) / (count - 1) for p in facts["percentiles"]]


def peer(network, stops, facts, router):
    start = cpu()
    cells = network.travel_time_matrix(
        stops, f"{facts['date']} 07:00", max_rides=30, departure_time_window=facts["departures"], router=router,
        percentiles=ranks(facts), workers=1)
    return cpu() - start, cells


def line(name, seconds, cells, own=None):
    middle = statistics.median(seconds)
    spread = f"{min(seconds):.2f} to {max(seconds):.2f}"
    ratio = "" if own is None else f"{middle / own:.1f} times"
    print(f"{name:<24}{middle:>10.2f}{spread:>18}{cells / middle / 1e6:>14.2f} M{ratio:>16}")
    return middle


def main():
    note(f"odometer bench {FEED}")
    times = {"odometer": [ours()]}
    facts = json.load(open(os.path.join(CELLS, "facts.json")))
    stops = open(os.path.join(CELLS, "stops.csv"), encoding="utf-8").read().splitlines()
    walks = list(csv.reader(open(os.path.join(CELLS, "walks.tsv"), encoding="utf-8"), delimiter="\t"))
    note("cafein reads the feed")
    network = cafein.TransportNetwork.from_gtfs(FEED, trip_distances=False, leg_geometries=False)
    network.set_transfers([(a, b, int(seconds), float(seconds)) for a, b, seconds in walks])
    if "tbtr" in ROUTERS:
        network.compute_tbtr_transfers(facts["date"])
    order = [stop[0] for stop in network.stops]
    columns = [order.index(stop) for stop in stops]
    found = {}
    for turn in range(TURNS):
        if turn > 0:
            times["odometer"].append(ours())
        for router in ROUTERS:
            note(f"turn {turn + 1}: cafein by {router}")
            seconds, cells = peer(network, stops, facts, router)
            times.setdefault(router, []).append(seconds)
            found[router] = cells
    own = read_cells(stops, facts)
    print(f"{os.path.basename(FEED)}, {facts['date']}, {len(stops)} stops, {len(walks)} walks, {facts['departures']} departures")
    print(f"{processor()}; cafein {version('cafein')}; CPU seconds of {TURNS} turns\n")
    print(f"{'':<24}{'median':>10}{'spread':>18}{'cells a second':>16}{'Odometer is':>16}")
    middle = line("Odometer", times["odometer"], own.size)
    different = 0
    for router in ROUTERS:
        line(f"cafein, {router}", times[router], own.size, middle)
    for router in ROUTERS:
        other = numpy.moveaxis(found[router], 2, 1)[:, :, columns]
        # Odometer has no trips longer than the limit.
        other = numpy.where(other > facts["limit"], NONE, other)
        cells = numpy.argwhere(own != other)
        different += len(cells)
        print(f"\n{len(cells)} of {own.size} cells differ from cafein's by {router}")
        for origin, percentile, destination in cells[:SHOWN]:
            print(f"  {stops[origin]} to {stops[destination]}, percentile {facts['percentiles'][percentile]}: "
                  f"{own[origin, percentile, destination]} s, cafein {other[origin, percentile, destination]} s")
    sys.exit(5 if different else 0)


main()
