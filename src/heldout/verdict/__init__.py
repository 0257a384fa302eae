"""From scores to a decision, with its reason in words."""

from heldout.verdict.best_mean import BestMean
from heldout.verdict.comparisons import compare_contenders
from heldout.verdict.corrected_number import CorrectedNumber, corrected_number, quick_estimate
from heldout.verdict.estimate_score import estimate_score
from heldout.verdict.judged_rows import JudgedRows
from heldout.verdict.paired_comparison import PairedComparison
from heldout.verdict.predictions import Predictions
from heldout.verdict.read_rule import read_rule
from heldout.verdict.repeated_choice import Rival, make_rivals
from heldout.verdict.rule import Decision, Rule
from heldout.verdict.simplest_within_noise import SimplestWithinNoise
from heldout.verdict.standing import Standing
from heldout.verdict.verdict import Verdict, make_verdict

__all__ = [
    "BestMean",
    "CorrectedNumber",
    "Decision",
    "JudgedRows",
    "PairedComparison",
    "Predictions",
    "Rival",
    "Rule",
    "SimplestWithinNoise",
    "Standing",
    "Verdict",
    "compare_contenders",
    "corrected_number",
    "estimate_score",
    "make_rivals",
    "make_verdict",
    "quick_estimate",
    "read_rule",
]
