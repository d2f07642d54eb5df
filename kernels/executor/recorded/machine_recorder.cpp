// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/recorded/machine_recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "kernels/emulator/fragment_layout.h"
#include "kernels/emulator/shared_words.h"
#include "kernels/executor/operation.h"
#include "kernels/executor/recorded/access_kind.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::Array;
using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;
using emulator::Space;

constexpr std::uint32_t kWordBytes = 4;

std::uint32_t firstOf(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::uint32_t lanesWithin(const Access& access, std::uint64_t first, std::uint64_t bytes) {
  std::uint32_t lanes = 0;
  for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t at = access.at[firstOf(rest)];
    if (at >= first && at - first < bytes) lanes |= 1u << firstOf(rest);
  }
  return lanes;
}

Array wordsOf(const Buffer& buffer) {
  const auto words = static_cast<std::uint32_t>(buffer.bytes.size() / kWordBytes);
  return {buffer.name, Space::Global, 0, words, words, 0, 1};
}

}  // namespace

MachineRecorder::MachineRecorder(RecordRequest request) : request_(std::move(request)) {
  const sass::KernelImage& kernel = *request_.launch->kernel;
  lines_.resize(kernel.words.size());
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto places = kernel.lines.at(static_cast<std::uint32_t>(i * sass::kCodeWordBytes));
    if (!places.empty()) lines_[i] = static_cast<std::uint16_t>(places.back().line);
  }
  arrays_ = {{"A", Space::Global, 0, 0, 0, 0, 1},
             {"B", Space::Global, 0, 0, 0, 0, 1},
             {"C", Space::Global, 0, 0, 0, 0, 1},
             {"shared", Space::Shared, 0, 0, 0, 0, 1}};
  Array& shared = arrays_[emulator::kFirstShared];
  for (std::size_t i = 0; i < request_.buffers.size(); ++i) {
    const auto role = std::ranges::find(request_.roles, i, &Role::buffer);
    if (role == request_.roles.end()) {
      arrayOfBuffer_.push_back(static_cast<std::uint32_t>(arrays_.size()));
      arrays_.push_back(wordsOf(request_.buffers[i]));
      continue;
    }
    arrayOfBuffer_.push_back(placeOf(role->matrix));
    Array& array = arrays_[arrayOfBuffer_.back()];
    array.name = request_.buffers[i].name;
    array.rows = role->rows;
    array.columns = role->columns;
    array.elements = role->rows * role->columns;
    array.parts = kWordBytes / role->bytes;
    if (role->matrix == Provenance::Source::A) shared.parts = array.parts;
  }
}

void MachineRecorder::begin(const BlockStart& start) {
  if (start.block != request_.block) return;
  origins_.emplace(start.warps, start.sharedBytes, request_.buffers, request_.roles);
  rank_ = start.rank;
  barriers_.clear();
  phases_.clear();
  streams_.clear();
  streams_.resize(start.warps);
  ended_ = false;
  beginTrace(start.warps, start.sharedBytes);
  trace_->block = {static_cast<int>(start.position[0]), static_cast<int>(start.position[1])};
  trace_->rank = start.rank;
}

void MachineRecorder::beginTrace(std::uint32_t warps, std::uint32_t sharedBytes) {
  const Launch& launch = *request_.launch;
  trace_.emplace(emulator::sharedWords());
  trace_->machineCode = true;
  trace_->threads = launch.block[0] * launch.block[1] * launch.block[2];
  trace_->warps = warps;
  trace_->stepK = std::max(1u, request_.stepK);
  trace_->sharedBytes = sharedBytes;
  for (const std::uint32_t side : launch.kernel->info.cluster)
    trace_->cluster *= std::max(1u, side);
  trace_->products.resize(warps);
  trace_->arrays = arrays_;
  Array& shared = trace_->arrays[emulator::kFirstShared];
  shared.elements = shared.columns = sharedBytes / kWordBytes * shared.parts;
  const std::uint32_t k = arrays_[emulator::kArrayA].columns;
  trace_->kEnd = k;
  trace_->kTiles = request_.stepK == 0 ? 0 : (k + request_.stepK - 1) / request_.stepK;
  trace_->kTilesTraced = trace_->kTiles;
}

void MachineRecorder::end(std::uint32_t block) {
  if (block != request_.block) return;
  for (std::uint32_t warp = 0; warp < streams_.size(); ++warp)
    if (!streams_[warp].instructions.empty() || streams_[warp].interval == 0) flush(warp);
  known_ = origins_->known();
  ended_ = true;
}

emulator::Trace MachineRecorder::take() {
  if (!trace_) {
    const Launch& launch = *request_.launch;
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    beginTrace((threads + kLanes - 1) / kLanes, 0);
  } else if (!ended_) {
    end(request_.block);
  }
  trace_->finish();
  emulator::Trace taken = std::move(*trace_);
  trace_.reset();
  return taken;
}

void MachineRecorder::flush(std::uint32_t warp) {
  Stream& stream = streams_[warp];
  std::uint32_t* const words =
      trace_->append({warp, stream.interval, 0, stream.words.used(), stream.instructions});
  stream.words.takeTo(words, segments_);
  stream.instructions.clear();
  ++stream.interval;
}

Instruction MachineRecorder::made(Kind kind, std::uint32_t number, std::uint32_t lanes) const {
  Instruction instruction;
  instruction.kind = kind;
  instruction.mask = lanes;
  instruction.address = number * static_cast<std::uint32_t>(sass::kCodeWordBytes);
  instruction.line = number < lines_.size() ? lines_[number] : std::uint16_t{0};
  return instruction;
}

// Where along K the element with this tag is.
void MachineRecorder::place(Instruction& instruction, std::uint32_t tag) const {
  const Provenance element(tag);
  if (request_.stepK == 0 || !element.isElement()) return;
  const Array& b = arrays_[emulator::kArrayB];
  const std::uint32_t columns = arrays_[emulator::kArrayA].columns;
  std::uint32_t k = 0;
  if (element.source() == Provenance::Source::A && columns != 0)
    k = element.index() % columns;
  else if (element.source() == Provenance::Source::B && b.columns != 0)
    k = element.index() / b.columns;
  else
    return;
  instruction.kTile = k / request_.stepK;
  if (emulator::isMultiplyAdd(instruction.kind))
    instruction.dot = static_cast<std::uint16_t>(k % request_.stepK);
}

void MachineRecorder::before(const Warp& warp, const Operation& o) {
  if (warp.around().blockNumber() != request_.block) return;
  operation_ = &o;
  lanes_ = warp.lanes();
  for (const Multiplied& each : origins_->pass(warp.number(), warp.lanes(), o, warp))
    add(each, warp.number(), warp.present());
}

void MachineRecorder::add(const Multiplied& multiplied, std::uint32_t warp, std::uint32_t number) {
  Stream& stream = streams_[warp];
  Instruction instruction = made(multiplied.kind, number, multiplied.lanes);
  instruction.array = static_cast<std::uint8_t>(multiplied.mma);
  place(instruction, multiplied.rows[0]->lane[firstOf(multiplied.lanes)]);
  if (instruction.kTile != emulator::kNoTile) stream.kTile = instruction.kTile;
  instruction.offset = stream.words.used();
  if (request_.operands) {
    std::uint32_t* const to =
        stream.words.reserve(segments_, static_cast<std::uint32_t>(multiplied.count));
    for (std::size_t i = 0; i < multiplied.count; ++i)
      std::ranges::copy(multiplied.rows[i]->lane, to + i * kLanes);
  }
  stream.instructions.push_back(instruction);
}

void MachineRecorder::see(const Access& access) {
  if (access.block != request_.block || operation_ == nullptr) return;
  origins_->pass(access, *operation_);
  const auto kind = kindOf(access);
  if (!kind || access.lanes == 0) return;
  Instruction instruction = made(*kind, access.number, access.lanes);
  std::uint64_t base = 0;
  if (access.memory == Memory::Global) {
    const std::uint64_t at = access.at[firstOf(access.lanes)];
    const auto buffer = std::ranges::find_if(request_.buffers, [&](const Buffer& each) {
      return at >= each.address && at - each.address < each.bytes.size();
    });
    if (buffer == request_.buffers.end()) return;
    base = buffer->address;
    // Lanes may access several buffers: the trace has those of the first one.
    instruction.mask = lanesWithin(access, buffer->address, buffer->bytes.size());
    instruction.array = static_cast<std::uint8_t>(
        arrayOfBuffer_[static_cast<std::size_t>(buffer - request_.buffers.begin())]);
  } else {
    // Of another block of the cluster: not in this trace.
    if (access.at[firstOf(access.lanes)] >= trace_->sharedBytes) return;
    instruction.mask = lanesWithin(access, 0, trace_->sharedBytes);
    instruction.array = emulator::kFirstShared;
  }
  const std::uint32_t parts = arrays_[instruction.array].parts;
  instruction.parts = parts & 0xF;
  const bool matrix = *kind == Kind::MatrixLoad || *kind == Kind::MatrixStore;
  const std::uint32_t words =
      matrix ? emulator::kRowWords : std::max(1u, access.bytes / kWordBytes);
  instruction.width = static_cast<std::uint8_t>(words);
  instruction.turned = matrix && operation_->transposed;
  Stream& stream = streams_[access.warp];
  instruction.offset = stream.words.used();
  std::uint32_t* const to = stream.words.reserve(segments_, 1 + words * parts);
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    const bool accesses = (instruction.mask >> lane & 1) != 0;
    const std::uint64_t at = accesses ? access.at[lane] - base : 0;
    to[lane] = static_cast<std::uint32_t>(at / kWordBytes) * parts;
    if (*kind != Kind::MatrixStore) continue;
    // The row that the lane names.
    for (std::uint32_t w = 0; w < words; ++w) {
      const WordTags tags =
          accesses ? origins_->sharedAt(at + std::uint64_t{w} * kWordBytes) : WordTags{};
      for (std::uint32_t part = 0; part < parts; ++part)
        to[(1 + w * parts + part) * kLanes + lane] = tags[part];
    }
  }
  if (*kind != Kind::MatrixStore) {
    std::uint32_t* row = to + kLanes;
    for (std::uint32_t w = 0; w < words; ++w) {
      const TagRow& tags = origins_->accessed(w);
      for (const LaneTags* const each : {&tags.low(), &tags.high()}) {
        std::ranges::copy(each->lane, row);
        row += kLanes;
        if (parts == 1) break;
      }
    }
    // Half a word is named in the lower half of its register.
    if (access.bytes < kWordBytes && parts > 1) {
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const bool accesses = (instruction.mask >> lane & 1) != 0;
        if (!accesses || access.at[lane] % kWordBytes < kWordBytes / 2) continue;
        to[2 * kLanes + lane] = to[kLanes + lane];
        to[kLanes + lane] = 0;
      }
    }
  }
  place(instruction, to[kLanes + firstOf(access.lanes)]);
  if (instruction.kTile != emulator::kNoTile) stream.kTile = instruction.kTile;
  stream.instructions.push_back(instruction);
}

void MachineRecorder::see(const BarrierArrival& arrival) {
  if (arrival.issue.block != request_.block || !arrival.waits) return;
  Stream& stream = streams_[arrival.issue.warp];
  const bool whole = arrival.threads == 0 || arrival.threads >= streams_.size() * kLanes;
  Instruction instruction =
      made(whole ? Kind::Barrier : Kind::Meet, arrival.issue.number, kAllLanes);
  instruction.kTile = stream.kTile;
  instruction.offset = stream.words.used();
  if (!whole) {
    std::uint32_t* const to = stream.words.reserve(segments_, 2);
    std::fill_n(to, kLanes, arrival.barrier);
    std::fill_n(to + kLanes, kLanes, arrival.threads);
  }
  stream.instructions.push_back(instruction);
  if (whole) flush(arrival.issue.warp);
}

void MachineRecorder::see(const CopyStep& step) {
  if (step.issue.block != request_.block) return;
  Instruction instruction =
      made(step.waits ? Kind::CopyWait : Kind::CopyCommit, step.issue.number, step.lanes);
  instruction.width = static_cast<std::uint8_t>(std::min(step.newest, 255u));
  instruction.kTile = streams_[step.issue.warp].kTile;
  instruction.offset = streams_[step.issue.warp].words.used();
  streams_[step.issue.warp].instructions.push_back(instruction);
}

}  // namespace tileloom::executor::recorded
