// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/architecture.h"

#include <fmt/format.h>

#include <array>

namespace tileloom {
namespace {

constexpr int kKiB = 1024;
constexpr std::array<Architecture, 6> kTable = {{
    {"sm_80", 8, 0, 64, 32, 164 * kKiB, 163 * kKiB},
    {"sm_86", 8, 6, 48, 16, 100 * kKiB, 99 * kKiB},
    {"sm_89", 8, 9, 48, 24, 100 * kKiB, 99 * kKiB},
    {"sm_90", 9, 0, 64, 32, 228 * kKiB, 227 * kKiB},
    {"sm_100", 10, 0, 64, 32, 228 * kKiB, 227 * kKiB},
    {"sm_120", 12, 0, 48, 24, 100 * kKiB, 99 * kKiB},
}};

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
  return tl::unexpected(
      fmt::format("no architecture \"{}\" is in the table: choose one of {}", text, known));
}

int fmasPerCycle(int major, int minor) {
  return major < 8 || (major == 8 && minor == 0) ? 64 : 128;
}

const Architecture& defaultArchitecture() {
  return kTable[3];
}

}  // namespace tileloom
