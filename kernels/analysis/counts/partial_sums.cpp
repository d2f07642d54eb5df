// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/partial_sums.h"

#include <algorithm>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/device/pieces_of.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/residency.h"

namespace tileloom::analysis {
namespace {

// A warp leaves or adds 16 bytes per lane, at adjacent addresses.
constexpr std::uint64_t kBytesPerRequest = 16 * emulator::kWarpSize;
constexpr std::uint64_t kQuarters = 4;  // of a warp, which are served separately (rule 13)
constexpr std::uint64_t kSumsPerRequest = kBytesPerRequest / sizeof(float);

std::uint64_t u(int value) {
  return static_cast<std::uint64_t>(std::max(0, value));
}

std::uint64_t sumsOf(const TileShape& tile) {
  return u(tile[Parameter::BM]) * u(tile[Parameter::BN]);
}

// The sums that `parts` blocks leave, or add, of a block tile of `sums` elements. They begin
// `offset` bytes after the start of a line.
struct Sums {
  Sums(std::uint64_t parts, std::uint64_t sums, std::uint64_t offset)
      : requests(parts * sums / kSumsPerRequest),
        sectors(requests * touched(offset % kSectorBytes, kSectorBytes)) {}
  std::uint64_t requests, sectors;
  // With adjacent lanes each quarter warp uses all banks.
  std::uint64_t wavefronts() const { return requests * kQuarters; }

 private:
  static std::uint64_t touched(std::uint64_t before, std::uint64_t unit) {
    return (before + kBytesPerRequest + unit - 1) / unit;
  }
};

void leave(Totals& t, const Sums& sums) {
  t.globalStoreRequests += sums.requests;
  t.globalStoreSectors += sums.sectors;
  t.globalStoreWavefronts += sums.wavefronts();
  t.globalUsefulBytes += sums.requests * kBytesPerRequest;
}

void addUp(Totals& t, const Sums& sums) {
  t.globalLoadRequests += sums.requests;
  t.globalLoadSectors += sums.sectors;
  t.globalLoadSectorsPastL1 += sums.sectors;
  t.globalLoadIdealSectors += sums.requests * kBytesPerRequest / kSectorBytes;
  t.globalLoadWavefronts += sums.wavefronts();
  t.globalLoadFloats += sums.requests * kSumsPerRequest;
  t.globalUsefulBytes += sums.requests * kBytesPerRequest;
}

// Loads of `bytes` bytes, each by one warp from one sector.
void look(Totals& t, std::uint64_t times, std::uint64_t bytes) {
  t.globalLoadRequests += times;
  t.globalLoadSectors += times;
  t.globalLoadSectorsPastL1 += times;
  t.globalLoadIdealSectors += times;
  t.globalLoadWavefronts += times * (bytes / sizeof(float));
  t.globalUsefulBytes += times * bytes;
}

void setFlags(Totals& t, std::uint64_t times) {
  t.globalStoreRequests += times;
  t.globalStoreSectors += times;
  t.globalStoreWavefronts += times;
  t.globalUsefulBytes += times * sizeof(std::uint32_t);
}

// The pieces whose sums clusters leave for others: those that do not begin at the beginning of
// their tile.
CutTiles cutPieces(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  CutTiles cut;
  const int cluster = clusterOf(stage, tile);
  const int clusters = residentLaunch(stage, tile, padded, sms).grid.x / cluster;
  for (int c = 0; c < clusters; ++c) {
    const pieces all = piecesOf(stage, tile, padded, c, sms);
    for (piece at = all.at(0); at.first < at.end; at = all.at(at.number + 1)) {
      if (at.first == 0 && at.end == all.rounds) continue;
      cut.parts += u(cluster);
      if (at.first == 0) cut.tiles += u(cluster);
    }
  }
  return cut;
}

}  // namespace

CutTiles cutTilesOf(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  if (looksUpParts(stage, tile)) {
    const LastWave wave = lastWaveOf(stage, tile, padded, sms);
    return {wave.flags, wave.places};
  }
  if (stage.split() == SplitK::Rounds && tile[Parameter::SPLIT] > 1)
    return cutPieces(stage, tile, padded, sms);
  return {};
}

int partsOfTile(const Stage& stage, const TileShape& tile, const Problem& padded,
                const Extent& place, int sms) {
  const Extent grid = launchOf(stage, tile, padded).grid;
  const auto number = static_cast<std::uint32_t>(place.y * grid.x + place.x);
  if (looksUpParts(stage, tile)) return partsOfTileNumber(stage, tile, padded, number, sms);
  if (stage.split() != SplitK::Rounds || tile[Parameter::SPLIT] < 2) return 1;
  const pieces all = piecesOf(stage, tile, padded, 0, sms);
  const unsigned its = number / static_cast<unsigned>(clusterOf(stage, tile));
  if (its < all.whole) return 1;
  const unsigned first = (its - all.whole) * all.rounds, end = first + all.rounds;
  int parts = 0;
  for (unsigned c = 0; c < all.clusters; ++c)
    parts += all.begin(c) < end && all.begin(c + 1) > std::max(first, all.begin(c)) ? 1 : 0;
  return parts;
}

Totals partialSums(const Stage& stage, const TileShape& tile, const Problem& padded, int sms) {
  Totals t;
  const CutTiles cut = cutTilesOf(stage, tile, padded, sms);
  const std::uint64_t sums = sumsOf(tile);
  if (looksUpParts(stage, tile)) {
    const std::uint64_t warps = u(derive(stage, tile).warps);
    const LastWave wave = lastWaveOf(stage, tile, padded, sms);
    const std::uint64_t blocks = wave.blocks.size();
    constexpr std::uint64_t kEntry = 16;  // bytes of a table entry that each lane of a warp reads
    look(t, 2 * warps * blocks, kEntry);  // the part, then the number of parts of its tile
    // They begin after the table, which is a multiple of 16 bytes.
    const Sums left(cut.parts, sums, 4 * partTable(wave, 0).size());
    leave(t, left);
    addUp(t, left);          // the last part of a tile adds those of all parts
    setFlags(t, cut.tiles);  // it clears the flag
    // One thread of each part stores a word in shared memory: whether the part was the last.
    t.sharedStoreInstructions += cut.parts;
    t.sharedStoreWavefronts += cut.parts;
    t.sharedLoadInstructions += cut.parts * warps;
    t.sharedLoadWavefronts += cut.parts * warps;
    t.sharedLoadThreadInstructions += cut.parts * u(derive(stage, tile).threads);
    t.sharedLoadFloats += cut.parts * u(derive(stage, tile).threads);
    return t;
  }
  // The cluster with the beginning of a tile adds the sums of the others.
  const std::uint64_t blocks = cut.parts - cut.tiles;
  const std::uint64_t flags = blocks * u(tile[Parameter::CONSUMERS]);
  const Sums left(blocks, sums, 0);
  leave(t, left);
  addUp(t, left);
  setFlags(t, 2 * flags);  // set by one, cleared by the other
  look(t, flags, sizeof(std::uint32_t));
  return t;
}

}  // namespace tileloom::analysis
