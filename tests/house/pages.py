"""Markdown as far as the tests need it: its code blocks, its headings and its links."""

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<info>.*)$")
LINK = re.compile(r"\[[^\]]*\]\(\s*<?(?P<target>[^)\s>]+)>?[^)]*\)")
DEFINITION = re.compile(r"^\[[^\]]+\]:\s*(?P<target>\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the options after it, its text, and the line where that starts.

    `follows` is the block that ends directly above, with nothing but empty lines between.
    """

    language: str
    options: tuple[tuple[str, str], ...]
    text: str
    line: int
    follows: "Block | None" = None

    def option(self, name: str) -> str | None:
        return dict(self.options).get(name)


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = text.splitlines()
    above: Block | None = None
    at = 0
    while at < len(lines):
        opened = FENCE.match(lines[at])
        if not opened:
            above = above if not lines[at].strip() else None
            at += 1
            continue
        end = closing(lines, at + 1, opened["fence"])
        inner = textwrap.dedent("\n".join(lines[at + 1 : end]))
        above = Block(*language(opened["info"]), text=inner, line=at + 2, follows=above)
        yield above
        at = end + 1


def closing(lines: list[str], start: int, fence: str) -> int:
    closed = (at for at in range(start, len(lines)) if lines[at].strip() == fence)
    return next(closed, len(lines))


def language(info: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """`python raises=KeysDiffer` -> ("python", (("raises", "KeysDiffer"),))."""
    name, *options = shlex.split(info) or [""]
    pairs = (option.partition("=") for option in options)
    return name, tuple((key, value) for key, _, value in pairs)


def without_code(text: str) -> str:
    """The page without its blocks and its code in the line, so that neither reads as a link."""
    kept, fence = [], ""
    for line in text.splitlines():
        match = FENCE.match(line)
        if match and not fence:
            fence = match["fence"]
        elif fence:
            fence = "" if line.strip() == fence else fence
        else:
            kept.append(line)
    return re.sub(r"`[^`]*`", "", "\n".join(kept))


def links(text: str) -> list[str]:
    prose = without_code(text)
    return [found["target"] for pattern in (LINK, DEFINITION) for found in pattern.finditer(prose)]


def anchors(text: str) -> set[str]:
    """The names that headings can be reached by."""
    outside = re.sub(r"^(```+|~~~+).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+\s+(.+?)\s*#*$", outside, re.MULTILINE)
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in titles)
    return {title.replace(" ", "-") for title in plain}


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead nowhere."""
    return [
        target for target in links(page.read_text(encoding="utf-8")) if leads_nowhere(page, target)
    ]


def leads_nowhere(page: Path, target: str) -> bool:
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return False
    path, _, anchor = target.partition("#")
    file = page.parent / path if path else page
    if not file.exists():
        return True
    return bool(anchor) and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8"))
