"""Keeps what a run on a GPU has measured, and prints tables of it.

    python3 tests/gpu/table.py --keep build/gpu/samples.csv NAME    writes data/NAME.times.csv and data/NAME.effects.csv
    python3 tests/gpu/table.py [NAME...]                            prints tables of these runs, or of all
    python3 tests/gpu/table.py --page                               prints the tables of docs/measured.md: the runs of `PAGE` side by side

Problem. The samples of a run are megabytes; a table for people leaves out nearly all kernels. Later versions have to be compared with what was measured.

Method. *times*: a row for each kernel and machine code, with what `TIMES` names. The medians and their intervals of 95 % are those of all passes: of
the microseconds of a launch, of the ratio to stock, and of the ratio to ours as it is. *effects*: a row for each kernel and switch of the plan
(plan.py), the time with + by that with -. A setting whose code is the same as stock's counts as 1. A ratio counts as faster or slower as in run.py:
its interval does not reach 1, and it is further away than all but 5 % of those of stock's second cubin.

Source. samples.py and plan.py. Deviation: none. Complexity: n log n in the samples.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path

import plan
from samples import FACTS, MACHINE, Ratio, Times, geometric_mean, noise_of

DATA = Path(__file__).resolve().parent / "data"
RATIOS = ["stock", "ours"]
"""To which variants the ratios are."""
TIMES = [
    *(*MACHINE, "kernel", "group", "variant", "also", "clock", *FACTS, "differs", "passes", "blocks", "median", "low", "high"),
    *(f"{to}{end}" for to in RATIOS for end in ("", "_low", "_high")),
]
"""Columns: those of samples.py, how many passes and blocks there are, the microseconds of a launch, and the ratios, empty where the code is the same."""
EFFECTS = [*MACHINE, "kernel", "group", "switch", "effect", "low", "high"]
LARGE = 0.02
"""How far from 1 a kernel's ratio is that the last table has."""
PAGE = {"h200": "H200", "h200-again": "another H200", "h100": "H100"}
"""The runs that docs/measured.md shows, and how it calls them."""
CONTROLS = {"ours": "ours", "stock-nolsr": "stock, `-disable-lsr`", "lsr": "ours, `-ptx-lsr`"}
"""The settings that it compares with stock."""
CAUSE = 0.01
"""How much of a kernel's time a stage changes that it names."""


# ---- keeping


def write(path: Path, columns: list[str], rows: list[dict[str, object]]) -> None:
    """Writes a table, beside its place first."""
    fresh = path.with_suffix(".fresh")
    with fresh.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    fresh.rename(path)


def numbers(ratio: Ratio | None, names: tuple[str, str, str], digits: int) -> dict[str, object]:
    """Gives three columns."""
    return {} if ratio is None else {name: f"{x:.{digits}f}" for name, x in zip(names, (ratio.median, ratio.low, ratio.high), strict=True)}


def keep(samples: Path, name: str, folder: Path) -> None:
    """Writes what the samples of a run say."""
    times = Times(samples)
    kept: list[dict[str, object]] = []
    effects: list[dict[str, object]] = []
    for number, (kernel, rows) in enumerate(sorted(times.rows.items()), 1):
        print(f"\r{number} of {len(times.rows)} kernels", end="", file=sys.stderr, flush=True)
        for variant, row in rows.items():
            passes = times.of[kernel][variant]
            fields: dict[str, object] = {name: row[name] for name in TIMES if name in row}
            fields |= {"passes": len(passes), "blocks": sum(map(len, passes.values()))}
            fields |= numbers(times.time(kernel, variant), ("median", "low", "high"), 3)
            for to in RATIOS:
                fields |= numbers(times.ratio(kernel, variant, to), (to, f"{to}_low", f"{to}_high"), 5)
            kept.append(fields)
        first = rows["stock"]
        for switch, effect in times.effects(kernel).items():
            common: dict[str, object] = {name: first[name] for name in EFFECTS if name in first and name not in ("low", "high")}
            effects.append({**common, "switch": switch, **numbers(effect, ("effect", "low", "high"), 5)})
    print(file=sys.stderr)
    for fault in sorted(set(times.faults)):
        print(f"not measured: {fault}")
    folder.mkdir(exist_ok=True)
    write(folder / f"{name}.times.csv", TIMES, kept)
    write(folder / f"{name}.effects.csv", EFFECTS, effects)


# ---- showing


def read(path: Path, columns: list[str]) -> list[dict[str, str]]:
    """Reads a table."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if rows.fieldnames != columns:
            raise SystemExit(f"{path}: other columns than those of tests/gpu/table.py: {rows.fieldnames}")
        return list(rows)


def ratio_of(row: dict[str, str], names: tuple[str, str, str]) -> Ratio | None:
    """Reads three columns; `None` if they are empty."""
    return Ratio(*(float(row[name]) for name in names)) if row[names[0]] else None


class Kept:
    """A run that was kept."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        rows = read(folder / f"{name}.times.csv", TIMES)
        self.machine = {column: rows[0][column] for column in MACHINE}
        self.of: defaultdict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        """By kernel and setting the row of its code."""
        for row in rows:
            for variant in (row["variant"], *filter(None, row["also"].split(";"))):
                self.of[row["kernel"]][variant] = row
        self.groups = {row["kernel"]: row["group"] for row in rows}
        self.effects: defaultdict[str, dict[str, Ratio]] = defaultdict(dict)
        """By switch and kernel."""
        for row in read(folder / f"{name}.effects.csv", EFFECTS):
            effect = ratio_of(row, ("effect", "low", "high"))
            assert effect is not None
            self.effects[row["switch"]][row["kernel"]] = effect
        self.off, self.noise = noise_of([ratio.median for ratio in self.ratios(list(self.of), "again", "stock").values()])

    def ratio(self, kernel: str, variant: str, to: str) -> Ratio | None:
        """Finds a ratio; `None` if the code is the same."""
        return ratio_of(self.of[kernel][variant], (to, f"{to}_low", f"{to}_high"))

    def variants(self) -> list[str]:
        """Gives the settings that are not of the plan."""
        names = dict.fromkeys(variant for settings in self.of.values() for variant in settings)
        return sorted((name for name in names if not name.startswith("plan-")), key=lambda name: (name.startswith("no "), name))

    def ratios(self, kernels: list[str], variant: str, to: str) -> dict[str, Ratio]:
        """Finds the ratios of the kernels that have other code."""
        timed = [kernel for kernel in kernels if variant in self.of[kernel] and to in self.of[kernel]]
        return {kernel: ratio for kernel in timed if (ratio := self.ratio(kernel, variant, to)) is not None}

    def changed(self, switch: str) -> dict[str, Ratio]:
        """Finds the effects of a switch of the plan in the kernels whose code it changes."""
        return {kernel: effect for kernel, effect in self.effects[switch].items() if effect != Ratio(1, 1, 1)}

    def varying(self) -> list[str]:
        """Finds the kernels of which stock's code leaves other bytes each time, so that they say nothing of ours."""
        return [kernel for kernel, settings in self.of.items() if settings["stock"]["differs"] == "1"]

    def together(self, kernels: list[str], ratios: dict[str, Ratio]) -> str:
        """Puts kernels together: their mean, how many are faster and slower."""
        real = [ratio.median for ratio in ratios.values() if ratio.is_real(self.noise)]
        mean = geometric_mean([ratios[kernel].median if kernel in ratios else 1.0 for kernel in kernels])
        faster = sum(median < 1 for median in real)
        return f" {mean:.4f} | {faster}, {len(real) - faster} |"

    def line(self, head: str, kernels: list[str], ratios: dict[str, Ratio]) -> str:
        """Puts kernels together, with how many there are and have other code."""
        return f"| {head} | {len(kernels)} | {len(ratios)} |{self.together(kernels, ratios)}"

    def show_variants(self, to: str) -> None:
        """Prints each setting to another one."""
        print(f"\n| to {to} | kernels | other code | mean | faster, slower |\n|---|---|---|---|---|")
        for variant in self.variants():
            kernels = [kernel for kernel, settings in self.of.items() if variant in settings]
            if variant != to:
                print(self.line(f"`{variant}`", kernels, self.ratios(kernels, variant, to)))

    def show_groups(self) -> None:
        """Prints ours, and the two controls, to stock by the kernels' groups."""
        print("\n| to stock, by group | kernels | other code | mean | faster, slower |\n|---|---|---|---|---|")
        for variant in ("ours", "stock-nolsr", "lsr"):
            for group in sorted(set(self.groups.values())):
                kernels = [kernel for kernel, settings in self.of.items() if self.groups[kernel] == group and variant in settings]
                print(self.line(f"`{variant}`, {group}", kernels, self.ratios(kernels, variant, "stock")))

    def show_effects(self) -> None:
        """Prints what each switch of the plan does."""
        print("\n| switch, + to - | kernels | other code | mean | faster, slower | least, most |\n|---|---|---|---|---|---|")
        for switch in plan.FACTORS:
            effects = self.effects[switch]
            if not effects:
                continue
            ends = [effect.median for effect in effects.values()]
            extremes = f" {min(ends):.3f}, {max(ends):.3f} |" if ends else " |"
            print(self.line(f"`{switch}`", list(effects), self.changed(switch)) + extremes)

    def show_kernels(self) -> None:
        """Prints the kernels in which ours or a control is another time than stock's, largest gain first."""
        shown = ("ours", "stock-nolsr", "lsr")
        print("\n| kernel | stock, us | " + " | ".join(f"`{one}`" for one in shown) + " | registers: stock, " + ", ".join(shown) + " |")
        print("|---|---|" + "---|" * (len(shown) + 1))
        lines: list[tuple[float, str]] = []
        for kernel, settings in self.of.items():
            if not all(variant in settings for variant in shown):
                continue  # a run that was cut, or has other settings
            ratios = [self.ratio(kernel, variant, "stock") for variant in shown]
            if not any(ratio and ratio.is_real(self.noise) and abs(ratio.median - 1) >= LARGE for ratio in ratios):
                continue
            cells = ["=" if ratio is None else f"{ratio.median:.3f}{'' if ratio.is_real(self.noise) else ' (noise)'}" for ratio in ratios]
            registers = ", ".join(settings[variant]["registers"] for variant in ("stock", *shown))
            stock = float(settings["stock"]["median"])
            ours = ratios[0].median if ratios[0] else 1.0
            lines.append((ours, f"| {kernel} | {stock:.1f} | {' | '.join(cells)} | {registers} |"))
        for _, text in sorted(lines):
            print(text)

    def show(self) -> None:
        """Prints all tables."""
        machine = self.machine
        print(f"\n## {self.name}: {machine['card']}, driver {machine['driver']}; LLVM {machine['llvm']}, ptxas {machine['ptxas']}", end="")
        print(f", ptxpasses {machine['version']}\n")
        varying = self.varying()
        wrong = sorted(
            {
                f"{row['variant']} of {kernel}"
                for kernel, settings in self.of.items()
                for row in settings.values()
                if row["differs"] == "1" and kernel not in varying
            }
        )
        print(f"{len(self.of)} kernels. Stock's second cubin: median off by {self.off:.4f}, 95 % within {self.noise:.4f}.")
        print(f"Other bytes than stock's: {', '.join(wrong) or 'none'}. Stock's differ from launch to launch: {', '.join(varying) or 'none'}.")
        for to in RATIOS:
            self.show_variants(to)
        self.show_groups()
        if self.effects:
            self.show_effects()
        self.show_kernels()


# ---- for the page


def page(folder: Path) -> str:
    """Makes the tables of docs/measured.md."""
    runs = {head: Kept(name, folder) for name, head in PAGE.items()}
    parts = (page_noise(runs), page_groups(runs), page_stages(runs), page_effects(runs), page_kernels(runs))
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def header(first: str, columns: list[str]) -> list[str]:
    """Begins a table."""
    return [f"| {first} | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]


def means(runs: dict[str, Kept]) -> list[str]:
    """Heads two columns for each run."""
    return [head for name in runs for head in (f"{name}: mean", "faster, slower")]


def page_noise(runs: dict[str, Kept]) -> list[str]:
    """Says what a run is, and how far stock's second cubin is off."""
    lines = header("card", ["ptxpasses", "LLVM", "ptxas", "passes", "kernels", "stock's second cubin off: median", "95 % within"])
    for head, run in runs.items():
        passes = {int(row["passes"]) for settings in run.of.values() for name, row in settings.items() if name in ("again", "plan-00")}
        cells = (run.machine["version"], run.machine["llvm"], run.machine["ptxas"], min(passes), len(run.of))
        lines.append(f"| {head} | {' | '.join(map(str, cells))} | {run.off:.4f} | {run.noise:.4f} |")
    return lines


def page_groups(runs: dict[str, Kept]) -> list[str]:
    """Compares ours, and the two controls, with stock."""
    lines = header("to stock", ["kernels, other code", *means(runs)])
    first = next(iter(runs.values()))
    groups: dict[str, list[str]] = {"all": sorted(set(first.groups.values()))}
    groups |= {f"group `{name}`": [name] for name in groups["all"]}
    for variant, head in CONTROLS.items():
        for group, members in groups.items():
            cells: list[str] = []
            counts: list[str] = []
            for run in runs.values():
                kernels = [kernel for kernel in run.of if run.groups[kernel] in members]
                ratios = run.ratios(kernels, variant, "stock")
                counts.append(f"{len(kernels)}, {len(ratios)}")
                cells.append(run.together(kernels, ratios))
            lines.append(f"| {head}, {group} | {'; '.join(dict.fromkeys(counts))} |{''.join(cells)}")
    return lines


def page_stages(runs: dict[str, Kept]) -> list[str]:
    """Compares the default without a stage, or with an option, with the default."""
    lines = header("to ours as it is", ["other code", *means(runs)])
    first = next(iter(runs.values()))
    heads = {f"no {stage}": f"without `{stage}`" for stage in plan.STAGES}
    heads |= {"lsr": "`-ptx-lsr`", "nolsr": "`-disable-lsr`", "nounroll": "`-ptx-nounroll=all`", "cold": "`-ptx-nounroll=cold`"}
    for variant, head in heads.items():
        cells = "".join(run.together(list(run.of), run.ratios(list(run.of), variant, "ours")) for run in runs.values())
        lines.append(f"| {head} | {len(first.ratios(list(first.of), variant, 'ours'))} |{cells}")
    return lines


def page_effects(runs: dict[str, Kept]) -> list[str]:
    """Shows the effects of the plan."""
    lines = header("switch of the plan, + to -", ["other code", *means(runs), f"least, most, {next(iter(runs))}"])
    first = next(iter(runs.values()))
    for switch in plan.FACTORS:
        if not all(run.effects[switch] for run in runs.values()):
            continue  # a switch that the plan did not have yet
        cells = "".join(run.together(list(run.effects[switch]), run.changed(switch)) for run in runs.values())
        ends = [effect.median for effect in first.effects[switch].values()]
        lines.append(f"| `{switch}` | {len(first.changed(switch))} |{cells} {min(ends):.3f}, {max(ends):.3f} |")
    return lines


def page_kernels(runs: dict[str, Kept]) -> list[str]:
    """Shows the kernels in which ours is another time than stock's in all runs that have them, and which stages that comes of."""
    lines = header(f"kernel, {LARGE:.0%} or more", ["stock, us", *CONTROLS.values(), "registers: stock, ours", "with the stage to without"])
    rows: list[tuple[float, str]] = []
    for kernel in dict.fromkeys(kernel for run in runs.values() for kernel in run.of):
        of = [run for run in runs.values() if kernel in run.of]
        found = [run.ratio(kernel, "ours", "stock") for run in of]
        if not all(ratio and ratio.is_real(run.noise) and abs(ratio.median - 1) >= LARGE for run, ratio in zip(of, found, strict=True)):
            continue
        cells = [", ".join(f"{float(run.of[kernel]['stock']['median']):.0f}" for run in of)]
        for variant in CONTROLS:
            ratios = [run.ratio(kernel, variant, "stock") for run in of]
            cells.append(", ".join("=" if ratio is None else f"{ratio.median:.3f}" for ratio in ratios))
        cells.append(", ".join(of[0].of[kernel][variant]["registers"] for variant in ("stock", "ours")))
        causes: list[str] = []
        for stage in plan.STAGES:
            without = [run.ratio(kernel, f"no {stage}", "ours") for run in of]
            if all(ratio and ratio.is_real(run.noise) and abs(ratio.median - 1) >= CAUSE for run, ratio in zip(of, without, strict=True)):
                causes.append(f"`{stage}` " + ", ".join(f"{1 / ratio.median:.2f}" for ratio in without if ratio))
        cells.append("; ".join(causes))
        assert found[0] is not None
        rows.append((found[0].median, f"| {kernel} | {' | '.join(cells)} |"))
    return lines + [text for _, text in sorted(rows)]


def main() -> int:
    """Does what the command line says."""
    parser = argparse.ArgumentParser(description="Keeps what a run on a GPU has measured, and prints tables of it.")
    parser.add_argument("--keep", type=Path, metavar="SAMPLES", help="the samples.csv of a run; NAME is what it is kept as")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--page", action="store_true", help="prints the tables of docs/measured.md")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.keep is not None:
        if len(options.names) != 1:
            parser.error("--keep needs one NAME")
        keep(options.keep, options.names[0], options.data)
    if options.page:
        print(page(options.data), end="")
        return 0
    names = options.names or sorted(path.name.removesuffix(".times.csv") for path in options.data.glob("*.times.csv"))
    if not names:
        parser.error(f"no runs in {options.data}")
    for name in names:
        Kept(name, options.data).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
