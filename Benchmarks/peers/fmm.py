"""FMM, as built by fastmm. It cannot read OSM, so its graph is made here: the ways that are open to cars, split where
they meet, with an edge per open direction and no turn restrictions."""

import math
import os
from collections import Counter

import fastmm
import osmium

from matchers import radius
from paced import METRES

REACH = 1000  # metres: the longest path between candidates in its table
CANDIDATES = 8
CLASSES = {
    "motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street", "service",
    "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link", "road", "track", "services"}
CLOSED = {"no", "agricultural", "forestry", "bus", "psv"}


def is_open(tags):
    return (tags.get("highway") in CLASSES and tags.get("area") != "yes"
            and not any(tags.get(key) in CLOSED for key in ("access", "vehicle", "motor_vehicle")))


def directions(tags):
    """Whether a way is open along, and against, its nodes."""
    one = tags.get("oneway")
    implied = tags.get("junction") == "roundabout" or tags.get("highway") == "motorway"
    return one != "-1", one in ("-1", "no") or (one not in ("yes", "true", "1") and not implied)


class FMMMatcher:
    name, package, ways = "FMM", "fastmm", ("raw", "thinned")

    def __init__(self, map, folder):
        ways, uses = [], Counter()
        for way in osmium.FileProcessor(map).with_locations():
            if way.is_way() and is_open(way.tags):
                nodes = [(node.ref, node.lon, node.lat) for node in way.nodes if node.location.valid()]
                if len(nodes) > 1:
                    ways.append((nodes, *directions(way.tags)))
                    uses.update(ref for ref, _, _ in nodes)
                    uses.update((nodes[0][0], nodes[-1][0]))
        self.scale = METRES * math.cos(math.radians(ways[0][0][0][2])), METRES
        network, number = fastmm.Network(), 0
        for nodes, forward, backward in ways:
            joints = [index for index, (ref, _, _) in enumerate(nodes) if uses[ref] > 1]
            for first, last in zip(joints, joints[1:]):
                piece = nodes[first : last + 1]
                for run in ([piece] if forward else []) + ([piece[::-1]] if backward else []):
                    number += 1
                    network.add_edge(
                        number, source=run[0][0], target=run[-1][0], geom=[self.flat(lon, lat) for _, lon, lat in run])
        network.finalize()
        self.network = network  # the matcher does not keep it alive
        self.engine = fastmm.FastMapMatch(
            network, fastmm.TransitionMode.SHORTEST, max_distance_between_candidates=REACH, cache_dir=os.path.join(folder, "fmm"))

    def flat(self, lon, lat):
        return lon * self.scale[0], lat * self.scale[1]

    def question(self, trace, sigma, tidy):
        rows = [(*self.flat(*point), time) for point, time in zip(trace.points, trace.times)]
        return fastmm.Trajectory.from_xyt_tuples(rows), sigma

    def call(self, question):
        trajectory, sigma = question
        return self.engine.match(
            trajectory, max_candidates=CANDIDATES, candidate_search_radius=radius(sigma), gps_error=sigma, reverse_tolerance=2 * sigma)

    def pieces(self, answer):
        return [piece for piece in answer.subtrajectories if piece.error_code == fastmm.MatchErrorCode.SUCCESS]

    def parts(self, answer):
        parts = []
        for piece in self.pieces(answer):
            part = []
            for point in (point for segment in piece.segments for edge in segment.edges for point in edge.points):
                place = [point.x / self.scale[0], point.y / self.scale[1]]
                if not part or part[-1] != place:
                    part.append(place)
            if len(part) > 1:
                parts.append(part)
        return parts

    def matched(self, answer):
        return sum(len(piece.segments) + 1 for piece in self.pieces(answer))
