"""Tests scripts/words: what it takes for prose."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from as_module import load  # noqa: E402

words = load("words")

GLOSSARY = """# Style

| not | the | "glossary" |

## Glossary

| we write | meaning | not |
|---|---|---|
| sideways | | "athwart", "on the slant" except "not athwart", "on the slant … wall" |
| askance | | "athwart the bow" |
| a crab | a crab is an animal | |

## After it

| no | row | "neither" |
"""
MARK = "words" + ": ok"


def lines(path: str, text: str) -> list[int]:
    """The lines that the script complains of."""
    return [hit.line for hit in words.check(path, text, words.glossary(GLOSSARY))]


class Glossary(unittest.TestCase):
    """Tests how the table is read."""

    def test_only_rows_of_the_section_that_forbid_something(self) -> None:
        self.assertEqual([word.instead for word in words.glossary(GLOSSARY)], ["sideways", "askance"])

    def test_no_rows_is_an_error(self) -> None:
        with self.assertRaises(SystemExit):
            words.glossary("# Style\n")

    def test_the_real_one_is_read(self) -> None:
        self.assertGreater(len(words.glossary((ROOT / words.GLOSSARY).read_text())), 10)

    def test_exceptions(self) -> None:
        text = "It is not athwart. On the slant\nold wall.\nBut athwart it is, on the slant.\n"
        self.assertEqual(lines("a.md", text), [3, 3])

    def test_of_two_that_overlap_the_longer_one_counts(self) -> None:
        (hit,) = words.check("a.md", "Athwart the bow.", words.glossary(GLOSSARY))
        self.assertEqual(words.show(hit), 'a.md:1: "Athwart the bow": use askance')

    def test_the_message_says_what_to_use(self) -> None:
        (hit,) = words.check("a.md", "Go Athwart.", words.glossary(GLOSSARY))
        self.assertEqual(words.show(hit), 'a.md:1: "Athwart": use sideways')


class Prose(unittest.TestCase):
    """Tests which text counts in each language."""

    def test_rust(self) -> None:
        text = """//! on the
//! slant
/// `athwart`, "athwart", Place::athwart
/// ```
/// athwart
/// ```
/// athwart
fn athwart(at: &'a str) { let c = '"'; say("athwart {athwart}"); r#"athwart"# }
/* on the slant */ // on
the_slant // the slant
// on
let x; // the slant
"""
        self.assertEqual(lines("a.rs", text), [1, 7, 8, 8, 9])

    def test_python(self) -> None:
        text = '#!/usr/bin/env python3\n"""It is\non the\nslant."""\nathwart = f"{athwart}"  # athwart\nx = \'"\' + "athwart"\n'
        for path in ("a.py", "a"):
            self.assertEqual(lines(path, text), [3, 5, 6])

    def test_shell_and_toml(self) -> None:
        self.assertEqual(lines("a", "#!/usr/bin/env bash\n# on\n# the slant\nathwart=1; say $athwart ${athwart} 'athwart'\n"), [2, 4])
        self.assertEqual(lines("a.toml", 'athwart = "x" # athwart\n'), [1])

    def test_markdown(self) -> None:
        text = """# Athwart

Text `athwart` and [on the
slant](athwart.md), "athwart".

    athwart

* item

    athwart

      athwart

        athwart

```
athwart
```
> athwart
"""
        self.assertEqual(lines("a.md", text), [1, 3, 10])

    def test_other_files_do_not_count(self) -> None:
        self.assertEqual(lines("a.ll", "; athwart\n"), [])
        self.assertEqual(lines("a", "athwart\n"), [])


class Markers(unittest.TestCase):
    """Tests the exceptions by line."""

    def test_on_the_line_and_before(self) -> None:
        self.assertEqual(lines("a.rs", f"// athwart ({MARK}: a name)\n"), [])
        self.assertEqual(lines("a.rs", f"// {MARK}: a name\n// athwart\n// athwart\n"), [3])
        self.assertEqual(lines("a.md", f"athwart <!-- {MARK}: a name -->\n"), [])

    def test_needs_a_reason_and_a_word(self) -> None:
        self.assertEqual(lines("a.rs", f"// {MARK}\n// athwart\n"), [1])
        self.assertEqual(lines("a.md", f"athwart <!-- {MARK} -->\n"), [1])
        self.assertEqual(lines("a.rs", f"// {MARK}: a name\n"), [1])


if __name__ == "__main__":
    unittest.main()
