// SPDX-License-Identifier: GPL-3.0-or-later
// A judge of sums that one block leaves in global memory for another one to add, and of the flags
// that say so: all threads of a warpgroup must leave their sums before one of them sets the flag,
// and one thread must wait for the flag before any thread adds the sums; the sums of several blocks
// one after the other. It judges the order within each block.
#pragma once

#include <vector>

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class PartialSums {
 public:
  explicit PartialSums(Context& context) : context_(context) {}

  bool allows(const event::FlagAwait& e);
  void see(const event::SumsLeft& e);
  void see(const event::FlagSet& e);
  void see(const event::FlagAwaited& e);
  void see(const event::SumsAdded& e);
  void see(const event::PartLeft& e);

 private:
  Context& context_;
  std::vector<std::uint32_t> left_;  // by thread: the stamp of its last sums
  // By warpgroup: the stamps of its waits for others' sums, in order; by thread: how often it has
  // added such sums.
  std::vector<std::vector<std::uint32_t>> awaited_;
  std::vector<std::uint32_t> added_;
  std::uint32_t reported_ = 0;  // the stamp of the last wait with a fault: one for all its sums
};

}  // namespace tileloom::emulator::judges
