// SPDX-License-Identifier: GPL-3.0-or-later
// The multistage pipeline: the contents of each stage of shared memory at one instant, element by
// element, and the progress of each element from its request to its last read. Contents follow from
// provenance; only the bounds of a stage follow from its number, because shared memory is divided
// into equal stages.
//
// As everywhere, warps are assumed to run in step (shared_contents.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/analysis/order/barriers.h"
#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

// The state of an element of a stage.
enum class SlotState : std::uint8_t {
  Empty,     // nothing has been requested here yet
  OnItsWay,  // in flight: requested by a TMA load or cp.async that no warp has waited for
  Arrived,   // a thread has waited for it or stored it, but not all readers may read it yet
  Ready,     // may be read
  Reading,   // has been read, and will be again; or a wgmma that reads it is in flight
  Consumed,  // has been read for the last time
  Other      // no longer holds an element of A or B: staged sums of C
};
inline constexpr std::size_t kSlotStates = 7;

inline constexpr std::uint32_t kNoRingTile = 0xFFFFFFFF;

struct SlotCell {
  std::uint32_t tile = kNoRingTile;  // the K tile that it belongs to
  SlotState state = SlotState::Empty;
  bool outside = false;   // of the matrix: a zero that TMA has written
  bool inFlight = false;  // a wgmma that reads it has not been waited for
};

// The part of a stage that holds A or B, by the place in the K tile: rows of A by k, or k by
// columns of B.
struct SlotPanel {
  std::int64_t rows = 0, columns = 0;
  std::vector<SlotCell> cells;  // row-major
};

struct TileShare {
  std::uint32_t tile = 0;
  std::uint32_t elements = 0;
};

struct RingSlot {
  std::array<SlotPanel, 2> panels;  // A, B
  std::array<std::uint32_t, kSlotStates> counts{};
  std::uint32_t elements = 0;               // of A and B together: the sum of the counts
  std::uint32_t outside = 0, inFlight = 0;  // of these
  std::vector<TileShare> tiles;             // that its elements belong to, the largest share first
  std::optional<std::uint32_t> barrier;     // that counts the copies into it; its number

  std::uint32_t count(SlotState state) const { return counts[static_cast<std::size_t>(state)]; }
};

// The groups of asynchronous copies of a warp.
struct CopyGroups {
  std::uint32_t committed = 0;
  std::uint32_t waited = 0;  // of them
  bool open = false;         // copies that belong to no group yet
};

// An event of a stage, by one warp.
enum class RingMoment : std::uint8_t {
  Asked,   // the first instruction that requests, or stores, an element of a K tile
  Waited,  // the warp reaches its wait for it
  Read     // the warp reads it for the first time
};
inline constexpr std::size_t kRingMoments = 3;
struct RingEvent {
  RingMoment what = RingMoment::Asked;
  std::uint32_t slot = 0;
  std::uint32_t tile = 0;
  std::uint32_t warp = 0;
  std::uint32_t index = 0;      // of the instruction in the warp's stream
  emulator::Position position;  // of the same
};

// Whether shared memory holds a multistage pipeline; one stage counts, too, if mbarriers count its
// copies.
bool hasRing(const Stage& stage, const TileShape& tile);

class StageRing {
 public:
  // The stage of the recording must have a ring (hasRing).
  explicit StageRing(std::shared_ptr<const Recording> recording);

  // Goes to the instant at which `warp` has executed its instruction `index`; both must exist.
  // Forwards it costs the instructions in between, backwards a replay from the beginning.
  void goTo(std::uint32_t warp, std::uint32_t index);

  const Recording& recording() const { return *recording_; }
  std::uint32_t size() const { return slots_; }
  RingSlot slot(std::uint32_t number) const;
  BarrierState barrier(std::uint32_t number) const { return barriers_.state(number); }
  std::string barrierName(std::uint32_t number) const;  // "full[1]", or "full" of a single one
  // Warps whose latest instruction is a wait for this barrier, and whether the wait has ended.
  std::vector<std::pair<std::uint32_t, BarrierWait>> waiting(std::uint32_t barrier) const;
  // For rungs whose threads issue asynchronous copies.
  std::optional<CopyGroups> copies(std::uint32_t warp) const;

  // The last stage that a warp has read.
  std::optional<std::uint32_t> readBy(std::uint32_t warp) const { return lastRead_[warp]; }
  // The K tile that was requested last, and the stage of a K tile in the recording.
  std::optional<std::uint32_t> newestTile() const { return newest_; }
  std::optional<std::uint32_t> slotOf(std::uint32_t tile) const;

  // All events of a stage, in order.
  const std::vector<RingEvent>& events(std::uint32_t slot) const { return events_[slot]; }
  // The next event after the present instant that `warp` does itself, or another warp for it; the
  // search wraps around at the end. Nothing: the stage is never used.
  std::optional<RingEvent> next(std::uint32_t slot, std::uint32_t warp) const;

  // The contents of an element of a shared array: what has arrived, not what is in flight.
  emulator::Provenance held(std::uint32_t array, std::uint32_t element) const;

 private:
  using Provenance = emulator::Provenance;
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

  // The contents of an element's place, present or requested.
  struct Content {
    Provenance what;
    std::uint32_t tile = kNoRingTile;
    std::uint32_t place = kNowhere;  // in its panel
  };
  struct Cell {
    Content there, coming;
    std::uint32_t filled = 0;            // time in fills; 0: never
    std::uint16_t generation = 0;        // how often it was filled
    std::uint16_t begun = 0, ended = 0;  // reads of the present contents
    bool underWay = false;
    bool ready = false;
  };
  struct Ring {
    std::uint32_t array = 0;  // shared
    std::uint32_t each = 0;   // elements of a stage
    std::vector<Cell> cells;
    // Reads in all, [generation][element].
    std::vector<std::vector<std::uint16_t>> totals;
  };
  struct Copies {
    std::vector<std::pair<std::uint32_t, std::uint32_t>>
        elements;                     // array's place in rings_, index
    std::vector<std::size_t> groups;  // where they end
    std::uint32_t committed = 0, waited = 0;
  };
  struct Products {
    std::vector<std::uint32_t> inFlight;  // numbers, in order
    std::uint32_t committed = 0;
  };

  void restart();
  void learn();  // one replay of everything: the reads of each element, and the events
  void execute(const emulator::WarpInterval& view, std::uint32_t instruction);
  void access(const emulator::WarpInterval& view, std::uint32_t instruction);
  Content contentOf(Provenance what) const;
  Content contentAt(std::uint32_t matrix, std::int64_t row, std::int64_t column,
                    Provenance what) const;
  Ring* ringOf(std::uint32_t array);
  void bringing(Cell& cell, const Content& content);
  void ask(std::uint32_t ring, std::uint32_t element, const Content& content, std::uint32_t warp);
  void come(Cell& cell, const Content& content);
  void allowBox(std::uint32_t box);
  void beginRead(Ring& ring, std::uint32_t element, std::uint32_t warp);
  void product(std::uint32_t warp, std::uint32_t number, bool begin);
  void meet(std::uint32_t warp);
  void note(RingMoment what, const Ring& ring, std::uint32_t element, std::uint32_t tile,
            std::uint32_t warp);
  SlotState stateOf(const Ring& ring, std::uint32_t element) const;

  std::shared_ptr<const Recording> recording_;
  std::uint32_t slots_ = 1;
  std::int64_t blockM_ = 0, blockN_ = 0, stepK_ = 1, row0_ = 0, column0_ = 0;
  std::vector<Ring> rings_;
  BarrierReplay barriers_;
  std::vector<Copies> copies_;                          // by warp
  std::vector<Products> products_;                      // by warp
  std::vector<std::optional<std::uint32_t>> lastRead_;  // by warp
  std::optional<std::uint32_t> newest_;
  std::vector<std::uint32_t> metBy_;     // block barriers that each warp has reached
  std::vector<std::uint32_t> meetings_;  // in all, by warp
  std::uint32_t met_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stored_;  // arrived since the last meeting
  // [barrier][phase]: the warps that wait for it, in all and so far.
  std::vector<std::vector<std::vector<bool>>> waiters_, waited_;
  std::uint32_t fills_ = 0;
  bool learning_ = false;
  emulator::Position at_;                       // of the instruction that is executed
  std::vector<std::vector<RingEvent>> events_;  // by slot
  std::vector<std::uint32_t> noted_;  // the K tile of the latest event, by slot, moment and warp
  std::vector<std::optional<std::uint32_t>> slotOfTile_;
  // All warps have executed the intervals before `interval_`, and of that one `done_` instructions.
  std::uint32_t interval_ = 0, done_ = 0;
  emulator::Position now_;
};

}  // namespace tileloom::analysis
