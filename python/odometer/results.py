"""Results of the program in a notebook: what they say, their tables, and their page."""

from __future__ import annotations

import html
import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from odometer._library import InputError, UsageError

if TYPE_CHECKING:
    import pandas as pd


class Results:
    """What a job wrote: shown as its page at the end of a cell.

        results = odometer.Results("reports/helsinki-access")
        results.headline                 # "88 % of 13 610 residents reach one of 9 stations within 10 min on foot."
        results.table("access_share")    # a frame of pandas

    Raises:
        InputError: there are no finished results in the folder.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        source = Path(folder)
        self._database = source / "results.sqlite" if source.is_dir() else source
        if not self._database.is_file():
            raise InputError(f"{source}: there are no results here: expected a folder with results.sqlite", 3)
        with self._opened() as database:
            self.job: dict[str, str] = dict(database.execute("SELECT key, value FROM job"))
        """Table job: what was computed with what, and when."""

    def _opened(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._database}?mode=ro", uri=True)

    @property
    def headline(self) -> str:
        """The results in one sentence."""
        return self.job.get("headline", "")

    @property
    def missing(self) -> str:
        """What of them is missing, in one line; empty where all is there."""
        return self.job.get("missing", "")

    @property
    def page(self) -> Path:
        """The report, a file."""
        return self._database.parent / "report.html"

    def table(self, name: str) -> pd.DataFrame:
        """A table of the database as a frame, without its geometries; `geopandas.read_file(results.page.parent /
        "results.sqlite", layer=name)` has those.

        Raises:
            UsageError: there is no such table; the message has their names.
        """
        import pandas as pd

        with self._opened() as database:
            kinds = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name"
            names = [known for (known,) in database.execute(kinds) if not known.startswith(("gpkg_", "rtree_", "sqlite_"))]
            if name not in names:
                raise UsageError(f"{name}: there is no such table in {self._database}, expected {', '.join(names)}", 2)
            columns = [column[1] for column in database.execute(f'PRAGMA table_info("{name}")') if column[1] != "geom"]
            return pd.read_sql_query("SELECT {} FROM \"{}\"".format(", ".join(f'"{c}"' for c in columns), name), database)

    def __repr__(self) -> str:
        return f"<odometer.Results {str(self._database.parent)!r}: {self.headline}>"

    def _repr_html_(self) -> str:
        if not self.page.is_file():
            return f"<p>{html.escape(self.headline)}</p>"
        content = html.escape(self.page.read_text(encoding="utf-8"), quote=True)
        title = html.escape(self.headline, quote=True)
        return f'<iframe title="{title}" srcdoc="{content}" width="100%" height="720" style="border:0"></iframe>'
