"""Jobs, and their results."""

from __future__ import annotations

import html
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from odometer._library import FewAnswers, InputError, UsageError, as_arguments

if TYPE_CHECKING:
    import pandas

Progress = Callable[[int, int, str], None]
"""A progress callback: rows done, rows in total, and their unit ("routes", "cells")."""


class Results:
    """The results of a job: a folder with results.sqlite, which is a GeoPackage, and a page.

        results = odometer.run("jobs/helsinki-access.json5")
        results.table("access_share")           # a frame; a GeoDataFrame if the table has geometries
        results.array("travel_times")           # for a matrix: a NumPy array, mapped from its file
    """

    def __init__(self, path: str | os.PathLike[str]):
        """Opens a folder of finished results.

        Raises:
            InputError: there are no results.
        """
        self.path = Path(path)
        """The folder."""
        self.database = self.path / "results.sqlite"
        """The database; GIS programs can open it, too."""
        if not self.database.is_file():
            raise InputError(f"{self.path}: no results here; expected a folder with results.sqlite", 3)

    def __repr__(self) -> str:
        return f"<Results of kind {self.job.get('kind', '?')} in {self.path}: {self.headline}>"

    def _repr_html_(self) -> str:
        if not self.report.is_file():
            return f"<p>{html.escape(self.headline)}</p>"
        content = html.escape(self.report.read_text(encoding="utf-8"), quote=True)
        title = html.escape(self.headline, quote=True)
        return f'<iframe title="{title}" srcdoc="{content}" width="100%" height="720" style="border:0"></iframe>'

    @property
    def headline(self) -> str:
        """The results in one sentence."""
        return self.job.get("headline", "")

    @property
    def missing(self) -> str:
        """A summary of what is missing, in one line; empty if nothing is."""
        return self.job.get("missing", "")

    @property
    def report(self) -> Path:
        """The page with the map, to open in a browser."""
        return self.path / "report.html"

    @property
    def job(self) -> dict[str, str]:
        """Table `job`: input, settings and time of the run."""
        return dict(self._query("SELECT key, value FROM job"))

    @property
    def tables(self) -> list[str]:
        """The names of the tables and views."""
        found = self._query("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY rowid")
        return [name for (name,) in found if not name.startswith(("gpkg_", "rtree_", "sqlite_"))]

    def table(self, name: str) -> pandas.DataFrame:
        """A table or a view: times in seconds (in view `od`, minutes), distances in metres, geometries in degrees of WGS 84.

        Raises:
            UsageError: there is no such table.
        """
        import pandas

        known = self._query("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?", name)
        if not known:
            raise UsageError(f"there is no table {name}; there are {', '.join(self.tables)}")
        with closing(sqlite3.connect(self._address, uri=True)) as results:
            frame = pandas.read_sql_query(f"SELECT * FROM {json.dumps(name)}", results)
        shapes = self._query("SELECT column_name FROM gpkg_geometry_columns WHERE table_name = ?", name)
        if not shapes:
            return frame
        import geopandas
        import shapely

        from odometer.export import _without_header

        column = shapes[0][0]
        blobs = [None if blob is None else _without_header(blob) for blob in frame[column]]
        return geopandas.GeoDataFrame(frame.drop(columns=[column]), geometry=shapely.from_wkb(blobs), crs=4326)

    def array(self, name: str = "travel_times") -> npt.NDArray[np.float32]:
        """A matrix's NumPy file, mapped: "travel_times" in seconds, "distances" in metres; NaN if there is no trip.

        Raises:
            InputError: the job wrote no such file, since its key `format` has no npy, or the file is corrupt.
        """
        from odometer.export import _mapped

        file = self.path / f"{name}.npy"
        if not file.is_file():
            raise InputError(f"{file}: no such file; a matrix job writes it with format: [\"npy\"]", 3)
        cells: npt.NDArray[np.float32] = _mapped(file)
        return cells

    def export(self, path: str | os.PathLike[str], table: str | None = None) -> None:
        """Same as `odometer.export`."""
        from odometer.export import export

        export(self.path, path, table)

    @property
    def _address(self) -> str:
        return f"{self.database.resolve().as_uri()}?mode=ro"

    def _query(self, query: str, *values: str) -> list[Any]:
        with closing(sqlite3.connect(self._address, uri=True)) as results:
            try:
                return results.execute(query, values).fetchall()
            except sqlite3.Error as error:
                raise InputError(f"{self.database}: {error}", 3) from None


def run(
    job: str | os.PathLike[str] | Mapping[str, Any], *, output: str | os.PathLike[str] | None = None,
    workers: int | None = None, fresh: bool = False, cache: str | os.PathLike[str] | None = None,
    progress: bool | Progress = True,
) -> Results:
    """Runs a job in a separate process, or resumes an unfinished run.

    Args:
        job: a job file, or its keys as a dictionary; paths in it are relative to the working folder.
        output: the folder for results (default: the job's key `output`).
        workers: threads (default: one per core).
        fresh: whether to discard previous results and start from scratch.
        cache: a folder for network and timetable files (default: next to the map and the feeds).
        progress: whether to show progress, in a notebook or on the terminal; or a callback.

    Raises:
        UsageError: the job is invalid; the message names the key.
        InputError: its input cannot be read, or its results cannot be written.
        FewAnswers: it finished, but no row is ok, or the share of ok rows is below `minimumShare`; the error has the
            results.
    """
    words = [sys.executable, "-m", "odometer", "run", "--progress", "json"]
    if output is not None:
        words.append(f"--output={os.fspath(output)}")
    if workers is not None:
        words.append(f"--workers={workers}")
    if fresh:
        words.append("--fresh")
    if cache is not None:
        words.append(f"--cache={os.fspath(cache)}")
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(job, Mapping):
            path = os.path.join(folder, "job.json5")
            Path(path).write_text(_text(job), encoding="utf-8")
        elif isinstance(job, (str, os.PathLike)):
            path = os.fspath(job)
        else:
            raise UsageError(f"job: got {job!r}, expected a job file, or its keys as a dictionary")
        shown = _shown(progress)
        said: list[str] = []
        with subprocess.Popen([*words, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None and process.stderr is not None
                for line in process.stderr:
                    event = _event(line)
                    if event is None:
                        said.append(line.strip())
                    elif "done" in event and shown is not None:
                        shown(event["done"], event["total"], event["unit"])
                printed = process.stdout.read()
            except BaseException:
                process.terminate()
                raise
        code = process.returncode
    sentence = as_arguments(said[-1].removeprefix("odometer: ")) if said else f"exit code {code}"
    if code not in (0, 1, 7):
        if isinstance(job, Mapping):
            sentence = re.sub(f"^{re.escape(path)}(:1)?: ", "", sentence)
        raise (UsageError if code == 2 else InputError)(sentence, code)
    databases = [line for line in printed.splitlines() if line.endswith("results.sqlite")]
    if not databases:
        raise InputError(f"the run printed no results folder: {printed.strip()[-200:]}", code)
    found = Results(Path(databases[-1]).parent)
    if code == 7:
        error = FewAnswers(sentence, code)
        error.results = found
        raise error
    return found


def _text(job: Mapping[str, Any]) -> str:
    """A job file's text."""

    def plain(value: Any) -> Any:
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, date):
            return value.isoformat()
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError

    for key, value in job.items():
        try:
            json.dumps({key: value}, default=plain)
        except (TypeError, ValueError):
            raise UsageError(f"{key}: got a {type(value).__name__}, expected text, numbers or lists as in a job file") from None
    return json.dumps(dict(job), default=plain)


def _event(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        found: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    return found


def _shown(progress: bool | Progress) -> Progress | None:
    """The callback, or one that rewrites a line in place, in a notebook or on a terminal."""
    if callable(progress):
        return progress
    if not progress:
        return None

    def show(done: int, total: int, unit: str) -> None:
        print(f"\r{done} of {total} {unit}", end="\n" if done == total else "", flush=True)

    return show
