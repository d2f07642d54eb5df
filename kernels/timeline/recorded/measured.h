// SPDX-License-Identifier: GPL-3.0-or-later
// The timestamps of one block of a launch on a GPU: when each of its warps reached its operations,
// and when it left them, by its SM's clock. One JSON object per file, schema "tileloom.stamps/2";
// in the file a line of the source is its place (code_places.h).
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/emulator/trace.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/stamp_words.h"

namespace tileloom::timeline {

inline constexpr std::string_view kStampsSchema = "tileloom.stamps/2";
// Of the first version: it named lines of the compiled text (text_keys.h).
inline constexpr std::string_view kFirstStampsSchema = "tileloom.stamps/1";

struct Stamp {
  std::uint8_t word = 1;    // its number: see stampWord()
  std::uint8_t groups = 0;  // that a wait leaves in flight
  std::uint16_t line = 0;
  std::uint32_t kTile = emulator::kNoTile;  // its iteration of the loop over K; none outside of it
  std::uint32_t begin = 0, end = 0;         // cycles from the block's earliest timestamp
  bool operator==(const Stamp&) const = default;
};

// Of one warp of a block, in cycles on average over all blocks of a launch: from its first
// instruction to its last, and how much of that it waited for each of kSummed. These come from a
// kernel that adds up its waits and writes nothing else, so they are close to those of the kernel
// itself; waits between timestamps are shorter by the cost of the timestamps.
struct WarpTime {
  double all = 0;
  std::array<double, kSummed.size()> on{};
  bool operator==(const WarpTime&) const = default;
};

struct Measured : Launched {
  std::string when;           // ISO 8601, UTC
  std::string device;         // "NVIDIA H100 80GB HBM3"
  std::string arch;           // "sm_90"
  std::string cuda;           // the NVRTC that compiled the kernel: "13.0"
  std::string fingerprint;    // of the code that ran, without timestamps
  int clockMHz = 0;           // of the SMs while the launches were timed; 0: unknown
  int block = 0, blocks = 0;  // its index in the grid, along x first, and the number of blocks
  int blocksPerSm = 0, stampedBlocksPerSm = 0;
  double plainMs = 0,
         stampedMs = 0;  // of a launch without and with timestamps, alternately: medians
  bool full = false;     // the records of some warp were, so that its last timestamps are lost
  std::vector<std::vector<Stamp>> warps;  // each in order
  double summedMs = 0;                    // of a launch that adds up waits; 0: there was none
  std::vector<WarpTime> times;            // of each warp of a block; empty as long as summedMs is 0

  // The extra time of a timestamped launch, as a share: 0.02.
  double cost() const { return plainMs > 0 ? stampedMs / plainMs - 1 : 0; }
  // The same for a launch that adds up its waits.
  double summingCost() const { return summedMs > 0 && plainMs > 0 ? summedMs / plainMs - 1 : 0; }
  bool operator==(const Measured&) const = default;
};

nlohmann::ordered_json toJson(const Measured& measured);
// The error is one sentence without a full stop.
tl::expected<Measured, std::string> measuredFrom(std::string_view text);

}  // namespace tileloom::timeline
