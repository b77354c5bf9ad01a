"""Called by `traces`: GPS traces matched by Odometer and its peers on one extract, and tables of quality and speed.

Every cell of interval and noise is matched by Odometer, by each peer in each of its ways of asking, and by Odometer
again, so that a slow minute affects all. A peer's mismatch is that of its best way.
"""

import csv
import json
import math
import os
import sys
import time
from collections import defaultdict

import drives
import matchers
import paced
import taxis
from engines import Odometer, run
from machine import note, processor, version
from mismatch import Score, samples, score

MAP, FOLDER, BINARY = sys.argv[1:4]
TRIPS, SEED = int(os.environ.get("TRIPS", "45")), int(os.environ.get("SEED", "1"))
KEPT = os.environ.get("PEERS") == "kept"
TAXIS = os.environ.get("TAXIS")
TAXI_SIGMA = 5  # metres: the estimate for most of them
HOME = os.path.join(FOLDER, "traces")


class Scene:
    """Traces of one kind: their cells of interval and noise, and whether Odometer is given the noise."""

    def __init__(self, name, title, intervals, sigmas, share, is_noise_given, **kind):
        self.name, self.title, self.is_noise_given, self.kind = name, title, is_noise_given, kind
        self.cells = [(interval, sigma) for interval in intervals for sigma in sigmas]
        self.trips = max(3, round(TRIPS * share))
        self.folder = os.path.join(HOME, f"{name}-{self.trips}-{SEED}")

    def table(self, interval, sigma):
        return os.path.join(self.folder, f"traces-{interval}-{sigma}.csv")

    def make(self, points, routers):
        if os.path.exists(os.path.join(self.folder, "truth.json")):
            return
        made = drives.make(points(), routers, self.trips, SEED, **self.kind)
        if len(made) < self.trips:
            note(f"{self.name}: {len(made)} trips instead of {self.trips}: the engines agree on too few")
        drives.write(made, self.folder, self.cells, SEED)

    def truth(self):
        with open(os.path.join(self.folder, "truth.json")) as file:
            return json.load(file)


SCENES = [
    Scene("plain", "Drives", (1, 15, 60), (5, 10, 20), 1, True),
    Scene("stops", "With stops, noise unknown to Odometer", (1, 15), (5, 10), 2 / 3, False, stops=True),
    Scene("turns", "With U-turns", (1, 15), (5, 10), 2 / 3, True, back=True)]


class Ours:
    name = "Odometer"

    def __init__(self):
        self.engine = Odometer(BINARY, MAP, matchers.MODE, FOLDER, None)

    def ask(self, command, *words):
        """Exit code 1 means that a trace is unmatched."""
        return run(BINARY, command, *words, "--by", matchers.MODE, "--cache", self.engine.folder, codes=(0, 1))

    def points(self):
        rows = csv.DictReader(self.ask("bench", MAP, "--make-points", "20000").splitlines())
        return [(float(row["lon"]), float(row["lat"])) for row in rows]

    def match(self, table, sigma):
        """If sigma is None, Odometer estimates it."""
        lines = self.ask("match", table, "--map", MAP, "--format", "json", *accuracy(sigma)).splitlines()
        return {str(row["trace_id"]): [part["geometry"]["coordinates"] for part in row["parts"]] for row in map(json.loads, lines)}

    def rate(self, table, sigma):
        """Fixes per CPU second of the library only."""
        scene, = json.loads(self.ask("bench", MAP, "--traces", table, "--json", *accuracy(sigma)))
        return scene["count"] / scene["cpu"]


def accuracy(sigma):
    return [] if sigma is None else ["--accuracy", str(sigma)]


def peers():
    """All peers that can be imported."""
    def fmm():
        from fmm import FMMMatcher

        return FMMMatcher(MAP, FOLDER)

    for make in (lambda: matchers.OSRMMatcher(MAP, FOLDER), lambda: matchers.ValhallaMatcher(MAP, FOLDER), fmm):
        try:
            yield make()
        except ImportError as error:
            note(f"left out: {error}")


def routers(ours, found):
    known = {"OSRM": lambda peer, pairs: paced.by_osrm(peer.osrm, pairs),
             "Valhalla": lambda peer, pairs: paced.by_valhalla(peer.valhalla, pairs)}
    yield ours.name, lambda pairs: paced.by_odometer(ours.engine, pairs)
    for peer in found:
        if peer.name in known:
            yield peer.name, lambda pairs, peer=peer: known[peer.name](peer, pairs)


def read_traces(path):
    traces = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            trace = traces.setdefault(row["trace_id"], matchers.Trace(row["trace_id"], [], []))
            trace.points.append((float(row["lon"]), float(row["lat"])))
            trace.times.append(float(row["time"]))
    return list(traces.values())


def asked(peer, traces, sigma, way, path):
    if not KEPT or not os.path.exists(path):
        matchers.write(matchers.match(peer, traces, sigma, way), path)
    return matchers.read(path)


def fair(ours, found, table, sigma, is_noise_given):
    """Matches by matcher and way of asking; Odometer's rate is the mean of a run before the peers and one after."""
    traces, given_sigma = read_traces(table), sigma if is_noise_given else None
    before = ours.rate(table, given_sigma)
    matches = {}
    for peer in found:
        for way in peer.ways:
            path = os.path.join(f"{os.path.splitext(table)[0]}-matches", f"{peer.name}-{way}.json")
            matches[peer.name, way] = asked(peer, traces, sigma, way, path)
    rate = (before + ours.rate(table, given_sigma)) / 2
    return {(ours.name, "raw"): matchers.Matches(rate, ours.match(table, given_sigma)), **matches}


def scored(truth, matches):
    """Mismatch of all trips, and of those routed by each engine."""
    by = defaultdict(Score)
    for number, drive in enumerate(truth):
        latitude, parts = drive["shape"][0][1], matches.parts[str(number)]
        by[drive["by"]] += score(samples([drive["shape"]], latitude), samples(parts, latitude), len(parts))
    whole = sum(by.values(), Score())
    return {
        "mismatch": round(whole.mismatch, 5), "rate": round(matches.rate), "matched": matches.matched,
        "breaksPer100km": round(whole.breaks / whole.truth * 1e5, 2),
        "by": {name: round(one.mismatch, 5) for name, one in by.items()}}


def measured(scene, ours, found):
    truth, cells = scene.truth(), {}
    for interval, sigma in scene.cells:
        note(f"{scene.name}: a fix every {interval} s, {sigma} m")
        matches = fair(ours, found, scene.table(interval, sigma), sigma, scene.is_noise_given)
        cells[f"{interval} / {sigma}"] = {
            name: {way: scored(truth, matches[name, way]) for other, way in matches if other == name}
            for name in dict.fromkeys(name for name, _ in matches)}
    return {
        "trips": len(truth), "kilometres": round(sum(drive["metres"] for drive in truth) / 1000),
        "hours": round(sum(drive["seconds"] for drive in truth) / 3600, 1), "cells": cells}


def with_taxis(ours, found):
    traces, table = list(taxis.read(TAXIS)), os.path.join(HOME, "taxis", "traces.csv")
    taxis.write(traces, table)
    matches = fair(ours, found, table, TAXI_SIGMA, False)
    return {
        "traces": len(traces), "fixes": sum(len(trace.points) for trace in traces),
        "matchers": taxis.compared(traces, {name: one for (name, way), one in matches.items() if way == "raw"})}


# Tables

def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def head(*cells):
    return [row(*cells), "|" + "---|" * len(cells)]


def percent(share):
    return f"{100 * share:.2f}" if share < 0.1 else f"{100 * share:.1f}" if share < 1 else f"{100 * share:.0f}"


def rounded(rate):
    """With three significant digits."""
    return f"{round(rate, 2 - math.floor(math.log10(rate))):,.0f}"


def best(ways):
    return min(ways, key=lambda way: ways[way]["mismatch"])


def mismatches(cells, names):
    lines = head("s / m", *names)
    for cell, answers in cells.items():
        least = min(ways[best(ways)]["mismatch"] for ways in answers.values())
        texts = []
        for name in names:
            ways = answers[name]
            way = best(ways)
            text = percent(ways[way]["mismatch"])
            text = f"**{text}**" if ways[way]["mismatch"] == least else text
            texts.append(text if way == "raw" else f"{text} {way}; {percent(ways['raw']['mismatch'])}")
        lines.append(row(cell, *texts))
    return lines


def rates(cells, names):
    lines = head("s / m", *names)
    for cell, answers in cells.items():
        ours = answers[names[0]]["raw"]["rate"]
        texts = [rounded(ours)]
        for name in names[1:]:
            ways = answers[name]
            texts.append("; ".join(
                f"{'' if way == 'raw' else way + ' '}{rounded(ways[way]['rate'])} ({ours / ways[way]['rate']:.1f})"
                for way in dict.fromkeys(["raw", best(ways)])))
        lines.append(row(cell, *texts))
    return lines


def by_router(cells, names):
    lines = head("s / m", "routed by", *names)
    for cell in ("15 / 10", "60 / 10"):
        for router in cells[cell][names[0]]["raw"]["by"]:
            lines.append(row(cell, router, *(percent(cells[cell][name]["raw"]["by"][router]) for name in names)))
    return lines


def taxi_tables(result):
    figures = result["matchers"]
    lines = head("", "fixes/s", "fixes matched", "km", "parts", "fix to match, m: median", "p90", "p95", "over 50 m")
    for name, facts in figures.items():
        lines.append(row(
            name, rounded(facts["rate"]), "–" if facts["matched"] is None else f"{100 * facts['matched']:.1f} %",
            f"{facts['kilometres']:,}", f"{facts['parts']:,}", facts["median"], facts["p90"], facts["p95"], f"{100 * facts['far']:.1f} %"))
    lines += ["", *head("mismatch, %, of … with … as truth", *figures)]
    for name in figures:
        lines.append(row(name, *(
            "–" if other == name else percent(figures[other]["mismatch"][name]) for other in figures)))
    return lines


def report(result):
    versions = result["versions"]
    names = ["Odometer", *versions]
    lines = [f"{result['map']} by car, one core, {result['date']}, {result['processor']}; "
             + ", ".join(f"{name} {number}" for name, number in versions.items())]
    for scene in SCENES:
        facts = result[scene.name]
        size = f"{facts['trips']} trips, {facts['kilometres']:,} km, {facts['hours']} h"
        lines += ["", f"{scene.title}: mismatch in %, {size}", "", *mismatches(facts["cells"], names)]
        lines += ["", f"{scene.title}: fixes per CPU second (Odometer's over the peer's)", "", *rates(facts["cells"], names)]
        if scene is SCENES[0]:
            lines += ["", f"{scene.title}: mismatch in % by the engine that routed the trip", "", *by_router(facts["cells"], names)]
    if "taxis" in result:
        lines += [
            "", f"Taxis: {result['taxis']['traces']:,} trips, {result['taxis']['fixes']:,} fixes", "", *taxi_tables(result["taxis"])]
    return "\n".join(lines) + "\n"


def main():
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # to stderr: peers print to stdout
    ours, found = Ours(), list(peers())
    for scene in SCENES:
        scene.make(ours.points, list(routers(ours, found)))
    result = {
        "map": os.path.basename(MAP), "date": time.strftime("%Y-%m-%d"), "processor": processor(),
        "versions": {peer.name: version(peer.package) for peer in found}, "trips": TRIPS, "seed": SEED}
    for scene in SCENES:
        result[scene.name] = measured(scene, ours, found)
    if TAXIS:
        result["taxis"] = with_taxis(ours, found)
    with open(os.path.join(HOME, "results.json"), "w") as file:
        json.dump(result, file, indent=1)
    output.write(report(result))
    output.close()


main()
