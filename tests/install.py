"""Installs what is built into a folder, moves that, and uses what is in it, with LLVM N; from examples/cmake, too.

    python3 tests/install.py N CMAKE

The exit status is 1 if something of it does not work.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from checking import ROOT, check, outcome, run


def loaders(version: str, config: Path, plugin: Path, folder: Path) -> None:
    """Makes the loader of a plugin foo, and tries it without a build of that plugin and with one."""
    folder.mkdir()
    loader = folder / "libfoo.so"
    for what in ("a loader is made", "and made again"):
        made = run(config, "--loader", "foo", folder)
        says_where = made.stdout == f"{loader}\n" and loader.read_bytes() == plugin.read_bytes()
        check(what, made.returncode == 0 and says_where, made.stdout + made.stderr)
    llc = ROOT / f"build/llvm-{version}/bin/llc"
    build = folder / f"libfoo-{version}.so"
    alone = run(llc, "-load", loader, "-ptx-version")
    refused = alone.stderr.startswith("foo: refusing to load: ") and f"there is no {build} [host: " in alone.stderr
    check("without a build it refuses in its own name", alone.returncode == 1 and refused, alone.stdout + alone.stderr)
    shutil.copy(plugin.with_name(f"libptxpasses-{version}.so"), build)
    with_build = run(llc, "-load", loader, "-ptx-version")
    check("with a build beside it llc loads it", f"for LLVM {version}" in with_build.stdout, with_build.stdout + with_build.stderr)
    own = folder / "libown.so"
    shutil.copy(build, own)
    wrong = {
        ("own", str(folder)): f"{own} is there and is not a loader",
        ("a.b",): "'a.b' is not a plugin's name",
        ("",): "the plugin's name is missing",
        ("foo-19", str(folder)): "libfoo-19.so is what a build for one LLVM is called",
        ("ptxpasses", str(folder)): f"the loader of ptxpasses is there: {plugin}",
        ("foo", str(folder / "nowhere")): f"there is no folder '{folder / 'nowhere'}'",
    }
    for arguments, message in wrong.items():
        done = run(config, "--loader", *arguments)
        check(f"no loader is made where {message.replace(str(folder), 'DIR')}", done.returncode == 1 and message in done.stderr, done.stderr)
    check("and what was there stays", own.read_bytes() == build.read_bytes())
    checkout = run(ROOT / "scripts/ptxpasses-config", "--loader", "bar", folder)
    built = ROOT / "build/lib/libptxpasses.so"
    check("a checkout makes loaders, too", checkout.returncode == 0 and (folder / "libbar.so").read_bytes() == built.read_bytes(), checkout.stderr)
    fresh = folder / "fresh"
    for part in ("scripts", "cpp-shim"):
        shutil.copytree(ROOT / part, fresh / part)
    shutil.copy(ROOT / "Cargo.toml", fresh)
    made = run(fresh / "scripts/ptxpasses-config", "--loader", "foo", fresh)
    says_where = made.stdout == f"{fresh / 'libfoo.so'}\n" and not (fresh / "build").exists()
    check("so does one that has built nothing", made.returncode == 0 and says_where, made.stdout + made.stderr)
    alone = run(llc, "-load", fresh / "libfoo.so", "-ptx-version")
    check("and it is one", alone.stderr.startswith("foo: refusing to load: "), alone.stdout + alone.stderr)


def toolchain(file: Path, cmake: str, folder: Path) -> None:
    """Has CMake read the toolchain file where it cannot do what it is for."""
    project = folder / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.19)\nproject(plain LANGUAGES CUDA)\n")
    plugin = folder / "alone/libptxpasses.so"
    plugin.parent.mkdir()
    plugin.touch()
    (plugin.parent / "libptxpasses-9.so").touch()
    wrong = {
        "the plugin is not found": ("-DPTXPASSES_CONFIG=NOTFOUND", "no plugin: put ptxpasses-config on the PATH"),
        "the plugin's path is relative": ("-DPTXPASSES_PLUGIN=libptxpasses.so", "to the absolute path of libptxpasses.so"),
        "no clang++ fits": (f"-DPTXPASSES_PLUGIN={plugin}", "no clang++ that the plugin has a build for (clang++-9)"),
    }
    for number, (what, (option, message)) in enumerate(wrong.items()):
        done = run(cmake, "-S", project, "-B", folder / f"toolchain-{number}", f"-DCMAKE_TOOLCHAIN_FILE={file}", option, PATH="/usr/bin:/bin")
        check(f"the toolchain file says that {what}", done.returncode != 0 and message in " ".join(done.stderr.split()), done.stderr)


def main(version: str, cmake: str) -> int:
    """Installs and tries it."""
    install = ROOT / "scripts/install"
    with tempfile.TemporaryDirectory() as name:
        root, tree = Path(name, "root"), Path(name, "moved")
        done = run(install, "--prefix=/opt/ptxpasses", DESTDIR=str(root))
        check("install with DESTDIR", done.returncode == 0, done.stderr)
        (root / "opt/ptxpasses").rename(tree)
        config = tree / "bin/ptxpasses-config"
        plugin = run(config, "--plugin").stdout.strip()
        check("a tree that was moved knows where it is", plugin == str(tree / "lib/ptxpasses/libptxpasses.so"), plugin)
        modules = Path(run(config, "--cmake").stdout.strip())
        check("CMake's modules are there", modules.is_relative_to(tree) and {file.name for file in modules.iterdir()} == {"PtxPasses.cmake", "toolchain.cmake"})
        check("the builds are listed", version in run(config, "--builds").stdout.split())
        named, there = run(config, "--files").stdout.strip().split(":"), sorted(map(str, Path(plugin).parent.glob("libptxpasses*.so")))
        check("all files of the plugin are named", sorted(named) == there and len(there) > 1, str(named))
        link = Path(name, "config")
        link.symlink_to(config)
        check("so it does through a link", run(link, "--plugin").stdout.strip() == plugin)
        of_config = run(config, "--version").stdout.strip()
        of_tool = run(tree / "bin/ptx-compare", "--version").stdout.split()[-1:]
        check("the versions agree", [of_config] == of_tool, f"{of_config} {of_tool}")
        ptx = run(ROOT / f"build/llvm-{version}/bin/llc", "-load", plugin, "-ptx-version")
        check("llc loads it", f"ptxpasses {of_config} for LLVM {version}" in ptx.stdout, ptx.stderr)
        for file in ["man/man1/ptx-compare-tune.1", "bash-completion/completions/ptx-compare", "doc/ptxpasses/LICENSE"]:
            check(f"share/{file}", (tree / "share" / file).stat().st_size > 0)
        loaders(version, config, Path(plugin), Path(name, "loaders"))
        toolchain(modules / "toolchain.cmake", cmake, Path(name))
        unknown = run(config, "--prefix")
        check("an unknown option is an error", unknown.returncode == 1 and "unknown option '--prefix'" in unknown.stderr, unknown.stderr)
        build = Path(name, "build")
        clang = ROOT / f"build/llvm-{version}/bin/clang"
        path = f"{tree / 'bin'}:{os.environ['PATH']}"
        made = run(cmake, "-S", ROOT / "examples/cmake", "-B", build, f"-DPTXPASSES_CLANG={clang}", PATH=path)
        check("CMake asks ptxpasses-config", made.returncode == 0 and plugin in (build / "CMakeCache.txt").read_text(), made.stderr)
        built = run(cmake, "--build", build)
        ptx_files = sorted(file.name for file in build.glob("*.ptx"))
        wanted = [f"{name}.{cpu}.ptx" for name in ("reduce", "saxpy") for cpu in ("sm_80", "sm_90")]
        check("and builds PTX of CUDA and OpenCL", built.returncode == 0 and ptx_files == wanted, built.stdout + built.stderr)
        targets = [f".target {file.split('.')[1]}" in (build / file).read_text() for file in ptx_files]
        check("for each processor", all(targets))
        nowhere = run(cmake, "-S", ROOT / "examples/cmake", "-B", Path(name, "nowhere"), "-DPTXPASSES_PLUGIN=/nowhere.so")
        check("a wrong path is an error", nowhere.returncode == 1 and "no plugin:" in nowhere.stderr, nowhere.stderr)
        wrong = {
            "the plugin is not named": ("", "", "no plugin: put ptxpasses-config on the PATH"),
            "the plugin's path is relative": ("", "lib/ptxpasses/libptxpasses.so", "to the absolute path of libptxpasses.so"),
            "clang does not compile CUDA": ("ptxpasses_use(program)", plugin, "only clang loads the plugin"),
            "ptxpasses_use has an unknown argument": ("ptxpasses_use(program LTO)", plugin, "'LTO' is unknown; DEVICE_LTO is known"),
        }
        for what, (line, path_of_plugin, message) in wrong.items():
            start = f"cmake_minimum_required(VERSION 3.19)\nproject(wrong LANGUAGES NONE)\ninclude({ROOT / 'examples/cmake/PtxPasses.cmake'})\n"
            (tree / "CMakeLists.txt").write_text(start + line + "\n")
            done = run(cmake, "-S", tree, "-B", tree, f"-DPTXPASSES_PLUGIN={path_of_plugin}")
            check(f"it is an error where {what}", done.returncode == 1 and message in " ".join(done.stderr.split()), done.stderr)
    without = run(install)
    check("install asks for a folder", without.returncode == 1 and "--prefix DIR is missing" in without.stderr, without.stderr)
    return outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
