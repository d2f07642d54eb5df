// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/register_pool.h"

#include <fmt/format.h>

namespace tileloom::emulator::judges {
namespace {

// The numbers of registers that a warp may set (PTX ISA, "setmaxnreg").
constexpr std::uint32_t kFewest = 24, kMost = 256, kStep = 8;

}  // namespace

bool RegisterPool::settable(const Origin& at, std::uint32_t perThread, const char* word) {
  if (perThread >= kFewest && perThread <= kMost && perThread % kStep == 0) return true;
  context_.report(
      FaultKind::Registers, at,
      fmt::format(
          "sets its warp to {} registers per thread in {}: choose a multiple of {} from {} to {}",
          perThread, word, kStep, kFewest, kMost));
  return false;
}

bool RegisterPool::allows(const event::KeepRegisters& e) {
  if (!settable(e.at, e.perThread, "keep_registers")) return false;
  if (e.perThread <= e.has) return true;
  context_.report(FaultKind::Registers, e.at,
                  fmt::format("is to keep {} registers per thread but has {}", e.perThread, e.has));
  return false;
}

bool RegisterPool::allows(const event::TakeRegisters& e) {
  if (!settable(e.at, e.perThread, "take_registers")) return false;
  if (e.perThread >= e.has) return true;
  context_.report(FaultKind::Registers, e.at,
                  fmt::format("is to take up to {} registers per thread but already has {}",
                              e.perThread, e.has));
  return false;
}

}  // namespace tileloom::emulator::judges
