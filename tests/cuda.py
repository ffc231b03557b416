"""Makes CUDA programs with the clang of LLVM N and the plugin, and compares the code of the GPU in them with what is made step by step.

    python3 tests/cuda.py N CMAKE

The toolkit is that of `scripts/setup toolkit`. The program is that of examples/cuda: with both drivers of clang, with relocatable device code, with
device LTO, and by CMake. Without a GPU it ends with a line that says so. And `ptx-compare` reads the same sources by compile commands. The exit status is 1 if something of it does not hold.
"""

import csv
import json
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from checking import ROOT, check, outcome, run

TOOLKIT = ROOT / "build/toolkit"
PLUGIN = ROOT / "build/lib/libptxpasses.so"
SOURCE = ROOT / "examples/cuda/checked.cu"
CPUS = ("sm_80", "sm_90")
RUNTIME = (f"-L{TOOLKIT / 'lib'}", "-lcudart_static")
LOADED = f"-fplugin={PLUGIN}"


def sections(cubin: Path) -> dict[str, bytes]:
    """Reads the machine code of a cubin's functions."""
    data = cubin.read_bytes()
    at, size, count, names = struct.unpack_from("<Q10xHHH", data, 40)
    headers = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    text = headers[names][4]
    named = ((data[text + h[0] : data.index(b"\0", text + h[0])].decode(), h) for h in headers)
    code = {name: data[h[4] : h[4] + h[5]] for name, h in named if name.startswith(".text.")}
    if not code:
        sys.exit(f"there is no function in {cubin}")
    return code


def same_bytes(cubins: dict[str, Path], wanted: dict[str, Path]) -> bool:
    """Finds whether cubins are the same files, for each processor."""
    return all(cubins[cpu].read_bytes() == wanted[cpu].read_bytes() for cpu in CPUS)


def same_code(cubins: dict[str, Path], wanted: dict[str, Path]) -> bool:
    """Finds whether cubins have the same machine code: those that nvlink makes name its options and folders as well."""
    return all(sections(cubins[cpu]) == sections(wanted[cpu]) for cpu in CPUS)


class Maker:
    """Makes programs and what is in them, in a folder."""

    def __init__(self, version: str, folder: Path) -> None:
        self.tools = ROOT / f"build/llvm-{version}/bin"
        self.folder = folder
        # clang 24 has the new one alone.
        self.drivers = ("--offload-new-driver", "--no-offload-new-driver")[: 1 if int(version) >= 24 else 2]

    def run(self, *command: str | Path, folder: Path | None = None) -> None:
        """Runs a command in the folder, or in another one; an error is a check that fails, and the end."""
        done = subprocess.run([*map(str, command)], cwd=folder or self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            check(" ".join(map(str, command)), False, done.stdout + done.stderr)
            sys.exit(outcome())

    def clang(self, *options: str | Path) -> None:
        """Runs clang for CUDA."""
        self.run(self.tools / "clang++", f"--cuda-path={TOOLKIT}", "-Wno-unknown-cuda-version", "-O3", *options)

    def both(self, *options: str | Path) -> None:
        """Runs clang for both processors."""
        self.clang(*(f"--offload-arch={cpu}" for cpu in CPUS), *options)

    def by_hand(self, name: str, cpu: str, *options: str) -> Path:
        """Makes a cubin in two steps: PTX by clang, and the rest by ptxas."""
        ptx, cubin = self.folder / f"{name}.{cpu}.ptx", self.folder / f"{name}.{cpu}.cubin"
        self.clang("--cuda-device-only", f"--offload-arch={cpu}", "-S", SOURCE, "-o", ptx, *options)
        self.ptxas(ptx, cubin, cpu, *(["-c"] if "-fgpu-rdc" in options else []))
        return cubin

    def ptxas(self, ptx: Path, cubin: Path, cpu: str, *options: str) -> None:
        """Assembles as clang does."""
        self.run(TOOLKIT / "bin/ptxas", "-m64", "-O3", "--gpu-name", cpu, *options, ptx, "-o", cubin)

    def linked(self, cubin: Path, cpu: str) -> Path:
        """Links a cubin of relocatable code alone."""
        out = cubin.with_suffix(".linked.cubin")
        self.run(TOOLKIT / "bin/nvlink", f"-arch={cpu}", cubin, "-o", out)
        return out

    def inside(self, program: Path) -> dict[str, Path]:
        """Takes the cubins out of a program, by processor."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        self.run(TOOLKIT / "bin/cuobjdump", "-xelf", "all", program, folder=folder)
        found = {cpu: cubin for cpu in CPUS for cubin in folder.glob(f"*.{cpu}.cubin")}
        if len(found) < len(CPUS):
            check(f"{program.name} has code for both processors", False, str(found))
            sys.exit(outcome())
        return found


def runs(program: Path) -> None:
    """Runs a program of examples/cuda, which ends with 77 where there is no GPU."""
    done = run(program)
    if done.returncode == 77:
        check(f"{program.name} says that there is no GPU", done.stdout.startswith("no GPU to run on: "), done.stdout)
    else:
        right = done.returncode == 0 and done.stdout.count("as on the CPU") == 2
        check(f"{program.name} computes what the CPU does", right, f"{done.returncode}: {done.stdout}{done.stderr}")


def whole_program(maker: Maker) -> dict[str, Path]:
    """Checks programs without relocatable code, of each driver that clang has; returns the cubins of our code, by processor."""
    ours = {cpu: maker.by_hand("ours", cpu, LOADED) for cpu in CPUS}
    stock = {cpu: maker.by_hand("stock", cpu) for cpu in CPUS}
    for driver in maker.drivers:
        for side, cubins, options in (("ours", ours, [LOADED]), ("stock", stock, [])):
            program = maker.folder / f"{side}{driver}"
            maker.both(driver, SOURCE, "-o", program, *options, *RUNTIME)
            check(f"{driver}: the program has {side}, byte for byte", same_bytes(maker.inside(program), cubins))
            runs(program)
    check("ours is other code than stock's", all(sections(ours[cpu]) != sections(stock[cpu]) for cpu in CPUS))
    return ours


def relocatable(maker: Maker) -> None:
    """Checks objects with relocatable device code, and the program of one."""
    ours = {cpu: maker.by_hand("rdc", cpu, LOADED, "-fgpu-rdc") for cpu in CPUS}
    old, new = maker.folder / "old.o", maker.folder / "new.o"
    if "--no-offload-new-driver" in maker.drivers:
        maker.both("-c", "-fgpu-rdc", "--no-offload-new-driver", SOURCE, "-o", old, LOADED)
        check("-fgpu-rdc, old driver: the object has our code", same_bytes(maker.inside(old), ours))
    maker.both("-c", "-fgpu-rdc", "--offload-new-driver", SOURCE, "-o", new, LOADED)
    program = maker.folder / "relocatable"
    compiler = f"-Wl,--device-compiler=nvptx64-nvidia-cuda=--cuda-path={TOOLKIT}"
    maker.clang("--offload-link", new, "-o", program, compiler, *RUNTIME)
    linked = {cpu: maker.linked(ours[cpu], cpu) for cpu in CPUS}
    check("-fgpu-rdc, new driver: the program has our code", same_code(maker.inside(program), linked))
    runs(program)


def device_lto(maker: Maker) -> dict[str, Path]:
    """Checks that the link step generates our code with device LTO; returns the program's cubins."""
    program = maker.folder / "lto"
    plugin = f"-Wl,--device-linker=nvptx64-nvidia-cuda=-mllvm=-load-pass-plugin={PLUGIN}"
    maker.both("-fgpu-rdc", "-foffload-lto", SOURCE, "-o", program, plugin, "-Wl,--save-temps", *RUNTIME)
    runs(program)
    linked = {}
    for cpu in CPUS:
        (module,) = maker.folder.glob(f"lto.nvptx64.{cpu}*.precodegen.bc")
        generated = maker.folder / f"lto.nvptx64.{cpu}.s"
        version = generated.read_text().partition(".version ")[2][:3].replace(".", "")
        ptx, stock = maker.folder / f"lto.{cpu}.ours.ptx", maker.folder / f"lto.{cpu}.stock.ptx"
        llc = (maker.tools / "llc", "-O3", "-asm-verbose=0", f"-mcpu={cpu}", f"-mattr=+ptx{version}", module)
        maker.run(*llc, "-load", PLUGIN, "-o", ptx)
        maker.run(*llc, "-o", stock)
        check(f"device LTO, {cpu}: llc with the plugin makes the same PTX", ptx.read_bytes() == generated.read_bytes())
        check(f"device LTO, {cpu}: llc alone does not", stock.read_bytes() != generated.read_bytes())
        cubin = maker.folder / f"lto.{cpu}.cubin"
        maker.ptxas(ptx, cubin, cpu, "-c")
        linked[cpu] = maker.linked(cubin, cpu)
    inside = maker.inside(program)
    check("device LTO: the program has that code", same_code(inside, linked))
    return inside


def by_cmake(maker: Maker, cmake: str, lto: bool) -> dict[str, Path]:
    """Has CMake make the program of examples/cuda, and returns its cubins."""
    name = "cmake_lto" if lto else "cmake"
    build, lib = maker.folder / name, maker.folder / f"{name}_plugin"
    shutil.copytree(PLUGIN.parent, lib)
    options = {
        "CMAKE_CUDA_COMPILER": maker.tools / "clang++",
        "CMAKE_CUDA_ARCHITECTURES": ";".join(cpu.removeprefix("sm_") for cpu in CPUS),
        "CMAKE_CUDA_FLAGS": "-O3 -Wno-unknown-cuda-version",
        "CUDAToolkit_ROOT": TOOLKIT,
        "PTXPASSES_PLUGIN": lib / PLUGIN.name,
        "DEVICE_LTO": "ON" if lto else "OFF",
        "CMAKE_EXPORT_COMPILE_COMMANDS": "ON",
    }
    maker.run(cmake, "-S", SOURCE.parent, "-B", build, *(f"-D{option}={value}" for option, value in options.items()))
    maker.run(cmake, "--build", build)
    runs(build / "checked")
    again = run(cmake, "--build", build).stdout
    check(f"{name}: nothing is made twice", "Building" not in again and "Linking" not in again, again)
    for file in lib.iterdir():
        file.touch()
    again = run(cmake, "--build", build).stdout
    step = "Linking" if lto else "Building"
    check(f"{name}: the plugin's code is made again with another plugin", f"{step} CUDA" in again, again)
    if not lto:
        compared(maker, maker.tools / "clang++", build / "compile_commands.json")
    return maker.inside(build / "checked")


def compared(maker: Maker, clang: Path, database: Path) -> None:
    """Checks that ptx-compare takes device code as clang and CMake compile it, with CUDA's headers and libdevice."""
    made = run(ROOT / "scripts/ptx-compare", "--help")
    check("ptx-compare --help", made.returncode == 0, made.stderr)

    def kernels(*arguments: str | Path, **environment: str) -> tuple[list[tuple[str, str]], str]:
        table = maker.folder / "kernels.csv"
        table.unlink(missing_ok=True)
        done = run(ROOT / "scripts/ptx-compare", "-N", maker.tools.parent.name.removeprefix("llvm-"), "kernels", "--csv", table, *arguments, **environment)
        rows = list(csv.DictReader(table.read_text().splitlines())) if table.exists() else []
        return sorted((row.get("cpu", ""), row["kernel"]) for row in rows), done.stdout + done.stderr

    names = ("_Z8scramblePjjj", "_Z8sum_rowsPKjPjj")
    both = [(cpu, name) for cpu in CPUS for name in names]
    command: tuple[str | Path, ...] = (clang, *(f"--offload-arch={cpu}" for cpu in CPUS), "-O3", LOADED, "-mllvm", "-ptx-stats", "-c", SOURCE, "-o", "nowhere.o")
    found, said = kernels("--", *command)
    check("ptx-compare: a compile command, for each processor", found == both and "-ptx-stats of the compile command is left out" in said, said)
    check("ptx-compare: nothing is made where the command says", not Path("nowhere.o").exists())
    found, said = kernels("--mcpu", "sm_90", "--", *command)
    check("ptx-compare: --mcpu instead of its processors", found == [("", name) for name in names], said)
    found, said = kernels("--compile-commands", database)
    check("ptx-compare: compile_commands.json of CMake", found == both and "without CUDA" not in said, said)
    sine = maker.folder / "sine.cu"
    sine.write_text('#include <cuda_fp16.h>\n__global__ void k(float *p, __half *h) { *p = sinf(*p) + __half2float(*h); }\n')
    found, said = kernels("--mcpu", "sm_80", sine)
    check("ptx-compare: a source with CUDA's headers and libdevice", [name for _, name in found] == ["_Z1kPfP6__half"] and "without CUDA" not in said, said)
    own = maker.folder / "own.cu"
    own.write_text("#define __global__ __attribute__((global))\nstruct dim3 { int x; };\n__global__ void k(int *p) { *p = 1; }\n")
    found, said = kernels("--mcpu", "sm_80", own)
    why = "compiled without CUDA's headers and libdevice, as clang refuses it with those of"
    check("ptx-compare: a source that CUDA's headers break, said so", len(found) == 1 and why in said, said)
    found, said = kernels("--cuda-path", TOOLKIT, own)
    check("ptx-compare: a toolkit that is named is taken, or nothing", not found and "redefinition of 'dim3'" in said, said)
    found, said = kernels("--cuda-path", maker.folder, own)
    check("ptx-compare: a folder that is not a toolkit is an error", not found and "is not CUDA's toolkit: it has no bin" in said, said)
    nvcc = maker.folder / "compile_commands.json"
    nvcc.write_text(json.dumps([{"directory": "/", "file": "k.cu", "command": "nvcc -c k.cu"}]))
    found, said = kernels("--compile-commands", nvcc)
    check("ptx-compare: what nvcc compiles is an error that says what to do", "CMAKE_CUDA_COMPILER=clang++" in said, said)


def main(version: str, cmake: str) -> int:
    """Makes the programs and checks them."""
    with tempfile.TemporaryDirectory() as name:
        maker = Maker(version, Path(name))
        ours = whole_program(maker)
        relocatable(maker)
        lto = device_lto(maker)
        cmake = str(Path(cmake).absolute())
        check("CMake: the program has our code", same_bytes(by_cmake(maker, cmake, lto=False), ours))
        check("CMake: so has the one with device LTO", same_code(by_cmake(maker, cmake, lto=True), lto))
    return outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
