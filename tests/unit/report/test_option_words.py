"""Advice for Python becomes advice for the line, and the line takes it."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heldout.cli.read_file import reading_options
from heldout.cli.run import run
from heldout.report.option_words import in_options
from heldout.report.predictions.prediction_words import percent
from heldout.report.standing_rows import shown_seconds


@pytest.mark.parametrize(
    ("said", "typed"),
    [
        ("kinds={'zip': 'category'} when reading keeps it", "--kind zip=category keeps it"),
        ("missing={'age': []} keeps it", "--missing age= keeps it"),
        ("missing={'age': ['?', 'no answer']} makes", "--missing 'age=?' --missing 'age=no answer' makes"),
        ("missing={'age': [...]}, or", "--missing 'age=…', or"),
        ("kinds={'zp': ...}", "--kind 'zp=…'"),
        ("say delimiter=';' or delimiter='\\t'", "say --delimiter ';' or --delimiter '\\t'"),
        ("say header=False (with names=[...] to", "say --no-header (with --names a,b,… to"),
        ("decimal='.' or decimal=',' overrides", "--decimal . or --decimal , overrides"),
        ("day_first=True", "--day-first"),
        ("give its encoding with encoding=", "give its encoding with --encoding"),
        ("say skip_lines=3; then", "say --skip-lines 3; then"),
        ("none with held=None; or", "none with --held 0; or"),
        ("check the path, or write one with ho.save", "check the path, or write one with heldout ship"),
        ("held=-1.0", "--held -1.0"),
        ("held=nan", "--held nan"),
        ("use kind='regression' to", "use --task regression to"),
        ("positive='no' asks for the other", "--positive no asks for the other"),
        ("use k=275 or less", "use --folds 275 or less"),
        ('ask again with reason="why": it', 'ask again with --again "why": it'),
        ("reason=''", "--again ''"),
        ("head='abc'", "--head 'abc'"),
        ("name a file that Study.create made; a copy", "name a study file, as heldout run makes it; a copy"),
        (
            "'note' is text: prepare_for makes words of it, else no learner takes it",
            "'note' is text: its words become columns",
        ),
        ("nothing of that sort", "nothing of that sort"),
    ],
)
def test_python_becomes_options(said: str, typed: str) -> None:
    """Every form in which readers and tasks give advice has its option."""
    assert in_options(said) == typed


@given(st.text(min_size=1).filter(lambda name: "=" not in name and "\0" not in name))
def test_what_is_advised_can_be_typed(name: str) -> None:
    """Whatever a column is called, the advised options are understood by the shell and by the reader."""
    advice = in_options(f"kinds={{{name!r}: 'category'}}")
    words = shlex.split(advice)
    assert words[0] == "--kind"
    assert reading_options({"kind": (words[1],)}) == {"kinds": {name: "category"}}


@given(st.text())
def test_no_text_is_refused(text: str) -> None:
    """Advice that holds anything at all, also half of a Python expression, comes through."""
    assert isinstance(in_options(f"kinds={{'{text}': 'category'}} and held={text}"), str)


def test_every_option_that_is_advised_exists() -> None:
    """What the words turn into is an option of `heldout run`."""
    from heldout.report.option_words import _FLAGS, _OPTION_OF

    known = {name for param in run.params for name in (*param.opts, *param.secondary_opts)}
    advised = {f"--{name}" for name in _OPTION_OF.values()} | {each.split()[0] for each in _FLAGS.values()}
    assert advised - known == set()


def test_shares_near_the_edges_are_not_rounded_away() -> None:
    """A share is in percent; one that is not quite none or all is never said to be."""
    assert [percent(share) for share in (0.9123, 0.0002, 0.9998, 1.0, None)] == [
        "91.2%",
        "less than 0.1%",
        "more than 99.9%",
        "100%",
        "an unknown share",
    ]


def test_seconds_are_as_a_person_says_them() -> None:
    """Two digits below ten, whole seconds below a minute, then minutes and hours."""
    times = (0.0123, 12.4, 75.0, 7260.0)
    assert [shown_seconds(seconds) for seconds in times] == ["0.012 s", "12 s", "1 min 15 s", "2 h 1 min"]
