#include "rooms.hpp"

namespace heldout::bind {

void bind_perceptron(nanobind::module_&) {}

}  // namespace heldout::bind
