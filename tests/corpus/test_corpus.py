"""Tests scripts/corpus and its data file, without a network and without an LLVM."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import os
import sys
import tarfile
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from as_module import load  # noqa: E402

corpus = load("corpus")

ADD = """define void @{name}(ptr %p) #{attribute} {{
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !{range}
  %2 = zext i32 %1 to i64
  %3 = getelementptr i32, ptr %p, i64 %2
  %4 = load i32, ptr %3
  %5 = add i32 %4, {number}
  store i32 %5, ptr %3
  ret void
}}
"""


def module(kernels: list[tuple[str, int]]) -> str:
    """Writes a module with kernels that add a number, each with metadata and attributes of other numbers."""
    text = "".join(ADD.format(name=name, number=number, attribute=i, range=i + 90) for i, (name, number) in enumerate(kernels))
    text += "define void @small(ptr %p) {\n  store i32 0, ptr %p\n  ret void\n}\n"
    names = [*(name for name, _ in kernels), "small"]
    text += f"!nvvm.annotations = !{{{', '.join(f'!{i}' for i in range(len(names)))}}}\n"
    return text + "".join(f'!{i} = !{{ptr @{name}, !"kernel", i32 1}}\n' for i, name in enumerate(names))


def package(content: bytes = b"") -> Any:
    """Makes a package whose file has this content."""
    return corpus.Package("PyPI", "some-package", "1.0", "some_package-1.0.tar.gz", hashlib.sha256(content).hexdigest())


class DataFile(unittest.TestCase):
    """Tests what stands in scripts/corpus.json and how it is read."""

    def setUp(self) -> None:
        self.data, self.raw = corpus.load()

    def test_every_entry_has_version_and_hash(self) -> None:
        packages = [p.package for p in self.data.projects] + [p for of in self.data.headers.values() for p in of]
        self.assertTrue(packages)
        for p in packages:
            self.assertTrue(p.version, p.name)
            if p.registry != corpus.HERE:
                self.assertRegex(p.sha256, "^[0-9a-f]{64}$", p.name)

    def test_every_file_is_recorded(self) -> None:
        for project in self.data.projects:
            for file in project.files:
                self.assertRegex(file.sha256, "^[0-9a-f]{64}$", file.ll)
                self.assertGreater(file.kernels, 0, file.ll)
                self.assertTrue(file.ll.startswith(project.name + "__"), file.ll)

    def test_it_is_as_the_script_writes_it(self) -> None:
        self.assertEqual((ROOT / "scripts/corpus.json").read_text(encoding="utf-8"), corpus.written(self.raw))

    def test_the_headers_of_a_prefix_are_there(self) -> None:
        for prefix in self.data.prefixes.values():
            for own in filter(None, [prefix.header, *(own for own, _ in prefix.stand_ins)]):
                self.assertTrue((ROOT / "tests/corpus/include" / own).exists(), own)

    def broken(self, error: str, project: dict[str, Any]) -> None:
        """Demands that one more project is an error with this text."""
        raw = json.loads(json.dumps(self.raw))
        raw["projects"].append(project)
        with self.assertRaisesRegex(corpus.CorpusError, error):
            corpus.parse(raw)

    def test_errors_name_what_is_wrong(self) -> None:
        good = {"name": "x", "kind": "cuda", "package": self.raw["projects"][0]["package"], "prefix": "cuda"}
        raw = json.loads(json.dumps(self.raw))
        raw["projects"].append(good)
        corpus.parse(raw)
        name = self.raw["projects"][0]["name"]
        self.broken(f"project '{name}' is there twice", good | {"name": name})
        self.broken("project x: unknown field 'flag'; there are name, kind", good | {"flag": []})
        self.broken("unknown kind 'rust'; there are cuda", good | {"kind": "rust"})
        self.broken("there is no prefix 'opencl'; there are .*torch", good | {"prefix": "opencl"})
        self.broken("package: the field 'sha256' is missing", good | {"package": {"registry": "PyPI", "name": "x", "version": "1", "file": "f"}})
        self.broken("'12' is not a SHA256", good | {"package": good["package"] | {"sha256": "12"}})
        self.broken("the version of .* is empty", good | {"package": good["package"] | {"version": ""}})
        self.broken("unknown registry 'GitHub'; there are PyPI", good | {"package": good["package"] | {"registry": "GitHub"}})

    def test_code_that_is_shown_has_a_licence_that_allows_it(self) -> None:
        shown = {"title": "X", "licence": "MIT", "licence_file": "LICENSE", "home": "https://example.org"}
        good = {"name": "x", "kind": "examples", "package": self.raw["projects"][0]["package"], "prefix": "cuda", **shown}
        raw = json.loads(json.dumps(self.raw))
        raw["projects"].append(good)
        corpus.parse(raw)
        for field in shown:
            self.broken(f"project x: its code is shown, and it lacks '{field}'", {key: value for key, value in good.items() if key != field})
        self.broken("code under 'GPL-3.0-only' is not shown; there are MIT", good | {"licence": "GPL-3.0-only"})
        self.assertGreaterEqual(len([p for p in self.data.projects if p.kind == "examples"]), 3)

    def test_title_and_licence_change_nothing_that_is_made(self) -> None:
        project = next(p for p in self.data.projects if p.kind == "examples")
        other = dataclasses.replace(project, title="another", licence="BSD-3-Clause", licence_file="COPYING", home="")
        self.assertEqual(corpus.recipe(self.data, project, project.files[0]), corpus.recipe(self.data, other, project.files[0]))


class Choosing(unittest.TestCase):
    """Tests which projects a command line picks."""

    def setUp(self) -> None:
        self.projects = [corpus.Project(n, k, package()) for n, k in (("a", "cuda"), ("b", "cuda"), ("c", "triton"))]

    def names(self, *asked: str) -> list[str]:
        """Gives the names of the projects that are picked."""
        return [p.name for p in corpus.chosen(self.projects, asked)]

    def test_kinds_and_names(self) -> None:
        self.assertEqual(self.names(), ["a", "b", "c"])
        self.assertEqual(self.names("cuda"), ["a", "b"])
        self.assertEqual(self.names("triton", "a"), ["a", "c"])

    def test_an_unknown_name_lists_what_is_allowed(self) -> None:
        with self.assertRaises(corpus.CorpusError) as raised:
            self.names("a", "nosuch")
        self.assertEqual(str(raised.exception), "'nosuch' is neither a kind (cuda, triton) nor a project (a, b, c)")


class Kernels(unittest.TestCase):
    """Tests which kernels of a module stay."""

    def kept(self, text: str, most: int = 0, without: tuple[str, ...] = ()) -> list[str]:
        """Gives the kernels that stay."""
        kept, kernels = corpus.kept_kernels(text, most, without)
        self.assertLessEqual(kept, kernels)
        return sorted(kept)

    def test_duplicates_and_small_kernels_are_dropped(self) -> None:
        text = module([("first", 1), ("second", 1), ("third", 2)])
        self.assertEqual(corpus.kernels_of(text), {"first", "second", "third", "small"})
        self.assertEqual(self.kept(text), ["first", "third"])

    def test_what_another_file_has(self) -> None:
        self.assertEqual(self.kept(module([("a", 1), ("c", 2)]), without=("a",)), ["c"])

    def test_at_most_so_many_chosen_evenly(self) -> None:
        self.assertEqual(self.kept(module([(n, i) for i, n in enumerate("abcdef")]), most=3), ["a", "c", "e"])

    def test_the_longest_are_left_out(self) -> None:
        text = module([("short", 1), ("long", 10**9), ("longest", 10**12)])
        self.assertEqual(self.kept(text), ["long", "longest", "short"])
        with unittest.mock.patch.object(corpus, "MOST_TEXT", 2 * len(ADD) - 20):
            self.assertEqual(self.kept(text), ["long", "short"])

    def test_three_of_a_library(self) -> None:
        text = module([(f"_ZN3cub{n}", i) for i, n in enumerate("abcde")] + [("own", 9)])
        self.assertEqual(self.kept(text), ["_ZN3cuba", "_ZN3cubb", "_ZN3cubc", "own"])

    def test_nothing_is_left_of_where_it_was_made(self) -> None:
        text = "; ModuleID = '/home/a.cu'\nsource_filename = \"/home/a.cu\"\n  call void asm \"bar;\", \"\"(), !srcloc !7\n!llvm.ident = !{!1}\n"
        self.assertEqual(corpus.neutral(text), '  call void asm "bar;", ""()\n')

    def test_a_dropped_kernel_leaves_nothing(self) -> None:
        text = corpus.trimmed(module([("a", 1), ("b", 2)]), {"a", "small"})
        self.assertNotIn("@a(", text)
        self.assertIn("@b(", text)
        self.assertIn("!nvvm.annotations = !{!1}\n", text)
        self.assertNotIn("ptr @a,", text)
        self.assertEqual(corpus.kernels_of(text), {"b"})


class Fetching(unittest.TestCase):
    """Tests what is done with a file that is there already."""

    def test_a_wrong_hash_names_both(self) -> None:
        with tempfile.TemporaryDirectory() as cache:
            expected = package(b"right")
            (Path(cache) / "packages").mkdir()
            path = Path(cache) / "packages" / expected.file
            path.write_bytes(b"right")
            self.assertEqual(corpus.fetch(expected, cache), str(path))
            path.write_bytes(b"wrong")
            with self.assertRaises(corpus.CorpusError) as raised:
                corpus.fetch(expected, cache)
        message = str(raised.exception)
        self.assertIn("some-package 1.0", message)
        self.assertIn(hashlib.sha256(b"wrong").hexdigest(), message)
        self.assertIn(hashlib.sha256(b"right").hexdigest(), message)

    def test_what_an_interrupted_run_left_is_replaced(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "a.cu"
            source.write_text("kernel", encoding="utf-8")
            with tarfile.open(Path(folder) / "a.tar.gz", "w:gz") as t:
                t.add(source, "a-1.0/a.cu")
                t.add(source, "a-1.0/a.txt")
            to = Path(folder) / "a"
            (to / "half").mkdir(parents=True)
            corpus.unpack(str(Path(folder) / "a.tar.gz"), str(to), r"\.cu$")
            self.assertEqual([str(p.relative_to(to)) for p in to.rglob("*.*")], ["a-1.0", "a-1.0/a.cu"])

    def test_an_edit_that_nothing_matches_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.h"
            path.write_text("static f\n", encoding="utf-8")
            corpus.edit_files(folder, r"\.h$", "static", "inline")
            self.assertEqual(path.read_text(encoding="utf-8"), "inline f\n")
            with self.assertRaisesRegex(corpus.CorpusError, "no file that matches .* has 'static'"):
                corpus.edit_files(folder, r"\.h$", "static", "inline")


class Manifest(unittest.TestCase):
    """Tests what the end of a run says."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        text = "define void @k() {\n}\n"
        files = tuple(corpus.Output(f"p__{n}", f"{n}.cu", 1, hashlib.sha256(text.encode()).hexdigest()) for n in "ab")
        self.project = corpus.Project("p", "cuda", package(), "cuda", files=files)
        self.data = corpus.Data({"cuda": ()}, {"cuda": corpus.Prefix()}, (self.project,))
        self.maker = corpus.Maker(self.data, folder.name)
        for file in files:
            corpus.write(self.maker.ll(self.project, file), text)
            self.say(file, sha256=file.sha256, kernels=1)

    def say(self, file: Any, **result: Any) -> str:
        """Puts a result into the manifest; returns what is printed."""
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.maker.say(self.project, file, **result)
        return err.getvalue()

    def table(self) -> tuple[bool, str]:
        """Gives the table's verdict and its text."""
        with contextlib.redirect_stdout(io.StringIO()) as out:
            return self.maker.table([self.project]), out.getvalue()

    def test_all_as_recorded(self) -> None:
        good, text = self.table()
        self.assertTrue(good)
        self.assertRegex(text, r"p 1\.0 +2/2 +2/2 +yes\nall +2/2")

    def make(self, error: str, text: str) -> dict[str, Any]:
        """Makes the first file with a compiler that says this error or writes this module; returns its row of the manifest."""

        class Compiler:
            """Stands in for clang and opt."""

            def compile(self, project: Any, file: Any, source: str, to: str) -> str:
                """Writes the module."""
                Path(to).write_text(text, encoding="utf-8")
                return error

            def cleaned(self, text: str, path: str) -> str:
                """Leaves a module as it is."""
                Path(path + ".out").touch()
                return text

        with contextlib.redirect_stderr(io.StringIO()):
            self.maker.make_file(Compiler(), self.project, self.project.files[0], "src")
        row: dict[str, Any] = self.maker.manifest["p__a"]
        return row

    def test_what_a_file_becomes(self) -> None:
        row = self.make("", module([("first", 1), ("second", 1), ("third", 2)]))
        self.assertEqual((row["error"], row["kernels"]), ("", 2))
        made = Path(self.maker.ll(self.project, self.project.files[0])).read_text(encoding="utf-8")
        self.assertEqual(corpus.kernels_of(made), {"first", "third"})
        self.assertEqual(row["sha256"], hashlib.sha256(made.encode()).hexdigest())

    def test_a_file_that_does_not_compile_or_has_no_kernel(self) -> None:
        self.assertEqual(self.make("a.cu:1: error: no such thing", "")["error"], "a.cu:1: error: no such thing")
        self.assertEqual(self.make("", module([]))["error"], "none of 1 kernels is left")
        self.assertFalse(self.table()[0])

    def test_an_error_is_counted(self) -> None:
        said = self.say(self.project.files[1], error="b.cu:1: error: no such thing")
        self.assertIn("p__b: b.cu:1: error: no such thing", said)
        good, text = self.table()
        self.assertFalse(good)
        self.assertRegex(text, r"p 1\.0 +1/2 +1/2 +1 of 2")

    def test_another_clang_makes_bytes_that_were_not_recorded(self) -> None:
        self.maker.llvm = "22"
        for file in self.project.files:
            self.say(file, sha256="0" * 64, kernels=1)
        good, text = self.table()
        self.assertTrue(good)
        self.assertRegex(text, r"p 1\.0 +2/2 +2/2 +clang 22")
        self.assertFalse(corpus.Maker(self.data, self.maker.folder).is_made(self.project, self.project.files[0]))

    def test_other_bytes_are_seen(self) -> None:
        self.say(self.project.files[1], sha256="0" * 64, kernels=1)
        good, text = self.table()
        self.assertFalse(good)
        self.assertRegex(text, r"p 1\.0 +2/2 +2/2 +1 of 2")

    def test_a_later_run_makes_what_is_missing(self) -> None:
        later = corpus.Maker(self.data, self.maker.folder)
        a, b = self.project.files
        self.assertTrue(later.is_made(self.project, a))
        os.remove(later.ll(self.project, b))
        self.assertFalse(later.is_made(self.project, b))
        other = corpus.dataclasses.replace(self.project, flags=("-DX",))
        self.assertFalse(later.is_made(other, a))


if __name__ == "__main__":
    unittest.main()
