"""No text of the package reads a p-value or an interval as what it is not.

A p-value is not the chance that there is no difference, nor that a difference came by chance; a 95% interval
holds the true value in 95% of samples, which is no probability of this one and no promise for reruns. Scanned
are all strings of the package, the templates of its page, the documents and examples, what every kind of
result prints of itself, and the page of a study that ran.
"""

from __future__ import annotations

import ast
import doctest
import html
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "heldout.stats",
    "heldout.metrics",
    "heldout.verdict",
    "heldout.plan",
    "heldout.report",
    "heldout.study",
)
# What stands for a number in a text that is filled in later: 95%, {share}, or § for a part of an f-string.
SHARE = r"(?:\d+(?:\.\d+)?\s*(?:%|percent\b)|(?:\{[^{}]*\}|§)%?)"
CHANCE = r"(?:probability|chances?|likelihood|odds|risk)"

FORBIDDEN = {
    "a p-value as the chance of the hypothesis": (
        rf"\b{CHANCE} (?:that|of) (?:the |a )?(?:null|hypothes[ie]s|models? (?:is|are) (?:equal|the same)|"
        r"there (?:is|was|being) no(?:ne|thing)?\b|no (?:real |true )?(?:difference|effect)|being wrong|"
        r"(?:both|the two)[a-z ]* (?:are|is|being|have) (?:really |truly )?(?:equal|the same|alike))"
    ),
    "a p-value as the chance of chance": (
        r"\b(?:due to|because of|explained by|attribut\w+ to) (?:pure |mere |random )?(?:chance|luck)\b|"
        r"\b(?:differences?|effects?|results?|gains?|wins?) (?:\w+ ){0,3}(?:arose|arise|came|come|happened)"
        r"s? (?:purely |only |just )?by (?:pure |mere )?(?:chance|luck)\b|"
        rf"\b{CHANCE} (?:that|of) (?:the |this |a )?(?:result|difference|effect|finding)s?"
        r" (?:is|was|being|arose|arising|happening|occurring|came)\b"
    ),
    "an interval as a probability": (
        rf"{SHARE} (?:probability|chance|likely|likelihood|sure|certain|certainty|confident)\b|"
        rf"\b{CHANCE} (?:of|is|=) {SHARE} that\b|"
        rf"\b(?:{CHANCE}|likely|sure|certain|confident) that the (?:true|real|population)\b"
    ),
    "an interval as a promise for reruns": (
        r"\b9\d (?:wins|times|cases|runs|reruns|repetitions)?\s?(?:of|in|out of) (?:a |every |the next )?"
        r"(?:100|hundred)\b|\b95 wins\b|"
        rf"\b{SHARE} of (?:all |future |further |the )?(?:reruns|repetitions|replications|new experiments)\b|"
        rf"\b{CHANCE} (?:that|of) (?:the |this )?(?:result |finding |difference )?(?:to |will |would )?"
        r"(?:replicat|reproduc|repeat|recur)"
    ),
    "no difference found as none there": (
        r"\b(?:accept|confirm|prove|establish)(?:s|d|ed|n)? (?:the |that the )?null\b|"
        r"\b(?:shows?|proves?|means|implies) (?:that )?(?:there is |there was )?no difference\b|"
        r"\bthe same because (?:p|the p-value)\b"
    ),
    "a small p as a large effect": (
        r"\b(?:highly|very|extremely|strongly|marginally|almost|nearly|borderline) significant(?:ly)?\b|"
        r"\btrends? towards? significance\b|\binsignificant(?:ly)?\b"
    ),
}
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in FORBIDDEN.items()}
# A reading that is denied may be named: "is not the chance that there is none".
DENIED = re.compile(r"\b(?:not|never|nor|neither|cannot|no|wrong|forbidden|nobody)\b|n't\b", re.IGNORECASE)
END_OF_SENTENCE = re.compile(r"[.!?:](?:\s|$)")
REACH = 70


def readings(text: str) -> list[str]:
    """The forbidden readings in a text, each with what it reads."""
    plain = re.sub(r"[\s*_`]+", " ", text)
    found = []
    for name, pattern in PATTERNS.items():
        for match in pattern.finditer(plain):
            before = plain[max(match.start() - REACH, 0) : match.start()]
            clause = END_OF_SENTENCE.split(before)[-1]
            if not DENIED.search(clause):
                found.append(f"{name}: …{before[-30:]}{match.group()}…")
    return found


def literals(source: str) -> Iterator[tuple[int, str]]:
    """Every string of a Python source with its line; the parts of an f-string that are filled in are §."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "§" for part in node.values]
            yield node.lineno, "".join(map(str, parts))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_what_the_package_can_say() -> None:
    """No string literal of the package or its examples holds a forbidden reading."""
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "examples").rglob("*.py")]
    assert len(files) > 100
    found = [
        f"{named(path)}:{line} {reading}"
        for path in sorted(files)
        for line, text in literals(path.read_text(encoding="utf-8"))
        for reading in readings(text)
    ]
    assert sorted(set(found)) == []


def test_what_the_templates_of_the_page_say() -> None:
    """No template of the page holds a forbidden reading, whatever is filled in."""
    templates = sorted((ROOT / "src" / "heldout" / "report" / "templates").glob("*.html"))
    assert len(templates) > 5
    found = [
        f"{named(template)} {reading}"
        for template in templates
        for reading in readings(words_of_page(template.read_text(encoding="utf-8")))
    ]
    assert found == []


def words_of_page(page: str) -> str:
    """What a reader sees of HTML; what a template fills in is §."""
    filled = re.sub(r"\{%.*?%\}", " ", re.sub(r"\{\{.*?\}\}", "§", page, flags=re.DOTALL), flags=re.DOTALL)
    seen = re.sub(r"<style.*?</style>", " ", filled, flags=re.DOTALL)
    # A block ends a sentence; what stands within a line does not.
    blocks = re.sub(r"</(?:p|li|dd|dt|h\d|td|th|div|text|desc|title|summary)>", ". ", seen)
    return html.unescape(re.sub(r"<[^>]*>", " ", blocks))


def test_what_the_page_of_a_study_says(tmp_path: Path) -> None:
    """No sentence of a page, with a verdict, comparisons, curves and three looks, is a forbidden reading."""
    import heldout as ho

    tree = ho.Contender("tree", ho.TreeClassifier(), {"max_depth": [1, 3]})
    plan = ho.Plan((tree, ho.Contender("rules", ho.RuleClassifier())), ho.KFold(3), ho.KFold(2))
    table = ho.datasets.load("penguins")
    with ho.Study.create(tmp_path / "p.heldout", table, target="species", seed=1) as study:
        said = [str(study.run(plan, n_jobs=1, progress=False))]
        said.append(str(study.learning_curve("tree", fractions=[0.5, 1.0], folds=ho.KFold(3))))
        said.append(str(study.validation_curve("tree", "max_depth", folds=ho.KFold(3))))
        said.append(str(study.size_curve("tree", folds=ho.KFold(3))))
        said += [str(study.unseal(name, reason="why not")) for name in ("tree", "rules")]
        said.append(str(study.unseal("baseline", reason="all of it", detail="full")))
        page = words_of_page(study.report(tmp_path / "p.html").read_text(encoding="utf-8"))
    assert "95% interval" in page
    assert [reading for text in (page, *said) for reading in readings(text)] == []


def test_what_the_documents_say() -> None:
    """No document holds a forbidden reading, but to deny it."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]
    assert len(pages) > 40
    found = [
        f"{named(page)} {reading}"
        for page in sorted(pages)
        for reading in readings(page.read_text(encoding="utf-8"))
    ]
    assert found == []


def modules_of(package: str) -> list[str]:
    home = importlib.import_module(package)
    found = pkgutil.walk_packages(home.__path__, prefix=f"{package}.")
    return [package, *(module.name for module in found)]


def kinds_of_results() -> set[str]:
    """The names of all classes of results that can be made."""
    from heldout.stats.interval import Result

    for package in PACKAGES:
        for name in modules_of(package):
            importlib.import_module(name)
    kinds, found = [Result], set()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if not inspect.isabstract(kind) and kind.__module__.startswith("heldout."):
            found.add(kind.__qualname__)
    return found


def sample_texts() -> list[tuple[str, str]]:
    """The kind and the text of every result that the examples of the packages make, in this process."""
    from heldout.stats.interval import Result

    made: list[Result] = []

    def remembered(kind: type[Result], *_: object, **__: object) -> Result:
        made.append(object.__new__(kind))
        return made[-1]

    Result.__new__ = remembered  # type: ignore[assignment]
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(verbose=False)
    for package in PACKAGES:
        for name in modules_of(package):
            for example in finder.find(importlib.import_module(name)):
                runner.run(example, out=lambda _: None)
    return [(type(result).__qualname__, str(result)) for result in made]


@pytest.fixture(scope="module")
def samples() -> list[tuple[str, str]]:
    """The texts of results, from a process of its own: there every result is remembered as it is made."""
    code = (
        f"import importlib.util, json; spec = importlib.util.spec_from_file_location('words', {__file__!r});"
        "words = importlib.util.module_from_spec(spec); spec.loader.exec_module(words);"
        "print(json.dumps(words.sample_texts()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [(kind, text) for kind, text in json.loads(done.stdout.splitlines()[-1])]


def test_every_kind_of_result_has_an_example(samples: list[tuple[str, str]]) -> None:
    """Each class of results is made by the example of some docstring, so that its text is read below."""
    assert len(samples) > 20
    assert sorted(kinds_of_results() - {kind for kind, _ in samples}) == []


def test_what_results_say(samples: list[tuple[str, str]]) -> None:
    """No result of any example prints a forbidden reading, and none prints nothing."""
    found = [f"{kind}: {reading}" for kind, text in samples for reading in readings(text)]
    assert sorted(set(found)) == []
    assert [kind for kind, text in samples if not text.strip()] == []


@pytest.mark.parametrize(
    "text",
    [
        "p is the probability that the null hypothesis is true",
        "p = 0.03: the chance that there is no difference is 3%",
        "the chance of no difference is 3%",
        "the probability that both models are really the same",
        "The difference is unlikely to be due to chance.",
        "this difference arose by chance in 3% of runs",
        "the probability that the difference was a fluke",
        "there is a 95% probability that the accuracy lies between",
        "you can be 95% sure that it is better",
        "We are 99 % confident that the forest wins",
        "with a probability of 95% that",
        "it is likely that the true value lies inside",
        "{share} chance",
        "in 95 of 100 reruns the value lies inside",
        "95 out of every 100 experiments",
        "that makes 95 wins",
        "95% of future repetitions will give a value in here",
        "the probability that the result will replicate",
        "so we accept the null",
        "a large p shows that there is no difference",
        "the difference is highly significant",
        "an insignificant difference",
        "a trend towards\n   significance",
        "It is **95% certain** that",
    ],
)
def test_planted_readings_are_found(text: str) -> None:
    """The scanner finds each forbidden reading, across lines and marks, also at the end of a longer text."""
    assert readings(text)
    assert readings(f"The tree is not deep. {text}")


@pytest.mark.parametrize(
    "text",
    [
        "it is not the chance that there is none, and a large p does not show that there is none",
        "A p-value is never the probability that the null hypothesis holds.",
        "Of intervals made this way about 95% hold the true value; that is not the probability that this one"
        " does.",
        "a 95% interval does not promise 95 wins in 100 reruns",
        "95% interval 0.1 to 0.3",
        "95% confidence",
        "how often labels drawn by chance can be fitted",
        "three significant digits",
        "1 of 3 rows",
        "found in 80% of cases",
        "Finding none does not show that there is no difference.",
    ],
)
def test_sound_sentences_pass(text: str) -> None:
    """What is right, and what denies a forbidden reading, is let through."""
    assert readings(text) == []


def test_literals_reach_into_f_strings() -> None:
    """A reading is found in an f-string, in joined literals and in a docstring."""
    sources = [
        "def f(share): return f'{100 * share:g}% probability that'",
        "x = ('the chance that '\n     'there is no difference')",
        'def f():\n    """Accept the null."""',
    ]
    for source in sources:
        assert any(readings(text) for _, text in literals(source)), source
