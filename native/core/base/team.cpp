#include "base/team.hpp"

#include <system_error>

namespace heldout {

Team::Team(std::size_t n_members) {
    try {
        for (std::size_t member = 1; member < n_members; ++member)
            threads_.emplace_back([this, member] { serve(member); });
    } catch (const std::system_error&) {
        return;
    }
}

Team::~Team() {
    {
        std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Team::run(std::size_t n_tasks, const Work& work) {
    if (threads_.empty() || n_tasks <= 1) {
        for (std::size_t task = 0; task < n_tasks; ++task) work(task, 0);
        return;
    }
    {
        std::lock_guard lock(mutex_);
        work_ = &work;
        n_tasks_ = n_tasks;
        next_task_ = 0;
        n_busy_ = size();
        failure_ = nullptr;
        ++round_;
    }
    wake_.notify_all();
    take_tasks(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return n_busy_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
}

void Team::serve(std::size_t member) {
    std::size_t seen_round = 0;
    while (true) {
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return closing_ || round_ != seen_round; });
            if (closing_) return;
            seen_round = round_;
        }
        take_tasks(member);
    }
}

void Team::take_tasks(std::size_t member) {
    std::unique_lock lock(mutex_);
    while (next_task_ < n_tasks_) {
        const std::size_t task = next_task_++;
        lock.unlock();
        try {
            (*work_)(task, member);
            lock.lock();
        } catch (...) {
            lock.lock();
            if (!failure_) failure_ = std::current_exception();
            next_task_ = n_tasks_;
        }
    }
    if (--n_busy_ == 0) done_.notify_all();
}

}  // namespace heldout
