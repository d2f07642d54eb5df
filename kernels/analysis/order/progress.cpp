// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/progress.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/memory/boxes.h"
#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;
using emulator::WarpInterval;

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

}  // namespace

Progress::Divider::Divider(std::uint32_t by)
    : by_(by), shift_(std::has_single_bit(by) ? std::countr_zero(by) : -1) {}

Progress::Progress(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), barriers_(recording_->trace) {
  const emulator::Trace& trace = recording_->trace;
  const BlockMap& map = recording_->map;
  sharedTiles_ = trace.features().sharedTiles;
  if (!map.tileA.empty()) a_.first = map.tileA.front();
  if (!map.tileB.empty()) b_.first = map.tileB.front();
  a_.columns = Divider(trace.arrays[emulator::kArrayA].columns);
  b_.columns = Divider(trace.arrays[emulator::kArrayB].columns);
  stepK_ = Divider(trace.stepK);
  a_.uses = static_cast<std::uint32_t>(map.c.columns);
  b_.uses = static_cast<std::uint32_t>(map.c.rows);
  const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
  slots_.resize(trace.threads);
  for (std::uint32_t thread = 0; thread < trace.threads; ++thread) {
    for (std::uint32_t slot = 0; slot < trace.accumulators(thread); ++slot) {
      const std::uint32_t c = trace.accumulatorElement(thread, slot);
      const std::int64_t row = c / columns - map.c.row, column = c % columns - map.c.column;
      const bool stored = c != emulator::Trace::kNoElement;
      slots_[thread].push_back(stored ? static_cast<std::uint32_t>(row * map.c.columns + column)
                                      : kNone);
      owned_ += stored ? 1 : 0;
    }
  }
  restart();
}

void Progress::restart() {
  const auto size = static_cast<std::size_t>(recording_->map.c.rows * recording_->map.c.columns);
  sums_.assign(size, 0);
  sumStamps_.assign(size, 0);
  storeStamps_.assign(size, 0);
  products_ = 0;
  for (Side* side : {&a_, &b_}) {
    side->tiles.clear();
    side->used.clear();
  }
  copies_.assign(recording_->trace.warps, {});
  barriers_ = BarrierReplay(recording_->trace);
  interval_ = done_ = stamp_ = 0;
}

void Progress::goTo(std::uint32_t warp, std::uint32_t index) {
  const emulator::Trace& trace = recording_->trace;
  const emulator::Position to = trace.position(warp, index);
  const std::uint32_t until = to.instruction + 1;
  if (to.interval < interval_ || (to.interval == interval_ && until < done_)) restart();
  while (interval_ < to.interval || done_ < until) {
    const bool whole = interval_ < to.interval;
    const std::uint32_t start = trace.indexOf(warp, {interval_, 0});
    for (std::uint32_t w = 0; w < trace.warps; ++w) {
      const WarpInterval view = trace.at(w, interval_);
      const auto length = static_cast<std::uint32_t>(view.instructions.size());
      const std::uint32_t end = whole ? length : std::min(length, until);
      for (std::uint32_t i = done_; i < end; ++i) execute(view, i, start + i + 1);
      multiply(view, done_, end, start);
    }
    if (!whole) {
      done_ = until;
      break;
    }
    ++interval_;
    done_ = 0;
  }
  stamp_ = index + 1;
}

bool Progress::placeOf(Provenance what, Side*& side, Place& place) {
  if (!what.isElement() || what.source() == Provenance::Source::C) return false;
  const bool isA = what.source() == Provenance::Source::A;
  side = isA ? &a_ : &b_;
  const Region& first = side->first;
  const std::uint32_t row = side->columns.quotient(what.index());
  const std::uint32_t column = side->columns.rest(what.index());
  const std::uint32_t along = isA ? column : row;
  const std::int64_t across = isA ? row - first.row : column - first.column;
  if (across < 0 || across >= (isA ? first.rows : first.columns)) return false;
  place.tile = stepK_.quotient(along);
  const std::int64_t k = stepK_.rest(along);
  place.element = static_cast<std::size_t>(isA ? across * recording_->trace.stepK + k
                                               : k * first.columns + across);
  if (place.tile >= side->tiles.size() || side->tiles[place.tile].states.empty())
    beginTile(*side, place.tile);
  return true;
}

void Progress::beginTile(Side& side, std::uint32_t number) const {
  if (number >= side.tiles.size()) {
    side.tiles.resize(number + 1);
    side.used.resize(number + 1);
  }
  const std::int64_t across = &side == &a_ ? side.first.rows : side.first.columns;
  const auto size = static_cast<std::size_t>(across * recording_->trace.stepK);
  side.tiles[number].states.assign(size, DataState::NotAsked);
  side.tiles[number].stamps.assign(size, 0);
  side.used[number].assign(size, 0);
}

// States only advance: an element that is requested again, for another warp, keeps its state.
void Progress::reach(Provenance what, DataState state, std::uint32_t stamp) {
  Side* side = nullptr;
  Place place;
  if (!placeOf(what, side, place)) return;
  TileProgress& tile = side->tiles[place.tile];
  if (tile.states[place.element] >= state) return;
  tile.states[place.element] = state;
  tile.stamps[place.element] = stamp;
}

// An element is consumed when it has been used as often as the block needs it.
void Progress::enter(Uses& uses) {
  Side* side = nullptr;
  Place place;
  if (uses.count > 0 && placeOf(uses.what, side, place)) {
    std::uint16_t& count = side->used[place.tile][place.element];
    const bool before = count < side->uses;
    count = static_cast<std::uint16_t>(count + uses.count);
    if (before && count >= side->uses) {
      TileProgress& tile = side->tiles[place.tile];
      tile.states[place.element] = DataState::Consumed;
      tile.stamps[place.element] = uses.stamp;
    }
  }
  uses = {};
}

// Lane by lane, in the order of the payloads in memory: this takes most of a replay. Only the order
// of a lane's own products matters, because a sum belongs to one lane, and a load does not undo a
// consumption.
void Progress::multiply(const WarpInterval& view, std::uint32_t begin, std::uint32_t end,
                        std::uint32_t start) {
  fmas_.clear();
  alike_.clear();
  std::uint32_t inAll = ~0u;  // lanes that have every one of these products
  for (std::uint32_t i = begin; i < end; ++i) {
    const Instruction& instruction = view.instructions[i];
    if (instruction.kind != Kind::Fma) continue;
    fmas_.push_back({i, instruction.offset, instruction.mask, start + i + 1});
    alike_.push_back({instruction.offset, start + i + 1});
    inAll &= instruction.mask;
  }
  if (fmas_.empty()) return;
  const auto wordsOf = [&view](std::uint32_t lane) {
    return view.words + std::size_t{lane} * view.stride;
  };
  if (view.laneOffsets != nullptr) inAll = 0;
  if (inAll != 0) pattern_.read(alike_, wordsOf(firstLane(inAll)));
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::size_t thread = std::size_t{view.warp} * emulator::kWarpSize + lane;
    if (thread >= slots_.size()) break;
    const std::span<const std::uint32_t> slots = slots_[thread];
    const std::uint32_t* const mine = wordsOf(lane);
    const auto owned = [&](const ProductPattern::Sum& sum) {
      return sum.slot < slots.size() && slots[sum.slot] != kNone;
    };
    const bool alike = (inAll >> lane & 1u) != 0 && pattern_.holds(mine) &&
                       std::ranges::all_of(pattern_.sums(), owned);
    if (alike) {
      multiplyAlike(slots, mine);
    } else {
      multiplyEach(view, lane, slots, mine);
    }
  }
}

void Progress::multiplyAlike(std::span<const std::uint32_t> slots, const std::uint32_t* mine) {
  for (const ProductPattern::Sum& sum : pattern_.sums()) {
    const std::uint32_t at = slots[sum.slot];
    sums_[at] += sum.count;
    sumStamps_[at] = sum.stamp;
  }
  products_ += alike_.size();
  for (const ProductPattern::Factor& factor : pattern_.factors()) {
    Uses uses{Provenance(mine[factor.offset]), factor.count, factor.stamp};
    enter(uses);
  }
}

void Progress::multiplyEach(const WarpInterval& view, std::uint32_t lane,
                            std::span<const std::uint32_t> slots, const std::uint32_t* mine) {
  const auto use = [this](Provenance what, std::uint32_t stamp, Uses& uses) {
    if (uses.what != what) {
      enter(uses);
      uses.what = what;
    }
    ++uses.count;
    uses.stamp = stamp;
  };
  // Consecutive multiply-adds have the same element of A or one of a few elements of B: a fragment
  // has neighbouring columns, which differ in the low bits of their numbers.
  Uses left;
  std::array<Uses, 64> right;
  for (const Product& fma : fmas_) {
    if ((fma.mask >> lane & 1u) == 0) continue;
    const std::uint32_t* words =
        view.laneOffsets == nullptr ? mine + fma.offset : view.payload(fma.instruction, lane);
    const Provenance a(words[0]), b(words[1]), sum(words[2]);
    // Not the final scaling of the sums.
    if (!a.isElement() || !b.isElement() || !sum.isAccumulator()) continue;
    const std::uint32_t at = sum.slot() < slots.size() ? slots[sum.slot()] : kNone;
    if (at == kNone) continue;
    ++sums_[at];
    sumStamps_[at] = fma.stamp;
    ++products_;
    use(a, fma.stamp, left);
    use(b, fma.stamp, right[b.index() % right.size()]);
  }
  enter(left);
  for (Uses& uses : right) enter(uses);
}

void Progress::multiplyWide(const WarpInterval& view, std::uint32_t instruction,
                            std::uint32_t stamp) {
  using namespace emulator;
  const MmaRow& mma = view.instructions[instruction].mma();
  const std::uint32_t ofA = mma.laneA(), factors = ofA + mma.laneB();
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t* words = view.payload(instruction, lane);
    // An element of A is multiplied by a row of B, one of B by a column of A.
    for (std::uint32_t i = 0; i < factors; ++i) {
      Uses uses{Provenance(words[i]), i < ofA ? mma.columns : mma.rows, stamp};
      enter(uses);
    }
    const std::span<const std::uint32_t> slots = slots_[view.warp * kWarpSize + lane];
    for (std::uint32_t i = 0; i < mma.laneC(); ++i) {
      const Provenance sum(words[factors + i]);
      const std::uint32_t at = sum.slot() < slots.size() ? slots[sum.slot()] : kNone;
      if (!sum.isAccumulator() || at == kNone) continue;
      sums_[at] += mma.depth;
      sumStamps_[at] = stamp;
      products_ += mma.depth;
    }
  }
}

void Progress::multiplyGroup(const WarpInterval& view, std::uint32_t instruction,
                             std::uint32_t stamp) {
  using namespace emulator;
  const ProductRecord& product =
      recording_->trace.products[view.warp][view.payload(instruction, 0)[0]];
  if (product.factorsA == nullptr || product.factorsB == nullptr) return;
  const std::vector<Provenance>&a = *product.factorsA, &b = *product.factorsB;
  // Elements outside a matrix add no products.
  const auto inside = [](const std::vector<Provenance>& list, std::size_t first, std::size_t step,
                         std::size_t count) {
    std::uint32_t known = 0;
    for (std::size_t i = 0; i < count; ++i) known += list[first + i * step].isElement() ? 1 : 0;
    return known;
  };
  const std::uint32_t along = view.instructions[instruction].mma().depth;
  const std::uint32_t rows = inside(a, 0, along, a.size() / along);
  const std::uint32_t columns = inside(b, 0, 1, product.columns);
  const std::uint32_t depth = inside(a, 0, 1, along);
  for (const Provenance what : a) {
    Uses uses{what, columns, stamp};
    enter(uses);
  }
  for (const Provenance what : b) {
    Uses uses{what, rows, stamp};
    enter(uses);
  }
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::span<const std::uint32_t> slots = slots_[view.warp * kWarpSize + lane];
    const std::size_t end =
        std::min<std::size_t>(slots.size(), product.number + product.columns / 2);
    for (std::size_t slot = product.number; slot < end; ++slot) {
      const std::uint32_t at = slots[slot];
      if (at == kNone) continue;
      sums_[at] += depth;
      sumStamps_[at] = stamp;
      products_ += depth;
    }
  }
}

void Progress::store(const WarpInterval& view, std::uint32_t instruction, std::uint32_t stamp) {
  const Instruction& i = view.instructions[instruction];
  if (i.array != emulator::kArrayC) return;
  const Region& c = recording_->map.c;
  const std::int64_t columns = recording_->trace.arrays[emulator::kArrayC].columns;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((i.mask >> lane & 1u) == 0) continue;
    const std::int64_t first = view.payload(instruction, lane)[0];
    for (std::int64_t at = first; at < first + i.elements(); ++at) {
      const std::int64_t row = at / columns - c.row, column = at % columns - c.column;
      storeStamps_[static_cast<std::size_t>(row * c.columns + column)] = stamp;
    }
  }
}

void Progress::storeBox(const WarpInterval& view, std::uint32_t instruction, std::uint32_t stamp) {
  const auto lane = firstLane(view.instructions[instruction].mask);
  const std::uint32_t number = view.payload(instruction, lane)[1];
  if (number >= recording_->trace.boxStores.size()) return;
  const Region& c = recording_->map.c;
  forEachStored(
      recording_->trace, recording_->trace.boxStores[number],
      [&](std::int64_t row, std::int64_t column, Provenance) {
        if (c.contains(row, column))
          storeStamps_[static_cast<std::size_t>((row - c.row) * c.columns + column - c.column)] =
              stamp;
      });
}

void Progress::execute(const WarpInterval& view, std::uint32_t i, std::uint32_t stamp) {
  const Instruction& instruction = view.instructions[i];
  Copies& copies = copies_[view.warp];
  const auto eachWord = [&](auto&& act) {
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((instruction.mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(i, lane);
      for (std::uint32_t w = 0; w < instruction.elements(); ++w) act(Provenance(words[1 + w]));
    }
  };
  const std::span<const std::uint32_t> seen = barriers_.execute(view, i);
  const auto asked = [&](std::uint32_t box) {
    forEachElement(recording_->trace, recording_->trace.boxes[box],
                   [&](std::uint32_t, Provenance p) { reach(p, DataState::InFlight, stamp); });
  };
  // The other block of a cluster also loads parts of a K tile for this one.
  for (const std::uint32_t box : barriers_.askedByOthers()) asked(box);
  if (instruction.kind == Kind::BoxLoad) {
    const std::uint32_t lane = firstLane(instruction.mask);
    asked(view.payload(i, lane)[1]);
  }
  for (const std::uint32_t box : seen) {
    forEachElement(recording_->trace, recording_->trace.boxes[box],
                   [&](std::uint32_t, Provenance p) { reach(p, DataState::InShared, stamp); });
  }
  switch (instruction.kind) {
    case Kind::Mma:
      return multiplyWide(view, i, stamp);
    case Kind::Product:
      return multiplyGroup(view, i, stamp);
    case Kind::GlobalStore:
      return store(view, i, stamp);
    case Kind::BoxStore:
      return storeBox(view, i, stamp);
    case Kind::GlobalLoad:
      return eachWord([&](Provenance p) {
        reach(p, sharedTiles_ ? DataState::InFlight : DataState::InRegisters, stamp);
      });
    case Kind::SharedStore:
    case Kind::MatrixStore:
      return eachWord([&](Provenance p) { reach(p, DataState::InShared, stamp); });
    case Kind::SharedLoad:
    case Kind::MatrixLoad:
      return eachWord([&](Provenance p) { reach(p, DataState::InRegisters, stamp); });
    case Kind::AsyncCopy:
      return eachWord([&](Provenance p) {
        reach(p, DataState::InFlight, stamp);
        copies.words.push_back(p);
      });
    case Kind::CopyCommit:
      copies.groups.push_back(copies.words.size());
      return;
    case Kind::CopyWait: {
      if (copies.groups.size() <= instruction.width) return;
      const auto arrived = copies.groups.end() - instruction.width;
      const auto count = static_cast<std::ptrdiff_t>(*(arrived - 1));
      for (std::ptrdiff_t c = 0; c < count; ++c)
        reach(copies.words[static_cast<std::size_t>(c)], DataState::InShared, stamp);
      copies.words.erase(copies.words.begin(), copies.words.begin() + count);
      copies.groups.erase(copies.groups.begin(), arrived);
      for (std::size_t& end : copies.groups) end -= static_cast<std::size_t>(count);
      return;
    }
    default:
      return;
  }
}

std::uint32_t Progress::fewestProducts() const {
  std::uint32_t fewest = kNone;
  for (const auto& slots : slots_) {
    for (const std::uint32_t at : slots) {
      if (at != kNone) fewest = std::min(fewest, sums_[at]);
    }
  }
  return fewest == kNone ? 0 : fewest;
}

const TileProgress* Progress::tile(Matrix matrix, std::uint32_t tile) const {
  const Side& side = matrix == Matrix::A ? a_ : b_;
  return tile < side.tiles.size() && !side.tiles[tile].states.empty() ? &side.tiles[tile] : nullptr;
}

std::uint64_t Progress::reached(std::uint32_t number, DataState state) const {
  std::uint64_t count = 0;
  for (const Matrix m : {Matrix::A, Matrix::B}) {
    const TileProgress* t = tile(m, number);
    if (t == nullptr) continue;
    count += static_cast<std::uint64_t>(
        std::ranges::count_if(t->states, [state](DataState s) { return s >= state; }));
  }
  return count;
}

std::uint64_t Progress::elementsOf(std::uint32_t tile) const {
  const emulator::Trace& trace = recording_->trace;
  const Problem& p = trace.problem;
  const std::int64_t step = trace.stepK;
  const std::int64_t rows = std::min<std::int64_t>(a_.first.rows, p.m - a_.first.row);
  const std::int64_t columns = std::min<std::int64_t>(b_.first.columns, p.n - b_.first.column);
  const std::int64_t depth = std::min(step, p.k - tile * step);
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, rows + columns) *
                                    std::max<std::int64_t>(0, depth));
}

std::uint32_t tilesUnderWay(const emulator::Trace& trace) {
  // With warp specialisation, the producer multiplies nothing and runs ahead up to the depth of the
  // pipeline.
  if (trace.features().roles)
    return std::max(1u, static_cast<std::uint32_t>(trace.tile[Parameter::STAGES]));
  // Otherwise one lane of one warp is enough: every thread of a block takes part in each K tile.
  std::uint32_t most = 1, now = 0;
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    if (trace.length(warp) == 0) continue;
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      const WarpInterval view = trace.at(warp, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        if (instruction.kTile != emulator::kNoTile) now = instruction.kTile;
        const bool asks =
            instruction.kind == Kind::GlobalLoad || instruction.kind == Kind::AsyncCopy;
        const bool box = instruction.kind == Kind::BoxLoad;
        if ((!asks && !box) || instruction.mask == 0) continue;
        const std::uint32_t lane = firstLane(instruction.mask);
        const std::uint32_t* payload = view.payload(i, lane);
        std::uint32_t tile = 0;
        if (box) {
          if (payload[1] >= trace.boxes.size()) continue;
          const emulator::BoxRecord& record = trace.boxes[payload[1]];
          const std::int32_t k = record.matrix == emulator::kArrayA ? record.x : record.y;
          tile = static_cast<std::uint32_t>(std::max(0, k)) / trace.stepK;
        } else {
          const Provenance what(payload[1]);
          if (!what.isElement() || what.source() == Provenance::Source::C) continue;
          const bool isA = what.source() == Provenance::Source::A;
          const std::uint32_t columns =
              trace.arrays[isA ? emulator::kArrayA : emulator::kArrayB].columns;
          const std::uint32_t k = isA ? what.index() % columns : what.index() / columns;
          tile = k / trace.stepK;
        }
        if (tile >= now) most = std::max(most, tile - now + 1);
      }
    }
    break;
  }
  return most;
}

}  // namespace tileloom::analysis
