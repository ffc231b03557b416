"""Hooks of mkdocs for scripts/site: the README and its like are pages. Links to files that are not pages are checked and become text.

What scripts/examples-site has made is put in, with a place in the contents: examples.md, and the folder beside it. Where it was not made, the site has
neither page nor link. PTX_EXAMPLES_SITE names another folder than build/examples-site; tests/examples_site.py uses that.
"""

import logging
import os
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

#: Pages that lie outside of docs/, by their names in the site.
OUTSIDE = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md", "security.md": "SECURITY.md"}
ROOT = Path(__file__).resolve().parent.parent
EXAMPLES, EXAMPLES_AFTER = "examples.md", "Using it"
LINK = re.compile(r"(?<!!)\[((?:[^\]\\]|\\.)*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)")
COMMENT = re.compile(r"\A<!--.*?-->\n", re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
log = logging.getLogger("mkdocs.hooks.site")


def made() -> dict[str, Path]:
    """The files of scripts/examples-site, by their names in the site; nothing where it has not run."""
    folder = Path(os.environ.get("PTX_EXAMPLES_SITE", ROOT / "build" / "examples-site"))
    if not (folder / EXAMPLES).is_file():
        return {}
    return {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the examples into the contents."""
    if config.nav is not None and made():
        place = next(number for number, part in enumerate(config.nav) if EXAMPLES_AFTER in part)
        config.nav.insert(place + 1, {"Examples": EXAMPLES})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages from outside of docs/."""
    for name, path in OUTSIDE.items():
        files.append(File.generated(config, name, content=(ROOT / path).read_text()))
    for name, file in made().items():
        files.append(File.generated(config, name, abs_src_path=str(file)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links, which are between files of the repository, into links between pages of the site."""
    here = page.file.src_uri
    folder = posixpath.dirname(OUTSIDE.get(here) or f"docs/{here}")
    pages = {path: name for name, path in OUTSIDE.items()}
    beside = made() if here == EXAMPLES else {}

    def link(match: re.Match[str]) -> str:
        text, target, anchor = match.group(1), match.group(2), match.group(3) or ""
        if target in beside:
            return match.group()
        path = posixpath.normpath(posixpath.join(folder, target))
        if not (ROOT / path).exists():
            log.warning("%s: link to '%s': there is no %s", here, target, path)
        if (ROOT / path / "README.md").is_file():
            path += "/README.md"
        page_name = pages.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else "")
        if not page_name or not files.get_file_from_path(page_name):
            return text
        return f"[{text}]({posixpath.relpath(page_name, posixpath.dirname(here) or '.')}{anchor})"

    def image(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, match.group(2)))
        if not (ROOT / path).is_file() or not path.startswith("docs/"):
            log.warning("%s: picture '%s': there is no %s in docs", here, match.group(2), path)
        return f"![{match.group(1)}]({posixpath.relpath(path.removeprefix('docs/'), posixpath.dirname(here) or '.')})"

    # A page that begins with something else, such as a comment, would get its file's name as its title.
    markdown = COMMENT.sub("", markdown)
    if not markdown.startswith("# "):
        log.warning("%s does not begin with its title", here)
    markdown = IMAGE.sub(image, markdown)
    # GitHub's tables want a bar escaped in code as well; those of mkdocs would show the backslash.
    return CODE.sub(lambda code: code.group().replace("\\|", "|"), LINK.sub(link, markdown))
