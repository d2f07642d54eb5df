// SPDX-License-Identifier: GPL-3.0-or-later
// How far a block has got at one instant: where each element of A and B stands on its way to the
// multiply-adds, and how many products each sum of C holds. All of it is counted in the recording,
// nothing follows from a formula.
//
// Real warps drift apart between barriers. Shown together, they are taken to walk in step, as in
// shared_contents.h: each has executed as many instructions of the barrier interval as the watched
// warp has. Loads that the assembler merges into a wider one count part by part.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/analysis/barriers.h"
#include "kernels/analysis/product_pattern.h"
#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

// Where an element of A or B is.
enum class DataState : std::uint8_t {
  NotAsked,     // only in global memory
  InFlight,     // asked for; on its way to shared memory, through registers or past them
  InShared,     // in shared memory, and not read yet
  InRegisters,  // a thread holds it as a fragment, and not all products that need it are added
  Consumed      // all products of the block that need it are added
};

// One K tile of A or of B.
struct TileProgress {
  std::vector<DataState> states;      // row-major within the K tile
  std::vector<std::uint32_t> stamps;  // when the state became this one; see Progress::stamp()
};

class Progress {
 public:
  explicit Progress(std::shared_ptr<const Recording> recording);

  // To the instant at which `warp` has executed its instruction `index`; both must exist. Going
  // forwards costs what is executed meanwhile, going back a replay from the beginning.
  void goTo(std::uint32_t warp, std::uint32_t index);

  const Recording& recording() const { return *recording_; }
  // Instructions of the watched warp that have been executed: the greatest stamp there can be.
  std::uint32_t stamp() const { return stamp_; }

  // Products in each sum, row-major within BlockMap::c; 0 for elements that nobody owns.
  std::span<const std::uint32_t> sums() const { return sums_; }
  // When the sum got its latest product; 0: it has none.
  std::span<const std::uint32_t> sumStamps() const { return sumStamps_; }
  // When the element was stored to C; 0: it has not been.
  std::span<const std::uint32_t> storeStamps() const { return storeStamps_; }
  std::uint32_t fewestProducts() const;                 // in any sum that somebody owns
  std::uint64_t products() const { return products_; }  // in all sums together
  std::uint64_t ownedSums() const { return owned_; }

  // The K tile `tile` of A or B; nullptr: nothing of it has been asked for yet.
  const TileProgress* tile(Matrix matrix, std::uint32_t tile) const;
  // Elements of that tile, A and B together, that are in this state or beyond; and all of them.
  // Places outside of the matrices, such as those behind the end of K, do not count.
  std::uint64_t reached(std::uint32_t tile, DataState state) const;
  std::uint64_t elementsOf(std::uint32_t tile) const;

  // Which boxes have been asked for, and which of them are on their way.
  const BarrierReplay& barriers() const { return barriers_; }

 private:
  using Provenance = emulator::Provenance;

  // Divides by a number that seldom changes: mostly a power of two, for which a shift will do. Two
  // divisions per operand of each multiply-add would take most of a replay's time.
  class Divider {
   public:
    Divider() = default;
    explicit Divider(std::uint32_t by);
    std::uint32_t quotient(std::uint32_t n) const { return shift_ >= 0 ? n >> shift_ : n / by_; }
    std::uint32_t rest(std::uint32_t n) const { return shift_ >= 0 ? n & (by_ - 1) : n % by_; }

   private:
    std::uint32_t by_ = 1;
    int shift_ = 0;  // below 0: no power of two
  };
  struct Side {
    Region first;            // the K tile 0
    Divider columns;         // of the whole matrix
    std::uint32_t uses = 0;  // products of the block that need one element
    std::vector<TileProgress> tiles;
    std::vector<std::vector<std::uint16_t>> used;  // [tile][element]
  };
  struct Place {
    std::uint32_t tile = 0;
    std::size_t element = 0;
  };
  // The uses of an element by the latest products of one lane. They are entered together, since
  // finding the element's place takes longer than a product.
  struct Uses {
    Provenance what;
    std::uint32_t count = 0;
    std::uint32_t stamp = 0;  // of the latest
  };
  // A multiply-add of a warp: as much of the instruction as a replay needs, to be read for each
  // lane.
  struct Product {
    std::uint32_t instruction = 0;
    std::uint32_t offset = 0;  // of its payload in a lane's words, where all lanes agree
    std::uint32_t mask = 0;
    std::uint32_t stamp = 0;
  };
  struct Copies {
    std::vector<Provenance> words;
    std::vector<std::size_t> groups;  // where they end, counted in words
  };
  void restart();
  void execute(const emulator::WarpInterval& view, std::uint32_t instruction, std::uint32_t stamp);
  // The multiply-adds among the instructions [begin, end), of which the first has stamp `start`
  // + 1.
  void multiply(const emulator::WarpInterval& view, std::uint32_t begin, std::uint32_t end,
                std::uint32_t start);
  // Those of one lane whose words start at `mine`: by the pattern, or each for itself.
  void multiplyAlike(std::span<const std::uint32_t> slots, const std::uint32_t* mine);
  void multiplyEach(const emulator::WarpInterval& view, std::uint32_t lane,
                    std::span<const std::uint32_t> slots, const std::uint32_t* mine);
  // A product of the whole warp: each lane has a part of the factors and of the sums.
  void multiplyWide(const emulator::WarpInterval& view, std::uint32_t instruction,
                    std::uint32_t stamp);
  // The same of a warp's part of a product of its warpgroup.
  void multiplyGroup(const emulator::WarpInterval& view, std::uint32_t instruction,
                     std::uint32_t stamp);
  void store(const emulator::WarpInterval& view, std::uint32_t instruction, std::uint32_t stamp);
  void storeBox(const emulator::WarpInterval& view, std::uint32_t instruction, std::uint32_t stamp);
  void reach(Provenance what, DataState state, std::uint32_t stamp);
  void enter(Uses& uses);
  bool placeOf(Provenance what, Side*& side, Place& place);
  void beginTile(Side& side, std::uint32_t tile) const;

  std::shared_ptr<const Recording> recording_;
  bool sharedTiles_ = false;
  Side a_, b_;
  Divider stepK_;
  std::vector<std::vector<std::uint32_t>> slots_;  // [thread][slot]: place in sums_, or none
  std::vector<std::uint32_t> sums_, sumStamps_, storeStamps_;
  std::uint64_t products_ = 0, owned_ = 0;
  std::vector<Copies> copies_;  // of each warp
  BarrierReplay barriers_;
  std::vector<Product> fmas_;  // room for multiply()
  std::vector<ProductPattern::Product> alike_;
  ProductPattern pattern_;
  // All warps have executed the intervals before `interval_`, and of that one `done_` instructions.
  std::uint32_t interval_ = 0, done_ = 0, stamp_ = 0;
};

// How many K tiles a block has under way at the most, from the one it multiplies to the one it has
// asked for last: 1 without anything fetched ahead, 2 for double buffering, STAGES for a ring,
// whoever fills it, and one more where the warp that multiplies refills a stage before its next K
// tile.
std::uint32_t tilesUnderWay(const emulator::Trace& trace);

}  // namespace tileloom::analysis
