"""Help whose options stand under headings: nobody reads a list of thirty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click


class SectionedHelp(click.Command):
    """A command that lists its options by sections.

    sections: for each heading the names of its parameters; what stands in none, as --help, comes last

    >>> command = SectionedHelp("run", params=[click.Option(["--target"], help="What to predict.")])
    >>> command.sections = {"The question": ["target"]}
    >>> print(command.get_help(click.Context(command, info_name="run")))
    Usage: run [OPTIONS]
    <BLANKLINE>
    The question:
      --target TEXT  What to predict.
      --help         Show this message and exit.
    """

    sections: Mapping[str, Sequence[str]] = {}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click does it, once for each heading."""
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in self.sections or ("Options",)}
        last = list(rows)[-1]
        home = {name: heading for heading, names in self.sections.items() for name in names}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx) if isinstance(param, click.Option) else None
            if record is not None:
                rows[home.get(param.name or "", last)].append(record)
        for heading, listed in rows.items():
            if listed:
                with formatter.section(heading):
                    formatter.write_dl(listed)
