// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/recording.h"

#include <algorithm>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/memory/boxes.h"
#include "kernels/analysis/order/shared_contents.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/emulator/run.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Position;
using emulator::Provenance;
using emulator::WarpInterval;

}  // namespace

Recording::Recording(emulator::Trace recorded)
    : trace(std::move(recorded)), map(blockMap(trace)), plans_(accessesOf(trace)) {
  SplitTotals split = splitTotals(trace, plans_);
  split.outside += split.loop;
  totals_ = std::make_unique<const Totals>(split.outside);
  loop_ = std::make_unique<const Totals>(split.loop);
}

Recording::Recording(emulator::Trace recorded, LoopTotals kTile) : Recording(std::move(recorded)) {
  kTile_ = std::make_unique<const LoopTotals>(kTile);
}

Recording::~Recording() = default;

std::optional<Element> Recording::elementOf(Provenance provenance) const {
  if (!provenance.isElement()) return std::nullopt;
  const auto array = static_cast<std::uint32_t>(provenance.source()) - 1;
  const std::int64_t columns = trace.arrays[array].columns;
  return Element{static_cast<Matrix>(array), provenance.index() / columns,
                 provenance.index() % columns};
}

Moment Recording::moment(std::uint32_t warp, std::uint32_t index) const {
  const Position position = trace.position(warp, index);
  const WarpInterval view = trace.at(warp, position.interval);
  Moment m;
  m.warp = warp;
  m.index = index;
  m.instruction = view.instructions[position.instruction];
  const std::uint32_t mask = m.instruction.mask;

  if (m.instruction.kind == Kind::Fma) {
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(position.instruction, lane);
      for (std::uint32_t w = 0; w < 2; ++w) {
        if (const auto element = elementOf(Provenance(words[w])))
          m.touches.push_back({lane, w, *element});
      }
      const std::uint32_t c =
          trace.accumulatorElement(warp * emulator::kWarpSize + lane, Provenance(words[2]).slot());
      if (c == emulator::Trace::kNoElement) continue;
      const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
      m.touches.push_back({lane, 2, {Matrix::C, c / columns, c % columns}});
    }
    return m;
  }
  if (m.instruction.kind == Kind::Mma) {
    // A word of a lane is one of its registers: of A, of B, then its sums.
    const MmaRow& mma = m.instruction.mma();
    const std::uint32_t factors = mma.laneA() + mma.laneB(), parts = mma.elementsPerRegister();
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      const std::uint32_t* words = view.payload(position.instruction, lane);
      for (std::uint32_t i = 0; i < factors; ++i) {
        if (const auto element = elementOf(Provenance(words[i])))
          m.touches.push_back({lane, i / parts, *element});
      }
      for (std::uint32_t i = 0; i < mma.laneC(); ++i) {
        const std::uint32_t c = trace.accumulatorElement(warp * emulator::kWarpSize + lane,
                                                         Provenance(words[factors + i]).slot());
        if (c == emulator::Trace::kNoElement) continue;
        const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
        m.touches.push_back({lane, factors / parts + i, {Matrix::C, c / columns, c % columns}});
      }
    }
    return m;
  }
  if (m.instruction.kind == Kind::Product) {
    touchProduct(m, view.payload(position.instruction, 0)[0]);
    return m;
  }
  if (m.instruction.kind == Kind::BoxLoad) {
    m.array = trace.arrays[m.instruction.array].name;
    const std::uint32_t lane = firstLane(mask);
    const std::uint32_t box = view.payload(position.instruction, lane)[1];
    if (box >= trace.boxes.size()) return m;
    m.box = trace.boxes[box];
    std::uint32_t word = 0;
    forEachElement(trace, trace.boxes[box], [&](std::uint32_t, Provenance what) {
      if (const auto element = elementOf(what)) m.touches.push_back({lane, word, *element});
      ++word;
    });
    return m;
  }
  if (m.instruction.kind == Kind::BoxStore) {
    m.array = trace.arrays[m.instruction.array].name;
    const std::uint32_t lane = firstLane(mask);
    const std::uint32_t store = view.payload(position.instruction, lane)[1];
    if (store >= trace.boxStores.size()) return m;
    m.box = trace.boxStores[store].box;
    std::uint32_t word = 0;
    forEachStored(trace, trace.boxStores[store],
                  [&](std::int64_t row, std::int64_t column, Provenance) {
                    m.touches.push_back({lane, word++, {Matrix::C, row, column}});
                  });
    return m;
  }
  if (!emulator::isMemory(m.instruction.kind)) return m;

  const IntervalAccesses& plan = *plans_[position.interval][warp];
  const Access& access = plan.accesses[plan.accessOf[position.instruction]];
  m.array = trace.arrays[m.instruction.array].name;
  m.width = access.width;
  m.merged = access.merged;
  m.follower = access.first != position.instruction;
  m.cost = accessCost(trace, view, access);
  if (m.instruction.kind == Kind::MatrixLoad) {
    // The row that a lane names goes to several lanes.
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      for (std::uint32_t i = 0; i < m.instruction.elements(); ++i) {
        const auto to =
            emulator::receivedAs(lane, i, m.instruction.turned != 0, m.instruction.parts);
        const Provenance held(view.payload(position.instruction, to.lane)[1 + to.value]);
        if (const auto element = elementOf(held))
          m.touches.push_back({lane, i / m.instruction.parts, *element});
      }
    }
    return m;
  }
  // A merged access touches the elements of all its parts, which have ascending addresses.
  for (std::uint32_t part = 0; part < view.instructions.size(); ++part) {
    if (plan.accessOf[part] != plan.accessOf[position.instruction]) continue;
    const Instruction& piece = view.instructions[part];
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(part, lane);
      const std::uint32_t shift =
          words[0] / piece.parts + trace.arrays[piece.array].base - m.cost.addresses[lane];
      for (std::uint32_t w = 0; w < piece.elements(); ++w) {
        const std::uint32_t word = shift + w / piece.parts;
        if (emulator::isGlobal(piece.kind)) {
          const std::int64_t columns = trace.arrays[piece.array].columns;
          const std::int64_t at = words[0] + w;
          m.touches.push_back(
              {lane, word, {static_cast<Matrix>(piece.array), at / columns, at % columns}});
        } else if (const auto element = elementOf(Provenance(words[1 + w]))) {
          m.touches.push_back({lane, word, *element});
        }
      }
    }
  }
  return m;
}

// An element of A belongs to the first lane that has a sum in its row, one of B to the first with
// one in its column: no lane holds the factors themselves.
void Recording::touchProduct(Moment& m, std::uint32_t number) const {
  const emulator::ProductRecord& product = trace.products[m.warp][number];
  if (product.factorsA == nullptr || product.factorsB == nullptr) return;
  for (std::uint32_t i = 0; i < product.factorsA->size(); ++i) {
    const std::uint32_t row = i / m.instruction.mma().depth;
    if (const auto element = elementOf((*product.factorsA)[i]))
      m.touches.push_back({row % 8 * 4, 0, *element});
  }
  for (std::uint32_t i = 0; i < product.factorsB->size(); ++i) {
    const std::uint32_t column = i % product.columns;
    if (const auto element = elementOf((*product.factorsB)[i]))
      m.touches.push_back({column % 8 / 2, 1, *element});
  }
  const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    for (std::uint32_t i = 0; i < product.columns / 2; ++i) {
      const std::uint32_t c =
          trace.accumulatorElement(m.warp * emulator::kWarpSize + lane, product.number + i);
      if (c == emulator::Trace::kNoElement) continue;
      m.touches.push_back({lane, 2 + i, {Matrix::C, c / columns, c % columns}});
    }
  }
}

std::optional<std::uint32_t> Recording::lastAccess(std::uint32_t warp, std::uint32_t index) const {
  Position position = trace.position(warp, index);
  std::uint32_t end = position.instruction + 1;
  for (std::uint32_t interval = position.interval + 1; interval-- > 0;) {
    const auto instructions = trace.at(warp, interval).instructions;
    if (interval != position.interval) end = static_cast<std::uint32_t>(instructions.size());
    for (std::uint32_t i = end; i-- > 0;) {
      const Kind kind = instructions[i].kind;
      if (trace.sharedBytes > 0 ? emulator::isShared(kind) : emulator::isMemory(kind)) {
        return trace.indexOf(warp, {interval, i});
      }
    }
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Recording::find(std::uint32_t warp, std::uint32_t kTile,
                                             std::uint16_t dot) const {
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const auto instructions = trace.at(warp, interval).instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      if (instructions[i].kTile != kTile) continue;
      if (dot == emulator::kNoDot || instructions[i].dot == dot) {
        return trace.indexOf(warp, {interval, i});
      }
    }
  }
  return std::nullopt;
}

std::vector<Provenance> Recording::contents(std::uint32_t array, std::uint32_t warp,
                                            std::uint32_t index) const {
  return sharedContents(trace, array, warp, index);
}

std::optional<SharedWord> Recording::wordOf(const Element& element, std::uint32_t warp,
                                            std::uint32_t index) const {
  for (std::uint32_t array = emulator::kFirstShared; array < trace.arrays.size(); ++array) {
    const auto words = contents(array, warp, index);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      if (words[i].known() && elementOf(words[i]) == element) return SharedWord{array, i};
    }
  }
  return std::nullopt;
}

LoopTotals loopTotals(const Recording& recording) {
  if (recording.kTile() != nullptr) return *recording.kTile();
  return {recording.loop(), {}, std::max(1u, recording.trace.kTilesTraced)};
}

std::shared_ptr<const Recording> record(emulator::Workspace& workspace,
                                        const emulator::TraceRequest& request) {
  const LoopTotals kTile = traceLoop(workspace, request, request.problem);
  return std::make_shared<const Recording>(emulator::traceBlock(workspace, request), kTile);
}

}  // namespace tileloom::analysis
