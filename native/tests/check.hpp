#pragma once

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

// The smallest thing that runs tests: TEST("what it proves") { CHECK(...); }
namespace heldout::tests {

struct Test {
    std::string proves;
    std::function<void()> body;
};

inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

struct Register {
    Register(const char* proves, std::function<void()> body) {
        all_tests().push_back({proves, std::move(body)});
    }
};

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void check(bool holds, const char* claim, const char* file, int line) {
    if (!holds) throw Failure(std::string(file) + ":" + std::to_string(line) + ": " + claim);
}

template <class Exception>
void check_throws(const std::function<void()>& action, const char* claim, const char* file, int line) {
    try {
        action();
    } catch (const Exception&) {
        return;
    }
    check(false, claim, file, line);
}

inline bool is_near(double a, double b) {
    return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b));
}

}  // namespace heldout::tests

#define HELDOUT_JOIN_(a, b) a##b
#define HELDOUT_JOIN(a, b) HELDOUT_JOIN_(a, b)
#define TEST(proves)                                                                                        \
    static void HELDOUT_JOIN(test_, __LINE__)();                                                            \
    static const heldout::tests::Register HELDOUT_JOIN(register_, __LINE__)(proves,                         \
                                                                            HELDOUT_JOIN(test_, __LINE__)); \
    static void HELDOUT_JOIN(test_, __LINE__)()
#define CHECK(claim) heldout::tests::check((claim), #claim, __FILE__, __LINE__)
#define CHECK_THROWS(exception, ...)                                                                      \
    heldout::tests::check_throws<exception>([&] { __VA_ARGS__; }, "throws " #exception ": " #__VA_ARGS__, \
                                            __FILE__, __LINE__)
