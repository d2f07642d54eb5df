// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/build_target.h"

#include <fmt/format.h>

#include <tuple>

#include "kernels/tile/mma.h"

namespace tileloom {
namespace {

bool isHopper(const Architecture& arch) {
  return arch.major == 9 && arch.minor == 0;
}

// Tensor maps and mbarriers that count bytes came with Hopper and stayed; only Hopper has wgmma
// (assembled with NVRTC 13.0 for sm_90a, sm_100 and sm_120). Empty: the architecture has what the
// stage uses.
std::string whatLacks(const Stage& stage, const Architecture& arch) {
  if (!stage.features().tma || isHopper(arch)) return {};
  if (stage.features().warpgroupMma)
    return fmt::format("uses wgmma, which Hopper has and {} does not", arch.name);
  if (arch.major < 9) return fmt::format("needs TMA, which {} does not have", arch.name);
  return {};
}

}  // namespace

std::string whyNotFor(const Stage& stage, Format format, const Architecture& arch) {
  const FormatRow& numbers = rowOf(format);
  if (std::tie(arch.major, arch.minor) < std::tie(numbers.major, numbers.minor)) {
    return fmt::format("{} has no tensor cores for {}: they begin with sm_{}{}", arch.name,
                       numbers.name, numbers.major, numbers.minor);
  }
  const std::string lacking = whatLacks(stage, arch);
  if (lacking.empty()) return {};
  std::string instead;
  for (const Stage& other : ladderOf(stage)) {
    if (other.rung < stage.rung && whyNotFor(other, format, arch).empty())
      instead = fmt::format(", or {} ({})", rungLabel(other), other.id);
  }
  return fmt::format("{} ({}) {}: choose sm_90{}", rungLabel(stage), stage.id, lacking, instead);
}

bool canBeBuiltFor(const Stage& stage, const Architecture& arch) {
  return whyNotFor(stage, stage.usualFormat(), arch).empty();
}

std::string compilerTarget(const Stage& stage, std::string_view arch) {
  const MmaRow* const mma = stage.mma();
  const bool itsOwn =
      (stage.features().tma && arch == "sm_90") || (mma != nullptr && mma->ownTarget);
  return fmt::format("{}{}", arch, itsOwn ? "a" : "");
}

std::string assemblerOption(const Stage& stage) {
  return stage.assemblerLevel == kUsualAssemblerLevel ? std::string()
                                                      : fmt::format("-O{}", stage.assemblerLevel);
}

std::string compilerText(const Stage& stage, std::string_view nvrtcVersion) {
  std::string text = fmt::format("NVRTC {}", nvrtcVersion);
  if (const std::string told = assemblerOption(stage); !told.empty())
    text += fmt::format(", ptxas {}", told);
  return text;
}

std::string mainLoopText(bool rewritten, std::string_view whyNot) {
  if (rewritten) return "main loop rewritten";
  return whyNot.empty() ? std::string() : fmt::format("main loop as compiled, because {}", whyNot);
}

}  // namespace tileloom
