"""Reads every table and view of results with QGIS, and prints differences from SQLite's; then runs a recipe, if one is
given: /usr/bin/python3 read_qgis.py RESULTS [RECIPE]"""
import os, sqlite3, sys

os.environ["QT_QPA_PLATFORM"] = "offscreen"
from qgis.core import QgsApplication, QgsVectorLayer

application = QgsApplication([], False)
application.initQgis()
path = sys.argv[1]
database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
names = [
    name
    for (name,) in database.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'rtree_*' "
        "AND name NOT GLOB 'gpkg_*' AND name NOT GLOB 'sqlite_*' ORDER BY name"
    )
]
counts = {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
database.close()
for name in names:
    layer = QgsVectorLayer(f"{path}|layername={name}", name, "ogr")
    rows = sum(1 for _ in layer.getFeatures()) if layer.isValid() else None
    if rows != counts[name]:
        print(f"{name}: QGIS reads {rows} rows, SQLite {counts[name]}")
print(f"{len(names)} read")
if len(sys.argv) > 2:
    with open(sys.argv[2]) as recipe:
        exec(recipe.read())
