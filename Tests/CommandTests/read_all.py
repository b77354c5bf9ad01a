"""Reads every table and view of results with common programs, and prints differences from SQLite's:
python3 read_all.py FOLDER_OF_MODULES RESULTS"""
import os, sqlite3, subprocess, sys, warnings

sys.path.insert(0, sys.argv[1])
warnings.simplefilter("ignore")
import duckdb, pandas, pyogrio

path = sys.argv[2]
database = sqlite3.connect(path)
names = [
    name
    for (name,) in database.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'rtree_*' "
        "AND name NOT GLOB 'gpkg_*' AND name NOT GLOB 'sqlite_*' ORDER BY name"
    )
]
duck = duckdb.connect()
duck.execute(f"LOAD '{sys.argv[1]}/duckdb_extension_sqlite_scanner/extensions/v{duckdb.__version__}/sqlite_scanner.duckdb_extension'")

for name in names:
    cursor = database.execute(f"SELECT * FROM {name}")
    columns = [column[0] for column in cursor.description]
    count = len(cursor.fetchall())
    # SQLite does not know the types of sums.
    numbers = [c for c in columns if c in ("distance", "expected_travel_time", "travel_time") and name != "pair_total"]

    def expect(program, rows, total=None):
        if rows != count:
            print(f"{name}: {program} reads {rows} rows, SQLite {count}")
        for column in numbers if total else []:
            exact = database.execute(f"SELECT total({column}) FROM {name}").fetchone()[0]
            if abs(total(column) - exact) > 0.001:
                print(f"{name}.{column}: {program} adds up {total(column)}, SQLite {exact}")

    try:
        frame = pandas.read_sql(f"SELECT * FROM {name}", database)
        expect("pandas", len(frame), lambda column: frame[column].fillna(0).sum())
        layer = pyogrio.read_dataframe(path, layer=name, use_arrow=False)
        expect("geopandas", len(layer), lambda column: layer[column].fillna(0).sum())
        for column in columns:
            if column.endswith("_date") and name in ("route", "trace", "trace_part", "stop") and layer[column].notna().any():
                if not str(layer[column].dtype).startswith("datetime64"):
                    print(f"{name}.{column}: geopandas reads {layer[column].dtype}, not a time")
        read = subprocess.run(["ogrinfo", "-ro", "-q", path, name], capture_output=True, text=True)
        expect("ogrinfo", read.stdout.count("OGRFeature("))
        if read.returncode != 0 or "ERROR" in read.stderr:
            print(f"{name}: ogrinfo says {read.stderr}")
        source = f"sqlite_scan('{path}', '{name}')"
        seen = [column[0] for column in duck.execute(f"SELECT * FROM {source} LIMIT 0").description]
        listed = ", ".join(f'"{column}"' for column in seen if column != "geom")
        expect("DuckDB", len(duck.execute(f"SELECT {listed} FROM {source}").fetchall()))
        for column in set(numbers) & set(seen):
            value = duck.execute(f"SELECT coalesce(sum({column}), 0) FROM {source}").fetchone()[0]
            exact = database.execute(f"SELECT total({column}) FROM {name}").fetchone()[0]
            if abs(value - exact) > 0.001:
                print(f"{name}.{column}: DuckDB adds up {value}, SQLite {exact}")
    except Exception as error:
        print(f"{name}: {type(error).__name__}: {error}")
print(f"{len(names)} read")
