"""Frames in the form that people came with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from odometer._library import Float64, UsageError


def frame(table: dict[str, Any], like: str) -> Any:
    """A frame of Polars for those who came with Polars, else of pandas."""
    if like == "polars":
        import polars

        return polars.DataFrame({name: _plain(column) for name, column in table.items()})
    try:
        import pandas
    except ImportError:
        raise UsageError("frames are made by pandas: pip install pandas (arrays need none: matrix_array)") from None
    return pandas.DataFrame(table, copy=False)


def _plain(column: Any) -> Any:
    return column.tolist() if getattr(column, "dtype", None) == object else column


def geo_frame(table: Any, geometries: Any) -> Any:
    """A GeoDataFrame in degrees of WGS 84."""
    try:
        import geopandas
    except ImportError:
        raise UsageError("geometries are frames of geopandas: pip install geopandas") from None
    return geopandas.GeoDataFrame(table, geometry=geometries, crs=4326)


def categories(ids: Any, numbers: Any) -> Any:
    """The ids of some places by number. Texts as categories, of which there is one for each place and not for each row."""
    import pandas

    if ids.dtype != object or len(ids) == 0:
        return ids[numbers]
    codes, unique = pandas.factorize(ids)
    return pandas.Categorical.from_codes(codes[numbers], unique)


def lines(shapes: Sequence[tuple[int, int] | None], positions: Float64) -> Any:
    """A line for each (first position, number of positions); a point alone is a line to itself. None for None."""
    import shapely

    known = [(index, *shape) for index, shape in enumerate(shapes) if shape is not None and shape[1] > 0]
    rows, firsts, sizes = (np.array(column, dtype=np.int64) for column in (zip(*known) if known else ([], [], [])))
    counts, lasts = np.maximum(2, sizes), firsts + sizes - 1
    result = np.full(len(shapes), None, dtype=object)
    if known:
        # To each point its line.
        owners = np.repeat(np.arange(len(known)), counts)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        result[rows] = shapely.linestrings(positions[np.minimum(firsts[owners] + within, lasts[owners])], indices=owners)
    return result


def areas(polygons: list[list[tuple[int, int]]], positions: Float64) -> Any:
    """A multipolygon of rings, each (first position, number of positions); outer rings come first."""
    import shapely

    parts = []
    for rings in polygons:
        outer, *holes = (shapely.linearrings(positions[first : first + count]) for first, count in rings)
        parts.append(shapely.polygons(outer, holes or None))
    return shapely.MultiPolygon(parts)
