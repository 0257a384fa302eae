#include <atomic>
#include <stdexcept>
#include <vector>

#include "../check.hpp"
#include "base/team.hpp"

using heldout::Team;

TEST("every task runs exactly once, round after round") {
    Team team(3);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::atomic<int>> runs(97);
        team.run(runs.size(), [&](std::size_t task, std::size_t member) {
            CHECK(member < team.size());
            ++runs[task];
        });
        for (const auto& n : runs) CHECK(n == 1);
    }
}

TEST("an exception in a task reaches the caller, and the team works on") {
    Team team(2);
    CHECK_THROWS(std::runtime_error, team.run(20, [](std::size_t task, std::size_t) {
        if (task == 7) throw std::runtime_error("seven");
    }));
    std::atomic<int> n{0};
    team.run(20, [&](std::size_t, std::size_t) { ++n; });
    CHECK(n == 20);
}
