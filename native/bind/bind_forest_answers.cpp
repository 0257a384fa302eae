#include "rooms.hpp"

namespace heldout::bind {

void bind_forest_answers(nanobind::module_&) {}

}  // namespace heldout::bind
