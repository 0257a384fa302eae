#include "rooms.hpp"

namespace heldout::bind {

void bind_neighbors(nanobind::module_&) {}

}  // namespace heldout::bind
