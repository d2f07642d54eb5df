// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that handles one kind of request, in order of arrival.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tileloom::worker {

class Lane {
 public:
  static constexpr std::size_t kMost = 256;  // requests that may wait

  // One request; it polls `cancelled`.
  using Cancelled = std::function<bool()>;
  using Work = std::function<void(const Cancelled&)>;

  Lane() : thread_([this] { run(); }) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      running_.clear();
      waiting_.clear();
    }
    wake_.notify_one();
    thread_.join();
  }

  // `id` is not empty. False: kMost requests wait already.
  bool add(const std::string& id, Work work) {
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() >= kMost) return false;
      waiting_.push_back({id, std::move(work)});
    }
    wake_.notify_one();
    return true;
  }

  enum class Found { Nothing, Waiting, Running };
  // A waiting request is removed, and the caller has to answer it; a running one is asked to stop.
  Found cancel(const std::string& id) {
    const std::lock_guard lock(mutex_);
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if (it->id != id) continue;
      waiting_.erase(it);
      return Found::Waiting;
    }
    if (running_ != id || running_.empty()) return Found::Nothing;
    running_.clear();
    return Found::Running;
  }

 private:
  struct Request {
    std::string id;
    Work work;
  };

  void run() {
    while (true) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
      if (stop_) return;
      const Request request = std::move(waiting_.front());
      waiting_.pop_front();
      running_ = request.id;
      lock.unlock();
      request.work([&] {
        const std::lock_guard again(mutex_);
        return running_ != request.id;
      });
      lock.lock();
      running_.clear();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Request> waiting_;
  std::string running_;  // its id; empty: nothing runs
  bool stop_ = false;
  std::thread thread_;  // last, because it uses all members above
};

}  // namespace tileloom::worker
