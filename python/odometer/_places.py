"""Places from frames, geometries and arrays."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from odometer._library import CPlaces, Float64, UsageError

LATITUDES = ("lat", "latitude", "y", "y_coord", "ycoord", "stop_lat")
LONGITUDES = ("lon", "lng", "long", "longitude", "x", "x_coord", "xcoord", "stop_lon")
IDS = (
    "id", "place_id", "origin_id", "destination_id", "stop_id", "station_id", "zone_id", "node_id", "geoid", "geoid20", "geoid10",
    "osm_id", "zone", "taz", "node", "code", "objectid", "fid",
)  # fmt: skip
"""The names of id columns, in the same order as in a job."""
PAIR_IDS = ("pair_id", "id")
ENDS = {
    "origin": ("origin", "from", "o", "source", "orig", "start", "pickup", "f", "1"),
    "destination": ("destination", "to", "d", "dest", "target", "end", "dropoff", "t", "2"),
}


def kind(value: Any) -> str:
    """The package of a value's type: "pandas", "geopandas", "polars", "numpy", …"""
    return type(value).__module__.split(".")[0]


@dataclass
class Places:
    """Places by number, with their ids."""

    ids: Any
    """An array."""
    latitudes: Float64
    longitudes: Float64
    kind: str
    """The package of the input."""

    def __len__(self) -> int:
        return len(self.latitudes)

    def __getitem__(self, rows: Any) -> Places:
        """A selection of places."""
        return Places(self.ids[rows], np.ascontiguousarray(self.latitudes[rows]), np.ascontiguousarray(self.longitudes[rows]), self.kind)

    @property
    def c(self) -> Any:
        """A pointer for the engine; valid as long as this object exists."""
        latitudes, longitudes = (
            ctypes.cast(array.ctypes.data, ctypes.POINTER(ctypes.c_double)) for array in (self.latitudes, self.longitudes)
        )
        places = CPlaces(len(self), latitudes, longitudes)
        # Pointers do not own arrays: without this, arrays of a temporary object are freed before the engine reads them.
        places.arrays = (self.latitudes, self.longitudes)
        return ctypes.byref(places)


def as_array(column: Any) -> Any:
    """A column as an array; masked values are missing."""
    if hasattr(column, "columns"):
        raise UsageError(f"got two columns {column.columns[0]}, expected one")
    if kind(column) == "pyarrow":
        return column.to_numpy(zero_copy_only=False)
    if isinstance(column, np.ma.MaskedArray) and np.ma.is_masked(column):
        missing: Any = np.datetime64("NaT") if column.dtype.kind == "M" else None
        return np.where(column.mask, missing, column.data)
    return column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)


def floats(values: Any, name: str) -> Float64:
    """Numbers in the engine's format, without a copy if possible."""
    found = as_array(values)
    try:
        array = np.ascontiguousarray(found, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{name}: expected numbers ({error})") from None
    if found.ndim != 1:
        raise UsageError(f"{name}: got an array of shape {found.shape}, expected one dimension")
    return array


def columns(frame: Any) -> dict[str, Any]:
    """The columns of a frame by name."""
    if isinstance(frame, Mapping):
        found = {str(name): frame[name] for name in frame}
        sizes = {
            name: len(column) for name, column in found.items()
            if hasattr(column, "__len__") and not isinstance(column, str) and getattr(column, "ndim", 1) != 0
        }  # fmt: skip
        if len(set(sizes.values())) > 1:
            raise UsageError(f"got columns of different lengths, expected equal ones: {sizes}")
        return found
    if kind(frame) == "pyarrow":
        return {name: frame.column(name) for name in frame.schema.names}
    return {str(name): frame[name] for name in frame.columns}


@functools.lru_cache(10_000)
def plain(name: str) -> str:
    """A name in lower case, with only its letters and digits."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def find(table: dict[str, Any], names: tuple[str, ...] | list[str]) -> Any | None:
    """The column that `named` finds; None if there is none."""
    name = named(list(table), names)
    return None if name is None else table[name]


def named(columns: list[str], names: tuple[str, ...] | list[str]) -> str | None:
    """The column that has the earliest of some names, ignoring case, spaces and punctuation; None if there is none."""
    found = {plain(name): name for name in reversed(columns)}
    return next((found[plain(name)] for name in names if plain(name) in found), None)


def is_frame(value: Any) -> bool:
    """Whether the value has named columns."""
    return isinstance(value, Mapping) or hasattr(value, "columns") or kind(value) == "pyarrow"


def is_geometry(value: Any) -> bool:
    """Whether the value is a GeoDataFrame or a GeoSeries with geometries."""
    return kind(value) == "geopandas"


def places(value: Any, name: str) -> Places:
    """Places from a frame with columns of latitude and longitude, from geopandas points or areas, or from an array of
    (latitude, longitude). Their ids are a column of ids (`IDS`), else the index, else numbers from 0."""
    if isinstance(value, Places):
        return value
    if is_geometry(value):
        latitudes, longitudes = _points(value, name)
        ids = find(columns(value), IDS) if is_frame(value) else None
        return Places(as_array(ids if ids is not None else value.index), latitudes, longitudes, "geopandas")
    if kind(value) not in ("numpy", "builtins") and hasattr(value, "__arrow_c_stream__") and not hasattr(value, "columns"):
        value = _table_of(value, name)
    if is_frame(value):
        table = columns(value)
        found: list[Any] = [find(table, names) for names in (LATITUDES, LONGITUDES)]
        for column, axis in zip(found, ("latitude", "longitude")):
            if column is None:
                raise UsageError(f"{name}: no column {axis}; there are {', '.join(table) or 'none'}")
        latitudes, longitudes = floats(found[0], f"{name}.latitude"), floats(found[1], f"{name}.longitude")
        ids = find(table, IDS)
        if ids is None:
            ids = value.index if hasattr(value, "index") and kind(value) == "pandas" else np.arange(len(latitudes))
        return Places(as_array(ids), latitudes, longitudes, kind(value))
    array = _pairs(value, name)
    return Places(
        np.arange(len(array)), np.ascontiguousarray(array[:, 0]), np.ascontiguousarray(array[:, 1]), kind(value)
    )


def _expected(name: str) -> str:
    return f"{name}: expected (latitude, longitude) of each place, or a frame with such columns"


def _pairs(value: Any, name: str) -> Float64:
    expected = _expected(name)
    try:
        array = np.asarray(as_array(value), dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{expected}; got {type(value).__name__}") from None
    if array.size == 0:
        return np.empty((0, 2))
    if array.shape == (2,):
        array = array.reshape(1, 2)
    if array.ndim != 2 or array.shape[1] != 2:
        raise UsageError(f"{expected}; got an array of shape {array.shape}")
    return array


def _table_of(value: Any, name: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise UsageError(f"{type(value).__name__} needs pyarrow: pip install pyarrow") from None
    try:
        return pyarrow.table(value)
    except (TypeError, ValueError):
        raise UsageError(f"{_expected(name)}; got {type(value).__name__}") from None


def _points(value: Any, name: str) -> tuple[Float64, Float64]:
    import shapely

    series = value.geometry
    if series.crs is not None and not series.crs.equals("EPSG:4326"):
        series = series.to_crs(4326)
    points = np.array(series.values)
    points[shapely.is_empty(points)] = None
    # A MultiPoint of one point is a place, as in jobs.
    is_single = (shapely.get_type_id(points) == 4) & (shapely.get_num_geometries(points) == 1)
    points[is_single] = shapely.get_geometry(points[is_single], 0)
    types = shapely.get_type_id(points)
    # An area is represented by a point on its surface, as in jobs.
    is_area = (types == 3) | (types == 6)
    if is_area.any():
        points = np.where(is_area, shapely.point_on_surface(points), points)
    odd = np.flatnonzero((types != 0) & (types != -1) & ~is_area)
    if len(odd):
        word = points[odd[0]].geom_type
        raise UsageError(f"{name}: got a {word} in row {odd[0]}, expected points or areas")
    return floats(shapely.get_y(points), name), floats(shapely.get_x(points), name)


@dataclass
class Pairs:
    """The origins and destinations of trips, by number."""

    origins: Places
    destinations: Places
    frame: Any | None
    """The frame they were read from, if any."""
    ids: Any
    """The pairs' ids: column `pair_id` or `id`, else the index, else numbers from 0."""

    def __len__(self) -> int:
        return len(self.origins)


def pairs(first: Any, second: Any | None) -> Pairs:
    """Trips from one frame with columns for both ends, or from two lists of places of equal length."""
    if second is not None:
        origins, destinations = places(first, "origins"), places(second, "destinations")
        if len(origins) != len(destinations):
            raise UsageError(
                f"got {len(origins)} origins and {len(destinations)} destinations, expected equal numbers; "
                "for all combinations, use matrix"
            )
        return Pairs(origins, destinations, None, np.arange(len(origins)))
    if not is_frame(first):
        raise UsageError("pairs: expected a frame with columns origin_lat, origin_lon, destination_lat, destination_lon, or origins and destinations")
    table = columns(first)
    ends = []
    for end, words in ENDS.items():
        def column(axes: tuple[str, ...]) -> Any | None:
            names = [word + axis for word in words for axis in axes] + [axis + word for word in words for axis in axes]
            return find(table, names)

        latitude: Any = column(LATITUDES[:5])
        longitude = column(LONGITUDES[:7])
        for found, axis in ((latitude, "lat"), (longitude, "lon")):
            if found is None:
                raise UsageError(f"pairs: no column {end}_{axis}; there are {', '.join(table) or 'none'}")
        ids = column(("id",))
        ends.append(
            Places(
                np.arange(len(latitude)) if ids is None else as_array(ids),
                floats(latitude, f"{end}_lat"), floats(longitude, f"{end}_lon"), kind(first),
            )
        )
    own = find(table, PAIR_IDS)
    if own is None:
        own = first.index if hasattr(first, "index") and kind(first) in ("pandas", "geopandas") else np.arange(len(ends[0]))
    return Pairs(ends[0], ends[1], first, as_array(own))


def write(places: Places, path: str, more: dict[str, Any]) -> None:
    """Writes places in the program's format: id, lon, lat and further columns."""
    import csv

    columns = [places.ids.tolist(), places.longitudes.tolist(), places.latitudes.tolist()]
    columns += [as_array(column).tolist() for column in more.values()]
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "lon", "lat", *more])
        writer.writerows(zip(*columns))
