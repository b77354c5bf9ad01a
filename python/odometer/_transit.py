"""Trips by public transport: runs jobs and reads their results."""

from __future__ import annotations

import csv
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from odometer import _frames, _places, _times, results
from odometer._library import NO_TIME, Int64, UsageError

if TYPE_CHECKING:
    from odometer.network import Network

WANTED = ("status", "reason", "distance", "expected_travel_time", "waiting_time", "rides", "access_time", "riding_time",
          "transfer_time", "egress_time")  # fmt: skip
"""Columns that a frame of trips always has."""
KEYS = {"gtfs": "gtfs", "walk-limit": "walkLimit", "boarding-slack": "boardingSlack", "limit": "limit",
        "maximum-rides": "maximumRides", "headways": "headways", "wheelchair-boarding": "wheelchairBoarding", "snap-limit": "snapLimit",
        "language": "language"}  # fmt: skip
"""Job keys by engine option."""
MINUTES = ("walkLimit", "limit")
"""Keys in minutes, whose options are in seconds."""


def moments(departures: Any, arrivals: Any, zone: str) -> tuple[Int64, bool, bool]:
    """Departures or arrivals in local milliseconds since 1970, whether they are arrivals, and whether they are a list."""
    if departures is not None and arrivals is not None:
        raise UsageError("got departures and arrivals, expected one of them")
    is_arrival = departures is None
    value, name = (arrivals, "arrivals") if is_arrival else (departures, "departures")
    if value is None:
        raise UsageError("departures: a transit trip needs a departure or an arrival; pass one, or a list for a window")
    is_list = not (isinstance(value, (str, np.datetime64)) or (hasattr(value, "hour") and np.ndim(value) == 0))
    found = _times.times(value, len(value) if is_list else 1, zone)
    if found is None or not len(found):
        raise UsageError(f"{name}: got an empty list, expected at least one")
    if (found == NO_TIME).any():
        raise UsageError(f"{name}: one of them is not a time")
    return found, is_arrival, is_list


def percentages(percentiles: Any) -> Any | None:
    """Percentiles in the engine's format; None for none."""
    if percentiles is None:
        return None
    found = np.atleast_1d(np.asarray(percentiles))
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "iu" or found.min() < 0 or found.max() > 100:
        raise UsageError(f"percentiles: got {percentiles!r}, expected a list of whole numbers from 0 to 100")
    return np.ascontiguousarray(found, dtype=np.int32)


def window(departures: Any, arrivals: Any, percentiles: Any, zone: str) -> dict[str, Any]:
    """The keys of a job for departures or arrivals."""
    found, is_arrival, _ = moments(departures, arrivals, zone)
    name = "arrivals" if is_arrival else "departures"
    days = found // 86_400_000
    if (days != days[0]).any() or (found % 1000 != 0).any():
        raise UsageError(f"{name}: expected whole seconds on one day")
    seconds = (found % 86_400_000 // 1000).tolist()
    keys: dict[str, Any] = {
        "date": str(np.datetime64(int(days[0]), "D")),
        name: [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in seconds],
    }
    numbers = percentages(percentiles)
    if numbers is not None:
        keys["percentiles"] = numbers.tolist()
    return keys


def run(network: Network, kind: str, folder: str, **keys: Any) -> results.Results:
    """Runs a job with the network's map and timetables in a folder."""
    job: dict[str, Any] = {
        "kind": kind, "map": network.path, "transportType": "transit", "output": os.path.join(folder, "results")
    } | keys  # fmt: skip
    for option, key in KEYS.items():
        value = network._options.get(option)
        if value is None or key in job or (key == "limit" and kind in ("access", "isochrones")):
            continue
        if key == "language" and kind != "routes":
            continue
        if key == "gtfs":
            job[key] = value.split("\n")
        elif key in ("headways", "wheelchairBoarding", "language"):
            job[key] = value
        else:
            job[key] = float(value) / 60 if key in MINUTES else float(value) if key == "snapLimit" else int(float(value))
    return results.run(job, workers=network._info["workers"], cache=network._options.get("cache"), progress=False)


def write_pairs(trips: _places.Pairs, path: str) -> None:
    """Writes trips in the program's format, with their numbers as ids."""
    ends = (trips.origins.longitudes, trips.origins.latitudes, trips.destinations.longitudes, trips.destinations.latitudes)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "o_lon", "o_lat", "d_lon", "d_lat"])
        writer.writerows(zip(range(len(trips)), *(column.tolist() for column in ends)))


def rows(found: results.Results, name: str) -> Any:
    """A table in the input's order of pairs or places; rows of the same pair or place keep the job's order."""
    table = found.table(name)
    key = "place_id" if "place_id" in table else "pair_id"
    table[key] = table[key].astype(np.int64)
    return table.sort_values(key, kind="stable").reset_index(drop=True)


def axis(table: Any, is_arrival: bool, labels: Any) -> dict[str, Any]:
    """The column that distinguishes the rows of a pair: its percentile, or its departure or arrival as given."""
    if "percentile" in table:
        return {"percentile": table["percentile"].to_numpy()}
    given = labels if hasattr(labels, "__len__") and not isinstance(labels, str) else [labels]
    return {"arrival" if is_arrival else "departure": _places.as_array(given)[table["departure"].to_numpy() - 1]}


def trips(
    found: results.Results, name: str, pairs: _places.Pairs, is_arrival: bool, labels: Any, has_lines: bool
) -> Any:
    """A table of trips, with the columns of the input in place of the job's ids."""
    import pandas

    table = rows(found, name)
    numbers = table["pair_id"].to_numpy()
    columns = axis(table, is_arrival, labels)
    if name == "route":
        table["reason"] = [reason or None for reason in table["reason"]]
    hidden = {"fid", "pair_id", "departure", "percentile", "leg", "origin_id", "destination_id", "transport_type", "geometry"}
    if name != "route":
        hidden.remove("transport_type")
    for column in table.columns:
        if column in hidden or (name == "route" and table[column].isna().all() and column not in WANTED):
            continue
        columns[column.removeprefix("expected_")] = table[column].to_numpy()
    if pairs.frame is None:
        own = pandas.DataFrame({"from_id": pairs.origins.ids[numbers], "to_id": pairs.destinations.ids[numbers]})
    else:
        own = _frames.rows_of(pairs.frame, numbers)
    own = own.drop(columns=[column for column in (*columns, "geometry", *(("pair_id",) if has_lines else ())) if column in own])
    if has_lines:
        own.insert(0, "pair_id", pairs.ids[numbers])
    frame = pandas.concat([own, pandas.DataFrame(columns)], axis=1)
    return _frames.geo_frame(frame, table.geometry.to_numpy()) if has_lines else frame
