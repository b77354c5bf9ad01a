"""Trips on a Spark cluster: each executor runs the engine on its node's network file.

    from odometer import spark as odometer_spark
    trips = odometer_spark.etas(frame, "/mnt/maps/porto.network")
    cells = odometer_spark.matrix(
        origins, destinations, "/mnt/maps/porto-walking.network", gtfs="/mnt/maps/stcp.zip",
        departures=["2026-11-23T07:00", "2026-11-23T07:30"], percentiles=[50])          # by public transport

The network is a path that every node sees (a mount), or one that `SparkContext.addFile` ships. The first task on a node
copies it into the node's cache; all executors there share its memory.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from odometer import _frames, _places
from odometer._library import STATUSES, UsageError, install
from odometer.network import Network

BATCH = 10_000_000
"""Matrix cells that a task has in memory at a time."""


def default_cache() -> str:
    """The folder for a node's networks: `ODOMETER_CACHE`, or one per user in the temporary folder."""
    return os.environ.get("ODOMETER_CACHE") or os.path.join(tempfile.gettempdir(), f"odometer-{os.getuid()}")


@lru_cache(maxsize=4)
def opened(network: str, cache: str | None, options: str) -> Network:
    """The network in this executor: copied to its node, and opened once per process. `options` is JSON."""
    path = network
    if not os.path.exists(path):
        from pyspark import SparkFiles

        path = SparkFiles.get(os.path.basename(network))
        if not os.path.exists(path):
            raise UsageError(
                f"network: {network} does not exist on this node; use a path that all nodes can read, or call "
                "spark.sparkContext.addFile with it first"
            )
    # A task has one core, so the engine runs one thread.
    folder = cache or default_cache()
    known: dict[str, Any] = {"workers": 1, "cache": folder}
    return Network(install(path, folder), **known | json.loads(options))


def _named(network: Any) -> str:
    path = network.path if isinstance(network, Network) else os.fspath(network)
    if not path.endswith(".network"):
        raise UsageError(f"network: got {path}, expected a network file: Network.build(map, by, output=\"name.network\")")
    return os.path.abspath(path) if os.path.exists(path) else path


def _key(network: Any, cache: str | None, options: dict[str, Any]) -> tuple[str, str | None, str]:
    """The arguments of `opened`."""
    return _named(network), cache, json.dumps(options, sort_keys=True, default=os.fspath)


def etas(frame: Any, network: Any, *, departures: str | None = None, cache: str | None = None, **options: Any) -> Any:
    """Time and distance of each trip of a Spark frame.

    Args:
        frame: with columns such as origin_lat, origin_lon, destination_lat, destination_lon.
        network: a network file.
        departures: the name of the column of departures, in the map's time zone or with a zone.
        cache: the folder for a node's networks (default: `default_cache()`).
        options: as in `odometer.Network`.

    Returns:
        The frame with columns status, travel_time (seconds) and distance (metres), which are null unless the status is
        "ok".
    """
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType

    if "gtfs" in options:
        raise UsageError("gtfs: etas computes trips on streets only; matrix also uses public transport")
    key = _key(network, cache, options)
    # An empty frame checks the columns here rather than on the cluster.
    _places.pairs({name: np.empty(0) for name in frame.columns}, None)
    added = [("status", StringType()), ("travel_time", DoubleType()), ("distance", DoubleType())]
    own = [field for field in frame.schema.fields if field.name not in dict(added)]
    schema = StructType(own + [StructField(name, type) for name, type in added])
    names = [field.name for field in own]

    def compute(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        words = pyarrow.array(STATUSES)
        for batch in batches:
            table = _places.columns(batch)
            trips = _places.pairs(table, None)
            moments = None if departures is None else table[departures]
            status, seconds, metres = opened(*key).eta_arrays(trips.origins, trips.destinations, departures=moments)
            missing = status != 0
            arrays = [batch.column(name) for name in names]
            arrays.append(words.take(pyarrow.array(status)))
            arrays += [pyarrow.array(values, mask=missing) for values in (seconds, metres)]
            yield pyarrow.RecordBatch.from_arrays(arrays, names + [name for name, _ in added])

    return frame.mapInArrow(compute, schema)


def matrix(
    origins: Any, destinations: Any, network: Any, *, distances: bool = True, departure: Any = None,
    departures: Any = None, percentiles: Sequence[int] | None = None, cache: str | None = None, **options: Any,
) -> Any:
    """All trips from the places of a Spark frame to others, one row each.

    Args:
        origins: a Spark frame with columns id, latitude and longitude; its partitions are the tasks.
        destinations: places as in `Network.matrix`, or a Spark frame, which is sent to every task as a whole.
        network: a network file.
        distances: whether to compute distances; there are none by public transport and with percentiles.
        departure: when trips start.
        departures: a list of departures, as in `Network.matrix`.
        percentiles: a row per percentile of the times at all departures, in place of one per departure.
        cache: as in `etas`.
        options: as in `odometer.Network`. With `gtfs` (a path that every node sees), trips use public transport.

    Returns:
        A frame with from_id, to_id, departure (from 1, if a list was given) or percentile, travel_time (seconds) and
        distance (metres), 32-bit floats; null if there is no trip.
    """
    from pyspark.sql.types import FloatType, IntegerType, LongType, StringType, StructField, StructType

    distances = distances and "gtfs" not in options and percentiles is None
    key = _key(network, cache, options)
    numbers = percentiles if percentiles is not None else None if departures is None else range(1, len(departures) + 1)
    identifier = _places.named(origins.columns, _places.IDS)
    if identifier is None:
        raise UsageError(f"origins: no column id; there are {', '.join(origins.columns)}")
    _places.places({name: np.empty(0) for name in origins.columns}, "origins")
    if _places.kind(destinations) == "pyspark":
        destinations = destinations.toPandas()
    end = _places.places(destinations, "destinations")
    is_number = np.issubdtype(end.ids.dtype, np.integer)
    fields = [
        StructField("from_id", origins.schema[identifier].dataType),
        StructField("to_id", LongType() if is_number else StringType()),
        *([] if numbers is None else [StructField("departure" if percentiles is None else "percentile", IntegerType())]),
        StructField("travel_time", FloatType()),
    ]
    if distances:
        fields.append(StructField("distance", FloatType()))
    names = [field.name for field in fields]
    ids = end.ids.astype(np.int64) if is_number else np.array([str(value) for value in end.ids], dtype=object)
    end = _places.Places(ids, end.latitudes, end.longitudes, "numpy")

    def compute(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        destination_ids = pyarrow.array(end.ids, pyarrow.int64() if is_number else pyarrow.string())
        hours = 1 if numbers is None else len(numbers)
        step = max(1, BATCH // max(1, len(end) * hours))
        for batch in batches:
            for first in range(0, batch.num_rows, step):
                part = batch.slice(first, step)
                start = _places.places(_places.columns(part), "origins")
                cells = opened(*key).matrix_array(
                    start, end, departures=departure if departures is None else departures, percentiles=percentiles,
                    distances=distances,
                )
                rows = len(start)
                arrays = [
                    part.column(identifier).take(pyarrow.array(np.repeat(np.arange(rows), hours * len(end)))),
                    destination_ids.take(pyarrow.array(np.tile(np.arange(len(end)), rows * hours))),
                ]
                if numbers is not None:
                    hour = np.tile(np.repeat(np.array(numbers, dtype=np.int32), len(end)), rows)
                    arrays.append(pyarrow.array(hour, pyarrow.int32()))
                for values in cells if distances else (cells,):
                    flat = values.reshape(-1)
                    arrays.append(pyarrow.array(flat, mask=np.isnan(flat)))
                yield pyarrow.RecordBatch.from_arrays(arrays, names)

    return origins.mapInArrow(compute, StructType(fields))
