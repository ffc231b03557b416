"""Where files are looked for."""

from pathlib import Path

import pytest

from ptxpasses import NotFound, llc, plugin
from ptxpasses._files import builds, compare, cuda


@pytest.mark.parametrize(
    ("variable", "find"), [("PTXPASSES_PLUGIN", plugin), ("PTXPASSES_LLC", llc), ("PTXPASSES_COMPARE", compare), ("PTXPASSES_CUDA", cuda)]
)
def test_a_variable_that_names_nothing_is_an_error(variable, find, monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    missing = str(tmp_path / "missing")
    monkeypatch.setenv(variable, missing)
    with pytest.raises(NotFound, match=f"{variable} names {missing}"):
        find()


def test_the_plugin_has_builds_beside_it(monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    for name in ["libptxpasses.so", "libptxpasses-22.so", "libptxpasses-22-asserts.so", "libother-3.so"]:
        Path(tmp_path, name).touch()
    monkeypatch.setenv("PTXPASSES_PLUGIN", str(tmp_path / "libptxpasses.so"))
    assert builds() == ["22", "22-asserts"]


def test_without_an_llc_the_error_says_how_to_get_one(monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    Path(tmp_path, "libptxpasses.so").touch()
    Path(tmp_path, "libptxpasses-22.so").touch()
    monkeypatch.setenv("PTXPASSES_PLUGIN", str(tmp_path / "libptxpasses.so"))
    monkeypatch.delenv("PTXPASSES_LLC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NotFound, match=r"ptxpasses\[llvm\].*builds are here for 22"):
        llc()
