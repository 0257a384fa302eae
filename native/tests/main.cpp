#include <cstdio>

#include "check.hpp"

int main() {
    int n_passed = 0, n_failed = 0;
    for (const auto& test : heldout::tests::all_tests()) {
        try {
            test.body();
            ++n_passed;
        } catch (const std::exception& failure) {
            ++n_failed;
            std::printf("FAILED: %s\n  %s\n", test.proves.c_str(), failure.what());
        }
    }
    std::printf("%d passed, %d failed\n", n_passed, n_failed);
    return n_failed == 0 && n_passed > 0 ? 0 : 1;
}
