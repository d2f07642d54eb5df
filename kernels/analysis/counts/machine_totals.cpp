// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/machine_totals.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/box_requests.h"
#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/tensor/product_cost.h"
#include "kernels/executor/boxes.h"
#include "kernels/executor/group_operands.h"
#include "kernels/executor/recorded/access_kind.h"
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

}  // namespace

void MachineTotals::see(const executor::Access& access) {
  if (access.memory == Memory::Local) ++local_;
  if (access.use == Use::Reduction || access.use == Use::Atomic) ++atomics_;
  const auto kind = executor::recorded::kindOf(access);
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
      if (cost.copy.sectors > 0) cost.global.sectors = cost.copy.sectors;
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

void MachineTotals::seeBox(const executor::BoxCopy& copy) {
  const executor::TensorMap& map = *copy.map;
  const std::int64_t elementBytes = map.elementBytes;
  std::uint64_t elements = 0, sectors = 0, bytes = 0;
  for (std::uint32_t number = 0; number < map.boxRows(); ++number) {
    const executor::BoxRow row = executor::boxRow(map, copy.first, number);
    RequestedRow requested{map.rowBytes(), 0, 0, 0};
    if (row.to > row.from) {
      requested.from = row.from * elementBytes;
      requested.to = row.to * elementBytes;
      const auto first = static_cast<std::int64_t>(row.address);
      requested.at = first - requested.from;
      const std::int64_t last = first + requested.to - requested.from - 1;
      elements += row.to - row.from;
      sectors += static_cast<std::uint64_t>(last / kSectorBytes - first / kSectorBytes + 1);
    }
    if (!copy.store) bytes += bytesFetched(requested, copy.multicast);
  }
  totals_.globalUsefulBytes += elements * map.elementBytes;
  if (copy.store) {
    totals_.boxStoreInstructions += 1;
    totals_.boxStoreBytes += elements * map.elementBytes;
    totals_.boxStoreSectors += sectors;
    totals_.results += elements;
    return;
  }
  totals_.boxInstructions += 1;
  totals_.boxBytes += bytes * static_cast<unsigned>(std::popcount(copy.ranks));
  totals_.boxElements += elements;
  totals_.boxSectors += sectors;
}

// The tensor core reads 8 rows of 16 bytes at a time: those of A for each warp, and those of B once
// for the warpgroup.
void MachineTotals::seeProduct(const executor::GroupProduct& product) {
  using executor::GroupOperand;
  constexpr std::uint32_t kEdge = OperandRead::kEdge, kWarpRows = 16;
  const std::uint32_t part = product.issue.warp % emulator::kWarpsPerGroup;
  ProductCost cost;
  const auto read = [&](std::uint64_t descriptor, bool turned, std::uint32_t first,
                        std::uint32_t count) {
    const GroupOperand operand = GroupOperand::of(descriptor);
    for (std::uint32_t line = first; line < first + count; line += kEdge) {
      for (std::uint32_t half = 0; half < 2; ++half) {
        std::array<std::uint32_t, kEdge> bytes;
        for (std::uint32_t i = 0; i < kEdge; ++i)
          bytes[i] =
              turned ? operand.alongN(half * kEdge + i, line) : operand.alongK(line + i, half);
        cost += costOf(bytes);
      }
    }
    totals_.productElements += std::uint64_t{count} * product.depth;
  };
  if (!product.registersA) read(product.a, product.alongM, part * kWarpRows, kWarpRows);
  if (part == 0) read(product.b, product.alongN, 0, product.columns);
  totals_.productInstructions += 1;
  totals_.productWavefronts += cost.wavefronts;
  totals_.productConflicts += cost.conflicts;
  totals_.productMultiplyAdds += std::uint64_t{kWarpRows} * product.depth * product.columns;
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
