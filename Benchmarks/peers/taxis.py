"""Traces without known truth: taxis of Kaggle's ECML/PKDD 2015 table, one fix every fifteen seconds."""

import csv
import json
import os

import numpy as np
from scipy.spatial import cKDTree

from matchers import Trace
from mismatch import Score, samples, score
from paced import METRES

INTERVAL = 15  # seconds
SHORTEST = 4  # fixes
FAR = 50.0  # metres


def read(path):
    csv.field_size_limit(10**9)
    with open(path) as file:
        for row in csv.DictReader(file):
            points = [tuple(point) for point in json.loads(row["POLYLINE"])]
            if len(points) >= SHORTEST:
                start = int(row["TIMESTAMP"])
                yield Trace(row["TRIP_ID"], points, [start + INTERVAL * number for number in range(len(points))])


def write(traces, path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["trace_id", "time", "lon", "lat"])
        for trace in traces:
            writer.writerows([trace.id, time, *point] for time, point in zip(trace.times, trace.points))


def facts(traces, parts, sampled, latitude):
    """Kilometres, parts, and the distances of fixes from their match: quantiles in metres, and the share beyond FAR."""
    distances = []
    for trace in traces:
        rows, _ = sampled[trace.id]
        points = np.asarray(trace.points) * [METRES * np.cos(np.radians(latitude)), METRES]
        distances.append(cKDTree(rows[:, :2]).query(points)[0] if len(rows) else np.full(len(points), np.inf))
    distances = np.concatenate(distances)
    return {
        "kilometres": round(sum(length for _, length in sampled.values()) / 1000), "parts": sum(map(len, parts.values())),
        **{name: round(float(np.quantile(distances, q)), 1) for name, q in (("median", 0.5), ("p90", 0.9), ("p95", 0.95))},
        "far": round(float((distances > FAR).mean()), 4)}


def compared(traces, found):
    """The figures of each matcher, and the mismatch of each with every other as the truth; `found` contains matches by
    name."""
    latitude = float(np.mean([lat for trace in traces for _, lat in trace.points]))
    sampled = {
        name: {trace.id: samples(matches.parts[trace.id], latitude) for trace in traces} for name, matches in found.items()}
    figures = {name: facts(traces, matches.parts, sampled[name], latitude) for name, matches in found.items()}
    for name, matches in found.items():
        figures[name].update(rate=round(matches.rate), matched=matches.matched, mismatch={})
        for other in found:
            if other == name:
                continue
            both = (score(sampled[name][trace.id], sampled[other][trace.id]) for trace in traces)
            figures[name]["mismatch"][other] = round(sum(both, Score()).mismatch, 4)
    return figures
