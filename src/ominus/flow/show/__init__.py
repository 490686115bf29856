"""A flow as something to look at: an outline, Mermaid, DOT, or a picture.

spelled    a function in words: its name, a lambda by its source
words      an operator in words: what it does, and what it reads beside its main input
outline    views as text, their operators indented in the order of flow
graph      boxes and arrows, for the three below
mermaid    the notation that forges render
dot        the notation of Graphviz
layers     where the boxes of a picture stand
svg        the picture itself
"""

from ominus.flow.show.drawing import FORMS, draw, operators

__all__ = ["FORMS", "draw", "operators"]
