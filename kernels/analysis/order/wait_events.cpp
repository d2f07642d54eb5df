// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/wait_events.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Trace;
using emulator::WarpInterval;

bool matters(Kind kind) {
  switch (kind) {
    case Kind::Barrier:
    case Kind::CopyCommit:
    case Kind::CopyWait:
    case Kind::BoxLoad:
    case Kind::Product:
    case Kind::BarrierStart:
    case Kind::BarrierExpect:
    case Kind::BarrierWait:
    case Kind::CommitProducts:
    case Kind::WaitProducts:
    case Kind::BarrierArrive:
    case Kind::Meet:
    case Kind::ClusterMeet:
    case Kind::KeepRegisters:
    case Kind::TakeRegisters:
    case Kind::BoxStore:
    case Kind::WaitBoxes:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<WaitEvent> waitEventsOf(const Trace& trace, std::uint32_t warp) {
  std::vector<WaitEvent> events;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const WarpInterval view = trace.at(warp, interval);
    for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
      const Instruction& instruction = view.instructions[i];
      if (matters(instruction.kind) && instruction.mask != 0)
        events.push_back({instruction, view, i});
    }
  }
  return events;
}

std::optional<WaitOn> waitOf(const WaitEvent& event) {
  switch (event.instruction.kind) {
    case Kind::Barrier:
      return WaitOn::Block;
    case Kind::CopyCommit:
    case Kind::CopyWait:
      return WaitOn::Copies;
    case Kind::Product:
    case Kind::WaitProducts:
      return WaitOn::Products;
    case Kind::BoxLoad:
    case Kind::BarrierStart:
    case Kind::BarrierExpect:
    case Kind::BarrierWait:
    case Kind::BarrierArrive:
      return WaitOn::Phase;
    case Kind::BoxStore:
    case Kind::WaitBoxes:
      return WaitOn::Stored;
    case Kind::Meet:
      // Waits of lanes for each other within a warp are too short to see.
      return event.payload()[0] == 0 ? std::nullopt : std::optional(WaitOn::Meeting);
    case Kind::ClusterMeet:
      return WaitOn::Cluster;
    case Kind::KeepRegisters:
    case Kind::TakeRegisters:
      return WaitOn::Registers;
    default:
      return std::nullopt;
  }
}

std::string barrierName(const Trace& trace, std::uint32_t number) {
  return number < trace.barriers.size() ? trace.barriers[number].name : std::string();
}

}  // namespace tileloom::analysis
