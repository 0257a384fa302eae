"""Tab completes commands, options, columns of the file, kinds and contenders."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from heldout.cli.main import program
from heldout.cli.run import column_names

from .typed_lines import typed, write_rows


def completed(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Tab offers at the end of a line, as the shell's function asks for it."""
    from click.shell_completion import BashComplete

    words = line.split(" ")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    maker = BashComplete(program, {}, "heldout", "_HELDOUT_COMPLETE")
    return [item.value for item in maker.get_completions(*maker.get_completion_args())]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("heldout re", ["report"]),
        ("heldout run fruit.csv --target r", ["ripe"]),
        ("heldout run fruit.csv --groups b", ["box"]),
        ("heldout run --target ripe fruit.csv --drop fruit_id,s", ["fruit_id,size"]),
        ("heldout run fruit.csv --kind b", ["box="]),
        ("heldout run fruit.csv --kind box=c", ["box=category"]),
        ("heldout run fruit.csv --contenders tree,fo", ["tree,forest"]),
        ("heldout run fruit.csv --metric bal", ["balanced_accuracy"]),
        ("heldout run fruit.csv --rigor q", ["quick"]),
        ("heldout run fruit.csv --rep", ["--repeats"]),
        ("heldout run nothing.csv --target r", []),
    ],
)
def test_tab_offers_what_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, offered: list[str]
) -> None:
    """Commands, options and what stands in the head of the file are completed."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    assert completed(line, monkeypatch) == offered


def test_the_file_of_the_settings_is_known_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file on the line the one in heldout.toml gives the columns."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "fruit.csv")
    (tmp_path / "heldout.toml").write_text('file = "fruit.csv"\n')
    assert completed("heldout run --target ri", monkeypatch) == ["ripe"]


def test_columns_of_other_files(tmp_path: Path) -> None:
    """Packed, tab-separated, quoted and Arrow files give their names; what is broken gives none."""
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n"))
    (tmp_path / "tabs.tsv").write_bytes('\ufeff"a, c"\tb\n1\t2\n'.encode())
    pa.parquet.write_table(pa.table({"a": [1], "b": [2]}), tmp_path / "rows.parquet")
    pa.feather.write_feather(pa.table({"a": [1], "b": [2]}), tmp_path / "rows.feather")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    found = {path.name: column_names(str(path)) for path in tmp_path.iterdir()}
    assert found == {
        "packed.csv.gz": ["a", "b"],
        "tabs.tsv": ["a, c", "b"],
        "rows.parquet": ["a", "b"],
        "rows.feather": ["a", "b"],
        "broken.parquet": [],
    }


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(shell: str) -> None:
    """The script names the variable by which the shell asks."""
    found = typed("completion", shell)
    assert found.exit_code == 0
    assert f"_HELDOUT_COMPLETE={shell}_complete" in found.stdout


def test_the_own_shell_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name the shell of the user counts; one that we do not know is asked for."""
    monkeypatch.setenv("SHELL", "/usr/bin/fish")
    assert "fish_complete" in typed("completion").stdout
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    found = typed("completion")
    assert found.exit_code == 2
    assert "bash, zsh, fish" in found.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_itself_completes_a_column(tmp_path: Path) -> None:
    """A real bash that evaluates the script fills in the name of a column."""
    write_rows(tmp_path / "fruit.csv")
    script = (
        f'heldout() {{ "{sys.executable}" -m heldout "$@"; }}; '
        'eval "$(heldout completion bash | sed "s/env //; s/ \\$1)/ heldout)/")"; '
        "COMP_WORDS=(heldout run fruit.csv --target ri); COMP_CWORD=4; "
        '_heldout_completion heldout; echo "${COMPREPLY[*]}"'
    )
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "ripe"


def test_help_lists_options_by_headings() -> None:
    """The help of `run` has its headings in order, every option once, and the help option last."""
    found = typed("run", "--help").stdout
    headings = [line for line in found.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["The question:", "The plan:", "Reading the file:", "The output:"]
    command = program.get_command(click.Context(program), "run")
    assert command is not None
    options = [param.opts[0] for param in command.params if isinstance(param, click.Option)]
    assert [name for name in options if f"  {name}" not in found and f", {name}" not in found] == []
