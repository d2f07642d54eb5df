// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/runs/recording_files.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"

namespace tileloom::runs {
namespace {

std::vector<StallSamples> parseAll() {
  std::vector<StallSamples> all;
  for (const EmbeddedFile& file : sampleFiles()) {
    const std::string_view text = file.text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      // A broken line would be our own mistake, which a test looks for.
      if (const auto json = parseJsonObject(text.substr(begin, end - begin), kMessageBounds)) {
        if (auto samples = stallSamplesFrom(*json)) {
          samples->recorded = true;
          all.push_back(std::move(*samples));
        }
      }
      begin = end + 1;
    }
  }
  return all;
}

}  // namespace

std::span<const StallSamples> allRecordedSamples() {
  static const std::vector<StallSamples> all = parseAll();
  return all;
}

const StallSamples* recordedSamples(const Subject& subject, const Problem& problem,
                                    std::string_view arch) {
  const Stage& stage = *subject.rung();
  const auto size = [](const Problem& p) { return std::log(1.0 * p.m * p.n * p.k); };
  const StallSamples* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const StallSamples& each : allRecordedSamples()) {
    if (each.rung() != &stage || each.tile != subject.tile || each.arch != arch ||
        each.format != subject.format || each.fingerprint != fingerprintOf(stage))
      continue;
    const double away = std::abs(size(each.problem) - size(problem));
    if (away < least) {
      least = away;
      nearest = &each;
    }
  }
  return nearest;
}

bool hasRecordedSamples(const Stage& stage) {
  return std::ranges::any_of(allRecordedSamples(), [&](const StallSamples& each) {
    return each.rung() == &stage && each.tile == stage.standardTile() &&
           each.format == stage.usualFormat();
  });
}

}  // namespace tileloom::runs
