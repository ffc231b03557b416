"""Uses a GPU that can be had for a quarter of an hour: makes an archive without one, works its experiments off there, keeps what came out.

    python3 tests/gpu/lab.py make VERSION [-o build/lab.pyz] [--gpu sm_90] [--more FILE] [--modules PATH...] [--programs FOLDER] [NAME...]   here; VERSION is LLVM's
    python3 lab.pyz [run] [--minutes 13] [--results FOLDER] [--only KIND,...]              on the machine with the GPU
    python3 tests/gpu/lab.py run ARCHIVE|FOLDER [...]                                      the same, with an archive or what it was unpacked to
    python3 tests/gpu/lab.py list ARCHIVE|FOLDER                                           what is in its queue
    python3 tests/gpu/lab.py merge RESULTS [--name NAME]                                   here again: tests/gpu/data/NAME.*.csv, and what is new

Problem. A machine with a GPU is there seldom, for minutes, without compilers, and may be taken away at any moment. What is measured then has to be
decided before, in order of worth, and kept from the moment on that it is measured.

Method. The archive is a zip file that python3 runs: these programs, and as one compressed file the cubins, each once, and a queue of experiments.
Memory is made on the machine from seeds (launches.py). lab_make.py says which experiments there are, lab_run.py how they are worked off, lab_merge.py
what is kept. The machine needs python3 and the driver; ncu for counters, the CUDA runtime that is in the archive for whole programs.

Source. None. Deviation: none. Complexity: that of the experiments.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from lab_queue import KINDS, Failure, minutes_and_seconds, opened, read_made

HERE = Path(__file__).resolve().parent
BEGUN = time.monotonic()
"""When the program began: unpacking is part of the time that is given."""


def kinds(text: str) -> list[str]:
    """Reads kinds of experiments."""
    chosen = text.split(",")
    for one in chosen:
        if one not in KINDS:
            raise argparse.ArgumentTypeError(f"no experiments {one!r}; there are {', '.join(KINDS)}")
    return chosen


def parse(arguments: list[str]) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="lab.py", description="Makes, runs and keeps experiments for a GPU that is there for minutes.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="makes an archive; needs no GPU")
    make.add_argument("version", help="the LLVM: build/llvm-VERSION, 22 or newer")
    make.add_argument("names", nargs="*", metavar="NAME", help="only kernels of these sources")
    make.add_argument("-o", "--output", type=Path, help="the archive (build/lab.pyz)")
    make.add_argument("--gpu", default="sm_90", help="the processor of the GPU (%(default)s)")
    make.add_argument("--folder", type=Path, help="where cubins are kept from one time to the next (build/lab)")
    make.add_argument("--plugin", help="the plugin (build/lib/libptxpasses.so)")
    make.add_argument("--more", type=Path, metavar="FILE", help="a table of further launches (launches.py)")
    make.add_argument("--modules", type=Path, nargs="+", default=[], metavar="PATH", help="modules, or folders of them, whose launches are made up (made_up.py)")
    make.add_argument("--minutes", type=float, default=60, help="how long launches are looked for; the next run goes on with the rest (%(default)g)")
    make.add_argument("--tool", type=Path, help="ptx-compare, which simulates such launches (target/release/ptx-compare)")
    make.add_argument("--ptxas", action="append", metavar="PATH", help="a further ptxas; may be repeated (those of build/ptxas/*)")
    make.add_argument("--nvcc", metavar="PATH", help="nvcc (that of build/toolkit, if it is there); `none` leaves its code out")
    make.add_argument("--programs", type=Path, metavar="FOLDER", help="checkouts of programs to make and to pack (docs/lab.md)")
    make.add_argument("--passes", type=int, default=8, help="how often kernels are timed, if there is time (%(default)s)")
    make.add_argument("--blocks", type=int, default=12, help="the blocks of samples of a pass (%(default)s)")
    run = commands.add_parser("run", help="works an archive off, on the machine with the GPU")
    run.add_argument("archive", type=Path, metavar="ARCHIVE|FOLDER")
    run.add_argument("--minutes", type=float, default=13, help="the time that it may take (%(default)s)")
    run.add_argument("--results", type=Path, metavar="FOLDER", help="where results go; one that has some goes on (ARCHIVE's name and -results)")
    run.add_argument("--only", type=kinds, metavar="KIND,...", default=list(KINDS), help=f"only these experiments of {','.join(KINDS)}")
    queue = commands.add_parser("list", help="prints how many experiments of each kind an archive has, or all")
    queue.add_argument("archive", type=Path, metavar="ARCHIVE|FOLDER")
    queue.add_argument("--all", action="store_true", help="each of them")
    merge = commands.add_parser("merge", help="keeps results as data")
    merge.add_argument("results", type=Path, metavar="RESULTS", help="the folder that `run` wrote")
    merge.add_argument("--name", help="what the run is kept as (the card and the day)")
    merge.add_argument("--data", type=Path, default=HERE / "data", help="where to (tests/gpu/data)")
    return parser.parse_args(arguments)


def show(archive: Path, is_all: bool) -> None:
    """Prints the queue."""
    made = read_made(archive)
    print(f"{archive}: for {made['gpu']}; {', '.join(f'{name} {what}' for name, what in made['tools'].items())}")
    print(f"{len(made['jobs'])} kernels, {made['cubins']} cubins, {len(made['programs'])} programs, {len(made['queue'])} experiments")
    if is_all:
        for number, one in enumerate(made["queue"]):
            print(f"{number:5} {one['kind']:9} pass {one['pass']} {one['name']}: {', '.join(one['variants'])}; {one['limit']} s at most")
        return
    print(f"\n{'experiments':12} {'first pass':>10} {'variants':>9} {'all passes':>10}  time at most, first pass")
    for kind in KINDS:
        of = [one for one in made["queue"] if one["kind"] == kind]
        first = [one for one in of if one["pass"] == 0]
        if of:
            num_variants = sum(len(one["variants"]) for one in first)
            print(f"{kind:12} {len(first):10} {num_variants:9} {len(of):10}  {minutes_and_seconds(sum(one['limit'] for one in first))}")


def main(arguments: list[str]) -> int:
    """Does what the command line says."""
    options = parse(arguments)
    try:
        if options.command == "make":
            import lab_make

            return lab_make.make(options)
        if options.command == "list":
            show(options.archive, options.all)
            return 0
        if options.command == "merge":
            import lab_merge

            return lab_merge.merge(options.results, options.name, options.data)
        import lab_run

        results = options.results or options.archive.with_name(options.archive.stem.removesuffix("-unpacked") + "-results")
        return lab_run.run(opened(options.archive), results, BEGUN + 60 * options.minutes, options.only)
    except Failure as failure:
        print(f"lab.py: {failure}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
