"""Hooks of mkdocs for scripts/site: the README and its like are pages. Links to files that are not pages are checked and become text."""

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

#: Pages that lie outside of docs/, by their names in the site.
OUTSIDE = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md", "security.md": "SECURITY.md"}
ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!!)\[((?:[^\]\\]|\\.)*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)")
COMMENT = re.compile(r"\A<!--.*?-->\n", re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
log = logging.getLogger("mkdocs.hooks.site")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages from outside of docs/."""
    for name, path in OUTSIDE.items():
        files.append(File.generated(config, name, content=(ROOT / path).read_text()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links, which are between files of the repository, into links between pages of the site."""
    here = page.file.src_uri
    folder = posixpath.dirname(OUTSIDE.get(here) or f"docs/{here}")
    pages = {path: name for name, path in OUTSIDE.items()}

    def link(match: re.Match[str]) -> str:
        text, target, anchor = match.group(1), match.group(2), match.group(3) or ""
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
