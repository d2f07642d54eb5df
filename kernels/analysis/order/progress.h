// SPDX-License-Identifier: GPL-3.0-or-later
// The progress of a block at one instant: the state of each element of A and B on the path to the
// multiply-adds, and the number of products in each sum of C. All of it is counted in the
// recording; nothing follows from a formula.
//
// Real warps drift apart between barriers. Shown together, they are assumed to run in step, as in
// shared_contents.h: each has executed the same number of instructions of the barrier interval as
// the watched warp. Loads that the assembler merges into a wider one count part by part.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/analysis/order/barriers.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/product_pattern.h"
#include "kernels/tile/placement.h"

namespace tileloom::analysis {

// The state of an element of A or B.
enum class DataState : std::uint8_t {
  NotAsked,     // only in global memory
  InFlight,     // requested, and not in shared memory yet, through registers or past them
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

  // Goes to the instant at which `warp` has executed its instruction `index`; both must exist.
  // Forwards it costs the instructions in between, backwards a replay from the beginning.
  void goTo(std::uint32_t warp, std::uint32_t index);

  const Recording& recording() const { return *recording_; }
  // Instructions that the watched warp has executed: the largest possible stamp.
  std::uint32_t stamp() const { return stamp_; }

  // Products in each sum, row-major within BlockMap::c; 0 for elements without an owner.
  std::span<const std::uint32_t> sums() const { return sums_; }
  // When the sum got its latest product; 0: it has none.
  std::span<const std::uint32_t> sumStamps() const { return sumStamps_; }
  // When the element was stored to C; 0: not yet.
  std::span<const std::uint32_t> storeStamps() const { return storeStamps_; }
  std::uint32_t fewestProducts() const;                 // in any owned sum
  std::uint64_t products() const { return products_; }  // in all sums together
  std::uint64_t ownedSums() const { return owned_; }

  // The K tile `tile` of A or B; nullptr: nothing of it has been requested yet.
  const TileProgress* tile(Matrix matrix, std::uint32_t tile) const;
  // Elements of that tile, A and B together, that are in this state or a later one; and all of
  // them. Places outside the matrices, such as those after the end of K, do not count.
  std::uint64_t reached(std::uint32_t tile, DataState state) const;
  std::uint64_t elementsOf(std::uint32_t tile) const;

  // The requested boxes, and those in flight.
  const BarrierReplay& barriers() const { return barriers_; }

 private:
  using Provenance = emulator::Provenance;

  // Divides by a number that seldom changes: mostly a power of two, where a shift is enough. Two
  // divisions per operand of each multiply-add would take most of a replay's time.
  class Divider {
   public:
    Divider() = default;
    explicit Divider(std::uint32_t by);
    std::uint32_t quotient(std::uint32_t n) const { return shift_ >= 0 ? n >> shift_ : n / by_; }
    std::uint32_t rest(std::uint32_t n) const { return shift_ >= 0 ? n & (by_ - 1) : n % by_; }

   private:
    std::uint32_t by_ = 1;
    int shift_ = 0;  // below 0: not a power of two
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
  // A multiply-add of a warp: the part of the instruction that a replay needs for each lane.
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
  // The multiply-adds among the instructions [begin, end), of which the first has stamp `start` +
  // 1.
  void multiply(const emulator::WarpInterval& view, std::uint32_t begin, std::uint32_t end,
                std::uint32_t start);
  // Those of one lane whose words start at `mine`: by the pattern, or one by one.
  void multiplyAlike(std::span<const std::uint32_t> slots, const std::uint32_t* mine);
  void multiplyEach(const emulator::WarpInterval& view, std::uint32_t lane,
                    std::span<const std::uint32_t> slots, const std::uint32_t* mine);
  // An mma of the whole warp: each lane has a part of the factors and of the sums.
  void multiplyWide(const emulator::WarpInterval& view, std::uint32_t instruction,
                    std::uint32_t stamp);
  // The same for a warp's part of a wgmma.
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

// The most K tiles that a block has in flight, from the one it multiplies to the last requested
// one: 1 without prefetching, 2 for double buffering, STAGES for a multistage pipeline, and one
// more where the multiplying warp refills a stage before its next K tile.
std::uint32_t tilesUnderWay(const emulator::Trace& trace);

}  // namespace tileloom::analysis
