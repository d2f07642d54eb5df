// SPDX-License-Identifier: GPL-3.0-or-later
// A thread that handles one kind of requests, in the order in which they come.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

namespace tileloom::worker {

class Lane {
 public:
  static constexpr std::size_t kMost = 256;  // requests that may wait

  // `work` does one request; it asks `cancelled` now and then.
  using Cancelled = std::function<bool()>;
  using Work =
      std::function<void(const nlohmann::json& id, const nlohmann::json& params, const Cancelled&)>;

  explicit Lane(Work work) : work_(std::move(work)), thread_([this] { run(); }) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      running_ = nullptr;
      waiting_.clear();
    }
    wake_.notify_one();
    thread_.join();
  }

  // False: kMost requests wait already.
  bool add(const nlohmann::json& id, const nlohmann::json& params) {
    {
      const std::lock_guard lock(mutex_);
      if (waiting_.size() >= kMost) return false;
      waiting_.push_back({id, params});
    }
    wake_.notify_one();
    return true;
  }

  enum class Found { Nothing, Waiting, Running };
  // A waiting request is removed, and the caller has to answer it; a running one is told to stop.
  Found cancel(const nlohmann::json& id) {
    const std::lock_guard lock(mutex_);
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if (it->id != id) continue;
      waiting_.erase(it);
      return Found::Waiting;
    }
    if (running_ != id || running_.is_null()) return Found::Nothing;
    running_ = nullptr;
    return Found::Running;
  }

 private:
  struct Request {
    nlohmann::json id, params;
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
      work_(request.id, request.params, [&] {
        const std::lock_guard again(mutex_);
        return running_ != request.id;
      });
      lock.lock();
      running_ = nullptr;
    }
  }

  Work work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Request> waiting_;
  nlohmann::json running_;
  bool stop_ = false;
  std::thread thread_;  // last, because it uses all members above
};

}  // namespace tileloom::worker
