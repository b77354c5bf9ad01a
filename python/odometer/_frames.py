"""Frames of the input's package: pandas, Polars or geopandas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from odometer._library import Float64, UsageError
from odometer._places import as_array, columns, kind


def frame(table: dict[str, Any], like: str) -> Any:
    """A Polars frame if the input was Polars, else a pandas frame."""
    if like == "polars":
        import polars

        return polars.DataFrame({name: _plain(column) for name, column in table.items()})
    try:
        import pandas
    except ImportError:
        raise UsageError("frames need pandas: pip install 'odometer[pandas]' (matrix_array does not)") from None
    return pandas.DataFrame(table, copy=False)


TYPES = dict.fromkeys(
    ("travel_time", "static_travel_time", "waiting_time", "access_time", "riding_time", "transfer_time", "egress_time", "rides",
     "observed_time", "seconds", "distance", "crow_fly_distance", "ascent", "descent", "step_count", "sigma", "off_road_length",
     "snap_distance", "along", "latitude", "longitude", "area", "street_length"), "float64"
) | dict.fromkeys(("alternative", "step", "ride", "stops", "u_turn_count", "first_fix", "last_fix", "n"), "int64") | {
    "part": "Int64", "kept": "bool", "has_tolls": "boolean", "has_highways": "boolean", "stays_seated": "boolean"
}  # fmt: skip
"""Types of columns by name, also in a frame without rows; all other columns are text or as in the input."""


def typed(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Any:
    """A pandas frame of an answer's rows."""
    import pandas

    table = {}
    for name in names:
        column = name.removeprefix("expected_")
        values = [row.get(name) for row in rows]
        table[column] = pandas.Series(values, dtype=TYPES.get(column, None if any(values) else "object"))
    return pandas.DataFrame(table)


def _plain(column: Any) -> Any:
    return column.tolist() if getattr(column, "dtype", None) == object else column


def geo_frame(table: Any, geometries: Any) -> Any:
    """A GeoDataFrame in degrees (WGS 84)."""
    try:
        import geopandas
    except ImportError:
        raise UsageError("geometries need geopandas: pip install 'odometer[geo]'") from None
    return geopandas.GeoDataFrame(table, geometry=geometries, crs=4326)


def rows_of(frame: Any, numbers: Any) -> Any:
    """The rows of a frame with the given numbers, without its geometry, as a pandas frame."""
    import pandas

    if kind(frame) in ("pandas", "geopandas"):
        plain = pandas.DataFrame(frame)
        if kind(frame) == "geopandas":
            plain = plain.drop(columns=frame.geometry.name)
        return plain.iloc[numbers].reset_index(drop=True)
    return pandas.DataFrame({name: as_array(column)[numbers] for name, column in columns(frame).items()})


def words(codes: Any, names: list[Any], like: str) -> Any:
    """A categorical column: for each code its name, or None."""
    if like == "polars":
        return np.array(names, dtype=object)[codes]
    import pandas

    known = [name for name in names if name is not None]
    positions = np.array([-1 if name is None else known.index(name) for name in names], dtype=np.int8 if len(known) < 128 else np.int32)
    return pandas.Categorical.from_codes(positions[codes], pandas.Index(known))


def optional(ids: Any, numbers: Any, is_none: Any, like: str) -> Any:
    """The ids of places by number, None if there is no place; integers stay integers."""
    if not is_none.any():
        return ids[numbers]
    values = [None if none else ids[number] for number, none in zip(numbers, is_none)]
    if np.issubdtype(ids.dtype, np.integer) and like != "polars":
        import pandas

        return pandas.array([None if value is None else int(value) for value in values], dtype="Int64")
    return np.array(values, dtype=object)


def categories(ids: Any, numbers: Any) -> Any:
    """The ids of places by number. Text becomes categories, so that it is stored once per place, not per row."""
    import pandas

    if ids.dtype != object or len(ids) == 0:
        return ids[numbers]
    codes, unique = pandas.factorize(ids)
    return pandas.Categorical.from_codes(codes[numbers], unique)


def lines(shapes: Sequence[tuple[int, int] | None], positions: Float64, *, keeps_points: bool = True) -> Any:
    """A line for each (first position, number of positions). None stays None.

    A line without length goes from its point to itself, or becomes None without `keeps_points`.
    """
    import shapely

    known = [(index, *shape) for index, shape in enumerate(shapes) if shape is not None and shape[1] > 0]
    rows, firsts, sizes = (np.array(column, dtype=np.int64) for column in (zip(*known) if known else ([], [], [])))
    counts, lasts = np.maximum(2, sizes), firsts + sizes - 1
    result = np.full(len(shapes), None, dtype=object)
    if known:
        # The line of each point.
        owners = np.repeat(np.arange(len(known)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        result[rows] = shapely.linestrings(positions[np.minimum(firsts[owners] + within, lasts[owners])], indices=owners)
        if not keeps_points:
            result[rows[shapely.length(result[rows]) == 0]] = None
    return result


def areas(polygons: list[list[tuple[int, int]]], positions: Float64) -> Any:
    """A multipolygon of polygons, each a list of rings (first position, number of positions): the outer ring, then holes."""
    import shapely

    parts = []
    for rings in polygons:
        outer, *holes = (shapely.linearrings(positions[first : first + count]) for first, count in rings)
        parts.append(shapely.polygons(outer, holes or None))
    return shapely.MultiPolygon(parts)
