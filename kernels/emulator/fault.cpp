// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/fault.h"

#include <fmt/format.h>

#include <array>

namespace tileloom::emulator {

namespace {

struct FaultRow {
  FaultKind kind;
  std::string_view key, name;
};

// By kind.
constexpr auto kFaultRows = std::to_array<FaultRow>({
    {FaultKind::OutOfBounds, "out_of_bounds", "out of bounds"},
    {FaultKind::Misaligned, "misaligned", "misaligned wide access"},
    {FaultKind::Unwritten, "unwritten", "read of unwritten shared memory"},
    {FaultKind::NotArrived, "not_arrived",
     "read of shared memory before its asynchronous copy was waited for"},
    {FaultKind::Race, "race", "race"},
    {FaultKind::Disagreement, "disagreement", "lanes of a warp disagree"},
    {FaultKind::WrongFragment, "wrong_fragment", "fragment of the wrong element"},
    {FaultKind::UnderWay, "under_way", "accumulator used before its wgmma was waited for"},
    {FaultKind::NoFence, "no_fence", "missing fence"},
    {FaultKind::EarlyArrival, "early_arrival", "arrival before the last phase was seen to end"},
    {FaultKind::LeftUnderWay, "left_under_way", "left in flight"},
    {FaultKind::Registers, "registers", "register pool"},
    {FaultKind::Deadlock, "deadlock", "deadlock"},
    {FaultKind::OutOfMemory, "out_of_memory",
     "this machine does not have enough memory for the rest of the trace"},
    {FaultKind::Stopped, "stopped", "the execution ends early"},
});

constexpr bool faultRowsAreInOrder() {
  for (std::size_t i = 0; i < kFaultRows.size(); ++i) {
    if (static_cast<std::size_t>(kFaultRows[i].kind) != i) return false;
  }
  return kFaultRows.size() == static_cast<std::size_t>(FaultKind::Stopped) + 1;
}
static_assert(faultRowsAreInOrder(), "a kind of fault has no row, or its row is at another place");

}  // namespace

std::string_view name(FaultKind kind) {
  return kFaultRows[static_cast<std::size_t>(kind)].name;
}
std::string_view key(FaultKind kind) {
  return kFaultRows[static_cast<std::size_t>(kind)].key;
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
  if (f.kind == FaultKind::Stopped) return fmt::format("{}: {}", name(f.kind), f.detail);
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
