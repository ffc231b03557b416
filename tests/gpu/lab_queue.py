"""Reads an archive of the laboratory, packed or unpacked, and its queue.

Problem. The programs that make, run and keep experiments have to agree on what an archive is.

Method. An archive is a zip file with lab.json, the programs, and `content.tar.xz`, which has all else: cubins of the same source are nearly alike, and
one compressor over all of them finds that. Unpacked it is a folder. lab.json has:

    format, gpu, id, cubins     FORMAT; the processor; a digest of all that is in it; how many cubins there are
    tools                       columns of samples.py that are the same in all rows
    jobs                        by kernel its cubins, facts and group, as run.py's
    programs                    by program its builds, arguments and files (programs.py)
    queue                       experiments in the order in which they are worth their time

An experiment has a kind, a name, a pass, its variants, `limit` (the seconds that it may take), `silence` (those that it may say nothing), and `after`:
the number of one without which it is not begun, or null.

Source. None. Deviation: none. Complexity: linear.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import zipfile
from pathlib import Path
from typing import Any

FORMAT = 1
CONTENT = "content.tar.xz"
KINDS = {
    "first": "stock's code, the same again, ours, the controls of LoopStrengthReduce, nvcc's",
    "order": "stores put into ascending order in the cubin",
    "made-up": "as first, kernels of modules with launches that are made up",
    "plan": "the base of plan.py",
    "counters": "what ncu counts",
    "programs": "whole programs",
    "ptxas": "other versions of ptxas",
}
"""The kinds of experiments, and what they compare."""
PARTS = {"first": 0, "plan": 1, "ptxas": 2, "order": 3, "made-up": 0}
"""The parts of samples.py that kernels are timed as."""


class Failure(Exception):
    """Something is wrong with what the user gave."""


def minutes_and_seconds(seconds: float) -> str:
    """Writes a time."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def checked(made: dict[str, Any], path: Path) -> dict[str, Any]:
    """Gives what lab.json has, if this program knows it."""
    if made.get("format") != FORMAT:
        raise Failure(f"{path} has format {made.get('format')}; this program reads {FORMAT}. Make it again, or use the lab.py that is in it.")
    return made


def read_made(path: Path) -> dict[str, Any]:
    """Reads lab.json of an archive or a folder."""
    if not path.exists():
        raise Failure(f"{path}: no such archive or folder")
    if path.is_dir():
        if not (path / "lab.json").is_file():
            raise Failure(f"{path}: no lab.json in it; it has to be what an archive was unpacked to")
        return checked(json.loads((path / "lab.json").read_text(encoding="utf-8")), path)
    try:
        with zipfile.ZipFile(path) as archive:
            return checked(json.loads(archive.read("lab.json")), path)
    except (zipfile.BadZipFile, KeyError) as error:
        raise Failure(f"{path}: no archive of the laboratory ({error})") from error


def opened(path: Path) -> Path:
    """Unpacks an archive beside itself, unless that was done; the folder."""
    if path.is_dir():
        read_made(path)
        return path
    made = read_made(path)
    folder = path.with_name(path.stem + "-unpacked")
    if (folder / "lab.json").is_file() and read_made(folder)["id"] == made["id"]:
        return folder
    fresh = path.with_name(path.stem + "-unpacking")
    for old in (folder, fresh):
        shutil.rmtree(old, ignore_errors=True)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(fresh)
    content = fresh / CONTENT
    with tarfile.open(content) as packed:
        packed.extractall(fresh, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(fresh)
    content.unlink()
    fresh.rename(folder)
    return folder
