"""The rows of the benchmark by name, in the order in which they run."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.bag_of_words_rows import bag_of_words, bag_of_words_pairs
from benchmarks.category_rows import categories, categories_1000_leaves
from benchmarks.charts_row import ten_charts
from benchmarks.command_rows import command_help, demo_and_page
from benchmarks.csv_row import csv
from benchmarks.fit_rows import fit_1m, fit_10k, fit_100k, fit_100k_2_threads, regress_10k, regress_100k
from benchmarks.forest_memory_row import forest_memory
from benchmarks.forest_predict_rows import forest_predict, forest_predict_2_threads
from benchmarks.forest_rows import forest_10k, forest_10k_2_threads, forest_100k, forest_100k_2_threads
from benchmarks.import_row import import_time
from benchmarks.iris_row import iris
from benchmarks.leave_one_out_rows import leave_one_out_10k, leave_one_out_50k
from benchmarks.measure_rows import (
    bootstrap_auc_1m,
    bootstrap_f1_1m,
    confusion_10m,
    randomization_f1_10k,
    roc_10m,
)
from benchmarks.memory_row import memory
from benchmarks.missing_rows import missing_100k, missing_100k_2_threads, missing_100k_many_levels
from benchmarks.neighbors_rows import (
    neighbors_16_k1,
    neighbors_16_k50,
    neighbors_64_k1,
    neighbors_64_k1_float32,
    neighbors_64_k50,
    neighbors_64_k50_float32,
)
from benchmarks.nested_rows import (
    cell_overhead,
    nested_default,
    nested_forest,
    nested_neighbors,
    nested_ridge,
    nested_tree,
)
from benchmarks.outcome import Outcome
from benchmarks.perceptron_row import perceptron_sparse
from benchmarks.predict_row import predict
from benchmarks.ridge_row import ridge_50_alphas
from benchmarks.scaling_row import scaling_columns, scaling_rows
from benchmarks.sweep_rows import path_50_alphas, sweep_20

ROWS: dict[str, Callable[[], Outcome]] = {
    row.__name__: row
    for row in (
        fit_100k,
        fit_100k_2_threads,
        fit_10k,
        fit_1m,
        regress_100k,
        regress_10k,
        categories,
        categories_1000_leaves,
        missing_100k,
        missing_100k_2_threads,
        missing_100k_many_levels,
        path_50_alphas,
        sweep_20,
        predict,
        csv,
        iris,
        memory,
        scaling_rows,
        scaling_columns,
        forest_10k,
        forest_10k_2_threads,
        forest_100k,
        forest_100k_2_threads,
        forest_predict,
        forest_predict_2_threads,
        forest_memory,
        neighbors_64_k1,
        neighbors_64_k50,
        neighbors_64_k1_float32,
        neighbors_64_k50_float32,
        neighbors_16_k1,
        neighbors_16_k50,
        leave_one_out_10k,
        leave_one_out_50k,
        ridge_50_alphas,
        perceptron_sparse,
        bag_of_words,
        bag_of_words_pairs,
        roc_10m,
        confusion_10m,
        bootstrap_f1_1m,
        bootstrap_auc_1m,
        randomization_f1_10k,
        nested_tree,
        nested_neighbors,
        nested_ridge,
        nested_forest,
        nested_default,
        cell_overhead,
        import_time,
        command_help,
        demo_and_page,
        ten_charts,
    )
}
