#pragma once

namespace heldout {

// Whether this processor has the wide vectors that some kernels are also written for. Every kernel gives
// the same bits either way; HELDOUT_PLAIN=1 in the environment forces the plain ones.
bool has_wide_vectors();

}  // namespace heldout
