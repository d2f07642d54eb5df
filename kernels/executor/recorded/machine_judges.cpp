// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/recorded/machine_judges.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/base/plain_text.h"
#include "kernels/emulator/judges/judges.h"
#include "kernels/executor/operation.h"
#include "kernels/executor/warp.h"
#include "kernels/sass/decode.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::Fault;
using emulator::FaultKind;
using emulator::Site;
namespace event = emulator::event;
namespace judges = emulator::judges;

constexpr std::uint32_t kRegisters = 255, kShared = 0;

std::uint32_t firstOf(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

std::vector<std::uint8_t> numbersOf(const std::bitset<256>& registers) {
  std::vector<std::uint8_t> numbers;
  for (std::uint32_t i = 0; i < kRegisters; ++i)
    if (registers[i]) numbers.push_back(static_cast<std::uint8_t>(i));
  return numbers;
}

// "gemm.cu" and the line.
std::pair<std::string, int> placeIn(const sass::SourcePlace& place) {
  const auto slash = place.file.rfind('/');
  return {quotable(slash == std::string_view::npos ? place.file : place.file.substr(slash + 1)),
          static_cast<int>(place.line)};
}

}  // namespace

struct MachineJudges::Block {
  Block(const judges::Subject& subject, std::uint32_t warps)
      : judges(subject, words), written(warps) {
    for (auto& each : written) each.fill(0);
  }
  std::vector<judges::ShadowWord> words;
  judges::Judges judges;
  std::uint32_t running = ~0u;  // the warp of the last event
  // By warp and register: lanes that have written it.
  std::vector<std::array<std::uint32_t, kRegisters>> written;
  // Warps that wait at each barrier, or have come without waiting.
  std::array<std::vector<std::uint32_t>, kBlockBarriers> waiting;
  std::array<bool, kBlockBarriers> numbered{};
  std::uint32_t threads = 0;
};

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
    uses_[i] = {numbersOf(decoded->reads().registers), numbersOf(decoded->writes().registers)};
    const std::string_view base = decoded->base();
    const bool shared = base == "LDS" || base == "STS" || base == "ATOMS";
    if (shared && decoded->bytes() > 0)
      unit_ = std::min(unit_, static_cast<std::uint32_t>(decoded->bytes()));
    if (base == "SYNCS" || base == "UTMALDG" || base == "UBLKCP" || base == "HGMMA")
      whyNot_ = fmt::format("shared memory is not judged: the kernel has {}", decoded->text());
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
  auto block = std::make_unique<Block>(subject, start.warps);
  block->threads = subject.threads;
  block->judges.see(event::SharedMemory{(start.sharedBytes + unit_ - 1) / unit_});
  blocks_[start.block] = std::move(block);
}

void MachineJudges::end(std::uint32_t number) {
  Block* const block = at(number);
  if (block == nullptr) return;
  if (whyNot_.empty()) block->judges.see(event::BlockEnded{});
  collect(*block, 0);
  blocks_.erase(number);
}

const emulator::FaultLog& MachineJudges::faults() {
  for (const auto& [number, block] : blocks_) collect(*block, 0);
  return faults_;
}

MachineJudges::Block* MachineJudges::at(std::uint32_t block) {
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? nullptr : found->second.get();
}

Site MachineJudges::siteOf(std::uint32_t number) const {
  return {number < places_.size() ? places_[number].second : 0,
          number * static_cast<std::uint32_t>(sass::kCodeWordBytes)};
}

void MachineJudges::resume(Block& block, std::uint32_t warp) {
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
void MachineJudges::collect(Block& block, std::uint32_t lane) {
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
  Block* const block = at(warp.around().blockNumber());
  if (block == nullptr || number >= uses_.size()) return;
  auto& written = block->written[warp.number()];
  for (const std::uint8_t each : uses_[number].reads) {
    const std::uint32_t missing = warp.lanes() & ~written[each];
    if (missing == 0) continue;
    Fault fault;
    fault.kind = FaultKind::Unwritten;
    fault.stage = kernel_;
    fault.thread = static_cast<int>(warp.thread(firstOf(missing)));
    const Site site = siteOf(number);
    fault.line = site.line;
    fault.address = site.address;
    fault.detail = fmt::format("reads register R{}, which it has not written", each);
    report(std::move(fault));
  }
  for (const std::uint8_t each : uses_[number].writes) written[each] |= warp.lanes();
}

void MachineJudges::see(const Access& access) {
  Block* const block = at(access.block);
  if (block == nullptr || access.memory != Memory::Shared || !whyNot_.empty()) return;
  resume(*block, access.warp);
  const std::uint32_t warpThread = access.warp * kLanes;
  const Site site = siteOf(access.number);
  const std::uint32_t units = std::max(1u, access.bytes / unit_);
  for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = firstOf(rest);
    // Shared memory of another block of the cluster is not judged.
    if (access.at[lane] / unit_ + units > block->words.size()) continue;
    const auto word = static_cast<std::uint32_t>(access.at[lane] / unit_);
    const event::Access each{{warpThread, site}, kShared, word, units, 1, word};
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
  Block* const block = at(step.issue.block);
  if (block == nullptr || !whyNot_.empty()) return;
  resume(*block, step.issue.warp);
  const emulator::Origin at{step.issue.warp * kLanes, siteOf(step.issue.number)};
  if (step.waits)
    block->judges.see(event::CopyWait{at, step.newest});
  else
    block->judges.see(event::CopyCommit{at});
  collect(*block, 0);
}

void MachineJudges::see(const BarrierArrival& arrival) {
  Block* const block = at(arrival.issue.block);
  if (block == nullptr || !whyNot_.empty()) return;
  resume(*block, arrival.issue.warp);
  const emulator::Origin at{arrival.issue.warp * kLanes, siteOf(arrival.issue.number)};
  const bool whole = arrival.threads == 0 || arrival.threads >= block->threads;
  block->numbered[arrival.barrier] = !whole;
  if (!whole) block->judges.see(event::MeetingArrived{at, arrival.barrier});
  if (arrival.waits) block->waiting[arrival.barrier].push_back(arrival.issue.warp);
}

void MachineJudges::passed(std::uint32_t number, std::uint32_t barrier) {
  Block* const block = at(number);
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
