// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/emulator/recorded_counts.h"
#include "kernels/emulator/shared_placing.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/residency.h"

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
          rowOf(format).elementsPerWord()};
}

judges::Subject judgedBlock(const BlockSetup& setup, std::uint32_t threads,
                            const std::vector<Array>& arrays) {
  judges::Subject subject;
  subject.kernel = setup.rung()->id;
  subject.file = setup.rung()->file;
  subject.block = setup.block;
  subject.threads = threads;
  subject.order = setup.rung()->features().tma ? judges::Order::Clocks : judges::Order::Intervals;
  subject.arrays = &arrays;
  if (setup.left != nullptr) subject.flags = &setup.left->told;
  return subject;
}

}  // namespace

Block::Block(Workspace& workspace, const BlockSetup& setup)
    : workspace_(workspace),
      recorder_(workspace.recorder),
      setup_(setup),
      launch_(residentLaunch(*setup.rung(), setup.tile, setup.problem, setup.sms)),
      resident_(residentOf(*setup.rung(), setup.tile, setup.problem, setup.block, setup.sms)),
      format_(&rowOf(setup.format)),
      parts_(format_->elementsPerWord()),
      threads_(static_cast<std::uint32_t>(launch_.block.x * launch_.block.y)),
      arrays_({globalArray("A", setup.matrices[kArrayA], setup.format),
               globalArray("B", setup.matrices[kArrayB], setup.format),
               globalArray("C", setup.matrices[kArrayC], setup.format)}),
      judges_(judgedBlock(setup, threads_, arrays_), workspace.shared_),
      fibers_(workspace.stacks) {
  const Derived derived = derive(*setup.rung(), setup.tile);
  stepK_ = static_cast<std::uint32_t>(std::max(derived.stepK, 1));
  const auto k = static_cast<std::uint32_t>(setup.problem.k);
  kLimit_ = setup.kLimit == 0 ? k : std::min(k, setup.kLimit);
  kEnd_ = setup.kEndsThere ? kLimit_ : k;
  workspace_.upper_.clear();
  workspace_.registers_.resize(std::size_t{threads_} * kRegistersPerThread);
  if (setup_.rung()->features().tma) agents_ = std::make_unique<Agents>(*this);
}

std::uint32_t Block::sharedArray(std::uint32_t ordinal, const char* name, std::uint32_t rows,
                                 std::uint32_t elements, std::uint32_t parts) {
  if (ordinal == shared_.size()) {
    if (arrays_.size() == kMostArrays) {
      judges_.context().report(
          FaultKind::OutOfBounds, here(0),
          fmt::format("has more than {} shared arrays, for which a trace has no room: use fewer",
                      kMostArrays - kFirstShared));
      throw std::bad_alloc();  // the trace ends here
    }
    sharedWords_ = nextSharedBase(sharedWords_);
    const auto base = static_cast<std::uint32_t>(sharedWords_);
    shared_.push_back({base, elements});
    const std::uint32_t columns = rows > 0 ? elements / rows : 0;
    arrays_.push_back({name, Space::Shared, rows, columns, elements, base, parts});
    sharedWords_ += (elements + parts - 1) / parts;
    report(event::SharedMemory{static_cast<std::uint32_t>(sharedWords_)});
    if (parts > 1) workspace_.upper_.resize(sharedWords_ * (parts - 1));
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

bool Block::resume() {
  bool running = false;
  try {
    running = fibers_.resume(thread_);
    if (!running) report(event::ThreadEnded{thread_});
  } catch (const std::bad_alloc&) {
    // The other warps get empty intervals: all warps have the same number of them.
    ended_ = true;
    judges_.context().report(FaultKind::OutOfMemory, here(0), {});
  }
  recorder_.endLane();
  return running;
}

void Block::run(const IntervalSink& sink) {
  if (agents_ != nullptr) {
    Block* const alone = this;
    return runTogether({&alone, 1}, {&sink, 1});
  }
  begin();
  bool running = true;
  for (std::uint32_t interval = 0; running && !ended_; ++interval) {
    running = false;
    for (std::uint32_t warp = 0; warp < warps(); ++warp) {
      recorder_.beginWarp(warp);
      for (std::uint32_t lane = 0; lane < kWarpSize && !ended_; ++lane) {
        thread_ = warp * kWarpSize + lane;
        if (thread_ >= threads_ || !fibers_.alive(thread_)) continue;
        recorder_.beginLane(lane);
        running |= resume();
      }
      while (meeting_.lanes != 0 && !ended_) {
        hold(meeting_, warp);
        const std::uint32_t lanes = std::exchange(meeting_.lanes, 0);
        for (std::uint32_t lane = 0; lane < kWarpSize && !ended_; ++lane) {
          if ((lanes >> lane & 1u) == 0) continue;
          thread_ = warp * kWarpSize + lane;
          recorder_.continueLane(lane);
          running |= resume();
        }
      }
      recorder_.endWarp(interval, sink);
    }
    report(event::BlockBarrierPassed{});
  }
  fibers_.stop();
}

void Block::commitCopies(int line) {
  report(event::CopyCommit{here(line)});
  if (copies_.empty()) copies_.resize(threads_);
  Copies& mine = copies_[thread_];
  mine.committed.push_back(mine.words.size());
}

void Block::waitForCopies(std::uint32_t newest, int line) {
  report(event::CopyWait{here(line), newest});
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
  report(event::Settled{thread_});
  if (copies_.empty()) return;
  Copies& mine = copies_[thread_];
  arrive(mine, mine.words.size());
  mine.committed.clear();
}

// The oldest `words` words in flight arrive.
void Block::arrive(Copies& mine, std::size_t words) {
  const std::size_t further = mine.upper.empty() ? 0 : parts_ - 1;
  for (std::size_t i = 0; i < words; ++i) {
    const Copy& copy = mine.words[i];
    workspace_.shared_[copy.word].held = copy.content;
    for (std::size_t j = 0; j < further; ++j)
      workspace_.upper_[copy.word * further + j] = mine.upper[i * further + j];
  }
  mine.upper.erase(mine.upper.begin(),
                   mine.upper.begin() + static_cast<std::ptrdiff_t>(words * further));
  mine.words.erase(mine.words.begin(), mine.words.begin() + static_cast<std::ptrdiff_t>(words));
}

void Block::registerFault(const char* registerName, std::uint32_t index, std::uint32_t size,
                          int line) {
  report(event::RegisterOutside{here(line), registerName, index, size});
}

}  // namespace tileloom::emulator
