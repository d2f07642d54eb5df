// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/emulator/recorded_counts.h"
#include "kernels/emulator/shared_placing.h"
#include "kernels/emulator/workspace_buffers.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/residency.h"

namespace tileloom::emulator {
namespace {

constexpr std::size_t kRegistersPerThread = 512;  // room; the constraint table allows far fewer
static_assert(kRegistersPerThread < Provenance::kSlotMask,
              "the numbers of the accumulators do not fit into a provenance");

}  // namespace

Block::Block(Workspace& workspace, const BlockSetup& setup)
    : registers_(workspace.buffers().registers),
      resident_(residentOf(*setup.rung(), setup.tile, setup.problem, setup.block, setup.sms)),
      state_(workspace, setup) {
  const Derived derived = derive(*setup.rung(), setup.tile);
  stepK_ = static_cast<std::uint32_t>(std::max(derived.stepK, 1));
  registers_.resize(std::size_t{threads()} * kRegistersPerThread);
  if (setup.rung()->features().tma) agents_ = std::make_unique<Agents>(state_);
}

std::uint32_t Block::sharedArray(std::uint32_t ordinal, const char* name, std::uint32_t rows,
                                 std::uint32_t elements, std::uint32_t parts) {
  if (ordinal == state_.sharedArrays.size()) {
    if (state_.arrays.size() == kMostArrays) {
      state_.judges.context().report(
          FaultKind::OutOfBounds, here(0),
          fmt::format("has more than {} shared arrays, for which a trace has no room: use fewer",
                      kMostArrays - kFirstShared));
      throw std::bad_alloc();  // the trace ends here
    }
    sharedWords_ = nextSharedBase(sharedWords_);
    const auto base = static_cast<std::uint32_t>(sharedWords_);
    state_.sharedArrays.push_back({base, elements});
    const std::uint32_t columns = rows > 0 ? elements / rows : 0;
    state_.arrays.push_back({name, Space::Shared, rows, columns, elements, base, parts});
    sharedWords_ += (elements + parts - 1) / parts;
    report(event::SharedMemory{static_cast<std::uint32_t>(sharedWords_)});
    if (parts > 1) state_.upper.resize(sharedWords_ * (parts - 1));
  }
  return kFirstShared + ordinal;
}

RegisterSlot* Block::registers(std::uint32_t count) {
  RegisterSlot* first = registers_.data() + registersUsed_;
  registersUsed_ += count;
  if (registersUsed_ > registers_.size()) throw std::bad_alloc();
  std::fill(first, first + count, RegisterSlot{});
  return first;
}

void Block::begin() {
  state_.recorder.begin(state_.setup.operands);
  state_.fibers.start(state_.threads, [this](std::size_t thread) {
    state_.setup.rung()->enter(*this, static_cast<unsigned>(thread));
  });
}

bool Block::resume() {
  bool running = false;
  try {
    running = state_.fibers.resume(state_.thread);
    if (!running) report(event::ThreadEnded{state_.thread});
  } catch (const std::bad_alloc&) {
    // The other warps get empty intervals: all warps have the same number of them.
    ended_ = true;
    state_.judges.context().report(FaultKind::OutOfMemory, here(0), {});
  }
  state_.recorder.endLane();
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
      state_.recorder.beginWarp(warp);
      for (std::uint32_t lane = 0; lane < kWarpSize && !ended_; ++lane) {
        state_.thread = warp * kWarpSize + lane;
        if (state_.thread >= state_.threads || !state_.fibers.alive(state_.thread)) continue;
        state_.recorder.beginLane(lane);
        running |= resume();
      }
      while (meeting_.lanes != 0 && !ended_) {
        hold(meeting_, warp);
        const std::uint32_t lanes = std::exchange(meeting_.lanes, 0);
        for (std::uint32_t lane = 0; lane < kWarpSize && !ended_; ++lane) {
          if ((lanes >> lane & 1u) == 0) continue;
          state_.thread = warp * kWarpSize + lane;
          state_.recorder.continueLane(lane);
          running |= resume();
        }
      }
      state_.recorder.endWarp(interval, sink);
    }
    report(event::BlockBarrierPassed{});
  }
  state_.fibers.stop();
}

void Block::commitCopies(int line) {
  report(event::CopyCommit{here(line)});
  if (copies_.empty()) copies_.resize(state_.threads);
  Copies& mine = copies_[state_.thread];
  mine.committed.push_back(mine.words.size());
}

void Block::waitForCopies(std::uint32_t newest, int line) {
  report(event::CopyWait{here(line), newest});
  if (copies_.empty()) return;
  Copies& mine = copies_[state_.thread];
  if (mine.committed.size() <= newest) return;
  const std::size_t groups = mine.committed.size() - newest;
  const std::size_t words = mine.committed[groups - 1];
  arrive(mine, words);
  mine.committed.erase(mine.committed.begin(),
                       mine.committed.begin() + static_cast<std::ptrdiff_t>(groups));
  for (std::size_t& end : mine.committed) end -= words;
}

void Block::settleCopies() {
  report(event::Settled{state_.thread});
  if (copies_.empty()) return;
  Copies& mine = copies_[state_.thread];
  arrive(mine, mine.words.size());
  mine.committed.clear();
}

// The oldest `words` words in flight arrive.
void Block::arrive(Copies& mine, std::size_t words) {
  const std::size_t further = mine.upper.empty() ? 0 : state_.parts - 1;
  for (std::size_t i = 0; i < words; ++i) {
    const Copy& copy = mine.words[i];
    state_.shared[copy.word].held = copy.content;
    for (std::size_t j = 0; j < further; ++j)
      state_.upper[copy.word * further + j] = mine.upper[i * further + j];
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
