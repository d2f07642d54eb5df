// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/fault.h"

#include <fmt/format.h>

namespace tileloom::emulator {

std::string_view name(FaultKind kind) {
  switch (kind) {
    case FaultKind::OutOfBounds:
      return "out of bounds";
    case FaultKind::Misaligned:
      return "misaligned wide access";
    case FaultKind::Unwritten:
      return "read of unwritten shared memory";
    case FaultKind::NotArrived:
      return "read of shared memory before its asynchronous copy was waited for";
    case FaultKind::Race:
      return "race";
    case FaultKind::Disagreement:
      return "lanes of a warp disagree";
    case FaultKind::WrongFragment:
      return "fragment of the wrong element";
    case FaultKind::UnderWay:
      return "accumulator used before its wgmma was waited for";
    case FaultKind::NoFence:
      return "missing fence";
    case FaultKind::EarlyArrival:
      return "arrival before the last phase was seen to end";
    case FaultKind::LeftUnderWay:
      return "left in flight";
    case FaultKind::Registers:
      return "register pool";
    case FaultKind::Deadlock:
      return "deadlock";
    case FaultKind::OutOfMemory:
      return "this machine does not have enough memory for the rest of the trace";
  }
  return "";
}

namespace {

// "sgemm at kernel.cuh:12", or "sgemm at 0x0130 of kernel.cubin" without a line.
std::string placeText(const Fault& f) {
  if (f.line == 0 && f.address != Site::kNoAddress)
    return fmt::format("{} at {:#06x} of {}", f.stage, f.address, f.file);
  return fmt::format("{} at {}:{}", f.stage, f.file, f.line);
}

}  // namespace

std::string describe(const Fault& f) {
  if (f.kind == FaultKind::OutOfMemory) {
    return fmt::format(
        "{}: it ends in thread {} of block ({}, {}) of {}; choose a smaller size or "
        "fewer K tiles",
        name(f.kind), f.thread, f.block.x, f.block.y, f.stage);
  }
  if (!f.detail.empty()) {
    return fmt::format("{}: thread {} of block ({}, {}) {}, {}", name(f.kind), f.thread, f.block.x,
                       f.block.y, f.detail, placeText(f));
  }
  std::string text =
      fmt::format("{}: {} of {}[{}]", name(f.kind), f.store ? "store" : "load", f.array, f.index);
  if (f.kind == FaultKind::OutOfBounds) text += fmt::format(" ({} elements)", f.size);
  text += fmt::format(" by thread {} of block ({}, {})", f.thread, f.block.x, f.block.y);
  if (f.kind == FaultKind::Race) {
    text += f.otherThread >= 0
                ? fmt::format(" against thread {} with no barrier in between", f.otherThread)
                : " against several threads with no barrier in between";
  }
  return text + ", " + placeText(f);
}

}  // namespace tileloom::emulator
