#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heldout {

// A few threads that live as long as one call into the core. Tasks are handed out one by one; what is
// computed must not depend on who computes it. With one member everything runs in the calling thread.
class Team {
  public:
    using Work = std::function<void(std::size_t task, std::size_t member)>;

    // Where the system gives no further thread, those that there are do the work.
    explicit Team(std::size_t n_members);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    std::size_t size() const { return threads_.size() + 1; }

    // Runs work(task, member) for every task below n_tasks and returns when all are done. The first
    // exception is thrown again in the caller.
    void run(std::size_t n_tasks, const Work& work);

  private:
    void serve(std::size_t member);
    void take_tasks(std::size_t member);

    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable done_;
    const Work* work_ = nullptr;
    std::size_t n_tasks_ = 0;
    std::size_t next_task_ = 0;
    std::size_t n_busy_ = 0;
    std::size_t round_ = 0;
    bool closing_ = false;
    std::exception_ptr failure_;
};

}  // namespace heldout
