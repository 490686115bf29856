"""The command line: one function per command, and no computation in any.

Exit status: 0 where what was asked holds, 1 where it does not or failed, 2 where it was not asked
as the command takes it.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import click

import ominus as om
from ominus import demo as shop
from ominus.errors import OminusError
from ominus.flow.show import operators


class FlowName(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """MODULE:FLOW, as an argument: the flow of that name."""

    name = "MODULE:FLOW"

    def convert(self, value: Any, param: Any, ctx: Any) -> om.Flow:
        """Import the module, from the working folder too, and take the flow out of it."""
        module, _, name = value.partition(":")
        if not module or not name:
            self.fail(f"{value!r} names no flow of a module: write MODULE:FLOW", param, ctx)
        sys.path.insert(0, str(Path.cwd()))
        try:
            found = getattr(import_module(module), name, None)
        except ModuleNotFoundError as missing:
            self.fail(f"there is no module {missing.name!r}", param, ctx)
        if not isinstance(found, om.Flow):
            self.fail(f"{name!r} of {module} is no flow but {found!r}", param, ctx)
        return found


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(om.__version__, prog_name="ominus")
def main() -> None:
    """Derived views that stay right while their data changes.

    \b
    Example:
        ominus demo
    """


@main.command()
@as_json
def demo(as_json: bool) -> None:
    """Play a shop's feed: each view beside its recompute, after each batch.

    Status 1 if any view ever differs.

    \b
    Example:
        ominus demo
    """
    sys.exit(0 if shop.report(click.echo, as_json=as_json) else 1)


@main.command()
@click.argument("flow", type=FlowName(), metavar="MODULE:FLOW")
@as_json
def explain(flow: om.Flow, as_json: bool) -> None:
    """Show a flow: its views, then what each operator of the engine keeps, and why.

    Status 1 if the engine refuses it.

    \b
    Example:
        ominus explain ominus.demo:SHOP
    """
    try:
        with flow.run() as live:
            if as_json:
                click.echo(json.dumps({"operators": operators(flow.views)}, indent=2))
            else:
                click.echo(f"{flow.show()}\n{live.explain()}")
    except OminusError as refused:
        raise click.ClickException(str(refused)) from refused
