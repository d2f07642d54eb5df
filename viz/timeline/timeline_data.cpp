// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/timeline_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/base/plain_text.h"
#include "kernels/tile/derived.h"

namespace tileloom {
namespace {

std::optional<int> numberIn(std::string_view text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || value < 0 || value > kMostCycles) return std::nullopt;
  return value;
}

}  // namespace

std::string cyclesText(const CycleSpan& span) {
  return fmt::format("{}:{}", span.from, span.to);
}

tl::expected<CycleSpan, std::string> parseCycles(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto from = numberIn(text.substr(0, colon));
  const auto to = colon == std::string_view::npos ? std::nullopt : numberIn(text.substr(colon + 1));
  if (!from || !to || *from >= *to) {
    return tl::unexpected(
        fmt::format("\"{}\" is not a span of cycles: give the first and the last, such as 0:12000",
                    quotable(text)));
  }
  return CycleSpan{*from, *to};
}

void showSeam(TimelineData& data, int k) {
  data.seam = timeline::seamOf(*data.timeline);
  if (!data.seam) return;
  data.usualBegin = data.seam->from;
  data.usualEnd = data.seam->to;
  data.k = k;
  const int depth = std::max(1, derive(*data.rung(), data.tile).stepK);
  data.kTiles = (k + depth - 1) / depth;
}

void makeRoomForMeasured(TimelineData& predicted) {
  predicted.legend = false;
  if (predicted.seam) {
    // The measured next tile may begin later.
    const auto measured = timeline::seamOf(predicted.beside->aligned);
    if (!measured) return;
    const auto& begins = predicted.timeline->tileStarts;
    const double farthest =
        begins[std::min<std::size_t>(2 * predicted.timeline->tilesPerWalk - 4, begins.size() - 1)];
    predicted.usualEnd = std::max(predicted.usualEnd, std::min(measured->to, farthest));
    return;
  }
  const auto& starts = predicted.timeline->tileStarts;
  const std::size_t last = std::min<std::size_t>(predicted.beside->under + 2, starts.size() - 1);
  predicted.usualEnd = std::max(predicted.usualEnd, starts[last]);
}

TimelineData measuredData(const TimelineData& predicted) {
  TimelineData data;
  data.timeline = {predicted.beside, &predicted.beside->aligned};
  data.subject() = predicted;
  data.warp = predicted.warp;
  data.usualBegin = predicted.usualBegin;
  data.usualEnd = predicted.usualEnd;
  data.k = predicted.k;
  data.kTiles = predicted.kTiles;
  if (predicted.seam) data.seam = timeline::seamOf(*data.timeline);
  data.device = QString::fromStdString(predicted.beside->measured.device);
  data.beside = predicted.beside;
  data.remark = QString::fromStdString(predicted.beside->remark);
  data.measured = true;
  return data;
}

CycleSpan usualSpan(const TimelineData& data) {
  const double end = data.usualEnd > 0 ? data.usualEnd : data.ready() ? data.timeline->cycles : 0;
  const int first = static_cast<int>(std::clamp<double>(data.usualBegin, 0, kMostCycles - 1));
  return {first,
          std::max(first + 1, static_cast<int>(std::ceil(std::min<double>(end, kMostCycles))))};
}

}  // namespace tileloom
