"""Shows each known fault of ptxas, and that it is avoided: the table crates/ptxas-errata against the ptxas that is here.

    run.py [--cuda DIR]... [--fetch]
    run.py --llvm N

For each entry ID of the table that can be emulated, `ID.ptx` shows the fault, and `ID.avoided.ptx` computes the same without it. ptxas
compiles both, at all levels and for several processors, and the emulator of SASS compares the machine code with the PTX. It must differ
exactly if the table says so (`ptx-compare lint` names a place), from -O1 on. Texts without a `.launch` cannot be emulated; lint must name
the first and not the second.

--cuda names folders with bin/ptxas and bin/nvdisasm; build/cuda is the default. --fetch gets the versions at the edges of the table's
ranges from PyPI into build/ptxas, and tries them as well.

With --llvm, LLVM N compiles `ID.ll`. ptxas must compile stock's code wrongly, and the plugin's rightly.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TIMEOUT = 300
PROCESSORS = {
    "unsigned-as-signed": ["sm_80", "sm_90", "sm_100", "sm_120"],
    "negated-maximum": ["sm_90", "sm_100", "sm_120"],
    "packed-half": ["sm_90", "sm_100", "sm_120"],
    "upper-word": ["sm_120", "sm_121"],
}
"""The processors that each text is compiled for. The table says which of them have the fault."""
WITHOUT_AVOIDING = {"upper-word"}
"""The entries for which no form is known that ptxas compiles rightly."""
FEATURES = {"packed-half": ["-mattr=+ptx80"]}
"""What llc must be told for the code of an entry."""
SINCE = {"packed-half": 18}
"""The LLVM whose code first has an entry; before it stock's code is right."""
EDGES = ["12.0.76", "12.4.131", "12.5.82", "12.6.20", "12.8.61", "12.9.86", "13.0.88", "13.1.80", "13.1.115", "13.3.73", "13.4.59", "13.5.37"]
"""The versions at which an entry begins or ends, and the newest."""
UNKNOWN = re.compile(r"is not defined for option 'gpu-name'|SM version specified by|Unsupported \.version")
"""What ptxas says if it is too old for a processor."""


class Failure(Exception):
    """Something is not as the table says."""


def tool(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs ptx-compare."""
    command = [program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


def lint(program: str, text: Path, version: str, processor: str | None) -> list[tuple[str, str]]:
    """The entries whose pattern a text has, with what is known of them."""
    arguments: list[str | Path] = ["lint", "--json", "-", "--ptxas", version, *(["--gpu", processor] if processor else []), text]
    done = tool(program, *arguments)
    if done.returncode not in (0, 1):
        raise Failure(f"{text.name}: lint ends with status {done.returncode}: {done.stderr}")
    places = json.loads(done.stdout)["places"]
    if done.returncode != int(bool(places)):
        raise Failure(f"{text.name}: lint ends with status {done.returncode} and {len(places)} places")
    return [(place["id"], place["state"]) for place in places]


def differs(program: str, text: Path, cuda: Path, processor: str, level: str) -> bool | None:
    """Whether the machine code computes something else; `None` if this ptxas does not know the processor."""
    launch = HERE / f"{text.name.split('.')[0]}.launch"
    done = tool(program, "sass", text, "--launch", launch, "--cuda", cuda, "--gpu", processor, "--level", level)
    if done.returncode == 2 and UNKNOWN.search(done.stderr):
        return None
    is_different = "DIFFERENT" in done.stdout
    if done.returncode != int(is_different):
        raise Failure(f"{text.name}, {processor}, -O{level}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return is_different


def figures(text: Path, cuda: Path, processor: str) -> str:
    """Registers and instructions of the machine code."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = Path(folder) / "cubin"
        command: list[str | Path] = [cuda / "bin" / "ptxas", "-v", "-arch", processor, text, "-o", cubin]
        said = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=True)
        code = subprocess.run([cuda / "bin" / "nvdisasm", "-c", cubin], capture_output=True, text=True, timeout=TIMEOUT, check=True)
    registers = re.search(r"Used (\d+) registers", said.stderr + said.stdout)
    instructions = [line for line in code.stdout.splitlines() if re.match(r"\s*/\*[0-9a-f]{4,}\*/\s", line) and " NOP" not in line]
    return f"{registers[1] if registers else '?'} registers, {len(instructions)} instructions"


def emulated(program: str, entry: str, cuda: Path) -> str:
    """Checks the two texts of an entry with one ptxas; what was seen."""
    said = subprocess.run([cuda / "bin" / "ptxas", "--version"], capture_output=True, text=True, timeout=TIMEOUT, check=True)
    version = re.findall(r"\bV(\d+\.\d+\.\d+)", said.stdout)[-1]
    seen = []
    for processor in PROCESSORS[entry]:
        for text in (HERE / f"{entry}.ptx", HERE / f"{entry}.avoided.ptx"):
            is_avoided = text.name.endswith(".avoided.ptx")
            if is_avoided and entry in WITHOUT_AVOIDING:
                continue
            states = [state for name, state in lint(program, text, version, processor) if name == entry]
            if is_avoided and states:
                raise Failure(f"{text.name}, ptxas {version}, {processor}: lint names it")
            outcomes = [differs(program, text, cuda, processor, level) for level in "0123"]
            if None in outcomes:
                seen.append(f"{processor} not known")
                break
            if "not-tried" in states:
                seen.append(f"{processor} {'wrong' if any(outcomes) else 'right'}: the table does not say so")
                continue
            wanted = [False, *[bool(states)] * 3]
            if outcomes != wanted:
                raise Failure(f"{text.name}, ptxas {version}, {processor}: different at -O0 to -O3: {outcomes}; the table says {wanted}")
            cost = figures(text, cuda, processor)
            seen.append(f"{processor} avoided ({cost})" if is_avoided else f"{processor} {'wrong' if states else 'right'} ({cost})")
    return f"ptxas {version}: {', '.join(seen)}"


def described(program: str, entry: str) -> str:
    """Checks lint with the two texts of an entry that cannot be emulated, for a version that has the fault."""
    listing = tool(program, "lint", "--list").stdout
    found = re.search(rf"^{entry}:.*\n  ptxas: ([\d.]+)", listing, re.MULTILINE)
    if not found:
        raise Failure(f"{entry}: lint --list does not have it\n{listing}")
    for name, wanted in ((f"{entry}.ptx", [entry]), (f"{entry}.avoided.ptx", [])):
        places = [place for place, _ in lint(program, HERE / name, found[1], None)]
        if places != wanted:
            raise Failure(f"{name}: lint names {places}, and should name {wanted}")
    return "not emulated; lint names it"


def refuse(program: str, cuda: Path) -> str:
    """Checks what lint says of files that are not PTX, of files that carry PTX, and of wrong options."""
    text = HERE / "unsigned-as-signed.ptx"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cubin, empty, binary, plain = (folder / name for name in ("k.cubin", "empty.ptx", "binary.ptx", "plain.ptx"))
        subprocess.run([cuda / "bin" / "ptxas", "-arch", "sm_80", text, "-o", cubin], check=True, timeout=TIMEOUT)
        empty.touch()
        binary.write_bytes(b"\xff\xfe.version 7.0")
        plain.write_text("no PTX at all\n", encoding="utf-8")
        newer, tree = folder / "newer.ptx", folder / "tree"
        newer.write_text(re.sub(r"\.version .*", ".version 9.0", text.read_text(encoding="utf-8")), encoding="utf-8")
        for inner in ("a", "b", "none"):
            (tree / inner).mkdir(parents=True)
        shutil.copy(text, tree / "a" / "k.ptx")
        shutil.copy(text, tree / "b" / "k.ptx")
        (tree / "b" / "notes.txt").write_text("no PTX\n", encoding="utf-8")
        # Links that hide no file.
        (tree / "b" / "around").symlink_to(tree / "b")
        (tree / "b" / "gone.txt").symlink_to("nowhere")
        (tree / "none" / "gone.ptx").symlink_to("nowhere")
        cases: list[tuple[list[str | Path], int, str]] = [
            ([cubin, "--cuda", cuda], 2, "it carries no PTX, which lint needs"),
            ([empty], 2, "the file is empty"),
            ([binary], 2, "is not PTX: it is not a text"),
            ([plain], 2, "it has no .target, so it is not PTX"),
            ([plain, "--gpu", "sm_90"], 2, "it has no function with a body"),
            ([folder / "none.ptx"], 2, "cannot read"),
            ([text, "--ptxas", "13.0"], 2, "is not a version of ptxas"),
            ([text, "--gpu", "hopper"], 2, "a processor is named as sm_90 or sm_90a"),
            ([text, "--allow", "everything"], 2, "there is no such entry; there are unsigned-as-signed, "),
            ([text, "--cuda", folder], 2, "--ptxas VERSION names a version"),
            ([text, "--ptxas", "13.0.88"], 1, "ptxas 13.0.88 (--ptxas), 1 file, 1 function: 1 place"),
            ([text, "--ptxas", "13.0.88", "--cuda", cuda], 1, "ptxas 13.0.88 (--ptxas), "),
            ([text, "--ptxas", "13.0.88", "--allow", "unsigned-as-signed"], 0, "0 places"),
            ([text, "--ptxas", "13.4.1"], 1, "unsigned-as-signed (not tried with this ptxas): "),
            ([newer, "--ptxas", "12.9.86"], 0, "newer.ptx: ptxas 12.9.86 does not compile .version 9.0: not looked at"),
            ([newer, "--ptxas", "13.0.88"], 1, "1 place"),
            ([tree / "b", tree / "a", "--ptxas", "13.0.88"], 1, "2 files, 2 functions: 2 places"),
            ([tree, "--ptxas", "13.0.88"], 2, "2 files, 2 functions: 2 places"),
            ([tree / "none", "--ptxas", "13.0.88"], 2, "gone.ptx: No such file or directory"),
            ([tree / "none", "--ptxas", "13.0.88"], 2, "no .ptx or .fatbin file in "),
            ([plain, text, "--ptxas", "13.0.88"], 2, "1 place"),
            ([plain, text, "--ptxas", "13.0.88"], 2, "plain.ptx: it has no .target"),
        ]
        for arguments, status, wanted in cases:
            done = tool(program, "lint", *arguments)
            if done.returncode != status or wanted not in done.stdout + done.stderr:
                raise Failure(f"lint {' '.join(map(str, arguments))}: status {done.returncode}\n{done.stdout}{done.stderr}")
        done = tool(program, "lint", "--json", "-", "--ptxas", "13.0.88", plain, text)
        found = json.loads(done.stdout)
        [place] = found["places"]
        if place["versions"]["first_wrong"] != "12.6.20" or not place["pattern"] or "plain.ptx" not in found["errors"][0]:
            raise Failure(f"lint --json: {done.stdout}")
        fatbinary = ROOT / "build" / "toolkit" / "bin" / "fatbinary"
        if fatbinary.exists() and (cuda / "bin" / "cuobjdump").exists():
            fat = folder / "k.fatbin"
            subprocess.run([fatbinary, f"--create={fat}", f"--image3=kind=ptx,sm=80,file={text}"], check=True, timeout=TIMEOUT)
            done = tool(program, "lint", fat, "--cuda", cuda)
            if "1 function" not in done.stdout or "k.fatbin:" not in done.stdout and done.returncode == 1:
                raise Failure(f"lint of a fat binary: status {done.returncode}\n{done.stdout}{done.stderr}")
    return "what it refuses, and what carries PTX"


LEFT_OUT = {
    "a parameter points to constant memory": (".param .b64 .ptr .const .align 4 k_param_0", "ld.param.b64 %rd1, [k_param_0]; ld.const.b32 %r1, [%rd1];"),
    "SASS: an access after the end of shared memory": (".param .b32 k_param_0", "mov.b32 %r2, 16777216; ld.shared.b32 %r1, [%r2];"),
}
"""Made-up launches that are not compared: why, a parameter of such a kernel, and what its threads do."""


def left_out(program: str, cuda: Path) -> str:
    """Checks which made-up launches `ptx-compare sass` does not compare."""
    with tempfile.TemporaryDirectory() as folder:
        for why, (parameter, body) in LEFT_OUT.items():
            path = Path(folder) / "k.ptx"
            head = f".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(\n{parameter},\n.param .b64 .ptr .global .align 4 k_param_1\n)\n"
            rest = "ld.param.b64 %rd2, [k_param_1];\nst.global.b32 [%rd2], %r1;\nret;\n"
            path.write_text(head + "{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n" + body.replace("; ", ";\n") + "\n" + rest + "}\n", encoding="utf-8")
            done = tool(program, "sass", path, "--cuda", cuda, "--gpu", "sm_90")
            if not re.search(rf"not compared: +10  {re.escape(why)}", done.stdout):
                raise Failure(f"{why}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return f"not compared: {', '.join(LEFT_OUT)}"


def compiled(program: str, source: Path, llvm: str, cuda: Path) -> str:
    """Checks that a fault is in stock's code of a source, where that LLVM writes such code, and not in ours; what was seen."""
    entry = source.stem
    is_in_stock = int(llvm.split("-")[0]) >= SINCE.get(entry, 0)
    llc, plugin = ROOT / "build" / f"llvm-{llvm}" / "bin" / "llc", ROOT / "build" / "lib" / "libptxpasses.so"
    # The first processor that has the fault.
    processor = next(name for name in PROCESSORS[entry] if lint(program, HERE / f"{entry}.ptx", "13.0.88", name))
    seen = []
    loading: list[str | Path] = ["-load", plugin, "-ptx-verify"]
    for name, options, wanted in (("stock's", [], is_in_stock), ("our", loading, False)):
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder) / f"{entry}.ptx"
            command: list[str | Path] = [llc, *options, f"-mcpu={processor}", *FEATURES.get(entry, []), "-O2", source, "-o", text]
            subprocess.run(command, check=True, timeout=TIMEOUT)
            is_named = entry in [found for found, _ in lint(program, text, "13.0.88", processor)]
            if name == "stock's" and is_named != wanted:
                raise Failure(f"{source.name}: lint {'names' if is_named else 'does not name'} it in stock's code")
            if differs(program, text, cuda, processor, "3") != wanted:
                raise Failure(f"{source.name}, {processor}: {name} code is {'right' if wanted else 'wrong'}")
        seen.append(f"{name} code is {'wrong' if wanted else 'right'}")
    return f"{processor}: {', '.join(seen)}"


def fetched() -> list[Path]:
    """Gets ptxas of the versions at the edges, with the newest disassembler of build/cuda."""
    folders = []
    for version in EDGES:
        folder = ROOT / "build" / "ptxas" / version
        ptxas = folder / "bin" / "ptxas"
        if not ptxas.exists():
            package = "nvidia-cuda-nvcc-cu12" if version.startswith("12.") else "nvidia-cuda-nvcc"
            with tempfile.TemporaryDirectory() as download:
                command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", download, f"{package}=={version}"]
                subprocess.run(command, check=True, timeout=TIMEOUT)
                wheel = zipfile.ZipFile(next(Path(download).glob("*.whl")))
                name = next(name for name in wheel.namelist() if name.endswith("/bin/ptxas"))
                ptxas.parent.mkdir(parents=True, exist_ok=True)
                ptxas.write_bytes(wheel.read(name))
            ptxas.chmod(0o755)
            shutil.copy(ROOT / "build" / "cuda" / "bin" / "nvdisasm", folder / "bin" / "nvdisasm")
        folders.append(folder)
    return folders


class Attempts:
    """Counts and prints what was checked."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def add(self, name: str, check: Callable[[], str]) -> None:
        """Runs a check, which says what it saw."""
        try:
            print(f"{name}: {check()}", flush=True)
            self.passed += 1
        except (Failure, subprocess.SubprocessError, OSError) as failure:
            print(f"FAILED {name}: {failure}", flush=True)
            self.failed += 1

    def finish(self) -> int:
        """Prints the counts; the exit status."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def main() -> int:
    """Runs what the command line says."""
    parser = argparse.ArgumentParser(description="Shows each known fault of ptxas, and that it is avoided.")
    parser.add_argument("--cuda", type=Path, action="append", default=[])
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--llvm")
    parser.add_argument("--program", default=str(ROOT / "target" / "release" / "ptx-compare"))
    options = parser.parse_args()
    folders = options.cuda or [ROOT / "build" / "cuda"]
    if options.fetch:
        folders += fetched()
    attempts, program, llvm = Attempts(), options.program, options.llvm
    if llvm:
        for source in sorted(HERE.glob("*.ll")):
            attempts.add(f"{source.stem}, LLVM {llvm}", partial(compiled, program, source, llvm, folders[0]))
        return attempts.finish()
    attempts.add("lint", partial(refuse, program, folders[0]))
    attempts.add("made-up launches", partial(left_out, program, folders[0]))
    for entry in sorted({path.name.split(".")[0] for path in HERE.glob("*.ptx")}):
        if not (HERE / f"{entry}.launch").exists():
            attempts.add(entry, partial(described, program, entry))
            continue
        for folder in folders:
            attempts.add(entry, partial(emulated, program, entry, folder))
    return attempts.finish()


if __name__ == "__main__":
    sys.exit(main())
