#include <nanobind/nanobind.h>

#include "rooms.hpp"
#include "source_digest.hpp"

NB_MODULE(_native, module) {
    module.doc() = "The compiled kernels. Use heldout.native, which checks what enters.";
    module.attr("source_digest") = kSourceDigest;
    heldout::bind::bind_codes(module);
    heldout::bind::bind_tree(module);
    heldout::bind::bind_prune(module);
}
