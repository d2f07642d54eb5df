// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/occupancy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>

#include "kernels/tile/words.h"

namespace tileloom::analysis {
namespace {

int roundUp(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

int warpsOf(int threads) {
  return (threads + 31) / 32;
}

int byRegisters(int registers, int threads) {
  if (registers <= 0) return INT_MAX;
  const int perWarp = roundUp(32 * registers, Architecture::kRegisterUnit);
  const int warps = Architecture::kPartitions * (Architecture::kRegistersPerPartition / perWarp);
  return warps / warpsOf(threads);
}

int byShared(const Architecture& arch, int bytes) {
  return arch.sharedPerSm / Architecture::sharedOfBlock(bytes);
}

int byWarps(const Architecture& arch, int threads) {
  return arch.warpsPerSm / warpsOf(threads);
}

// The largest value below `present` for which `fits` holds, if any. If `fits` holds for a value, it
// holds for all smaller ones.
template <class Fits>
std::optional<int> largestBelow(int present, Fits fits) {
  for (int value = present - 1; value >= 1; --value) {
    if (fits(value)) return value;
  }
  return std::nullopt;
}

bool limits(const Occupancy& o, Resource resource) {
  return std::ranges::find(o.limiting, resource) != o.limiting.end();
}

// The savings for one more block. Each limiting resource needs one, and fewer threads also need
// fewer registers, which may be enough.
void nameSavings(Occupancy& o, const Architecture& arch, const BlockNeeds& needs) {
  if (limits(o, Resource::Blocks)) return;
  const int wanted = o.blocks + 1;
  int threads = needs.threads;
  if (limits(o, Resource::Warps)) {
    o.threadsForOneMore =
        largestBelow(needs.threads, [&](int t) { return byWarps(arch, t) >= wanted; });
    threads = o.threadsForOneMore.value_or(threads);
  }
  if (byRegisters(needs.registers, threads) < wanted) {
    o.registersForOneMore =
        largestBelow(needs.registers, [&](int r) { return byRegisters(r, threads) >= wanted; });
  }
  if (limits(o, Resource::SharedMemory)) {
    o.sharedBytesForOneMore =
        largestBelow(needs.sharedBytes, [&](int s) { return byShared(arch, s) >= wanted; });
  }
}

}  // namespace

std::string_view name(Resource resource) {
  switch (resource) {
    case Resource::Warps:
      return "warps";
    case Resource::Blocks:
      return "block slots";
    case Resource::Registers:
      return "registers";
    case Resource::SharedMemory:
      return "shared memory";
  }
  return "";
}

Occupancy occupancy(const Architecture& arch, const BlockNeeds& needs) {
  Occupancy o;
  o.mostWarps = arch.warpsPerSm;
  if (needs.threads < 1 || needs.threads > Architecture::kThreadsPerBlock ||
      needs.registers > Architecture::kRegistersPerThread || needs.registers < 0 ||
      needs.sharedBytes > arch.sharedPerBlock || needs.sharedBytes < 0) {
    return o;
  }
  o.blocksBy = {byWarps(arch, needs.threads), arch.blocksPerSm,
                byRegisters(needs.registers, needs.threads), byShared(arch, needs.sharedBytes)};
  o.blocks = *std::ranges::min_element(o.blocksBy);
  o.warps = o.blocks * warpsOf(needs.threads);
  for (std::size_t i = 0; i < o.blocksBy.size(); ++i) {
    if (o.blocksBy[i] == o.blocks) o.limiting.push_back(static_cast<Resource>(i));
  }
  nameSavings(o, arch, needs);
  return o;
}

namespace {

// "a fourth block"
std::string blockNumber(int number) {
  constexpr std::array kOrdinals = {"second", "third",   "fourth", "fifth",
                                    "sixth",  "seventh", "eighth"};
  const auto at = static_cast<std::size_t>(number - 2);
  return number >= 2 && at < kOrdinals.size()
             ? fmt::format("a{} {} block", kOrdinals[at][0] == 'e' ? "n" : "", kOrdinals[at])
             : fmt::format("block {}", number);
}

std::string number(int value) {
  return grouped(static_cast<std::uint64_t>(value));
}

// Where not even one block fits: all necessary changes, and for jointly limiting resources each
// way.
std::string wayToOneBlock(const Occupancy& o, const BlockNeeds& needs) {
  std::vector<std::string> ways;
  const auto atMost = [&ways](std::string_view who, int most, std::string_view what, int now) {
    if (now > most)
      ways.push_back(
          fmt::format("{} may have at most {} (now {})", who, counted(most, what), number(now)));
  };
  atMost("a block", Architecture::kThreadsPerBlock, "thread", needs.threads);
  atMost("a thread", Architecture::kRegistersPerThread, "register", needs.registers);
  for (const Resource resource : o.limiting) {
    if (resource == Resource::Registers && o.registersForOneMore) {
      std::string way = fmt::format("one would with at most {} per thread (now {})",
                                    counted(*o.registersForOneMore, "register"), needs.registers);
      // Fewer warps also save registers.
      const auto threads =
          largestBelow(needs.threads, [&](int t) { return byRegisters(needs.registers, t) > 0; });
      if (threads) {
        way += fmt::format(", or with at most {} per block, {} (now {})",
                           counted(warpsOf(*threads), "warp"), counted(*threads, "thread"),
                           counted(warpsOf(needs.threads), "warp"));
      }
      ways.push_back(way);
    } else if (resource == Resource::SharedMemory && o.sharedBytesForOneMore) {
      ways.push_back(fmt::format("one would with at most {} of shared memory per block (now {})",
                                 counted(*o.sharedBytesForOneMore, "byte"),
                                 number(needs.sharedBytes)));
    } else if (resource == Resource::Warps && o.threadsForOneMore) {
      ways.push_back(fmt::format("one would with at most {} per block (now {})",
                                 counted(*o.threadsForOneMore, "thread"), number(needs.threads)));
    }
  }
  return ways.empty() ? std::string() : fmt::format(": {}", fmt::join(ways, "; "));
}

}  // namespace

int mostRegisters(const Architecture& arch, BlockNeeds needs) {
  const int blocks = occupancy(arch, needs).blocks;
  while (needs.registers < Architecture::kRegistersPerThread) {
    ++needs.registers;
    if (occupancy(arch, needs).blocks < blocks) return needs.registers - 1;
  }
  return needs.registers;
}

std::string nextStep(const Occupancy& o, const BlockNeeds& needs) {
  if (o.blocks == 0) return "not even one block fits on an SM" + wayToOneBlock(o, needs);
  if (o.warps == o.mostWarps) return "the SM holds as many warps as it can";
  std::vector<std::string_view> limiting;
  for (const Resource resource : o.limiting) limiting.push_back(name(resource));
  const std::string text = fmt::format("limited by {}", fmt::join(limiting, " and "));
  if (!o.roomForOneMore()) return text;
  std::vector<std::string> savings;
  const auto save = [&](const std::optional<int>& most, int now, std::string_view one,
                        std::string_view of) {
    if (most)
      savings.push_back(fmt::format("{} {} (now {})", counted(*most, one), of, number(now)));
  };
  save(o.threadsForOneMore, needs.threads, "thread", "per block");
  save(o.registersForOneMore, needs.registers, "register", "per thread");
  save(o.sharedBytesForOneMore, needs.sharedBytes, "byte", "of shared memory per block");
  return fmt::format("{}: {} would fit with {}", text, blockNumber(o.blocks + 1),
                     fmt::join(savings, " and "));
}

}  // namespace tileloom::analysis
