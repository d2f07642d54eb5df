// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/machine_totals.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/sass/decode.h"

namespace tileloom::analysis {
namespace {

using emulator::Kind;
using executor::Memory;
using executor::Use;

constexpr std::uint32_t kWordBytes = 4;

// Words of the memory, of lanes that access; buffers begin at lines.
std::array<std::uint32_t, 32> wordsOf(const std::array<std::uint64_t, 32>& bytes,
                                      std::uint32_t lanes) {
  std::array<std::uint32_t, 32> words{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    words[lane] = static_cast<std::uint32_t>(bytes[lane] / kWordBytes);
  }
  return words;
}

// The kind of instruction whose counters see this access; nullopt: none of those here.
std::optional<Kind> kindOf(const executor::Access& access) {
  const bool shared = access.memory == Memory::Shared;
  if (access.memory == Memory::Local) return std::nullopt;
  switch (access.use) {
    case Use::Load:
      return shared ? Kind::SharedLoad : Kind::GlobalLoad;
    case Use::Store:
      return shared ? Kind::SharedStore : Kind::GlobalStore;
    case Use::Copy:
      return Kind::AsyncCopy;
    case Use::MatrixLoad:
      return Kind::MatrixLoad;
    case Use::MatrixStore:
      return Kind::MatrixStore;
    case Use::Reduction:
    case Use::Atomic:
      break;
  }
  return std::nullopt;
}

}  // namespace

void MachineTotals::see(const executor::Access& access) {
  if (access.memory == Memory::Local) ++local_;
  if (access.use == Use::Reduction || access.use == Use::Atomic) ++atomics_;
  const auto kind = kindOf(access);
  if (!kind) return;
  emulator::Instruction instruction;
  instruction.kind = *kind;
  instruction.mask = access.lanes;
  // Fewer than 4 bytes are served as the word that holds them.
  const std::uint32_t width = std::max(1u, access.bytes / kWordBytes);
  instruction.width = static_cast<std::uint8_t>(width);
  const auto words = wordsOf(access.at, access.lanes);
  AccessCost cost;
  if (access.memory == Memory::Global) {
    cost.addresses = words;
    cost.global = coalescing(words, access.lanes, width);
  } else if (*kind == Kind::AsyncCopy) {
    cost = sharedCost(*kind, words, wordsOf(access.from, access.reads), access.lanes, width);
    // Lanes that write zeros read no line of L1. What they cost beside the banks is not measured.
    if (access.reads != access.lanes) {
      cost.global = coalescing(cost.copied, access.reads, width);
      cost.copy = copyCost(cost.copied, words, access.reads, width);
    }
  } else {
    cost = sharedCost(*kind, words, {}, access.lanes, width);
  }
  add(totals_, instruction, {0, 0, width, 1}, cost);
  if (costs_.size() <= access.number) costs_.resize(access.number + 1);
  MachineCost& its = costs_[access.number];
  if (access.memory == Memory::Shared) {
    its.wavefronts += cost.wavefronts();
    its.conflicts += cost.conflicts();
  }
  its.sectors += cost.global.sectors;
  its.idealSectors += cost.global.idealSectors();
}

// An instruction with all lanes off makes no access, but some counters see it (rule 85).
void MachineTotals::finish(const sass::KernelImage& kernel, int capability,
                           std::span<const executor::InstructionCount> counts) {
  for (std::size_t i = 0; i < std::min(counts.size(), kernel.words.size()); ++i) {
    const executor::InstructionCount& count = counts[i];
    if (count.issued == 0) continue;
    const auto decoded = sass::decode(
        kernel.words[i], static_cast<std::uint32_t>(i * sass::kCodeWordBytes), capability);
    if (!decoded) continue;
    const std::string_view base = decoded->base();
    if (base == "FFMA") {
      totals_.ffmaThreadInstructions += count.threads;
    } else if (base == "HMMA" || base == "IMMA" || base == "QMMA" || base == "OMMA" ||
               base == "DMMA") {
      totals_.tensorInstructions += count.issued - count.off;
    } else if (base == "STS") {
      totals_.sharedStoreInstructions += count.off;
      totals_.sharedStoreInstructionsOff += count.off;
    } else if (base == "LDGSTS") {
      totals_.asyncInstructions += count.off;
      totals_.asyncInstructionsOff += count.off;
    }
  }
}

}  // namespace tileloom::analysis
