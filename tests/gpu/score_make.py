"""Makes what predictions need: the cubins of the codes that were measured, and the launches as texts.

Problem. tests/gpu/data has digests of machine code, not the code; the plugin changes, and a setting that has its old name may give other code. A
launch that fills a GPU has buffers of hundreds of megabytes.

Method. For each kernel the settings are compiled that the data name for a code, one after the other until the code is found. Found is a code whose
digest is that of the data, whatever setting gave it; the others are counted, and left out. Several builds of the plugin can be given; the
old plan of settings is today's without `mad-wide`, so both are tried. A launch becomes a text as docs/comparing.md has it. Its patterns are files that
are named by their digests, and repeat over the buffer.

`made.json` in the folder has by kernel its launch (a path, a digest), its threads and shared memory, and its cubins by the digest of its code.

Source. run.py and plan.py. Deviation: none. Complexity: compilations, at most sources times settings times plugins.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import dataclasses
import json
import math
import re
import shutil
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import run as gpu_run
from lab_make import tell
from lab_queue import Failure, minutes_and_seconds
from launches import MADE_UP, ROOT, Timed, all_timed, launch_text
from plan import OPTIONS, STAGES, Setting, settings

FORMAT = 1
LATER = {OPTIONS["mad-wide"][0]}
"""Options of the plan that it did not have from the beginning on."""
Wanted = Mapping[str, Mapping[str, Sequence[str]]]
"""By kernel and digest of its code the settings that gave it."""


class Progress:
    """Says every two seconds how far it is, and at the end."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what, self.count = total, what, 0
        self.begun = self.told = time.monotonic()

    def step(self) -> None:
        """Counts one more."""
        self.count += 1
        now = time.monotonic()
        if self.count == self.total or now - self.told >= 2:
            self.told = now
            tell(f"{self.count} of {self.total} {self.what}, {minutes_and_seconds(now - self.begun)}", self.count == self.total)


# ---- code


def tries(name: str, known: Mapping[str, Setting]) -> Iterator[Setting]:
    """Gives the settings that a name may have had."""
    if name not in known:
        return
    setting = known[name]
    before = tuple(option for option in setting.options if option not in LATER)
    if before != tuple(setting.options):
        yield dataclasses.replace(setting, options=before)
    yield setting


class Search:
    """Looks for codes with one build of the plugin."""

    def __init__(self, options: argparse.Namespace, folder: Path, plugin: Path) -> None:
        common = {"version": options.version, "folder": folder, "plugin": str(plugin), "ptxas": 3}
        self.compiler = gpu_run.Maker(argparse.Namespace(**common), options.gpu)
        for tool in (self.compiler.llc, self.compiler.ptxas, plugin):
            if not tool.exists():
                raise Failure(f"{tool} is not there: scripts/setup {options.version} cuda, scripts/build {options.version}")
        self.folder = folder
        passes = self.compiler.passes()
        if not passes:
            raise Failure(f"{plugin} cannot be loaded by {self.compiler.llc}, or is for another LLVM")
        without = {f"no {one}": Setting(True, ("-ptx-passes=" + ",".join(name for name in passes if name != one),)) for one in STAGES}
        self.settings = {**gpu_run.VARIANTS, **without, **settings(passes)}
        self.failed: list[str] = []

    def find(self, kernels: Sequence[Timed], wanted: Wanted) -> dict[str, dict[str, str]]:
        """Compiles a source until all codes of its kernels are found, or no setting is left; by kernel and code the cubin's name."""
        compiler = self.compiler
        source, cpu = kernels[0].source, kernels[0].cpu
        gpu = compiler.gpu if cpu == "sm_80" else cpu
        found: dict[str, dict[str, str]] = {timed.name: {} for timed in kernels}
        done: set[Setting] = set()
        ir = compiler.ir(source, "2")
        most = max((len(names) for timed in kernels for names in wanted[timed.name].values()), default=0)
        for turn in range(most):
            missing = [names for timed in kernels for code, names in wanted[timed.name].items() if code not in found[timed.name]]
            for setting in dict.fromkeys(one for names in missing if turn < len(names) for one in tries(names[turn], self.settings)):
                if setting in done:
                    continue
                done.add(setting)
                try:
                    cubin = compiler.cubin(compiler.ptx(ir, cpu, setting), gpu)
                except compiler.run.Failure as failure:
                    self.failed.append(str(failure))
                    continue
                data = (self.folder / cubin).read_bytes()
                for timed in kernels:
                    code = compiler.run.digest(gpu_run.machine_code(data, timed.kernel))
                    if code in wanted[timed.name]:
                        found[timed.name].setdefault(code, cubin)
        return found


def make(options: argparse.Namespace, folder: Path, wanted: Wanted) -> int:
    """Makes all; the exit status."""
    if int(options.version.partition("-")[0]) < 22:
        raise Failure(f"LLVM {options.version}: 22 or newer is needed, as one of the plan's switches is -nvptx-mad-wide-opt")
    (folder / "cubins").mkdir(parents=True, exist_ok=True)
    (folder / "launches").mkdir(exist_ok=True)
    for name, given in (("more.py", options.more), (MADE_UP, options.made_up)):
        (folder / name).unlink(missing_ok=True)
        if given is not None:
            shutil.copy(given, folder / name)
    plugins = options.plugin or [ROOT / "build" / "lib" / f"libptxpasses-{options.version}.so"]
    searches = {str(plugin): Search(options, folder, Path(plugin)) for plugin in plugins}
    timed_kernels = {timed.name: timed for timed in all_timed(folder) if timed.name in wanted}
    if unknown := sorted(wanted.keys() - timed_kernels.keys()):
        print(f"{len(unknown)} kernels have no launch here (--more): {', '.join(unknown)}")
    by_source: defaultdict[tuple[Path, str], list[Timed]] = defaultdict(list)
    for timed in timed_kernels.values():
        by_source[timed.source, timed.cpu].append(timed)
    cubins: defaultdict[str, dict[str, str]] = defaultdict(dict)
    progress = Progress(len(searches) * len(by_source), "sources")
    for plugin, search in searches.items():
        by_it = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            futures = [pool.submit(search.find, group, wanted) for group in by_source.values()]
            for future in concurrent.futures.as_completed(futures):
                progress.step()
                try:
                    found = future.result()
                except search.compiler.run.Failure as failure:
                    search.failed.append(str(failure))
                    continue
                by_it += sum(map(len, found.values()))
                for kernel, codes in found.items():
                    cubins[kernel] = {**codes, **cubins[kernel]}
        of = sum(len(wanted[name]) for name in timed_kernels)
        print(f"{plugin}: {by_it} of {of} codes that were measured; {len(search.failed)} compilations failed")
        for why in search.failed:
            print(f"FAILED {why}")
    digest = next(iter(searches.values())).compiler.run.digest
    kernels: dict[str, dict[str, Any]] = {}
    for name, timed in timed_kernels.items():
        text = launch_text(timed, folder, digest)
        path = Path("launches") / (re.sub(r"[^\w.-]+", "_", name) + ".launch")
        (folder / path).write_text(text, encoding="utf-8")
        common = {"launch": str(path), "digest": digest(text), "threads": math.prod(timed.block), "shared": timed.shared}
        kernels[name] = {**common, "cubins": cubins[name]}
    fresh = folder / "made.fresh"
    fresh.write_text(json.dumps({"format": FORMAT, "gpu": options.gpu, "kernels": kernels}, indent=1), encoding="utf-8")
    fresh.rename(folder / "made.json")
    whole = sum(len(codes) for codes in wanted.values())
    print(f"{len(kernels)} launches; {sum(map(len, cubins.values()))} of {whole} codes that were measured")
    return 0
