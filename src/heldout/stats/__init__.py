"""Intervals, tests and bounds: arrays in, small frozen results out, each of which says what it does not say.

>>> import heldout as ho
>>> round(ho.stats.rate_interval(11, 50, method="wilson").low, 4)
0.1275
"""

from heldout.stats.adjust import Adjusted, adjust
from heldout.stats.after_looks import AfterLooks, auc_after_looks, f1_after_looks, rate_after_looks
from heldout.stats.auc_interval import auc_interval, compare_auc
from heldout.stats.bootstrap import bootstrap, bootstrap_auc, bootstrap_confusion
from heldout.stats.bounds import Bound, chance_to_fit, growth_function, hoeffding, vc_bound
from heldout.stats.comparison import Comparison, Significance
from heldout.stats.corrected_resampled_t import corrected_resampled_t, cross_validated_t
from heldout.stats.cross_validated_auc import cross_validated_auc
from heldout.stats.cross_validated_interval import (
    CrossValidatedInterval,
    cross_validated_f1,
    cross_validated_mse,
    cross_validated_rate,
)
from heldout.stats.f1_interval import f1_interval
from heldout.stats.five_by_two import five_by_two
from heldout.stats.fold_intervals import corrected_t_interval, plain_t_interval, pooled_wald_interval
from heldout.stats.interval import Interval, Result
from heldout.stats.jackknife import Jackknife, jackknife
from heldout.stats.looks import Looks, bits_of_answers, n_answers
from heldout.stats.mcnemar import mcnemar, mcnemar_of_counts
from heldout.stats.nested_cv_interval import NestedCvInterval, nested_cv_interval
from heldout.stats.occam import OccamBound, occam_bound
from heldout.stats.over_data_sets import OverDataSets, over_data_sets
from heldout.stats.paired_tests import paired_t, signed_rank, two_sample_t
from heldout.stats.planning import Power, RowsForWidth, RowsNeeded, power_of, rows_for_width, rows_needed
from heldout.stats.randomization_test import randomization_test
from heldout.stats.rate_interval import rate_interval
from heldout.stats.selection_bias import CorrectedChoice, selection_bias_corrected
from heldout.stats.sign_test import sign_test, sign_test_of_scores

__all__ = [
    "Adjusted",
    "AfterLooks",
    "Bound",
    "Comparison",
    "CorrectedChoice",
    "CrossValidatedInterval",
    "Interval",
    "Jackknife",
    "Looks",
    "NestedCvInterval",
    "OccamBound",
    "OverDataSets",
    "Power",
    "Result",
    "RowsForWidth",
    "RowsNeeded",
    "Significance",
    "adjust",
    "auc_after_looks",
    "auc_interval",
    "bits_of_answers",
    "bootstrap",
    "bootstrap_auc",
    "bootstrap_confusion",
    "chance_to_fit",
    "compare_auc",
    "corrected_resampled_t",
    "corrected_t_interval",
    "cross_validated_auc",
    "cross_validated_f1",
    "cross_validated_mse",
    "cross_validated_rate",
    "cross_validated_t",
    "f1_after_looks",
    "f1_interval",
    "five_by_two",
    "growth_function",
    "hoeffding",
    "jackknife",
    "mcnemar",
    "mcnemar_of_counts",
    "n_answers",
    "nested_cv_interval",
    "occam_bound",
    "over_data_sets",
    "paired_t",
    "plain_t_interval",
    "pooled_wald_interval",
    "power_of",
    "randomization_test",
    "rate_after_looks",
    "rate_interval",
    "rows_for_width",
    "rows_needed",
    "selection_bias_corrected",
    "sign_test",
    "sign_test_of_scores",
    "signed_rank",
    "two_sample_t",
    "vc_bound",
]
