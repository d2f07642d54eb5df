// SPDX-License-Identifier: GPL-3.0-or-later
// A stage's source as compiled to timestamp its own operations: kernels/device/stamps.cuh is
// included after its last header, and the kernel begins with TILELOOM_STAMPING.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/stamp_kind.h"
#include "kernels/timeline/recorded/measured.h"
#include "kernels/timeline/recorded/stamp_words.h"

namespace tileloom::gpu {

// Records for each warp of the block. Further ones are lost; see timeline::Measured.
inline constexpr unsigned kStampsPerWarp = 4096;
static_assert((kStampsPerWarp & (kStampsPerWarp - 1)) == 0);

// The variable of the module that says where to write timestamps, and what is written there.
inline constexpr const char* kStampsVariable = "tileloom_stamps";
struct StampsAt {
  unsigned long long records = 0;
  unsigned block = 0, padding = 0;
};
// One timestamp, as the device file writes it.
struct StampRecord {
  std::uint32_t what = 0;  // count << 24 | word << 16 | line
  std::uint32_t begin = 0, end = 0;
  std::uint32_t k0 = 0;
};
// The sums of a warp, as the device file writes them.
struct SumRecord {
  std::uint32_t all = 0;
  std::array<std::uint32_t, timeline::kSummed.size()> on{};
  std::array<std::uint32_t, 2> padding{};
};
static_assert(sizeof(StampsAt) == 16 && sizeof(StampRecord) == 16 && sizeof(SumRecord) == 32);

// The meaning of records: `k` is the length that the loop over K covers, stepK that of a K tile.
// Trouble::Unsupported: there is none.
struct Stamps {
  std::vector<std::vector<timeline::Stamp>> warps;  // cycles from the earliest timestamp
  bool full = false;                                // some did not fit
};
Result<Stamps> readStamps(std::span<const StampRecord> records, int k, int stepK);

// For each warp of a block, the average over all blocks: `records` has one block after the other.
// Trouble::Failed: they are not sums.
Result<std::vector<timeline::WarpTime>> readSums(std::span<const SumRecord> records,
                                                 std::size_t warps);

// `text` is a stage's source; line numbers stay the same. Trouble::Failed if there is no place for
// the additions.
Result<std::string> stampedSource(std::string_view text);
// The options that the device file needs in addition to those of every build.
std::vector<std::string> stampOptions(Stamping stamping);
// Followed by a number: how many blocks have to fit on an SM.
inline constexpr std::string_view kStampedBlocksOption = "-DTILELOOM_STAMPED_BLOCKS=";
// The device file itself, on which a timestamped build depends.
std::string_view stampsFile();

}  // namespace tileloom::gpu
