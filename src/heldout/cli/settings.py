"""Settings of a command: from the command line, else from the project's file, else the default."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from heldout.errors import RequestError

NOT_IN_FILES = frozenset({"json", "no_settings", "help"})
NOT_RECORDED = NOT_IN_FILES | {"quiet"}
BY_COLUMN = frozenset({"kind", "missing"})
PATHS = frozenset({"file", "out"})
LISTS = frozenset({"contenders", "names"})


class CommandWithSettings(click.Command):
    """A command whose options may also stand in the project's settings; the line wins."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """As click does it, with the settings as defaults."""
        is_wanted = "--no-settings" not in args and not {"-h", "--help"} & set(args)
        found = find_settings(Path.cwd()) if is_wanted and not extra.get("resilient_parsing") else None
        if found is not None:
            extra["default_map"] = option_defaults(found, self.params)
        ctx = super().make_context(info_name, args, parent, **extra)
        ctx.meta["heldout.settings_file"] = found
        return ctx


def option_defaults(found: SettingsFile, params: Sequence[click.Parameter]) -> dict[str, Any]:
    """The values of a file by the names of parameters, each as its option would take it."""
    known = {param.name: param for param in params if param.name and param.name not in NOT_IN_FILES}
    values: dict[str, Any] = {}
    for key, value in found.values.items():
        name = key.replace("-", "_")
        if name not in known:
            from heldout.text.words import suggestion

            raise RequestError(
                f"there is no setting {key!r:.60}",
                where=f"'{found.path}'",
                fix=suggestion(key, [each.replace("_", "-") for each in known]),
            )
        values[name] = _convert(found, key, value, known[name])
    return values


def setting_origins(ctx: click.Context) -> dict[str, str]:
    """Where the value of each parameter came from: "line", "default", or the path of the settings file."""
    from click.core import ParameterSource

    file = ctx.meta.get("heldout.settings_file")
    origin = {
        ParameterSource.COMMANDLINE: "line",
        ParameterSource.DEFAULT_MAP: str(file.path) if file else "",
    }
    return {
        name: origin.get(ctx.get_parameter_source(name) or ParameterSource.DEFAULT, "default")
        for name in ctx.params
        if name not in NOT_RECORDED
    }


def settings_record(ctx: click.Context, resolved: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Every setting with its value and where it came from, for the ledger and for `--json`."""
    from heldout.cli.output import plain

    return {
        name: {"value": plain(resolved.get(name, ctx.params[name])), "from": index}
        for name, index in setting_origins(ctx).items()
    }


def _convert(found: SettingsFile, key: str, value: Any, param: click.Parameter) -> Any:
    """A value of the file, in the form in which click takes it."""
    is_flag = isinstance(param, click.Option) and param.is_flag
    if is_flag != isinstance(value, bool):
        raise _wrong_setting(found, key, value, "it is true or false" if is_flag else "it has a value")
    if is_flag:
        return value
    is_list = isinstance(value, list)
    if is_list and param.name in LISTS:  # as on the line: names with commas between them
        value = ",".join(_quote(str(each)) for each in value)
    if isinstance(value, dict) and param.name not in BY_COLUMN:
        raise _wrong_setting(found, key, value, "it has no entries of its own")
    listed = _listed(value) if getattr(param, "multiple", False) else [value]
    for each in listed:
        if isinstance(each, bool | list | dict):
            raise _wrong_setting(found, key, value, "it is a text or a number")
        if isinstance(each, float) and isinstance(param.type, click.types.IntParamType):
            raise _wrong_setting(found, key, value, "it is a whole number")
        try:
            param.type.convert(each, param, None)
        except click.BadParameter as error:
            raise _wrong_setting(found, key, value, error.message) from None
    if getattr(param, "multiple", False):
        return [_quote(str(each)) if param.name == "drop" and is_list else str(each) for each in listed]
    if param.name in PATHS:  # a path in a file is meant from that file on
        return str(found.path.parent / Path(str(value)).expanduser())
    return value


def _listed(value: object) -> list[Any]:
    """A list of what may be given several times; {zip = "category"} stands for zip=category."""
    if isinstance(value, dict):
        return [f"{name}={each}" for name, entry in value.items() for each in _entries(entry)]
    return list(value) if isinstance(value, list) else [value]


def _quote(name: str) -> str:
    """A name of a list, as the line has it: in quotes where it holds a comma."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def _entries(entry: object) -> list[Any]:
    return (entry or [""]) if isinstance(entry, list) else [entry]


def _wrong_setting(found: SettingsFile, key: str, value: object, words: str) -> RequestError:
    return RequestError(
        f"the setting {key!r} is wrong: {words.rstrip('.')}",
        where=f"'{found.path}', {key} = {value!r:.60}",
        fix="mend it, or take it out: then the default holds",
    )


OWN, SHARED = "heldout.toml", "pyproject.toml"
_FIX = "mend the file, or run with --no-settings"


@dataclass(frozen=True)
class SettingsFile:
    """The settings of one file."""

    path: Path  # of the file
    values: Mapping[str, Any] = field(default_factory=dict)  # by name, as TOML has them


def find_settings(folder: Path) -> SettingsFile | None:
    """The nearest settings, from a folder upwards; None where nobody has written any.

    In a folder with both files heldout.toml counts. A pyproject.toml without [tool.heldout] is passed by.
    """
    start = folder.absolute()
    for index in (start, *start.parents):
        own = index / OWN
        if own.is_file():
            return SettingsFile(own, _parse(own))
        shared = _project_settings(index / SHARED)
        if shared is not None:
            return shared
    return None


def _project_settings(path: Path) -> SettingsFile | None:
    """The section of a pyproject.toml; one that never names it may hold what it likes."""
    try:
        text = path.read_bytes()
    except OSError:
        return None
    if b"heldout" not in text:
        return None
    tools = _parse(path).get("tool", {})
    section = tools.get("heldout") if isinstance(tools, dict) else None
    if section is None:
        return None
    if not isinstance(section, dict):
        raise RequestError("[tool.heldout] is a table of settings", where=f"'{path}'", fix=_FIX)
    return SettingsFile(path, section)


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"the settings are not TOML: {error}", where=f"'{path}'", fix=_FIX) from None
    except OSError as error:
        raise RequestError(
            f"the settings cannot be read: {error.strerror}", where=f"'{path}'", fix=_FIX
        ) from None
