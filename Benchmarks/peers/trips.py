"""trips.py MAP FOLDER BINARY TRIPS LABEL: predicted over observed times of taxi trips with GPS every 15 seconds, by hour of day.

A trip leads from the first point of its POLYLINE to the last, and took 15 seconds per point after the first. Left out are trips with
MISSING_DATA, of less than two minutes, or that an engine cannot answer. Hours are Porto's local time.

The second table is the linear (Pearson) and rank (Spearman) correlation of predicted with observed times, by groups of hours, for direct
trips: with r the median length of the engines' routes, traces of 0.7 r to 1.5 r + 300 m. Detours and errands say nothing about the streets
between the ends.
"""

import csv
import json
import math
import operator
import os
import statistics
import sys
from collections import defaultdict
from datetime import datetime
from zoneinfo import ZoneInfo

from engines import OSRM, Odometer, Valhalla
from streets import Streets

MAP, FOLDER, BINARY, TRIPS, LABEL = sys.argv[1:6]
HOURS = [range(0, 6), range(6, 8), range(8, 9), range(9, 24), range(0, 24)]


def trips():
    with open(TRIPS) as file:
        for row in csv.DictReader(file):
            line = json.loads(row["POLYLINE"])
            seconds = 15 * (len(line) - 1)
            if row["MISSING_DATA"] == "False" and seconds >= 120:
                hour = datetime.fromtimestamp(int(row["TIMESTAMP"]), ZoneInfo("Europe/Lisbon")).hour
                yield hour, seconds, (tuple(line[0]), tuple(line[-1])), sum(map(metres, line, line[1:]))


def metres(a, b):
    """Between successive points of a trace, in the plane."""
    east = (b[0] - a[0]) * math.cos(math.radians((a[1] + b[1]) / 2))
    return math.hypot(east, b[1] - a[1]) * 111_195


def write_correlations(output, engines, known, answers, kept):
    """The table of correlations."""
    output.write("\n| hours | direct trips | " + " | ".join(f"{engine.name} linear | rank | median" for engine in engines) + " |\n")
    output.write("|---|---|" + "---|" * 3 * len(engines) + "\n")
    for hours in HOURS:
        numbers = []
        for number in kept:
            hour, _, _, length = known[number]
            route = statistics.median(routes[number].metres for routes in answers)
            if hour in hours and 0.7 * route <= length <= 1.5 * route + 300:
                numbers.append(number)
        if len(numbers) < 20:
            continue
        observed, cells = [known[number][1] for number in numbers], []
        for routes in answers:
            predicted = [routes[number].seconds for number in numbers]
            cells += [f"{statistics.correlation(predicted, observed, method=method):.3f}" for method in ("linear", "ranked")]
            cells.append(f"{statistics.median(map(operator.truediv, predicted, observed)):.3f}")
        output.write(f"| {hours.start} to {hours.stop} | {len(numbers)} | " + " | ".join(cells) + " |\n")


def main():
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    known = list(trips())
    engines = [Odometer(BINARY, MAP, "automobile", FOLDER, None), OSRM(MAP, "automobile", FOLDER, Streets(MAP).position),
               Valhalla(MAP, "automobile", FOLDER)]
    answers = [engine.routes([pair for _, _, pair, _ in known]) for engine in engines]
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
    write_correlations(output, engines, known, answers, kept)
    output.close()
    with open(os.path.join(FOLDER, f"trips-{LABEL}.json"), "w") as file:
        json.dump([[known[n][0], known[n][1], *(round(routes[n].seconds, 1) for routes in answers)] for n in kept], file)


main()
