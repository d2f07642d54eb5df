// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "kernels/tile/architecture.h"
#include "kernels/timeline/lateness.h"
#include "kernels/timeline/ticks.h"
#include "kernels/timeline/way_out.h"

namespace tileloom::timeline {
namespace {

constexpr std::uint32_t kSchedulers = Architecture::kPartitions;
constexpr std::uint32_t kWarpgroup = 4;             // warps that issue a wgmma together
constexpr std::uint32_t kBeforeFirst = 0xFFFFFFFF;  // a phase that counts as ended

// What ends a wait.
struct Waker {
  enum class Kind : std::uint8_t { Nobody, Warp, Flight, TensorCore } kind = Kind::Nobody;
  std::uint32_t id = 0;  // a warp, or a transfer
  Ticks at = 0;
};

struct MemoryBarrier {
  std::uint32_t count = 0;
  std::int64_t pending = 0, bytes = 0;
  Ticks latest = 0;
  Waker waker;
  std::vector<Ticks> ended;  // by phase
  std::vector<Waker> wakers;
};

struct Product {
  std::uint32_t issued = 0;      // number of warps of the group that have issued it
  std::uint32_t wavefronts = 0;  // of operands, for all of them
  Ticks ready = 0;               // when the last one is ready
  Ticks end = kNever;
};

struct Warp {
  const Program* program = nullptr;
  std::uint32_t block = 0, number = 0, scheduler = 0;
  std::uint32_t next = 0;  // operation
  Ticks issued = 0;        // end of the last issue
  Ticks blocked = 0;       // waiting until then, for `on`
  On on = On::Nothing;
  Waker waker;
  Ticks ready = 0;  // when the next operation can be issued, for readyOn
  On readyOn = On::Nothing;
  Waker readyWaker;
  bool done = false;
  Ticks stored = 0;            // when its stores to shared memory have arrived
  Ticks lastMultiply = 0;      // when the latest multiply-adds began
  std::vector<Ticks> results;  // by operation
  std::vector<std::uint32_t> flights;
  std::vector<Ticks> copyGroups;  // when all groups up to this one have arrived
  std::vector<std::uint32_t> copyFlights;
  Ticks openCopies = 0;
  std::uint32_t openFlight = kNone;
  std::vector<std::uint32_t> productGroups;  // wgmma up to the end of each
  std::uint32_t products = 0;
  std::uint32_t waitsForProduct = kNone;
  std::uint32_t waitsForBarrier = kNone, waitsForPhase = 0;
  StoredBoxes boxes;
};

// A barrier of some warps.
struct SomeMeet {
  std::vector<std::uint32_t> sleepers;
  Ticks latest = 0;
  std::uint32_t latestWarp = 0;
};

struct BlockState {
  std::uint32_t alive = 0, arrived = 0;
  Ticks latest = 0;
  std::uint32_t latestWarp = 0;
  std::map<std::uint32_t, MemoryBarrier> barriers;
  std::map<std::uint32_t, SomeMeet> meetings;
  std::vector<std::vector<Product>> products;  // by warpgroup
  std::vector<Ticks> tileStarts;
};

class Clock {
 public:
  Clock(const BlockProgram& program, const Costs& costs)
      : program_(program), costs_(costs), perBlock_(std::uint32_t(program.warps.size())) {
    slot_ = ticks(costs.slot);
    const auto blocks = static_cast<std::uint32_t>(std::max(1, costs.blocks));
    blocks_.resize(blocks);
    warps_.resize(std::size_t{blocks} * perBlock_);
    for (std::uint32_t i = 0; i < warps_.size(); ++i) {
      Warp& w = warps_[i];
      w.block = i / perBlock_;
      w.number = i % perBlock_;
      w.scheduler = i % kSchedulers;
      w.program = &program.warps[w.number];
      w.results.assign(w.program->operations.size(), 0);
      w.flights.assign(w.program->operations.size(), kNone);
      mine_[w.scheduler].push_back(i);
    }
    for (BlockState& b : blocks_) {
      b.alive = perBlock_;
      b.products.resize((perBlock_ + kWarpgroup - 1) / kWarpgroup);
      b.tileStarts.assign(program.kTiles, kNever);
    }
    spans_.resize(perBlock_);
    for (std::uint32_t i = 0; i < warps_.size(); ++i) prepare(i);
  }

  tl::expected<Timeline, std::string> run() {
    while (true) {
      std::uint32_t best = 0;
      Ticks at = kNever;
      for (std::uint32_t s = 0; s < kSchedulers; ++s) {
        if (dirty_[s]) decide(s);
        if (when_[s] < at) {
          at = when_[s];
          best = s;
        }
      }
      if (at == kNever) break;
      last_[best] = chosen_[best];
      issue(chosen_[best], at);
      dirty_[best] = true;
    }
    for (const Warp& w : warps_) {
      if (!w.done) return tl::unexpected(stuck(w));
    }
    return result();
  }

 private:
  // --- schedulers

  Ticks eligible(const Warp& w) const {
    Ticks at = w.ready;
    if (at < kNever && w.program->operations[w.next].work == Work::Mma)
      at = std::max(at, mmaFree_[w.scheduler]);
    return at;
  }

  void decide(std::uint32_t s) {
    dirty_[s] = false;
    Ticks earliest = kNever;
    for (const std::uint32_t i : mine_[s]) {
      if (!warps_[i].done) earliest = std::min(earliest, eligible(warps_[i]));
    }
    when_[s] = earliest == kNever ? kNever : std::max(earliest, free_[s]);
    if (earliest == kNever) return;
    if (const std::uint32_t last = last_[s];
        last != kNone && !warps_[last].done && eligible(warps_[last]) <= when_[s]) {
      chosen_[s] = last;
      return;
    }
    Ticks longest = kNever;
    for (const std::uint32_t i : mine_[s]) {
      if (warps_[i].done) continue;
      if (const Ticks at = eligible(warps_[i]); at <= when_[s] && at < longest) {
        longest = at;
        chosen_[s] = i;
      }
    }
  }

  // --- warps

  void prepare(std::uint32_t index) {
    Warp& w = warps_[index];
    if (w.done) return;
    dirty_[w.scheduler] = true;
    if (w.next == w.program->operations.size()) {
      w.ready = kNever;
      if (w.blocked >= kNever) return;  // at a barrier after which it does nothing more
      w.done = true;
      BlockState& b = blocks_[w.block];
      --b.alive;
      meet(w.block);
      end_ = std::max(end_, std::max(w.issued, w.blocked));
      return;
    }
    const Operation& op = w.program->operations[w.next];
    w.ready = w.issued;
    w.readyOn = On::Nothing;
    w.readyWaker = {};
    if (w.blocked > w.ready) {
      w.ready = w.blocked;
      w.readyOn = w.on;
      w.readyWaker = w.waker;
    }
    for (const std::uint32_t need : op.needs) {
      if (need == kNone || w.results[need] <= w.ready) continue;
      w.ready = w.results[need];
      w.readyWaker = {};
      switch (w.program->operations[need].work) {
        case Work::Load:
          w.readyOn = On::Memory;
          if (w.flights[need] != kNone)
            w.readyWaker = {Waker::Kind::Flight, w.flights[need], w.ready};
          break;
        case Work::Fragments:
          w.readyOn = On::Fragments;
          break;
        default:
          w.readyOn = On::Result;
      }
    }
    if (op.work == Work::Multiply && w.lastMultiply > 0) {
      const Ticks chained = w.lastMultiply + ticks(costs_.fmaLatency);
      if (chained > w.ready) {
        w.ready = chained;
        w.readyOn = On::Result;
        w.readyWaker = {};
      }
    }
  }

  void sleep(Warp& w, Ticks until, On on, const Waker& waker = {}) {
    w.blocked = until;
    w.on = on;
    w.waker = waker;
  }

  void wake(std::uint32_t index, Ticks until, const Waker& waker) {
    Warp& w = warps_[index];
    w.blocked = std::max(w.issued, until);
    w.waker = waker;
    prepare(index);
  }

  // --- pipes

  // The data pipe of L1 and shared memory; returns when the access has passed through it.
  Ticks throughPipe(Ticks at, double cycles) {
    takeArrivals(at);
    const Ticks start = std::max(at, pipeFree_);
    pipeFree_ = start + ticks(cycles);
    occupy(Unit::Shared, start, pipeFree_, 1);
    return pipeFree_;
  }

  // Data from memory passes through the same pipe when it arrives; returns when it has passed, if
  // nothing else is in its way.
  Ticks later(Ticks arrival, double cycles) {
    arrivals_.emplace(arrival, ticks(cycles));
    return arrival + ticks(cycles);
  }

  void takeArrivals(Ticks until) {
    while (!arrivals_.empty() && arrivals_.top().first <= until) {
      const auto [arrival, cycles] = arrivals_.top();
      arrivals_.pop();
      const Ticks start = std::max(arrival, pipeFree_);
      pipeFree_ = start + cycles;
      occupy(Unit::Shared, start, pipeFree_, 1);
    }
  }

  // Most lines are there already; only some loads go to L2.
  Ticks loadThroughL1(const Warp& w, const Operation& op, Ticks at) {
    const Ticks asked = throughPipe(at, op.wavefronts);
    const Ticks sent =
        std::max(asked, throughL2(op, at, op.bytes * costs_.throughL2, costs_.l2Bytes));
    missed_ += costs_.throughL2;
    if (missed_ < 1) return sent + ticks(costs_.l1Latency);
    missed_ -= 1;
    return memory(w, op, sent);
  }

  // K tiles that a block loads: a kernel that prefetches loads more of them than are traced.
  std::uint32_t loadedTiles() const {
    std::uint32_t tiles = 1;
    for (const Program& warp : program_.warps) {
      for (const Operation& op : warp.operations) {
        if (op.brings != emulator::kNoTile && op.bytes > 0) tiles = std::max(tiles, op.brings + 1);
      }
    }
    return tiles;
  }

  // From L2; returns when the last byte leaves it.
  Ticks throughL2(const Operation& op, Ticks at, double bytes, double rate) {
    const Ticks start = std::max(at, l2Free_);
    l2Free_ = start + ticks(bytes / rate);
    // C is loaded once, after all K tiles: it is not part of the loads of a K tile.
    if (rate > 0 && op.brings != emulator::kNoTile) l2Loads_ += bytes / rate;
    occupy(Unit::L2, start, l2Free_, 1);
    return l2Free_;
  }

  void countSectors(const Operation& op) {
    if (op.brings != emulator::kNoTile) sectorLoads_ += op.sectors * costs_.sectorCycles;
  }

  // C goes to L2; returns when the last byte leaves the SM.
  Ticks leave(const Warp& w, const Operation& op, Ticks at) {
    const WayOut::Passage passage = wayOut_.send(at, op.bytes, costs_.l2Bytes);
    occupy(Unit::L2, passage.begin, passage.end, 1);
    if (w.block == 0 && program_.walks > 1) wayOut_.record(passage, op);
    return passage.end;
  }

  // When a transfer issued now arrives. All of a K tile of A, or of B, is equally late.
  Ticks memory(const Warp& w, const Operation& op, Ticks sent) const {
    double cycles = costs_.memoryLatency + costs_.delay;
    if (costs_.varies > 0 && op.brings != emulator::kNoTile)
      cycles += costs_.varies * lateness(op.brings, op.matrix, w.block);
    return sent + ticks(cycles);
  }

  void occupy(Unit unit, Ticks from, Ticks to, double share) {
    if (to <= from) return;
    auto& bins = curves_[static_cast<std::size_t>(unit)];
    for (Ticks bin = from / kBin; bin * kBin < to; ++bin) {
      if (bins.size() <= std::size_t(bin)) bins.resize(std::size_t(bin) * 2 + 64, 0.0F);
      const Ticks part = std::min(to, (bin + 1) * kBin) - std::max(from, bin * kBin);
      bins[std::size_t(bin)] += static_cast<float>(share * double(part) / double(kBin));
    }
  }

  // The cycles of a unit that the operation's iteration of the loop takes.
  void work(Unit unit, const Operation& op, double cycles) {
    if (op.kTile == emulator::kNoTile) return;
    if (perTurn_.size() <= op.kTile) perTurn_.resize(op.kTile + 1);
    perTurn_[op.kTile][static_cast<std::size_t>(unit)] += cycles;
  }

  // --- transfers in flight to the first block

  std::uint32_t flight(const Warp& w, const Operation& op, Ticks begin, Ticks end) {
    if (w.block != 0 || op.brings == emulator::kNoTile || op.matrix == analysis::Matrix::C)
      return kNone;
    const std::uint32_t id = op.brings * 2 + (op.matrix == analysis::Matrix::B ? 1 : 0);
    const auto [entry, isNew] = flights_.try_emplace(id);
    Span& span = entry->second;
    if (isNew) {
      span.begin = cyclesOf(begin);
      span.work = Work::Flight;
      span.matrix = op.matrix;
      span.kTile = op.brings;
      span.line = op.line;
    }
    span.end = std::max(span.end, cyclesOf(end));
    return id;
  }

  // --- operations

  void issue(std::uint32_t index, Ticks at) {
    Warp& w = warps_[index];
    const std::uint32_t number = w.next;
    const Operation& op = w.program->operations[number];
    if (w.block == 0) recordWait(w);
    const Ticks end = at + slot_ * op.issues;
    free_[w.scheduler] = end;
    w.issued = end;
    ++w.next;
    occupy(Unit::Issue, at, end, 1.0 / kSchedulers);
    work(Unit::Issue, op, cyclesOf(end - at) / kSchedulers);
    work(Unit::Shared, op, op.wavefronts);
    if (w.block == 0 && op.issues > 0) recordIssue(w, op, at, end);
    execute(w, index, number, op, at, end);
    prepare(index);
  }

  void execute(Warp& w, std::uint32_t index, std::uint32_t number, const Operation& op, Ticks at,
               Ticks end) {
    BlockState& block = blocks_[w.block];
    const double passes = op.wavefronts + op.sectors * costs_.sectorCycles;
    switch (op.work) {
      case Work::Load: {
        if (costs_.fromL1 && op.matrix != analysis::Matrix::C) {
          w.results[number] = loadThroughL1(w, op, at);
        } else {
          const Ticks there = memory(w, op, throughL2(op, at, op.bytes, costs_.l2Bytes));
          w.results[number] = later(there, passes);
          countSectors(op);
        }
        w.flights[number] = flight(w, op, at, w.results[number]);
        break;
      }
      case Work::Copy: {
        const Ticks there =
            later(memory(w, op, throughL2(op, at, op.bytes, costs_.l2Bytes)), passes);
        countSectors(op);
        const std::uint32_t id = flight(w, op, at, there);
        if (there >= w.openCopies) w.openFlight = id;
        w.openCopies = std::max(w.openCopies, there);
        break;
      }
      case Work::Fill:
        w.stored = std::max(w.stored, throughPipe(at, passes));
        break;
      case Work::Fragments:
        w.results[number] = throughPipe(at, passes) - kCycle + ticks(costs_.sharedLatency);
        break;
      case Work::Multiply:
        w.lastMultiply = at;
        w.results[number] = end + ticks(costs_.fmaLatency) - slot_;
        occupy(Unit::Fma, at, end, double(op.issues * kCycle) / double(end - at) / kSchedulers);
        work(Unit::Fma, op, double(op.issues) / kSchedulers);
        begin(block, op, at);
        break;
      case Work::Mma: {
        const Ticks until = at + ticks(costs_.mmaCycles);
        mmaFree_[w.scheduler] = until;
        occupy(Unit::TensorCore, at, until, 1.0 / kSchedulers);
        work(Unit::TensorCore, op, costs_.mmaCycles / kSchedulers);
        w.results[number] = at + ticks(costs_.mmaLatency);
        begin(block, op, at);
        break;
      }
      case Work::Store:
        leave(w, op, throughPipe(at, passes));
        break;
      case Work::Barrier: {
        ++block.arrived;
        const Ticks arrival = std::max(end, w.stored);
        if (arrival >= block.latest) {
          block.latest = arrival;
          block.latestWarp = w.number;
        }
        sleep(w, kNever, On::Warps);
        meet(w.block);
        break;
      }
      case Work::CommitCopies: {
        const Ticks before = w.copyGroups.empty() ? 0 : w.copyGroups.back();
        const bool later = w.openCopies >= before && w.openFlight != kNone;
        w.copyFlights.push_back(later                   ? w.openFlight
                                : w.copyFlights.empty() ? kNone
                                                        : w.copyFlights.back());
        w.copyGroups.push_back(std::max(before, w.openCopies));
        w.openCopies = 0;
        w.openFlight = kNone;
        break;
      }
      case Work::WaitCopies:
        if (w.copyGroups.size() > op.amount) {
          const std::size_t group = w.copyGroups.size() - 1 - op.amount;
          Waker waker;
          if (w.copyFlights[group] != kNone)
            waker = {Waker::Kind::Flight, w.copyFlights[group], w.copyGroups[group]};
          sleep(w, w.copyGroups[group], On::Copies, waker);
        }
        break;
      default:
        executeHopper(w, index, op, at, end);
    }
  }

  void executeHopper(Warp& w, std::uint32_t index, const Operation& op, Ticks at, Ticks end) {
    BlockState& block = blocks_[w.block];
    const Waker self{Waker::Kind::Warp, w.number, end};
    switch (op.work) {
      case Work::StartBarrier: {
        MemoryBarrier& barrier = block.barriers[op.object];
        barrier = {};
        barrier.count = op.amount;
        barrier.pending = op.amount;
        break;
      }
      case Work::Expect:
        block.barriers[op.object].bytes += op.announced;
        arrive(w.block, op.object, end, self);
        break;
      case Work::Arrive:
        for (std::uint32_t i = 0; i < std::max(1u, op.amount); ++i)
          arrive(w.block, op.object, end, self);
        break;
      case Work::Box: {
        const Ticks asked = std::max(end, at + ticks(costs_.boxAsk));
        sleep(w, asked, On::Nothing);  // its span says what it does in that time
        const Ticks there = memory(w, op, throughL2(op, asked, op.bytes, costs_.boxL2Bytes));
        const std::uint32_t id = flight(w, op, asked, there);
        MemoryBarrier& barrier = block.barriers[op.object];
        barrier.bytes -= std::int64_t{op.announced} * std::max(1u, op.amount);
        contribute(barrier, there, id == kNone ? Waker{} : Waker{Waker::Kind::Flight, id, there});
        turn(w.block, op.object);
        break;
      }
      case Work::WaitBarrier: {
        const MemoryBarrier& barrier = block.barriers[op.object];
        if (op.amount == kBeforeFirst) {
          sleep(w, goesOn(end), On::Phase);
        } else if (op.amount < barrier.ended.size()) {
          sleep(w, goesOn(std::max(end, barrier.ended[op.amount])), On::Phase,
                barrier.wakers[op.amount]);
        } else {
          w.waitsForBarrier = op.object;
          w.waitsForPhase = op.amount;
          sleep(w, kNever, On::Phase);
        }
        break;
      }
      case Work::Meet:
        meetSome(w, index, op, end);
        break;
      case Work::BoxStore: {
        const Ticks asked = std::max(end, at + ticks(costs_.boxAsk));
        sleep(w, asked, On::Nothing);  // its span says what it does in that time
        w.boxes.ask(leave(w, op, asked));
        break;
      }
      case Work::CommitBoxes:
        w.boxes.commit();
        break;
      case Work::WaitBoxes:
        sleep(w, w.boxes.readBut(op.amount), On::Boxes);
        break;
      case Work::Product:
        product(w, op, end);
        break;
      case Work::CommitProducts:
        w.productGroups.push_back(w.products);
        break;
      case Work::WaitProducts: {
        if (w.productGroups.size() <= op.amount) break;
        const std::uint32_t upTo = w.productGroups[w.productGroups.size() - 1 - op.amount];
        if (upTo == 0) break;
        w.waitsForProduct = upTo - 1;
        sleep(w, kNever, On::Products);
        lookForProducts(index);
        break;
      }
      default:
        break;  // an issue slot without visible effect
    }
  }

  // The block begins to multiply a K tile.
  static void begin(BlockState& block, const Operation& op, Ticks at) {
    if (op.kTile < block.tileStarts.size())
      block.tileStarts[op.kTile] = std::min(block.tileStarts[op.kTile], at);
  }

  // __syncthreads(): the last warp releases all.
  void meet(std::uint32_t number) {
    BlockState& block = blocks_[number];
    if (block.arrived == 0 || block.arrived < block.alive) return;
    const Ticks release = block.latest + ticks(costs_.barrierLatency);
    const Waker waker{Waker::Kind::Warp, block.latestWarp, block.latest};
    block.arrived = 0;
    block.latest = 0;
    for (std::uint32_t i = number * perBlock_; i < (number + 1) * perBlock_; ++i) {
      Warp& w = warps_[i];
      if (!w.done && w.on == On::Warps && w.blocked == kNever) wake(i, release, waker);
    }
  }

  // The last warp releases the others; the cost is that of __syncthreads() of a block of this many
  // warps.
  void meetSome(Warp& w, std::uint32_t index, const Operation& op, Ticks end) {
    if (op.amount <= 1) return;  // its lanes have arrived already
    SomeMeet& some = blocks_[w.block].meetings[op.object];
    sleep(w, kNever, On::Warps);
    some.sleepers.push_back(index);
    if (const Ticks there = std::max(end, w.stored); there >= some.latest) {
      some.latest = there;
      some.latestWarp = w.number;
    }
    if (some.sleepers.size() < op.amount) return;
    const Ticks release = some.latest + ticks(costs_.meetLatency + costs_.meetPerWarp * op.amount);
    const Waker waker{Waker::Kind::Warp, some.latestWarp, some.latest};
    for (const std::uint32_t sleeper : some.sleepers) wake(sleeper, release, waker);
    some = {};
  }

  static void contribute(MemoryBarrier& barrier, Ticks at, const Waker& waker) {
    if (at < barrier.latest) return;
    barrier.latest = at;
    barrier.waker = waker;
  }

  void arrive(std::uint32_t block, std::uint32_t object, Ticks at, const Waker& waker) {
    MemoryBarrier& barrier = blocks_[block].barriers[object];
    --barrier.pending;
    contribute(barrier, at, waker);
    turn(block, object);
  }

  Ticks goesOn(Ticks phaseOver) const { return phaseOver + ticks(costs_.phaseLatency); }

  // Ends the phase if no arrivals or bytes are missing.
  void turn(std::uint32_t number, std::uint32_t object) {
    MemoryBarrier& barrier = blocks_[number].barriers[object];
    if (barrier.count == 0 || barrier.pending != 0 || barrier.bytes != 0) return;
    barrier.ended.push_back(barrier.latest);
    barrier.wakers.push_back(barrier.waker);
    barrier.pending = barrier.count;
    barrier.latest = 0;
    const auto phase = static_cast<std::uint32_t>(barrier.ended.size() - 1);
    for (std::uint32_t i = number * perBlock_; i < (number + 1) * perBlock_; ++i) {
      Warp& w = warps_[i];
      if (w.done || w.waitsForBarrier != object || w.waitsForPhase != phase) continue;
      w.waitsForBarrier = kNone;
      wake(i, goesOn(std::max(w.issued, barrier.ended[phase])), barrier.wakers[phase]);
    }
  }

  void product(Warp& w, const Operation& op, Ticks end) {
    BlockState& block = blocks_[w.block];
    const std::uint32_t group = w.number / kWarpgroup;
    auto& products = block.products[group];
    const std::uint32_t mine = w.products++;
    if (products.size() <= mine) products.resize(mine + 1);
    Product& p = products[mine];
    p.ready = std::max(p.ready, end);
    p.wavefronts += op.wavefronts;
    const std::uint32_t members = std::min(kWarpgroup, perBlock_ - group * kWarpgroup);
    if (++p.issued < members) return;
    const Ticks start = std::max(p.ready, tensorFree_);
    p.end = tensorFree_ = start + ticks(op.amount * costs_.productCyclesPerColumn);
    occupy(Unit::TensorCore, start, p.end, 1);
    work(Unit::TensorCore, op, cyclesOf(p.end - start));
    // The tensor core reads its operands while it multiplies. That occupies the pipe but delays
    // nothing: measurements show that it is not the bottleneck.
    if (p.end > start)
      occupy(Unit::Shared, start, p.end, double(p.wavefronts * kCycle) / double(p.end - start));
    begin(block, op, start);
    if (w.block == 0) {
      Span span;
      span.begin = cyclesOf(start);
      span.end = cyclesOf(p.end);
      span.work = Work::Product;
      span.kTile = op.kTile;
      span.line = op.line;
      span.first = op.first;
      span.count = op.count;
      span.on = On::Nothing;
      tensor_.push_back(span);
    }
    for (std::uint32_t i = 0; i < members; ++i)
      lookForProducts(w.block * perBlock_ + group * kWarpgroup + i);
  }

  void lookForProducts(std::uint32_t index) {
    Warp& w = warps_[index];
    if (w.waitsForProduct == kNone) return;
    const auto& products = blocks_[w.block].products[w.number / kWarpgroup];
    if (w.waitsForProduct >= products.size() || products[w.waitsForProduct].end == kNever) return;
    const Ticks at = products[w.waitsForProduct].end;
    w.waitsForProduct = kNone;
    wake(index, at + ticks(costs_.productReturn), {Waker::Kind::TensorCore, 0, at});
  }

  // --- what is recorded for the lanes of the first block

  struct Woken {
    std::uint32_t warp = 0;
    Waker waker;
    double to = 0;
  };

  void recordWait(const Warp& w) {
    if (w.ready <= w.issued) return;
    auto& spans = spans_[w.number];
    double from = cyclesOf(w.issued);
    // While the tensor core works on its mma, the warp is not only waiting.
    if (!spans.empty()) from = std::max(from, spans.back().end);
    const double to = cyclesOf(w.ready);
    if (to <= from) return;
    const Operation& op = w.program->operations[w.next];
    Span span;
    span.begin = from;
    span.end = to;
    span.work = Work::Wait;
    span.on = w.readyOn;
    span.kTile = op.kTile;
    span.line = op.line;
    span.dot = op.dot;
    spans.push_back(span);
    if (w.readyWaker.kind != Waker::Kind::Nobody) woken_.push_back({w.number, w.readyWaker, to});
  }

  void recordIssue(const Warp& w, const Operation& op, Ticks at, Ticks end) {
    auto& spans = spans_[w.number];
    Span span;
    span.begin = cyclesOf(at);
    span.end = cyclesOf(end);
    if (op.work == Work::Mma) span.end = cyclesOf(at + ticks(costs_.mmaCycles));
    if (op.work == Work::Box || op.work == Work::BoxStore)
      span.end = std::max(span.end, cyclesOf(at + ticks(costs_.boxAsk)));
    span.work = op.work;
    span.matrix = op.matrix;
    span.kTile = op.kTile;
    span.line = op.line;
    span.dot = op.dot;
    span.first = op.first;
    span.count = op.count;
    if (!spans.empty() && spans.back().end > span.begin) spans.back().end = span.begin;
    spans.push_back(span);
  }

  std::string stuck(const Warp& w) const {
    const Operation& op = w.program->operations[std::min<std::size_t>(
        w.next == 0 ? 0 : w.next - 1, w.program->operations.size() - 1)];
    std::string text = fmt::format("warp {} of block {} waits forever", w.number, w.block);
    if (op.line > 0) text += fmt::format(" at line {}", op.line);
    if (w.waitsForBarrier != kNone) {
      const auto found = blocks_[w.block].barriers.find(w.waitsForBarrier);
      const MemoryBarrier barrier =
          found == blocks_[w.block].barriers.end() ? MemoryBarrier{} : found->second;
      return text +
             fmt::format(
                 ": phase {} of barrier {} ({} phases are complete) lacks {} arrivals and {} bytes",
                 w.waitsForPhase, w.waitsForBarrier, barrier.ended.size(), barrier.pending,
                 barrier.bytes);
    }
    if (w.waitsForProduct != kNone)
      return text +
             fmt::format(": wgmma {} of its warpgroup has not been issued by all of its warps",
                         w.waitsForProduct);
    return text + fmt::format(": {} of {} warps are at its __syncthreads()",
                              blocks_[w.block].arrived, blocks_[w.block].alive);
  }

  // --- the result

  tl::expected<Timeline, std::string> result() {
    Timeline t;
    t.blocks = static_cast<int>(blocks_.size());
    t.cycles = cyclesOf(end_);
    std::map<std::uint32_t, std::uint32_t> laneOf;  // of a transfer
    placeFlights(t, laneOf);
    const auto tensorLane = static_cast<std::uint32_t>(t.lanes.size());
    if (!tensor_.empty()) {
      Lane lane;
      lane.kind = LaneKind::TensorCore;
      lane.spans = std::move(tensor_);
      t.lanes.push_back(std::move(lane));
    }
    if (auto leaving = wayOut_.take(); !leaving.empty()) {
      Lane lane;
      lane.kind = LaneKind::Leaving;
      lane.matrix = analysis::Matrix::C;
      lane.spans = std::move(leaving);
      t.lanes.push_back(std::move(lane));
    }
    const auto firstWarp = static_cast<std::uint32_t>(t.lanes.size());
    for (std::uint32_t w = 0; w < perBlock_; ++w) {
      Lane lane;
      lane.number = w;
      lane.scheduler = warps_[w].scheduler;
      lane.spans = std::move(spans_[w]);
      if (w < program_.roles.size()) lane.role = program_.roles[w];
      t.lanes.push_back(std::move(lane));
    }
    for (const Woken& woken : woken_) {
      Arrow arrow;
      arrow.from = cyclesOf(woken.waker.at);
      arrow.to = woken.to;
      arrow.toLane = firstWarp + woken.warp;
      switch (woken.waker.kind) {
        case Waker::Kind::Warp:
          arrow.fromLane = firstWarp + woken.waker.id;
          break;
        case Waker::Kind::TensorCore:
          arrow.fromLane = tensorLane;
          break;
        case Waker::Kind::Flight:
          arrow.fromLane = laneOf[woken.waker.id];
          break;
        case Waker::Kind::Nobody:
          continue;
      }
      t.arrows.push_back(arrow);
    }
    takeArrivals(end_);  // including what came after the last use of the pipe
    for (std::size_t u = 0; u < kUnits; ++u) {
      auto& bins = curves_[u];
      bins.resize(std::min<std::size_t>(bins.size(), std::size_t(end_ / kBin + 1)));
      // Operands pass through the data pipe beside its queue.
      for (float& share : bins) share = std::min(share, 1.0F);
      t.curves[u] = {cyclesOf(kBin), std::move(bins)};
    }
    steady(t);
    return t;
  }

  // K tiles that are in flight at the same time have separate rows, A beside B.
  void placeFlights(Timeline& t, std::map<std::uint32_t, std::uint32_t>& laneOf) {
    std::vector<std::pair<std::uint32_t, Span>> order;  // of K tiles, from first to last
    std::map<std::uint32_t, std::pair<double, double>> tiles;
    for (const auto& [id, span] : flights_) {
      const auto [entry, isNew] = tiles.try_emplace(id / 2, span.begin, span.end);
      if (!isNew) {
        entry->second.first = std::min(entry->second.first, span.begin);
        entry->second.second = std::max(entry->second.second, span.end);
      }
    }
    std::vector<double> rows;  // end of use of each
    for (const auto& [tile, times] : tiles) {
      std::size_t row = 0;
      while (row < rows.size() && rows[row] > times.first) ++row;
      if (row == rows.size()) {
        rows.push_back(0);
        for (const analysis::Matrix m : {analysis::Matrix::A, analysis::Matrix::B}) {
          Lane lane;
          lane.kind = LaneKind::Flight;
          lane.number = static_cast<std::uint32_t>(row);
          lane.matrix = m;
          t.lanes.push_back(lane);
        }
      }
      rows[row] = times.second;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const auto span = flights_.find(tile * 2 + side);
        if (span == flights_.end()) continue;
        const auto lane = static_cast<std::uint32_t>(row * 2 + side);
        laneOf[span->first] = lane;
        t.lanes[lane].spans.push_back(span->second);
      }
    }
  }

  void steady(Timeline& t) const {
    for (const Ticks at : blocks_.front().tileStarts) {
      if (at >= kNever) break;
      t.tileStarts.push_back(cyclesOf(at));
    }
    double loopEnd = 0;
    for (const Lane& lane : t.lanes) {
      if (lane.kind == LaneKind::Flight) continue;
      for (const Span& span : lane.spans) {
        if (span.kTile != emulator::kNoTile && span.work != Work::Wait)
          loopEnd = std::max(loopEnd, span.end);
      }
    }
    t.loopEnd = loopEnd;
    t.sectorsPerTile = sectorLoads_ / loadedTiles();
    if (t.tileStarts.size() < 2) return;
    t.steadyTo = static_cast<std::uint32_t>(t.tileStarts.size() - 1);
    if (program_.walks > 1) {
      t.tilesPerWalk = program_.kTiles / program_.walks;
      t.steadyTo = std::min(t.steadyTo, t.tilesPerWalk - 1);
    }
    t.steadyFrom = std::min(std::max(2u, program_.buffers), t.steadyTo - 1);
    double sum = 0;
    for (const BlockState& block : blocks_)
      sum += cyclesOf(block.tileStarts[t.steadyTo] - block.tileStarts[t.steadyFrom]);
    const double turns = t.steadyTo - t.steadyFrom;
    t.cyclesPerTile = sum / double(blocks_.size()) / turns;
    for (std::uint32_t turn = t.steadyFrom; turn < t.steadyTo && turn < perTurn_.size(); ++turn) {
      for (std::size_t u = 0; u < kUnits; ++u) t.perTile[u] += perTurn_[turn][u] / turns;
    }
    t.perTile[static_cast<std::size_t>(Unit::Shared)] += t.sectorsPerTile;
    t.perTile[static_cast<std::size_t>(Unit::L2)] = l2Loads_ / loadedTiles();
  }

  static constexpr Ticks kBin = 64 * kCycle;

  const BlockProgram& program_;
  const Costs& costs_;
  std::uint32_t perBlock_;
  Ticks slot_ = kCycle;
  std::vector<Warp> warps_;
  std::vector<BlockState> blocks_;
  std::array<std::vector<std::uint32_t>, kSchedulers> mine_;
  std::array<Ticks, kSchedulers> free_{}, when_{}, mmaFree_{};
  std::array<bool, kSchedulers> dirty_{true, true, true, true};
  std::array<std::uint32_t, kSchedulers> last_{kNone, kNone, kNone, kNone}, chosen_{};
  Ticks pipeFree_ = 0, l2Free_ = 0, tensorFree_ = 0, end_ = 0;
  WayOut wayOut_;
  double l2Loads_ = 0;      // cycles for which L2 delivers K tiles
  double sectorLoads_ = 0;  // cycles for which their sectors pass the data pipe
  std::vector<std::array<double, kUnits>> perTurn_;  // per iteration: cycles, without loads
  double missed_ = 0;
  using Arrival = std::pair<Ticks, Ticks>;  // time, and cycles of the pipe
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
  std::array<std::vector<float>, kUnits> curves_;
  std::map<std::uint32_t, Span> flights_;
  std::vector<Span> tensor_;
  std::vector<std::vector<Span>> spans_;
  std::vector<Woken> woken_;
};

}  // namespace

tl::expected<Timeline, std::string> simulate(const BlockProgram& program, const Costs& costs) {
  return Clock(program, costs).run();
}

}  // namespace tileloom::timeline
