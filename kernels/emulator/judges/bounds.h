// SPDX-License-Identifier: GPL-3.0-or-later
// A judge: whether what a thread accesses exists and is aligned: elements of arrays, rows of
// matrices, registers, boxes, operands of a wgmma, other blocks; and whether a recording has room
// for the groups that a wait names.
#pragma once

#include "kernels/emulator/judges/context.h"

namespace tileloom::emulator::judges {

class Bounds {
 public:
  explicit Bounds(Context& context) : context_(context) {}

  // Small, and calls what is rare with few values: an emulated kernel has it at each access, and is
  // fast only while the compiler inlines all of it.
  [[gnu::always_inline]] bool allows(const event::Attempt& e) {
    if (e.index < 0 || e.index + e.count > e.size) [[unlikely]] {
      report(FaultKind::OutOfBounds, e.at.thread, e.at.site, e.array, e.index, e.store);
      return false;
    }
    if (e.count > 1 && e.index % e.count != 0) [[unlikely]] {
      report(FaultKind::Misaligned, e.at.thread, e.at.site, e.array, e.index, e.store);
      return e.parts == 1;  // elements that share words are accessed by whole words only
    }
    return true;
  }
  bool allows(const event::RowAttempt& e);
  bool allows(const event::OperandRead& e) {
    if (e.byte / 4 < context_.shadow.words.size()) [[likely]]
      return true;
    reportOperand(e);
    return false;
  }
  bool allows(const event::BoxPlace& e);
  bool allows(const event::BoxTargets& e);
  bool allows(const event::PeerUse& e);
  void see(const event::RegisterOutside& e);
  void see(const event::CopyWait& e) { checkGroups(e.at, e.newest); }
  void see(const event::WaitProducts& e) { checkGroups(e.at, e.newest); }
  void see(const event::WaitBoxes& e) { checkGroups(e.at, e.newest); }

 private:
  void report(FaultKind kind, std::uint32_t thread, Site site, std::uint32_t array,
              std::int64_t index, bool store);
  void reportOperand(const event::OperandRead& e);
  void checkGroups(const Origin& at, std::uint32_t newest);

  Context& context_;
};

}  // namespace tileloom::emulator::judges
