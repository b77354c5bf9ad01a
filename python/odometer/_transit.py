"""Trips by public transport: runs jobs and reads their results."""

from __future__ import annotations

import csv
import json
import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from odometer import _frames, _places, _times, results
from odometer._library import Error, FewAnswers, Int64, UsageError

if TYPE_CHECKING:
    from odometer.network import Network

HIDDEN = {"fid", "pair_id", "departure", "percentile", "leg", "origin_id", "destination_id", "geometry", "geom"}
"""Columns of all tables that frames do not have."""
UNUSED = {"static_travel_time", "arrival_time", "pair_group", "weight", "avoids", "link", "transport_type"}
"""More such columns of table `route`."""
WORDS = {"name", "step_count", "has_tolls", "has_highways", "advisory_notices"}
"""Columns of table `route` that only a job of kind routes has."""
KEYS = {"gtfs": "gtfs", "walk-limit": "walkLimit", "boarding-slack": "boardingSlack", "limit": "limit",
        "maximum-rides": "maximumRides", "headways": "headways", "wheelchair-boarding": "wheelchairBoarding", "snap-limit": "snapLimit",
        "language": "language", "speeds": "speeds", "traffic": "traffic"}  # fmt: skip
"""Job keys by engine option."""
ARGUMENTS = {"thresholds": "limits", "departureDate": "departure"} | {key: option.replace("-", "_") for option, key in KEYS.items()}
"""Arguments by job key."""
DAY = 86_400_000
"""Milliseconds."""
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
    found = _times.moments(value, zone, name)
    if (found // DAY != found[0] // DAY).any() or (found % 1000 != 0).any():
        raise UsageError(f"{name}: expected whole seconds on one day")
    if len(np.unique(found)) < len(found):
        raise UsageError(f"{name}: one of them occurs twice, expected each once")
    return found, is_arrival, not _times.is_one(value)


def percentages(percentiles: Any) -> Any | None:
    """Percentiles in the engine's format; None for none."""
    if percentiles is None:
        return None
    found = np.atleast_1d(np.asarray(percentiles))
    if found.ndim != 1 or not len(found) or found.dtype.kind not in "iu" or found.min() < 0 or found.max() > 100:
        raise UsageError(f"percentiles: got {percentiles!r}, expected a list of whole numbers from 0 to 100")
    if len(np.unique(found)) < len(found):
        raise UsageError(f"percentiles: got {percentiles!r}, expected each once")
    return np.ascontiguousarray(found, dtype=np.int32)


def window(departures: Any, arrivals: Any, percentiles: Any, zone: str) -> dict[str, Any]:
    """The keys of a job for departures or arrivals."""
    found, is_arrival, _ = moments(departures, arrivals, zone)
    seconds = (found % DAY // 1000).tolist()
    keys: dict[str, Any] = {
        "date": str(np.datetime64(int(found[0] // DAY), "D")),
        "arrivals" if is_arrival else "departures": [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in seconds],
    }
    numbers = percentages(percentiles)
    if numbers is not None:
        keys["percentiles"] = numbers.tolist()
    return keys


def run(network: Network, kind: str, folder: str, **keys: Any) -> results.Results:
    """Runs a job with the network's map and options in a folder. Its errors name arguments, not keys and files."""
    job: dict[str, Any] = {
        "kind": kind, "map": network.path, "transportType": network.transport_type, "output": os.path.join(folder, "results")
    } | keys  # fmt: skip
    for option, key in KEYS.items():
        value = network._options.get(option)
        if value is None or key in job or (key == "limit" and kind in ("access", "isochrones")):
            continue
        if key == "language" and kind != "routes":
            continue
        if key == "gtfs":
            job[key] = value.split("\n")
        elif key == "speeds" and value.startswith("["):
            job[key] = json.loads(value)
        elif key in ("headways", "wheelchairBoarding", "language", "speeds", "traffic"):
            job[key] = value
        else:
            job[key] = float(value) / 60 if key in MINUTES else float(value) if key == "snapLimit" else int(float(value))
    try:
        return results.run(job, workers=network._info["workers"], cache=network._options.get("cache"), progress=False)
    except FewAnswers as error:
        # Missing answers are rows of the frame.
        return error.results
    except Error as error:
        sentence = re.sub(r"^\w+(?=:)", lambda key: ARGUMENTS.get(key[0], key[0]), str(error))
        sentence = re.sub(re.escape(folder) + r"/(\w+)\.csv", r"\1", sentence)
        raise type(error)(sentence, error.code) from None


def write_pairs(origins: _places.Places, destinations: _places.Places, path: str) -> None:
    """Writes trips in the program's format, with the origins' ids."""
    columns = (origins.ids, origins.longitudes, origins.latitudes, destinations.longitudes, destinations.latitudes)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "o_lon", "o_lat", "d_lon", "d_lat"])
        writer.writerows(zip(*(column.tolist() for column in columns)))


def rows(found: results.Results, name: str, count: int) -> Any:
    """A table in the input's order of pairs or places; rows of the same pair or place keep the job's order."""
    table = found.table(name)
    key = "place_id" if "place_id" in table else "pair_id"
    table[key] = table[key].astype(np.int64)
    # The job of an empty input has a placeholder row.
    return table[table[key] < count].sort_values(key, kind="stable").reset_index(drop=True)


def axis(table: Any, is_arrival: bool, labels: Any) -> dict[str, Any]:
    """The column that distinguishes the rows of a pair: its percentile, or its departure or arrival as given."""
    if "percentile" in table:
        return {"percentile": table["percentile"].to_numpy()}
    return {"arrival" if is_arrival else "departure": _times.labels(labels)[table["departure"].to_numpy(np.int64) - 1]}


def trips(
    network: Network, found: results.Results, name: str, pairs: _places.Pairs, is_arrival: bool, labels: Any, has_lines: bool
) -> Any:
    """A table of trips, with the columns of the input in place of the job's ids."""
    import pandas

    table = rows(found, name, len(pairs))
    numbers = table["pair_id"].to_numpy()
    columns = axis(table, is_arrival, labels)
    hidden = HIDDEN
    if name == "route":
        hidden = HIDDEN | UNUSED | (set() if has_lines else WORDS)
        # Places off the map were moved for the job, so their reasons come from the engine.
        is_missing = np.isin(np.arange(len(pairs)), numbers[table["status"] == "placemark_not_found"])
        reasons = network._reasons(pairs.origins, pairs.destinations, None, is_missing)
        table["reason"] = [reasons[number] or reason or None for number, reason in zip(numbers, table["reason"])]
        table.loc[is_missing[numbers], "crow_fly_distance"] = np.nan
    for column in table.columns:
        if column in hidden:
            continue
        plain = column.removeprefix("expected_")
        type = _frames.TYPES.get(plain)
        is_typed = type is not None and (type == "boolean" or table[column].dtype == object)
        columns[plain] = (table[column].astype(type) if is_typed else table[column]).array
    if pairs.frame is None:
        own = pandas.DataFrame({"from_id": pairs.origins.ids[numbers], "to_id": pairs.destinations.ids[numbers]})
    else:
        own = _frames.rows_of(pairs.frame, numbers)
    own = own.drop(columns=[column for column in (*columns, "geometry", *(("pair_id",) if has_lines else ())) if column in own])
    if has_lines:
        own.insert(0, "pair_id", pairs.ids[numbers])
    frame = pandas.concat([own, pandas.DataFrame(columns)], axis=1)
    return _frames.geo_frame(frame, table.geometry.to_numpy()) if has_lines else frame
