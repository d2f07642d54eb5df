// SPDX-License-Identifier: GPL-3.0-or-later
// A stage's source as it is compiled to stamp the clock at its own words: kernels/device/stamps.cuh
// comes behind its last header, and the kernel begins with TILELOOM_STAMPING.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/build.h"
#include "kernels/timeline/measured.h"
#include "kernels/timeline/stamp_words.h"

namespace tileloom::gpu {

// Records for each warp of the block. What does not fit is lost; see timeline::Measured.
inline constexpr unsigned kStampsPerWarp = 4096;
static_assert((kStampsPerWarp & (kStampsPerWarp - 1)) == 0);

// The variable of the module that says where to stamp, and what is written there.
inline constexpr const char* kStampsVariable = "tileloom_stamps";
struct StampsAt {
  unsigned long long records = 0;
  unsigned block = 0, padding = 0;
};
// One stamp, as the device file writes it.
struct StampRecord {
  std::uint32_t what = 0;  // count << 24 | word << 16 | line
  std::uint32_t begin = 0, end = 0;
  std::uint32_t k0 = 0;
};
// What a warp has added up, as the device file writes it.
struct SumRecord {
  std::uint32_t all = 0;
  std::array<std::uint32_t, timeline::kSummed.size()> on{};
  std::array<std::uint32_t, 2> padding{};
};
static_assert(sizeof(StampsAt) == 16 && sizeof(StampRecord) == 16 && sizeof(SumRecord) == 32);

// What records say: `k` is the length that the loop over K covers, stepK that of a K tile.
// Trouble::Unsupported: there is none.
struct Stamps {
  std::vector<std::vector<timeline::Stamp>> warps;  // cycles from the earliest stamp
  bool full = false;                                // some have not fitted
};
Result<Stamps> readStamps(std::span<const StampRecord> records, int k, int stepK);

// Of each of a block's warps, on average over all blocks: `records` are those of one block after
// the other's. Trouble::Failed: they are no sums.
Result<std::vector<timeline::WarpTime>> readSums(std::span<const SumRecord> records,
                                                 std::size_t warps);

// `text` is a stage's; line numbers stay what they are. Trouble::Failed if it has no place for
// this.
Result<std::string> stampedSource(std::string_view text);
// The options that the device file needs beside those of every build.
std::vector<std::string> stampOptions(Stamping stamping);
// With a number behind it: how many blocks have to fit into an SM.
inline constexpr std::string_view kStampedBlocksOption = "-DTILELOOM_STAMPED_BLOCKS=";
// The device file itself, of which a build with stamps depends.
std::string_view stampsFile();

}  // namespace tileloom::gpu
