// SPDX-License-Identifier: GPL-3.0-or-later
// What one block of a launch has stamped on a GPU: when each of its warps came to its words, and
// when it left them, by the clock of its SM. One JSON object per file, schema
// "tileloom.stamps/2"; in the file a line of the source is its place (code_places.h).
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
#include "kernels/timeline/stamp_words.h"

namespace tileloom::timeline {

inline constexpr std::string_view kStampsSchema = "tileloom.stamps/2";
// Of the first version: it named lines of the text that was compiled (text_keys.h).
inline constexpr std::string_view kFirstStampsSchema = "tileloom.stamps/1";

struct Stamp {
  std::uint8_t word = 1;    // its number: see stampWord()
  std::uint8_t groups = 0;  // that a wait leaves under way
  std::uint16_t line = 0;
  std::uint32_t kTile = emulator::kNoTile;  // in whose turn of the loop over K; none outside of it
  std::uint32_t begin = 0, end = 0;         // cycles from the block's earliest stamp
  bool operator==(const Stamp&) const = default;
};

// Of one warp of a block, in cycles on average over all blocks of a launch: from its first
// instruction to its last, and how much of that it has waited for each of kSummed. These come from
// a kernel that adds its waits up and writes down nothing else, so that they are next to those of
// the kernel itself; waits between stamps are shorter by what the stamps take.
struct WarpTime {
  double all = 0;
  std::array<double, kSummed.size()> on{};
  bool operator==(const WarpTime&) const = default;
};

struct Measured {
  const Stage* stage = nullptr;
  TileShape tile;
  Arithmetic arithmetic = Arithmetic::Fp32;  // one of the stage's
  Problem problem;
  std::string when;           // ISO 8601, UTC
  std::string device;         // "NVIDIA H100 80GB HBM3"
  std::string arch;           // "sm_90"
  std::string cuda;           // the NVRTC that compiled the kernel: "13.0"
  std::string fingerprint;    // of the code that ran, without stamps
  int clockMHz = 0;           // of the SMs while the launches were timed; 0: unknown
  int block = 0, blocks = 0;  // which one of the grid, counted along x first, and of how many
  int blocksPerSm = 0, stampedBlocksPerSm = 0;
  double plainMs = 0, stampedMs = 0;  // of a launch without and with stamps, by turns: medians
  bool full = false;                  // some warp's records were, so that its last stamps are lost
  std::vector<std::vector<Stamp>> warps;  // each in order
  double summedMs = 0;                    // of a launch that adds waits up; 0: there was none
  std::vector<WarpTime> times;            // of each warp of a block; empty as long as summedMs is 0

  // How much longer a launch takes that stamps, as a share: 0.02.
  double cost() const { return plainMs > 0 ? stampedMs / plainMs - 1 : 0; }
  // The same of one that adds its waits up.
  double summingCost() const { return summedMs > 0 && plainMs > 0 ? summedMs / plainMs - 1 : 0; }
  bool operator==(const Measured&) const = default;
};

nlohmann::ordered_json toJson(const Measured& measured);
// The error is one sentence without a full stop.
tl::expected<Measured, std::string> measuredFrom(std::string_view text);

}  // namespace tileloom::timeline
