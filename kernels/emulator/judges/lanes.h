// SPDX-License-Identifier: GPL-3.0-or-later
// A judge: whether the lanes of a warp, and the warps of a warpgroup, execute together what they
// must execute together.
#pragma once

#include <array>
#include <vector>

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Lanes {
 public:
  explicit Lanes(Context& context) : context_(context) {}

  bool allows(const event::Together& e);
  bool allows(const event::Meet& e);
  void see(const event::Product& e);
  void see(const event::ProductExecuted& e);
  void see(const event::FenceProducts& e) { count(Fence, e.at); }
  void see(const event::CommitProducts& e) { count(Commit, e.at); }
  void see(const event::WaitProducts& e) { count(Wait, e.at); }
  void see(const event::KeepRegisters& e) { count(Keep, e.at); }
  void see(const event::TakeRegisters& e) { count(Take, e.at); }
  void see(const event::ClusterMeet& e) { count(MeetCluster, e.at); }
  void see(const event::BlockEnded&);

 private:
  // The device functions that all lanes of a warp execute together: how often a lane has, and where
  // last.
  enum Word : std::uint8_t { Fence, Commit, Wait, Keep, Take, MeetCluster, kWords };
  struct Executed {
    std::uint32_t times = 0;
    Site site;
  };
  using Thread = std::array<Executed, kWords>;

  void count(Word word, const Origin& at);
  bool reportLanes();  // whether it reported anything
  bool reportWarps();
  void reportProducts();

  Context& context_;
  std::vector<Thread> threads_;  // empty before the first of these functions
};

}  // namespace tileloom::emulator::judges
