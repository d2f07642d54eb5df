// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels that the fake GPU knows, beside the rungs of the FP32 ladder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace tileloom::fake {

// Kernels whose elements have 16 bits.
inline constexpr std::string_view kHalfStages[] = {
    "mma",         "swizzled",  "mmaring",    "tma",     "wgmma",  "multistage", "overlapped",
    "specialised", "consumers", "persistent", "cluster", "stored", "hopper"};
// Those of them that take A and B as tensor maps.
inline constexpr std::string_view kBoxStages[] = {
    "tma",       "wgmma",      "multistage", "overlapped", "specialised",
    "consumers", "persistent", "cluster",    "stored",     "hopper"};
// And those of them that take C as one, too.
inline constexpr std::string_view kStoredStages[] = {"stored", "hopper"};

template <std::size_t N>
bool isAmong(std::string_view name, const std::string_view (&all)[N]) {
  return std::find(std::begin(all), std::end(all), name) != std::end(all);
}

// The kernels of kernels/gpu/measure/ceilings.cu; their work in a launch is described there.
inline constexpr const char* kCeilings[] = {"ceiling_fma", "ceiling_dram", "ceiling_l2",
                                            "ceiling_shared", "ceiling_mma"};

// The kernel of kernels/gpu/measure/micro_case.cu, whatever its instructions.
inline constexpr const char* kMicroCase = "micro_case";
inline constexpr double kMicroCycles = 1.25;  // per slot

inline double ceilingWork(const std::string& kernel, double blocks, double threads, double bytes,
                          double rounds) {
  constexpr double kStep = 16;
  if (kernel == "ceiling_fma") return blocks * threads * 2 * kStep * kStep * rounds;
  if (kernel == "ceiling_mma") return blocks * threads / 32 * 4096 * kStep * kStep * rounds;
  if (kernel == "ceiling_dram") return 2 * bytes * rounds;
  if (kernel == "ceiling_l2") return blocks * bytes * rounds;
  return blocks * threads * kStep * 16 * rounds;
}

}  // namespace tileloom::fake
