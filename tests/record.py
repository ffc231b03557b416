"""Records an application, tunes its kernels and runs it with the chosen code, with LLVM N, ptxas and a stand-in for the driver.

    python3 tests/record.py N

The application (tests/record/app.c) does with the driver what its arguments say: it finds the functions in each of three forms, loads code in each form, and launches what can be restored and what
cannot. It is checked what is recorded and what is said of the rest, that `tune --gpu --recorded` measures it, that `run` gives the stand-in the chosen code, and each mistake of a user. The exit status is 1
if one of these is not so. No GPU has run this.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from checking import ROOT, check, outcome

#: A kernel, a variable that it uses, and one that only the module has.
PTX = """//
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 counter;
.visible .entry one(.param .u64 p, .param .u32 n) {
  .reg .u64 a; .reg .u32 b, c;
  ld.param.u64 a, [p]; ld.param.u32 b, [n]; ld.global.u32 c, [counter]; add.u32 c, b, c; st.global.u32 [a], c; ret;
}
.visible .entry pair(.param .align 8 .b8 p[16], .param .u64 q) {
  .reg .u64 a, b;
  ld.param.u64 a, [p]; ld.param.u64 b, [q]; st.global.u64 [a], b; ret;
}
"""

PYTHON = """
import ctypes, sys
cuda, module, function, memory = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
image = open(sys.argv[1], "rb").read()
assert not cuda.cuModuleLoadData(ctypes.byref(module), image) and not cuda.cuModuleGetFunction(ctypes.byref(function), module, b"one")
assert not cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(64))
number = ctypes.c_int(5)
each = (ctypes.c_void_p * 2)(ctypes.addressof(memory), ctypes.addressof(number))
assert not cuda.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, None, each, None)
"""


class Bed:
    """A folder with the stand-in, the application in its three forms, and code."""

    def __init__(self, version: str, folder: Path) -> None:
        self.version, self.folder = version, folder
        self.driver = folder / "driver"
        self.driver.mkdir()
        self.compiled("tests/gpu/stand_in.c", self.driver / "libcuda.so.1", "-shared", "-fPIC")
        app = "tests/record/app.c"
        self.compiled(app, folder / "linked", "-DLINKED", f"-L{self.driver}", "-l:libcuda.so.1")
        self.compiled(app, folder / "dlsym", "-DDLSYM", "-ldl")
        self.compiled(app, folder / "proc", "-ldl")
        (folder / "one.ptx").write_text(PTX)
        self.assembled(folder / "one.ptx", folder / "one.cubin")
        self.fattened("one")

    def compiled(self, source: str, made: Path, *options: str) -> None:
        """Compiles C."""
        subprocess.run(["cc", "-O1", ROOT / source, *options[:3], "-o", made, *options[3:]], check=True)

    def assembled(self, ptx: Path, cubin: Path) -> None:
        """Has ptxas compile PTX."""
        subprocess.run([ROOT / "build/cuda/bin/ptxas", "-arch=sm_90", ptx, "-o", cubin], check=True)

    def fattened(self, name: str) -> None:
        """Makes a fat binary of a cubin."""
        part = (self.folder / f"{name}.cubin").read_bytes()
        # The header of a fat binary and of its only part.
        head = b"\x50\xed\x55\xba\x01\x00\x10\x00" + (len(part) + 64).to_bytes(8, "little")
        own = b"\x02\x00\x01\x01\x40\x00\x00\x00" + len(part).to_bytes(8, "little") + bytes(48)
        (self.folder / f"{name}.fatbin").write_bytes(head + own + part)

    def tool(self, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs ptx-compare in the folder, with the stand-in for the driver unless variables say otherwise."""
        command = [ROOT / "scripts/ptx-compare", "-N", self.version, *words]
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.driver), **variables}
        return subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True, check=False, env=environment)

    def record(self, words: str, app: str = "proc", options: str = "", **variables: str) -> tuple[str, dict[str, Any], str]:
        """Records the application; returns exit status and stderr, the recording, and its launches."""
        shutil.rmtree(self.folder / "recorded", ignore_errors=True)
        run = self.tool("record", "-o", "recorded", *options.split(), "--", f"./{app}", *words.split(), **variables)
        file = self.folder / "recorded/recording.json"
        launches = "".join(path.read_text() for path in sorted(file.parent.glob("*.launch")))
        return f"{run.returncode}\n{run.stderr}", json.loads(file.read_text()) if file.exists() else {}, launches


ONE = "kernel one memory 4096 launch 2 m0 i7 end launch 3 m0+16 i8 end launch 3 m0 i9 end"


def looking_up(bed: Bed) -> None:
    """Checks each form in which an application may find and load."""
    content = bytes(0 if at // 4 % 4 else at * 7 % 256 for at in range(4096))
    for app, variables in (("linked", {}), ("dlsym", {}), ("proc", {}), ("proc", {"PER_THREAD": "1"}), ("proc", {"STAND_IN_INNER": "1"})):
        text, recording, launches = bed.record(f"data one.cubin {ONE}", app, **variables)
        kernels = [(kernel["name"], kernel["count"], kernel["recorded"]) for kernel in recording.get("kernels", [])]
        wanted = r"kernel one\ngrid 2 1 1\nblock 32 1 1\nmemory 4096 in=(\S+)\nbytes 0{16} 0=1\+0\nbytes 07000000\n\nkernel one\ngrid 3 1 1\nblock 32 1 1\nmemory 4096 in=(\S+)\nbytes 0{16} 0=1\+16\nbytes 08000000\n"
        found = re.fullmatch(wanted, launches)
        fine = text.startswith("0\n") and kernels == [("one", 3, 2)] and found is not None
        check(f"{app} {variables}: two shapes of three launches are recorded", fine, f"{text}\n{kernels}\n{launches}")
        before = [(bed.folder / "recorded" / name).read_bytes() for name in found.groups()] if found else []
        check("with the memory before each launch", bool(before) and before[0] == content and len(before[1]) == 4096, str([len(part) for part in before]))
    for load in ("data-ex one.cubin", "file one.cubin", "fat one.fatbin", "library one.fatbin", "library one.cubin", "data one.fatbin"):
        text, recording, launches = bed.record(f"{load} {ONE}")
        images = [image["kind"] for image in recording.get("images", [])]
        check(f"{load} is recorded", launches.count("kernel one\n") == 2 and images == ["fat-binary" if "fat" in load else "cubin"], f"{text}{images}")
    image = next(iter((bed.folder / "recorded/images").iterdir()))
    check("an image is as the application has it", image.read_bytes() == (bed.folder / "one.fatbin").read_bytes())
    (bed.folder / "app.py").write_text(PYTHON)
    run = bed.tool("record", "-o", "python", "--", sys.executable, "app.py", "one.cubin")
    check("a program in Python is recorded", run.returncode == 0 and (bed.folder / "python/kernel-0.launch").exists(), run.stderr)


def old_driver(bed: Bed) -> None:
    """Checks a driver that does not say what parameters a kernel has."""
    new = bed.driver
    bed.driver = bed.folder / "old"
    bed.driver.mkdir()
    bed.compiled("tests/gpu/stand_in.c", bed.driver / "libcuda.so.1", "-DOLD", "-shared", "-fPIC")
    for load, fine in (("data one.cubin", True), ("library one.fatbin", True), ("data one.ptx", False)):
        text, _, launches = bed.record(f"{load} {ONE}")
        said = "the sizes of its parameters are not known" in text
        check(f"an old driver, {load}: the parameters are {'those of the cubin' if fine else 'not known'}", launches.count("kernel one\n") == 2 * fine and said != fine, text)
    bed.driver = new


def restoring(bed: Bed) -> None:
    """Checks what can be restored, and that the rest is said."""
    pair = "data one.cubin kernel pair memory 4096 memory 64"
    for words, wanted in (
        (f"{pair} launch 1 s1:5 m1+8 end", "memory 64 in=FILE\nbytes 00000000000000000500000000000000 0=1+0\nbytes 0000000000000000 0=1+8\n"),
        (f"{pair} launch-extra 1 s0:5 m1 end", "memory 4096 in=FILE\nmemory 64 in=FILE\nbytes 00000000000000000500000000000000 0=1+0\nbytes 0000000000000000 0=2+0\n"),
        (f"{pair} launch-ex 1 s1:5 m1+64 end", "memory 64 in=FILE\nbytes 00000000000000000500000000000000 0=1+0\nbytes 0000000000000000 0=1+64\n"),
    ):
        text, _, launches = bed.record(words)
        check(f"{words.split(' 64 ')[1]}: addresses are of memory", re.sub("in=memory/[0-9a-f]+", "in=FILE", launches).endswith(wanted), f"{text}\n{launches}")
    one = "data one.cubin kernel one memory 4096"
    for words, said in (
        (f"{one} memory 64 point 1 launch 1 m0 i7 end", "its memory holds addresses"),
        ("data one.cubin kernel one memory 2000000 launch 1 m0 i7 end", "its memory has 2 MB, and --most-memory allows 1"),
        (f"{one} host launch 1 h i7 end", "an address of the host's memory"),
        (f"{one} texture launch 1 t i7 end", "may be a texture or a surface"),
        (f"{one} capture launch 1 m0 i7 end captured", "a graph is being captured"),
        (f"{one} cooperative 1 m0 i7 end", "it needs a cooperative launch"),
    ):
        text, recording, _ = bed.record(words, options="--most-memory 1")
        fine = text.startswith("1\n") and "nothing was recorded, and recorded is not written" in text and "| one " in text
        check(f"not recorded, and said: {said}", fine and said in text and not recording, text)
    text, recording, launches = bed.record(f"{one} capture launch 1 m0 i7 end captured launch 1 m0 i7 end")
    fine = launches.count("kernel") == 1 and "graphs were launched, whose kernels are not recorded" in text
    check("a launch after a graph is recorded", fine and recording["kernels"][0]["skipped"] != [], text)
    text, _, launches = bed.record(f"data one.cubin {ONE}", options="--shapes 1")
    check("--shapes says how many", launches.count("kernel") == 1, text)


def mistakes(bed: Bed) -> None:
    """Checks what a user may do wrong, and applications that fail."""
    shutil.copy(ROOT / "examples/saxpy.ll", bed.folder / "one.ll")
    for words, said in (
        ("record ./proc", "unexpected argument"),
        ("record --", "required"),
        ("record -o new -- ./nowhere", "cannot start ./nowhere: No such file or directory"),
        ("record -o driver -- ./proc", "driver has something else than a recording"),
        ("record -o one.ptx -- ./proc", "one.ptx is not a folder"),
        ("tune --recorded driver one.ll", "driver is not a recording"),
        ("run --choices one.ptx -- ./proc", "is not a file of ptx-compare tune's"),
    ):
        run = bed.tool(*words.split())
        check(f"{words}: {said}", run.returncode == 2 and said in run.stderr and not (bed.folder / "new").exists(), run.stderr)
    if shutil.which("nvidia-smi") is None:
        run = bed.tool("record", "--", "./dlsym", LD_LIBRARY_PATH="")
        check("without a driver nothing is started", run.returncode == 2 and "there is no libcuda.so.1 that can be loaded" in run.stderr and not run.stdout, run.stderr + run.stdout)
    run = bed.tool("record", "-o", "new", "--", "true")
    check("a program without a GPU", run.returncode == 1 and "the application has not loaded the driver" in run.stderr and not (bed.folder / "new").exists(), run.stderr)
    text, _, _ = bed.record("data one.cubin")
    check("a program that launches nothing", text.startswith("1\n") and "1 process loaded the driver, and launched no kernel" in text, text)
    text, recording, _ = bed.record(f"data one.cubin {ONE} exit 7")
    check("an application that fails: its exit status, and the recording", text.startswith("7\n") and bool(recording), text)
    text, recording, _ = bed.record(f"data one.cubin {ONE} die")
    check("one that is killed", text.startswith("134\n") and recording["kernels"][0]["recorded"] == 2 and recording["kernels"][0]["count"] == 0, text)
    text, recording, _ = bed.record(f"data one.cubin {ONE}", STAND_IN_FAULT="one")
    check("a kernel that faults: its first launch is there", text.startswith("3\n") and recording["kernels"][0]["recorded"] == 1, text)
    text, recording, _ = bed.record("data one.cubin kernel one memory 64 fork launch 1 m0 i7 end launch 2 m0 i7 end launch 3 m0 i7 end")
    fine = recording["kernels"][0]["recorded"] == 3 and recording["kernels"][0]["count"] == 3
    check("two processes are one recording", text.startswith("0\n") and fine, text + str(recording))
    inner = ("record", "-o", "inner", "--", "./linked", *f"data one.cubin {ONE}".split())
    run = bed.tool("record", "-o", "outer", "--", ROOT / "target/release/ptx-compare", *inner)
    check("one inside of another: the inner one records", (bed.folder / "inner/kernel-0.launch").exists() and not (bed.folder / "outer").exists(), run.stderr)
    run = bed.tool("record", "-o", "none", "--", "env", "-u", "PTXPASSES_GPU_HOOK", "./proc", *f"data one.cubin {ONE}".split())
    check("a process whose environment was taken away runs on", run.returncode == 1 and run.stdout == "done\n", run.stderr + run.stdout)


def loaded(bed: Bed) -> list[str]:
    """The hashes of what the stand-in has loaded since the last call."""
    log = bed.folder / "log"
    lines = log.read_text().split("\n")[:-1] if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


def tuning(bed: Bed) -> None:
    """Records, tunes and runs; then the application, or the new code, changes."""
    llc = ROOT / f"build/llvm-{bed.version}/bin/llc"
    source = (ROOT / "examples/saxpy.ll").read_text()
    (bed.folder / "app.ll").write_text(source + "\n@shown = addrspace(1) externally_initialized global i32 7\n")
    (bed.folder / "other.ll").write_text(source + "\n@shown = addrspace(1) externally_initialized global i32 8\n")
    for name in ("app", "other"):
        subprocess.run([llc, "-march=nvptx64", "-mcpu=sm_90", "-O3", bed.folder / f"{name}.ll", "-o", bed.folder / f"{name}.ptx"], check=True)
        bed.assembled(bed.folder / f"{name}.ptx", bed.folder / f"{name}.cubin")
        bed.fattened(name)
    words = "kernel saxpy memory 1048576 memory 1048576 launch 1024 i4096 i2 m0 m1 end"
    text, recording, launches = bed.record(f"library app.fatbin {words}")
    check("an application is recorded", text.startswith("0\n") and launches.count("memory 1048576 in=") == 2, text)
    tune = ("tune", "--gpu", "--mcpu", "sm_90", "--recorded", "recorded", "-o", "out", "app.ll")
    run = bed.tool(*tune)
    said = "app.ll: no recorded launch, the default is kept: horner"
    choices = json.loads((bed.folder / "out/choices.json").read_text()) if run.returncode == 0 else {}
    chosen = {kernel["kernel"]: kernel for kernel in choices.get("kernels", [])}
    fine = said in run.stderr and "app.ll: variables are not recorded (shown): where a kernel reads them" in run.stderr and "measured_of_stock" in chosen.get("saxpy", {}) and chosen.get("horner", {}).get("setting") == "default"
    check("tune --gpu --recorded measures what was recorded", fine, run.stdout + run.stderr)
    image = choices.get("images", [{}])[0]
    check("choices.json names the image", image.get("digest") == recording["images"][0]["digest"] and image["contents"]["variables"] == {"shown": 4}, str(image))

    def run_with(first: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return bed.tool("run", "--choices", "out/choices.json", "--", "./proc", *f"{first} {words} exit 5".split(), STAND_IN_LOG="log", **variables)

    loaded(bed)
    subprocess.run([bed.folder / "proc", *f"library app.fatbin {words}".split()], cwd=bed.folder, env={**os.environ, "LD_LIBRARY_PATH": str(bed.driver), "STAND_IN_LOG": "log"}, check=True, capture_output=True)
    own = loaded(bed)
    bed.assembled(bed.folder / "out/app.ptx", bed.folder / "new.cubin")
    subprocess.run([bed.folder / "proc", *f"library new.cubin {words}".split()], cwd=bed.folder, env={**os.environ, "LD_LIBRARY_PATH": str(bed.driver), "STAND_IN_LOG": "log"}, check=True, capture_output=True)
    new = loaded(bed)
    for load in ("library app.fatbin", "fat app.fatbin", "data app.fatbin", "file app.fatbin", "data-ex app.fatbin"):
        run = run_with(load)
        fine, got = run.returncode == 5 and "app.ll: the application ran with the chosen code" in run.stderr, loaded(bed)
        check(f"run, {load}: the driver gets the chosen code", fine and got == new != own, f"{run.stderr}{got} {new} {own}")
    run = run_with("library other.fatbin")
    fine = run.returncode == 5 and "its own code: the application has changed since it was recorded: saxpy comes from other code" in run.stderr
    check("a changed application runs with its own code", fine and loaded(bed) == own, run.stderr)
    run = run_with("data app.fatbin", STAND_IN_ONLY=own[0].split()[1])
    fine = run.returncode == 5 and "the driver refuses the new code: error 209" in run.stderr
    check("so does one whose driver refuses the new code", fine and loaded(bed) == new + own, run.stderr)
    run = bed.tool("run", "--choices", "out/choices.json", "--", "false")
    check("and one that uses no GPU", run.returncode == 1 and "has not loaded the driver" in run.stderr, run.stderr)
    lacking(bed, run_with, own)


def lacking(bed: Bed, run_with: Any, own: list[str]) -> None:
    """Checks new code that cannot take the image's place, and input that a recording does not fit."""
    ptx = bed.folder / "out/app.ptx"
    text = ptx.read_text()
    for what, changed, said in (
        ("a variable", re.sub(r"(?m)^.*\bshown\b.*\n", "", text), "the new code has no variable shown"),
        ("a kernel", text.replace(".entry saxpy", ".entry renamed"), "the new code has no kernel saxpy"),
        ("sense", text.replace(".entry", ".nonsense"), "ptxas refuses out/app.ptx"),
    ):
        ptx.write_text(changed)
        run = run_with("data app.fatbin")
        check(f"new code that lacks {what} is not used", changed != text and run.returncode == 5 and said in run.stderr and loaded(bed) == own, run.stderr)
    ptx.unlink()
    run = run_with("data app.fatbin")
    check("new code that is gone is said", run.returncode == 5 and "cannot read out/app.ptx" in run.stderr and loaded(bed) == own, run.stderr)
    for words, said in (
        (("tune", "--recorded", "recorded", ROOT / "examples/reduce.ll"), "it has no launch of the input's kernels (reduce); it has launches of: saxpy"),
        (("tune", "--recorded", "recorded", "--cost", "sass", "app.ll"), "--recorded is about time: --cost lacks the term time"),
        (("tune", "--recorded", "recorded", "--shard", "1/2", "app.ll"), "cannot be used with"),
    ):
        run = bed.tool(*words, "-o", "none")
        check(f"tune: {said}", run.returncode == 2 and said in run.stderr, run.stderr)
    choices = bed.folder / "out/choices.json"
    choices.write_text(json.dumps({key: value for key, value in json.loads(choices.read_text()).items() if key != "images"}))
    run = run_with("data app.fatbin")
    check("choices without an image are an error", run.returncode == 2 and "names no image of an application" in run.stderr and not loaded(bed), run.stderr)


def main() -> int:
    """Runs all checks."""
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    if not os.access(ROOT / "build/cuda/bin/ptxas", os.X_OK):
        print("ptxas is missing: run scripts/setup cuda")
        return 2
    with tempfile.TemporaryDirectory() as name:
        bed = Bed(sys.argv[1], Path(name))
        looking_up(bed)
        old_driver(bed)
        restoring(bed)
        mistakes(bed)
        tuning(bed)
    return outcome()


if __name__ == "__main__":
    sys.exit(main())
