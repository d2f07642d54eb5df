// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/recorded/machine_judges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/base/plain_text.h"
#include "kernels/executor/operation.h"
#include "kernels/executor/recorded/judged_block.h"
#include "kernels/executor/warp.h"
#include "kernels/sass/decode.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::Fault;
using emulator::FaultKind;
using emulator::Site;
namespace event = emulator::event;
namespace judges = emulator::judges;

std::uint32_t firstOf(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::vector<std::uint8_t> numbersOf(const std::bitset<256>& registers) {
  std::vector<std::uint8_t> numbers;
  for (std::uint32_t i = 0; i < kJudgedRegisters; ++i)
    if (registers[i]) numbers.push_back(static_cast<std::uint8_t>(i));
  return numbers;
}

// What happens when a warp reaches the instruction, beside what the executor reports.
AsyncStep stepOf(const sass::Decoded& decoded) {
  AsyncStep step;
  const std::string_view base = decoded.base();
  const auto newest = [&] {
    const auto number = std::ranges::find(decoded.operands, sass::OperandKind::Immediate,
                                          &sass::DecodedOperand::kind);
    return number == decoded.operands.end() ? 0u : static_cast<std::uint32_t>(number->value);
  };
  if (base == "FENCE")
    step.what = AsyncStep::What::Fence;
  else if (base == "UTMACMDFLUSH")
    step.what = AsyncStep::What::CommitStores;
  else if (base == "ARRIVES")
    step.what = AsyncStep::What::ArriveByCopies;
  else if (base == "WARPGROUP" && decoded.effect() == sass::Effect::Wait)
    step = {AsyncStep::What::WaitProducts, newest()};
  return step;
}

// "gemm.cu" and the line.
std::pair<std::string, int> placeIn(const sass::SourcePlace& place) {
  const auto slash = place.file.rfind('/');
  return {quotable(slash == std::string_view::npos ? place.file : place.file.substr(slash + 1)),
          static_cast<int>(place.line)};
}

}  // namespace

MachineJudges::MachineJudges(const Launch& launch, std::string kernel, std::string file)
    : launch_(launch), kernel_(std::move(kernel)), file_(std::move(file)) {
  const sass::KernelImage& image = *launch.kernel;
  uses_.resize(image.words.size());
  places_.resize(image.words.size());
  for (std::size_t i = 0; i < image.words.size(); ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    const auto places = image.lines.at(address);
    if (!places.empty()) places_[i] = placeIn(places.front());
    const auto decoded = sass::decode(image.words[i], address, launch.module->capability);
    if (!decoded) continue;
    uses_[i].reads = numbersOf(decoded->reads().registers);
    uses_[i].writes = numbersOf(decoded->writes().registers);
    // A compiler may set a part of a register that it never sets as a whole: bits with predicates,
    // or one of two halves.
    if (decoded->base() == "LOP3" || decoded->base() == "PRMT")
      std::erase_if(uses_[i].reads, [&](std::uint8_t reg) {
        return std::ranges::find(uses_[i].writes, reg) != uses_[i].writes.end();
      });
    uses_[i].step = stepOf(*decoded);
    uses_[i].product = decoded->base().ends_with("GMMA");
    uses_[i].commits = std::ranges::any_of(decoded->operands, [](const auto& operand) {
      return operand.kind == sass::OperandKind::ProductGroup && operand.shown;
    });
    const std::string_view base = decoded->base();
    const bool shared = base == "LDS" || base == "STS" || base == "ATOMS";
    if (shared && decoded->bytes() > 0)
      unit_ = std::min(unit_, static_cast<std::uint32_t>(decoded->bytes()));
  }
}

MachineJudges::~MachineJudges() = default;

void MachineJudges::begin(const BlockStart& start) {
  const auto& threads = launch_.block;
  judges::Subject subject;
  subject.kernel = kernel_;
  subject.file = file_;
  subject.block = {static_cast<int>(start.position[0]), static_cast<int>(start.position[1])};
  subject.threads = threads[0] * threads[1] * threads[2];
  subject.order = judges::Order::Clocks;
  subject.wordBytes = unit_;
  arrays_ = {{"shared memory", emulator::Space::Shared, 0, 0, start.sharedBytes / unit_, 0, 1}};
  subject.arrays = &arrays_;
  const std::uint32_t units = (start.sharedBytes + unit_ - 1) / unit_;
  auto block = std::make_unique<JudgedBlock>(subject, start.warps, start.rank, units);
  block->judges.see(event::SharedMemory{units});
  JudgedBlock* const its = block.get();
  blocks_[start.block] = std::move(block);
  // The blocks of a cluster begin one after the other, by rank.
  if (start.rank == 0) beginning_.clear();
  beginning_.push_back(its);
  std::uint32_t size = 1;
  for (const std::uint32_t side : launch_.kernel->info.cluster) size *= std::max(1u, side);
  if (size == 1 || beginning_.size() != size) return;
  if (size * start.warps > emulator::kClockWarps) {
    whyNot_ = fmt::format(
        "shared memory is not judged: a cluster has {} warps, and the judges know at most {}",
        size * start.warps, emulator::kClockWarps);
    return;
  }
  std::vector<judges::Judges*> all;
  for (JudgedBlock* const each : beginning_) all.push_back(&each->judges);
  judges::Judges::join(all);
  const auto cluster = std::make_shared<JudgedCluster>();
  cluster->blocks = beginning_;
  for (JudgedBlock* const each : beginning_) each->cluster = cluster;
}

void MachineJudges::end(std::uint32_t number) {
  JudgedBlock* const block = at(number);
  if (block == nullptr) return;
  if (whyNot_.empty()) block->judges.see(event::BlockEnded{block->states});
  collect(*block, 0);
  // Later blocks of its cluster still name it.
  if (block->cluster != nullptr && ++block->cluster->ended < block->cluster->blocks.size()) return;
  if (block->cluster == nullptr) {
    blocks_.erase(number);
    return;
  }
  const std::shared_ptr<JudgedCluster> cluster = block->cluster;
  std::erase_if(blocks_, [&](const auto& each) { return each.second->cluster == cluster; });
}

const emulator::FaultLog& MachineJudges::faults() {
  for (const auto& [number, block] : blocks_) collect(*block, 0);
  return faults_;
}

JudgedBlock* MachineJudges::at(std::uint32_t block) {
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? nullptr : found->second.get();
}

Site MachineJudges::siteOf(std::uint32_t number) const {
  return {number < places_.size() ? places_[number].second : 0,
          number * static_cast<std::uint32_t>(sass::kCodeWordBytes)};
}

void MachineJudges::resume(JudgedBlock& block, std::uint32_t warp) {
  if (block.running == warp) return;
  block.running = warp;
  block.judges.see(event::WarpResumed{warp});
}

// One fault for each instruction and kind.
void MachineJudges::report(Fault fault) {
  if (!reported_.emplace(fault.kind, fault.address).second) return;
  const std::size_t number = fault.address / sass::kCodeWordBytes;
  const bool named = number < places_.size() && !places_[number].first.empty();
  fault.file = named ? places_[number].first : file_;
  faults_.add(std::move(fault));
}

// The judges know a warp by its first thread. This lane of it has made the faults that are new.
void MachineJudges::collect(JudgedBlock& block, std::uint32_t lane) {
  // The log keeps only the first faults: it is emptied before it is full.
  emulator::FaultLog& log = block.judges.context().faults;
  for (Fault& fault : log.kept) {
    fault.thread += static_cast<int>(lane);
    report(std::move(fault));
  }
  log = {};
}

void MachineJudges::before(const Warp& warp, const Operation&) {
  const std::uint32_t number = warp.present();
  JudgedBlock* const block = at(warp.around().blockNumber());
  if (block == nullptr || number >= uses_.size()) return;
  const Uses& uses = uses_[number];
  auto& written = block->written[warp.number()];
  // Which registers a wgmma reads depends on a predicate: seeProduct().
  if (!uses.product) {
    for (const std::uint8_t each : uses.reads)
      checkWritten(*block, warp.number(), number, each, warp.lanes());
    for (const std::uint8_t each : uses.writes) written[each] |= warp.lanes();
  }
  if (!whyNot_.empty()) return;
  if (!uses.product && block->products[warp.number()].any)
    checkInFlight(*block, warp.number(), number, uses);
  if (uses.step.what != AsyncStep::What::None) take(*block, warp, uses.step);
}

void MachineJudges::checkWritten(const JudgedBlock& block, std::uint32_t warp, std::uint32_t number,
                                 std::uint32_t reg, std::uint32_t lanes) {
  const std::uint32_t missing = lanes & ~block.written[warp][reg];
  if (missing == 0) return;
  reportRegister(block, FaultKind::Unwritten, warp * kLanes + firstOf(missing), number,
                 fmt::format("reads register R{}, which it has not written", reg));
}

void MachineJudges::reportRegister(const JudgedBlock& block, FaultKind kind, std::uint32_t thread,
                                   std::uint32_t number, std::string detail) {
  Fault fault;
  fault.kind = kind;
  fault.stage = kernel_;
  fault.block = block.position;
  fault.thread = static_cast<int>(thread);
  const Site site = siteOf(number);
  fault.line = site.line;
  fault.address = site.address;
  fault.detail = std::move(detail);
  report(std::move(fault));
}

void MachineJudges::see(const Access& access) {
  JudgedBlock* const block = at(access.block);
  if (block == nullptr || access.memory != Memory::Shared || !whyNot_.empty()) return;
  resume(*block, access.warp);
  const std::uint32_t warpThread = access.warp * kLanes;
  const Site site = siteOf(access.number);
  const std::uint32_t units = std::max(1u, access.bytes / unit_);
  for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = firstOf(rest);
    if (access.at[lane] / unit_ + units > block->words.size()) {
      excludeRemote(*block, access, lane);
      continue;
    }
    const auto word = static_cast<std::uint32_t>(access.at[lane] / unit_);
    if (block->excludes(word, units)) continue;
    const event::Access each{{warpThread, site}, kJudgedArray, word, units, 1, word};
    switch (access.use) {
      case Use::Load:
      case Use::Reduction:
      case Use::Atomic:
        block->judges.see(event::SharedLoad{each, nullptr});
        break;
      case Use::Store:
        block->judges.see(event::SharedStore{each, nullptr});
        break;
      case Use::Copy:
        block->judges.see(event::AsyncCopy{each, nullptr});
        break;
      case Use::MatrixLoad:
        block->judges.see(event::RowLoad{each});
        break;
      case Use::MatrixStore:
        block->judges.see(event::RowStore{each});
        break;
    }
    collect(*block, lane);
  }
}

void MachineJudges::see(const CopyStep& step) {
  JudgedBlock* const block = at(step.issue.block);
  if (block == nullptr || !whyNot_.empty()) return;
  resume(*block, step.issue.warp);
  const emulator::Origin at{step.issue.warp * kLanes, siteOf(step.issue.number)};
  if (step.waits) {
    block->judges.see(event::CopyWait{at, step.newest});
    // The same instruction waits for groups of TMA stores.
    const std::uint32_t stores = block->storeGroups[step.issue.warp];
    if (stores > step.newest) block->judges.see(event::BoxesRead{at, stores - step.newest});
  } else {
    block->judges.see(event::CopyCommit{at});
  }
  collect(*block, 0);
}

void MachineJudges::see(const BarrierArrival& arrival) {
  JudgedBlock* const block = at(arrival.issue.block);
  if (block == nullptr || !whyNot_.empty()) return;
  resume(*block, arrival.issue.warp);
  const emulator::Origin at{arrival.issue.warp * kLanes, siteOf(arrival.issue.number)};
  const bool whole = arrival.threads == 0 || arrival.threads >= block->threads;
  block->numbered[arrival.barrier] = !whole;
  if (!whole) block->judges.see(event::MeetingArrived{at, arrival.barrier});
  if (arrival.waits) block->waiting[arrival.barrier].push_back(arrival.issue.warp);
}

void MachineJudges::passed(std::uint32_t number, std::uint32_t barrier) {
  JudgedBlock* const block = at(number);
  if (block == nullptr || !whyNot_.empty()) return;
  auto& waiting = block->waiting[barrier];
  if (block->numbered[barrier]) {
    block->judges.see(event::MeetingEnded{barrier});
    for (const std::uint32_t warp : waiting)
      block->judges.see(event::MeetingLeft{warp * kLanes, barrier});
  } else {
    block->judges.see(event::BlockBarrierPassed{});
  }
  waiting.clear();
  block->running = ~0u;
}

}  // namespace tileloom::executor::recorded
