"""The door: how the rows of a typed source come in.

What is inside is uniform: each field is exactly of its declared type, there is one NaN and no
`-0.0`, aware datetimes are in UTC, mappings are in the order of their keys, and nobody outside
holds a part that can be changed.
Engines rely on it.
"""

from ominus.flow.door.build import door

__all__ = ["door"]
