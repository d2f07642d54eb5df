// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/emulator/recorded_counts.h"
#include "kernels/emulator/shared_placing.h"
#include "kernels/tile/derived.h"

namespace tileloom::emulator {
namespace {

constexpr std::size_t kRegistersPerThread = 512;  // room; the constraint table allows far fewer
static_assert(kRegistersPerThread < Provenance::kSlotMask,
              "the numbers of the accumulators do not fit into a provenance");

Array globalArray(const char* name, const Matrix& matrix, Format format) {
  return {name,
          Space::Global,
          matrix.rows,
          matrix.columns,
          matrix.rows * matrix.columns,
          0,
          4 / static_cast<std::uint32_t>(rowOf(format).bytes)};
}

}  // namespace

Block::Block(Workspace& workspace, const BlockSetup& setup)
    : workspace_(workspace),
      recorder_(workspace.recorder),
      setup_(setup),
      fibers_(workspace.stacks) {
  const Derived derived = derive(*setup.rung(), setup.tile);
  launch_ = residentLaunch(*setup.rung(), setup.tile, setup.problem, setup.sms);
  resident_ = residentOf(*setup.rung(), setup.tile, setup.problem, setup.block, setup.sms);
  threads_ = static_cast<std::uint32_t>(launch_.block.x * launch_.block.y);
  stepK_ = static_cast<std::uint32_t>(std::max(derived.stepK, 1));
  const auto k = static_cast<std::uint32_t>(setup.problem.k);
  kLimit_ = setup.kLimit == 0 ? k : std::min(k, setup.kLimit);
  kEnd_ = setup.kEndsThere ? kLimit_ : k;
  arrays_ = {globalArray("A", setup.matrices[kArrayA], setup.format),
             globalArray("B", setup.matrices[kArrayB], setup.format),
             globalArray("C", setup.matrices[kArrayC], setup.format)};
  workspace_.shared_.clear();
  workspace_.upper_.clear();
  workspace_.registers_.resize(std::size_t{threads_} * kRegistersPerThread);
  if (setup_.rung()->features().tma) agents_ = std::make_unique<Agents>(*this);
}

std::uint32_t Block::sharedArray(std::uint32_t ordinal, const char* name, std::uint32_t rows,
                                 std::uint32_t elements, std::uint32_t parts) {
  if (ordinal == shared_.size()) {
    if (arrays_.size() == kMostArrays) {
      Fault f = faultHere(FaultKind::OutOfBounds);
      f.detail =
          fmt::format("has more than {} shared arrays, for which a trace has no room: use fewer",
                      kMostArrays - kFirstShared);
      faults_.add(std::move(f));
      throw std::bad_alloc();  // the trace ends here
    }
    sharedWords_ = nextSharedBase(sharedWords_);
    const auto base = static_cast<std::uint32_t>(sharedWords_);
    shared_.push_back({base, elements});
    const std::uint32_t columns = rows > 0 ? elements / rows : 0;
    arrays_.push_back({name, Space::Shared, rows, columns, elements, base, parts});
    sharedWords_ += (elements + parts - 1) / parts;
    workspace_.shared_.resize(sharedWords_, {0.0f, {}, 0, 0});
    if (parts > 1) workspace_.upper_.resize(sharedWords_);
  }
  return kFirstShared + ordinal;
}

RegisterSlot* Block::registers(std::uint32_t count) {
  RegisterSlot* first = workspace_.registers_.data() + registersUsed_;
  registersUsed_ += count;
  if (registersUsed_ > workspace_.registers_.size()) throw std::bad_alloc();
  std::fill(first, first + count, RegisterSlot{});
  return first;
}

void Block::begin() {
  recorder_.begin(setup_.operands);
  fibers_.start(threads_, [this](std::size_t thread) {
    setup_.rung()->enter(*this, static_cast<unsigned>(thread));
  });
}

void Block::run(const IntervalSink& sink) {
  if (agents_ != nullptr) {
    Block* const alone = this;
    return runTogether({&alone, 1}, {&sink, 1});
  }
  begin();
  bool running = true, ended = false;
  // Runs the present thread until it waits for others.
  const auto resume = [&] {
    try {
      running |= fibers_.resume(thread_);
    } catch (const std::bad_alloc&) {
      // The other warps get empty intervals: all warps have the same number of them.
      ended = true;
      faults_.add(faultHere(FaultKind::OutOfMemory));
    }
    recorder_.endLane();
  };
  for (std::uint32_t interval = 0; running && !ended; ++interval) {
    running = false;
    for (std::uint32_t warp = 0; warp < warps(); ++warp) {
      recorder_.beginWarp(warp);
      for (std::uint32_t lane = 0; lane < kWarpSize && !ended; ++lane) {
        become(warp, lane, interval);
        if (thread_ >= threads_ || !fibers_.alive(thread_)) continue;
        recorder_.beginLane(lane);
        resume();
      }
      while (meeting_.lanes != 0 && !ended) {
        hold(meeting_, warp, interval);
        const std::uint32_t lanes = std::exchange(meeting_.lanes, 0);
        for (std::uint32_t lane = 0; lane < kWarpSize && !ended; ++lane) {
          if ((lanes >> lane & 1u) == 0) continue;
          become(warp, lane, interval);
          recorder_.continueLane(lane);
          resume();
        }
      }
      recorder_.endWarp(interval, sink);
    }
  }
  fibers_.stop();
}

void Block::commitCopies(int line) {
  recorder_.event(Kind::CopyCommit, line);
  if (copies_.empty()) copies_.resize(threads_);
  Copies& mine = copies_[thread_];
  mine.committed.push_back(mine.words.size());
}

void Block::waitForCopies(std::uint32_t newest, int line) {
  if (std::string detail = tooManyGroups(newest); !detail.empty()) {
    Fault f = faultHere(FaultKind::OutOfBounds);
    f.line = line;
    f.detail = std::move(detail);
    faults_.add(std::move(f));
  }
  recorder_.event(Kind::CopyWait, line, std::min(newest, kMostGroupsLeft));
  if (copies_.empty()) return;
  Copies& mine = copies_[thread_];
  if (mine.committed.size() <= newest) return;
  const std::size_t groups = mine.committed.size() - newest;
  const std::size_t words = mine.committed[groups - 1];
  arrive(mine, words);
  mine.committed.erase(mine.committed.begin(),
                       mine.committed.begin() + static_cast<std::ptrdiff_t>(groups));
  for (std::size_t& end : mine.committed) end -= words;
}

void Block::settleCopies() {
  if (agents_ != nullptr) agents_->settle();
  if (copies_.empty()) return;
  Copies& mine = copies_[thread_];
  arrive(mine, mine.words.size());
  mine.committed.clear();
}

// The oldest `words` words in flight arrive.
void Block::arrive(Copies& mine, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) {
    const Copy& copy = mine.words[i];
    Workspace::SharedWord& word = workspace_.shared_[copy.word];
    word.written = stamp_;
    word.value = copy.content.value;
    word.provenance = copy.content.provenance;
    if (!mine.upper.empty()) workspace_.upper_[copy.word] = mine.upper[i];
  }
  if (!mine.upper.empty())
    mine.upper.erase(mine.upper.begin(), mine.upper.begin() + static_cast<std::ptrdiff_t>(words));
  mine.words.erase(mine.words.begin(), mine.words.begin() + static_cast<std::ptrdiff_t>(words));
}

Fault Block::faultHere(FaultKind kind) const {
  Fault f;
  f.kind = kind;
  f.stage = setup_.rung()->id;
  f.block = setup_.block;
  f.thread = static_cast<int>(thread_);
  f.file = setup_.rung()->file;
  return f;
}

void Block::fault(FaultKind kind, std::uint32_t array, std::int64_t index, int line, bool store,
                  int other) {
  Fault f = faultHere(kind);
  f.otherThread = other;
  f.line = line;
  f.array = arrays_[array].name;
  f.index = index;
  f.size = arrays_[array].elements;
  f.store = store;
  faults_.add(std::move(f));
}

void Block::registerFault(const char* registerName, std::uint32_t index, std::uint32_t size,
                          int line) {
  Fault f = faultHere(FaultKind::OutOfBounds);
  f.line = line;
  f.array = registerName;
  f.index = index;
  f.size = size;
  faults_.add(std::move(f));
}

}  // namespace tileloom::emulator
