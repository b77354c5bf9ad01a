"""The difference between a match and the truth.

Both are sampled every metre with their heading; a metre of the truth is found if the match has one within 2 m of it
with the same heading (within 30 degrees). The mismatch is Newson and Krumm's (d+ + d-) / d0: metres of the match that
are not in the truth (including repeated ones), and metres of the truth that are missing, divided by the truth's length.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from paced import METRES

# A heading is a vector of 4 m, so 30 degrees are 2.07 m; NEAR limits the distance of position and heading together.
NEAR, HEADING = 2.5, 4.0


def samples(parts, latitude):
    """Rows of position and heading (x and y of each), one per metre, and the length in metres."""
    rows, length = [np.zeros((0, 4))], 0.0
    for part in parts:
        points = np.asarray(part, float).reshape(-1, 2) * [METRES * np.cos(np.radians(latitude)), METRES]
        steps = np.diff(points, axis=0)
        lengths = np.hypot(*steps.T)
        moving = lengths > 1e-6
        starts, steps, lengths = points[:-1][moving], steps[moving], lengths[moving]
        if not len(lengths):
            continue
        ends = np.cumsum(lengths)
        at = np.arange(0.5, ends[-1], 1.0)
        on = np.minimum(np.searchsorted(ends, at), len(lengths) - 1)
        headings = steps[on] / lengths[on][:, None]
        rows.append(np.hstack([starts[on] + headings * (at - ends[on] + lengths[on])[:, None], headings * HEADING]))
        length += ends[-1]
    return np.vstack(rows), length


def shared(truth, match):
    """Metres of the truth that a match contains."""
    (truth_rows, truth_length), (match_rows, match_length) = truth, match
    if not len(truth_rows) or not len(match_rows):
        return 0.0
    distances, _ = cKDTree(match_rows).query(truth_rows, distance_upper_bound=NEAR)
    return min(np.isfinite(distances).mean() * truth_length, match_length)


@dataclass
class Score:
    """For one match, or summed over several."""

    truth: float = 0.0  # metres
    match: float = 0.0  # metres
    found: float = 0.0  # metres in both
    breaks: int = 0

    def __add__(self, other):
        return Score(self.truth + other.truth, self.match + other.match, self.found + other.found, self.breaks + other.breaks)

    @property
    def mismatch(self):
        return (self.match + self.truth - 2 * self.found) / self.truth


def score(truth, match, parts=1):
    return Score(truth[1], match[1], shared(truth, match), max(0, parts - 1))
