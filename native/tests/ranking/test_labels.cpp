#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../check.hpp"
#include "ranking/labels.hpp"

using namespace heldout;

namespace {

template <class T>
void check_counts(std::uint64_t n_labels, T low) {
    std::mt19937_64 random(n_labels);
    for (const std::size_t n : {0, 1, 3, 4, 5, 2047, 2048, 2049, 9000}) {
        std::vector<T> rows(n), columns(n);
        std::vector<double> weights(n);
        std::vector<std::int64_t> expected(n_labels * n_labels);
        std::vector<double> weighed(n_labels * n_labels);
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = random() % n_labels, column = random() % n_labels;
            rows[i] = static_cast<T>(low + static_cast<T>(row));
            columns[i] = static_cast<T>(low + static_cast<T>(column));
            weights[i] = static_cast<double>(random() % 8) / 4;
            ++expected[row * n_labels + column];
            weighed[row * n_labels + column] += weights[i];
        }
        const Pairs<T> pairs{rows, columns, low, low, n_labels, n_labels};
        CHECK(count_pairs(pairs) == expected);
        CHECK(weigh_pairs(pairs, std::span<const double>(weights)) == weighed);
    }
}

}  // namespace

TEST("pairs of whole numbers are counted, whatever their type and their range") {
    check_counts<std::uint8_t>(2, 0);
    check_counts<std::int8_t>(3, -128);
    check_counts<std::uint16_t>(1, 65535);
    check_counts<std::int16_t>(4, -32768);
    check_counts<std::uint32_t>(4, 4294967292U);
    check_counts<std::int32_t>(2, -1);
    check_counts<std::int64_t>(3, std::numeric_limits<std::int64_t>::max() - 2);
    check_counts<std::int8_t>(100, -50);
    check_counts<std::uint16_t>(64, 9);
    check_counts<std::int16_t>(65, -32768);
    check_counts<std::uint32_t>(6, 4294967290U);
    check_counts<std::int32_t>(7, std::numeric_limits<std::int32_t>::min());
    check_counts<std::int64_t>(300, std::numeric_limits<std::int64_t>::min());
    check_counts<std::int64_t>(5, std::numeric_limits<std::int64_t>::max() - 4);
}

TEST("labels outside the matrix are refused, and so are arrays that do not fit") {
    const std::vector<std::int64_t> low{0, 1}, high{0, 2}, negative{0, -1}, longer{0, 0, 0};
    const auto count = [&](const auto& rows, const auto& columns) {
        return count_pairs<std::int64_t>({rows, columns, 0, 0, 2, 2});
    };
    CHECK(count(low, low) == (std::vector<std::int64_t>{1, 0, 0, 1}));
    CHECK_THROWS(std::invalid_argument, count(low, high));
    CHECK_THROWS(std::invalid_argument, count(negative, low));
    CHECK_THROWS(std::invalid_argument, count(low, longer));
    const std::size_t many = std::size_t{1} << 40;
    CHECK_THROWS(std::invalid_argument, count_pairs<std::int64_t>({low, low, 0, 0, many, many}));
}

TEST("labels that lie close together are counted from the least one on, wherever they appear") {
    std::vector<std::int16_t> rows(5000, 3), columns(5000, 4);
    const auto found = count_close_pairs<std::int16_t>(rows, columns, 2);
    CHECK(found.low == 3 && found.n_labels == 2);
    CHECK(found.counts == (std::vector<std::int64_t>{0, 5000, 0, 0}));
    rows[4999] = 6;  // far behind the first piece
    columns[0] = 2;
    const auto wider = count_close_pairs<std::int16_t>(rows, columns, 5);
    CHECK(wider.low == 2 && wider.n_labels == 5);
    CHECK(wider.counts[1 * 5 + 2] == 4998 && wider.counts[4 * 5 + 2] == 1 && wider.counts[1 * 5 + 0] == 1);
    CHECK(count_close_pairs<std::int16_t>(rows, columns, 4).n_labels == 0);
    CHECK(count_close_pairs<std::int16_t>({}, {}, 4).n_labels == 0);
    const std::vector<std::int64_t> ends{std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max()};
    CHECK(count_close_pairs<std::int64_t>(ends, ends, 4096).n_labels == 0);
    CHECK_THROWS(std::invalid_argument, count_close_pairs<std::int16_t>(rows, {}, 4));
}

TEST("the range of whole numbers is that of the least and the greatest") {
    const std::vector<std::int8_t> numbers{3, -128, 127, 0};
    CHECK(range_of<std::int8_t>(numbers) == (std::pair<std::int8_t, std::int8_t>{-128, 127}));
    CHECK_THROWS(std::invalid_argument, range_of<std::int8_t>({}));
}

TEST("records have codes in the order in which they appear") {
    std::mt19937_64 random(4);
    for (const std::size_t n_bytes : {1, 3, 8, 11, 24})
        for (const std::uint64_t n_distinct : {1, 2, 200, 5000}) {
            std::map<std::string, std::uint32_t> expected;
            std::vector<std::uint8_t> bytes;
            std::vector<std::uint32_t> codes, first_rows;
            for (std::uint32_t row = 0; row < 8000; ++row) {
                std::string record(n_bytes, 'x');
                const std::uint64_t number = random() % n_distinct;
                std::memcpy(record.data() + n_bytes - std::min<std::size_t>(n_bytes, 2), &number,
                            std::min<std::size_t>(n_bytes, 2));
                const auto [at, is_new] = expected.emplace(record, expected.size());
                if (is_new) first_rows.push_back(row);
                codes.push_back(at->second);
                bytes.insert(bytes.end(), record.begin(), record.end());
            }
            const RecordCodes found = code_records(bytes, n_bytes);
            CHECK(found.codes == codes && found.first_rows == first_rows);
        }
    const std::vector<std::uint8_t> bytes{1, 2, 3};
    CHECK_THROWS(std::invalid_argument, code_records(bytes, 2));
    CHECK_THROWS(std::invalid_argument, code_records(bytes, 0));
    CHECK(code_records({}, 4).codes.empty());
}
