"""Runs what scripts/ptx-compare offers on the examples, as a user would, with LLVM N and ptxas.

    python3 tests/tool.py N

It checks what the unit tests of the tool cannot: that the table of kernels holds several LLVM versions, its totals and its exit status,
that a large function takes little more memory, that shards, merge, tune and build write the same bytes, that a changed kernel falls back
to the default, that the gate fails where a kernel is worse or predicted to take longer, that times are predicted, that --gpu measures them (against a stand-in for the driver), that bisect finds what makes a difference, that kernels of growing size are
measured and drawn, that whole grids are run, that inline assembly with a branch may move, that names need not be UTF-8, that a full disk
leaves files as they were, and that it is said where nothing is measured and what is left out. The exit status is 1 if one of these is not so.
"""

import csv
import io
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

from checking import ROOT, check, outcome

EXAMPLES = "examples"


GUARDED = """
define ptx_kernel void @{name}(ptr addrspace(1) %p, i32 %n) {{
  %checked = icmp {check} i32 %n, {number}
  br i1 %checked, label %work, label %done
work:
  store i32 %n, ptr addrspace(1) %p
  br label %done
done:
  ret void
}}
"""
"""A kernel that begins with a check of a number."""

DIVIDING = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @divide(ptr addrspace(1) %p) {
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr <2 x float>, ptr addrspace(1) %p, i32 %thread
  %pair = load <2 x float>, ptr addrspace(1) %at
  %x = extractelement <2 x float> %pair, i32 0
  %y = extractelement <2 x float> %pair, i32 1
  %quotient = fdiv float %x, %y
  store float %quotient, ptr addrspace(1) %at
  ret void
}
"""
"""A kernel that takes much longer if its numbers are not of usual size."""


def tool(version: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the tool in the root of the checkout."""
    return hosts([version], *arguments)


def hosts(versions: list[str], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs the tool with several LLVM versions."""
    chosen = [word for version in versions for word in ("-N", version)]
    return script("ptx-compare", *chosen, *arguments)


def script(name: str, *arguments: str | Path, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs a script in a folder, which is the root of the checkout if none is given."""
    command = [str(ROOT / "scripts" / name), *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def files(folder: Path) -> dict[str, bytes]:
    """The names and contents of a folder's files."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def worked(cache: Path) -> bool:
    """Whether anything was compiled, by what is in the cache. The tools are asked what they are before that."""
    return any(not name.startswith("tools-") for name in files(cache))


def tuning(version: str, out: Path) -> None:
    """Checks tune, its shards, merge and build."""
    whole = tool(version, "tune", "-o", out / "whole", "--json", out / "whole.json", EXAMPLES)
    check("tune", whole.returncode == 0, whole.stdout + whole.stderr)
    numbers = json.loads((out / "whole.json").read_text())
    kernels = numbers["kernels"]
    check("tune knows all kernels of the examples", len(kernels) == 5, str(len(kernels)))
    for side in ("default", "stock"):
        fewer = [k["kernel"] for k in kernels if k["tuned"]["warps"] < k[side]["warps"]]
        spills = ("spill_stores", "spill_loads")
        more = [k["kernel"] for k in kernels if sum(k["tuned"][s] for s in spills) > sum(k[side][s] for s in spills)]
        what = f"no kernel has a lower occupancy or spills more than with {side}"
        check(what, not fewer and not more, str(fewer + more))

    for part in (1, 2, 3):
        shard = tool(version, "tune", "--shard", f"{part}/3", "-o", out / "shards", EXAMPLES)
        check(f"shard {part} of 3", shard.returncode == 0, shard.stdout + shard.stderr)
    shards = [out / "shards" / f"shard-{part}-of-3.json" for part in (3, 1, 2)]
    merged = tool(version, "merge", "-o", out / "merged", *shards)
    check("merge", merged.returncode == 0, merged.stdout + merged.stderr)
    check("merged shards are the same bytes as the whole", files(out / "merged") == files(out / "whole"))
    lacking = tool(version, "merge", "-o", out / "lacking", *shards[:2])
    check("a shard that lacks is named", "missing: shard 2/3" in lacking.stderr, lacking.stderr)

    choices = out / "whole/choices.json"
    built = tool(version, "build", "--choices", choices, "-o", out / "built", EXAMPLES)
    same = {**files(out / "built"), choices.name: choices.read_bytes()} == files(out / "whole")
    check("build writes the same bytes without ptxas", built.returncode == 0 and same, built.stderr)

    changed = out / "changed"
    changed.mkdir()
    text = (ROOT / EXAMPLES / "saxpy.ll").read_text()
    at = text.index("define ptx_kernel void @saxpy(")
    (changed / "saxpy.ll").write_text(text[:at] + text[at:].replace("mul nsw i32", "sub nsw i32", 1))
    other = tool(version, "build", "--choices", choices, "-o", out / "other", changed)
    fell_back = "saxpy has changed since it was tuned" in other.stderr
    check("a changed kernel gets the default, with a note", fell_back, other.stderr)
    check("the other kernel of the file keeps its choice", "1 kernel as chosen" in other.stdout, other.stdout)

    steered = "tests/lit/hoist/l8-steer-gain.ll"
    texts = {}
    for number in ("24", None):
        limit = ("--maxrregcount", number) if number else ()
        tuned = tool(version, "tune", "--mcpu", "sm_80", *limit, "-o", out / f"limit-{number}", steered)
        replay = ("build", "--mcpu", "sm_80", "--choices", out / f"limit-{number}/choices.json", "-o", out / "replay", steered)
        built = tool(version, *replay)
        texts[number] = (out / f"limit-{number}/l8-steer-gain.ptx").read_bytes()
        same = texts[number] == (out / "replay/l8-steer-gain.ptx").read_bytes()
        what = f"build writes the bytes of tune with {number} registers" if number else "and those without a limit"
        check(what, tuned.returncode == built.returncode == 0 and same, tuned.stderr + built.stderr)
    check("--maxrregcount steers the plugin", texts["24"] != texts[None])


def extract(version: str, to: Path, *kernels: str) -> None:
    """Writes some kernels of lists.ll to a file."""
    chosen = [f"--func={kernel}" for kernel in kernels]
    subprocess.run([ROOT / f"build/llvm-{version}/bin/llvm-extract", "-S", *chosen, ROOT / "tests/kernels/lists.ll", "-o", to], check=True)


def tuning_by_time(version: str, out: Path) -> None:
    """Checks tune where launches are known: the predicted time chooses."""
    out.mkdir()
    launch, lists = out / "given.launch", out / "lists.ll"
    launch.write_text("kernel prefix_sums\ngrid 264\nblock 256\nbuffer 1081344\nbuffer 1081344\n")
    extract(version, lists, "prefix_sums", "sort")

    def tune(name: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return tool(version, "tune", "--mcpu", "sm_90", *words, "-o", out / name, lists)

    timed = tune("timed", "--launch", launch)
    choices = json.loads((out / "timed/choices.json").read_text())
    by_name = {kernel["kernel"]: kernel for kernel in choices["kernels"]}
    sums = by_name["prefix_sums"]
    fine = timed.returncode == 0 and choices["cost"][0] == "time" and sums["predicted"]["of_default"] < 0.95
    check("tune --launch chooses by predicted time", fine and sums["setting"] == "unroll-all", timed.stdout + timed.stderr)
    check("choices.json says for which launches", sums["predicted"]["launches"] == "given" and "of_stock" in sums["predicted"], str(sums))
    check("a kernel without a launch has no time", "predicted" not in by_name["sort"], str(by_name["sort"]))
    check("the table has the time", "predicted" in timed.stdout and "| predicted time |" in timed.stdout, timed.stdout)
    # The control: without time nothing speaks for that setting.
    other = tune("other", "--cost", "spills,occupancy,sass,registers")
    chosen = {kernel["kernel"]: kernel["setting"] for kernel in json.loads((out / "other/choices.json").read_text())["kernels"]}
    check("without time another setting is chosen", other.returncode == 0 and chosen["prefix_sums"] != "unroll-all", str(chosen))
    check("and there are no times", "predicted" not in other.stdout and "predicted" not in (out / "other/choices.json").read_text())

    beside = out / "beside"
    beside.mkdir()
    for name, text in (("lists.ll", lists.read_text()), ("lists.launch", launch.read_text())):
        (beside / name).write_text(text)
    near = tool(version, "tune", "--mcpu", "sm_90", "-o", out / "near", beside / "lists.ll")
    same = (out / "near/lists.ptx").read_bytes() == (out / "timed/lists.ptx").read_bytes()
    check("a launch beside the input makes time the first term", near.returncode == 0 and same, near.stdout + near.stderr)

    shard = tune("shards", "--launch", launch, "--shard", "1/1")
    merged = tool(version, "merge", "-o", out / "merged", out / "shards/shard-1-of-1.json")
    same = shard.returncode == merged.returncode == 0 and files(out / "merged") == files(out / "timed")
    check("a merged shard has the times", same, shard.stderr + merged.stderr)

    made_up = tune("made-up", "--cost", "time,registers")
    said = json.loads((out / "made-up/choices.json").read_text())["kernels"]
    marked = all(kernel["predicted"]["launches"] == "made-up" for kernel in said)
    check("--cost time makes up launches, and says so", made_up.returncode == 0 and marked and len(said) == 2, str(said))
    cut = tune("cut", "--launch", launch, "--time", "0")
    check("without time, tune says so, and not that a launch has no kernel", cut.returncode == 2 and "the run ended first" in cut.stderr, cut.stderr)
    unused = tune("unused", "--cost", "sass", "--launch", launch)
    check("--launch without the term time is refused", unused.returncode == 2 and "--cost lacks the term time" in unused.stderr, unused.stderr)
    launch.write_text("kernel nothing\ngrid 1\nblock 32\n")
    cache = out / "cache"
    for words in ((), ("--shard", "1/2")):
        wrong = tune("wrong", "--launch", launch, "--cache", cache, *words)
        said = f"--launch {launch}: no input has a kernel nothing; the kernels of the input: prefix_sums, sort"
        check("tune refuses a launch of a kernel that is not there, before the work", wrong.returncode == 2 and said in wrong.stderr and not worked(cache), wrong.stderr)
    source = out / "add.cu"
    source.write_text('extern "C" __attribute__((global)) void add(int *p) { *p += 3; }\n')
    launch.write_text("kernel ad\ngrid 1\nblock 32\nbuffer 128\n")
    if (ROOT / f"build/llvm-{version}/bin/clang").is_file():
        wrong = tool(version, "tune", "--mcpu", "sm_90", "--launch", launch, "--cache", cache, "-o", out / "wrong", source)
        fine = wrong.returncode == 2 and "no input has a kernel ad (is it add?)" in wrong.stderr and not worked(cache)
        check("also where clang makes the kernels", fine, wrong.stdout + wrong.stderr)
    not_written(version, lists, cache)
    launch.write_text("kernel prefix_sums\ngrid 264\nblock 256\nbuffer 1081344\n")
    unfit = tune("unfit", "--launch", launch)
    fine = unfit.returncode == 0 and "prefix_sums: its time is not predicted, and other terms choose" in unfit.stderr
    check("a launch that does not fit is named", fine, unfit.stdout + unfit.stderr)


def not_written(version: str, kernels: Path, cache: Path) -> None:
    """Checks that results that cannot be written are known before the work."""
    kept = kernels.parent / "kept"
    (kept / "lists.ptx").mkdir(parents=True)
    for words, said in (
        # Not even root makes files there.
        (("-o", "/proc"), "cannot write to /proc: "),
        (("-o", kernels), f"cannot create {kernels}: "),
        (("-o", kept), f"cannot write {kept}/lists.ptx: Is a directory"),
        (("-o", kernels.parent, "--json", kernels.parent / "none/rows.json"), "none/rows.json: No such file or directory"),
    ):
        run = tool(version, "tune", "--mcpu", "sm_90", "--cache", cache, *words, kernels)
        check(f"tune: {said}", run.returncode == 2 and said in run.stderr and not worked(cache), run.stderr)


def tuning_on_a_gpu(version: str, out: Path) -> None:
    """Checks tune --gpu against a stand-in for the driver, whose kernels take the longer the more code they have."""
    out.mkdir()
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", ROOT / "tests/gpu/stand_in.c", "-o", out / "libcuda.so.1"], check=True)
    launch, two = out / "given.launch", out / "two.ll"
    launch.write_text("kernel prefix_sums\ngrid 264\nblock 256\nbuffer 1081344\nbuffer 1081344\n")
    extract(version, two, "prefix_sums", "search")

    def tune(*words: str | Path, **variables: str) -> tuple[str, dict[str, Any]]:
        option = [] if "--verify-time" in words else ["--gpu"]
        command = [ROOT / "scripts/ptx-compare", "-N", version, "tune", *option, "--mcpu", "sm_90", *words, "-o", out / "tuned", two]
        shutil.rmtree(out / "tuned", ignore_errors=True)
        run = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "LD_LIBRARY_PATH": str(out), **variables})
        file = out / "tuned/choices.json"
        return f"{run.returncode}\n{run.stdout}{run.stderr}", json.loads(file.read_text()) if file.exists() else {}

    def sums(choices: dict[str, Any]) -> dict[str, Any]:
        found: list[dict[str, Any]] = [kernel for kernel in choices.get("kernels", []) if kernel["kernel"] == "prefix_sums"]
        return found[0] if found else {}

    text, choices = tune("--launch", launch, "--json", out / "rows.json")
    chosen = sums(choices)
    ratio = chosen.get("measured_of_stock", {"median": 2, "low": 2, "high": 2})
    # unroll-all is predicted to be the fastest, and has the most code.
    fine = text.startswith("0\n") and chosen.get("setting") == "default" and ratio["low"] <= ratio["median"] <= ratio["high"] < 1
    check("tune --gpu chooses by what is measured, not by what is predicted", fine, f"{chosen}\n{text}")
    card = {"name": "Stand-in", "driver": "13.0", "architecture": 90}
    check("choices.json has the card", choices.get("card") == card and "measured on Stand-in, driver 13.0: 1 kernel, 1 faster than stock" in text, text)
    check("a kernel without a launch is not measured", "measured_of_stock" not in next(kernel for kernel in choices["kernels"] if kernel["kernel"] == "search"))
    built = tool(version, "build", "--mcpu", "sm_90", "--choices", out / "tuned/choices.json", "-o", out / "built", two)
    check("build takes such choices", built.returncode == 0 and (out / "built/two.ptx").read_bytes() == (out / "tuned/two.ptx").read_bytes(), built.stderr)

    table = json.loads((out / "rows.json").read_text())
    check("the JSON of the table has the card too", table["card"] == card, str(table.get("card")))
    rows = {row["kernel"]: row for row in table["kernels"]}
    above = 16 * 5 // 4 * max(rows["prefix_sums"][side]["sass"] for side in ("stock", "default"))
    for what, said in (("FAULT", "CUDA_ERROR_ILLEGAL_ADDRESS"), ("WRONG", "it leaves other bytes in memory than stock's code"), ("HANG", "it takes longer than 20 s")):
        text, choices = tune("--launch", launch, STAND_IN_ABOVE=f"{above} {what}")
        note = "prefix_sums: not taken, by what the GPU does: unroll-all: "
        fine = text.startswith("0\n") and note in text and said in text and sums(choices).get("measured_of_stock") == ratio
        check(f"a code that ends in {what} is left out, and the others are measured", fine, text)
    for variables, said in (
        ({"STAND_IN_ABOVE": "1 FAULT"}, "CUDA_ERROR_ILLEGAL_ADDRESS"),
        ({"STAND_IN_COUNTS": "1"}, "a second run leaves other bytes in memory"),
        ({"STAND_IN_IDLE": "1"}, "the launch changes nothing in the memory that it is given"),
        ({"STAND_IN_GPU": "80"}, "its code is for sm_90, which Stand-in does not run: --mcpu sm_80"),
    ):
        text, choices = tune("--launch", launch, **variables)
        fine = text.startswith("1\n") and "not measured, the default is kept" in text and "driver 13.0: no kernel" in text and said in text and sums(choices).get("setting") == "default"
        check(f"a kernel that cannot be measured keeps the default: {variables}", fine and "measured_of_stock" not in sums(choices), text)
    for words, variables, said in (
        (["--launch", launch], {"LD_LIBRARY_PATH": str(out / "tuned")}, "--gpu: there is no libcuda.so.1 that can be loaded"),
        ([], {}, "--gpu measures launches that are given, and there is none"),
        (["--launch", launch, "--shard", "1/2"], {}, "cannot be used with"),
        (["--cost", "sass"], {}, "--gpu is about time: --cost lacks the term time"),
    ):
        text, choices = tune(*words, **variables)
        is_here = said.startswith("--gpu: there is no") and shutil.which("nvidia-smi") is not None
        check(f"tune --gpu: {said}", is_here or (text.startswith("2\n") and said in text and not choices), text)
    verifying(tune, launch, out)
    text, choices = tune("--launch", launch, STAND_IN_BASE="0.5")
    fine = text.startswith("1\n") and "prefix_sums: not measured, the default is kept: the launch takes " in text and "give a larger one" in text
    check("a launch that is too small is not chosen by", fine and "measured_of_stock" not in sums(choices), text)
    hangs = {**os.environ, "LD_LIBRARY_PATH": str(out), "STAND_IN_HANG": "prefix_sums"}
    worker = subprocess.Popen([ROOT / "target/release/ptx-compare", "gpu-worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hangs, text=True)
    assert worker.stdin and worker.stdout
    ptx, cubin = out / "built/two.ptx", out / "two.cubin"
    subprocess.run([ROOT / "build/cuda/bin/ptxas", "-arch=sm_90", ptx, "-o", cubin], check=True)
    job = {"kernel": "prefix_sums", "grid": [1, 1, 1], "block": [32, 1, 1], "shared": 0, "arguments": [], "codes": [str(cubin)]}
    worker.stdin.write(json.dumps({**job, "left_out": [], "blocks": 1, "is_careful": False}) + "\n")
    worker.stdin.flush()
    said = next((line for line in worker.stdout if '"runs"' in line), "")
    worker.stdin.close()
    try:
        check("a worker whose kernel hangs ends with the one that asked", worker.wait(10) == 0 and said != "", said)
    except subprocess.TimeoutExpired:
        worker.kill()
        check("a worker whose kernel hangs ends with the one that asked", False, said)
    interrupting(version, launch, two, hangs)
    launch.write_text("kernel prefix_sums\ngrid 264\nblock 256\nbuffer 1081344\n")
    text, choices = tune("--launch", launch)
    check("a launch with too few arguments is not launched", "prefix_sums: not measured, the default is kept: the kernel prefix_sums has 2 parameters, the launch gives 1" in text, text)


def interrupting(version: str, launch: Path, kernels: Path, variables: dict[str, str]) -> None:
    """Checks that one sees which kernel hangs, and that Ctrl-C ends the wait and the process that talks to the driver."""
    out = kernels.parent / "interrupted"
    tools: list[str | Path] = ["--llc", ROOT / f"build/llvm-{version}/bin/llc", "--plugin", ROOT / "build/lib/libptxpasses.so", "--cuda", ROOT / "build/cuda"]
    command = [ROOT / "target/release/ptx-compare", "tune", "--gpu", *tools, "--mcpu", "sm_90", "--launch", launch, "-o", out, kernels]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=variables, text=True) as run:
        assert run.stderr
        said = next((line for line in run.stderr if "no answer" in line), "")
        shown = said.startswith("measure on the GPU: prefix_sums, stock: no answer for ") and said.endswith(" s; given up after 20 s\n")
        check("it is said which kernel and setting do not answer, since when, and until when", shown, said)
        children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
        run.send_signal(signal.SIGINT)
        begin = time.monotonic()
        text = run.stderr.read()
        status, seconds = run.wait(), time.monotonic() - begin
    gone = len(children) == 1 and not Path(f"/proc/{children[0]}").exists()
    written = json.loads((out / "choices.json").read_text())["kernels"]
    fine = status == 1 and "prefix_sums: not measured, the default is kept: interrupted" in text and len(written) == 2
    check("Ctrl-C ends the wait, and what is there is written", fine and seconds < 15, f"{status} {seconds}\n{text}")
    check("and the process that talks to the driver is gone", gone, str(children))


def verifying(tune: Callable[..., tuple[str, dict[str, Any]]], launch: Path, out: Path) -> None:
    """Checks tune --verify-time, which measures what is predicted to be the fastest."""

    def run(*words: str | Path, **variables: str) -> tuple[str, dict[str, Any], dict[str, Any], int]:
        log = out / "loaded"
        log.unlink(missing_ok=True)
        text, choices = tune("--launch", launch, "--effort", "more", *words, STAND_IN_LOG=str(log), **variables)
        sums: dict[str, Any] = next((kernel for kernel in choices.get("kernels", []) if kernel["kernel"] == "prefix_sums"), {})
        return text, choices, sums, len(log.read_text().splitlines()) if log.exists() else 0

    *_, all_loaded = run()
    text, choices, sums, loaded = run("--verify-time", "--json", out / "verified.json")
    check("--verify-time measures few codes, --gpu all", loaded < all_loaded, f"{loaded} of {all_loaded}")
    ratio = sums.get("measured_of_stock", {"median": 2, "low": 2, "high": 2})
    fine = text.startswith("0\n") and ratio["low"] <= ratio["median"] <= ratio["high"] < 1
    check("--verify-time takes what is below stock's interval", fine, f"{sums}\n{text}")
    card = {"name": "Stand-in", "driver": "13.0", "architecture": 90}
    said = "measured on Stand-in, driver 13.0: 1 kernel, 1 faster than stock, the others with the default"
    table = json.loads((out / "verified.json").read_text())
    check("and the files name the card", choices.get("card") == card == table.get("card") and said in text, text)
    # Each code that is not stock's or the default's is wrong.
    above = 16 * 5 // 4 * max(row[side]["sass"] for row in table["kernels"] if row["kernel"] == "prefix_sums" for side in ("stock", "default"))
    text, _, sums, _ = run("--verify-time", STAND_IN_ABOVE=f"{above} WRONG")
    check("--verify-time: the default remains, or what is faster", text.startswith("0\n") and "it leaves other bytes" in text and sums.get("setting") == "default", text)
    text, choices, *_ = run("--verify-time", LD_LIBRARY_PATH=str(out / "tuned"))
    said = "--verify-time: there is no libcuda.so.1 that can be loaded"
    check("--verify-time without a driver", shutil.which("nvidia-smi") is not None or (text.startswith("2\n") and said in text and not choices), text)
    for words, said in (
        (["--gpu"], "cannot be used with"),
        (["--shard", "1/2"], "cannot be used with"),
        (["--cost", "sass"], "--verify-time is about time: --cost lacks the term time"),
        ([], "--verify-time measures launches that are given, and there is none"),
    ):
        text, choices = tune("--verify-time", *words)
        check(f"tune --verify-time: {said}", text.startswith("2\n") and said in text and not choices, text)


def gating(version: str, out: Path) -> None:
    """Checks the gate."""
    baseline = out / "baseline.json"
    missing = tool(version, "gate", "--baseline", baseline, EXAMPLES)
    check("without a baseline the gate says how to make one", "--save makes the first one" in missing.stderr, missing.stderr)
    saved = tool(version, "gate", "--baseline", baseline, "--save", EXAMPLES)
    check("a baseline is saved", saved.returncode == 0 and "5 kernels" in saved.stdout, saved.stdout + saved.stderr)
    same = tool(version, "gate", "--baseline", baseline, EXAMPLES)
    check("nothing is worse than itself", same.returncode == 0, same.stdout + same.stderr)
    worse = tool(version, "gate", "--baseline", baseline, "--setting", "stock", EXAMPLES)
    named = worse.returncode == 1 and "saxpy" in worse.stdout
    check("stock is worse, and exit status 1", named, worse.stdout + worse.stderr)
    loose = ("--registers", "100", "--sass", "1000", "--occupancy", "100")
    passed = tool(version, "gate", "--baseline", baseline, "--setting", "stock", *loose, EXAMPLES)
    check("thresholds let it pass", passed.returncode == 0, passed.stdout + passed.stderr)
    gating_by_time(version, out, loose)


def gating_by_time(version: str, out: Path, loose: tuple[str, ...]) -> None:
    """Checks the gate's threshold for the predicted time. `loose` lets all else pass."""
    kernel, launch, baseline = f"{EXAMPLES}/saxpy.ll", out / "saxpy.launch", out / "times.json"
    launch.write_text("kernel saxpy\ngrid 4\nblock 256\nu32 1024\nf32 2\nbuffer 4096\nbuffer 4096\n")

    def gate(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        return tool(version, "gate", "--baseline", baseline, *arguments, kernel)

    gate("--save")
    without = gate("--time", "5")
    check("a baseline without times says how to add them", without.returncode == 2 and "--save with --time" in without.stderr, without.stderr)
    gate("--save", "--time", "0")
    same = gate("--time", "0")
    check("nothing takes longer than itself", same.returncode == 0 and "saxpy: its time" not in same.stderr, same.stdout + same.stderr)
    slower = gate("--time", "2", "--setting", "stock", *loose)
    named = slower.returncode == 1 and "predicted time ~1.0" in slower.stdout and "made-up launches" in slower.stdout
    check("stock's saxpy is predicted to take over 2 % longer, and exit status 1", named, slower.stdout + slower.stderr)
    rows = gate("--time", "2", "--setting", "stock", *loose, "--json", "-")
    ratios = [(row["kernel"], row["predicted_time"] > 1.02, row["launches"]) for row in json.loads(rows.stdout)]
    check("JSON has the ratio", ratios == [("saxpy", True, "made-up")], rows.stdout)
    passed = [gate("--setting", "stock", *loose, *more) for more in ((), ("--time", "50"))]
    check("without --time, and within it, it passes", [run.returncode for run in passed] == [0, 0], passed[1].stdout)
    given = gate("--time", "5", "--launch", launch, "--setting", "stock", *loose)
    fine = given.returncode == 0 and "its launches are others than the baseline's" in given.stderr
    check("times of other launches are not compared, which a note says", fine, given.stdout + given.stderr)
    (out / "wrong.launch").write_text("kernel nothing\ngrid 1\nblock 32\n")
    wrong = gate("--time", "5", "--launch", out / "wrong.launch")
    check("one of a kernel that is not there is an error", wrong.returncode == 2 and "nothing" in wrong.stderr, wrong.stderr)
    # A launch that lacks a parameter, before one that runs: nothing makes up for it.
    (out / "wrong.launch").write_text(launch.read_text().replace("u32 1024\n", "") + launch.read_text())
    unfit = gate("--time", "5", "--launch", out / "wrong.launch")
    why = "saxpy: its time is not predicted by the launch that is given: the kernel saxpy has 4 parameters, the launch gives 3; --allow-unpredicted"
    fine = unfit.returncode == 1 and why in unfit.stderr and "0 worse, 1 without a predicted time" in unfit.stdout
    check("the gate does not pass where a launch that is given does not fit", fine, unfit.stdout + unfit.stderr)
    allowed = gate("--time", "5", "--launch", out / "wrong.launch", "--allow-unpredicted")
    fine = allowed.returncode == 0 and "the launch gives 3" in allowed.stderr and "0 worse\n" in allowed.stdout
    check("unless the user says so", fine, allowed.stdout + allowed.stderr)
    old = gate("--time", "5", "--mcpu", "sm_75", *loose)
    fine = old.returncode == 0 and "saxpy: its time is not predicted: the time of sm_75 is not modelled" in old.stderr
    check("a processor that is not modelled is a note", fine, old.stdout + old.stderr)


def timing(version: str, out: Path) -> None:
    """Checks the prediction of time."""
    out = out / "timing"
    out.mkdir()
    made = tool(version, "time", "--json", out / "time.json", EXAMPLES)
    # Its only launch that ran was one in which all threads leave at once.
    named = "examples/saxpy.ll: horner: not predicted: the emulator does not know `LDC.IL" in made.stderr
    fine = made.returncode == 1 and "4 kernels: predicted" in made.stdout and named
    check("time predicts the kernels of a folder, and says why one has no time", fine, made.stdout + made.stderr)
    check("it says that the launches are made up", "~ made-up launches" in made.stdout, made.stdout)
    rows = {row["kernel"]: row for row in json.loads((out / "time.json").read_text())}
    for row in rows.values():
        if row["kernel"] == "horner":
            continue
        check(f"{row['kernel']}: the ratio is between its bounds", row["low"] <= row["ratio"] <= row["high"], str(row["ratio"]))
    # A launch in which all threads leave at once says nothing about the kernel.
    kernels = (GUARDED.format(name="never", check="eq", number=123456789), GUARDED.format(name="sometimes", check="sgt", number=16))
    (out / "guarded.ll").write_text('target triple = "nvptx64-nvidia-cuda"\n' + "".join(kernels))
    guarded = tool(version, "time", "--mcpu", "sm_80", "--json", "-", out / "guarded.ll")
    rows = {row["kernel"]: row for row in json.loads(guarded.stdout or "[]")}
    why = "no thread writes to global memory"
    never, sometimes = rows.get("never", {}), rows.get("sometimes", {})
    check("no made-up launch writes: no time", (never.get("error"), never.get("ratio")) == (why, None), guarded.stdout + guarded.stderr)
    fine = sometimes.get("left_out", [0, ""])[1] == why and sometimes.get("launches", 0) >= 1
    check("some do: the others are left out", fine and sometimes["launches"] + sometimes["left_out"][0] == 5, str(sometimes))
    # What is in memory can decide.
    (out / "divide.ll").write_text(DIVIDING)
    run_of: dict[str, float] = {}
    for memory in ("floats", "bits"):
        divided = tool(version, "time", "--mcpu", "sm_80", "--no-interval", "--memory", memory, "--json", "-", out / "divide.ll")
        run_of[memory] = json.loads(divided.stdout)[0]["sides"][0]["executed"] if divided.returncode == 0 else 0
    check("numbers of usual size divide in a third of the instructions", 0 < 3 * run_of["floats"] < run_of["bits"], str(run_of))
    # A launch beside the input is taken, and one that is given goes before it.
    kernel = shutil.copy(ROOT / EXAMPLES / "saxpy.ll", out / "saxpy.ll")
    launch = "kernel saxpy\ngrid 4096\nblock 256\nu32 1048576\nf32 2\nbuffer 4194304\nbuffer 4194304\n"
    (out / "saxpy.launch").write_text(launch)
    given = tool(version, "time", "--json", "-", kernel)
    row = json.loads(given.stdout)[0] if given.returncode == 0 else {}
    check("a launch beside the input is taken", (row.get("origin"), row.get("launches")) == ("given", 1), given.stdout + given.stderr)
    check("it has an interval", bool(row.get("moved_most_by")), str(row))
    # PTX is compared as it is.
    text = out / "saxpy.ptx"
    llc = ROOT / "build" / f"llvm-{version}" / "bin" / "llc"
    subprocess.run([llc, "-march=nvptx64", "-mcpu=sm_80", kernel, "-o", text], check=True)
    same = script("ptx-compare", "time", "--launch", out / "saxpy.launch", text, text)
    check("a code takes as long as itself", "1.000" in same.stdout and same.returncode == 0, same.stdout + same.stderr)
    places = script("ptx-compare", "time", "--places", "3", "--launch", out / "saxpy.launch", text, text)
    check("it shows the instructions that take most", "of the time" in places.stdout, places.stdout + places.stderr)
    places = tool(version, "time", "--places", "2", "--json", out / "places.json", kernel)
    fine = places.returncode == 0 and "saxpy.ll: saxpy, stock:" in places.stdout and "saxpy.ll: saxpy, default:" in places.stdout
    check("also of sources", fine, places.stdout + places.stderr)
    sides = json.loads((out / "places.json").read_text())[0]["places"]
    fine = [len(side) for side in sides] == [2, 2] and all(place["from"].endswith(";") for side in sides for place in side)
    check("with the line of PTX that each comes from", fine, str(sides))
    plain = tool(version, "time", "--json", "-", kernel)
    check("and only where they are asked for", "places" not in plain.stdout, plain.stdout)
    # Errors say what is wrong.
    alone = script("ptx-compare", "time", text)
    check("one text alone is refused", alone.returncode == 2 and "in pairs" in alone.stderr, alone.stderr)
    (out / "other.launch").write_text("kernel nothing\ngrid 1\nblock 32\n")
    other = script("ptx-compare", "time", "--launch", out / "other.launch", text, text)
    check("a launch of a kernel that is not there is refused", other.returncode == 2 and "nothing" in other.stderr, other.stderr)
    other = tool(version, "time", "--launch", out / "other.launch", ROOT / EXAMPLES / "saxpy.ll")
    check("also where sources are given", other.returncode == 2 and "no input has a kernel nothing" in other.stderr, other.stderr)
    check("two texts are named as the sides", f"{text} > {text}" in same.stdout, same.stdout)
    (out / "other.launch").write_text(launch.replace("u32 1048576\n", ""))
    short = script("ptx-compare", "time", "--launch", out / "other.launch", text, text)
    check("one that lacks a parameter as well", short.returncode == 2 and "has 4 parameters, the launch gives 3" in short.stderr, short.stderr)
    (out / "small.launch").write_text(launch.replace("buffer 4194304\n", "buffer 4194300\n", 1))
    small = script("ptx-compare", "time", "--launch", out / "small.launch", text, text)
    # Only some blocks are replayed, and the last one is run for its accesses.
    said = "a buffer of 4194300 bytes at 0x400000000, and the kernel reads 4 bytes at 0x4003ffffc"
    check("an access of the last block that misses a buffer is an error", small.returncode != 0 and said in small.stderr, small.stdout + small.stderr)
    (out / "small.launch").write_text(launch.replace("grid 4096", "grid 4").replace("u32 1048576", "u32 1024").replace("4194304", "4092"))
    small = script("ptx-compare", "time", "--launch", out / "small.launch", text, text)
    why = "is a buffer of 4092 bytes at 0x400000000, and the kernel reads 4 bytes at 0x400000ffc, 4092 bytes after its start"
    fine = small.returncode == 2 and f"saxpy: not predicted: parameter 3 {why}" in small.stderr
    check("a buffer that is too small for what the kernel reads is refused", fine, small.stdout + small.stderr)
    small = script("ptx-compare", "time", "--outside", "--launch", out / "small.launch", text, text)
    check("unless the user says so", small.returncode == 0 and "1.000" in small.stdout, small.stdout + small.stderr)
    (out / "old.ptx").write_text(text.read_text().replace(".target sm_80", ".target sm_75"))
    old = script("ptx-compare", "time", "--launch", out / "saxpy.launch", out / "old.ptx", out / "old.ptx")
    check("a processor that is not modelled is refused", old.returncode == 2 and "sm_75 is not modelled" in old.stderr, old.stdout + old.stderr)
    asynchronous(out)
    of_kernels(version, out, Path(kernel))
    pages = {}
    for words in ((), ("--time",)):
        page = tool(version, "report", *words, "-o", out / "page.html", kernel)
        pages[words] = (out / "page.html").read_text() if page.returncode == 0 else page.stderr
    what = "1 by launches that are given, 0 (~) by launches that are made up, 1 not"
    check("report --time sums up the predicted times, and says by which launches", what in pages["--time",] and "Predicted time, geometric mean" in pages["--time",])
    check("report has none without it", "Predicted time, geometric mean" not in pages[()])
    other = tool(version, "report", "--time", "--launch", out / "other.launch", "-o", out / "page.html", ROOT / EXAMPLES / "reduce.ll")
    check("report refuses a launch of a kernel that is not there", other.returncode == 2 and "saxpy" in other.stderr, other.stderr)


def of_kernels(version: str, out: Path, kernel: Path) -> None:
    """Checks the column for time that `kernels` has, and a processor that is not modelled among others. A launch lies beside the kernel."""
    column = tool(version, "kernels", "--time", kernel)
    row = next((line for line in column.stdout.splitlines() if "| saxpy" in line), "")
    fine = "predicted time" in column.stdout and "~" not in column.stdout and row != ""
    check("kernels has a column for time, without a mark where the launch is given", fine, column.stdout + column.stderr)
    alone = shutil.copy(kernel, out / "alone.ll")
    marked = tool(version, "kernels", "--time", alone)
    fine = "~0." in marked.stdout and "~ made-up launches: --launch" in marked.stdout
    check("and with one where it is made up", fine, marked.stdout + marked.stderr)
    given = tool(version, "kernels", "--time", "--launch", out / "saxpy.launch", "--json", "-", alone)
    origins = {row["kernel"]: row.get("launches") for row in json.loads(given.stdout or "[]")}
    check("kernels takes --launch", origins.get("saxpy") == "given", given.stdout + given.stderr)
    (out / "nothing.launch").write_text("kernel nothing\n")
    other = tool(version, "kernels", "--time", "--launch", out / "nothing.launch", alone)
    check("not of a kernel that is not there", other.returncode == 2 and "no input has a kernel nothing" in other.stderr, other.stderr)
    without = tool(version, "kernels", "--launch", out / "saxpy.launch", alone)
    check("nor without --time", without.returncode == 2 and "--time" in without.stderr, without.stderr)
    # One file for a processor that is not modelled, and one for another.
    mixed = ("--mcpu", "sm_80", "--mcpu", "alone.ll=sm_75", alone, kernel)
    for command in (("kernels",), ("report", "-o", out / "mixed.html")):
        run = tool(version, *command, "--time", *mixed)
        said = run.stderr if command[0] == "kernels" else (out / "mixed.html").read_text()
        wanted = "the time of sm_75 is not modelled" if command[0] == "kernels" else "1 by launches that are given, 0 (~) by launches that are made up, 3 not"
        check(f"{command[0]}: a processor that is not modelled does not end it", run.returncode == 0 and wanted in said, run.stdout + run.stderr)
    run = tool(version, "time", *mixed)
    fine = run.returncode == 1 and "1 kernel: predicted" in run.stdout and "alone.ll: saxpy: not predicted: the time of sm_75 is not" in run.stderr
    check("time predicts the others, and exit status 1", fine, run.stdout + run.stderr)


def asynchronous(out: Path) -> None:
    """Checks that wgmma and TMA take time by their sizes, and that conversions from 8 bits are run as the PTX says."""
    source, launch = ROOT / "tests/gpu/wgmma.ptx", out / "wgmma.launch"
    text = source.read_text()
    launch.write_text(f"kernel k\ngrid 264\nblock 128\nshared 70000\nbuffer 65536\nbuffer 65536\nu32 32\nbytes {256 * '0'}\n")
    results = ",".join(f"%f{number}" for number in range(32))
    versions = {
        "four times the bytes": text.replace(", 16384;", ", 65536;").replace("[%rd2], 8192", "[%rd2], 57344"),
        "the same bytes by another copy": text.replace("[%rd2], 8192", "[%rd2], 4096"),
        "eight times the columns": text.replace("m64n8k16", "m64n64k16").replace("{%f0,%f1,%f2,%f3}", f"{{{results}}}"),
    }
    ratios = {}
    for name, changed in versions.items():
        other = out / "other.ptx"
        other.write_text(changed)
        run = script("ptx-compare", "time", "--gpu", "sm_90a", "--launch", launch, "--no-interval", "--json", "-", source, other)
        row = json.loads(run.stdout)[0] if run.returncode == 0 else {}
        ratios[name] = row.get("ratio", 0)
        assumed = " ".join(row.get("assumed", []))
        check(f"wgmma and TMA, {name}: it is said whose values are assumed", "HGMMA" in assumed and "UTMALDG" in assumed, run.stdout + run.stderr)
    bytes4, same, columns = ratios.values()
    check("four times the bytes take over thrice as long", 3 < bytes4 < 4.2, str(ratios))
    check("a tensor map brings what is announced and nothing else does", 0.98 < same < 1.02, str(ratios))
    check("a wgmma of more columns takes longer, which bulk copies hide in part", 1 < columns < 1.5, str(ratios))
    (out / "bytes.launch").write_text("kernel f8\nblock 128\nbuffer 2048\nbuffer 512\n")
    run = script("ptx-compare", "sass", "--gpu", "sm_90", "--launch", out / "bytes.launch", ROOT / "tests/gpu/bytes.ptx")
    check("numbers of 8 bits become what the PTX says", run.returncode == 0 and "1 launch, 2,048 bytes" in run.stdout, run.stdout + run.stderr)


def looking(version: str, out: Path) -> None:
    """Checks the table of kernels."""
    table = tool(version, "kernels", "--csv", "-", EXAMPLES)
    rows = list(csv.DictReader(io.StringIO(table.stdout)))
    verdicts = {row["verdict"] for row in rows}
    fine = len(rows) == 5 and verdicts <= {"better", "same", "mixed", "worse"}
    check("a table in CSV alone on standard output", fine, table.stdout)
    needs = out / "needs_sm90.ll"
    needs.write_text(
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @f() {\n"
        '  call void asm sideeffect "barrier.cluster.arrive;", ""()\n'
        "  ret void\n}\n"
    )
    refused = tool(version, "kernels", needs)
    lines = refused.stderr.strip().splitlines()
    fine = len(lines) == 1 and "give --mcpu=sm_90a" in lines[0]
    check("a processor that does not fit: one line that names one", fine, refused.stderr)
    unknown = tool(version, "kernels", "--setting", "presure", EXAMPLES)
    check("an unknown setting is an error", unknown.returncode == 2 and "`kernels --setting list`" in unknown.stderr, unknown.stderr)
    settings = tool(version, "kernels", "--setting", "list")
    check("kernels lists the settings without an input", settings.returncode == 0 and "| mad-wide " in settings.stdout, settings.stdout + settings.stderr)
    base, nothing = str(out / "nothing.json"), str(out / "nothing")
    for words in (["kernels"], ["time"], ["gate", "--baseline", base, "--save"], ["report"], ["tune", "-o", nothing]):
        run = tool(version, *words)
        check(f"{words[0]}: without an input it says what is wanted", run.returncode == 2 and "no input is named: files, folders" in run.stderr, run.stderr)

    command: list[str | Path] = [ROOT / "target/release/ptx-compare", "bench", "passes", "--runs", "1", EXAMPLES]
    command += ["--llc", ROOT / f"build/llvm-{version}/bin/llc", "--plugin", ROOT / "build/lib/libptxpasses.so"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout and running.stderr
        running.stdout.close()
        said = running.stderr.read()
    check("it ends without a word when its reader has gone", running.returncode == 141 and "panicked" not in said, said)

    crate = out / "crate"
    (crate / ".cargo").mkdir(parents=True)
    (crate / ".cargo/config.toml").write_text('[build]\nrustc = "./nosuch"\n')
    shown = script("ptx-compare", "--version", folder=crate)
    check("it is built as the checkout says, not the crate around the caller", shown.returncode == 0, shown.stderr)


def measuring(version: str, out: Path) -> None:
    """Checks the memory that the plugin takes for a large function, by `bench passes`. With the buffers of all passes kept it is 1.18 of stock's."""
    kernel, numbers = out / "phis.ll", out / "passes.json"
    kernel.write_text(script("bench", "generate", "--shape", "phis", "--size", "20000").stdout)
    done = script("bench", "-N", version, "passes", "--runs", "1", "--json", numbers, kernel)
    ratio = json.loads(numbers.read_text())[0]["peak_bytes"]["ratio"] if done.returncode == 0 else 0
    check("a large function's buffers are freed: peak memory at most 1.12 of stock's", 0 < ratio <= 1.12, f"{ratio} {done.stderr}")


def other_version(version: str) -> str | None:
    """Another LLVM version that the plugin is built for."""
    found = [path.name.removeprefix("llvm-") for path in sorted((ROOT / "build").glob("llvm-*"))]
    built = [n for n in found if n.isdigit() and n != "24" and (ROOT / f"build/lib/libptxpasses-{n}.so").is_file()]
    return next((n for n in built if n != version), None)


def processors(version: str, out: Path) -> None:
    """Checks --mcpu of the commands that know RUN lines, and that a file's name says no processor."""
    needs = out / "cluster_sm90.ll"
    needs.write_text(
        'target triple = "nvptx64-nvidia-cuda"\n'
        "declare void @llvm.nvvm.barrier.cluster.arrive()\n"
        "define ptx_kernel void @f(ptr %p) {\n"
        "  call void @llvm.nvvm.barrier.cluster.arrive()\n"
        "  store i32 1, ptr %p\n"
        "  ret void\n}\n"
    )
    for command in (("parity", version), ("equal", version), ("bench", "-N", version, "ablation"), ("bench", "-N", version, "passes")):
        name = command[-1] if command[0] == "bench" else command[0]
        refused = script(*command, needs)
        said = refused.stdout + refused.stderr
        check(f"{name} names a processor that fits", "give --mcpu=sm_90a" in said, said)
        given = script(*command, "--mcpu", "sm_90a", needs)
        said = given.stdout + given.stderr
        check(f"{name} takes it", "--mcpu=" not in said and "Cannot select" not in said, said)
    same = [script(name, version, "--mcpu", "sm_90a", needs) for name in ("parity", "equal")]
    check("with it both sides are the same", all(run.returncode == 0 for run in same), same[0].stdout + same[1].stdout)


def several(version: str, out: Path) -> None:
    """Checks the table of kernels with several LLVM versions and several ptxas."""
    other = other_version(version)
    if other is None:
        print("skipped: two versions of LLVM in a table, as one alone is built")
        return
    both = hosts([other, version], "kernels", "--json", out / "both.json", "--csv", out / "both.csv", EXAMPLES)
    check("kernels with two LLVM versions", both.returncode == 0, both.stdout + both.stderr)
    heads = [line for line in both.stdout.splitlines() if "stock > default:" in line]
    fine = len(heads) == 2 and f"version {other}." in heads[0] and f"version {version}." in heads[1]
    check("a block for each", fine, both.stdout)
    rows = json.loads((out / "both.json").read_text())
    known = {(row["llvm"].split("version ")[1].split(".")[0], row["ptxas"] != "", row["cpu"]) for row in rows}
    check("JSON says what a row was made with", len(rows) == 10 and known == {(other, True, "sm_80"), (version, True, "sm_80")})
    table = list(csv.DictReader(io.StringIO((out / "both.csv").read_text())))
    columns = set(table[0])
    check("CSV has the column in which rows differ, and no other", "llvm" in columns and not {"ptxas", "cpu"} & columns, str(columns))
    cuda = ("--cuda", "build/cuda", "--cuda", "build/cuda")
    twice = tool(version, "kernels", "--totals", *cuda, EXAMPLES)
    check("a block for each ptxas", twice.stdout.count("stock > default:") == 2, twice.stdout + twice.stderr)
    refused = hosts([other, version], "gate", EXAMPLES)
    check("other commands take one LLVM", refused.returncode != 0 and "gate takes one -N" in refused.stderr, refused.stderr)


def summing(version: str, out: Path) -> None:
    """Checks the totals, the columns of PTX, and the exit status."""
    plain = tool(version, "kernels", EXAMPLES)
    fine = "registers, geometric mean over 5" in plain.stdout and "saxpy" in plain.stdout and "instr, sum" in plain.stdout
    check("totals stand below the kernels", fine, plain.stdout)
    totals = tool(version, "kernels", "--totals", EXAMPLES)
    fine = "registers, geometric mean over 5" in totals.stdout and "| examples/saxpy.ll" not in totals.stdout
    check("--totals prints them alone", fine, totals.stdout)
    columns = {"reg-reg", "imm", "moves", "instr", "vregs"}
    for flags, there in (((), set()), (("--ptx",), columns)):
        written = tool(version, "kernels", "--csv", "-", *flags, EXAMPLES)
        header = set(next(csv.reader(io.StringIO(written.stdout))))
        check(f"columns of PTX {'with' if flags else 'without'} --ptx", header & columns == there, written.stdout)

    # With few registers, and no copy of ours joined, ours spills more.
    worse = ("--maxrregcount", "32", "--plugin-args=-ptx-fast-compile", "--json", out / "spills.json")
    spilling = ("kernels", *worse, f"{EXAMPLES}/matmul_mma.ll")
    lenient = tool(version, *spilling)
    strict = tool(version, *spilling, "--strict")
    rows = json.loads((out / "spills.json").read_text())
    more = [r["kernel"] for r in rows if sum(r["ours"][s] - r["stock"][s] for s in ("spill_stores", "spill_loads")) > 0]
    check("a kernel spills more", more == ["matmul_mma"], lenient.stdout)
    check("which is not a failure", lenient.returncode == 0 and "spills more: " in lenient.stdout, lenient.stdout + lenient.stderr)
    check("but with --strict", strict.returncode == 1, strict.stdout + strict.stderr)
    quality = script("bench", "-N", version, "quality", *spilling[1:])
    check("scripts/bench quality is strict", quality.returncode == 1 and quality.stdout == strict.stdout, quality.stdout + quality.stderr)

    refused = out / "refused.ll"
    refused.write_text("this is not IR\n")
    partly = tool(version, "kernels", "--strict", refused, f"{EXAMPLES}/saxpy.ll")
    fine = partly.returncode == 0 and "not compared" in partly.stderr and "not compared: 1" in partly.stdout
    check("what stock refuses is named, and no failure", fine, partly.stdout + partly.stderr)
    nothing = tool(version, "kernels", refused)
    check("where nothing is compared, exit status 2", nothing.returncode == 2 and "refused.ll" in nothing.stderr, nothing.stderr)


def bisecting(version: str, out: Path) -> None:
    """Checks the search for the function and the stages that make a difference."""
    saxpy = f"{EXAMPLES}/saxpy.ll"
    found = tool(version, "bisect", "--json", out / "bisect.json", saxpy)
    result = json.loads((out / "bisect.json").read_text())["found"]
    last = found.stdout.rstrip().rsplit("\n", 1)[-1]
    fine = found.returncode == 0 and last == "saxpy: induction + no-lsr"
    check("bisect finds a function and its stages", fine, found.stdout + found.stderr)
    texts = {}
    for side in ("stock", "good", "bad"):
        line = result["bad" if side == "stock" else side].split()
        flags = ["-ptx-passes=none"] if side == "stock" else ["-ptx-header=false"]
        words = [word for word in line if side != "stock" or not word.startswith("-ptx-")]
        texts[side] = subprocess.run([*words, *flags, "-o", "-"], cwd=ROOT, capture_output=True, check=False).stdout
    fine = texts["good"] == texts["stock"] != texts["bad"]
    check("its command lines show the difference", fine, str(result))
    horner = tool(version, "bisect", "--kernel", "horner", saxpy)
    check("of a named kernel", horner.stdout.rstrip().rsplit("\n", 1)[-1].startswith("horner: "), horner.stdout)
    # Good where the loop of horner, the second function, has the induction variable of stock's code.
    script = 'ptx=$1; sed -n "/entry horner/,$ p" "$ptx" | cmp -s - "$0"'
    stock = out / "horner.ptx"
    stock.write_bytes(texts["stock"][texts["stock"].index(b".visible .entry horner") :])
    command = tool(version, "bisect", "--command", f"sh -c {shlex.quote(script)} {stock}", saxpy)
    check("by a command", command.stdout.rstrip().rsplit("\n", 1)[-1].startswith("horner: "), command.stdout)
    equal = tool(version, "bisect", "--by", "equal", saxpy)
    fine = equal.returncode == 1 and equal.stderr.startswith("nothing differs")
    check("where nothing differs, exit status 1", fine, equal.stdout + equal.stderr)
    both = tool(version, "bisect", "--command", "false", saxpy)
    fine = both.returncode == 2 and "stock's code is not good either" in both.stderr
    check("where stock is bad as well, exit status 2", fine, both.stdout + both.stderr)
    skipped = tool(version, "bisect", "--command", "exit 125; :", saxpy)
    fine = skipped.returncode == 2 and "no verdict on the plugin" in skipped.stderr
    check("where the command can tell nothing, exit status 2", fine, skipped.stdout + skipped.stderr)


def growing(version: str, out: Path) -> None:
    """Checks the kernels of growing size, their fits and the drawing."""
    sizes = (1000, 2000, 4000)
    names = ("growth.json", "growth.csv", "growth.svg")
    written = [word for name in names for word in (f"--{name.rsplit('.', maxsplit=1)[1]}", str(out / name))]
    command = ("bench", "-N", version, "scaling", "--runs", "1", "--sizes")
    run = script(*command, ",".join(map(str, sizes)), *written)
    check("kernels of growing size", run.returncode == 0 and "e ours" in run.stdout, run.stdout + run.stderr)
    if run.returncode != 0:
        return
    shapes = json.loads((out / "growth.json").read_text())
    help_text = script("bench", "generate", "--help").stdout
    check("every shape is measured", len(shapes) == 9 and all(f"- {s['shape']}:" in help_text for s in shapes), help_text)
    for shape in shapes:
        counts = shape["instructions"]
        right = len(counts) == len(sizes) and all(n / 2 <= count <= 2 * n for n, count in zip(sizes, counts, strict=True))
        check(f"{shape['shape']} is as large as was asked for", right, str(counts))
        kinds = {growth["kind"] for growth in shape["growths"]}
        check(f"{shape['shape']} has passes and stages", kinds == {"pass", "stage", "together", "llc"}, str(kinds))
    rows = list(csv.DictReader(io.StringIO((out / "growth.csv").read_text())))
    check("the table has a row for llc in each shape", sum(row["pass"] == "whole llc" for row in rows) == len(shapes))

    lines = [line for line in ET.parse(out / "growth.svg").iter() if line.tag.endswith("}polyline")]
    expected = 0
    for growth in (growth for shape in shapes for growth in shape["growths"] if growth["kind"] in ("pass", "stage")):
        curves = [growth["plugin"], *filter(None, [growth["stock"]])]
        expected += sum(sum(ms >= 0.1 for ms in curve["ms"]) >= 2 for curve in curves)
    fine = len(lines) == expected > 0
    check("the drawing has a line for each pass and stage, and for stock's", fine, f"{len(lines)} lines, not {expected}")

    few = script(*command, "1000,2000")
    check("two sizes are too few", few.returncode == 2 and "a fit needs 3" in few.stderr, few.stderr)
    late = script(*command, "1000,2000,1000000", "--shape", "straight", "--timeout", "8")
    fine = late.returncode == 0 and "1,000,000 instructions and more are left out" in late.stderr
    check("a size for which stock takes too long is left out, with a note", fine, late.stdout + late.stderr)


# Each thread adds its number to a word; the last two of a buffer of six words have no thread.
ADDS = """\
.version 7.0
.target sm_80
.address_size 64
.visible .entry adds(
	.param .u64 adds_param_0,
	.param .u32 adds_param_1
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [adds_param_0];
	ld.param.u32 %r1, [adds_param_1];
	mov.u32 %r2, %tid.x;
	setp.ge.u32 %p1, %r2, %r1;
	@%p1 bra $L0;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r3, [%rd3];
	add.s32 %r4, %r3, %r2;
	st.global.u32 [%rd3], %r4;
$L0:
	ret;
}
"""


def grids(version: str, out: Path) -> None:
    """Checks that whole grids are run, given launches and made-up ones, and that what is wrong is named."""
    folder = out / "grids"
    folder.mkdir()
    text, launch = folder / "adds.ptx", folder / "adds.launch"
    text.write_text(ADDS)

    def words(*numbers: int) -> bytes:
        return b"".join(number.to_bytes(4, "little") for number in numbers)

    (folder / "in.bin").write_bytes(words(10, 20, 30, 40, 50, 60))
    (folder / "out.bin").write_bytes(words(10, 21, 32, 43, 50, 60))
    launch.write_text("kernel adds  # four of eight threads\nblock 8\nbuffer 24 in=in.bin out=out.bin\nu32 4\n")
    right = tool(version, "grid", text, "--launch", launch, "--dump", folder)
    check("grid runs a launch", right.returncode == 0 and "1 launch, " in right.stdout and "0 wrong" in right.stdout, right.stdout + right.stderr)
    check("grid writes its buffers", (folder / "buffer0.bin").read_bytes() == words(10, 21, 32, 43, 50, 60), "the sums")
    launch.write_text("kernel adds\nblock 8\nbuffer 24 in=in.bin out=out.bin\nu32 5\n")
    wrong = tool(version, "grid", text, "--launch", launch)
    check("grid names the byte that is wrong", wrong.returncode == 1 and "byte 16 of buffer 0 is 0x36, 0x32 in" in wrong.stdout, wrong.stdout)
    launch.write_text("kernel adds\nblock 8\nbuffer 12 in=out.bin\nu32 5\n")
    large = tool(version, "grid", text, "--launch", launch)
    check("grid refuses a file larger than its buffer", large.returncode == 2 and "has 24 bytes, the buffer 12" in large.stderr, large.stderr)
    launch.write_text("kernel adds\nblock 8\nbuffer 12\nu32 5\n")
    outside = tool(version, "grid", text, "--launch", launch)
    check("grid names a byte outside of all buffers", outside.returncode == 1 and "outside of all buffers" in outside.stdout, outside.stdout)
    launch.write_text("kernel other\n")
    other = tool(version, "grid", text, "--launch", launch)
    check("grid names a kernel that is not there", other.returncode == 2 and "there is no kernel other" in other.stderr, other.stderr)
    text.write_text(ADDS.replace("add.s32", "frobnicate.s32"))
    unknown = tool(version, "grid", text, "--launch", launch)
    check("grid names the kernel first", unknown.returncode == 2, unknown.stderr)
    launch.write_text("kernel adds\nblock 8\nbuffer 24\nu32 5\n")
    unknown = tool(version, "grid", text, "--launch", launch)
    check("grid names an unknown instruction and its line", "line 20: unknown instruction frobnicate.s32" in unknown.stderr, unknown.stderr)
    text.write_text(ADDS.replace("add.s32", "add.s64"))
    wide = tool(version, "grid", text, "--launch", launch)
    check("grid names a register of a wrong width", wide.returncode == 1 and "needs 64 bits" in wide.stdout, wide.stdout + wide.stderr)
    wide = tool(version, "widths", text)
    check("widths names it, too", wide.returncode == 1 and "line 20, function adds" in wide.stdout, wide.stdout + wide.stderr)
    text.write_text(ADDS)
    fine = tool(version, "widths", "-v", text)
    check("widths of a right text", fine.returncode == 0 and "0 without a rule: 0 registers" in fine.stdout, fine.stdout + fine.stderr)
    equal = script("equal", version, "--grid", "--cuda", "build/cuda", EXAMPLES)
    check("equal --grid", equal.returncode == 0 and "kernels equal: 10 of 10" in equal.stdout, equal.stdout)
    launch.write_text("kernel saxpy\nblock 16\nbuffer 64\nbuffer 64\nf32 2\n")
    given = script("equal", version, "--grid", "--launch", launch, "examples/saxpy.ll")
    check("equal --grid says how many parameters a launch lacks", "parameters, the launch gives 3" in given.stdout, given.stdout)
    check("equal asks ptxas", "and refuses 0 on both sides" in equal.stdout, equal.stdout)


MOVING_ASSEMBLY = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %o, i32 %a, i32 %n) {
entry:
  %f = call i32 asm "{ .reg .pred p; setp.lt.u32 p, $1, 9; mov.u32 $0, 1; @p bra L${:uid}; mov.u32 $0, 2; L${:uid}: }", "=r,r"(i32 %a)
  %above = icmp ugt i32 %n, 3
  br i1 %above, label %then, label %end
then:
  %s = add i32 %f, %a
  store volatile i32 %s, ptr addrspace(1) %o
  br label %end
end:
  store volatile i32 %a, ptr addrspace(1) %o
  ret void
}
"""


def moving(version: str, out: Path) -> None:
    """Checks that inline assembly with a branch of its own may stand before another branch in one text and after it in the other."""
    kernel = out / "moving-assembly.ll"
    kernel.write_text(MOVING_ASSEMBLY)
    equal = script("equal", version, "--seeds", "64", kernel)
    check("equal: assembly with a branch moves across a branch", equal.returncode == 0, equal.stdout + equal.stderr)
    tuned = tool(version, "tune", "--mcpu", "sm_80", "-o", out / "moving", kernel)
    fine = tuned.returncode == 0 and "computes other values" not in tuned.stderr and "is not taken" not in tuned.stderr
    check("tune takes every setting of it", fine, tuned.stdout + tuned.stderr)


def naming(version: str, out: Path) -> None:
    """Checks names that are not UTF-8."""
    folder = out / "names"
    kernels = folder / "kernels"
    kernels.mkdir(parents=True)
    kernel = kernels / os.fsdecode(b"k\xff.ll")
    shutil.copy(ROOT / EXAMPLES / "saxpy.ll", kernel)
    shutil.copy(ROOT / EXAMPLES / "saxpy.ll", kernels / os.fsdecode(b"k\xfe.ll"))
    whole = tool(version, "tune", "-o", folder / "whole", kernels)
    texts = files(folder / "whole")
    check("tune: a name that is not UTF-8", whole.returncode == 0 and os.fsdecode(b"k\xff.ptx") in texts, whole.stderr)
    shard = tool(version, "tune", "--shard", "1/1", "-o", folder / "shards", kernels)
    merged = tool(version, "merge", "-o", folder / "merged", folder / "shards/shard-1-of-1.json")
    same = shard.returncode == merged.returncode == 0 and files(folder / "merged") == texts
    check("shards and merge: the same bytes", same, shard.stderr + merged.stderr)
    built = tool(version, "build", "--choices", folder / "whole/choices.json", "-o", folder / "built", kernel)
    same = built.returncode == 0 and (folder / "built" / os.fsdecode(b"k\xff.ptx")).read_bytes() == texts[os.fsdecode(b"k\xff.ptx")]
    check("build: the same bytes", same, built.stderr)
    numbers = folder / "numbers.json"
    saved = tool(version, "gate", "--baseline", numbers, "--save", kernels)
    two = saved.returncode == 0 and len(json.loads(numbers.read_text())["files"]) == 2
    check("gate: two names are two files", two, saved.stdout + saved.stderr)
    for command in (("kernels", "--csv", folder / "table.csv"), ("gate", "--baseline", numbers), ("report", "-o", folder / "page.html")):
        run = tool(version, *command, kernel)
        check(f"{command[0]}: a name that is not UTF-8", run.returncode == 0, run.stdout + run.stderr)
    for name, words in (("parity", (version, "--json", str(folder / "parity.json"))), ("bench", ("-N", version, "ablation", "--rows", "C9"))):
        run = script(name, *words, kernel)
        # 1: this row changes no kernel of it; 2: llc cannot read it.
        fine = run.returncode == 0 if name == "parity" else run.returncode in (0, 1)
        check(f"{name}: a name that is not UTF-8", fine, run.stdout + run.stderr)


def with_full_disk(version: str, out: Path, *arguments: str | Path, is_full: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs the tool where no file may grow beyond 200 bytes, except those of llc; `is_full=False`: with that llc, where they may."""
    llc = out / "full/llc"
    if not llc.exists():
        llc.write_text(f'#!/bin/sh\nulimit -S -f unlimited\nexec "{ROOT}/build/llvm-{version}/bin/llc" "$@"\n')
        llc.chmod(0o755)

    def limit() -> None:
        # A write that is too much is an error then, as on a full disk, and not the end of the process.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    command = [ROOT / "target/release/ptx-compare", arguments[0], "--llc", llc, "--plugin", ROOT / "build/lib/libptxpasses.so", *arguments[1:]]
    words = [*map(str, command)]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, preexec_fn=limit if is_full else None)


def full(version: str, out: Path) -> None:
    """Checks that a disk that is full leaves every file as it was, and none beside it."""
    folder = out / "full"
    (folder / "kept").mkdir(parents=True)
    kept = folder / "kept"
    baseline, saxpy, matmul = kept / "baseline.json", f"{EXAMPLES}/saxpy.ll", f"{EXAMPLES}/matmul_mma.ll"
    tables = [word for kind in ("json", "csv", "markdown") for word in (f"--{kind}", kept / f"table.{kind}")]
    tool(version, "gate", "--baseline", baseline, "--save", saxpy)
    tool(version, "gate", "--baseline", folder / "other.json", "--save", matmul)  # ptxas' results are known from here on
    # Times are predicted from cubins, which would not fit either.
    untimed = ("--cost", "spills,occupancy,sass,registers")
    tuned = tool(version, "tune", *untimed, "-o", kept, saxpy)
    # What will be written is not what is there.
    (kept / "saxpy.ptx").write_text("of before\n")
    tool(version, "kernels", *tables, saxpy)
    for kind in ("csv", "markdown"):
        (kept / f"table.{kind}").write_text("of before\n")
    check("files that are there", tuned.returncode == 0 and len(files(kept)) == 6, str(files(kept).keys()))
    before = files(kept)
    commands: dict[str, list[str | Path]] = {
        "baseline.json": ["gate", "--baseline", baseline, "--save", matmul],
        "saxpy.ptx": ["build", "--choices", kept / "choices.json", "-o", kept, saxpy],
        "table.json": ["kernels", *tables[:2], saxpy],
        # One kernel's line would fit.
        "table.csv": ["kernels", *tables[2:4], saxpy, matmul],
        "table.markdown": ["kernels", *tables[4:], saxpy],
    }
    commands["saxpy.ptx of tune"] = ["tune", *untimed, "-o", kept, saxpy]
    # What the tools say of themselves is kept, by their files, and is written first.
    run = with_full_disk(version, out, "tune", *untimed, "-o", out / "full/warm", saxpy, is_full=False)
    check("tune with an llc of another name", run.returncode == 0, run.stdout + run.stderr)
    for name, command in commands.items():
        run = with_full_disk(version, out, *command)
        path = kept / name.split(" ", maxsplit=1)[0]
        fine = run.returncode == 2 and f"cannot write {path}: File too large" in run.stderr
        check(f"{command[0]} on a full disk: an error names {name}", fine, run.stdout + run.stderr)
        check(f"{command[0]} on a full disk: {name} and all else is as it was", files(kept) == before, str(files(kept).keys()))
    with open("/dev/full", "wb") as device:
        command = [str(ROOT / "target/release/ptx-compare"), "completions", "bash"]
        printed = subprocess.run(command, stdout=device, stderr=subprocess.PIPE, text=True, check=False)
    fine = printed.returncode == 2 and "cannot write to standard output: No space left" in printed.stderr and "panicked" not in printed.stderr
    check("standard output on a full disk: an error", fine, printed.stderr)


def nothing_to_see(version: str, out: Path) -> None:
    """Checks what is said where nothing is measured, and of sources in folders."""
    folder = out / "nothing"
    folder.mkdir()
    cut = tool(version, "tune", "--time", "0", "-o", folder / "cut", EXAMPLES)
    said = cut.stdout + cut.stderr
    fine = cut.returncode == 2 and "nothing was measured: the run ended first" in said and "1.000" not in said
    check("tune without time: no ratios, but why", fine and not files(folder / "cut"), said)
    refused = folder / "refused.ll"
    refused.write_text("this is not IR\n")
    failed = tool(version, "tune", "-o", folder / "failed", refused)
    said = failed.stdout + failed.stderr
    fine = failed.returncode == 2 and "nothing was measured: llc or ptxas refuses 1 file" in said and "1.000" not in said
    check("tune of what llc refuses: no ratios, but why", fine and not files(folder / "failed"), said)
    empty = folder / "empty.ll"
    empty.write_text('target triple = "nvptx64-nvidia-cuda"\ndefine void @f() {\n  ret void\n}\n')
    without = tool(version, "tune", "-o", folder / "empty", empty)
    said = without.stdout + without.stderr
    fine = without.returncode == 0 and "nothing was measured: there is no kernel in the input" in said and "1.000" not in said
    check("tune without a kernel: PTX, and no ratios", fine and "empty.ptx" in files(folder / "empty"), said)

    saying_what_lacks(version, folder, empty)
    sources = folder / "sources"
    sources.mkdir()
    (sources / "add.cu").write_text('extern "C" __attribute__((global)) void add(int *p) { *p += 3; }\n')
    alone = tool(version, "kernels", sources)
    check("a folder with .cu alone: an error says how", alone.returncode == 2 and "1 file .cu or .cl in a folder left out" in alone.stderr, alone.stderr)
    shutil.copy(ROOT / EXAMPLES / "saxpy.ll", sources)
    for command in (("kernels",), ("tune", "-o", folder / "sources-out"), ("gate", "--save", "--baseline", folder / "base.json"), ("report", "-o", folder / "page.html")):
        run = tool(version, *command, sources)
        fine = run.returncode == 0 and "1 file .cu or .cl in a folder left out: to have one compiled, name it itself" in run.stderr
        check(f"{command[0]}: a .cu in a folder is counted", fine, run.stdout + run.stderr)
    for name in ("parity", "equal"):
        run = script(name, version, sources)
        check(f"{name}: the same", run.returncode == 0 and "left out: to have one compiled, make IR of it" in run.stderr, run.stdout + run.stderr)
    for command in (("report", "-o", folder / "cu.html"), ("kernels",)):
        run = tool(version, *command, sources / "add.cu")
        has_clang = (ROOT / f"build/llvm-{version}/bin/clang").is_file()
        fine = run.returncode == 0 if has_clang else "no clang beside llc" in run.stderr
        check(f"{command[0]} takes a .cu that is named", fine, run.stdout + run.stderr)
        words = tool(version, command[0], "--help").stdout
        check(f"{command[0]} --help names .cu", ".cu" in words, words)
    words = tool(version, "bisect", "--help").stdout
    check("bisect --help says what to do with .cu", "of .cu and .cl make IR first" in words, words)


def saying_what_lacks(version: str, folder: Path, ir: Path) -> None:
    """Checks what is said of inputs without a kernel: `ir`, PTX, cubins, folders."""
    nothing, ptx, cubin, none = folder / "nothing", folder / "nothing.ptx", folder / "nothing.cubin", folder / "none.ptx"
    nothing.mkdir()
    ptx.write_text("")
    cubin.write_text("")
    none.write_text(".version 8.0\n.target sm_80\n.address_size 64\n")
    assembled = folder / "none.cubin"
    subprocess.run([ROOT / "build/cuda/bin/ptxas", "-arch", "sm_80", none, "-o", assembled], check=True)
    base = ("--baseline", folder / "nothing.json", "--save")
    a_kernel_is = "there is no kernel in the input; a kernel is a function that"
    for words, wanted in (
        (("time", ir), a_kernel_is),
        (("kernels", ir), a_kernel_is),
        (("gate", *base, ir), a_kernel_is),
        (("gate", *base, none), a_kernel_is),
        (("sass", none), a_kernel_is),
        (("time", none, none), a_kernel_is),
        (("time", assembled, assembled), "none.cubin: there is no kernel in this cubin"),
        (("time", cubin, cubin), "nothing.cubin: the file is empty; a cubin is what ptxas"),
        (("time", ptx, ptx), "nothing.ptx: the file is empty; PTX begins with .version"),
        (("gate", *base, ptx), "nothing.ptx: the file is empty; PTX begins with .version"),
        (("time", nothing), f"no .ll, .mir, .bc file in {nothing}"),
        (("gate", *base, nothing), f"no .ll, .mir, .bc, .ptx file in {nothing}"),
        (("kernels", folder / "nothing.ptx"), "nothing.ptx: this command takes .ll, .mir, .bc, .cu, .cl, by the end of the name"),
    ):
        run = tool(version, *words)
        names = " ".join(Path(word).name for word in words if isinstance(word, Path))
        check(f"{words[0]} {names}: says what lacks", run.returncode == 2 and wanted in run.stderr, run.stdout + run.stderr)
    check("the gate saves no baseline of nothing", not base[1].exists())


def choosing(version: str, out: Path) -> None:
    """Checks processors by file, and what the tool and its scripts find by themselves."""
    folder = out / "choosing"
    folder.mkdir()
    one, two = folder / "one.ll", folder / "two.ll"
    for path in (one, two):
        shutil.copy(ROOT / EXAMPLES / "saxpy.ll", path)

    def rows(*arguments: str | Path) -> list[tuple[str, str]]:
        run = tool(version, "kernels", "--json", "-", *arguments)
        numbers = json.loads(run.stdout) if run.returncode == 0 else []
        return sorted({(Path(row["file"]).name, row["cpu"]) for row in numbers}) or [(run.stderr, "")]

    found = rows("--mcpu", "sm_80", "--mcpu", "two.ll=sm_90", one, two)
    check("--mcpu for one file", found == [("one.ll", "sm_80"), ("two.ll", "sm_90")], str(found))
    found = rows("--mcpu", "sm_80", "--mcpu", "sm_90", one)
    check("two processors in one table", found == [("one.ll", "sm_80"), ("one.ll", "sm_90")], str(found))
    page = tool(version, "report", "-o", folder / "page.html", "--mcpu", "sm_80", "--mcpu", "sm_90", one)
    text = (folder / "page.html").read_text() if page.returncode == 0 else ""
    check("and in one report", "<dt>Processor</dt><dd>sm_80, sm_90</dd>" in text, page.stderr)
    for command in (("tune", "-o", folder / "tuned"), ("gate", "--save", "--baseline", folder / "base.json")):
        run = tool(version, *command, "--mcpu", "sm_80", "--mcpu", "sm_90", one)
        fine = run.returncode == 2 and "compiled for sm_80 and sm_90: this command takes one processor a file" in run.stderr
        check(f"{command[0]} takes one", fine, run.stdout + run.stderr)
    missed = tool(version, "kernels", "--mcpu", "three.ll=sm_90", one)
    check("a name in --mcpu that is not an input is an error", missed.returncode == 2 and "--mcpu three.ll=sm_90: no input is named so" in missed.stderr, missed.stderr)

    program = ROOT / "target/release/ptx-compare"
    alone = subprocess.run([program, "kernels", "--llvm", version, "--cache", folder / "cache", "--json", "-", one], cwd=folder, capture_output=True, text=True, check=False)
    check("without a script: plugin, llc and ptxas are found", alone.returncode == 0 and '"verdict"' in alone.stdout, alone.stderr)
    copied = folder / "bin/ptx-compare"
    copied.parent.mkdir()
    shutil.copy(program, copied)
    lost = subprocess.run([copied, "kernels", one], cwd=folder, capture_output=True, text=True, check=False)
    fine = lost.returncode == 2 and "no plugin beside this program: name one by --plugin" in lost.stderr and "scripts/" not in lost.stderr
    check("a tool without its plugin says so, without scripts", fine, lost.stderr)
    (folder / "lib/ptxpasses").mkdir(parents=True)
    for path in (ROOT / "build/lib").glob("libptxpasses*.so"):
        (folder / "lib/ptxpasses" / path.name).symlink_to(path)
    tools = ("--llc", ROOT / f"build/llvm-{version}/bin/llc", "--cache", folder / "cache")
    bare = {"PATH": str(folder), "HOME": str(folder)}
    lost = subprocess.run([copied, "kernels", *tools, one], cwd=folder, env=bare, capture_output=True, text=True, check=False)
    known = any(Path(place).is_dir() for place in ("/usr/local/cuda", "/usr/lib/cuda"))
    advice = "install CUDA's toolkit, or: pip install 'cuda-toolkit[nvcc]' nvidia-cuda-nvdisasm; or name a toolkit's folder by --cuda"
    of_checkout = any(word in lost.stderr for word in ("scripts/", "build/cuda"))
    fine = known or ("there is no ptxas: none in CUDA_PATH, CUDA_HOME, on the PATH" in lost.stderr and advice in lost.stderr and not of_checkout)
    check("an installed tool without ptxas says what to do, without scripts", fine, lost.stderr)
    found_it = subprocess.run([copied, "kernels", *tools, "--json", "-", one], cwd=folder, env={**bare, "CUDA_PATH": str(ROOT / "build/cuda")}, capture_output=True, text=True, check=False)
    check("and finds it by CUDA_PATH", found_it.returncode == 0 and '"verdict"' in found_it.stdout, found_it.stderr)

    clone = folder / "clone"
    shutil.copytree(ROOT / "scripts", clone / "scripts")
    for words in (("--help",), ("kernels", "--help"), ("help", "tune")):
        run = subprocess.run([clone / "scripts/ptx-compare", *words], capture_output=True, text=True, check=False)
        fine = run.returncode == 0 and "scripts/ptx-compare [-N HOST]" in run.stdout and not (clone / "target").exists()
        check(f"ptx-compare {' '.join(words)} builds nothing", fine, run.stdout + run.stderr)
    built = clone / "build"
    (built / "lib").mkdir(parents=True)
    for number in ("18", "22"):
        (built / f"lib/libptxpasses-{number}.so").touch()
        (built / f"llvm-{number}/bin").mkdir(parents=True)
        (built / f"llvm-{number}/.setup").touch()
        (built / f"llvm-{number}/bin/llc").touch(mode=0o755)
    line = ["bash", "-c", ". scripts/lib.sh && default_host && PTX_LLVM=18 default_host"]
    chosen = subprocess.run(line, cwd=clone, capture_output=True, text=True, check=False, env={key: value for key, value in os.environ.items() if key != "PTX_LLVM"})
    check("the newest LLVM that the plugin is built for is taken", chosen.stdout.split() == ["22", "18"], chosen.stdout + chosen.stderr)
    slow = subprocess.run(["bash", "-c", ". scripts/lib.sh && told waiting sleep 3 && told quick true && ! told failing false"], cwd=clone, capture_output=True, text=True, check=False)
    check("what takes over two seconds is told", slow.returncode == 0 and slow.stderr == "waiting\n", slow.stderr)
    licences = script("licences", "--help")
    check("licences --help", licences.returncode == 0 and licences.stdout.startswith("Writes the licences"), licences.stderr)
    for argument in ("--help", ""):
        # The reader of the pipe has gone before anything is written.
        line = ["bash", "-c", f"{{ sleep 0.3; scripts/licences {argument}; }} | true; exit ${{PIPESTATUS[0]}}"]
        piped = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        check(f"licences {argument} into a pipe without a reader", piped.returncode == 128 + signal.SIGPIPE and piped.stderr == "", f"{piped.returncode}: {piped.stderr}")


def launching(version: str, out: Path) -> None:
    """Checks the order of grid's arguments, and launches that are too large."""
    folder = out / "launching"
    folder.mkdir()
    text, launch = folder / "adds.ptx", folder / "adds.launch"
    text.write_text(ADDS)
    launch.write_text("kernel adds\nblock 8\nbuffer 64\nu32 5\n")
    for order in ((text, "--launch", launch), ("--launch", launch, text)):
        run = tool(version, "grid", *order)
        check("grid takes its arguments in any order", run.returncode == 0 and "0 wrong" in run.stdout, run.stdout + run.stderr)
    usage = tool(version, "grid", "--help").stdout
    check("grid --help shows both", "grid [OPTIONS] PTX --launch FILE..." in usage and "grid [OPTIONS] --launch FILE... PTX" in usage, usage)
    for shape in ("grid 4294967295 4294967295 4294967295\nblock 1024", "grid 2147483647\nblock 1024", "grid 65535 65535"):
        launch.write_text(f"kernel adds\n{shape}\nbuffer 64\nu32 5\n")
        run = tool(version, "grid", text, "--launch", launch)
        lines = run.stderr.strip().splitlines()
        fine = run.returncode == 2 and len(lines) == 1 and "4194304 are allowed" in lines[0]
        check("grid: a launch that is too large is one line", fine, run.stdout + run.stderr)
    launch.write_text("kernel adds\nblock 8\nbuffer 9223372036854775807\nu32 5\n")
    run = tool(version, "grid", text, "--launch", launch, "--dump", folder)
    check("grid: so is a buffer", run.returncode == 2 and "1073741824 are allowed" in run.stderr, run.stderr)


def knowing_ptxas(version: str, out: Path) -> None:
    """Checks that the plugin gets the version of the ptxas that is asked, unless the user names one, and that stock's side does not."""
    folder = out / "knowing"
    folder.mkdir()
    log, llc = folder / "log", folder / "llc"
    llc.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{log}\nexec {ROOT}/build/llvm-{version}/bin/llc "$@"\n')
    llc.chmod(0o755)
    said = subprocess.run([ROOT / "build/cuda/bin/ptxas", "--version"], capture_output=True, text=True, check=True).stdout
    own = next(word[1:] for word in said.split() if word.startswith("V") and word[1:2].isdigit())
    plugin = ROOT / "build/lib/libptxpasses.so"
    kernel, page = ROOT / EXAMPLES / "saxpy.ll", folder / "page.html"
    for command in (["kernels"], ["gate", "--save", "--baseline", folder / "baseline.json"], ["report", "-o", page], ["time"], ["bisect", "--by", "sass"]):
        for options, wanted in (([], own), (["--plugin-args=-ptx-ptxas-version=12.5.82"], "12.5.82")):
            log.unlink(missing_ok=True)
            line = [ROOT / "target/release/ptx-compare", *command, "--llc", llc, "--plugin", plugin, "--cuda", ROOT / "build/cuda"]
            run = subprocess.run([*map(str, line), *options, str(kernel)], capture_output=True, text=True, check=False)
            lines = log.read_text().splitlines() if log.exists() else []
            compiled = [text.split() for text in lines if text.endswith("saxpy.ll") or "saxpy.ll " in text]
            named = {word for words in compiled for word in words if "ptxas-version" in word}
            is_ours_alone = all(("-load" in words or version >= "24") or "ptxas-version" not in " ".join(words) for words in compiled)
            # `time` ends with 1 where a kernel is not predicted.
            is_right = run.returncode in (0, 1) and named == {f"-ptx-ptxas-version={wanted}"} and is_ours_alone
            check(f"{command[0]}: the plugin knows ptxas {wanted}", is_right, f"{run.stderr}\n{named}\n" + "\n".join(lines))


def main() -> int:
    """Runs all checks."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    version = sys.argv[1]
    if not os.access(ROOT / "build/cuda/bin/ptxas", os.X_OK):
        print("ptxas is missing: run scripts/setup cuda")
        return 2
    out = Path(tempfile.mkdtemp())
    try:
        looking(version, out)
        processors(version, out)
        several(version, out)
        summing(version, out)
        measuring(version, out)
        tuning(version, out)
        tuning_by_time(version, out / "by-time")
        tuning_on_a_gpu(version, out / "on-gpu")
        gating(version, out)
        timing(version, out)
        bisecting(version, out)
        growing(version, out)
        grids(version, out)
        launching(version, out)
        choosing(version, out)
        knowing_ptxas(version, out)
        moving(version, out)
        naming(version, out)
        full(version, out)
        nothing_to_see(version, out)
    finally:
        shutil.rmtree(out)
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
