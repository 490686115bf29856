"""SQL's `like`, as a function that is traced."""

from __future__ import annotations

import re
from functools import lru_cache


def like(text: str, pattern: str) -> bool:
    r"""Whether the whole text fits: `%` is any characters, `_` is one, `\` takes the next as it is.

    >>> like("a green door", "%green%"), like("50%", r"50\%"), like("Green", "green")
    (True, True, False)
    """
    return _compiled(pattern).fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    pieces = re.findall(r"\\.|.", pattern, re.DOTALL)
    return re.compile("".join(map(_piece, pieces)), re.DOTALL)


def _piece(piece: str) -> str:
    if piece in ("%", "_"):
        return ".*" if piece == "%" else "."
    return re.escape(piece[1:] if len(piece) == 2 else piece)
