"""The command starts quickly, lists its commands without importing them, and knows what was meant."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from heldout.cli.main import COMMANDS, CommandEntry, LazyCommands, program

from .typed_lines import in_a_process, typed

HEAVY = {"numpy", "sklearn", "scipy", "pyarrow", "rich", "jinja2", "pandas", "narwhals"}


@pytest.mark.slow
@pytest.mark.parametrize("line", ["--help", "run --help", "--version", "completion bash", "rnu"])
def test_what_learns_nothing_imports_nothing_heavy(line: str) -> None:
    """Help, the version, completion and a typo leave NumPy, scikit-learn, pyarrow and rich alone."""
    code = (
        "import sys\nfrom heldout.cli.main import main\n"
        f"try:\n    main({line.split()!r})\nexcept SystemExit:\n    pass\n"
        "print('modules', *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.partition("modules")[2].split())
    assert "heldout.cli.main" in loaded
    assert HEAVY & {name.partition(".")[0] for name in loaded} == set()


def test_help_imports_no_command() -> None:
    """`heldout --help` is made from the table of commands alone."""
    code = (
        "import sys\nfrom heldout.cli.main import COMMANDS, main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "homes = {entry.target.partition(':')[0] for entry in COMMANDS.values()}\n"
        "print('loaded', *sorted(homes & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"


def test_every_command_is_where_the_table_says() -> None:
    """Each place holds a command of this name that explains itself and its options."""
    for name, place in COMMANDS.items():
        command = place.load()
        assert command.name == name
        assert command.help, name
        assert all(option.help for option in command.params if isinstance(option, click.Option)), name


def test_the_list_has_the_commands_in_the_order_in_which_they_are_used() -> None:
    """The help lists every command once, with its line, and `run` first."""
    text = typed("--help").output
    listed = [line.split()[0] for line in text.partition("Commands:")[2].splitlines() if line.strip()]
    assert listed == list(COMMANDS)
    assert listed[0] == "run"
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_typed_shows_the_help() -> None:
    """`heldout` alone says what there is."""
    found = typed()
    assert found.exit_code == 2
    assert "heldout run churn.csv --target churned" in found.output


def test_the_module_is_the_command() -> None:
    """`python -m heldout --version` says the version."""
    done = in_a_process("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, "heldout")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["rnu"], "did you mean 'run'?"),
        (["unsael"], "did you mean 'unseal'?"),
        (["RUN"], "did you mean 'run'?"),
        (["xyzzy"], "it is one of 'run', 'unseal'"),
        (["run", "--taget", "x"], "--target"),
    ],
)
def test_a_typo_says_what_was_meant(words: list[str], meant: str) -> None:
    """Commands and options that nobody knows are answered with the nearest."""
    found = typed(*words)
    assert found.exit_code == 2
    assert meant in found.stderr


def test_a_command_that_is_not_there_is_none() -> None:
    """The group gives None for a name that its table does not have."""
    group = LazyCommands(name="x", entries={"run": CommandEntry("heldout.cli.run:run", "the job")})
    assert group.get_command(click.Context(group), "ran") is None
    assert program.list_commands(click.Context(program)) == list(COMMANDS)


WARNING = """
import sys, warnings
from heldout.cli.main import say_warnings_plainly
say_warnings_plainly()
import numpy as np
np.float64(1e308) * 10
warnings.warn("two columns\\nare alike")
"""


@pytest.mark.parametrize(("options", "is_plain"), [((), True), (("-W", "default"), False)])
def test_warnings_are_sentences(options: tuple[str, ...], is_plain: bool) -> None:
    """A warning has no line of code in it, and those of NumPy are not shown; -W brings everything back."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    done = subprocess.run(
        [sys.executable, *options, "-c", WARNING], capture_output=True, text=True, check=True, env=environment
    )
    assert (done.stderr == "heldout: two columns are alike\n") is is_plain
    assert ("overflow" in done.stderr) is not is_plain
