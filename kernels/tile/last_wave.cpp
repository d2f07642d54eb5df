// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/last_wave.h"
#include "kernels/tile/placement.h"

#include <algorithm>

#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"

namespace tileloom {
namespace {

// The shortest part of a tile, in elements of K: a shorter one would not pay for storing and adding
// its sums. Both that cost and the time of an element of K grow with the tile, so one number fits
// all tiles.
constexpr std::uint32_t kLeastDepth = 64;
constexpr std::int64_t kLeastShare = 2 * kLeastDepth;  // so that its end may be moved by that much
constexpr std::uint32_t kWordsPerBlock = 8;

}  // namespace

WaveDivision divisionOf(std::int64_t tiles, std::int64_t k, std::int64_t slots, int split) {
  const std::int64_t rest = slots > 0 ? tiles % slots : 0;
  if (split < 2 || rest * 10 > slots * 9) return {};
  const std::int64_t shares = std::min({slots, rest * split, rest * k / kLeastShare});
  return shares > rest ? WaveDivision{rest, shares} : WaveDivision{};
}

double wavesOf(std::int64_t tiles, std::int64_t cut, std::int64_t parts, std::int64_t atOnce) {
  const std::int64_t blocks = tiles - cut + std::min(atOnce, parts);
  return atOnce > 0 ? static_cast<double>(blocks) / static_cast<double>(atOnce) : 0;
}

std::int64_t slotsOf(const Stage& stage, const TileShape& tile, int sms) {
  const Architecture& arch = defaultArchitecture();
  const Derived d = derive(stage, tile);
  const int unit = Architecture::kRegisterUnit;
  const int registers = std::max(1, expectedRegisters(stage, tile));
  const int perWarp =
      (32 * std::min(registers, Architecture::kRegistersPerThread) + unit - 1) / unit * unit;
  const int warps = std::max(1, d.warps);
  const int held = Architecture::kPartitions * (Architecture::kRegistersPerPartition / perWarp);
  const int blocks = std::min({held / warps, arch.warpsPerSm / warps, arch.blocksPerSm,
                               arch.sharedPerSm / Architecture::sharedOfBlock(d.sharedBytes)});
  return std::int64_t{sms} * std::max(1, blocks);
}

namespace {

// Elements of K in a K tile.
std::uint32_t stepOf(const Stage& stage, const TileShape& tile) {
  return static_cast<std::uint32_t>(std::max(1, derive(stage, tile).stepK));
}

LastWave dividedWave(std::uint32_t tiles, std::uint32_t k, std::uint32_t stepK,
                     const WaveDivision& division) {
  LastWave wave;
  const auto cut = static_cast<std::uint32_t>(division.cut);
  const std::uint32_t whole = tiles - cut;
  for (std::uint32_t tile = 0; tile < whole; ++tile)
    wave.blocks.push_back({.tile = tile, .from = 0, .depth = k});
  // Where a share begins, in elements of K from the beginning of the first split tile: at the end
  // of a K tile, and not so near to the end of a tile that a part would be too short to pay off.
  const auto begin = [&](std::int64_t share) {
    const std::int64_t at = division.cut * k * share / division.shares / stepK * stepK;
    const std::int64_t inside = at % k;
    if (inside < kLeastDepth) return at - inside;
    return k - inside < kLeastDepth ? at + k - inside : at;
  };
  std::vector<TilePart> parts;
  std::int64_t share = 0;
  for (std::uint32_t tile = 0; tile < cut; ++tile) {
    const std::int64_t first = std::int64_t{tile} * k, end = first + k;
    const std::size_t before = parts.size();
    for (std::int64_t at = first; at < end;) {
      while (share < division.shares && begin(share) <= at) ++share;
      const std::int64_t next = share < division.shares ? std::min(begin(share), end) : end;
      parts.push_back({.tile = whole + tile,
                       .from = static_cast<std::uint32_t>(at - first),
                       .depth = static_cast<std::uint32_t>(next - at),
                       .which = static_cast<std::uint32_t>(parts.size() - before)});
      at = next;
    }
    const auto count = static_cast<std::uint32_t>(parts.size() - before);
    for (std::size_t i = before; i < parts.size(); ++i) {
      parts[i].count = count;
      if (count == 1) continue;
      parts[i].flag = wave.flags;
      parts[i].place = wave.places;
    }
    if (count == 1) continue;
    ++wave.flags;
    wave.places += count;
  }
  std::ranges::stable_sort(parts, std::ranges::greater{}, &TilePart::depth);
  wave.blocks.insert(wave.blocks.end(), parts.begin(), parts.end());
  return wave;
}

}  // namespace

std::int64_t partsOf(const WaveDivision& division, std::int64_t k, int stepK) {
  if (division.cut == 0) return 0;
  return static_cast<std::int64_t>(dividedWave(static_cast<std::uint32_t>(division.cut),
                                               static_cast<std::uint32_t>(k),
                                               static_cast<std::uint32_t>(stepK), division)
                                       .blocks.size());
}

int partsOfTileNumber(const Stage& stage, const TileShape& tile, const Problem& padded,
                      std::uint32_t number, int sms) {
  const Extent grid = launchOf(stage, tile, padded).grid;
  const auto tiles = static_cast<std::uint32_t>(grid.x) * static_cast<std::uint32_t>(grid.y);
  const WaveDivision division =
      divisionOf(tiles, padded.k, slotsOf(stage, tile, sms), tile[Parameter::SPLIT]);
  const auto cut = static_cast<std::uint32_t>(division.cut);
  if (number + cut < tiles) return 1;
  // The split tiles are divided in the same way without the whole tiles before them.
  const LastWave last =
      dividedWave(cut, static_cast<std::uint32_t>(padded.k), stepOf(stage, tile), division);
  return static_cast<int>(std::ranges::count(last.blocks, number + cut - tiles, &TilePart::tile));
}

LastWave lastWaveOf(std::uint32_t tiles, std::uint32_t k, std::uint32_t stepK, std::int64_t slots,
                    int split) {
  return dividedWave(tiles, k, stepK, divisionOf(tiles, k, slots, split));
}

LastWave lastWaveOf(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  const Extent grid = launchOf(stage, tile, padded).grid;
  return lastWaveOf(static_cast<std::uint32_t>(grid.x) * static_cast<std::uint32_t>(grid.y),
                    static_cast<std::uint32_t>(padded.k), stepOf(stage, tile),
                    slotsOf(stage, tile, sms), tile[Parameter::SPLIT]);
}

bool looksUpParts(const Stage& stage, const TileShape& tile) {
  return stage.split() == SplitK::Parts && tile[Parameter::SPLIT] > 1;
}

std::vector<std::uint32_t> partTable(const LastWave& wave, std::uint32_t sums) {
  const auto flags = static_cast<std::uint32_t>(wave.blocks.size()) * kWordsPerBlock;
  const std::uint32_t places =
      (flags + wave.flags + 3) / 4 * 4;  // they are read 16 bytes at a time
  std::vector<std::uint32_t> words;
  words.reserve(places);
  for (const TilePart& its : wave.blocks) {
    words.insert(words.end(), {its.tile, its.from, its.depth, 0, flags + its.flag,
                               places + its.place * sums, its.which, its.count});
  }
  words.resize(places);
  return words;
}

}  // namespace tileloom
