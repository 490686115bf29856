"""Views as tables: columns, text, Arrow; and rows out of anything with the Arrow interface."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from ominus.algebra.multiset import Multiset
from ominus.algebra.record import field_names, fields_of
from ominus.errors import TypeMismatch
from ominus.flow.ops import Kind
from ominus.flow.types import fields_of_type


def columns(kind: Kind, name: str, pairs: Iterable[tuple[Any, Any]]) -> dict[str, list[Any]]:
    """The columns of a view: the key's fields, then the value's; one in both stands once."""
    rows = [_row(kind.names, name, key, value) for key, value in pairs]
    known = fields_of_type(kind.value)
    names = dict.fromkeys(kind.names)
    names.update(dict.fromkeys(known if known is not None else () if rows else (name,)))
    for row in rows:
        names.update(dict.fromkeys(row))
    return {n: [row.get(n) for row in rows] for n in names}


def _row(names: tuple[str, ...], name: str, key: Any, value: Any) -> dict[str, Any]:
    found = dict(zip(names, key if len(names) > 1 else (key,), strict=True)) if names else {}
    if field_names(type(value)) is not None or isinstance(value, dict):
        found.update(fields_of(value))
    else:
        found[name or "value"] = value
    return found


def to_arrow(found: Mapping[str, list[Any]]) -> Any:
    """Columns as a pyarrow Table."""
    pa = import_module("pyarrow")
    arrays = {}
    for name, values in found.items():
        try:
            arrays[name] = pa.array([_plain(v) for v in values])
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as cause:
            raise TypeMismatch(
                f"column {name!r} as Arrow",
                str(cause),
                "Arrow columns have one type, integers of 64 bits; map to one type, or to text.",
            ) from cause
    return pa.table(arrays)


def _plain(value: Any) -> Any:
    if isinstance(value, Multiset | set | frozenset):
        return [_plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if field_names(type(value)) is not None:
        return {n: _plain(v) for n, v in fields_of(value).items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def text(found: Mapping[str, list[Any]], *, most: int = 20) -> str:
    """Columns as a table of text."""
    total = len(next(iter(found.values()), []))
    shown = {n: [_cell(v) for v in values[:most]] for n, values in found.items()}
    widths = {n: max([len(n), *map(len, cells)]) for n, cells in shown.items()}
    lines = [
        "  ".join(n.ljust(w) for n, w in widths.items()).rstrip(),
        "  ".join("-" * w for w in widths.values()),
    ]
    for at in range(min(most, total)):
        lines.append("  ".join(shown[n][at].ljust(w) for n, w in widths.items()).rstrip())
    if total > most:
        lines.append(f"... {total - most} more")
    return "\n".join(lines)


def _cell(value: Any) -> str:
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def is_arrow(rows: Any) -> bool:
    """Whether an argument has the Arrow interface."""
    return any(
        hasattr(rows, mark)
        for mark in ("__arrow_c_stream__", "__arrow_c_array__", "fetch_arrow_table")
    )


def rows_from_arrow(data: Any, kind: Any) -> list[Any]:
    """Rows of a type from a table with the Arrow interface; columns are matched by name."""
    pa = import_module("pyarrow")
    table = (
        pa.table(data)
        if hasattr(data, "__arrow_c_stream__")
        else (data.fetch_arrow_table() if hasattr(data, "fetch_arrow_table") else pa.table([data]))
    )
    if table.schema.metadata and b"pandas" in table.schema.metadata:
        table = table.select([n for n in table.column_names if not n.startswith("__index_")])
    fields = fields_of_type(kind)
    if fields is None:
        if table.num_columns == 1:
            return table.column(0).to_pylist()  # type: ignore[no-any-return]
        return table.to_pylist()  # type: ignore[no-any-return]
    missing = [n for n in fields if n not in table.column_names]
    extra = [n for n in table.column_names if n not in fields]
    if missing or extra:
        raise TypeMismatch(
            f"rows of {kind.__name__} from columns {table.column_names}",
            "; ".join(
                s
                for s in (
                    missing and f"there is no {', '.join(missing)}",
                    extra and f"{', '.join(extra)} is no field",
                )
                if s
            ),
            "Rename or select the columns.",
        )
    if isinstance(kind, type) and not issubclass(kind, dict):
        made = [table.column(n).to_pylist() for n in fields]
        return [kind(**dict(zip(fields, row, strict=True))) for row in zip(*made, strict=True)]
    return table.to_pylist()  # type: ignore[no-any-return]
