// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>

namespace tileloom::timeline {

std::optional<Measured> findStamps(std::span<const EmbeddedFile> files, const Subject& subject,
                                   const Problem& problem, std::string_view arch) {
  const Stage& stage = *subject.rung();
  const std::string ending = fmt::format("-{}.json", stage.id);
  std::optional<Measured> other;
  for (const EmbeddedFile& file : files) {
    if (!file.name.ends_with(ending)) continue;
    auto m = measuredFrom(file.text);
    if (!m || m->rung() != &stage || !(m->tile == subject.tile) || m->format != subject.format ||
        m->arch != arch)
      continue;
    if (m->problem == problem) return std::move(*m);
    other = std::move(*m);
  }
  return other;
}

std::optional<Measured> shippedStamps(const Subject& subject, const Problem& problem,
                                      std::string_view arch) {
  return findStamps(stampFiles(), subject, problem, arch);
}

}  // namespace tileloom::timeline
