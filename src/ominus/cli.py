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
from ominus.contract.report import report, verify_all
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
        found = getattr(imported(module), name, None)
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


@main.command()
@click.argument("reducers", metavar="MODULE[:NAME]")
@click.option("--seconds", default=2.0, show_default=True, help="The time for each law.")
@as_json
def verify(reducers: str, seconds: float, as_json: bool) -> None:
    """Verify a reducer, or all reducers of a module: which laws are proved, checked, refuted.

    Status 1 if a law is refuted, 3 if one is unknown, 2 if there is no reducer.

    \b
    Example:
        ominus verify ominus.demo
    """
    module, _, name = reducers.partition(":")
    try:
        verified = verify_all(imported(module), name or None, seconds=seconds)
    except LookupError as absent:
        raise click.UsageError(str(absent.args[0])) from absent
    told = report(verified, as_json=as_json)
    click.echo(told.text)
    sys.exit(told.status)


def imported(module: str) -> Any:
    """A module by its name, from the working folder too."""
    sys.path.insert(0, str(Path.cwd()))
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        raise click.UsageError(f"there is no module {missing.name!r}") from missing
    except Exception as raised:
        told = f"importing {module} raised {type(raised).__name__}: {raised}"
        raise click.UsageError(told) from raised
