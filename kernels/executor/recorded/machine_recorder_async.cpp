// SPDX-License-Identifier: GPL-3.0-or-later
// The recording of TMA, mbarriers, wgmma and clusters.
#include <algorithm>
#include <bit>

#include "kernels/emulator/asynchronous.h"
#include "kernels/executor/boxes.h"
#include "kernels/executor/recorded/machine_recorder.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::Kind;
using emulator::Provenance;

}  // namespace

void MachineRecorder::add(Kind kind, const Issue& issue, std::initializer_list<std::uint32_t> words,
                          std::uint32_t array, std::uint32_t width) {
  Stream& stream = streams_[issue.warp];
  emulator::Instruction instruction = made(kind, issue.number, lanes_);
  instruction.array = static_cast<std::uint8_t>(array);
  instruction.width = static_cast<std::uint8_t>(std::min(width, 255u));
  instruction.offset = stream.words.used();
  if (words.size() != 0) {
    std::uint32_t* const to =
        stream.words.reserve(segments_, static_cast<std::uint32_t>(words.size()));
    std::size_t place = 0;
    for (const std::uint32_t word : words) std::fill_n(to + kLanes * place++, kLanes, word);
  }
  stream.instructions.push_back(instruction);
}

// The number of the mbarrier at this place, which the first call gives it.
std::uint32_t MachineRecorder::barrierAt(std::uint32_t place) {
  const auto [found, isNew] =
      barriers_.try_emplace(place, static_cast<std::uint32_t>(barriers_.size()));
  if (isNew) {
    phases_.push_back(0);
    trace_->barriers.push_back({"mbarrier", found->second});
  }
  return found->second;
}

emulator::BoxRecord MachineRecorder::boxOf(const BoxCopy& copy) {
  const TensorMap& map = *copy.map;
  emulator::BoxRecord box;
  const Role* const role = origins_->roleAt(map.address);
  box.matrix = role != nullptr ? placeOf(role->matrix) : emulator::kArrayC;
  box.x = copy.first[0];
  box.y = copy.first[1];
  box.columns = map.box[0];
  box.rows = map.boxRows();
  box.swizzle = map.swizzle;
  box.array = emulator::kFirstShared;
  box.index = copy.shared / 4 * arrays_[emulator::kFirstShared].parts;
  box.address = copy.shared;
  box.bytes = map.boxBytes();
  for (std::uint32_t number = 0; number < box.rows; ++number) {
    const BoxRow row = boxRow(map, copy.first, number);
    box.outside += box.columns - (row.to - row.from);
  }
  box.warp = copy.issue.warp;
  box.line = copy.issue.number < lines_.size() ? lines_[copy.issue.number] : std::uint16_t{0};
  box.rank = copy.issue.rank;
  box.interval = copy.issue.block == request_.block ? streams_[box.warp].interval : 0;
  box.ranks = copy.ranks;
  box.multicast = copy.multicast;
  return box;
}

void MachineRecorder::seeBox(const BoxCopy& copy) {
  if (!trace_) return;
  const bool mine = copy.issue.block == request_.block;
  const bool gets = !copy.store && (copy.ranks >> rank_ & 1) != 0;
  if (!mine && !gets) return;
  emulator::BoxRecord box = boxOf(copy);
  if (copy.store) {
    emulator::BoxStoreRecord store{box, 0, {}};
    for (std::uint32_t row = 0; row < box.rows; ++row)
      for (std::uint32_t column = 0; column < box.columns; ++column)
        store.values.push_back(Provenance(origins_->boxTag(copy, row, column)));
    origins_->pass(copy);
    add(Kind::BoxStore, copy.issue,
        {box.index, static_cast<std::uint32_t>(trace_->boxStores.size())}, box.array);
    trace_->boxStores.push_back(std::move(store));
    return;
  }
  if (gets) origins_->pass(copy);
  box.barrier = barrierAt(copy.barrier);
  box.phase = phases_[box.barrier];
  if (mine)
    add(Kind::BoxLoad, copy.issue, {box.index, static_cast<std::uint32_t>(trace_->boxes.size())},
        box.array);
  trace_->boxes.push_back(box);
}

void MachineRecorder::seeBulk(const BulkCopy& copy) {
  if (trace_) origins_->pass(copy, rank_);
}

void MachineRecorder::seeProduct(const GroupProduct& product) {
  if (!trace_ || product.issue.block != request_.block) return;
  Origins::GroupFactors factors = origins_->pass(product);
  const MmaRow& mma = rowOf(kUsualGroupMma);
  if (product.elementBytes * 8 != mma.elementBits || product.depth != mma.depth) return;
  auto& products = trace_->products[product.issue.warp];
  emulator::ProductRecord record;
  record.columns = product.columns;
  record.number = factors.firstSum;
  record.a = emulator::unpacked(product.a);
  record.b = emulator::unpacked(product.b);
  record.line =
      product.issue.number < lines_.size() ? lines_[product.issue.number] : std::uint16_t{0};
  if (request_.operands) {
    // Warps of a group read the same B, and products of one K tile the same A.
    const auto shared = [&](std::vector<Provenance> list, auto member) {
      for (const auto& each : trace_->products)
        if (!each.empty() && each.back().*member != nullptr && *(each.back().*member) == list)
          return each.back().*member;
      return std::make_shared<const std::vector<Provenance>>(std::move(list));
    };
    record.factorsA = shared(std::move(factors.a), &emulator::ProductRecord::factorsA);
    record.factorsB = shared(std::move(factors.b), &emulator::ProductRecord::factorsB);
  }
  add(Kind::Product, product.issue, {static_cast<std::uint32_t>(products.size())},
      static_cast<std::uint32_t>(kUsualGroupMma), product.columns / mma.columns);
  products.push_back(std::move(record));
}

void MachineRecorder::seeBarrier(const BarrierUse& use) {
  if (!trace_) return;
  const bool mine = use.issue.block == request_.block, own = use.owner == rank_;
  if (!own) {
    if (mine && use.action == BarrierAction::Arrive)
      add(Kind::BarrierArrive, use.issue, {barrierAt(use.at), use.owner});
    return;
  }
  const std::uint32_t barrier = barrierAt(use.at);
  if (use.action == BarrierAction::PhaseEnd) ++phases_[barrier];
  if (!mine) {
    if (use.action == BarrierAction::Arrive && use.bytes <= 0)
      trace_->remoteArrivals.push_back(
          {barrier, phases_[barrier], 0, use.issue.rank, use.issue.warp, 0});
    return;
  }
  switch (use.action) {
    case BarrierAction::Start:
      return add(Kind::BarrierStart, use.issue, {barrier, use.arrivals});
    case BarrierAction::Arrive:
      if (use.bytes < 0) return;  // of a copy
      if (use.bytes > 0)
        return add(Kind::BarrierExpect, use.issue,
                   {barrier, static_cast<std::uint32_t>(use.bytes)});
      return add(Kind::BarrierArrive, use.issue, {barrier, rank_});
    case BarrierAction::WaitEnd: {
      // The last phase with this parity that has ended.
      const std::uint32_t ended = phases_[barrier];
      const std::uint32_t last = ended == 0 ? 0 : ended - 1;
      return add(Kind::BarrierWait, use.issue,
                 {barrier, last % 2 == use.phase || last == 0 ? last : last - 1});
    }
    case BarrierAction::PhaseEnd:
    case BarrierAction::Invalidate:
      return;
  }
}

void MachineRecorder::seeMeeting(const ClusterMeeting& meeting) {
  if (!trace_ || meeting.issue.block != request_.block) return;
  if (meeting.action == ClusterAction::WaitEnd) {
    lanes_ = kAllLanes;
    add(Kind::ClusterMeet, meeting.issue, {});
  }
}

}  // namespace tileloom::executor::recorded
