"""A network, and the queries on it."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from odometer import _frames, _places, _times, _transit, results
from odometer._library import (
    NO_TIME, STATUSES, Engine, Error, InputError, PlacesWarning, UsageError, as_arguments, pointer, rows_with_shapes,
)

if TYPE_CHECKING:
    import geopandas
    import pandas

PROFILE_ALIASES = {"car": "automobile", "foot": "walking", "walk": "walking", "bicycle": "cycling", "bike": "cycling"}
"""Aliases of stock profiles."""
PLACE_REASONS = ("off_map", "no_street", "island", "invalid")
"""Reasons why a place has no street."""


class Network:
    """A street network for one transport mode, open on this machine.

        network = Network("porto.osm.pbf", by="walking")     # built the first time, then opened
        network = Network("porto.network")                   # a network file needs no other options
        network = Network("porto.osm.pbf", gtfs="stcp.zip")   # by public transport, and on foot to the stops

    The file is memory-mapped, so processes on one machine share its memory. A network may be used from many threads at
    once. It pickles as its path and options, so Dask and Ray reopen it on their workers.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        by: str | None = None,
        profile: str | os.PathLike[str] | None = None,
        pace: float | None = None,
        elevation: str | os.PathLike[str] | None = None,
        snap_limit: float | None = None,
        speeds: str | os.PathLike[str] | Mapping[str, Any] | Sequence[str | os.PathLike[str] | Mapping[str, Any]] | None = None,
        traffic: str | os.PathLike[str] | None = None,
        avoid: str | Sequence[str] | None = None,
        language: str | None = None,
        gtfs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
        walk_limit: float | None = None,
        boarding_slack: float | None = None,
        limit: float | None = None,
        maximum_rides: int | None = None,
        headways: str | None = None,
        wheelchair_boarding: str | None = None,
        cache: str | os.PathLike[str] | None = None,
        workers: int | None = None,
    ):
        """Opens a network, or builds it if there is none yet.

        Args:
            path: an extract of OpenStreetMap (.osm.pbf, .osm, .osm.gz, .osm.bz2) or a network file.
            by: "walking" (also "foot"), "automobile" ("car"), "cycling" ("bicycle"), "truck", "van", "wheelchair", "pram".
            profile: a profile file.
            pace: walking speed on level ground, in km/h.
            elevation: a DEM: a raster or a folder of tiles.
            snap_limit: the longest distance of a place from its street, in metres (default: 1000).
            speeds: a file of observed speeds, for trips with a departure; or, as in a job's key, several, each a path or a
                dictionary with file, format, days, from, to, duplicates, fill.
            traffic: a file of slowness by road class and hour, for trips with a departure, or "porto".
            avoid: "tolls", "highways" or both.
            language: the language of instructions: "en" or "pt".
            gtfs: a GTFS zip or several: trips use public transport, with walks on this network.
            walk_limit: the longest walk to, from and between stops, in seconds (default: 900); this and the next five
                arguments need `gtfs`.
            boarding_slack: the minimum time at a stop before a vehicle leaves, in seconds (default: 60).
            limit: the longest trip, in seconds (default: 7200); `access` and `isochrones` have their own argument `limits`.
            maximum_rides: the maximum number of vehicles per trip (default: no limit).
            headways: treatment of trips without exact times: "timetable" (they run from `start_time`, one every headway) or
                "averageWait" (riders wait half the headway).
            wheelchair_boarding: stops and vehicles to use: "any", "possible" or "known".
            cache: a folder for network and timetable files (default: next to the map and the feed).
            workers: threads per call (default: one per core).

        Raises:
            UsageError: an argument is invalid.
            InputError: the map or a feed cannot be read, or the network file cannot be written.
        """
        feeds = [gtfs] if isinstance(gtfs, (str, os.PathLike)) else gtfs
        if feeds is not None and not len(feeds):
            raise UsageError("gtfs: got an empty list, expected at least one GTFS zip")
        if boarding_slack is not None and _number(boarding_slack, "boarding_slack") % 1:
            raise UsageError(f"boarding_slack: got {boarding_slack}, expected whole seconds")
        options = {
            "map": _path(path, "path"),
            "by": None if by is None else PROFILE_ALIASES.get(str(by), by),
            "profile": _path(profile, "profile"),
            "pace": pace,
            "elevation": _path(elevation, "elevation"),
            "snap-limit": snap_limit,
            "speeds": _speeds(speeds),
            # A stock table is given by name, not by path.
            "traffic": _path(traffic, "traffic") if traffic is None or os.path.exists(traffic) else os.fspath(traffic),
            "avoid": avoid if avoid is None or isinstance(avoid, str) else ",".join(avoid),
            "language": language,
            "gtfs": None if feeds is None else "\n".join(str(_path(feed, "gtfs")) for feed in feeds),
            "walk-limit": walk_limit,
            "boarding-slack": boarding_slack,
            "limit": limit,
            "maximum-rides": maximum_rides,
            "headways": headways,
            "wheelchair-boarding": wheelchair_boarding,
            "cache": _path(cache, "cache"),
            "workers": workers,
        }
        self._options = {name: str(value) for name, value in options.items() if value is not None}
        self._open()

    def _open(self) -> None:
        try:
            self._engine = Engine([f"--{name}={value}" for name, value in self._options.items()])
        except Error as error:
            raise type(error)(as_arguments(str(error)), error.code) from None
        self._info, _ = self._engine.ask("info", is_short=True)

    def __getstate__(self) -> dict[str, str]:
        return self._options

    def __setstate__(self, options: dict[str, str]) -> None:
        self._options = options
        self._open()

    @staticmethod
    def build(
        map: str | os.PathLike[str], by: str = "walking", output: str | os.PathLike[str] | None = None, **options: Any
    ) -> Network:
        """Builds the network of an extract, or opens an existing one.

        Args:
            map: an extract of OpenStreetMap.
            by: the transport mode, as in `Network`.
            output: the network file (default: a generated name next to the map).
            options: as in `Network`; with `output`, `profile`, `pace` and `elevation` build the network, and the others
                open it.
        """
        if output is None:
            return Network(map, by=by, **options)
        words = ["network", "build", os.fspath(map), f"--by={PROFILE_ALIASES.get(str(by), by)}", f"--output={os.fspath(output)}"]
        for name in ("profile", "pace", "elevation"):
            value = options.pop(name, None)
            if value is not None:
                words.append(f"--{name}={os.fspath(value) if name != 'pace' else value}")
        command(words)
        return Network(output, **options)

    @property
    def path(self) -> str:
        """The network file."""
        return str(self._info["path"])

    @property
    def time_zone(self) -> str:
        """The map's time zone, which applies to departures without one."""
        return str(self._info["time_zone"])

    @property
    def transport_type(self) -> str:
        """The transport type: "automobile", "walking" or "cycling"; "transit" with timetables."""
        return "transit" if self._is_transit else str(self._info["transport_type"])

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east and north, in degrees."""
        west, south, east, north = self._info["bounds"]
        return west, south, east, north

    @property
    def facts(self) -> dict[str, Any]:
        """Properties as printed by `odometer network info`: counts as numbers, the rest as text."""
        return {name: int(value) if value.isdecimal() else value for name, value in self._info["facts"].items()}

    def __repr__(self) -> str:
        return f"<Network of {self._info['map']}, profile {self._info['profile']}>"

    def cancel(self) -> None:
        """Ends all calls in progress, in all threads: they raise `Cancelled`."""
        self._engine.cancel()

    @property
    def _is_transit(self) -> bool:
        return "gtfs" in self._options

    def _require_streets(self, name: str, **arguments: Any) -> None:
        """Refuses arguments and methods that are only for streets, or only for timetables."""
        if self._is_transit:
            raise UsageError(f"{name}: only for streets; open the network without gtfs")
        for argument, value in arguments.items():
            if value is not None:
                raise UsageError(f"{argument}: only for public transport; open the network with gtfs")

    # Places

    def _read(self, value: Any, name: str) -> _places.Places:
        """Reads places, with a warning for those off the map."""
        if isinstance(value, _places.Places):
            return value
        places = _places.places(value, name)
        self._warn(places, name)
        return places

    def _trips(self, pairs: Any, destinations: Any) -> _places.Pairs:
        trips = _places.pairs(pairs, destinations)
        for places, given, name in ((trips.origins, pairs, "origins"), (trips.destinations, destinations, "destinations")):
            if not isinstance(given, _places.Places):
                self._warn(places, name)
        return trips

    def _is_off(self, latitudes: Any, longitudes: Any) -> Any:
        """Which places are farther from the map than the snap limit, or have no coordinates."""
        west, south, east, north = self.bounds
        # The longest distance of a place from a street, in degrees of latitude; generous for longitude near the poles.
        margin = float(self._options.get("snap-limit", 1000)) / 111_000
        wide = margin / max(0.01, math.cos(math.radians((south + north) / 2)))
        with np.errstate(invalid="ignore"):
            return ~(
                (latitudes >= south - margin) & (latitudes <= north + margin)
                & (longitudes >= west - wide) & (longitudes <= east + wide)
            )  # fmt: skip

    def _for_job(self, places: _places.Places) -> _places.Places:
        """Places with their numbers as ids. A job would reject rows with swapped or missing coordinates; moved to the farther
        pole, places off the map stay off it and keep their rows. An empty input gets a row there, for the types of columns."""
        south, north = self.bounds[1::2]
        pole = np.array([-90.0 if south + north > 0 else 90.0])
        is_off = self._is_off(places.latitudes, places.longitudes)
        latitudes, longitudes = np.where(is_off, pole, places.latitudes), np.where(is_off, 180.0, places.longitudes)
        if not len(places):
            latitudes, longitudes = pole, np.array([180.0])
        return _places.Places(np.arange(len(latitudes)), latitudes, longitudes, places.kind)

    def _warn(self, places: _places.Places, name: str) -> None:
        is_missing = ~(np.isfinite(places.latitudes) & np.isfinite(places.longitudes))
        is_off = self._is_off(places.latitudes, places.longitudes) & ~is_missing
        missing, off = int(is_missing.sum()), int(is_off.sum())
        if not missing and not off:
            return
        facts = []
        if off:
            facts.append(f"{off} of {len(places)} places {'is' if off == 1 else 'are'} off the map")
        exchanged = int((is_off & ~self._is_off(places.longitudes, places.latitudes)).sum())
        if exchanged:
            facts.append(f"{exchanged} would be on it with latitude and longitude swapped")
        if missing:
            facts.append(f"{missing} of {len(places)} places {'has' if missing == 1 else 'have'} no coordinates")
        sentence = f"{name}: {'; '.join(facts)}"
        # The warning points to the line that called the package.
        level = 1
        frame = sys._getframe()
        while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("odometer"):
            frame, level = frame.f_back, level + 1
        warnings.warn(sentence, PlacesWarning, stacklevel=level)

    def _reasons(self, origins: _places.Places, destinations: _places.Places, times: Any, is_missing: Any) -> Any:
        """Why trips have no answer, as in column `reason` of a job's table `route`; None for trips with an answer."""
        reasons = np.full(len(origins), None, dtype=object)
        rows = np.flatnonzero(is_missing)
        if len(rows):
            moments = None if times is None else np.ascontiguousarray(times[rows])
            found, _ = self._engine.ask(
                "reasons", origins[rows].c, destinations[rows].c, pointer(moments), is_short=len(rows) < 10
            )
            reasons[rows] = [reason or None for reason in found]
        return reasons

    def _place_reasons(self, places: _places.Places, is_missing: Any) -> Any:
        """Why places have no street ("off_map", "no_street", "island", "invalid"); None for places with a street."""
        reasons = self._reasons(places, places, None, is_missing)
        for row in np.flatnonzero(is_missing):
            first = (reasons[row] or "").split(", ")[0]
            reasons[row] = first.removeprefix("origin: ") if first.startswith("origin: ") else None
            # A place that trips cannot leave still has a street.
            if reasons[row] not in PLACE_REASONS:
                reasons[row] = None
        return reasons

    # Trips

    def etas(
        self, pairs: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        percentiles: Sequence[int] | None = None,
    ) -> pandas.DataFrame:
        """Time and distance of each trip.

        Args:
            pairs: a frame with columns such as origin_lat, origin_lon, destination_lat, destination_lon; or the origins.
            destinations: the same number of places, if the first argument is the origins.
            departures: when trips start: one for all or one for each, in the map's time zone or with a zone. Without
                departures, streets have free-flow speeds. On streets, a frame's column `departure` or `departure_time` is
                used if the argument is missing; its missing values mean no departure. By public transport, one or a list
                of departures on one day, each of which applies to all trips.
            arrivals: the same for the ends of trips, by public transport.
            percentiles: by public transport, one row per pair and percentile of the times at all departures.

        Returns:
            The frame, or a new one with from_id and to_id, with added columns status ("ok", "directions_not_found",
            "placemark_not_found"), reason ("origin: off_map", "destination: island of 3 junctions", …; missing if
            the status is ok), travel_time (seconds) and distance (metres); these two are NaN unless the status is ok.
            Columns of the input with one of these names are replaced.
            By public transport a pandas frame with a row per pair and departure, arrival or percentile (in the column
            of that name); distance is NaN for trips with rides, and further columns are rides (vehicles), access_time,
            waiting_time, riding_time, transfer_time and egress_time (seconds, which add up to travel_time).
        """
        trips = self._trips(pairs, destinations)
        if self._is_transit:
            return self._transit_trips("etas", trips, departures, arrivals, percentiles)["route"]
        self._require_streets("etas", arrivals=arrivals, percentiles=percentiles)
        times = self._departures(trips, departures)
        status, seconds, metres = self._etas(trips, times)
        found = {
            "status": np.array(STATUSES, dtype=object)[status],
            "reason": self._reasons(trips.origins, trips.destinations, times, status != 0),
            "travel_time": seconds, "distance": metres,
        }  # fmt: skip
        if trips.frame is None:
            return _frames.frame({"from_id": trips.origins.ids, "to_id": trips.destinations.ids} | found, trips.origins.kind)
        if _places.kind(trips.frame) == "polars":
            import polars

            return trips.frame.with_columns(*(polars.Series(name, _frames._plain(column)) for name, column in found.items()))
        if hasattr(trips.frame, "assign"):
            return trips.frame.assign(**found)
        return _frames.frame(_places.columns(trips.frame) | found, _places.kind(trips.frame))

    def eta_arrays(
        self, origins: Any, destinations: Any, *, departures: Any = None
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """`etas` as arrays, for use without frames: indices into `odometer.STATUSES`, seconds and metres; only on streets. A
        missing time among the departures means no departure."""
        self._require_streets("eta_arrays")
        trips = self._trips(origins, destinations)
        return self._etas(trips, _times.times(departures, len(trips), self.time_zone))

    def _etas(
        self, trips: _places.Pairs, times: Any
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        count = len(trips)
        seconds, metres, status = np.empty(count), np.empty(count), np.empty(count, dtype=np.uint8)
        self._engine.call(
            "etas", trips.origins.c, trips.destinations.c, pointer(times), pointer(seconds), pointer(metres), pointer(status),
            is_short=count < 100,
        )
        return status, seconds, metres

    @overload
    def routes(
        self, pairs: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        alternates: bool = False, steps: Literal[False] = False,
    ) -> geopandas.GeoDataFrame: ...

    @overload
    def routes(
        self, pairs: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        alternates: bool = False, steps: Literal[True],
    ) -> tuple[geopandas.GeoDataFrame, geopandas.GeoDataFrame]: ...

    @overload
    def routes(
        self, pairs: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        alternates: bool = False, steps: bool,
    ) -> Any: ...

    def routes(
        self, pairs: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        alternates: bool = False, steps: bool = False,
    ) -> Any:
        """The route of each trip.

        Args:
            pairs: as in `etas`, like the next three arguments.
            alternates: whether to find up to two more routes per trip.
            steps: whether to return the steps, too.

        Returns:
            A GeoDataFrame with pair_id (the input's column `pair_id` or `id`, else its index), all columns of the input
            (from_id and to_id if the input is two lists), alternative (from 0), status, reason, name, travel_time
            (seconds), distance (metres), ascent and descent if elevations are known, has_tolls and has_highways (missing if
            there is no route), advisory_notices (text) and a line, None for a route of zero length. With `steps`, also a
            second GeoDataFrame with one row per step: pair_id, the input's columns, alternative, step, instructions, maneuver,
            street, … Columns of the input with one of these names are dropped. By public transport there is a row per pair
            and departure or arrival, with the parts of its time as in `etas`; distance includes the rides, and each step's
            geometry is the point where it begins.
        """
        trips = self._trips(pairs, destinations)
        if self._is_transit:
            if alternates:
                raise UsageError("alternates: transit finds one best trip per departure; leave it out")
            tables = self._transit_trips("routes", trips, departures, arrivals, None)
            return (tables["route"], tables["step"]) if steps else tables["route"]
        self._require_streets("routes", arrivals=arrivals)
        times = self._departures(trips, departures)
        parts, positions = self._engine.ask(
            "routes", trips.origins.c, trips.destinations.c, pointer(times), int(bool(alternates)), is_short=len(trips) < 10
        )
        found = rows_with_shapes(parts)
        is_missing = np.zeros(len(trips), dtype=bool)
        is_missing[[row["pair"] for _, row in found if row["status"] != "ok"]] = True
        reasons = self._reasons(trips.origins, trips.destinations, times, is_missing)
        for _, row in found:
            row["reason"] = reasons[row["pair"]]
            row.setdefault("alternative", 0)
            # Text as in a job.
            row["advisory_notices"] = " ".join(row.get("advisory_notices", ())) or None
        names = ["alternative", "status", "reason", "name", "expected_travel_time", "static_travel_time", "waiting_time",
                 "distance", "ascent", "descent", "has_tolls", "has_highways", "advisory_notices"]  # fmt: skip
        routes = self._lines(trips, [(first, row["pair"], row) for first, row in found], names, positions, keeps_points=False)
        if not steps:
            return routes
        names = ["alternative", "step", "instructions", "notice", "maneuver", "street", "expected_travel_time", "distance",
                 "ascent", "descent", "transport_type"]  # fmt: skip
        rows = [
            (first, row["pair"], step | {"alternative": row["alternative"]})
            for first, row in found
            for step in row.get("steps", [])
        ]
        return routes, self._lines(trips, rows, names, positions)

    @staticmethod
    def _lines(
        trips: _places.Pairs,
        rows: list[tuple[int, int, dict[str, Any]]],
        names: list[str],
        positions: Any,
        *,
        keeps_points: bool = True,
    ) -> Any:
        """A frame of rows with shapes; each row names its trip by number. Optional columns are present only if a row has them."""
        import pandas

        optional = {"static_travel_time", "waiting_time", "ascent", "descent"}
        numbers = np.array([number for _, number, _ in rows], dtype=np.int64)
        known = set().union(*(row for _, _, row in rows))
        table = _frames.typed([row for _, _, row in rows], [name for name in names if name in known or name not in optional])
        if trips.frame is None:
            own = pandas.DataFrame({"from_id": trips.origins.ids[numbers], "to_id": trips.destinations.ids[numbers]})
        else:
            own = _frames.rows_of(trips.frame, numbers)
        own = own.drop(columns=[name for name in (*table, "pair_id", "geometry") if name in own])
        own.insert(0, "pair_id", trips.ids[numbers])
        frame = pandas.concat([own, table], axis=1)
        shapes = [(first + row["shape"][0], row["shape"][1]) if "shape" in row else None for first, _, row in rows]
        return _frames.geo_frame(frame, _frames.lines(shapes, positions, keeps_points=keeps_points))

    def rides(
        self, pairs: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None
    ) -> geopandas.GeoDataFrame:
        """The vehicles of each trip by public transport.

        Args:
            pairs: as in `etas`, like the next three arguments.

        Returns:
            A GeoDataFrame with pair_id and the columns of the input as in `routes`, departure or arrival, ride (from 1),
            line, headsign, trip_id, from_stop, to_stop, departure_date, arrival_date, stops, stays_seated, distance
            (metres), … and the vehicle's line.
        """
        if not self._is_transit:
            raise UsageError("rides: only for public transport; open the network with gtfs")
        return self._transit_trips("routes", self._trips(pairs, destinations), departures, arrivals, None)["ride"]

    def _transit_trips(
        self, kind: str, trips: _places.Pairs, departures: Any, arrivals: Any, percentiles: Any
    ) -> dict[str, Any]:
        """The tables of a job of kind etas or routes, with the columns of the input."""
        with tempfile.TemporaryDirectory() as folder:
            pairs = os.path.join(folder, "pairs.csv")
            _transit.write_pairs(self._for_job(trips.origins), self._for_job(trips.destinations), pairs)
            keys = _transit.window(departures, arrivals, percentiles, self.time_zone)
            found = _transit.run(self, kind, folder, pairs=pairs, **keys)
            tables = ("route",) if kind == "etas" else ("route", "step", "ride")
            labels = (arrivals is not None, arrivals if departures is None else departures)
            return {name: _transit.trips(self, found, name, trips, *labels, kind == "routes") for name in tables}

    def _departures(self, trips: _places.Pairs, departures: Any) -> Any:
        """The departures given, else those in the frame, of which some may be missing; in the engine's format."""
        is_given = departures is not None
        if not is_given and trips.frame is not None:
            departures = _places.find(_places.columns(trips.frame), ["departure", "departure_time"])
        found = _times.times(departures, len(trips), self.time_zone)
        if is_given and found is not None and (found == NO_TIME).any():
            raise UsageError("departures: one of them is not a time")
        return found

    # Matrices

    def matrix(
        self, origins: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        percentiles: Sequence[int] | None = None, distances: bool = True,
    ) -> pandas.DataFrame:
        """All trips from some places to others, one row each.

        Args:
            origins: places: a GeoDataFrame of points, a frame with columns latitude and longitude, or an array of
                (latitude, longitude). Ids are its column `id`, else its index.
            destinations: places (default: the origins).
            departures: when trips start: one, or a list. Without departures, streets have free-flow speeds. By public
                transport, at least one departure, all on one day.
            arrivals: the same for the ends of trips, by public transport.
            percentiles: rows per percentile of the times at all departures, in place of rows per departure: of n sorted
                times the ⌈p·n/100⌉-th; departures without a trip are sorted last.
            distances: whether to compute distances, which takes half as long again; there are none by public transport
                and with percentiles.

        Returns:
            A frame with from_id, to_id, departure or arrival (if a list was given) or percentile, travel_time (seconds) and distance (metres):
            32-bit floats as in a job's .npy, NaN if there is no trip; then status ("ok", "directions_not_found",
            "placemark_not_found") and the reason if an end has no street ("origin: off_map", …).
        """
        start = self._read(origins, "origins")
        end = start if destinations is None else self._read(destinations, "destinations")
        distances = distances and not self._is_transit and percentiles is None
        cells = self.matrix_array(
            start, end, departures=departures, arrivals=arrivals, percentiles=percentiles, distances=distances
        )
        seconds, metres = cells if distances else (cells, None)
        hours = 1 if seconds.ndim == 2 else seconds.shape[1]
        numbers = np.repeat(np.arange(len(start)), hours * len(end)), np.tile(np.arange(len(end)), len(start) * hours)
        if start.kind == "polars":
            table = {"from_id": start.ids[numbers[0]], "to_id": end.ids[numbers[1]]}
        else:
            table = {"from_id": _frames.categories(start.ids, numbers[0]), "to_id": _frames.categories(end.ids, numbers[1])}
        if seconds.ndim == 3:
            name, labels = ("departure", departures) if arrivals is None else ("arrival", arrivals)
            if percentiles is not None:
                name, labels = "percentile", percentiles
            table[name] = np.tile(np.repeat(_times.labels(labels), len(end)), len(start))
        table["travel_time"] = seconds.reshape(-1)
        if metres is not None:
            table["distance"] = metres.reshape(-1)
        table |= self._cell_words(start, end, np.isnan(seconds), start.kind)
        return _frames.frame(table, start.kind)

    def _cell_words(self, start: _places.Places, end: _places.Places, is_missing: Any, like: str) -> dict[str, Any]:
        """Status and reason of each cell, origins by destinations, or origins by departures by destinations."""
        statuses: list[str | None] = ["ok", "directions_not_found", "placemark_not_found"]
        reasons: list[str | None] = [None]
        status = is_missing.astype(np.int8)
        reason = np.zeros(is_missing.shape, dtype=np.int16)
        shape = (len(start),) + (1,) * (is_missing.ndim - 1)
        if is_missing.size:
            # Only places without any trip can be without a street.
            others = tuple(range(1, is_missing.ndim))
            ends = (
                ("origin", self._place_reasons(start, is_missing.all(axis=others)), shape),
                ("destination", self._place_reasons(end, is_missing.all(axis=tuple(range(is_missing.ndim - 1)))), (len(end),)),
            )
            codes = []
            for _, found, size in ends:
                codes.append(np.array([0 if why is None else 1 + PLACE_REASONS.index(why) for why in found], dtype=np.int16).reshape(size))
            for first in (None, *PLACE_REASONS):
                for second in (None, *PLACE_REASONS):
                    parts = [f"{end}: {why}" for end, why in (("origin", first), ("destination", second)) if why]
                    if parts:
                        reasons.append(", ".join(parts))
            reason[...] = codes[0] * (1 + len(PLACE_REASONS)) + codes[1]
            status[np.broadcast_to((codes[0] > 0) | (codes[1] > 0), status.shape)] = 2
        return {
            "status": _frames.words(status.reshape(-1), statuses, like), "reason": _frames.words(reason.reshape(-1), reasons, like)
        }

    @overload
    def matrix_array(
        self, origins: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        percentiles: Sequence[int] | None = None, distances: Literal[False] = False,
    ) -> npt.NDArray[np.float32]: ...

    @overload
    def matrix_array(
        self, origins: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        percentiles: Sequence[int] | None = None, distances: Literal[True],
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]: ...

    @overload
    def matrix_array(
        self, origins: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        percentiles: Sequence[int] | None = None, distances: bool,
    ) -> Any: ...

    def matrix_array(
        self, origins: Any, destinations: Any = None, *, departures: Any = None, arrivals: Any = None,
        percentiles: Sequence[int] | None = None, distances: bool = False,
    ) -> Any:
        """`matrix` as an array of seconds: origins by destinations or, with a list of departures, origins by departures by
        destinations. With `distances`, a second array has metres."""
        start = self._read(origins, "origins")
        end = start if destinations is None else self._read(destinations, "destinations")
        if self._is_transit:
            if distances:
                raise UsageError("distances: a matrix by public transport has none; leave it out")
            return self._transit_cells(start, end, departures, arrivals, percentiles)
        self._require_streets("matrix", arrivals=arrivals)
        if percentiles is not None:
            if distances:
                raise UsageError("distances: percentiles are of travel times only; leave it out")
            ranks = _transit.percentages(percentiles)
            assert ranks is not None
            cells = self.matrix_array(start, end, departures=departures)
            if cells.ndim != 3:
                raise UsageError("percentiles: they need the times at several departures; pass a list of them")
            # Cells without a trip are sorted to the end.
            cells.sort(axis=1)
            return cells[:, np.maximum(1, (ranks * cells.shape[1] + 99) // 100) - 1]
        moments = np.array([NO_TIME]) if departures is None else _times.moments(departures, self.time_zone)
        shape = (len(start), len(end)) if _times.is_one(departures) else (len(start), len(moments), len(end))
        seconds = np.empty(shape, dtype=np.float32)
        metres = np.empty(shape, dtype=np.float32) if distances else None
        stride = int(np.prod(shape[1:], dtype=np.int64))
        for number, moment in enumerate(moments):
            start_of = [
                None if cells is None else cells.ctypes.data + 4 * number * len(end) for cells in (seconds, metres)
            ]
            self._engine.call(
                "matrix", start.c, end.c, int(moment), stride, *start_of, is_short=len(start) * len(end) < 10_000
            )
        return (seconds, metres) if distances else seconds

    def _transit_cells(
        self, start: _places.Places, end: _places.Places, departures: Any, arrivals: Any, percentiles: Any
    ) -> npt.NDArray[np.float32]:
        moments, is_arrival, is_list = _transit.moments(departures, arrivals, self.time_zone)
        ranks = _transit.percentages(percentiles)
        rows = len(moments) if ranks is None else len(ranks)
        seconds = np.empty((len(start), rows, len(end)), dtype=np.float32)
        self._engine.call(
            "transit_matrix", start.c, end.c, pointer(moments), len(moments), int(is_arrival), pointer(ranks),
            0 if ranks is None else len(ranks), pointer(seconds),
        )
        return seconds if is_list or ranks is not None else seconds[:, 0]

    def nearest(
        self, origins: Any, destinations: Any, count: int = 1, *, within: float | None = None, departure: Any = None
    ) -> pandas.DataFrame:
        """The nearest few destinations of each origin, by time.

        Args:
            origins: places, as in `matrix`.
            destinations: places.
            count: the maximum number of destinations per origin.
            within: the longest trip, in seconds.
            departure: when trips start; determines which streets are open and, with `speeds` or `traffic`, how fast.

        Returns:
            A frame with from_id, to_id, rank (from 1), travel_time (seconds), distance (metres), status and reason. An
            origin that reaches no destination has one row with rank 0 and no to_id; its status is "placemark_not_found"
            (with the reason: "off_map", "no_street", "island", "invalid"), "beyond_limit" or "directions_not_found".
        """
        self._require_streets("nearest")
        start, end = self._read(origins, "origins"), self._read(destinations, "destinations")
        shape = (len(start), _count(count, "count"))
        found, seconds, metres = np.empty(shape, dtype=np.int64), np.empty(shape), np.empty(shape)
        self._engine.call(
            "nearest", start.c, end.c, shape[1], math.inf if within is None else _number(within, "within"),
            _times.moment(departure, self.time_zone), pointer(found), pointer(seconds), pointer(metres),
        )
        is_missing = found[:, 0] < 0
        reasons = self._place_reasons(start, is_missing)
        status = np.where(is_missing, "directions_not_found", "ok").astype(object)
        status[is_missing & np.array([why is not None for why in reasons], dtype=bool)] = "placemark_not_found"
        if within is not None:
            rows = np.flatnonzero(status == "directions_not_found")
            if len(rows):
                anywhere = self.nearest(start[rows], end, departure=departure)
                status[rows[(anywhere["status"] == "ok").to_numpy()]] = "beyond_limit"
        is_row = found >= 0
        is_row[:, 0] = True
        row, rank = np.nonzero(is_row)
        is_none = is_missing[row]
        to = _frames.optional(end.ids, found[row, rank], is_none, start.kind)
        table = {
            "from_id": start.ids[row], "to_id": to, "rank": np.where(is_none, 0, rank + 1),
            "travel_time": seconds[row, rank], "distance": metres[row, rank], "status": status[row], "reason": reasons[row],
        }  # fmt: skip
        return _frames.frame(table, start.kind)

    def isochrones(
        self, places: Any, limits: Sequence[float], *, direction: str = "from", buffer: float = 30, departure: Any = None,
        departures: Any = None, arrivals: Any = None, percentiles: Sequence[int] | None = None,
    ) -> geopandas.GeoDataFrame:
        """The area within each time limit of each place: the streets reached in time, cut exactly at the limit, and their
        surroundings.

        Args:
            places: as in `matrix`.
            limits: seconds.
            direction: "from" for trips from the places, "to" for trips to them.
            buffer: how far areas extend beyond their streets, in metres.
            departure: when trips start; determines which streets are open and, with `speeds` or `traffic`, how fast.
            departures: by public transport, when trips from the places start: one, or a list on one day; limits are
                then whole seconds.
            arrivals: with direction "to", when trips to the places end; a list only by public transport.
            percentiles: by public transport, areas by percentile of the times at all departures.

        Returns:
            A GeoDataFrame with a row per place and limit: id, departure, arrival or percentile (by public transport), status,
            reason (why a place has no street, or "closed"), travel_time (the limit), area (whole square metres), street_length (whole
            metres) and a multipolygon. Unless the status is "ok", the multipolygon is empty and the two sizes are NaN.
        """
        _require_direction(direction)
        start = self._read(places, "places")
        seconds = _limits(limits, are_whole=self._is_transit)
        if self._is_transit:
            departures = departure if departures is None else departures
            if departures is None and arrivals is not None and direction == "from":
                raise UsageError("arrivals: areas from a place are computed by departure; use departures")
            if departures is not None and direction == "to":
                raise UsageError("departures: areas to a place are computed by arrival; use arrivals")
            return self._transit_areas(start, seconds, direction, buffer, departures, arrivals, percentiles)
        self._require_streets("isochrones", departures=departures, percentiles=percentiles)
        if arrivals is not None and (direction == "from" or departure is not None):
            raise UsageError("arrivals: only for trips to a place; expected direction=\"to\", and no departure")
        if direction == "to" and departure is not None and not {"speeds", "traffic"}.isdisjoint(self._options):
            raise UsageError("departure: with observed speeds, trips to a place need an arrival; use arrivals")
        moment, name = (departure, "departure") if arrivals is None else (arrivals, "arrivals")
        parts, positions = self._engine.ask(
            "isochrones", start.c, pointer(seconds), len(seconds), _number(buffer, "buffer"), int(direction == "to"),
            _times.moment(moment, self.time_zone, name),
        )
        # A place without a street is one row; like any other place it gets one for each limit.
        rows = [
            (first, row | {"travel_time": limit}) for first, row in rows_with_shapes(parts)
            for limit in ([row["travel_time"]] if "travel_time" in row else seconds)
        ]  # fmt: skip
        is_missing = np.zeros(len(start), dtype=bool)
        is_missing[[row["place"] for _, row in rows if row["status"] == "placemark_not_found"]] = True
        reasons = self._place_reasons(start, is_missing)
        for _, row in rows:
            row["reason"] = "closed" if row["status"] == "directions_not_found" else reasons[row["place"]]
        table = _frames.typed([row for _, row in rows], ("status", "reason", "travel_time", "area", "street_length"))
        table.insert(0, "id", start.ids[[row["place"] for _, row in rows]])
        # Whole metres, as in a job.
        table[["area", "street_length"]] = np.floor(table[["area", "street_length"]] + 0.5)
        shapes = [
            [[(first + begin, count) for begin, count in rings] for rings in row.get("polygons", [])] for first, row in rows
        ]
        return _frames.geo_frame(table, [_frames.areas(polygons, positions) for polygons in shapes])

    def _transit_areas(
        self, start: _places.Places, seconds: Any, direction: str, buffer: float, departures: Any, arrivals: Any,
        percentiles: Any,
    ) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            origins = os.path.join(folder, "origins.csv")
            _places.write(self._for_job(start), origins, {})
            keys = _transit.window(departures, arrivals, percentiles, self.time_zone)
            found = _transit.run(
                self, "isochrones", folder, origins=origins, thresholds=[limit / 60 for limit in seconds.tolist()],
                direction=direction, buffer=_number(buffer, "buffer"), **keys,
            )
            rows = _transit.rows(found, "isochrone", len(start))
            numbers = rows["place_id"].to_numpy()
            reasons = self._place_reasons(start, np.isin(np.arange(len(start)), numbers[rows["status"] == "placemark_not_found"]))
            table = {"id": start.ids[numbers]}
            table |= _transit.axis(rows, arrivals is not None, arrivals if departures is None else departures)
            status = rows["status"].to_numpy()
            table |= {"status": status, "reason": np.where(status == "directions_not_found", "closed", reasons[numbers])}
            table |= {"travel_time": rows["threshold"].to_numpy(float), "area": rows["area"].to_numpy(float)}
            table["street_length"] = rows["street_length"].to_numpy(float)
            return _frames.geo_frame(table, rows.geometry.fillna(_frames.areas([], np.empty((0, 2)))).to_numpy())

    # Access

    def access(
        self, origins: Any, stations: Any, limits: Sequence[float] = (300, 600, 900), *, nearest: int = 1,
        weights: Sequence[str] = (), direction: str = "to", departure: Any = None, departures: Any = None,
        percentiles: Sequence[int] | None = None,
    ) -> Access:
        """The shares of origins that reach a station within each time: runs a job of kind access and reads its results.

        Args:
            origins: places, as in `matrix`; the columns named by `weights` are summed.
            stations: places, or the path of a GTFS zip, a CSV or a GeoJSON file.
            limits: whole seconds.
            nearest: the maximum number of stations per origin.
            weights: columns of the origins, such as "population", with numbers from 0.
            direction: "to" the stations or "from" them.
            departure: when trips start; determines which streets are open and, with `speeds` or `traffic`, how fast.
            departures: by public transport, when trips start: one, or a list on one day; the frames number them from 1
                in column departure.
            percentiles: by public transport, rows per percentile of the times at all departures.

        Returns:
            The nearest stations of each origin, the shares of origins and weights, and the origins and weights that
            each station serves.
        """
        _require_direction(direction)
        start = self._read(origins, "origins")
        end = None if isinstance(stations, (str, os.PathLike)) else self._read(stations, "stations")
        for places, name in ((start, "origins"), (end, "stations")):
            if places is not None and not len(places):
                raise UsageError(f"{name}: got no places, expected at least one")
        weights = [weights] if isinstance(weights, str) else list(weights)
        columns = _places.columns(origins) if _places.is_frame(origins) else {}
        for name in weights:
            if name not in columns:
                raise UsageError(f"weights: no column {name}; there are {', '.join(columns) or 'none'}")
        keys: dict[str, Any] = {
            "direction": direction, "nearest": _count(nearest, "nearest"), "weights": weights,
            "thresholds": [limit / 60 for limit in _limits(limits, are_whole=True).tolist()],
        }  # fmt: skip
        if self._is_transit:
            keys |= _transit.window(departure if departures is None else departures, None, percentiles, self.time_zone)
        else:
            self._require_streets("access", departures=departures, percentiles=percentiles)
            if departure is not None:
                keys["departureDate"] = _times.with_zone(departure, self.time_zone)
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, name) for name in ("origins.csv", "stations.csv")]
            _places.write(self._for_job(start), files[0], {name: columns[name] for name in weights})
            if end is None:
                files[1] = os.path.abspath(stations)
            else:
                _places.write(self._for_job(end), files[1], {})
            return Access.of(_transit.run(self, "access", folder, origins=files[0], stations=files[1], **keys), start, end)

    # Traces

    def match(
        self, fixes: Any, *, trace: str | None = None, time: str | None = None, accuracy: str | None = None,
        speed: str | None = None, course: str | None = None, received: str | None = None,
    ) -> Matches:
        """The streets that traces followed.

        Args:
            fixes: places in the order of recording, with further columns; columns not named here are found by the names
                that kind traces recognizes.
            trace: the column with the trace's id (`trace_id`, `trip_id`, …); without one, all fixes belong to one
                trace.
            time: the column with the time (`time`, `timestamp`, …), in the map's time zone if it has none; numbers are
                seconds or milliseconds since 1970.
            accuracy: the column with the standard deviation in metres (`accuracy`, `horizontal_accuracy`).
            speed: the column with the measured speed in metres per second (`speed`).
            course: the column with the direction in degrees clockwise from north (`course`, `bearing`, `heading`).
            received: the column with the time at which a fix was received (`received`), like `time`; fixes received a
                minute or more after their time are dropped.
        """
        places = self._read(fixes, "fixes")
        table = _places.columns(fixes) if _places.is_frame(fixes) else {}

        def column(given: str | None, *names: str) -> Any | None:
            if given is None:
                return _places.find(table, names)
            if given not in table:
                raise UsageError(f"fixes: no column {given}; there are {', '.join(table) or 'none'}")
            return table[given]

        def numbers(found: Any | None, name: str) -> Any | None:
            return None if found is None else _places.floats(found, name)

        def moments(found: Any | None, name: str) -> Any | None:
            return None if found is None else _seconds(found, len(places), self.time_zone, name)

        trace_column = column(trace, "trace_id", "trace", "trip_id", "track_id", "trackid")
        ids = np.zeros(len(places), dtype=np.int64) if trace_column is None else _places.as_array(trace_column)
        # Only a missing id differs from itself.
        missing = [row for row, own in enumerate(ids.tolist()) if own is None or own != own]
        if missing:
            raise UsageError(f"{trace or 'trace_id'}: row {missing[0]} has none, expected the id of a trace in each row")
        ends = np.flatnonzero(ids[1:] != ids[:-1]) + 1 if len(ids) else np.empty(0, dtype=np.int64)
        ends = np.ascontiguousarray(np.append(ends, len(ids)) if len(ids) else ends, dtype=np.int64)
        names = ids[ends - 1] if len(ids) else ids
        if len(set(names.tolist())) != len(names):
            name = trace or "trace_id"
            raise UsageError(f"{name}: fixes of a trace are not contiguous; sort the frame by {name}")
        seconds = moments(column(time, "time", "timestamp", "date", "datetime"), "time")
        metres = numbers(column(accuracy, "accuracy", "horizontal_accuracy"), "accuracy")
        speeds = numbers(column(speed, "speed"), "speed")
        courses = numbers(column(course, "course", "bearing", "heading"), "course")
        arrived = moments(column(received, "received"), "received")
        parts, positions = self._engine.ask(
            "match", places.c, pointer(seconds), pointer(metres), pointer(speeds), pointer(courses), pointer(arrived),
            pointer(ends), len(ends),
        )
        return Matches.of(rows_with_shapes(parts), names, positions)


@dataclass
class Access:
    """Shares of origins that reach a station within each time; seconds and metres, as in the tables of a job."""

    nearest: pandas.DataFrame
    """One row per origin and rank: origin_id, rank, station_id (missing if no station is reached), expected_travel_time,
    distance, status."""
    shares: pandas.DataFrame
    """threshold, measure ("origins" and each weight), value within the threshold, total and share."""
    services: pandas.DataFrame
    """station_id, threshold, measure, value and share that reach the station within the threshold."""

    @staticmethod
    def of(found: results.Results, origins: _places.Places, stations: _places.Places | None) -> Access:
        """The tables of a job whose places have their numbers as ids; stations of a file have their own."""
        names = ("access", "access_share", "station_service")
        frames = [found.table(name).drop(columns="geometry", errors="ignore") for name in names]
        for frame in frames:
            for column, places in (("origin_id", origins), ("station_id", stations)):
                if column not in frame:
                    continue
                is_none = frame[column].isna().to_numpy()
                if places is not None:
                    numbers = np.where(is_none, 0, frame[column].to_numpy()).astype(np.int64)
                    frame[column] = _frames.optional(places.ids, numbers, is_none, "pandas")
                elif frame[column].dtype == float:
                    # Numbers, of which some are missing.
                    frame[column] = frame[column].astype("Int64")
        return Access(*frames)


@dataclass
class Matches:
    """Traces matched to streets."""

    traces: pandas.DataFrame
    """A frame with trace_id, status, status_reason, sigma (the fixes' standard deviation in metres), distance, travel_time
    (expected on the streets), off_road_length (metres), u_turn_count."""
    parts: geopandas.GeoDataFrame
    """A GeoDataFrame of stretches without a break: trace_id, part (from 0), begin_reason ("start", or the cause of the break
    before it: "gap", "unreachable", "off_road"), name, first_fix, last_fix, distance, travel_time, observed_time (by the
    fixes' times), departure_date and arrival_date (UTC), and a line."""
    streets: pandas.DataFrame
    """A frame with trace_id, part, street, distance, travel_time, observed_time, in the order of travel."""
    stops: pandas.DataFrame
    """A frame of stops: trace_id, seconds, arrival_date, departure_date (UTC); `fixes` has the positions at these times."""
    fixes: pandas.DataFrame
    """A frame in the order of the input: trace_id, n (from 0 in each trace), kept, reason (why it was dropped or not matched), date (UTC),
    part, snap_distance (metres to its place on the street), along (metres from the part's start), and latitude and longitude
    of that place, not of the fix."""

    @staticmethod
    def of(rows: list[tuple[int, Any]], names: Any, positions: Any) -> Matches:
        traces: list[Any] = []
        parts: list[Any] = []
        shapes: list[tuple[int, int]] = []
        streets: list[Any] = []
        stops: list[Any] = []
        fixes: list[Any] = []
        for first, row in rows:
            own = {"trace_id": names[int(row["trace_id"])]}
            traces.append(row | own)
            for part in row["parts"]:
                parts.append(part | own)
                shapes.append((first + part["shape"][0], part["shape"][1]))
                streets += [own | {"part": part["part"]} | street for street in part["streets"]]
            stops += [own | stop for stop in row["stops"]]
            for fix in row["fixes"]:
                longitude, latitude = fix.pop("matched", (math.nan, math.nan))
                fixes.append(own | fix | {"latitude": latitude, "longitude": longitude})
        frames = [
            _frames.typed(rows, ["trace_id", *words.split()])
            for rows, words in (
                (traces, "status status_reason sigma distance expected_travel_time off_road_length u_turn_count"),
                (parts, "part begin_reason name first_fix last_fix distance expected_travel_time observed_time departure_date arrival_date"),
                (streets, "part street distance expected_travel_time observed_time"),
                (stops, "seconds arrival_date departure_date"),
                (fixes, "n kept reason date part snap_distance along latitude longitude"),
            )
        ]
        frames[1] = _frames.geo_frame(frames[1], _frames.lines(shapes, positions))
        return Matches(*frames)


def _seconds(column: Any, count: int, zone: str, name: str) -> Any:
    """Times of fixes in Unix seconds; numbers are seconds or milliseconds, as in a job."""
    from datetime import datetime, timezone
    from zoneinfo import ZoneInfo

    array = _places.as_array(column)
    if array.dtype.kind in "iuf":
        found = _places.floats(array, name)
        odd = found[np.abs(found) >= 1e14]
        if len(odd):
            raise UsageError(f"{name}: got {odd[0]:.0f}, expected seconds or milliseconds since 1970")
        return np.where(np.abs(found) < 1e11, found, found / 1000)
    if _times.has_zone(column):
        moments = _times.times(column, count, "UTC", name)
        return None if moments is None else np.where(moments == NO_TIME, math.nan, moments / 1000)
    local = _times.times(column, count, zone, name)
    place = ZoneInfo(zone)

    def unix_seconds(milliseconds: int) -> float:
        if milliseconds == NO_TIME:
            return math.nan
        moment = datetime.fromtimestamp(milliseconds / 1000, timezone.utc).replace(tzinfo=place)
        return moment.timestamp()

    return np.array([unix_seconds(int(value)) for value in (() if local is None else local)], dtype=np.float64)


def _count(count: int, name: str) -> int:
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or not 1 <= count <= 1_000_000:
        raise UsageError(f"{name}: got {count!r}, expected a whole number from 1 to 1000000")
    return int(count)


def _limits(limits: Any, *, are_whole: bool) -> Any:
    """Limits as an array of seconds, checked."""
    seconds = _places.floats([limits] if np.isscalar(limits) else limits, "limits")
    if not len(seconds):
        raise UsageError("limits: got an empty list, expected at least one")
    odd = seconds[~((seconds >= 1) & (seconds <= 86_400)) | (are_whole & (seconds % 1 != 0))]
    if len(odd):
        raise UsageError(f"limits: got {odd[0]}, expected {'whole ' if are_whole else ''}seconds from 1 to 86400")
    return seconds


def _require_direction(direction: str) -> None:
    if direction not in ("from", "to"):
        raise UsageError(f"direction: got {direction!r}, expected \"from\" or \"to\"")


def _number(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name}: got {value!r}, expected a number") from None


def _path(path: Any, name: str) -> str | None:
    if path is not None and not isinstance(path, (str, os.PathLike)):
        raise UsageError(f"{name}: got {path!r}, expected a path")
    return None if path is None else os.path.abspath(path)


def _speeds(given: Any) -> str | None:
    """A path, or JSON as in a job."""
    if given is None or isinstance(given, (str, os.PathLike)):
        return _path(given, "speeds")
    files = [given] if isinstance(given, Mapping) else list(given)
    return json.dumps(
        [
            dict(file) | ({"file": _path(file["file"], "speeds")} if "file" in file else {})
            if isinstance(file, Mapping) else _path(file, "speeds")
            for file in files
        ]
    )


def command(words: Sequence[str]) -> str:
    """Runs the program in a separate process and returns its output. Raises an error with its message if it fails."""
    done = subprocess.run([sys.executable, "-m", "odometer", *words], capture_output=True, text=True)
    if done.returncode:
        sentence = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
        error = UsageError if done.returncode == 2 else InputError
        raise error(as_arguments(sentence.removeprefix("odometer: ")), done.returncode)
    return done.stdout
