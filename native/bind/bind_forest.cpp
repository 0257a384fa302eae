#include "rooms.hpp"

namespace heldout::bind {

void bind_forest(nanobind::module_&) {}

}  // namespace heldout::bind
