"""Runs llc with the plugin on LLVM's text or bitcode."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import overload

from ptxpasses import _files, _mend

TRIPLE = "nvptx64-nvidia-cuda"

#: How bitcode begins, and bitcode in its wrapper.
_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
#: Names of a module need not be UTF-8: such bytes stay what they are on their way through a text.
_TEXT = {"encoding": "utf-8", "errors": "surrogateescape"}

_LEAST_VERSION = re.compile(r"Minimum required PTX version is (\d+)\.(\d+)")


class CompileError(RuntimeError):
    """Says which IR llc rejected, with llc's message."""


class Compiler:
    """Makes PTX of LLVM IR by one llc with the plugin.

    `options` are options of llc, `-ptx-...` among them. `llc` is a path, or the name of a program on the PATH. `statistics` is a folder,
    which gets the plugin's statistics and llc's remarks about each module: KERNEL-DIGEST.json and KERNEL-DIGEST.yaml.

    The first line of the PTX is the plugin's comment that says what made it; stock LLVM's code, in the profile `upstream` say, has none.

    IR is LLVM's text, as `str` or `bytes`, or bitcode. What is wrong is an error of one line: `NotFound` for a file that is not there,
    `TypeError` and `ValueError` for arguments, `CompileError` for what llc does not take.
    """

    def __init__(
        self,
        llc: str | os.PathLike[str] | None = None,
        plugin: str | os.PathLike[str] | None = None,
        options: Sequence[str] = (),
        statistics: str | os.PathLike[str] | None = None,
    ) -> None:
        self.llc = _files.llc() if llc is None else _files.given_program("llc", llc)
        self.plugin = _files.plugin() if plugin is None else _files.given("plugin", plugin)
        self.options = _listed("options", options)
        self.statistics = None if statistics is None else _folder("statistics", statistics)
        told = self._started([self.llc, "--version"]).stdout
        self.llvm = match[0] if (match := re.search(r"LLVM version \S+", told)) else "LLVM"
        # If llc cannot load a plugin it goes on with stock code, so ask the plugin itself.
        answer = self._run(["-ptx-version"], "")
        if answer.returncode or "ptxpasses" not in answer.stdout:
            raise CompileError(f"{self.llc} does not load {self.plugin}: {_words(answer.stderr or answer.stdout)}")
        options_alone = self._run([f"-mtriple={TRIPLE}", *self.options], "")
        if options_alone.returncode:
            raise CompileError(f"{self.llc} does not take {' '.join(self.options)}: {_words(options_alone.stderr)}")
        if not re.search(r"^\.version ", options_alone.stdout, flags=re.M):
            raise ValueError(f"options: llc prints no PTX with {shlex.join(self.options)}: leave out what has it print something else or stop")
        self.version = " ".join(answer.stdout.split())
        head = re.match(r"// .*, profile (\w+), options (\w+)$", options_alone.stdout, flags=re.M)
        self._head = head[0] if head else ""
        # Without such a line the code is stock's, or the caller has left the line out.
        profile, options_digest = head.groups() if head else (self._profile(), "none")
        self._signature = {"version": self.version, "profile": profile, "options": options_digest}

    def key(self) -> str:
        """Returns a text that differs where the PTX may differ: of the versions, the files and the options."""
        files = [self.llc, *sorted(self.plugin.parent.glob("libptxpasses*.so"))]
        stamps = [(str(file), (stat := file.stat()).st_size, stat.st_mtime_ns) for file in files]
        # The folder: a kernel that is not compiled again would be missing in it.
        return hashlib.sha256(repr((self.version, self.llvm, stamps, self.in_effect(), self.statistics)).encode()).hexdigest()

    def signature(self) -> dict[str, str]:
        """Returns what the PTX is made by, as its first line says: `version`, `profile`, and `options`, a digest of the plugin's options that change code."""
        return dict(self._signature)

    def signed(self, ptx: str, how: str) -> str:
        """Returns PTX that ptx-compare has written, with the first line that this compiler's own has, and `how`."""
        return f"{self._head}, {how}\n{ptx}" if self._head else ptx

    def for_jit(self, who: str) -> Compiler:
        """Returns itself, as the compiler of `who`, which has llc fuse products and sums by an option that LLVM 24 has no more."""
        if _major(self.llvm) >= 24:
            raise CompileError(f"{who} needs -fp-contract, which {self.llc} ({self.llvm}) has no more: name an llc of LLVM 17 to 23")
        return self

    def _profile(self) -> str:
        """Returns the profile that the options name, as the head of the PTX names it."""
        options, profile = self.in_effect(), "cicc"
        for at, word in enumerate(options):
            if match := re.fullmatch(r"--?ptx-profile(?:=(.*))?", word):
                profile = "".join(options[at + 1 : at + 2]) if match[1] is None else match[1]
        return "cicc" if profile == "default" else profile

    def in_effect(self) -> list[str]:
        """Returns the options that reach the plugin: those of its variable of the environment, then ours, which win."""
        return [*os.environ.get("PTXPASSES_ARGS", "").split(), *self.options]

    @overload
    def readable(self, ir: str) -> str: ...
    @overload
    def readable(self, ir: bytes) -> str | bytes: ...
    def readable(self, ir: str | bytes) -> str | bytes:
        """Returns the IR as this llc reads it: as it is, or mended (`ptxpasses._mend`), which text alone can be."""
        ir = _ir(ir)
        mended = _mended(ir)
        if mended == ir or self._run(["-mtriple=" + TRIPLE, "-stop-after=pre-isel-intrinsic-lowering"], ir).returncode == 0:
            return ir
        return mended

    def ptx(self, ir: str | bytes, cpu: str, features: str = "", flags: Sequence[str] = (), level: int = 3) -> str:
        """Returns the PTX of a module. Text of a newer LLVM is mended where llc cannot read it (`ptxpasses._mend`)."""
        ir = _ir(ir)
        with tempfile.TemporaryDirectory(prefix="ptxpasses-", dir=self.statistics) as made:
            line = [f"-mtriple={TRIPLE}", f"-mcpu={cpu}", f"-O{level}", *_listed("flags", flags), *self.options]
            if self.statistics:
                line += [f"-ptx-stats-json={made}/json", f"-pass-remarks-output={made}/yaml"]
            answer = self._run([*line, f"-mattr={features}"], ir)
            if answer.returncode and (mended := _mended(ir)) != ir:
                ir = mended
                answer = self._run([*line, f"-mattr={features}"], ir)
            if answer.returncode and (fitting := _fitting(features, answer.stderr)) != features:
                features = fitting
                answer = self._run([*line, f"-mattr={features}"], ir)
            if answer.returncode:
                raise CompileError(f"llc ({self.llvm}) does not compile the IR for {cpu}: {_words(answer.stderr)}")
            # llc goes on without a processor or a feature that it does not know.
            if unknown := re.search(r"'[^']+' is not a recognized \w+", answer.stderr):
                raise CompileError(f"llc ({self.llvm}): {unknown[0]} for this target")
            if self.statistics:
                text = repr((ir, cpu, features, level, list(flags), self.in_effect()))
                name = f"{kernel_of(ir)}-{hashlib.sha256(text.encode(**_TEXT)).hexdigest()[:8]}"
                for kind in ("json", "yaml"):
                    Path(made, kind).replace(self.statistics / f"{name}.{kind}")
        return answer.stdout

    def fitting(self, cpu: str, features: str) -> str:
        """Returns the features with the first version of PTX that this llc knows for a processor, where that is a later one."""
        return _fitting(features, self._run([f"-mtriple={TRIPLE}", f"-mcpu={cpu}", f"-mattr={features}"], "").stderr)

    def inlined(self, ir: str | bytes) -> str:
        """Returns the text of the IR with all calls inlined, except those of functions that forbid it, as Triton has it before it makes code."""
        ir = _ir(ir)
        if isinstance(ir, bytes):
            ir = self.run_beside("opt", ["-S", "-o", "-"], ir)
        names = _to_inline(ir)
        if not names:
            return ir
        line = ["-passes=forceattrs,always-inline", *(f"-force-attribute={name}:alwaysinline" for name in names), "-S", "-o", "-"]
        return self.run_beside("opt", line, self.readable(ir))

    def beside(self, name: str) -> Path:
        """Returns LLVM's program of this name beside llc."""
        program = self.llc.with_name(self.llc.name.replace("llc", name))
        if not program.is_file():
            raise CompileError(f"no {program}, which is needed as well: it comes with LLVM's packages as llc does")
        return program

    def run_beside(self, name: str, arguments: Sequence[str | Path], ir: str | bytes = "") -> str:
        """Returns the output of such a program, which reads IR."""
        answer = self._started([self.beside(name), *arguments], ir)
        if answer.returncode:
            raise CompileError(f"{name}: {_words(answer.stderr)}")
        return answer.stdout

    def _run(self, line: Sequence[str], ir: str | bytes) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory(prefix="ptxpasses-") as folder:
            file = Path(folder, "module.ll")  # llc looks at how it begins, not at its name
            file.write_bytes(_encoded(ir))
            return self._started([*loading(self.llc, self.plugin, self.llvm), *line, file, "-o", "-"])

    def _started(self, command: Sequence[str | Path], ir: str | bytes = "") -> subprocess.CompletedProcess[str]:
        """Runs a program to its end."""
        words = [str(word) for word in command]
        try:
            done = subprocess.run(words, input=_encoded(ir), capture_output=True, check=False)
        except OSError as error:
            raise CompileError(f"{words[0]} cannot be run: {error.strerror}") from error
        return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(**_TEXT), done.stderr.decode(errors="replace"))


def _major(version: str) -> int:
    """Returns the LLVM version in the output of `--version`; 0 if there is none."""
    found = re.search(r"LLVM version (\d+)", version)
    return int(found[1]) if found else 0


def loading(llc: Path, plugin: Path, version: str) -> list[str | Path]:
    """Returns the words that start llc with the plugin. From LLVM 24 on llc has no `-load`: there `env` preloads it. `version` has the words of `--version`."""
    if _major(version) < 24:
        return [llc, "-load", plugin]
    already = os.environ.get("LD_PRELOAD")
    return ["/usr/bin/env", f"LD_PRELOAD={plugin}{':' + already if already else ''}", llc]


def kernel_of(ir: str | bytes) -> str:
    """Returns the name of the first kernel of a module, else of its first function, as it may stand in a file's name."""
    text = ir if isinstance(ir, str) else ""
    match = re.search(r"^define .*?\bptx_kernel\b.*?@([\w$.]+)", text, flags=re.M) or re.search(r"^define .*?@([\w$.]+)", text, flags=re.M)
    return match[1][:150] if match else "kernel"


def _fitting(features: str, said: str) -> str:
    """Older LLVMs let a processor have an earlier PTX version than its first one; newer ones say which it is."""
    least = _LEAST_VERSION.search(said)
    return re.sub(r"\+ptx\d+", f"+ptx{least[1]}{least[2]}", features) if least else features


def _folder(name: str, path: str | os.PathLike[str]) -> Path:
    """Returns the folder that an argument of this name names; it is made if it is not there."""
    folder = Path(path).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{name}={os.fspath(path)!r}: the folder cannot be made: {error.strerror}") from error
    return folder


def _listed(name: str, options: Sequence[str]) -> list[str]:
    """Returns the list that an argument of this name is to be."""
    if isinstance(options, (str, bytes)):
        text = options if isinstance(options, str) else options.decode(errors="replace")
        raise TypeError(f"{name} is a list of options, not one text: say {name}={text.split()!r}")
    listed = list(options)
    for option in listed:
        if not isinstance(option, str):
            raise TypeError(f"{name} is a list of texts, and {option!r} is a {type(option).__name__}")
    return listed


def _ir(ir: str | bytes) -> str | bytes:
    """Returns IR as text, or as the bytes of bitcode."""
    if isinstance(ir, (bytearray, memoryview)):
        ir = bytes(ir)
    if isinstance(ir, bytes):
        return ir if ir.startswith(_BITCODE) else ir.decode(**_TEXT)
    if not isinstance(ir, str):
        raise TypeError(f"IR is a str with LLVM's text, or bytes with that or with bitcode, not a {type(ir).__name__}")
    return ir


def _mended(ir: str | bytes) -> str | bytes:
    return _mend.mended(ir) if isinstance(ir, str) else ir


def _encoded(ir: str | bytes) -> bytes:
    return ir.encode(**_TEXT) if isinstance(ir, str) else ir


def _to_inline(ir: str) -> list[str]:
    """Returns the functions of a module that may be inlined and are not kernels."""
    groups = dict(re.findall(r"^attributes (#\d+) = \{(.*)\}", ir, flags=re.M))
    kernels = set(re.findall(r'!\{ptr @([\w$.]+), !"kernel"', ir))
    found = []
    for line, name in re.findall(r"^(define .*?@([\w$.]+)\(.*)$", ir, flags=re.M):
        attributes = line + "".join(groups.get(group, "") for group in re.findall(r"#\d+", line))
        if "ptx_kernel" not in line and name not in kernels and not re.search(r"\b(noinline|optnone)\b", attributes):
            found.append(name)
    return found


def _words(text: str) -> str:
    """Returns llc's complaint without its dump of the stack."""
    lines = [line for line in text.splitlines() if line.strip()]
    complaints = [line for line in lines if re.search(r"error|ERROR|Error|cannot|fail", line)]
    return " ".join((complaints or lines or ["it says nothing"])[0].split())
