"""Called by `agree`: how closely Odometer, OSRM and Valhalla agree on one extract, and where they differ. OSRM has no
profiles of lorries and wheelchairs.

Points are random along all ways tagged highway, by length; a point counts if every engine snaps it within two metres,
so that all answer the same trips (Odometer without `snapPenalties`). Pairs consist of two such points; a pair counts if
both routes begin and end within five metres of them. A turn is tested by asking an engine for the trip from up to 30 m
before it to up to 30 m after it.
"""

import json
import math
import os
import random
import re
import statistics
import sys
from collections import Counter

from engines import MODES, OSRM, Odometer, Valhalla
from machine import note
from streets import Streets, metres

MAP, MODE, FOLDER, BINARY, PROFILES, LABEL = sys.argv[1:7]
PAIRS = int(os.environ.get("PAIRS", "1000"))
TURNS = int(os.environ.get("TURNS", "2000"))  # maximum tested per engine and peer
NEAR_POINT, NEAR_END = 2.0, 5.0
BEFORE = 30.0  # metres before and after a turn


def near(a, b, limit):
    return a is not None and b is not None and metres(a, b) <= limit


def rounded(point):
    return round(point[0], 7), round(point[1], 7)


class Agreement:
    def __init__(self):
        self.streets = Streets(MAP)
        self.ours = Odometer(BINARY, MAP, MODE, FOLDER, os.path.join(PROFILES, f"{MODE}.json5"))
        self.peers = [Valhalla(MAP, MODE, FOLDER)]
        if "osrm" in MODES[MODE]:
            self.peers.insert(0, OSRM(MAP, MODE, FOLDER, self.streets.position))
        self.engines = [self.ours, *self.peers]
        self.result = {"map": os.path.basename(MAP), "mode": MODE, "label": LABEL}

    # Points

    def candidates(self, count):
        """Random points along ways, by length, not within a metre of a node."""
        ways = [(way, nodes) for way, (tags, nodes) in sorted(self.streets.ways.items()) if "highway" in tags]
        segments, lengths = [], []
        for way, nodes in ways:
            for a, b in zip(nodes, nodes[1:]):
                length = metres(self.streets.position[a], self.streets.position[b])
                if length > 4:
                    segments.append((way, a, b, length))
                    lengths.append(length)
        rng = random.Random(1)
        for way, a, b, length in rng.choices(segments, lengths, k=count):
            share = rng.uniform(1 / length, 1 - 1 / length)
            p, q = self.streets.position[a], self.streets.position[b]
            yield way, rounded((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])))

    def sample(self):
        candidates = list(self.candidates(8 * PAIRS))
        points = [point for _, point in candidates]
        snapped = [engine.snap(points) for engine in self.engines]
        kept, open_to = [], Counter()
        only = [Counter() for _ in self.peers], [Counter() for _ in self.peers]
        examples = {}
        for number, (way, point) in enumerate(candidates):
            fits = [near(point, answers[number], NEAR_POINT) for answers in snapped]
            open_to["".join("oOV"[i] if fit else "-" for i, fit in enumerate(fits))] += 1
            if all(fits):
                kept.append(point)
            for peer in range(len(self.peers)):
                if fits[0] != fits[peer + 1]:
                    kind = self.kind(way)
                    only[fits[0]][peer][kind] += 1
                    examples.setdefault((peer, fits[0], kind), (way, point))
        self.result["candidates"] = len(candidates)
        self.result["snapped"] = dict(open_to)
        self.result["streets"] = [
            {"only": self.ours.name if mine else peer.name, "other": peer.name if mine else self.ours.name, "kind": kind,
             "points": count, "example": examples[index, bool(mine), kind]}
            for mine in (0, 1) for index, peer in enumerate(self.peers) for kind, count in only[mine][index].most_common(25)]
        return kept

    def kind(self, way):
        tags = self.streets.ways[way][0]
        kept = ("highway", "access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot", "service", "tracktype", "area", "construction")
        return ", ".join(f"{k}={tags[k]}" for k in kept if k in tags)

    # Pairs

    def pairs(self):
        """The pairs of an earlier run in this folder, so that versions are compared on the same pairs; otherwise new
        ones."""
        kept = os.path.join(FOLDER, f"pairs-{MODE}.json")
        if os.path.exists(kept):
            with open(kept) as file:
                return [(tuple(a), tuple(b)) for a, b in json.load(file)]
        points = self.sample()
        note(f"{len(points)} points of {self.result['candidates']} on ways: {self.result['snapped']}")
        rng = random.Random(2)
        pairs = []
        while len(pairs) < PAIRS:
            a, b = rng.choice(points), rng.choice(points)
            if metres(a, b) > 100:
                pairs.append((a, b))
        with open(kept, "w") as file:
            json.dump(pairs, file)
        return pairs

    def compare(self, pairs):
        answers = [engine.routes(pairs) for engine in self.engines]
        self.result["pairs"] = len(pairs)
        self.result["peers"] = []
        for index, peer in enumerate(self.peers):
            rows, only_ours, only_theirs, neither, elsewhere = [], [], [], 0, 0
            for number, pair in enumerate(pairs):
                mine, theirs = answers[0][number], answers[index + 1][number]
                if mine is None and theirs is None:
                    neither += 1
                elif theirs is None:
                    only_ours.append(number)
                elif mine is None:
                    only_theirs.append(number)
                elif all(near(route.shape[0], pair[0], NEAR_END) and near(route.shape[-1], pair[1], NEAR_END) for route in (mine, theirs)):
                    rows.append((number, mine.seconds / max(theirs.seconds, 0.1), mine.metres / max(theirs.metres, 0.1)))
                else:
                    elsewhere += 1
            summary = {
                "peer": peer.name, "compared": len(rows), "onlyOurs": len(only_ours), "onlyTheirs": len(only_theirs), "neither": neither,
                "elsewhere": elsewhere, "time": spread([row[1] for row in rows]), "distance": spread([row[2] for row in rows]),
                "onlyOursExamples": [pairs[number] for number in only_ours[:5]],
                "onlyTheirsExamples": [pairs[number] for number in only_theirs[:5]],
                "rows": [[number, round(time, 4), round(distance, 4)] for number, time, distance in rows]}
            # On short trips a second is a large percentage: the worst are selected from those of at least two minutes.
            long = [row for row in rows if answers[0][row[0]].seconds >= 120]
            worst = sorted(long, key=lambda row: -abs(math.log(row[1])))[:20]
            summary["worst"] = [
                self.explain(number, pairs[number], answers[0][number], answers[index + 1][number], time, distance, peer)
                for number, time, distance in worst]
            self.result["peers"].append(summary)
        return answers

    def explain(self, number, pair, mine, theirs, time, distance, peer):
        """Both routes where they diverge, with the peer's turns that Odometer cannot make, and the reverse."""
        a, b = self.streets.nodes(mine.shape), self.streets.nodes(theirs.shape)
        we_cannot, they_cannot = self.obstacles(b, self.ours, a), self.obstacles(a, peer, b)
        return {
            "cause": self.cause(a, b, we_cannot, they_cannot),
            "pair": number, "from": pair[0], "to": pair[1], "time": round(time, 3), "distance": round(distance, 3),
            "seconds": [round(mine.seconds), round(theirs.seconds)], "metres": [round(mine.metres), round(theirs.metres)],
            "ours": self.parts(a, set(b)), "theirs": self.parts(b, set(a)),
            "weCannot": we_cannot, "theyCannot": they_cannot}

    def cause(self, a, b, we_cannot, they_cannot):
        """The most likely reason, from the ways on parts that only one takes, or from the whole route if the two hardly
        differ."""
        mine, theirs = self.apart(a, set(b)), self.apart(b, set(a))
        kinds = {}
        for part in mine + theirs:
            for kind, length in self.streets.kinds(part).items():
                kinds[kind] = kinds.get(kind, 0) + length
        apart, whole = sum(kinds.values()), sum(self.streets.kinds(a).values())
        if apart < 0.04 * whole:
            kinds = self.streets.kinds(a)
            for kind in ("ferry", "track", "steps"):
                if kinds.get(kind, 0) > 0.05 * whole:
                    return f"same way, {kind}"
            return "same way"
        if "ferry" in kinds:
            return "ferry"
        if kinds.get("track", 0) > 0.15 * apart:
            return "track"
        for turns, whose in ((we_cannot, "closed to us"), (they_cannot, "closed to them")):
            kinds_closed = [re.search(r"(highway|route)=(\w+)", turn["ways"][-1]) for turn in turns]
            found = [match.group(2) for match in kinds_closed if match]
            if found:
                return f"{whose}: {Counter(found).most_common(1)[0][0]}"
        return "another way"

    def parts(self, nodes, others):
        """Where a path differs from the other: the longest parts, with their ends and ways."""
        parts = []
        for part in self.apart(nodes, others):
            length = sum(metres(self.streets.position[p], self.streets.position[q]) for p, q in zip(part, part[1:]))
            parts.append({
                "at": self.streets.position[part[0]], "to": self.streets.position[part[-1]], "metres": round(length),
                "ways": [self.streets.describe(*run) for run in self.streets.runs(part)[:12]]})
        return sorted(parts, key=lambda part: -part["metres"])[:4]

    def apart(self, nodes, others):
        """The parts of a path that are not on another, each with the node before and the node after."""
        parts, start = [], None
        for index, node in enumerate(nodes):
            if node not in others and start is None:
                start = max(index - 1, 0)
            if start is not None and (node in others or index == len(nodes) - 1):
                parts.append(nodes[start : index + 1])
                start = None
        return parts

    def obstacles(self, nodes, engine, other):
        used = set(zip(other, other[1:], other[2:]))
        turns = [turn for turn in self.turns(nodes) if turn["nodes"] not in used]
        return [self.description(turn) for turn in self.impossible(turns, engine)][:4]

    # Turns

    def turns(self, nodes):
        """Every turn of a path at a junction or a barrier, with points before and after."""
        position, streets = self.streets.position, self.streets
        for index in range(1, len(nodes) - 1):
            a, via, b = nodes[index - 1 : index + 2]
            if a == b or (len(streets.neighbours[via]) < 3 and via not in streets.points):
                continue
            before, length_before, first = self.walk(nodes, index, -1)
            behind, length_behind, last = self.walk(nodes, index, 1)
            if before and behind:
                yield {"nodes": (a, via, b), "passed": nodes[first + 1 : last], "before": before, "behind": behind,
                       "metres": length_before + length_behind, "at": position[via]}

    def walk(self, nodes, index, step):
        """The point up to thirty metres along a path from a node, but at most half-way to the next junction; its
        distance, and the index of the node after it."""
        position = self.streets.position
        limit, cursor = 0.0, index
        while 0 <= cursor + step < len(nodes):
            limit += metres(position[nodes[cursor]], position[nodes[cursor + step]])
            cursor += step
            if len(self.streets.neighbours[nodes[cursor]]) > 2 or nodes[cursor] in self.streets.points or limit > 2 * BEFORE:
                break
        wanted = min(BEFORE, limit / 2)
        if wanted < 1.5:
            return None, 0, cursor
        left, cursor = wanted, index
        while True:
            p, q = position[nodes[cursor]], position[nodes[cursor + step]]
            length = metres(p, q)
            if length >= left:
                share = left / length
                return rounded((p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]))), wanted, cursor + step
            left -= length
            cursor += step

    def impossible(self, turns, engine):
        """The turns that an engine does not make, the longest detour first; the detour is None if it lacks a street."""
        found = []
        for turn, route in zip(turns, engine.routes([(turn["before"], turn["behind"]) for turn in turns]) if turns else []):
            if route is None:
                found.append({**turn, "detour": math.inf})
            elif not near(route.shape[0], turn["before"], NEAR_POINT) or not near(route.shape[-1], turn["behind"], NEAR_POINT):
                found.append({**turn, "detour": None})
            elif route.metres - turn["metres"] > max(20, turn["metres"] / 2):
                found.append({**turn, "detour": route.metres - turn["metres"]})
        return sorted(found, key=lambda turn: -(turn["detour"] if turn["detour"] is not None else 0))

    def description(self, turn):
        a, via, b = turn["nodes"]
        ways = [self.streets.describe(*run) for run in self.streets.runs([a, via, b])]
        detour = turn["detour"]
        return {
            "nodes": turn["nodes"], "at": turn["at"], "ways": ways,
            "points": [self.streets.points[node] for node in turn["passed"] if node in self.streets.points],
            "from": turn["before"], "to": turn["behind"],
            "detour": "street missing" if detour is None else "no route" if math.isinf(detour) else round(detour)}

    def one_sided(self, answers):
        """Turns made by one engine's routes that the other engine cannot make."""
        paths = [[self.streets.nodes(route.shape) for route in routes if route] for routes in answers]
        made = [{turn for path in path_list for turn in zip(path, path[1:], path[2:])} for path_list in paths]
        self.result["turns"] = []
        for index, peer in enumerate(self.peers):
            for by, cannot, engine in ((0, index + 1, peer), (index + 1, 0, self.ours)):
                wanted = {}
                for path in paths[by]:
                    for turn in self.turns(path):
                        if turn["nodes"] not in made[cannot]:
                            wanted.setdefault(turn["nodes"], turn)
                tried = list(wanted.values())
                if len(tried) > TURNS:
                    tried = random.Random(3).sample(tried, TURNS)
                found = self.impossible(tried, engine)
                turns = [turn for turn in found if turn["detour"] is not None]
                third = self.engines[3 - index - 1] if len(self.peers) > 1 else None
                refused = {turn["nodes"] for turn in self.impossible(turns[:50], third)} if third else set()
                self.result["turns"].append({
                    "made": self.engines[by].name, "not": engine.name, "tried": len(tried), "impossible": len(turns),
                    "missing": len(found) - len(turns), "third": third.name if third else None,
                    "list": [{**self.description(turn), "thirdMakesIt": turn["nodes"] not in refused if third else None} for turn in turns[:50]],
                    "missingList": [self.description(turn) for turn in found if turn["detour"] is None][:100]})


def spread(ratios):
    if len(ratios) < 20:
        return {}
    quantiles = statistics.quantiles(ratios, n=100)
    return {
        "p05": round(quantiles[4], 3), "median": round(statistics.median(ratios), 4), "p95": round(quantiles[94], 3),
        "within1": round(sum(abs(ratio - 1) <= 0.01 for ratio in ratios) / len(ratios), 3),
        "within5": round(sum(abs(ratio - 1) <= 0.05 for ratio in ratios) / len(ratios), 3)}


def main():
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # to stderr: peers print to stdout
    agreement = Agreement()
    answers = agreement.compare(agreement.pairs())
    agreement.one_sided(answers)
    with open(os.path.join(FOLDER, f"agree-{MODE}-{LABEL}.json"), "w") as file:
        json.dump(agreement.result, file, indent=1)
    for peer in agreement.result["peers"]:
        time, distance = peer["time"], peer["distance"]
        cells = [agreement.result["map"].split(".")[0], MODE, peer["peer"], peer["compared"]]
        for ratios in (time, distance):
            cells += [ratios.get(name, "") for name in ("median", "p05", "p95", "within1", "within5")]
        cells += [peer["onlyOurs"], peer["onlyTheirs"], peer["elsewhere"]]
        output.write("| " + " | ".join(str(cell) for cell in cells) + " |\n")
    for turns in agreement.result["turns"]:
        note(f"turns that {turns['made']} makes and {turns['not']} cannot: {turns['impossible']} of {turns['tried']}, street missing {turns['missing']}")
    output.close()


main()
