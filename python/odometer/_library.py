"""The engine: libodometer.so through ctypes. odometer.h describes its functions."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from odometer.results import Results

version = "0.1.0"

Float64 = npt.NDArray[np.float64]
Int64 = npt.NDArray[np.int64]

NO_TIME = np.iinfo(np.int64).min
"""Stands for no departure; NumPy's `NaT` has the same value."""


class Error(Exception):
    """An error, as one sentence. `code` is the exit code that the program would return."""

    def __init__(self, message: str, code: int = 2):
        super().__init__(message)
        self.code = code


class UsageError(Error, ValueError):
    """An invalid argument."""


class InputError(Error, OSError):
    """A map, network or file that cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class Cancelled(Error):
    """`Network.cancel` was called."""


class FewAnswers(Error):
    """A job finished, but no row is ok, or the share of ok rows is below its key `minimumShare`."""

    results: Results
    """The results, which are complete."""


class PlacesWarning(UserWarning):
    """Places without coordinates, off the map, or that would be on it with latitude and longitude swapped."""


class CPlaces(ctypes.Structure):
    """`odometer_places`."""

    _fields_ = [
        ("count", ctypes.c_int64),
        ("latitudes", ctypes.POINTER(ctypes.c_double)),
        ("longitudes", ctypes.POINTER(ctypes.c_double)),
    ]


class CAnswer(ctypes.Structure):
    """`odometer_answer`."""

    _fields_ = [
        ("text", ctypes.c_void_p),
        ("text_count", ctypes.c_int64),
        ("positions", ctypes.POINTER(ctypes.c_double)),
        ("position_count", ctypes.c_int64),
    ]


def _opened() -> ctypes.CDLL:
    if platform.machine() in ("x86_64", "AMD64"):
        try:
            features = Path("/proc/cpuinfo").read_text().split()
        except OSError:
            features = ["avx2"]
        if "avx2" not in features:
            raise ImportError("odometer needs a processor with AVX2 (Intel of 2013, AMD of 2015, or later)")
    library = ctypes.CDLL(str(Path(__file__).with_name("libodometer.so")))
    library.odometer_message.restype = ctypes.c_char_p
    library.odometer_status_name.restype = ctypes.c_char_p
    library.odometer_status_name.argtypes = [ctypes.c_uint8]
    network, places, answer = ctypes.c_void_p, ctypes.POINTER(CPlaces), ctypes.POINTER(CAnswer)
    words = ctypes.POINTER(ctypes.c_char_p)
    array, number, flag, real = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_double
    arguments = {
        "open": [words, flag, ctypes.POINTER(network)],
        "install": [ctypes.c_char_p, ctypes.c_char_p, answer],
        "close": [network],
        "info": [network, answer],
        "etas": [network, places, places, array, array, array, array],
        "matrix": [network, places, places, number, number, array, array],
        "transit_matrix": [network, places, places, array, number, flag, array, number, array],
        "nearest": [network, places, places, number, real, number, array, array, array],
        "routes": [network, places, places, array, flag, answer],
        "isochrones": [network, places, array, number, real, flag, number, answer],
        "reasons": [network, places, places, array, answer],
        "match": [network, places, array, array, array, array, array, array, number, answer],
        "free": [answer],
        "cancel": [network],
        "run": [words, flag],
    }
    for name, types in arguments.items():
        getattr(library, f"odometer_{name}").argtypes = types
    for name in ("close", "free", "cancel"):
        getattr(library, f"odometer_{name}").restype = None
    return library


_library = _opened()
STATUSES = [name.decode() for code in range(256) if (name := _library.odometer_status_name(code)) is not None]
"""Status names by code."""


def _words(words: Sequence[str]) -> tuple[Any, int]:
    for word in words:
        if "\0" in word:
            raise UsageError(f"got {word!r}, expected text without a zero byte")
    encoded = [word.encode(errors="surrogateescape") for word in words]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def run(words: Sequence[str]) -> int:
    """Runs the program with a command line and returns its exit code."""
    return int(_library.odometer_run(*_words(words)))


def install(path: str | os.PathLike[str], cache: str | os.PathLike[str]) -> str:
    """Copies a network file into a local folder and checks it. Concurrent processes share one copy.

    Returns:
        The copy, which `Network` opens.
    """
    answer = CAnswer()
    code = _library.odometer_install(os.fsencode(path), os.fsencode(cache), ctypes.byref(answer))
    _check(code, _library.odometer_message() if code else b"")
    try:
        return str(json.loads(ctypes.string_at(answer.text, answer.text_count)))
    finally:
        _library.odometer_free(ctypes.byref(answer))


def as_arguments(sentence: str) -> str:
    """A message of the command, with options replaced by arguments: `--walk-limit` becomes `walk_limit`."""
    return re.sub(r"--([a-z-]+)", lambda option: option[1].replace("-", "_"), sentence)


def _check(code: int, message: bytes) -> None:
    if code == 0:
        return
    sentence = message.decode(errors="replace")
    kinds = {2: UsageError, 3: InputError, 4: InputError, 130: Cancelled}
    raise kinds.get(code, Error)(sentence, code)


def pointer(array: npt.NDArray[Any] | None) -> int | None:
    """The address of an array's values for ctypes; None for no array."""
    return None if array is None else int(array.ctypes.data)


class Engine:
    """A network open in the engine; closed when it is no longer referenced."""

    def __init__(self, words: Sequence[str]):
        self._handle = ctypes.c_void_p()
        _check(_library.odometer_open(*_words(words), ctypes.byref(self._handle)), _library.odometer_message())

    def __del__(self) -> None:
        if getattr(self, "_handle", None) and _library is not None:  # None when Python itself is exiting
            _library.odometer_close(self._handle)
            self._handle = ctypes.c_void_p()

    def call(self, name: str, *arguments: Any, is_short: bool = False) -> None:
        """Calls a function without the GIL. Ctrl-C ends a long call: the call runs on a separate thread, since Python
        handles signals on its main thread, between its own instructions."""
        function = getattr(_library, f"odometer_{name}")
        if is_short or threading.current_thread() is not threading.main_thread():
            code = function(self._handle, *arguments)
            _check(code, _library.odometer_message() if code else b"")
            return
        outcome: list[tuple[int, bytes]] = []
        is_done = threading.Lock()
        is_done.acquire()

        def work() -> None:
            code = function(self._handle, *arguments)
            outcome.append((code, _library.odometer_message() if code else b""))
            is_done.release()

        threading.Thread(target=work, daemon=True).start()
        try:
            is_done.acquire()
        except BaseException:
            # Wait for the call to end: it still writes into the caller's arrays.
            self.cancel()
            while not outcome:
                try:
                    is_done.acquire(timeout=0.1)
                except KeyboardInterrupt:
                    pass
            raise
        _check(*outcome[0])

    def ask(self, name: str, *arguments: Any, is_short: bool = False) -> tuple[Any, Float64]:
        """Calls a function that answers with text; returns the parsed JSON, and the positions of its shapes."""
        answer = CAnswer()
        self.call(name, *arguments, ctypes.byref(answer), is_short=is_short)
        try:
            value = json.loads(ctypes.string_at(answer.text, answer.text_count))
            count = answer.position_count
            positions = (
                np.ctypeslib.as_array(answer.positions, (count, 2)).copy() if count else np.empty((0, 2))
            )
        finally:
            _library.odometer_free(ctypes.byref(answer))
        return value, positions

    def cancel(self) -> None:
        """Ends all calls in progress, in all threads."""
        _library.odometer_cancel(self._handle)


def rows_with_shapes(parts: list[Any]) -> list[tuple[int, Any]]:
    """The rows of an answer, each with the offset that its shapes' positions are relative to."""
    return [(first, row) for first, rows in parts for row in rows]
