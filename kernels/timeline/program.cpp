// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/program.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/boxes.h"
#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/merging.h"
#include "kernels/analysis/tensor/product_cost.h"
#include "kernels/tile/derived.h"

namespace tileloom::timeline {
namespace {

using analysis::Access;
using analysis::AccessCost;
using analysis::Matrix;
using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;
using emulator::Trace;
using emulator::WarpInterval;

// Loads of a fill that are in flight together before the first of their values is stored: enough to
// fill 16 registers of a thread. The recorded listings have 2 to 5 loads of 16 bytes.
constexpr std::uint32_t kBatchWords = 16;

class Builder {
 public:
  Builder(const Trace& trace, std::uint32_t warp) : trace_(trace), warp_(warp) {
    program_.byInstruction.assign(trace.length(warp), kNone);
    for (auto& loads : bringing_) loads.assign(std::size_t{trace.kTiles + 1} * trace.stepK, kNone);
  }

  Program build(const analysis::BlockAccesses& plans) {
    for (std::uint32_t interval = 0; interval < trace_.intervals(); ++interval) {
      view_ = trace_.at(warp_, interval);
      plan_ = plans[interval][warp_].get();
      base_ = trace_.indexOf(warp_, {interval, 0});
      for (std::uint32_t i = 0; i < view_.instructions.size(); ++i) add(i);
      storeDeferred();
    }
    // Instructions that were merged into another one, or follow the run that they belong to.
    std::uint32_t last = program_.operations.empty() ? kNone : 0;
    for (std::uint32_t& of : program_.byInstruction) {
      if (of == kNone) of = last;
      last = of;
    }
    nameTilesOfC();
    return std::move(program_);
  }

 private:
  // A warp stores the same amount of each block tile, one after the other, even if a tile is stored
  // while the next one is computed.
  void nameTilesOfC() {
    const auto stores = [](const Operation& op) {
      return op.work == Work::Store || op.work == Work::BoxStore;
    };
    auto& all = program_.operations;
    const auto each = static_cast<std::uint32_t>(std::ranges::count_if(all, stores)) /
                      std::max(1u, trace_.walked);
    std::uint32_t number = 0;
    for (Operation& op : all) {
      if (each > 0 && stores(op)) op.object = number++ / each;
    }
  }

  std::uint32_t emit(Operation operation, std::uint32_t i) {
    const Instruction& instruction = view_.instructions[i];
    operation.line = instruction.line;
    operation.kTile = instruction.kTile;
    operation.dot = instruction.dot;
    operation.first = base_ + i;
    const auto index = static_cast<std::uint32_t>(program_.operations.size());
    program_.byInstruction[operation.first] = index;
    program_.operations.push_back(operation);
    return index;
  }

  void add(std::uint32_t i) {
    const Instruction& instruction = view_.instructions[i];
    const bool memory = emulator::isMemory(instruction.kind);
    if (memory && plan_->accesses[plan_->accessOf[i]].first != i) {
      // Merged into an earlier load, which also brings its elements.
      program_.byInstruction[base_ + i] =
          program_.byInstruction[base_ + plan_->accesses[plan_->accessOf[i]].first];
      return;
    }
    if (instruction.kind == Kind::SharedStore && loadFollows(i)) {
      deferred_.push_back(i);
      return;
    }
    const bool fetch =
        instruction.kind == Kind::GlobalLoad && tiled() && instruction.array != emulator::kArrayC;
    if (fetch && batch_ + instruction.width > kBatchWords) storeDeferred();
    if (fetch) {
      batch_ += instruction.width;
    } else if (instruction.kind != Kind::AsyncCopy) {
      storeDeferred();
    }
    if (memory) {
      access(i);
    } else {
      other(i);
    }
  }

  bool tiled() const { return trace_.features().sharedTiles; }

  // Whether another load from global memory follows this store, with only stores and loads of the
  // same fill between.
  bool loadFollows(std::uint32_t i) const {
    if (batch_ == 0 || batch_ >= kBatchWords) return false;
    for (std::uint32_t j = i + 1; j < view_.instructions.size(); ++j) {
      const Instruction& next = view_.instructions[j];
      if (next.kind == Kind::GlobalLoad && next.array != emulator::kArrayC)
        return batch_ + next.width <= kBatchWords;
      if (next.kind != Kind::SharedStore && next.kind != Kind::AsyncCopy) return false;
    }
    return false;
  }

  void storeDeferred() {
    for (const std::uint32_t i : deferred_) access(i);
    deferred_.clear();
    batch_ = 0;
  }

  // What the first active lane moves with instruction i, one provenance per element.
  std::span<const std::uint32_t> moved(std::uint32_t i) const {
    const Instruction& instruction = view_.instructions[i];
    if (instruction.mask == 0) return {};
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(instruction.mask));
    return {view_.payload(i, lane) + 1, instruction.elements()};
  }

  // The element of K that an element of A or B belongs to.
  std::uint32_t kOf(Provenance p) const {
    return p.source() == Provenance::Source::A
               ? p.index() % static_cast<std::uint32_t>(trace_.problem.k)
               : p.index() / static_cast<std::uint32_t>(trace_.problem.n);
  }
  static bool ofAB(Provenance p) {
    return p.source() == Provenance::Source::A || p.source() == Provenance::Source::B;
  }
  static std::size_t sideOf(Provenance p) { return p.source() == Provenance::Source::B ? 1 : 0; }

  void remember(std::span<const std::uint32_t> elements, std::uint32_t operation) {
    for (const std::uint32_t bits : elements) {
      const Provenance p(bits);
      if (!ofAB(p)) continue;
      auto& loads = bringing_[sideOf(p)];
      if (const std::uint32_t k = kOf(p); k < loads.size()) loads[k] = operation;
    }
  }

  void access(std::uint32_t i) {
    const Instruction& instruction = view_.instructions[i];
    const std::uint32_t number = plan_->accessOf[i];
    const Access& access = plan_->accesses[number];
    const AccessCost cost = analysis::accessCost(trace_, view_, access);
    Operation op;
    const std::span<const std::uint32_t> elements = moved(i);
    const Provenance element(elements.empty() ? 0 : elements.front());
    if (ofAB(element)) {
      op.matrix = sideOf(element) == 0 ? Matrix::A : Matrix::B;
      op.brings = kOf(element) / trace_.stepK;
    } else {
      op.matrix = Matrix::C;
    }
    op.wavefronts = cost.wavefronts();
    op.sectors = cost.global.sectors;
    op.bytes = cost.global.fetchedBytes();
    switch (instruction.kind) {
      case Kind::GlobalLoad: {
        op.work = Work::Load;
        if (!tiled()) {  // all goes through L1
          op.wavefronts = cost.global.passes();
          op.sectors = 0;
        }
        const std::uint32_t index = emit(op, i);
        for (const std::uint32_t bits : elements) loadOf_[bits] = index;
        if (!tiled()) remember(elements, index);
        if (op.matrix == Matrix::C || instruction.array == emulator::kArrayC) lastOfC_ = index;
        return;
      }
      case Kind::AsyncCopy:
        op.work = Work::Copy;
        emit(op, i);
        return;
      case Kind::SharedStore:
      case Kind::MatrixStore:
        op.work = Work::Fill;
        if (op.matrix == Matrix::C && instruction.parts == 2) convert(i, instruction.width);
        if (const auto load = loadOf_.find(element.bits());
            ofAB(element) && load != loadOf_.end()) {
          op.needs[0] = load->second;
        } else {
          op.needs[0] = lastProduct_;
        }
        emit(op, i);
        return;
      case Kind::GlobalStore:
        op.work = Work::Store;
        op.matrix = Matrix::C;
        op.sectors = cost.global.sectors;
        op.needs = {lastProduct_, lastShared_, kNone};
        emit(op, i);
        return;
      default: {  // from shared memory
        op.work = Work::Fragments;
        const std::uint32_t index = emit(op, i);
        lastShared_ = index;
        if (access.merged > 1) {
          for (std::uint32_t j = i; j < view_.instructions.size(); ++j) {
            if (plan_->accessOf[j] == number) remember(moved(j), index);
          }
        } else {
          remember(elements, index);
        }
        return;
      }
    }
  }

  // One instruction for each pair of accumulators. It moves no data, so no recording has it. It
  // precedes the store of the pair, or, if the last wgmma of a tile is waited for after the loop
  // over K, it follows that wait: the accumulators are soon those of the next tile.
  void convert(std::uint32_t i, std::uint32_t pairs) {
    if (conversions_ != kNone) {
      program_.operations[conversions_].issues += pairs;
      return;
    }
    emitConversions(pairs, view_.instructions[i].line);
  }
  void emitConversions(std::uint32_t pairs, std::uint16_t line) {
    Operation op;
    op.work = Work::Convert;
    op.matrix = Matrix::C;
    op.line = line;
    op.count = 0;
    op.issues = pairs;
    program_.operations.push_back(op);
  }

  std::uint32_t bringerOf(std::size_t side, const Instruction& i) const {
    if (i.kTile == emulator::kNoTile || i.dot == emulator::kNoDot) return kNone;
    const std::size_t k = std::size_t{i.kTile} * trace_.stepK + i.dot;
    return k < bringing_[side].size() ? bringing_[side][k] : kNone;
  }

  void other(std::uint32_t i) {
    const Instruction& instruction = view_.instructions[i];
    Operation op;
    switch (instruction.kind) {
      case Kind::Fma:
        multiply(i);
        return;
      case Kind::Mma:
        op.work = Work::Mma;
        op.needs = {bringerOf(0, instruction), bringerOf(1, instruction), kNone};
        lastProduct_ = emit(op, i);
        return;
      case Kind::ClusterMeet:
        // Lanes without work come first, and the warp arrives with the last one.
        met_ |= instruction.mask;
        if (met_ != 0xFFFFFFFF) break;
        met_ = 0;
        op.work = Work::Barrier;
        break;
      case Kind::Barrier:
        op.work = Work::Barrier;
        break;
      case Kind::CopyCommit:
        op.work = Work::CommitCopies;
        break;
      case Kind::CopyWait:
        op.work = Work::WaitCopies;
        op.amount = instruction.width;
        break;
      case Kind::CommitProducts:
        op.work = Work::CommitProducts;
        break;
      case Kind::WaitProducts:
        op.work = Work::WaitProducts;
        op.amount = instruction.width;
        if (instruction.kTile != emulator::kNoTile) break;
        emit(op, i);
        conversions_ = static_cast<std::uint32_t>(program_.operations.size());
        emitConversions(0, 0);
        return;
      case Kind::Product:
        op.work = Work::Product;
        op.amount = trace_.products[warp_][payloadOf(i)[0]].columns;
        op.wavefronts =
            analysis::costOfPart(trace_.products[warp_][payloadOf(i)[0]], warp_).wavefronts;
        lastProduct_ = emit(op, i);
        return;
      case Kind::BarrierStart:
        op.work = Work::StartBarrier;
        op.object = payloadOf(i)[0];
        op.amount = payloadOf(i)[1];
        break;
      case Kind::BarrierExpect:
        op.work = Work::Expect;
        op.object = payloadOf(i)[0];
        op.announced = payloadOf(i)[1];
        break;
      case Kind::BarrierArrive:
        // Blocks of a cluster do the same at the same time: what one does to the others, they do to
        // it. So each lane that arrives anywhere arrives here.
        op.work = Work::Arrive;
        op.object = payloadOf(i)[0];
        op.amount = static_cast<std::uint32_t>(std::popcount(instruction.mask));
        break;
      case Kind::Meet:
        op.work = Work::Meet;
        op.object = payloadOf(i)[0];
        op.amount = payloadOf(i)[1] / emulator::kWarpSize;
        break;
      case Kind::BarrierWait:
        op.work = Work::WaitBarrier;
        op.object = payloadOf(i)[0];
        op.amount = payloadOf(i)[1];
        break;
      case Kind::BoxLoad: {
        const emulator::BoxRecord& box = trace_.boxes[payloadOf(i)[1]];
        const bool ofA = box.matrix == emulator::kArrayA;
        op.work = Work::Box;
        op.matrix = ofA ? Matrix::A : Matrix::B;
        op.brings = static_cast<std::uint32_t>(std::max(0, ofA ? box.x : box.y)) / trace_.stepK +
                    box.walk * trace_.kTilesTraced;
        op.object = box.barrier;
        op.bytes =
            static_cast<std::uint32_t>(analysis::kSectorBytes * analysis::sectorsOf(trace_, box));
        op.announced = box.bytes;
        op.amount = static_cast<std::uint32_t>(std::popcount(box.ranks));  // number of arrivals
        break;
      }
      case Kind::BoxStore: {
        const std::uint32_t number = payloadOf(i)[1];
        op.work = Work::BoxStore;
        op.matrix = Matrix::C;
        if (number < trace_.boxStores.size()) {
          const emulator::BoxRecord& box = trace_.boxStores[number].box;
          op.bytes = box.bytes - box.outsideBytes();
        }
        break;
      }
      case Kind::CommitBoxes:
        op.work = Work::CommitBoxes;
        break;
      case Kind::WaitBoxes:
        op.work = Work::WaitBoxes;
        op.amount = instruction.width;
        break;
      default:
        break;  // an issue slot without visible effect
    }
    emit(op, i);
  }

  // Of the first active lane.
  const std::uint32_t* payloadOf(std::uint32_t i) const {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(view_.instructions[i].mask));
    return view_.payload(i, lane);
  }

  // Consecutive multiply-adds at one k are one operation.
  void multiply(std::uint32_t i) {
    const Instruction& instruction = view_.instructions[i];
    auto& all = program_.operations;
    if (!all.empty()) {
      Operation& last = all.back();
      if (last.work == Work::Multiply && last.kTile == instruction.kTile &&
          last.dot == instruction.dot && last.line == instruction.line &&
          last.first + last.count == base_ + i) {
        ++last.count;
        ++last.issues;
        program_.byInstruction[base_ + i] = static_cast<std::uint32_t>(all.size() - 1);
        return;
      }
    }
    Operation op;
    op.work = Work::Multiply;
    op.needs = {bringerOf(0, instruction), bringerOf(1, instruction), kNone};
    if (instruction.kTile == emulator::kNoTile) op.needs[2] = lastOfC_;
    lastProduct_ = emit(op, i);
  }

  const Trace& trace_;
  std::uint32_t warp_;
  WarpInterval view_;
  const analysis::IntervalAccesses* plan_ = nullptr;
  std::uint32_t base_ = 0;  // of the interval's instructions among the warp's
  Program program_;
  // [A or B][element of K]: the latest load that brought one of its values to a register.
  std::array<std::vector<std::uint32_t>, 2> bringing_;
  std::unordered_map<std::uint32_t, std::uint32_t> loadOf_;  // by element, of global memory
  std::uint32_t lastOfC_ = kNone, lastProduct_ = kNone, lastShared_ = kNone;
  std::uint32_t conversions_ = kNone;    // the operation that holds those of the latest tile
  std::vector<std::uint32_t> deferred_;  // stores after loads that are issued first
  std::uint32_t batch_ = 0;              // words of these loads
  std::uint32_t met_ = 0;                // lanes that are at a barrier of the cluster
};

}  // namespace

std::uint32_t Program::operationOf(std::uint32_t instruction) const {
  if (byInstruction.empty()) return kNone;
  return byInstruction[std::min<std::size_t>(instruction, byInstruction.size() - 1)];
}

BlockProgram programOf(const Trace& trace) {
  BlockProgram block;
  block.walks = std::max(1u, trace.walked);
  block.kTiles = trace.kTilesTraced * block.walks;
  block.buffers =
      static_cast<std::uint32_t>(std::max(1, derive(*trace.rung(), trace.tile).buffers));
  block.roles = trace.roles;
  const analysis::BlockAccesses plans = analysis::accessesOf(trace);
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp)
    block.warps.push_back(Builder(trace, warp).build(plans));
  return block;
}

std::uint32_t tilesWanted(const Stage& stage, const TileShape& tile, bool varies) {
  constexpr std::uint32_t kFewest = 8, kAfterFilling = 4, kToAverage = 64;
  if (varies) return kToAverage;
  const auto buffers = static_cast<std::uint32_t>(std::max(1, derive(stage, tile).buffers));
  return std::max(kFewest, buffers + kAfterFilling);
}

}  // namespace tileloom::timeline
