"""From scores to a decision, with its reason in words."""

from heldout.verdict.best_mean import BestMean
from heldout.verdict.comparisons_of import comparisons_of
from heldout.verdict.corrected_number import CorrectedNumber, corrected_number, quick_estimate
from heldout.verdict.estimate_of import estimate_of
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.metric_answers import Answers
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.rival import Rival, rivals_of
from heldout.verdict.rule import Decision, Rule
from heldout.verdict.rule_of_dict import rule_of_dict
from heldout.verdict.simplest_within_noise import SimplestWithinNoise
from heldout.verdict.standing import Standing
from heldout.verdict.verdict import Verdict, verdict_of

__all__ = [
    "Answers",
    "BestMean",
    "CorrectedNumber",
    "Decision",
    "JudgedRows",
    "PairedComparison",
    "Rival",
    "Rule",
    "SimplestWithinNoise",
    "Standing",
    "Verdict",
    "comparisons_of",
    "corrected_number",
    "estimate_of",
    "quick_estimate",
    "rivals_of",
    "rule_of_dict",
    "verdict_of",
]
