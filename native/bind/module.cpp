#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "source_digest.hpp"

NB_MODULE(_native, module) {
    module.doc() = "The compiled kernels. Use heldout.native, which checks what enters.";
    module.attr("source_digest") = kSourceDigest;
    heldout::bind::bind_codes(module);
    heldout::bind::bind_tree(module);
    heldout::bind::bind_forest(module);
    heldout::bind::bind_neighbors(module);
    heldout::bind::bind_linear(module);
    heldout::bind::bind_text(module);
    heldout::bind::bind_ranking(module);
}
