// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/stage_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/memory/boxes.h"
#include "kernels/tile/derived.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using emulator::WarpInterval;

namespace {

constexpr std::uint32_t kWarp = emulator::kWarpSize;

bool before(const emulator::Position& a, const emulator::Position& b) {
  return std::pair(a.interval, a.instruction) < std::pair(b.interval, b.instruction);
}

}  // namespace

bool hasRing(const Stage& stage, const TileShape& tile) {
  return derive(stage, tile).buffers > 1 || stage.features().tma;
}

StageRing::StageRing(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), barriers_(recording_->trace) {
  const emulator::Trace& trace = recording_->trace;
  const Derived derived = derive(*trace.rung(), trace.tile);
  slots_ = static_cast<std::uint32_t>(std::max(1, derived.buffers));
  blockM_ = derived.blockM;
  blockN_ = derived.blockN;
  stepK_ = trace.stepK;
  // Not every K tile begins in the first row of the block: A may end before it.
  row0_ = recording_->map.c.row;
  column0_ = recording_->map.c.column;
  for (std::uint32_t array = emulator::kFirstShared; array < trace.arrays.size(); ++array) {
    Ring ring;
    ring.array = array;
    ring.each = trace.arrays[array].elements / slots_;
    rings_.push_back(std::move(ring));
  }
  events_.resize(slots_);
  noted_.assign(std::size_t{slots_} * kRingMoments * trace.warps, kNoRingTile);
  meetings_.assign(trace.warps, 0);
  waiters_.resize(trace.barriers.size());
  learn();
}

void StageRing::restart() {
  const emulator::Trace& trace = recording_->trace;
  for (Ring& ring : rings_) ring.cells.assign(trace.arrays[ring.array].elements, {});
  barriers_ = BarrierReplay(trace);
  copies_.assign(trace.warps, {});
  products_.assign(trace.warps, {});
  lastRead_.assign(trace.warps, std::nullopt);
  newest_.reset();
  metBy_.assign(trace.warps, 0);
  met_ = 0;
  stored_.clear();
  waited_.assign(waiters_.size(), {});
  for (std::size_t barrier = 0; barrier < waiters_.size(); ++barrier)
    waited_[barrier].assign(waiters_[barrier].size(), std::vector<bool>(trace.warps, false));
  fills_ = 0;
  interval_ = done_ = 0;
}

void StageRing::learn() {
  const emulator::Trace& trace = recording_->trace;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const WarpInterval view = trace.at(warp, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        if (instruction.kind == Kind::Barrier) ++meetings_[warp];
        if (instruction.kind != Kind::BarrierWait) continue;
        const std::uint32_t* payload = view.payload(i, firstLane(instruction.mask));
        // A wait for the phase before the first one ends at once.
        if (payload[0] >= waiters_.size() || payload[1] == 0xFFFFFFFF) continue;
        auto& phases = waiters_[payload[0]];
        if (payload[1] >= phases.size())
          phases.resize(payload[1] + 1, std::vector<bool>(trace.warps, false));
        phases[payload[1]][warp] = true;
      }
    }
  }
  restart();
  learning_ = true;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const WarpInterval view = trace.at(warp, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        at_ = {interval, i};
        execute(view, i);
      }
    }
  }
  learning_ = false;
  for (auto& events : events_) {
    std::ranges::stable_sort(events, [](const RingEvent& a, const RingEvent& b) {
      return before(a.position, b.position);
    });
  }
  restart();
}

void StageRing::goTo(std::uint32_t warp, std::uint32_t index) {
  const emulator::Trace& trace = recording_->trace;
  const emulator::Position to = trace.position(warp, index);
  const std::uint32_t until = to.instruction + 1;
  if (to.interval < interval_ || (to.interval == interval_ && until < done_)) restart();
  now_ = to;
  while (interval_ < to.interval || done_ < until) {
    const bool whole = interval_ < to.interval;
    for (std::uint32_t w = 0; w < trace.warps; ++w) {
      const WarpInterval view = trace.at(w, interval_);
      const auto length = static_cast<std::uint32_t>(view.instructions.size());
      const std::uint32_t end = whole ? length : std::min(length, until);
      for (std::uint32_t i = done_; i < end; ++i) {
        at_ = {interval_, i};
        execute(view, i);
      }
    }
    if (!whole) {
      done_ = until;
      break;
    }
    ++interval_;
    done_ = 0;
  }
}

StageRing::Ring* StageRing::ringOf(std::uint32_t array) {
  const std::size_t at = array - emulator::kFirstShared;
  return array >= emulator::kFirstShared && at < rings_.size() ? &rings_[at] : nullptr;
}

StageRing::Content StageRing::contentAt(std::uint32_t matrix, std::int64_t row, std::int64_t column,
                                        Provenance what) const {
  const bool isA = matrix == emulator::kArrayA;
  const std::int64_t along = isA ? column : row;
  const std::int64_t across = isA ? row - row0_ : column - column0_;
  Content content{what, kNoRingTile, kNowhere};
  if (along < 0 || across < 0 || across >= (isA ? blockM_ : blockN_)) return content;
  content.tile = static_cast<std::uint32_t>(along / stepK_);
  const std::int64_t k = along % stepK_;
  content.place = static_cast<std::uint32_t>(isA ? across * stepK_ + k : k * blockN_ + across);
  return content;
}

StageRing::Content StageRing::contentOf(Provenance what) const {
  if (!what.isElement() || what.source() == Provenance::Source::C)
    return {what, kNoRingTile, kNowhere};
  const std::uint32_t matrix = static_cast<std::uint32_t>(what.source()) - 1;
  const std::uint32_t columns = recording_->trace.arrays[matrix].columns;
  return contentAt(matrix, what.index() / columns, what.index() % columns, what);
}

void StageRing::note(RingMoment what, const Ring& ring, std::uint32_t element, std::uint32_t tile,
                     std::uint32_t warp) {
  if (!learning_ || tile == kNoRingTile) return;
  const std::uint32_t slot = element / ring.each;
  if (slot >= slots_) return;
  if (what == RingMoment::Asked) {
    if (tile >= slotOfTile_.size()) slotOfTile_.resize(tile + 1);
    slotOfTile_[tile] = slot;
  }
  // Each warp has each of these events once for a K tile.
  std::uint32_t& noted =
      noted_[(slot * kRingMoments + static_cast<std::size_t>(what)) * recording_->trace.warps +
             warp];
  if (noted == tile) return;
  noted = tile;
  events_[slot].push_back({what, slot, tile, warp, recording_->trace.indexOf(warp, at_), at_});
}

void StageRing::bringing(Cell& cell, const Content& content) {
  cell.coming = content;
  cell.underWay = true;
  cell.filled = ++fills_;
  if (content.tile != kNoRingTile) newest_ = content.tile;
}

void StageRing::ask(std::uint32_t ring, std::uint32_t element, const Content& content,
                    std::uint32_t warp) {
  bringing(rings_[ring].cells[element], content);
  note(RingMoment::Asked, rings_[ring], element, content.tile, warp);
}

void StageRing::come(Cell& cell, const Content& content) {
  const std::uint32_t place = cell.underWay ? cell.coming.place : cell.there.place;
  cell.there = content;
  // A value that is not an element of A or B takes the place of one.
  if (content.place == kNowhere) cell.there.place = place;
  cell.underWay = cell.ready = false;
  cell.filled = ++fills_;
  cell.begun = cell.ended = 0;
  ++cell.generation;
}

void StageRing::beginRead(Ring& ring, std::uint32_t element, std::uint32_t warp) {
  Cell& cell = ring.cells[element];
  ++cell.begun;
  const std::uint32_t slot = element / ring.each;
  if (slot < slots_ && cell.there.tile != kNoRingTile) lastRead_[warp] = slot;
  if (!learning_) return;
  if (cell.generation >= ring.totals.size())
    ring.totals.resize(cell.generation + 1u, std::vector<std::uint16_t>(ring.cells.size(), 0));
  ++ring.totals[cell.generation][element];
  note(RingMoment::Read, ring, element, cell.there.tile, warp);
}

void StageRing::product(std::uint32_t warp, std::uint32_t number, bool begin) {
  const emulator::Trace& trace = recording_->trace;
  const emulator::ProductRecord& product = trace.products[warp][number];
  const auto read = [&](std::uint32_t byte) {
    for (Ring& ring : rings_) {
      const emulator::Array& array = trace.arrays[ring.array];
      if (byte / 4 < array.base) continue;
      const std::uint32_t element = (byte - array.base * 4) / 2;
      if (element >= ring.cells.size()) continue;
      if (begin) {
        beginRead(ring, element, warp);
      } else {
        ++ring.cells[element].ended;
      }
      return;
    }
  };
  const MmaRow& mma = product.instruction();
  const std::uint32_t first = warp % mma.warps * mma.warpRows();
  for (std::uint32_t row = first; row < first + mma.warpRows(); ++row) {
    for (std::uint32_t k = 0; k < mma.depth; ++k) read(product.a.alongK(row, k));
  }
  for (std::uint32_t k = 0; k < mma.depth; ++k) {
    for (std::uint32_t n = 0; n < product.columns; ++n) read(product.b.alongN(k, n));
  }
}

// After the block's barrier, all threads may read what a thread has stored or waited for.
void StageRing::meet(std::uint32_t warp) {
  ++metBy_[warp];
  for (std::uint32_t w = 0; w < metBy_.size(); ++w) {
    if (metBy_[w] <= met_ && meetings_[w] > met_) return;
  }
  ++met_;
  for (const auto& [ring, element] : stored_) rings_[ring].cells[element].ready = true;
  stored_.clear();
}

void StageRing::allowBox(std::uint32_t number) {
  const emulator::BoxRecord& box = recording_->trace.boxes[number];
  Ring* ring = ringOf(box.array);
  if (ring == nullptr) return;
  forEachElement(recording_->trace, box,
                 [&](std::uint32_t e, Provenance) { ring->cells[e].ready = true; });
}

void StageRing::access(const WarpInterval& view, std::uint32_t i) {
  const Instruction& instruction = view.instructions[i];
  Ring* ring = ringOf(instruction.array);
  if (ring == nullptr) return;
  const auto number = static_cast<std::uint32_t>(ring - rings_.data());
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((instruction.mask >> lane & 1u) == 0) continue;
    const std::uint32_t* payload = view.payload(i, lane);
    for (std::uint32_t e = payload[0]; e < payload[0] + instruction.elements(); ++e) {
      if (e >= ring->cells.size()) continue;
      const auto what = [&] { return contentOf(Provenance(payload[1 + e - payload[0]])); };
      switch (instruction.kind) {
        case Kind::SharedStore:
        case Kind::MatrixStore: {
          const Content content = what();
          come(ring->cells[e], content);
          stored_.emplace_back(number, e);
          if (content.tile != kNoRingTile) newest_ = content.tile;
          note(RingMoment::Asked, *ring, e, content.tile, view.warp);
          break;
        }
        case Kind::AsyncCopy:
          ask(number, e, what(), view.warp);
          copies_[view.warp].elements.emplace_back(number, e);
          break;
        default:
          beginRead(*ring, e, view.warp);
          ++ring->cells[e].ended;
          break;
      }
    }
  }
}

void StageRing::execute(const WarpInterval& view, std::uint32_t i) {
  const emulator::Trace& trace = recording_->trace;
  const Instruction& instruction = view.instructions[i];
  if (instruction.kind == Kind::Fma || instruction.kind == Kind::Mma) return;
  const auto eachElement = [&](const emulator::BoxRecord& box, auto&& act) {
    const Ring* ring = ringOf(box.array);
    if (ring == nullptr) return;
    const auto number = static_cast<std::uint32_t>(ring - rings_.data());
    forEachPlace(trace, box,
                 [&](std::uint32_t e, std::int64_t row, std::int64_t column, Provenance what) {
                   act(number, e, contentAt(box.matrix, row, column, what));
                 });
  };
  if (instruction.kind == Kind::BoxLoad) {
    const std::uint32_t number = view.payload(i, firstLane(instruction.mask))[1];
    if (number < trace.boxes.size()) {
      eachElement(trace.boxes[number], [&](std::uint32_t ring, std::uint32_t e, const Content& c) {
        ask(ring, e, c, view.warp);
      });
    }
  }
  const std::span<const std::uint32_t> there = barriers_.execute(view, i);
  for (const std::uint32_t number : barriers_.askedByOthers()) {
    // No warp of this block has issued it: there is no instruction to click.
    eachElement(trace.boxes[number], [&](std::uint32_t ring, std::uint32_t e, const Content& c) {
      bringing(rings_[ring].cells[e], c);
    });
  }
  for (const std::uint32_t number : there) {
    eachElement(trace.boxes[number], [&](std::uint32_t ring, std::uint32_t e, const Content& c) {
      come(rings_[ring].cells[e], c);
    });
    const emulator::BoxRecord& box = trace.boxes[number];
    if (waited_[box.barrier].size() > box.phase &&
        waited_[box.barrier][box.phase] == waiters_[box.barrier][box.phase])
      allowBox(number);
  }
  switch (instruction.kind) {
    case Kind::SharedLoad:
    case Kind::MatrixLoad:
    case Kind::MatrixStore:
    case Kind::SharedStore:
    case Kind::AsyncCopy:
      return access(view, i);
    case Kind::CopyCommit: {
      Copies& copies = copies_[view.warp];
      copies.groups.push_back(copies.elements.size());
      ++copies.committed;
      return;
    }
    case Kind::CopyWait: {
      Copies& copies = copies_[view.warp];
      if (copies.groups.size() <= instruction.width) return;
      const auto arrived = copies.groups.end() - instruction.width;
      const std::size_t count = *(arrived - 1);
      for (std::size_t c = 0; c < count; ++c) {
        const auto [ring, element] = copies.elements[c];
        Cell& cell = rings_[ring].cells[element];
        come(cell, Content(cell.coming));
        stored_.push_back(copies.elements[c]);
        note(RingMoment::Waited, rings_[ring], element, cell.there.tile, view.warp);
      }
      copies.waited += static_cast<std::uint32_t>(arrived - copies.groups.begin());
      copies.elements.erase(copies.elements.begin(),
                            copies.elements.begin() + static_cast<std::ptrdiff_t>(count));
      copies.groups.erase(copies.groups.begin(), arrived);
      for (std::size_t& end : copies.groups) end -= count;
      return;
    }
    case Kind::BarrierWait: {
      const std::uint32_t* payload = view.payload(i, firstLane(instruction.mask));
      if (payload[0] >= waited_.size() || payload[1] >= waited_[payload[0]].size()) return;
      std::vector<bool>& waited = waited_[payload[0]][payload[1]];
      waited[view.warp] = true;
      const bool all = waited == waiters_[payload[0]][payload[1]];
      const bool ended = barriers_.state(payload[0]).phase > payload[1];
      for (std::uint32_t number = 0; number < trace.boxes.size(); ++number) {
        const emulator::BoxRecord& box = trace.boxes[number];
        if (box.barrier != payload[0] || box.phase != payload[1]) continue;
        if (all && ended) allowBox(number);
        const Ring* ring = ringOf(box.array);
        if (ring != nullptr)
          note(RingMoment::Waited, *ring, box.index,
               contentAt(box.matrix, box.y, box.x, Provenance::outside()).tile, view.warp);
      }
      return;
    }
    case Kind::Product: {
      const std::uint32_t number = view.payload(i, firstLane(instruction.mask))[0];
      if (number >= trace.products[view.warp].size()) return;
      product(view.warp, number, true);
      products_[view.warp].inFlight.push_back(number);
      return;
    }
    case Kind::CommitProducts:
      ++products_[view.warp].committed;
      return;
    case Kind::WaitProducts: {
      Products& products = products_[view.warp];
      if (products.committed < instruction.width) return;
      const std::uint32_t done = products.committed - instruction.width;
      std::erase_if(products.inFlight, [&](std::uint32_t number) {
        if (trace.products[view.warp][number].group >= done) return false;
        product(view.warp, number, false);
        return true;
      });
      return;
    }
    case Kind::Barrier:
      return meet(view.warp);
    default:
      return;
  }
}

SlotState StageRing::stateOf(const Ring& ring, std::uint32_t element) const {
  const Cell& cell = ring.cells[element];
  if (cell.underWay) return SlotState::OnItsWay;
  if (cell.generation == 0) return SlotState::Empty;
  if (cell.there.tile == kNoRingTile) return SlotState::Other;
  if (cell.begun == 0) return cell.ready ? SlotState::Ready : SlotState::Arrived;
  // For K tiles outside the recording the number of reads is unknown.
  const bool last = cell.there.tile < recording_->trace.kTilesTraced &&
                    cell.ended == ring.totals[cell.generation][element];
  return last ? SlotState::Consumed : SlotState::Reading;
}

RingSlot StageRing::slot(std::uint32_t number) const {
  RingSlot slot;
  slot.panels[0] = {blockM_, stepK_, {}};
  slot.panels[1] = {stepK_, blockN_, {}};
  std::array<std::vector<std::uint32_t>, 2> newest;
  for (std::size_t m = 0; m < slot.panels.size(); ++m) {
    const auto size = static_cast<std::size_t>(slot.panels[m].rows * slot.panels[m].columns);
    slot.panels[m].cells.assign(size, {});
    newest[m].assign(size, 0);
    slot.elements += static_cast<std::uint32_t>(size);
  }
  for (std::size_t r = 0; r < rings_.size(); ++r) {
    const Ring& ring = rings_[r];
    // A and B have an array each, in this order.
    const std::size_t m = std::min<std::size_t>(r, 1);
    for (std::uint32_t e = number * ring.each; e < (number + 1) * ring.each; ++e) {
      const Cell& cell = ring.cells[e];
      const Content& content = cell.underWay ? cell.coming : cell.there;
      if (cell.filled == 0 || content.place >= newest[m].size() ||
          newest[m][content.place] > cell.filled)
        continue;
      newest[m][content.place] = cell.filled;
      SlotCell& to = slot.panels[m].cells[content.place];
      to.tile = content.tile;
      to.state = stateOf(ring, e);
      to.outside = content.what == Provenance::outside();
      to.inFlight = !cell.underWay && cell.begun > cell.ended;
    }
  }
  for (const SlotPanel& panel : slot.panels) {
    for (const SlotCell& cell : panel.cells) {
      ++slot.counts[static_cast<std::size_t>(cell.state)];
      slot.outside += cell.outside ? 1 : 0;
      slot.inFlight += cell.inFlight ? 1 : 0;
      if (cell.tile == kNoRingTile) continue;
      const auto known = std::ranges::find(slot.tiles, cell.tile, &TileShare::tile);
      if (known == slot.tiles.end()) {
        slot.tiles.push_back({cell.tile, 1});
      } else {
        ++known->elements;
      }
    }
  }
  std::ranges::stable_sort(slot.tiles, std::ranges::greater(), &TileShare::elements);
  for (const emulator::BoxRecord& box : recording_->trace.boxes) {
    const std::uint32_t each = rings_[box.array - emulator::kFirstShared].each;
    if (each == 0 || box.index / each != number) continue;
    slot.barrier = box.barrier;
    break;
  }
  return slot;
}

std::string StageRing::barrierName(std::uint32_t number) const {
  const auto& barriers = recording_->trace.barriers;
  const emulator::BarrierRecord& barrier = barriers.at(number);
  const auto same = std::ranges::count(barriers, barrier.name, &emulator::BarrierRecord::name);
  return same > 1 ? fmt::format("{}[{}]", barrier.name, barrier.index) : barrier.name;
}

std::vector<std::pair<std::uint32_t, BarrierWait>> StageRing::waiting(std::uint32_t barrier) const {
  std::vector<std::pair<std::uint32_t, BarrierWait>> warps;
  for (std::uint32_t warp = 0; warp < recording_->trace.warps; ++warp) {
    const auto wait = barriers_.waitOf(warp);
    if (wait && wait->barrier == barrier) warps.emplace_back(warp, *wait);
  }
  return warps;
}

std::optional<CopyGroups> StageRing::copies(std::uint32_t warp) const {
  const Copies& copies = copies_[warp];
  if (copies.committed == 0 && copies.elements.empty()) return std::nullopt;
  const std::size_t closed = copies.groups.empty() ? 0 : copies.groups.back();
  return CopyGroups{copies.committed, copies.waited, copies.elements.size() > closed};
}

std::optional<std::uint32_t> StageRing::slotOf(std::uint32_t tile) const {
  return tile < slotOfTile_.size() ? slotOfTile_[tile] : std::nullopt;
}

std::optional<RingEvent> StageRing::next(std::uint32_t slot, std::uint32_t warp) const {
  const std::vector<RingEvent>& events = events_.at(slot);
  // If the warp does not do it itself, the first warp that does represents it.
  const auto standsFor = [&](const RingEvent& event) {
    if (event.warp == warp) return true;
    for (const RingEvent& other : events) {
      if (other.what != event.what || other.tile != event.tile) continue;
      if (other.warp == warp) return false;
      if (&other == &event) break;
    }
    const auto first = std::ranges::find_if(events, [&](const RingEvent& other) {
      return other.what == event.what && other.tile == event.tile;
    });
    return &*first == &event && std::ranges::none_of(events, [&](const RingEvent& other) {
      return other.what == event.what && other.tile == event.tile && other.warp == warp;
    });
  };
  std::optional<RingEvent> first;
  for (const RingEvent& event : events) {
    if (!standsFor(event)) continue;
    if (before(now_, event.position)) return event;
    if (!first) first = event;
  }
  return first;
}

emulator::Provenance StageRing::held(std::uint32_t array, std::uint32_t element) const {
  return rings_.at(array - emulator::kFirstShared).cells.at(element).there.what;
}

}  // namespace tileloom::analysis
