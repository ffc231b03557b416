"""Runs llc with the plugin on LLVM's text."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ptxpasses import _files, _mend

TRIPLE = "nvptx64-nvidia-cuda"

_LEAST_VERSION = re.compile(r"Minimum required PTX version is (\d+)\.(\d+)")


class CompileError(RuntimeError):
    """Says which IR llc did not take, and llc's words."""


class Compiler:
    """Makes PTX of LLVM IR by one llc with the plugin.

    `options` are options of llc, `-ptx-...` among them.
    """

    def __init__(
        self, llc: str | os.PathLike[str] | None = None, plugin: str | os.PathLike[str] | None = None, options: Sequence[str] = ()
    ) -> None:
        self.llc = Path(llc) if llc else _files.llc()
        self.plugin = Path(plugin) if plugin else _files.plugin()
        self.options = list(options)
        # llc goes on with stock code where it cannot load a plugin, so ask the plugin itself.
        answer = self._run(["-ptx-version"], "")
        if answer.returncode or "ptxpasses" not in answer.stdout:
            raise CompileError(f"{self.llc} does not load {self.plugin}: {_words(answer.stderr or answer.stdout)}")
        options_alone = self._run([f"-mtriple={TRIPLE}", *self.options], "")
        if options_alone.returncode:
            raise CompileError(f"{self.llc} does not take {' '.join(self.options)}: {_words(options_alone.stderr)}")
        self.version = " ".join(answer.stdout.split())
        told = subprocess.run([str(self.llc), "--version"], capture_output=True, text=True, check=False).stdout
        self.llvm = match[0] if (match := re.search(r"LLVM version \S+", told)) else "LLVM"

    def key(self) -> str:
        """Returns a text that differs where the PTX may differ: of the versions, the files and the options."""
        files = [self.llc, *sorted(self.plugin.parent.glob("libptxpasses*.so"))]
        stamps = [(str(file), (stat := file.stat()).st_size, stat.st_mtime_ns) for file in files]
        return hashlib.sha256(repr((self.version, self.llvm, stamps, self.options)).encode()).hexdigest()

    def readable(self, ir: str) -> str:
        """Returns the IR as this llc reads it: as it is, or mended (`ptxpasses._mend`)."""
        mended = _mend.mended(ir)
        if mended == ir or self._run(["-mtriple=" + TRIPLE, "-stop-after=pre-isel-intrinsic-lowering"], ir).returncode == 0:
            return ir
        return mended

    def ptx(self, ir: str, cpu: str, features: str = "", flags: Sequence[str] = (), level: int = 3) -> str:
        """Returns the PTX of a module. IR of a newer LLVM is mended where llc cannot read it (`ptxpasses._mend`)."""
        line = [f"-mtriple={TRIPLE}", f"-mcpu={cpu}", f"-O{level}", *flags, *self.options]
        answer = self._run([*line, f"-mattr={features}"], ir)
        if answer.returncode and (mended := _mend.mended(ir)) != ir:
            ir = mended
            answer = self._run([*line, f"-mattr={features}"], ir)
        # Older LLVMs let a processor have an earlier PTX version than its first one.
        if answer.returncode and (least := _LEAST_VERSION.search(answer.stderr)):
            features = re.sub(r"\+ptx\d+", f"+ptx{least[1]}{least[2]}", features)
            answer = self._run([*line, f"-mattr={features}"], ir)
        if answer.returncode:
            raise CompileError(f"llc ({self.llvm}) does not compile the IR for {cpu}: {_words(answer.stderr)}")
        # llc goes on without a processor or a feature that it does not know.
        if unknown := re.search(r"'[^']+' is not a recognized \w+", answer.stderr):
            raise CompileError(f"llc ({self.llvm}): {unknown[0]} for this target")
        return answer.stdout

    def inlined(self, ir: str) -> str:
        """Returns the IR with all calls inlined, but those of functions that forbid it, as Triton has it before it makes code."""
        names = _to_inline(ir)
        if not names:
            return ir
        line = ["-passes=forceattrs,always-inline", *(f"-force-attribute={name}:alwaysinline" for name in names), "-S", "-o", "-"]
        return self.run_beside("opt", line, self.readable(ir))

    def beside(self, name: str) -> Path:
        """Returns the program of LLVM of this name that stands beside llc."""
        program = self.llc.with_name(self.llc.name.replace("llc", name))
        if not program.is_file():
            raise CompileError(f"no {program}, which is needed as well: it comes with LLVM's packages as llc does")
        return program

    def run_beside(self, name: str, arguments: Sequence[str | Path], text: str = "") -> str:
        """Returns the output of such a program, which reads a text."""
        command = [str(self.beside(name)), *map(str, arguments)]
        answer = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if answer.returncode:
            raise CompileError(f"{name}: {_words(answer.stderr)}")
        return answer.stdout

    def _run(self, line: Sequence[str], ir: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.llc), "-load", str(self.plugin), *line]
        with tempfile.TemporaryDirectory(prefix="ptxpasses-") as folder:
            file = Path(folder, "module.ll")
            file.write_text(ir)
            return subprocess.run([*command, str(file), "-o", "-"], capture_output=True, text=True, check=False)


def _to_inline(ir: str) -> list[str]:
    """Returns the functions of a module that are no kernels, and that may be inlined."""
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
