// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/shipped_stamps.h"

#include <fmt/format.h>

namespace tileloom::timeline {

std::optional<Measured> findStamps(std::span<const EmbeddedFile> files, const Stage& stage,
                                   const TileShape& tile, Arithmetic arithmetic,
                                   const Problem& problem, std::string_view arch) {
  const std::string ending = fmt::format("-{}.json", stage.id);
  std::optional<Measured> other;
  for (const EmbeddedFile& file : files) {
    if (!file.name.ends_with(ending)) continue;
    auto m = measuredFrom(file.text);
    if (!m || m->stage != &stage || !(m->tile == tile) || m->arithmetic != arithmetic ||
        m->arch != arch)
      continue;
    if (m->problem == problem) return std::move(*m);
    other = std::move(*m);
  }
  return other;
}

std::optional<Measured> shippedStamps(const Stage& stage, const TileShape& tile,
                                      Arithmetic arithmetic, const Problem& problem,
                                      std::string_view arch) {
  return findStamps(stampFiles(), stage, tile, arithmetic, problem, arch);
}

}  // namespace tileloom::timeline
