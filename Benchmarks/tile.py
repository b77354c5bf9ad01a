#!/usr/bin/env python3
"""Repeats a map side by side: tile.py MAP SIDE OUTPUT makes SIDE x SIDE copies, joined by up to eight roads per seam.

The result can be as large as a country and has the streets of a real city. Every tile has its own IDs and keeps all
data of its objects; at seams, the outermost main roads are joined. Needs PyPI's osmium.
"""

import sys

import osmium

SEAM_ROADS = 8
MAIN = {"motorway", "trunk", "primary", "secondary", "tertiary"}
# Above all IDs of OpenStreetMap.
STRIDE = 100_000_000_000


def read(path):
    """The nodes, ways and relations of the map, and the positions of nodes on main roads."""
    nodes, ways, relations = [], [], []
    main, ends = set(), {}
    for thing in osmium.FileProcessor(path):
        tags = [(tag.k, tag.v) for tag in thing.tags]
        if thing.is_node():
            nodes.append((thing.id, thing.location.lon, thing.location.lat, tags))
        elif thing.is_way():
            members = [node.ref for node in thing.nodes]
            ways.append((thing.id, members, tags))
            if dict(tags).get("highway") in MAIN and "oneway" not in dict(tags):
                main.update(members)
        else:
            relations.append((thing.id, [(m.type, m.ref, m.role) for m in thing.members], tags))
    for id, lon, lat, _ in nodes:
        if id in main:
            ends[id] = (lon, lat)
    return sorted(nodes), sorted(ways), sorted(relations), ends


def seam(places, axis, box):
    """Pairs of nodes joined by roads across a seam: the outermost main roads of eight strips along it."""
    other = 1 - axis
    low, high = box[other]
    pairs = []
    for strip in range(SEAM_ROADS):
        start, end = (low + (high - low) * (strip + part) / SEAM_ROADS for part in (0, 1))
        inside = [(place[axis], id) for id, place in places.items() if start <= place[other] < end]
        if inside:
            pairs.append((max(inside)[1], min(inside)[1]))
    return pairs


def main(path, side, output):
    nodes, ways, relations, places = read(path)
    box = [(min(n[axis] for n in nodes), max(n[axis] for n in nodes)) for axis in (1, 2)]
    # Tiles are placed by their roads: objects that reach far out of an extract may overlap the next tile.
    road_box = [(min(p[axis] for p in places.values()), max(p[axis] for p in places.values())) for axis in (0, 1)]
    step = [high - low + 0.002 for low, high in road_box]
    tiles = [(column, row) for row in range(side) for column in range(side)]
    offset = {tile: index * STRIDE for index, tile in enumerate(tiles)}
    with osmium.SimpleWriter(output, overwrite=True) as writer:
        new = osmium.osm.mutable
        for tile in tiles:
            for id, lon, lat, tags in nodes:
                location = (lon + tile[0] * step[0], lat + tile[1] * step[1])
                writer.add_node(new.Node(id=id + offset[tile], location=location, tags=tags, version=1))
        joints = 0
        for tile in tiles:
            for id, members, tags in ways:
                refs = [ref + offset[tile] for ref in members]
                writer.add_way(new.Way(id=id + offset[tile], nodes=refs, tags=tags, version=1))
        for tile in tiles:
            for axis, next in ((0, (tile[0] + 1, tile[1])), (1, (tile[0], tile[1] + 1))):
                if next not in offset:
                    continue
                for far, near in seam(places, axis, road_box):
                    joints += 1
                    refs = [far + offset[tile], near + offset[next]]
                    tags = {"highway": "secondary", "name": "Seam"}
                    writer.add_way(new.Way(id=len(tiles) * STRIDE + joints, nodes=refs, tags=tags, version=1))
        for tile in tiles:
            for id, members, tags in relations:
                moved = [(kind, ref + offset[tile], role) for kind, ref, role in members]
                writer.add_relation(new.Relation(id=id + offset[tile], members=moved, tags=tags, version=1))
    print(f"{output}: {len(tiles)} tiles, {len(nodes) * len(tiles)} nodes, {len(ways) * len(tiles) + joints} ways")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
