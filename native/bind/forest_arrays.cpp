#include "forest_arrays.hpp"

#include "base/require.hpp"

namespace heldout::bind {
namespace {

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Python knows a kind of split as its number.
nb::ndarray<nb::numpy, std::uint8_t> give_kinds(std::vector<SplitKind>&& kinds) {
    auto* owned = new std::vector<SplitKind>(std::move(kinds));
    nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<SplitKind>*>(p); });
    return nb::ndarray<nb::numpy, std::uint8_t>(reinterpret_cast<std::uint8_t*>(owned->data()),
                                                {owned->size()}, owner);
}

class Taker {
  public:
    explicit Taker(const Arrays& arrays) : arrays_(arrays) { taken_.owners.reserve(16); }

    template <class T>
    std::span<const T> column(const char* name) {
        return view(take<In<T>>(name));
    }

    // A matrix, whose number of columns is stored too.
    std::span<const double> matrix(const char* name, std::size_t& n_columns) {
        const auto values = take<Values>(name);
        n_columns = values.shape(1);
        return {values.data(), values.size()};
    }

    std::span<const SplitKind> kinds(const char* name) {
        const auto numbers = column<std::uint8_t>(name);
        return {reinterpret_cast<const SplitKind*>(numbers.data()), numbers.size()};
    }

    TakenForest taken_;

  private:
    template <class Array>
    Array take(const char* name) {
        taken_.owners.push_back(arrays_[name]);
        return nb::cast<Array>(taken_.owners.back(), false);
    }

    const Arrays& arrays_;
};

}  // namespace

Arrays give_forest(Forest&& forest) {
    Arrays arrays;
    const std::size_t n_nodes = forest.n_nodes(), n_columns = forest.n_columns;
    const std::size_t n_gains = forest.importance.empty() ? 0 : forest.n_trees();
    arrays["tree_begin"] = give(std::move(forest.tree_begin));
    arrays["feature"] = give(std::move(forest.feature));
    arrays["split_kind"] = give_kinds(std::move(forest.kind));
    arrays["threshold"] = give(std::move(forest.threshold));
    arrays["first_child"] = give(std::move(forest.first_child));
    arrays["n_children"] = give(std::move(forest.n_children));
    arrays["default_child"] = give(std::move(forest.default_child));
    arrays["branch_level"] = give(std::move(forest.branch_level));
    arrays["set_begin"] = give(std::move(forest.set_begin));
    arrays["set_end"] = give(std::move(forest.set_end));
    arrays["set_levels"] = give(std::move(forest.set_levels));
    arrays["weight"] = give(std::move(forest.weight));
    arrays["value"] = give(std::move(forest.value), {n_nodes, forest.n_outputs});
    arrays["importance"] = give(std::move(forest.importance), {n_gains, n_columns});
    return arrays;
}

TakenForest take_forest(const Arrays& arrays) {
    Taker taker(arrays);
    ForestView& forest = taker.taken_.view;
    forest.tree_begin = taker.column<std::int64_t>("tree_begin");
    forest.feature = taker.column<std::int32_t>("feature");
    forest.kind = taker.kinds("split_kind");
    forest.threshold = taker.column<double>("threshold");
    forest.first_child = taker.column<std::int32_t>("first_child");
    forest.n_children = taker.column<std::int32_t>("n_children");
    forest.default_child = taker.column<std::int32_t>("default_child");
    forest.branch_level = taker.column<std::int32_t>("branch_level");
    forest.set_begin = taker.column<std::int32_t>("set_begin");
    forest.set_end = taker.column<std::int32_t>("set_end");
    forest.set_levels = taker.column<std::int32_t>("set_levels");
    forest.weight = taker.column<double>("weight");
    forest.value = taker.matrix("value", forest.n_outputs);
    forest.importance = taker.matrix("importance", forest.n_columns);
    return std::move(taker.taken_);
}

}  // namespace heldout::bind
