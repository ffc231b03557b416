"""Tests of the laboratory that need no GPU: archives are run against a stand-in for the driver (stand_in.c), with kernels that fail, hang, and leave
other bytes, with the time used up in the middle, and going on. The last ones make an archive of sources, where there is a compiler for them.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import csv
import io
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))
import ascending
import lab
import lab_make
import lab_tools
import launches
import made_up
import programs
import run as gpu_run
import table
from lab_queue import Failure, read_made
from samples import Times

HERE = Path(__file__).resolve().parent
TOOLS = HERE.parents[1] / "build"
CAN_MAKE = all((TOOLS / one).exists() for one in ("llvm-22/bin/llc", "cuda/bin/ptxas", "cuda/bin/nvdisasm", "lib/libptxpasses.so"))
TOOL = HERE.parents[1] / "target" / "release" / "ptx-compare"
TOOLS_OF_LAB = {"llvm": "22", "ptxas": "13 -O3", "version": "0"}
MORE = """from pathlib import Path

from launches import Timed, out, zeros

TIMED = [Timed(Path(f"made/{name}.ll"), name, (1,), (32,), [out(4096), zeros(4096)], group="made up") for name in ("a", "b", "c", "d")]
"""
NCU = """#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != --section ]; do shift; done
while [ "$1" = --section ]; do shift 2; done
"$@" || exit 1
echo '==PROF== Connected'
echo '"ID","Kernel Name","sm__cycles_elapsed.max","dram__bytes_read.sum"'
echo '"","","cycle","byte"'
echo '"0","a","1,000","64"'
echo '"1","a","900","32"'
"""


def elf(kernel: str, code: bytes) -> bytes:
    """Makes an ELF file as driver and run.py read one: a kernel's code, and its parameters' bank."""
    names = b"\0.shstrtab\0.text." + kernel.encode() + b"\0.nv.constant0." + kernel.encode() + b"\0"
    at = 64 + len(names) + len(code)
    sections = [(1, 64, len(names)), (11, 64 + len(names), len(code)), (names.index(b".nv.constant0"), 64, 1)]
    headers = bytes(64) + b"".join(struct.pack("<IIQQQQ", name, 1, 0, 0, place, size) + bytes(24) for name, place, size in sections)
    start = b"\x7fELF\2\1\1" + bytes(33) + struct.pack("<Q10xHHH", at, 64, 4, 1)
    return start + names + code + headers


def code(size: int, what: bytes = b"") -> bytes:
    """Makes code of a size, which says what the stand-in is to do."""
    return what + bytes(size - len(what))


class Lab(unittest.TestCase):
    """Runs of made-up archives."""

    library: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.library = tempfile.TemporaryDirectory()
        made = Path(cls.library.name) / "libcuda.so.1"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", str(HERE / "stand_in.c"), "-o", str(made)], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.library.cleanup()

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        self.archive, self.results = self.folder / "lab.pyz", self.folder / "lab-results"

    def pack(self, kernels: dict[str, dict[str, bytes]], queue: list[dict[str, Any]], **more: Any) -> None:
        """Makes an archive of kernels with variants."""
        jobs: dict[str, Any] = {}
        cubins: dict[str, bytes] = {}
        for kernel, variants in kernels.items():
            texts = {name: elf(kernel, one) for name, one in variants.items()}
            cubins |= {lab_make.digest(one): one for one in texts.values()}
            facts = {
                name: {"spill_stores": 0, "spill_loads": 0, "code_bytes": len(variants[name]), "code": lab_make.digest(one), "cubin": lab_make.digest(one)}
                for name, one in texts.items()
            }
            places = {name: f"cubins/{lab_make.digest(one)}.cubin" for name, one in texts.items()}
            jobs[f"{kernel}: {kernel}"] = {"name": f"{kernel}: {kernel}", "group": "made up", "cubins": places, "same": {}, "facts": facts}
        common = {"kind": "first", "pass": 0, "blocks": 4, "limit": 20, "silence": 20, "after": None}
        made = {
            **{"format": 1, "gpu": "sm_90", "cubins": len(cubins), "tools": TOOLS_OF_LAB, "jobs": jobs, "programs": more.get("programs", {})},
            **{"queue": [{**common, "variants": list(jobs.get(one["name"], {"cubins": []})["cubins"]), **one} for one in queue]},
        }
        table_of_launches = self.folder / "more.py"
        table_of_launches.write_text(MORE, encoding="utf-8")
        with contextlib.redirect_stderr(io.StringIO()):
            lab_make.pack(self.archive, made, cubins, {"more.py": table_of_launches, **more.get("folders", {})})

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        """Starts the archive, as the machine with the GPU does."""
        command = [sys.executable, str(self.archive), "run", "--results", str(self.results), *arguments]
        environment = {**os.environ, "LD_LIBRARY_PATH": self.library.name, **variables}
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def perform(self, *arguments: str, **variables: str) -> tuple[int, str]:
        """Runs the archive; its status and what it said."""
        process = self.start(*arguments, **variables)
        text, _ = process.communicate(timeout=60)
        return process.returncode, text

    def ends(self) -> dict[str, str]:
        """Reads how each experiment ended last."""
        with (self.results / "queue.csv").open(encoding="utf-8", newline="") as file:
            return {row["number"]: row["end"] for row in csv.DictReader(file)}

    def merge(self, *arguments: str) -> str:
        """Keeps the results; what it said."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = lab.main(["merge", str(self.results), "--data", str(self.folder / "data"), *arguments])
        self.assertEqual(status, 0, out.getvalue())
        return out.getvalue()

    def test_what_was_measured_becomes_data_that_the_table_shows(self) -> None:
        self.pack({"a": {"stock": code(20000), "again": code(20000), "ours": code(5000)}}, [{"name": "a: a"}])
        status, text = self.perform()
        self.assertEqual(status, 0, text)
        merged = self.merge("--name", "x")
        self.assertIn("new for this card: 2 codes, 1 kernels that had none", merged)
        kept = table.Kept("x", self.folder / "data")
        ours = kept.ratio("a: a", "ours", "stock")
        assert ours is not None
        # 10 microseconds, and one for each 1,000 bytes of code.
        self.assertAlmostEqual(ours.median, 15 / 30, 3)
        row = kept.of["a: a"]["ours"]
        self.assertEqual((row["card"], row["registers"], row["blocks"], row["differs"]), ("Stand-in", "21", "4", "0"))
        self.assertEqual(len(row["code"]), 16)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            kept.show()
        self.assertIn("| `ours` | 1 | 1 | 0.5000 |", out.getvalue())
        # The same run again replaces its data; another one does not.
        self.merge("--name", "x")
        machine = self.results / "machine.json"
        machine.write_text(machine.read_text(encoding="utf-8").replace('"begun": "2', '"begun": "1'), encoding="utf-8")
        with contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertEqual(lab.main(["merge", str(self.results), "--data", str(self.folder / "data"), "--name", "x"]), 2)
        self.assertIn("another run as x", said.getvalue())

    def test_a_variant_that_faults_is_left_out_and_costs_no_other(self) -> None:
        self.pack({"a": {"stock": code(900), "ours": code(800, b"FAULT"), "lsr": code(700)}, "b": {"stock": code(900)}}, [{"name": "a: a"}, {"name": "b: b"}])
        _, text = self.perform()
        self.assertIn("a: a: done without ours", text)
        times = Times(self.results / "samples.csv")
        self.assertEqual(times.faults, ["a: a: ours: cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS"])
        self.assertEqual((list(times.of["a: a"]), list(times.of["b: b"])), (["stock", "lsr"], ["stock"]))

    def test_a_kernel_whose_stock_faults_or_hangs_has_failed_and_what_depends_on_it_is_skipped(self) -> None:
        kernels = {"a": {"stock": code(900, b"FAULT")}, "b": {"stock": code(900, b"HANG")}, "c": {"stock": code(900)}}
        queue: list[dict[str, Any]] = [{"name": "a: a"}, {"name": "b: b", "silence": 2}, {"name": "a: a", "kind": "plan", "after": 0}, {"name": "c: c"}]
        self.pack(kernels, queue)
        _, text = self.perform()
        self.assertEqual(self.ends(), {"0": "failed", "1": "hung", "2": "skipped", "3": "done"}, text)
        self.assertIn("failed: first of a: a: cuCtxSynchronize", self.merge())

    def test_other_bytes_than_stocks_are_told(self) -> None:
        self.pack({"a": {"stock": code(900), "ours": code(800, b"WRONG"), "lsr": code(700)}}, [{"name": "a: a"}])
        self.perform()
        rows = Times(self.results / "samples.csv").rows["a: a"]
        self.assertEqual({name: row["differs"] for name, row in rows.items()}, {"stock": "0", "ours": "1", "lsr": "0"})

    def test_what_the_end_of_the_time_cuts_is_kept_and_marked_and_made_again_by_the_next_run(self) -> None:
        queue: list[dict[str, Any]] = [{"name": "a: a"}, {"name": "b: b", "blocks": 10000}, {"name": "c: c"}]
        self.pack({name: {"stock": code(900), "ours": code(800)} for name in "abc"}, queue)
        begun = time.monotonic()
        status, text = self.perform("--minutes", "0.06", STAND_IN_WAIT="5")
        self.assertLess(time.monotonic() - begun, 8)
        self.assertEqual((status, self.ends()), (0, {"0": "done", "1": "cut"}), text)
        self.assertIn("1 not begun", text)
        cut = Times(self.results / "samples.csv").of["b: b"]["ours"][0, 0]
        self.assertGreater(len(cut), 4)
        self.assertIn("cut: first of b: b: the time is over", self.merge("--name", "x"))
        self.perform("--minutes", "0.08", STAND_IN_WAIT="1")
        self.assertEqual(self.ends()["1"], "cut")
        # With room enough it goes on after the one that was cut; what was done is not made again.
        with mock.patch.dict(os.environ, {"STAND_IN_WAIT": "0"}):
            made = read_made(self.folder / "lab-unpacked")
            made["queue"][1]["blocks"] = 5
            (self.folder / "lab-unpacked" / "lab.json").write_text(json.dumps(made), encoding="utf-8")
            _, text = self.perform()
        self.assertEqual(self.ends(), {"0": "done", "1": "done", "2": "done"}, text)
        self.assertNotIn("a: a", text)
        self.assertEqual(len(Times(self.results / "samples.csv").of["b: b"]["ours"][0, 0]), 5)
        self.merge("--name", "x")

    def test_a_signal_keeps_what_came(self) -> None:
        self.pack({"a": {"stock": code(900)}}, [{"name": "a: a", "blocks": 10000}])
        # On a busy machine nothing may have come after the shortest time.
        for seconds in (2.5, 5, 10):
            process = self.start(STAND_IN_WAIT="20")
            time.sleep(seconds)
            process.send_signal(signal.SIGTERM)
            text, _ = process.communicate(timeout=20)
            self.assertEqual((process.returncode, self.ends()), (130, {"0": "cut"}), text)
            kept = Times(self.results / "samples.csv").of
            if "a: a" in kept:
                break
            shutil.rmtree(self.results)
        self.assertGreater(len(kept["a: a"]["stock"][0, 0]), 0)

    def test_results_of_another_card_are_not_mixed_and_another_gpu_is_refused(self) -> None:
        self.pack({"a": {"stock": code(900)}}, [{"name": "a: a"}])
        status, text = self.perform(STAND_IN_GPU="86")
        self.assertEqual(status, 2)
        self.assertIn("this GPU is sm_86, and the archive is for sm_90", text)
        self.perform()
        self.pack({"a": {"stock": code(901)}}, [{"name": "a: a"}])
        status, text = self.perform()
        self.assertEqual(status, 2)
        self.assertIn("results of another archive or card", text)
        status, text = self.perform(LD_LIBRARY_PATH="/nowhere")
        self.assertIn("no GPU here", text)

    def test_counters_are_those_of_the_variants_and_a_machine_without_ncu_is_told(self) -> None:
        self.pack({"a": {"stock": code(900), "ours": code(800)}}, [{"name": "a: a", "kind": "counters"}])
        _, text = self.perform(PATH=str(self.folder / "nothing"))
        self.assertIn("skipped (no ncu on this machine)", text)
        tools = self.folder / "bin"
        tools.mkdir()
        (tools / "ncu").write_text(NCU, encoding="utf-8")
        (tools / "ncu").chmod(0o755)
        _, text = self.perform(PATH=f"{tools}:{os.environ['PATH']}")
        self.assertEqual(self.ends(), {"0": "done"}, text)
        with (self.results / "counters.csv").open(encoding="utf-8", newline="") as file:
            rows = [tuple(row.values()) for row in csv.DictReader(file)]
        self.assertIn(("a: a", "ours", "sm__cycles_elapsed.max", "cycle", "900"), rows)
        self.assertEqual(len(rows), 4)

    def test_programs_run_by_turns_in_their_files_and_one_that_hangs_is_ended(self) -> None:
        place = self.folder / "programs"
        (place / "0" / "files").mkdir(parents=True)
        (place / "0" / "files" / "input").write_text("42", encoding="utf-8")
        for build, text in {"stock": "cat input; echo PASS in 3.5 ms; rm input", "ours": "cat input; echo PASS in 2 ms", "nvcc": "exit 3"}.items():
            (place / "0" / build).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            (place / "0" / build).chmod(0o755)
        (place / "0" / "slow").write_text("#!/bin/sh\nsleep 60 &\nsleep 60\n", encoding="utf-8")
        (place / "0" / "slow").chmod(0o755)
        builds = {build: f"programs/0/{build}" for build in ("stock", "ours", "nvcc")}
        packed: dict[str, Any] = {
            "suite.one": {"builds": builds, "arguments": [], "files": "programs/0/files"},
            "suite.slow": {"builds": {"stock": "programs/0/slow"}, "arguments": [], "files": ""},
        }
        queue: list[dict[str, Any]] = [
            {"name": "a: a"},
            {"name": "suite.one", "kind": "programs", "variants": list(builds)},
            {"name": "suite.slow", "kind": "programs", "variants": ["stock"], "limit": 1},
        ]
        self.pack({"a": {"stock": code(900)}}, queue, programs=packed, folders={"programs": place})
        _, text = self.perform()
        self.assertEqual(self.ends(), {"0": "done", "1": "done", "2": "failed"}, text)
        with (self.results / "programs.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        of = {(row["build"], row["run"]): row for row in rows if row["program"] == "suite.one"}
        self.assertEqual([of[build, "0"]["status"] for build in builds], ["0", "0", "3"])
        self.assertEqual(len(of), 7)  # the build that fails runs once
        self.assertEqual(len({of[build, run]["printed"] for build in ("stock", "ours") for run in "012"}), 1)
        self.assertEqual([row["status"] for row in rows if row["program"] == "suite.slow"], ["hung"])
        self.assertIn("8 rows of programs", self.merge())


class Parts(unittest.TestCase):
    """What needs no run."""

    def test_numbers_of_what_a_program_prints_may_be_times(self) -> None:
        self.assertEqual(lab_tools.shape_of("PASS 3.5 ms, 1e-3"), lab_tools.shape_of("PASS 41 ms, 2.25e+07"))
        self.assertNotEqual(lab_tools.shape_of("PASS 3 ms"), lab_tools.shape_of("FAIL 3 ms"))

    def test_programs_are_found_with_their_sources(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            root = Path(place)
            (root / "one").mkdir()
            (root / "one" / "a.cu").write_text('#include "kernel.cu"\nint main() {}', encoding="utf-8")
            (root / "one" / "kernel.cu").write_text("", encoding="utf-8")
            (root / "one" / "b.cpp").write_text("", encoding="utf-8")
            (root / "two").mkdir()
            for name in ("c.cu", "d.cu"):
                (root / "two" / name).write_text("int main(int argc, char **argv) {}", encoding="utf-8")
            made = {one.name: [path.name for path in one.sources] for one in programs.programs_of(root)}
            self.assertEqual(made, {"one": ["a.cu", "b.cpp"], "two/c.cu": ["c.cu"], "two/d.cu": ["d.cu"]})
            said = root / "programs.json"
            said.write_text('{"one": {"arguments": ["5"]}, "two/c.cu": null}', encoding="utf-8")
            again = {one.name: one.arguments for one in programs.programs_of(root)}
            self.assertEqual(again, {"one": ["5"], "two/d.cu": []})
            said.write_text('{"one": {"args": []}}', encoding="utf-8")
            with self.assertRaisesRegex(Failure, "args: not known"):
                programs.programs_of(root)

    def test_an_archive_that_is_none_or_of_another_format_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "x.pyz"
            for make, why in ((lambda: None, "no such"), (lambda: path.write_text("x", encoding="utf-8"), "no archive of the laboratory")):
                make()
                with self.assertRaisesRegex(Failure, why):
                    read_made(path)
            folder = Path(place) / "f"
            folder.mkdir()
            with self.assertRaisesRegex(Failure, "no lab.json"):
                read_made(folder)
            (folder / "lab.json").write_text('{"format": 9}', encoding="utf-8")
            with self.assertRaisesRegex(Failure, "format 9"):
                read_made(folder)


STORES = """.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b64 %a; .reg .b32 %v<5>;
  ld.param.u64 %a, [p];
  mov.u32 %v4, %tid.x;
  mad.lo.u32 %v0, %v4, 3, 7; mad.lo.u32 %v1, %v0, %v0, 9; mad.lo.u32 %v2, %v1, %v0, 11; mad.lo.u32 %v3, %v2, %v1, 5;
  st.global.u32 [%a+12], %v0;
  st.global.u32 [%a+8], %v1;
  st.global.u32 [%a+4], %v2;
  st.global.u32 [%a], %v3;
  ret;
}
"""

MODULE = """target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, ptr }

define ptx_kernel void @scaled(ptr noundef readonly %from, ptr noundef writeonly %to, i32 noundef %count, float noundef %factor) {
  %block = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %size
  %at = add i32 %first, %thread
  %wide = zext i32 %at to i64
  %most = add i32 %count, -1
  %last = zext i32 %most to i64
  br label %loop

loop:
  %turn = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %new, %loop ]
  %mixed = xor i32 %at, %turn
  %in = and i32 %mixed, %most
  %place = zext i32 %in to i64
  %source = getelementptr inbounds float, ptr %from, i64 %place
  %value = load float, ptr %source, align 4
  %scaled = fmul float %value, %factor
  %new = fadd float %sum, %scaled
  %next = add i32 %turn, 1
  %goes_on = icmp ult i32 %next, 256
  br i1 %goes_on, label %loop, label %done

done:
  %target = getelementptr inbounds float, ptr %to, i64 %wide
  store float %new, ptr %target, align 4
  ret void
}

define ptx_kernel void @nothing(ptr noundef %to) {
  store i64 1, ptr %to, align 8
  ret void
}

define ptx_kernel void @by_value(ptr noundef byval(%pair) align 8 %one) {
  ret void
}

define ptx_kernel void @follows(ptr noundef %from) {
  %to = load ptr, ptr %from, align 8
  store i32 1, ptr %to, align 4
  ret void
}

define void @helper(ptr %to) {
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
SIMULATOR = """#!/usr/bin/env python3
import json, sys
words = sys.argv[1:]
launch = open(words[words.index("--launch") + 1]).read().split()
count, size = int(launch[launch.index("u32") + 1]), int(launch[launch.index("buffer") + 1])
found = {"kernel": "k", "ratio": 1.0, "sides": [{"executed": 8000.0, "cycles": 9000.0}]}
if count > 4096:
    found = {"kernel": "k", "error": "the budget is used up"}
elif size < 24 << 20:
    place = "reads 4 bytes at 0x7, 20971520 bytes after its start"
    found = {"kernel": "k", "error": f"parameter 1 is a buffer of {size} bytes at 0x5, and the kernel {place}"}
print(json.dumps([found]))
"""


class MadeUp(unittest.TestCase):
    """Launches that are made up."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def test_kernels_are_read_from_their_ir(self) -> None:
        found = list(made_up.kernels_of(Path("m.ll"), MODULE))
        (scaled, nothing), others = found[:2], found[2:]
        assert isinstance(scaled, made_up.Kernel) and isinstance(nothing, made_up.Kernel)
        self.assertEqual(scaled.parameters, [made_up.Pointer("float", False), made_up.Pointer("float", True), "i32", "float"])
        self.assertEqual((scaled.axes, nothing.parameters), (1, [made_up.Pointer("i64", True)]))
        self.assertEqual(others, [("by_value", "a structure as parameter"), ("follows", "pointers in memory")])

    def test_a_buffer_grows_and_numbers_get_smaller_until_a_simulation_ends_well(self) -> None:
        tool = self.folder / "tool"
        tool.write_text(SIMULATOR, encoding="utf-8")
        tool.chmod(0o755)
        maker = made_up.Maker(tool, self.folder, lambda data: str(len(data)))
        kernel = made_up.Kernel(Path("m.ll"), "k", [made_up.Pointer("double", True), "i32", "float"])
        ((of, row),) = maker.launches([kernel], [])
        assert of is kernel and isinstance(row, dict)
        self.assertEqual(row["predicted"], 1.0)
        self.assertEqual(row["arguments"], [["buffer", 64 << 20, "d", True], ["u32", 4096], ["f32", 0.5]])
        made_up.write(self.folder, [row])
        timed = launches.by_name(self.folder)["m: k"]
        self.assertTrue(timed.is_made_up)
        memory = timed.arguments[0]
        assert isinstance(memory, launches.Memory)
        self.assertEqual((memory.size, memory.is_written, memory.pattern is not None), (64 << 20, True, True))

    def test_a_kernel_that_fits_no_launch_says_why(self) -> None:
        tool = self.folder / "tool"
        tool.write_text("#!/bin/sh\necho 'error: no such opcode' >&2; exit 2\n", encoding="utf-8")
        tool.chmod(0o755)
        maker = made_up.Maker(tool, self.folder, lambda data: str(len(data)))
        kernels = [made_up.Kernel(Path("m.ll"), name, ["i32"]) for name in "kl"]
        self.assertEqual([found for _, found in maker.launches(kernels, [])], ["error: no such opcode"] * 2)

    def test_processor_time_ends_a_simulation_not_a_busy_machine(self) -> None:
        tool = self.folder / "tool"
        tool.touch(0o755)
        maker = made_up.Maker(tool, self.folder, lab_make.digest)
        kernel = made_up.Kernel(Path("m.ll"), "k", [])
        with mock.patch.object(made_up, "SECONDS", 1):
            tool.write_text("#!/bin/sh\nwhile :; do :; done\n", encoding="utf-8")
            self.assertEqual(maker.launches([kernel], [])[0][1], made_up.TOO_LONG)
            tool.write_text("#!/bin/sh\nsleep 2; echo 'error: it slept' >&2; exit 2\n", encoding="utf-8")
            self.assertEqual(maker.launches([kernel], [])[0][1], "error: it slept")

    def test_two_threads_may_write_the_same_pattern(self) -> None:
        both = threading.Barrier(2, timeout=10)
        write = Path.write_bytes

        def slowly(path: Path, data: bytes) -> int:
            written = write(path, data)
            both.wait()
            return written

        timed = launches.Timed(Path("m.ll"), "k", (1,), (32,), [launches.bits(64)])
        with mock.patch.object(Path, "write_bytes", slowly), concurrent.futures.ThreadPoolExecutor(2) as pool:
            texts = list(pool.map(lambda _: launches.launch_text(timed, self.folder, lab_make.digest), range(2)))
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(len(list((self.folder / "patterns").iterdir())), 1)

    def test_what_was_found_for_a_module_is_kept_for_the_next_run(self) -> None:
        tool = self.folder / "tool"
        tool.write_text(SIMULATOR, encoding="utf-8")
        tool.chmod(0o755)
        kernel = made_up.Kernel(Path("m.ll"), "k", [made_up.Pointer("double", True), "i32"])
        maker = made_up.Maker(tool, self.folder, lab_make.digest)
        ((_, first),) = maker.launches([kernel], [])
        with mock.patch.object(maker, "simulate", side_effect=AssertionError):
            ((_, again),) = maker.launches([made_up.Kernel(Path("elsewhere/m.ll"), "k", kernel.parameters)], [])
        assert isinstance(first, dict) and isinstance(again, dict)
        self.assertEqual(again, {**json.loads(json.dumps(first)), "source": "elsewhere/m.ll"})

    def test_a_kernel_that_takes_too_little_time_gets_a_larger_grid_and_larger_numbers(self) -> None:
        maker = made_up.Maker(self.folder / "tool", self.folder, lab_make.digest)
        search = made_up.Search(maker, made_up.Kernel(Path("m.ll"), "k", [made_up.Pointer("float", True), "i32"]))
        little = {"ratio": 0.9, "sides": [{"executed": 200.0, "cycles": 240.0}]}
        search.take(search.row(), little)
        row = search.row()
        self.assertEqual((row["grid"], row["arguments"][1]), ((16 * 2112,), ["u32", 1 << 24]))
        search.take(row, little)
        assert isinstance(search.result, dict)
        self.assertEqual((search.result["grid"], search.result["predicted"]), ((16 * 2112,), 0.9))

    def test_blocks_have_the_threads_that_a_kernel_allows(self) -> None:
        text = 'define ptx_kernel void @{0}(ptr %to) #{1} {{\n  ret void\n}}\n'
        metadata = '!1 = !{ptr @few, !"maxntidx", i32 32, !"maxntidy", i32 4}\n'
        groups = 'attributes #0 = { "nvvm.reqntid"="96" }\nattributes #1 = { nounwind "nvvm.maxntid"="64,1,1" }\nattributes #2 = { nounwind }\n'
        module = text.format("exact", 0) + text.format("most", 1) + text.format("few", 2) + text.format("free", 2) + groups + metadata
        found = {one.name: one for one in made_up.kernels_of(Path("m.ll"), module) if isinstance(one, made_up.Kernel)}
        self.assertEqual({name: (one.most_threads, one.block) for name, one in found.items()}, {
            "exact": (1024, (96,)),
            "most": (64, None),
            "few": (128, None),
            "free": (1024, None),
        })
        maker = made_up.Maker(self.folder / "tool", self.folder, lab_make.digest)
        blocks = {name: made_up.Search(maker, one).row()["block"] for name, one in found.items()}
        self.assertEqual(blocks, {"exact": (96,), "most": (64,), "few": (128,), "free": (256,)})
        self.assertEqual([made_up.shrunk(block, 128) for block in ((256,), (16, 16), (8, 8, 4))], [(128,), (16, 8), (8, 8, 2)])

    def test_a_kernel_that_misses_shared_memory_gets_a_smaller_block(self) -> None:
        maker = made_up.Maker(self.folder / "tool", self.folder, lab_make.digest)
        search = made_up.Search(maker, made_up.Kernel(Path("m.ll"), "k", [made_up.Pointer("float", True), "i32"]))
        tried = []
        for _ in range(5):
            row = search.row()
            tried.append((row["block"], row["arguments"][1][1]))
            search.take(row, {"error": "a write after the end of shared memory at 0x10"})
        self.assertEqual(tried, [((256,), 1 << 20), ((128,), 1 << 20), ((64,), 1 << 20), ((32,), 1 << 20), ((256,), 1 << 16)])

    def test_one_of_several_integers_is_large_where_no_number_for_all_will_do(self) -> None:
        found = made_up.choices(3, 1 << 30)
        self.assertEqual(found[:2] + found[4:8], [(4096,) * 3, (1024,) * 3, (16,) * 3, (1 << 20, 64, 64), (64, 1 << 20, 64), (64, 64, 1 << 20)])
        self.assertEqual((made_up.choices(1, 0x7FFF)[0], made_up.choices(0, 1 << 30)), ((4096,), [()]))
        self.assertEqual(len(made_up.choices(9, 1 << 30)), 5)
        maker = made_up.Maker(self.folder / "tool", self.folder, lab_make.digest)
        search = made_up.Search(maker, made_up.Kernel(Path("m.ll"), "k", ["i32", "float", "i8"]))
        search.numbers = found = [(1 << 20, 64)]
        self.assertEqual(search.row()["arguments"], [["u32", 1 << 20], ["f32", 0.5], ["u8", 64]])
        search.take(search.row(), {"ratio": 0.9, "sides": [{"executed": 200.0, "cycles": 240.0}]})
        self.assertEqual(search.row()["arguments"], [["u32", 1 << 24], ["f32", 0.5], ["u8", 64]])

    def test_another_tool_tries_only_what_has_no_launch(self) -> None:
        tool = self.folder / "tool"
        tool.write_text("one", encoding="utf-8")
        maker = made_up.Maker(tool, self.folder, lab_make.digest)
        kernels = [made_up.Kernel(Path("m.ll"), name, ["i32"]) for name in "klm"]
        said = [{"k": {"source": "m.ll"}, "l": "the opcode is not known", "m": made_up.NOT_REACHED}, {"m": {"source": "m.ll"}}, {"l": {"source": "m.ll"}}]
        with mock.patch.object(maker, "searched", side_effect=said) as searched:
            maker.launches(kernels, [])
            maker.launches(kernels, [])  # what was not reached
            tool.write_text("another", encoding="utf-8")
            found = maker.launches(kernels, [])
            self.assertEqual([[one.name for one in call.args[0]] for call in searched.call_args_list], [["k", "l", "m"], ["m"], ["l"]])
        self.assertTrue(all(isinstance(row, dict) for _, row in found))

    def test_a_search_ends_with_its_time_and_is_not_kept(self) -> None:
        maker = made_up.Maker(self.folder / "tool", self.folder, lab_make.digest, until=0)
        (self.folder / "tool").write_text("", encoding="utf-8")
        kernel = made_up.Kernel(Path("m.ll"), "k", ["i32"])
        self.assertEqual(maker.launches([kernel], []), [(kernel, made_up.NOT_REACHED)])
        self.assertEqual(list((self.folder / "made-up").iterdir()), [])

    def test_a_module_that_takes_long_does_not_take_all_of_the_time(self) -> None:
        tool = self.folder / "tool"
        tool.write_text(SIMULATOR, encoding="utf-8")
        tool.chmod(0o755)
        maker = made_up.Maker(tool, self.folder, lab_make.digest)
        kernel = made_up.Kernel(Path("m.ll"), "k", [made_up.Pointer("double", True), "i32"])
        with mock.patch.object(made_up, "MODULE_SECONDS", -1):
            self.assertEqual(maker.launches([kernel], []), [(kernel, made_up.TOO_SLOW)])
        # Kept: the next run goes on with other modules.
        self.assertEqual(maker.launches([kernel], []), [(kernel, made_up.TOO_SLOW)])

    def test_buffers_of_a_type_grow_together_if_there_is_room(self) -> None:
        maker = made_up.Maker(self.folder / "tool", self.folder, lab_make.digest)
        floats, index = made_up.Pointer("float", False), made_up.Pointer("i32", False)
        search = made_up.Search(maker, made_up.Kernel(Path("m.ll"), "k", [floats, floats, index, "i32"]))
        error = "parameter 1 is a buffer of 4194304 bytes at 0x5, and the kernel reads 4 bytes at 0x7, 50000000 bytes after its start"
        search.take(search.row(), {"error": error})
        self.assertEqual(search.sizes, [128 << 20, 128 << 20, 4 << 20, 0])
        error = error.replace("4194304", str(128 << 20)).replace("50000000", "300000000")
        search.take(search.row(), {"error": error})  # too much: the next number, with small buffers
        self.assertEqual((search.sizes, search.result), ([4 << 20, 4 << 20, 4 << 20, 0], None))


@unittest.skipUnless(CAN_MAKE, "scripts/setup 22 cuda and scripts/build 22 make what these need")
class Made(unittest.TestCase):
    """What compilers make."""

    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def cubin(self, ptx: str) -> bytes:
        (self.folder / "k.ptx").write_text(ptx, encoding="utf-8")
        subprocess.run([TOOLS / "cuda/bin/ptxas", "-arch", "sm_90", self.folder / "k.ptx", "-o", self.folder / "k.cubin"], check=True)
        return (self.folder / "k.cubin").read_bytes()

    def offsets(self, cubin: bytes) -> list[int]:
        found = [ascending.Instruction(text, 0, False).store() for text, _ in ascending.disassembled(cubin, "k")]
        return [store.offset for store in found if store is not None]

    def test_stores_are_put_into_ascending_order_and_no_sooner_than_what_they_store(self) -> None:
        before = self.cubin(STORES)
        self.assertNotEqual(self.offsets(before), [0, 4, 8, 12])
        after = ascending.ascending(before, "k")
        assert after is not None
        self.assertEqual(self.offsets(after), [0, 4, 8, 12])
        self.assertIsNone(ascending.ascending(after, "k"))
        at, size = ascending.section(after, ".text.k")
        self.assertEqual((before[:at], before[at + size :]), (after[:at], after[at + size :]))
        code_of = [
            ascending.Instruction(text, int.from_bytes(after[at + 16 * i : at + 16 * i + 16], "little"), is_target)
            for i, (text, is_target) in enumerate(ascending.disassembled(after, "k"))
        ]
        looked_at = 0
        for i, one in enumerate(code_of):
            store = one.store()
            for name in store.reads if store is not None else ():
                made = ascending.distance(code_of[:i], name)
                if made is not None and code_of[made[0]].base in ascending.SHORT:
                    looked_at += 1
                    # What ptxas itself leaves between a product and its reader is 4 or 5.
                    self.assertGreaterEqual(made[1], 4, (one.text, name))
        self.assertGreaterEqual(looked_at, 4)

    def test_a_store_stays_where_a_fence_or_another_base_stands_between(self) -> None:
        for between in ("membar.gl;", "st.global.u32 [%b], %v2;"):
            ptx = STORES.replace("st.global.u32 [%a+4]", f"{between} st.global.u32 [%a+4]")
            ptx = ptx.replace(".reg .b64 %a;", ".reg .b64 %a, %b;").replace("mov.u32", "ld.global.u64 %b, [%a+64]; mov.u32")
            made = ascending.ascending(self.cubin(ptx), "k")
            if made is not None:
                order = self.offsets(made)
                self.assertLess(max(order.index(8), order.index(12)), order.index(4), between)

    def test_stores_that_overlap_keep_their_order(self) -> None:
        window = [ascending.Instruction(f"STG.E [R2.64+{at}],R{number}", 7 << 110 | 7 << 113, False) for number, at in ((4, "0x8"), (5, "0x6"), (6, "0x0"))]
        self.assertFalse(ascending.is_group(window[:2]))
        self.assertTrue(ascending.is_group([window[0], window[2]]))

    def test_an_archive_of_sources_is_made_run_and_kept(self) -> None:
        out = io.StringIO()
        archive = self.folder / "lab.pyz"
        arguments = ["make", "22", "saxpy", "rotate_hash", "-o", str(archive), "--folder", str(self.folder / "lab"), "--passes", "2", "--blocks", "3"]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(lab.main([*arguments, "--nvcc", "none"]), 0)
            self.assertEqual(lab.main(["list", str(archive)]), 0)
        self.assertRegex(out.getvalue(), r"0\.\d MB, 2 kernels")
        made = read_made(archive)
        self.assertEqual({"first", "plan", "counters"} - {one["kind"] for one in made["queue"]}, set())
        plan_of = next(one for one in made["queue"] if one["kind"] == "plan")
        self.assertGreater(len(plan_of["variants"]), 1)
        library = self.folder / "library"
        library.mkdir()
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", str(HERE / "stand_in.c"), "-o", str(library / "libcuda.so.1")], check=True)
        environment = {**os.environ, "LD_LIBRARY_PATH": str(library), "STAND_IN_FAULT": "rotate_hash"}
        command = [sys.executable, str(archive), "--only", "first,plan"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("rotate_hash: rotate_hash: failed", done.stdout)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(lab.main(["merge", str(self.folder / "lab-results"), "--data", str(self.folder), "--name", "x"]), 0)
        kept = table.Kept("x", self.folder)
        self.assertIsNotNone(kept.ratio("saxpy: saxpy", "ours", "stock"))
        self.assertEqual(len(kept.effects["mad-wide"]), 1)
        self.assertTrue(all("plan-15" in settings for settings in kept.of.values()))
        # run.py's data have the same digest for the same code.
        stock = kept.of["saxpy: saxpy"]["stock"]
        cubin = (self.folder / "lab-unpacked" / "cubins" / f"{stock['cubin']}.cubin").read_bytes()
        self.assertEqual(stock["code"], gpu_run.grid_module("run").digest(gpu_run.machine_code(cubin, "saxpy")))
        shutil.rmtree(self.folder / "lab-unpacked")

    @unittest.skipUnless(TOOL.exists(), "scripts/ptx-compare makes what this needs")
    def test_kernels_of_a_module_get_launches_and_an_experiment(self) -> None:
        out = io.StringIO()
        archive, module = self.folder / "lab.pyz", self.folder / "module.ll"
        module.write_text(MODULE, encoding="utf-8")
        copy = shutil.copy(TOOLS.parent / "examples" / "rotate_hash.ll", self.folder / "copy.ll")
        arguments = ["make", "22", "saxpy", "-o", str(archive), "--folder", str(self.folder / "lab"), "--passes", "1", "--nvcc", "none"]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(lab.main([*arguments, "--modules", str(module), str(copy)]), 0)
        said = out.getvalue()
        self.assertRegex(said, r"0\.\d MB, 3 kernels", said)
        self.assertIn("left out: module: nothing: it does too little", said)
        self.assertIn("left out: module: by_value: a structure as parameter", said)
        made = read_made(archive)
        kinds = [(one["kind"], one["name"]) for one in made["queue"] if one["kind"] in ("first", "made-up", "plan")]
        # Where ours is stock's code, as that of `scaled`, there is nothing to time.
        self.assertEqual(kinds, [("first", "saxpy: saxpy"), ("made-up", "copy: rotate_hash"), ("plan", "saxpy: saxpy")])
        # The buffer that is written has an element for each thread; that of which 2^20 elements are read has as many.
        rows = json.loads((self.folder / "lab" / launches.MADE_UP).read_text(encoding="utf-8"))["rows"]
        self.assertEqual([argument[1] for argument in rows[0]["arguments"][:3]], [4 << 20, 4 << 20, 1 << 20])


if __name__ == "__main__":
    unittest.main()
