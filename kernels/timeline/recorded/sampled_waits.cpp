// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/sampled_waits.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "kernels/sass/recorded.h"

namespace tileloom::timeline {
namespace {

using model::LineStalls;
using model::StallShare;

// The same with the amount of each reason.
StallShare shareOf(const std::array<double, runs::kStallReasons>& by) {
  StallShare s;
  s.by = by;
  for (std::size_t i = 0; i < by.size(); ++i) {
    s.share += by[i];
    if (!model::isWait(i)) {
      s.ready += by[i];
    } else if (by[i] > s.reasonShare) {
      s.reason = i;
      s.reasonShare = by[i];
    }
  }
  return s;
}

void add(std::vector<LineStalls>& to, const LineStalls& line, double part, double& all) {
  if (part <= 0) return;
  auto by = line.stalls.by;
  for (double& share : by) share *= part;
  to.push_back({line.line, line.instructions, shareOf(by)});
  all += to.back().stalls.share;
}

void finish(std::vector<LineStalls>& lines, double all) {
  if (all <= 0) return;
  for (LineStalls& line : lines) {
    auto by = line.stalls.by;
    for (double& share : by) share /= all;
    line.stalls = shareOf(by);
  }
  std::ranges::stable_sort(lines, std::greater{},
                           [](const LineStalls& line) { return line.stalls.share; });
}

}  // namespace

std::optional<double> SampledWaits::waiting(const WaitPlaces& places, On on, Who who) const {
  const auto& lines = who == Who::Multiply ? multiply : bring;
  if (lines.empty()) return std::nullopt;
  double share = 0;
  for (const LineStalls& line : lines) {
    const WaitPlace* place = places.at(line.line);
    if (place != nullptr && place->on == on) share += line.stalls.share - line.stalls.ready;
  }
  return share;
}

SampledWaits sampledWaits(const std::vector<LineStalls>& byLine, const WaitPlaces& places) {
  SampledWaits all;
  const int warps = std::popcount(places.multiply | places.bring | places.idle);
  for (LineStalls line : byLine) {
    if (places.idleLine != 0 && line.line == places.idleLine && line.stalls.reason) {
      double& slept = line.stalls.by[*line.stalls.reason];
      all.ofIdle = std::min(slept, static_cast<double>(std::popcount(places.idle)) / warps);
      slept -= all.ofIdle;
      line.stalls = shareOf(line.stalls.by);
    }
    const std::uint32_t workers = places.workersOf(line.line);
    const double part = workers == 0
                            ? 1.0
                            : static_cast<double>(std::popcount(workers & places.multiply)) /
                                  std::popcount(workers);
    add(all.multiply, line, part, all.ofMultiply);
    add(all.bring, line, 1 - part, all.ofBring);
  }
  finish(all.multiply, all.ofMultiply);
  finish(all.bring, all.ofBring);
  return all;
}

std::optional<RecordedWaits> recordedWaits(const Subject& subject, const Problem& problem,
                                           std::string_view arch, const WaitPlaces& places) {
  const auto* samples = runs::recordedSamples(subject, problem, arch);
  if (samples == nullptr || !(samples->problem == problem)) return std::nullopt;
  const auto code = sass::recordedListing(subject, arch);
  if (!code || code->fingerprint != samples->fingerprint || code->nvrtc != samples->cuda ||
      !code->listing.hasLines())
    return std::nullopt;
  return RecordedWaits{sampledWaits(model::stallsByLine(*samples, code->listing), places),
                       samples->device, samples->when};
}

namespace {

// The kernel's own term for the wait at a line; empty: it has none.
std::string_view kernelsWord(const LineStalls& line, const WaitPlaces* places) {
  const WaitPlace* place = places != nullptr ? places->at(line.line) : nullptr;
  return place != nullptr ? waitText(*place) : std::string_view();
}

}  // namespace

double waitedShare(const LineStalls& line, const WaitPlaces* places) {
  return kernelsWord(line, places).empty() ? line.stalls.reasonShare
                                           : line.stalls.share - line.stalls.ready;
}

std::string waitedText(const LineStalls& line, const WaitPlaces* places) {
  if (!line.stalls.reason) return {};
  const std::string_view profiler = model::stallName(*line.stalls.reason);
  const std::string_view text = kernelsWord(line, places);
  return text.empty() ? std::string(profiler) : fmt::format("{} (profiler: {})", text, profiler);
}

}  // namespace tileloom::timeline
