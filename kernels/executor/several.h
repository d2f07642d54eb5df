// SPDX-License-Identifier: GPL-3.0-or-later
// Several observers of one execution.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/executor/observer.h"

namespace tileloom::executor {

class Several : public Observer {
 public:
  explicit Several(std::vector<Observer*> each) : each_(std::move(each)) {}

  void begin(const BlockStart& start) override {
    for (Observer* one : each_) one->begin(start);
  }
  void end(std::uint32_t block) override {
    for (Observer* one : each_) one->end(block);
  }
  void see(const Access& access) override {
    for (Observer* one : each_) one->see(access);
  }
  void see(const BarrierArrival& arrival) override {
    for (Observer* one : each_) one->see(arrival);
  }
  void see(const CopyStep& step) override {
    for (Observer* one : each_) one->see(step);
  }
  void passed(std::uint32_t block, std::uint32_t barrier) override {
    for (Observer* one : each_) one->passed(block, barrier);
  }
  bool follows() const override {
    return std::ranges::any_of(each_, [](const Observer* one) { return one->follows(); });
  }
  void before(const Warp& warp, const Operation& o) override {
    for (Observer* one : each_)
      if (one->follows()) one->before(warp, o);
  }

  void seeBox(const BoxCopy& copy) override {
    for (Observer* one : each_) one->seeBox(copy);
  }
  void seeBulk(const BulkCopy& copy) override {
    for (Observer* one : each_) one->seeBulk(copy);
  }
  void seeBarrier(const BarrierUse& use) override {
    for (Observer* one : each_) one->seeBarrier(use);
  }
  void seeProduct(const GroupProduct& product) override {
    for (Observer* one : each_) one->seeProduct(product);
  }
  void seeMeeting(const ClusterMeeting& meeting) override {
    for (Observer* one : each_) one->seeMeeting(meeting);
  }

 private:
  std::vector<Observer*> each_;
};

}  // namespace tileloom::executor
