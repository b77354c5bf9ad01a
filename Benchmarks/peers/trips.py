"""trips.py MAP FOLDER BINARY TRIPS LABEL: predicted over observed times of taxi trips with GPS every 15 seconds, by hour of day.

A trip is from the first point of its POLYLINE to the last and took 15 seconds times the points less one. Left out: MISSING_DATA, less
than two minutes, and what an engine has no answer for. Hours are Porto's.
"""

import csv
import json
import os
import statistics
import sys
from collections import defaultdict
from datetime import datetime
from zoneinfo import ZoneInfo

from engines import OSRM, Odometer, Valhalla
from streets import Streets

MAP, FOLDER, BINARY, TRIPS, LABEL = sys.argv[1:6]


def trips():
    with open(TRIPS) as file:
        for row in csv.DictReader(file):
            line = json.loads(row["POLYLINE"])
            seconds = 15 * (len(line) - 1)
            if row["MISSING_DATA"] == "False" and seconds >= 120:
                hour = datetime.fromtimestamp(int(row["TIMESTAMP"]), ZoneInfo("Europe/Lisbon")).hour
                yield hour, seconds, (tuple(line[0]), tuple(line[-1]))


def main():
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    known = list(trips())
    engines = [Odometer(BINARY, MAP, "automobile", FOLDER, None), OSRM(MAP, "automobile", FOLDER, Streets(MAP).position),
               Valhalla(MAP, "automobile", FOLDER)]
    answers = [engine.routes([pair for _, _, pair in known]) for engine in engines]
    kept = [number for number in range(len(known)) if all(routes[number] for routes in answers)]
    groups = defaultdict(list)
    for number in kept:
        hour = known[number][0]
        for group in ("all", f"{hour:02}", "night, 0 to 6" if hour < 6 else "day, 6 to 24"):
            groups[group].append(number)
    output.write(f"{len(known)} trips, {len(kept)} answered by all\n\n")
    output.write("| hour | trips | " + " | ".join(f"{engine.name} p25 | median | p75" for engine in engines) + " |\n")
    output.write("|---|---|" + "---|" * 3 * len(engines) + "\n")
    for group in sorted(groups):
        cells = []
        for routes in answers:
            ratios = [routes[number].seconds / known[number][1] for number in groups[group]]
            cells += [f"{value:.3f}" for value in statistics.quantiles(ratios, n=4)] if len(ratios) > 3 else ["", "", ""]
        output.write(f"| {group} | {len(groups[group])} | " + " | ".join(cells) + " |\n")
    output.close()
    with open(os.path.join(FOLDER, f"trips-{LABEL}.json"), "w") as file:
        json.dump([[known[n][0], known[n][1], *(round(routes[n].seconds, 1) for routes in answers)] for n in kept], file)


main()
