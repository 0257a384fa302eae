#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace heldout::bind {

namespace nb = nanobind;

template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu>;

template <class T>
std::span<const T> view(const In<T>& array) {
    return {array.data(), array.size()};
}

template <class T>
std::span<const T> view(const std::optional<In<T>>& array) {
    return array ? view(*array) : std::span<const T>{};
}

// Gives a vector to Python as an array of the given shape, without a copy.
template <class T>
nb::ndarray<nb::numpy, T> give(std::vector<T>&& vector, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<T>(std::move(vector));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(owned->data(), shape, owner);
}

template <class T>
nb::ndarray<nb::numpy, T> give(std::vector<T>&& vector) {
    const std::size_t n = vector.size();
    return give(std::move(vector), {n});
}

// Each package of the core has one file here, bind_<package>.cpp, with one function that module.cpp calls.
void bind_codes(nb::module_& module);
void bind_tree(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_neighbors(nb::module_& module);
void bind_linear(nb::module_& module);
void bind_text(nb::module_& module);
void bind_ranking(nb::module_& module);

}  // namespace heldout::bind
