// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/barriers.h"

#include <algorithm>
#include <numeric>

#include "kernels/analysis/first_lane.h"

namespace tileloom::analysis {

using emulator::Kind;

BarrierReplay::BarrierReplay(const emulator::Trace& trace)
    : trace_(&trace),
      barriers_(trace.barriers.size()),
      waits_(trace.warps),
      asked_(trace.boxes.size()),
      there_(trace.boxes.size()) {
  for (std::uint32_t number = 0; number < trace.boxes.size(); ++number) {
    const emulator::BoxRecord& box = trace.boxes[number];
    std::vector<Phase>& phases = barriers_.at(box.barrier).phases;
    if (box.phase >= phases.size()) phases.resize(box.phase + 1);
    phases[box.phase].boxes.push_back(number);
    if (box.rank != trace.rank) otherBoxes_.push_back(number);
  }
}

bool BarrierReplay::complete(const Barrier& barrier) const {
  if (barrier.count == 0 ||
      barrier.arrivals.size() < std::size_t{barrier.ended + 1} * barrier.count)
    return false;
  return barrier.ended >= barrier.phases.size() ||
         barrier.phases[barrier.ended].asked == barrier.phases[barrier.ended].boxes.size();
}

void BarrierReplay::see(Barrier& barrier) {
  while (barrier.ended < barrier.wanted && complete(barrier)) {
    if (barrier.ended < barrier.phases.size()) {
      const std::vector<std::uint32_t>& boxes = barrier.phases[barrier.ended].boxes;
      seen_.insert(seen_.end(), boxes.begin(), boxes.end());
      for (const std::uint32_t box : boxes) there_[box] = true;
    }
    ++barrier.ended;
  }
}

void BarrierReplay::ask(std::uint32_t number) {
  const emulator::BoxRecord& box = trace_->boxes[number];
  Phase& phase = barriers_[box.barrier].phases[box.phase];
  asked_[number] = true;
  ++phase.asked;
  phase.bytes += box.bytes;
  see(barriers_[box.barrier]);
}

void BarrierReplay::visits(std::uint32_t interval) {
  while (nextBox_ < otherBoxes_.size()) {
    const emulator::BoxRecord& box = trace_->boxes[otherBoxes_[nextBox_]];
    if (!before(box.interval, box.rank, interval)) break;
    visited_.push_back(otherBoxes_[nextBox_]);
    ask(otherBoxes_[nextBox_++]);
  }
  while (nextArrival_ < trace_->remoteArrivals.size()) {
    const emulator::RemoteArrival& arrival = trace_->remoteArrivals[nextArrival_];
    if (!before(arrival.interval, arrival.rank, interval)) break;
    ++nextArrival_;
    barriers_[arrival.barrier].arrivals.push_back(0);
    see(barriers_[arrival.barrier]);
  }
}

std::span<const std::uint32_t> BarrierReplay::execute(const emulator::WarpInterval& view,
                                                      std::uint32_t i) {
  seen_.clear();
  visited_.clear();
  visits(view.interval);
  const emulator::Instruction& instruction = view.instructions[i];
  waits_[view.warp].reset();
  switch (instruction.kind) {
    case Kind::BarrierStart:
    case Kind::BarrierExpect:
    case Kind::BarrierWait:
    case Kind::BarrierArrive:
    case Kind::BoxLoad:
      break;
    default:
      return seen_;
  }
  const std::uint32_t* payload = view.payload(i, firstLane(instruction.mask));
  if (instruction.kind == Kind::BoxLoad) {
    if (payload[1] >= trace_->boxes.size()) return seen_;
    ask(payload[1]);
    return seen_;
  }
  if (payload[0] >= barriers_.size()) return seen_;
  Barrier& barrier = barriers_[payload[0]];
  switch (instruction.kind) {
    case Kind::BarrierStart:
      barrier.count = payload[1];
      break;
    case Kind::BarrierExpect:
      // Each lane that is active arrives.
      for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
        if ((instruction.mask >> lane & 1u) != 0)
          barrier.arrivals.push_back(view.payload(i, lane)[1]);
      }
      break;
    case Kind::BarrierArrive:
      for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
        if ((instruction.mask >> lane & 1u) != 0 && view.payload(i, lane)[1] == trace_->rank)
          barrier.arrivals.push_back(0);
      }
      break;
    default:
      // The phase before phase 0 has the number -1.
      barrier.wanted = std::max(barrier.wanted, payload[1] + 1);
      waits_[view.warp] = BarrierWait{payload[0], payload[1], false};
      break;
  }
  see(barrier);
  return seen_;
}

BarrierState BarrierReplay::state(std::uint32_t number) const {
  const Barrier& barrier = barriers_.at(number);
  BarrierState state;
  state.count = barrier.count;
  state.phase = barrier.ended;
  const std::size_t before = std::size_t{barrier.ended} * barrier.count;
  const std::size_t arrived = std::min<std::size_t>(
      barrier.count, barrier.arrivals.size() - std::min(before, barrier.arrivals.size()));
  state.pending = barrier.count - static_cast<std::uint32_t>(arrived);
  const auto first = barrier.arrivals.begin() +
                     static_cast<std::ptrdiff_t>(std::min(before, barrier.arrivals.size()));
  state.announced = std::accumulate(first, first + static_cast<std::ptrdiff_t>(arrived), 0u);
  if (barrier.ended < barrier.phases.size()) state.asked = barrier.phases[barrier.ended].bytes;
  return state;
}

std::optional<BarrierWait> BarrierReplay::waitOf(std::uint32_t warp) const {
  std::optional<BarrierWait> wait = waits_[warp];
  if (wait) wait->over = barriers_[wait->barrier].ended >= wait->phase + 1;
  return wait;
}

}  // namespace tileloom::analysis
