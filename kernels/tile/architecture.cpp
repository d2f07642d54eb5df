// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/architecture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "kernels/base/plain_text.h"

namespace tileloom {
namespace {

constexpr int kKiB = 1024;

// Sources: CUDA C++ Programming Guide, "Compute Capabilities" and "Arithmetic Instructions";
// checked against cuda_occupancy.h. A new architecture is one row.
//
// Tensor cores: NVIDIA's white papers give the rate per SM and cycle for A100 (1,024), GA102 and
// AD102 (512) and, as twice A100's, H100 (2,048: 989 TFLOP/s at 1,830 MHz with 132 SMs). For 10.0
// and 12.0 it is the dense 16-bit speed of the data sheets over SMs and clock: B200 2,250 TFLOP/s
// with 148 SMs, RTX PRO 6000 504 TFLOP/s with 188. GeForce cards of 8.6, 8.9 and 12.0 are specified
// at half the rate where sums are FP32.
//
// mma.sync of 8-bit elements: docs/hardware.md, rule 88. PTX has its formats from 8.9 on.
constexpr auto kTable = std::to_array<Architecture>({
    // name, compute capability, warps and blocks per SM, shared bytes per SM and per block, FP32
    // multiply-adds per cycle and SM, those of tensor cores at the most and at the least, mma.sync
    // of 8-bit elements
    {"sm_80", 8, 0, 64, 32, 164 * kKiB, 163 * kKiB, 64, 1024, 1024, EightBitMma::None},
    {"sm_86", 8, 6, 48, 16, 100 * kKiB, 99 * kKiB, 128, 512, 256, EightBitMma::None},
    {"sm_89", 8, 9, 48, 24, 100 * kKiB, 99 * kKiB, 128, 512, 256, EightBitMma::Own},
    {"sm_90", 9, 0, 64, 32, 228 * kKiB, 227 * kKiB, 128, 2048, 2048, EightBitMma::Converted},
    {"sm_100", 10, 0, 64, 32, 228 * kKiB, 227 * kKiB, 128, 4096, 4096, EightBitMma::Converted},
    {"sm_120", 12, 0, 48, 24, 100 * kKiB, 99 * kKiB, 128, 512, 256, EightBitMma::Own},
});

constexpr std::string_view kDefault = "sm_90";

constexpr std::tuple<int, int> capability(const Architecture& arch) {
  return {arch.major, arch.minor};
}

static_assert(std::ranges::is_sorted(kTable, {}, capability), "oldest first");
static_assert(std::ranges::adjacent_find(kTable, {}, capability) == kTable.end());
static_assert(std::ranges::count(kTable, EightBitMma::Unsaid, &Architecture::eightBitMma) == 0);
static_assert(std::ranges::count(kTable, kDefault, &Architecture::name) == 1);

}  // namespace

std::span<const Architecture> architectures() {
  return kTable;
}

tl::expected<Architecture, std::string> architectureNamed(std::string_view text) {
  std::string known;
  for (const Architecture& arch : kTable) {
    if (text == arch.name || text == arch.name.substr(3) ||
        text == fmt::format("{}.{}", arch.major, arch.minor)) {
      return arch;
    }
    known += known.empty() ? std::string(arch.name) : fmt::format(", {}", arch.name);
  }
  return tl::unexpected(fmt::format("no architecture \"{}\" is in the table: choose one of {}",
                                    quotable(text), known));
}

int fmasPerCycle(int major, int minor) {
  const auto newer = std::ranges::upper_bound(kTable, std::tuple(major, minor), {}, capability);
  return newer == kTable.begin() ? newer->fmasPerCycle : std::prev(newer)->fmasPerCycle;
}

int tensorPerCycle(int major, int minor) {
  const auto newer = std::ranges::upper_bound(kTable, std::tuple(major, minor), {}, capability);
  return newer == kTable.begin() ? 0 : std::prev(newer)->tensorPerCycle;
}

int knownTensorPerCycle(int major, int minor) {
  const auto at = std::ranges::find(kTable, std::tuple(major, minor), capability);
  const bool known = at != kTable.end() && at->tensorPerCycle == at->tensorPerCycleLeast;
  return known ? at->tensorPerCycle : 0;
}

EightBitMma eightBitMma(int major, int minor) {
  const auto newer = std::ranges::upper_bound(kTable, std::tuple(major, minor), {}, capability);
  return newer == kTable.begin() ? EightBitMma::None : std::prev(newer)->eightBitMma;
}

const Architecture& defaultArchitecture() {
  return *std::ranges::find(kTable, kDefault, &Architecture::name);
}

}  // namespace tileloom
