"""The streets of an extract, as points and ways, to compare routes of different engines."""

import math
from collections import defaultdict

import osmium

METRES = 111_195.0
OBSTACLE_TAGS = ("barrier", "highway", "access", "vehicle", "motor_vehicle", "bicycle", "foot", "crossing", "locked")
SHOWN = {
    "highway", "route", "access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot", "oneway", "maxspeed", "tracktype", "surface",
    "smoothness", "service", "junction", "duration", "cycleway", "sidewalk", "motorroad", "toll", "construction", "area"}


def metres(a, b):
    return math.hypot((a[0] - b[0]) * math.cos(math.radians((a[1] + b[1]) / 2)), a[1] - b[1]) * METRES


def key(point):
    """A position in millionths of a degree: the finest precision printed by all engines."""
    return round(point[0] * 1e6), round(point[1] * 1e6)


class Streets:
    def __init__(self, map):
        self.position = {}  # OSM's node -> (longitude, latitude)
        self.node = {}  # key -> OSM's node
        self.ways = {}  # id -> (tags, nodes)
        self.points = {}  # node -> possible obstacles there
        self.segment = defaultdict(list)  # pair of nodes, in either order -> ids of ways
        self.neighbours = defaultdict(set)
        for thing in osmium.FileProcessor(map).with_locations():
            if thing.is_way() and ("highway" in thing.tags or thing.tags.get("route") in ("ferry", "shuttle_train")):
                nodes = [node.ref for node in thing.nodes if node.location.valid()]
                for node in thing.nodes:
                    if node.location.valid():
                        self.position[node.ref] = (node.location.lon, node.location.lat)
                self.ways[thing.id] = (dict(thing.tags), nodes)
                for a, b in zip(nodes, nodes[1:]):
                    if a != b:
                        self.segment[min(a, b), max(a, b)].append(thing.id)
                        self.neighbours[a].add(b)
                        self.neighbours[b].add(a)
            elif thing.is_node() and any(key in thing.tags for key in OBSTACLE_TAGS):
                self.points[thing.id] = {key: value for key, value in thing.tags if key in OBSTACLE_TAGS}
        for node, position in self.position.items():
            self.node[key(position)] = node

    def nodes(self, shape):
        """The nodes passed by a shape, without its ends if they are within a street."""
        found = []
        for point in shape:
            x, y = key(point)
            node = self.node.get((x, y))
            for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
                node = node or self.node.get((x + dx, y + dy))
            if node and (not found or found[-1] != node):
                found.append(node)
        return found

    def runs(self, nodes):
        """A path as (way, metres): stretches along one way."""
        runs = []
        for a, b in zip(nodes, nodes[1:]):
            ways = self.segment.get((min(a, b), max(a, b)), [None])
            way = runs[-1][0] if runs and runs[-1][0] in ways else ways[0]
            length = metres(self.position[a], self.position[b])
            if runs and runs[-1][0] == way:
                runs[-1][1] += length
            else:
                runs.append([way, length])
        return runs

    def kinds(self, nodes):
        """Metres of a path by kind of way."""
        found = defaultdict(float)
        for way, length in self.runs(nodes):
            tags = self.ways[way][0] if way else {}
            found[tags.get("highway") or tags.get("route") or "?"] += length
        return found

    def describe(self, way, length):
        if way is None:
            return f"? {length:.0f} m"
        tags = self.ways[way][0]
        texts = [tags.get("name") or tags.get("ref") or "nameless"]
        texts += [f"{k}={v}" for k, v in sorted(tags.items()) if k.split(":")[0] in SHOWN]
        return f"way {way} {length:.0f} m: " + ", ".join(texts)

