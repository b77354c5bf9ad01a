"""Exports results to Parquet and OMX, a million cells at a time."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from odometer._library import Error, InputError, UsageError, version

CELLS = 1_000_000
"""Cells, or rows, in memory at a time."""


def export(
    folder: str | os.PathLike[str], path: str | os.PathLike[str], table: str | None = None
) -> None:
    """Exports results to the format given by the file extension.

    Args:
        folder: a results folder, with results.sqlite.
        path: the file to write. ".parquet": one row per cell of a matrix (from_id, to_id, travel_time, distance), and
            per departure (its date) or percentile if it has several; for other results a table of the database, with
            geometries as GeoParquet. ".omx": a matrix as Open Matrix, with its zone ids as mapping "id".
        table: a table of the database, for Parquet (default: a matrix's cells, or the main table).

    Raises:
        InputError: there are no finished results, or the file cannot be written.
        UsageError: the format or the table is unknown, or the format cannot hold these results.
    """
    source, target = Path(folder), Path(path)
    database = source / "results.sqlite" if source.is_dir() else source
    if not database.is_file():
        raise InputError(f"{source}: no results here; expected a folder with results.sqlite", 3)
    mark = {".parquet": b"PAR1", ".omx": b"\x89HDF"}.get(target.suffix)
    if mark is None:
        raise UsageError(f"{target}: expected a name that ends with .parquet or .omx")
    if target.exists() and not _begins(target, mark):
        raise InputError(f"{target}: this is a different kind of file, which the export would replace; choose another name", 4)
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as results:
        kind = dict(results.execute("SELECT key, value FROM job")).get("kind")
        try:
            if target.suffix == ".parquet" and kind == "matrix" and table is None:
                _write_cells(_Matrix(database.parent, results), partial)
            elif target.suffix == ".parquet":
                _write_table(results, table or _main_table(results), partial)
            else:
                if kind != "matrix":
                    raise UsageError(f"{source}: got results of kind {kind}, expected kind matrix for .omx")
                _write_omx(_Matrix(database.parent, results), partial)
            os.replace(partial, target)
        except sqlite3.Error as error:
            raise InputError(f"{database}: {error}", 3) from None
        except Error:
            raise
        except OSError as error:
            raise InputError(f"{error.filename or target}: {error.strerror or error}", 4) from None
        finally:
            partial.unlink(missing_ok=True)


def _begins(path: Path, mark: bytes) -> bool:
    """Whether the file starts with these bytes, or is empty."""
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(len(mark)) in (mark, b"")


class _Matrix:
    """The cells of a matrix, from its .npy files or its database."""

    def __init__(self, folder: Path, results: sqlite3.Connection):
        self.results = results
        self.npy: dict[str, Any] = {}
        self.axis: str | None = None
        """The column that distinguishes the rows of an origin; None if it has one row."""
        self.labels: list[Any] = [None]
        """The departure or percentile of each row of an origin."""
        for name, file in {"travel_time": "travel_times.npy", "distance": "distances.npy"}.items():
            if (folder / file).exists():
                self.npy[name] = _mapped(folder / file)
        if self.npy:
            self.names = list(self.npy)
            self.origins, self.destinations = (_column(folder / f"npy_{end}.csv") for end in ("origins", "destinations"))
            for axis in ("departure", "percentile"):
                if (folder / f"npy_{axis}s.csv").exists():
                    self.axis, self.labels = axis, _column(folder / f"npy_{axis}s.csv", last=True)
            shape = (len(self.origins), *([] if self.axis is None else [len(self.labels)]), len(self.destinations))
            for cells in self.npy.values():
                if cells.shape != shape:
                    raise InputError(f"{cells.filename}: got an array of shape {cells.shape}, expected {shape}", 3)
            return
        first = results.execute("SELECT * FROM matrix_row LIMIT 1")
        row = dict(zip([column[0] for column in first.description], first.fetchone() or ()))
        if not row:
            raise UsageError("the job stored no cells: its key `format` has neither npy nor sqlite; other tables are exported by name")
        self.origins, self.destinations = (
            [row[0] for row in results.execute("SELECT place_id FROM place WHERE role = ? ORDER BY rowid", (role,))]
            for role in ("origin", "destination")
        )
        # Without distances, their column is empty.
        self.names = [name for name in ("travel_time", "distance") if row[f"{name}s"] is not None]
        if "departure" in row:
            dates = results.execute("SELECT coalesce(departure_date, expected_arrival_date) FROM departure ORDER BY departure")
            self.axis, self.labels = "departure", [date for (date,) in dates]
        elif "percentile" in row:
            (numbers,) = results.execute("SELECT value FROM job WHERE key = 'percentiles'").fetchone()
            self.axis, self.labels = "percentile", [int(number) for number in numbers.split(",")]

    def blocks(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Blocks of origins: the index of the first origin, and the cells by name, with one row per label for each
        origin."""
        count, width = len(self.labels), len(self.destinations)
        step = max(1, CELLS // max(1, count * width))
        if self.npy:
            for first in range(0, len(self.origins), step):
                # Read, not mapped: mapped pages would stay in memory.
                rows = min(step, len(self.origins) - first) * count
                yield first, {
                    name: np.fromfile(
                        cells.filename, np.float32, rows * width, offset=cells.offset + first * count * width * 4
                    ).reshape(rows, width)
                    for name, cells in self.npy.items()
                }
            return
        cursor = self.results.execute(f"SELECT {', '.join(f'{name}s' for name in self.names)} FROM matrix_row ORDER BY rowid")
        for first in range(0, len(self.origins), step):
            block = cursor.fetchmany(step * count)
            yield first, {
                name: np.array([json.loads(row[index]) for row in block], dtype=np.float32)
                for index, name in enumerate(self.names)
            }


def _mapped(path: Path) -> Any:
    """A NumPy file, mapped."""
    try:
        return np.load(path, mmap_mode="r")
    except (ValueError, EOFError):
        raise InputError(f"{path}: the NumPy file is corrupt or truncated", 3) from None


def _column(path: Path, last: bool = False) -> list[Any]:
    """The values of column `place_id` of a CSV, or of its last column; as numbers if all are whole numbers."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    column = len(rows[0]) - 1 if last else rows[0].index("place_id")
    texts = [row[column] for row in rows[1:]]
    try:
        numbers = [int(text) for text in texts]
    except ValueError:
        return texts
    return numbers if [str(number) for number in numbers] == texts else texts


def _main_table(results: sqlite3.Connection) -> str:
    names = {row[0] for row in results.execute("SELECT name FROM sqlite_master")}
    return next(name for name in ("route", "access_origin", "isochrone", "trace", "place") if name in names)


def _write_cells(matrix: _Matrix, path: Path) -> None:
    pyarrow, parquet = _pyarrow()

    def ids(values: list[Any]) -> Any:
        return pyarrow.array(values) if len(values) else pyarrow.array(values, pyarrow.int64())

    ends = {"from_id": ids(matrix.origins), "to_id": ids(matrix.destinations)}
    labels = {} if matrix.axis is None else {matrix.axis: pyarrow.array(matrix.labels)}
    fields = [(name, values.type) for name, values in (ends | labels).items()]
    schema = pyarrow.schema(fields + [(name, pyarrow.float32()) for name in matrix.names])
    width, count = len(matrix.destinations), len(matrix.labels)
    # Ids repeat, so dictionaries keep them small; cells do not repeat.
    with parquet.ParquetWriter(
        path, schema, compression="zstd", compression_level=1, use_dictionary=[name for name, _ in fields],
        use_byte_stream_split=matrix.names, write_statistics=[name for name, _ in fields],
    ) as writer:
        for first, cells in matrix.blocks():
            rows = len(cells[matrix.names[0]])
            # Rows longer than a Parquet row group are split.
            for start in range(0, width, CELLS):
                part = np.arange(start, min(width, start + CELLS))
                table = {
                    "from_id": ends["from_id"].take(pyarrow.array(np.repeat(np.arange(rows) // count + first, len(part)))),
                    "to_id": ends["to_id"].take(pyarrow.array(np.tile(part, rows))),
                }
                for name, values in labels.items():
                    table[name] = values.take(pyarrow.array(np.repeat(np.arange(rows) % count, len(part))))
                for name in matrix.names:
                    flat = np.ascontiguousarray(cells[name][:, start : start + len(part)]).reshape(-1)
                    table[name] = pyarrow.array(flat, mask=np.isnan(flat))
                writer.write_table(pyarrow.table(table, schema=schema))


def _write_omx(matrix: _Matrix, path: Path) -> None:
    try:
        import h5py
    except ImportError:
        raise UsageError("OMX needs h5py: pip install 'odometer[export]'") from None
    if len(matrix.labels) > 1:
        raise UsageError(f"OMX holds one time per cell; this matrix has one for each of {len(matrix.labels)} {matrix.axis}s: use .parquet")
    shape = (len(matrix.origins), len(matrix.destinations))
    with h5py.File(path, "w") as file:
        file.attrs["OMX_VERSION"] = np.bytes_(b"0.2")
        file.attrs["SHAPE"] = np.array(shape, dtype=np.int32)
        file.attrs["SOURCE"] = f"odometer {version}"
        chunk = (1, shape[1])
        data = {
            name: file.create_dataset(
                f"data/{name}", shape, "float32", chunks=chunk, compression="gzip", compression_opts=1, shuffle=True
            )
            for name in matrix.names
        }
        for first, cells in matrix.blocks():
            for name, values in cells.items():
                data[name][first : first + len(values)] = values
        is_square = matrix.origins == matrix.destinations
        lookups = {"id": matrix.origins} if is_square else {"origin_id": matrix.origins, "destination_id": matrix.destinations}
        for dimension, (name, values) in enumerate(lookups.items()):
            is_number = all(isinstance(value, int) for value in values)
            dataset = file.create_dataset(
                f"lookup/{name}", data=np.array(values, dtype=np.int64 if is_number else "S")
                if is_number else np.array([str(value).encode() for value in values])
            )
            if not is_square:
                dataset.attrs["DIM"] = dimension


def _write_table(results: sqlite3.Connection, table: str, path: Path) -> None:
    """A table with its geometries as well-known binary: GeoPackage headers are removed."""
    pyarrow, parquet = _pyarrow()
    information = results.execute(f"PRAGMA table_info({json.dumps(table)})").fetchall()
    if not information:
        names = [row[0] for row in results.execute("SELECT table_name FROM gpkg_contents ORDER BY rowid")]
        raise UsageError(f"there is no table {table}; there are {', '.join(names)}")
    shapes = {
        row[0]: row[1]
        for row in results.execute(
            "SELECT column_name, geometry_type_name FROM gpkg_geometry_columns WHERE table_name = ?", (table,)
        )
    }
    types = {"INTEGER": pyarrow.int64(), "MEDIUMINT": pyarrow.int64(), "REAL": pyarrow.float64(), "DOUBLE": pyarrow.float64(), "BOOLEAN": pyarrow.bool_()}
    kinds = {
        row[1]: pyarrow.binary() if row[1] in shapes else types.get(row[2].upper(), pyarrow.string()) for row in information
    }
    metadata = {}
    if shapes:
        columns = {name: {"encoding": "WKB", "geometry_types": []} for name in shapes}
        geo = {"version": "1.1.0", "primary_column": next(iter(shapes)), "columns": columns}
        metadata = {"geo": json.dumps(geo)}
    schema = pyarrow.schema(list(kinds.items()), metadata=metadata)

    def converted(value: Any, name: str) -> Any:
        if value is None:
            return None
        if name in shapes:
            return _without_header(value)
        if kinds[name] == pyarrow.bool_():
            return bool(value)
        if kinds[name] == pyarrow.string():
            return value if isinstance(value, str) else str(value)
        return value

    rows = results.execute(f"SELECT {', '.join(json.dumps(name) for name in kinds)} FROM {json.dumps(table)}")
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while block := rows.fetchmany(20_000):
            arrays = [
                pyarrow.array([converted(row[index], name) for row in block], type)
                for index, (name, type) in enumerate(kinds.items())
            ]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def _without_header(blob: bytes) -> bytes:
    """The geometry without GeoPackage's header: eight bytes and an envelope."""
    box = {0: 0, 1: 32, 2: 48, 3: 48, 4: 64}[blob[3] >> 1 & 7]
    return blob[8 + box :]


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow: pip install 'odometer[export]'") from None
    return pyarrow, pyarrow.parquet
