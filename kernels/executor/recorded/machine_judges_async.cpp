// SPDX-License-Identifier: GPL-3.0-or-later
// The judges of the async proxy, mbarriers and clusters.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/executor/group_operands.h"
#include "kernels/executor/recorded/judged_block.h"
#include "kernels/executor/recorded/machine_judges.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::FaultKind;
using emulator::Origin;
namespace event = emulator::event;
using event::Agent;

constexpr std::uint32_t kBoxElement = 2;  // bytes of an element of a BoxRecord

// A box, or bytes in a row: its elements have two bytes here, whatever they are in the tensor.
emulator::BoxRecord recordOf(const Issue& issue, const emulator::Site& site, std::uint32_t place,
                             std::uint32_t bytes, std::uint32_t rows, std::uint32_t swizzle) {
  emulator::BoxRecord box;
  box.columns = bytes / rows / kBoxElement;
  box.rows = rows;
  box.swizzle = swizzle;
  box.array = kJudgedArray;
  box.address = place;
  box.bytes = bytes;
  box.warp = issue.warp;
  box.line = static_cast<std::uint16_t>(std::clamp(site.line, 0, 0xffff));
  box.code = site.address;
  box.rank = issue.rank;
  return box;
}

}  // namespace

// The number of the mbarrier at this place. nullopt: there are more than the judges know.
std::optional<std::uint32_t> MachineJudges::barrierAt(JudgedBlock& block, std::uint32_t place) {
  const auto next = static_cast<std::uint32_t>(block.barriers.size());
  const auto [found, isNew] = block.barriers.try_emplace(place, next);
  if (!isNew) return found->second;
  if (next >= emulator::kBarriersPerBlock) {
    whyNot_ = fmt::format(
        "shared memory is not judged: a block has more mbarriers than the judges know ({})",
        emulator::kBarriersPerBlock);
    return std::nullopt;
  }
  block.judges.see(event::BarriersDeclared{"", 1});
  block.judges.context().requests.barriers.back().index = place;
  block.states.emplace_back();
  return next;
}

void MachineJudges::seeBarrier(const BarrierUse& use) {
  JudgedBlock* const block = at(use.issue.block);
  if (block == nullptr || !whyNot_.empty()) return;
  JudgedBlock* const owner =
      use.owner == block->rank ? block
      : block->cluster != nullptr && use.owner < block->cluster->blocks.size()
          ? block->cluster->blocks[use.owner]
          : nullptr;
  if (owner == nullptr) return;
  const auto number = barrierAt(*owner, use.at);
  if (!number) return;
  resume(*block, use.issue.warp);
  const Origin at{use.issue.warp * kLanes, siteOf(use.issue.number)};
  event::BarrierState& state = owner->states[*number];
  switch (use.action) {
    case BarrierAction::Start: {
      const event::BarrierStart start{at, *number, use.arrivals};
      block->judges.see(start);
      // Which instruction makes it visible to the async proxy is not in the machine code.
      block->judges.see(event::PublishBarriers{at});
      state.expected = state.pending = use.arrivals;
      state.bytes = use.bytes;
      break;
    }
    case BarrierAction::Arrive: {
      state.bytes += use.bytes;
      if (use.bytes > 0) state.announced += use.bytes;
      if (use.bytes < 0 && use.arrivals == 0) break;  // of a copy: seeBox() and seeBulk()
      // Lanes that arrive at the same barrier in one instruction are one arrival in the order.
      const bool again = owner->arrivedBarrier == *number && owner->arrivedWarp == at.thread &&
                         owner->arrivedNumber == use.issue.number;
      if (!again && block->judges.allows(event::BarrierUse{at, *number, owner->rank, "an arrival"}))
        block->judges.see(event::Arrived{at, *number, owner->rank});
      owner->arrivedBarrier = *number;
      owner->arrivedWarp = at.thread;
      owner->arrivedNumber = use.issue.number;
      state.pending -= std::min(state.pending, use.arrivals);
      break;
    }
    case BarrierAction::PhaseEnd:
      ++state.phase;
      state.pending = state.expected;
      state.announced = 0;
      owner->arrivedBarrier = ~0u;
      owner->judges.see(event::PhaseEnded{*number});
      break;
    case BarrierAction::WaitEnd:
      if (block->judges.allows(event::BarrierUse{at, *number, owner->rank, "a wait"}))
        block->judges.see(event::WaitEnded{at.thread, *number, state.phase - 1});
      break;
    case BarrierAction::Invalidate:
      break;
  }
  collect(*block, 0);
  if (owner != block) collect(*owner, 0);
}

// A copy to shared memory, which counts on the mbarrier of its block.
void MachineJudges::brought(JudgedBlock& issuer, const Origin& at, emulator::BoxRecord box,
                            std::uint32_t place) {
  box.index = box.address / unit_;
  for (std::uint32_t rank = 0; box.ranks >> rank != 0; ++rank) {
    if ((box.ranks >> rank & 1) == 0) continue;
    JudgedBlock* const to = rank == issuer.rank         ? &issuer
                            : issuer.cluster == nullptr ? nullptr
                                                        : issuer.cluster->blocks[rank];
    if (to == nullptr) continue;
    const auto number = barrierAt(*to, place);
    if (!number) return;
    box.barrier = *number;
    box.phase = to->states[*number].phase;
    if (!issuer.judges.allows(event::BarrierUse{at, *number, rank, "a copy"})) continue;
    issuer.judges.see(event::BoxRequested{at, &box, rank});
    to->judges.see(event::BoxArrived{at, &box});
    collect(issuer, 0);
    if (to != &issuer) collect(*to, 0);
  }
}

void MachineJudges::readByAgent(JudgedBlock& block, const Origin& at, Agent agent,
                                std::uint32_t group, std::uint32_t from, std::uint32_t bytes) {
  for (std::uint32_t word = from / unit_; word < (from + bytes) / unit_; ++word)
    if (word < block.words.size() && !block.excludes(word, 1))
      block.judges.see(event::AgentLoad{at, agent, group, kJudgedArray, word, word});
}

void MachineJudges::seeBox(const BoxCopy& copy) {
  JudgedBlock* const block = at(copy.issue.block);
  if (block == nullptr || !whyNot_.empty()) return;
  resume(*block, copy.issue.warp);
  const Origin at{copy.issue.warp * kLanes, siteOf(copy.issue.number)};
  const TensorMap& map = *copy.map;
  emulator::BoxRecord box =
      recordOf(copy.issue, at.site, copy.shared, map.boxBytes(), map.boxRows(), map.swizzle);
  if (!copy.store) {
    box.ranks = copy.ranks;
    return brought(*block, at, box, copy.barrier);
  }
  const std::uint32_t group = block->storeGroups[copy.issue.warp];
  constexpr std::uint32_t kChunk = 16;  // bytes that a swizzle moves together
  for (std::uint32_t row = 0; row < box.rows; ++row)
    for (std::uint32_t byte = 0; byte < map.rowBytes(); byte += kChunk)
      readByAgent(*block, at, Agent::Stores, group, box.byteOf(row, byte / kBoxElement), kChunk);
  block->judges.see(event::BoxStored{at, {box, group, {}}});
  collect(*block, 0);
}

void MachineJudges::seeBulk(const BulkCopy& copy) {
  JudgedBlock* const block = at(copy.issue.block);
  if (block == nullptr || !whyNot_.empty() || copy.bytes == 0) return;
  resume(*block, copy.issue.warp);
  const Origin at{copy.issue.warp * kLanes, siteOf(copy.issue.number)};
  const auto placeOf = [](std::uint64_t address) {
    return static_cast<std::uint32_t>(address) & kPlaceMask;
  };
  if (copy.fromGlobal) {
    emulator::BoxRecord box = recordOf(copy.issue, at.site, placeOf(copy.to), copy.bytes, 1, 0);
    box.ranks = 1u << (static_cast<std::uint32_t>(copy.to) >> kRankShift);
    return brought(*block, at, box, copy.barrier & kPlaceMask);
  }
  if (copy.toGlobal) {
    emulator::BoxRecord box = recordOf(copy.issue, at.site, placeOf(copy.from), copy.bytes, 1, 0);
    const std::uint32_t group = block->storeGroups[copy.issue.warp];
    readByAgent(*block, at, Agent::Stores, group, box.address, copy.bytes);
    block->judges.see(event::BoxStored{at, {box, group, {}}});
    collect(*block, 0);
    return;
  }
  // From one block to another one.
  exclude(*block, static_cast<std::uint32_t>(copy.to) >> kRankShift, placeOf(copy.to), copy.bytes);
}

void MachineJudges::seeProduct(const GroupProduct& product) {
  JudgedBlock* const block = at(product.issue.block);
  if (block == nullptr) return;
  const std::uint32_t warp = product.issue.warp;
  // A register number above 254 is RZ.
  const auto eachRegister = [](std::uint32_t from, std::uint32_t count, auto&& each) {
    for (std::uint32_t i = from; i < from + count && i < kJudgedRegisters; ++i) each(i);
  };
  constexpr std::uint32_t kRegistersOfA = 4;
  const auto check = [&](std::uint32_t reg) {
    checkWritten(*block, warp, product.issue.number, reg, kAllLanes);
  };
  if (product.keep) eachRegister(product.sums, product.count, check);
  if (product.registersA) eachRegister(product.firstA, kRegistersOfA, check);
  eachRegister(product.sums, product.count,
               [&](std::uint32_t reg) { block->written[warp][reg] = kAllLanes; });
  if (!whyNot_.empty()) return;
  resume(*block, warp);
  const Origin at{warp * kLanes, siteOf(product.issue.number)};
  JudgedBlock::Products& its = block->products[warp];
  constexpr std::uint32_t kRows = 16, kUnit = GroupOperand::kUnit, kInUnit = kUnit / 2;
  const auto read = [&](std::uint32_t from) {
    readByAgent(*block, at, Agent::Products, its.committed, from, kUnit);
  };
  if (!product.registersA) {
    const GroupOperand a = GroupOperand::of(product.a);
    const std::uint32_t first = warp % emulator::kWarpsPerGroup * kRows;
    if (product.alongM) {
      for (std::uint32_t k = 0; k < product.depth; ++k)
        for (std::uint32_t m = first; m < first + kRows; m += kInUnit) read(a.alongN(k, m));
    } else {
      for (std::uint32_t row = first; row < first + kRows; ++row)
        for (const std::uint32_t half : {0u, 1u}) read(a.alongK(row, half));
    }
  }
  const GroupOperand b = GroupOperand::of(product.b);
  if (product.alongN) {
    for (std::uint32_t k = 0; k < product.depth; ++k)
      for (std::uint32_t n = 0; n < product.columns; n += kInUnit) read(b.alongN(k, n));
  } else {
    for (std::uint32_t n = 0; n < product.columns; ++n)
      for (const std::uint32_t half : {0u, 1u}) read(b.alongK(n, half));
  }
  // For sentences: the first one of each group.
  auto& known = block->judges.context().requests.products[warp];
  if (known.empty() || known.back().group != its.committed) {
    emulator::ProductRecord record;
    record.group = its.committed;
    record.line = static_cast<std::uint16_t>(std::clamp(at.site.line, 0, 0xffff));
    known.push_back(record);
  }
  its.any = true;
  eachRegister(product.sums, product.count,
               [&](std::uint32_t reg) { its.sums[reg] = its.committed + 1; });
  if (product.registersA)
    eachRegister(product.firstA, kRegistersOfA,
                 [&](std::uint32_t reg) { its.factors[reg] = its.committed + 1; });
  if (uses_[product.issue.number].commits) ++its.committed;
  collect(*block, 0);
}

// Registers of a wgmma that has not been waited for.
void MachineJudges::checkInFlight(JudgedBlock& block, std::uint32_t warp, std::uint32_t number,
                                  const Uses& uses) {
  JudgedBlock::Products& its = block.products[warp];
  const auto inFlight = [&](std::uint32_t group) { return group > its.complete; };
  const auto say = [&](std::uint8_t reg, const char* what, std::uint32_t group) {
    reportRegister(block, FaultKind::UnderWay, warp * kLanes, number,
                   fmt::format("uses register R{}, which a wgmma {}: group {} of these "
                               "instructions has not been waited for",
                               reg, what, group - 1));
    // One report for all registers of a group.
    its.complete = std::max(its.complete, group);
  };
  for (const std::uint8_t each : uses.reads)
    if (inFlight(its.sums[each])) say(each, "still updates", its.sums[each]);
  for (const std::uint8_t each : uses.writes) {
    if (inFlight(its.sums[each])) say(each, "still updates", its.sums[each]);
    if (inFlight(its.factors[each])) say(each, "still reads", its.factors[each]);
  }
}

void MachineJudges::take(JudgedBlock& block, const Warp& warp, const AsyncStep& step) {
  const std::uint32_t number = warp.number();
  const Origin at{number * kLanes, siteOf(warp.present())};
  resume(block, number);
  switch (step.what) {
    case AsyncStep::What::None:
      break;
    case AsyncStep::What::Fence:
      block.judges.see(event::FenceAsync{at});
      break;
    case AsyncStep::What::CommitStores:
      ++block.storeGroups[number];
      break;
    case AsyncStep::What::WaitProducts: {
      JudgedBlock::Products& its = block.products[number];
      if (its.committed <= step.newest) break;
      its.complete = its.committed - step.newest;
      block.judges.see(event::ProductsEnded{number, its.complete});
      break;
    }
    case AsyncStep::What::ArriveByCopies:
      // The arrival comes after the copies, and orders them with it.
      block.judges.see(event::CopyCommit{at});
      block.judges.see(event::CopyWait{at, 0});
      break;
  }
  collect(block, 0);
}

// From now on, these bytes of a block's shared memory are not judged.
void MachineJudges::exclude(JudgedBlock& from, std::uint32_t rank, std::uint32_t place,
                            std::uint32_t bytes) {
  JudgedBlock* const to = rank == from.rank ? &from
                          : from.cluster != nullptr && rank < from.cluster->blocks.size()
                              ? from.cluster->blocks[rank]
                              : nullptr;
  if (to == nullptr) return;
  to->anyExcluded = true;
  for (std::uint32_t i = place / unit_; i < (place + bytes + unit_ - 1) / unit_; ++i)
    if (i < to->excluded.size()) to->excluded[i] = true;
}

// An access to another block of the cluster, which has a generic address.
void MachineJudges::excludeRemote(JudgedBlock& block, const Access& access, std::uint32_t lane) {
  if (access.use == Use::Load || access.use == Use::MatrixLoad) return;
  const auto address = static_cast<std::uint32_t>(access.at[lane]);
  exclude(block, address >> kRankShift, address & kPlaceMask, access.bytes);
}

void MachineJudges::seeMeeting(const ClusterMeeting& meeting) {
  JudgedBlock* const block = at(meeting.issue.block);
  if (block == nullptr || !whyNot_.empty() || meeting.action != ClusterAction::WaitEnd) return;
  const std::uint32_t passed = ++block->meetings[meeting.issue.warp];
  // All warps have arrived when the first one goes on.
  if (block->cluster == nullptr) {
    // A cluster of one block.
    if (passed > block->passedMeetings) {
      block->passedMeetings = passed;
      block->judges.see(event::BlockBarrierPassed{});
    }
    return;
  }
  JudgedCluster& cluster = *block->cluster;
  if (passed <= cluster.meetings) return;
  cluster.meetings = passed;
  std::vector<std::uint32_t> warps;
  for (const JudgedBlock* const each : cluster.blocks) {
    const std::size_t count = each->written.size();
    warps.push_back(count >= 32 ? ~0u : (1u << count) - 1);
  }
  cluster.blocks.front()->judges.see(event::ClusterBarrierPassed{warps});
}

}  // namespace tileloom::executor::recorded
