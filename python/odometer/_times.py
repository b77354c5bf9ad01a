"""Departures in the engine's format: milliseconds since 1970 in the map's time zone."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from odometer._library import NO_TIME, Int64, UsageError
from odometer._places import as_array, kind

EXPECTED = "expected a date with a time, such as 2026-11-23T08:30 in local time, or with a zone"


def is_one(value: Any) -> bool:
    """Whether a value is one departure, not a list."""
    return isinstance(value, (str, date, np.datetime64)) or not hasattr(value, "__len__")


def milliseconds(value: Any, zone: str, name: str = "departure") -> int:
    """One departure of a column; `None` and `NaT` mean no departure."""
    if value is None:
        return NO_TIME
    if isinstance(value, str):
        text = value.strip().replace("Z", "+00:00").replace("z", "+00:00")
        try:
            value = datetime.fromisoformat(text)
        except ValueError:
            raise UsageError(f"{name}: got {value!r}, {EXPECTED}") from None
    if isinstance(value, np.datetime64):
        return int(value.astype("datetime64[ms]").astype(np.int64))
    if value != value:  # not a time: NaT, NaN
        return NO_TIME
    if not isinstance(value, datetime):
        if isinstance(value, date):
            raise UsageError(f"{name}: got the day {value}, {EXPECTED}")
        raise UsageError(f"{name}: got {value!r}, {EXPECTED}")
    if value.tzinfo is not None:
        value = value.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    days = value.toordinal() - date(1970, 1, 1).toordinal()
    seconds = (days * 24 + value.hour) * 3600 + value.minute * 60 + value.second
    return seconds * 1000 + value.microsecond // 1000


def moment(value: Any, zone: str, name: str = "departure") -> int:
    """One departure as an argument; only `None` means no departure."""
    found = milliseconds(value, zone, name)
    if found == NO_TIME and value is not None:
        raise UsageError(f"{name}: got {value!r}, {EXPECTED}")
    return found


def with_zone(value: Any, zone: str) -> str:
    """One departure as text with a zone, for a job's key."""
    found = moment(value, zone)
    if found % 1000:
        raise UsageError(f"departure: got {value!r}, expected whole seconds")
    try:
        local = datetime(1970, 1, 1) + timedelta(milliseconds=found)
    except OverflowError:
        raise UsageError(f"departure: got {value!r}, {EXPECTED}") from None
    return local.replace(tzinfo=ZoneInfo(zone)).isoformat()


def moments(value: Any, zone: str, name: str = "departures") -> Int64:
    """Departures as an argument: a list, or a single one."""
    if is_one(value):
        return np.array([moment(value, zone, name)], dtype=np.int64)
    found = _column(value, zone, name)
    if not len(found):
        raise UsageError(f"{name}: got an empty list, expected at least one")
    if (found == NO_TIME).any():
        raise UsageError(f"{name}: one of them is not a time")
    return found


def times(value: Any, count: int, zone: str, name: str = "departures") -> Int64 | None:
    """One departure per trip, or the same for all; None for no departure."""
    if value is None:
        return None
    if is_one(value):
        return np.full(count, moment(value, zone, name), dtype=np.int64)
    found = _column(value, zone, name)
    if len(found) != count:
        raise UsageError(f"{name}: got {len(found)}, expected one or {count}")
    return found


def has_zone(value: Any) -> bool:
    """Whether the times of a column have a time zone."""
    if kind(value) == "pyarrow":
        return getattr(value.type, "tz", None) is not None
    zone = getattr(getattr(value, "dt", None), "tz", None) or getattr(value, "tz", None)
    if zone is None and kind(value) == "polars":
        zone = getattr(value.dtype, "time_zone", None)
    if zone is None and getattr(value, "dtype", None) in (None, object) and len(value):
        first = value[0] if isinstance(value, list) else as_array(value)[0]
        if isinstance(first, str):
            return re.search(r"(Z|[+-]\d\d(:?\d\d)?)$", first.strip()[10:], re.IGNORECASE) is not None
        zone = getattr(first, "tzinfo", None)
    return zone is not None


def _column(value: Any, zone: str, name: str) -> Int64:
    if kind(value) == "pyarrow" and has_zone(value):
        import pyarrow.compute
        import pyarrow.types

        value = pyarrow.compute.local_timestamp(value.cast(pyarrow.timestamp("ms", zone)))
    if kind(value) == "pandas" and getattr(getattr(value, "dt", None), "tz", None) is not None:
        value = value.dt.tz_convert(zone).dt.tz_localize(None)
    elif kind(value) == "pandas" and getattr(value, "tz", None) is not None:
        value = value.tz_convert(zone).tz_localize(None)
    elif kind(value) == "polars" and getattr(value.dtype, "time_zone", None):
        value = value.dt.convert_time_zone(zone).dt.replace_time_zone(None)
    try:
        array = as_array(value)
    except ValueError:
        raise UsageError(f"{name}: {EXPECTED}, in each row") from None
    if array.ndim != 1:
        raise UsageError(f"{name}: got an array of shape {array.shape}, expected one dimension")
    if np.issubdtype(array.dtype, np.datetime64):
        return np.ascontiguousarray(array.astype("datetime64[ms]").astype(np.int64))
    return np.fromiter((milliseconds(item, zone, name) for item in array.tolist()), dtype=np.int64, count=len(array))


def labels(value: Any) -> Any:
    """Departures as given, as an array for a column of a frame."""
    return as_array([value] if is_one(value) else value)
