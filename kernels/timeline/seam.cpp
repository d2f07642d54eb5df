// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/seam.h"
#include "kernels/tile/residency.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "kernels/device/pieces_of.h"
#include "kernels/tile/derived.h"
#include "kernels/timeline/program.h"

namespace tileloom::timeline {
namespace {

constexpr std::uint32_t kWalks = 2;
constexpr std::uint32_t kBefore = 1, kBehind = 4;  // K tiles that are shown
// K tiles of each tile beyond those that one tile's steady state needs: after the shown ones, the
// producer prefetches others, as it does if K is long.
constexpr std::uint32_t kFurther = 4;

std::string whyOneTile(const Stage& stage) {
  std::vector<std::string_view> others;
  for (const Stage* other : everyStage()) {
    if (other->features().persistent) others.push_back(other->id);
  }
  return fmt::format(
      "a block of {} computes one tile of C, so there is no gap between two: choose a persistent "
      "kernel, one of {}",
      stage.id, fmt::join(others, ", "));
}

// Whether the launch's first block computes a second tile, along all of K.
bool hasSecond(const Stage& stage, const TileShape& tile, const Problem& padded) {
  if (stage.split() == SplitK::Rounds) {
    const pieces all = piecesOf(stage, tile, padded, 0, kUsualSms);
    const piece second = all.at(1);
    return second.first == 0 && second.end == all.rounds;
  }
  const Extent tiles = launchOf(stage, tile, padded).grid;
  const Extent blocks = residentLaunch(stage, tile, padded).grid;
  return tiles.x * tiles.y > blocks.x * blocks.y;
}

}  // namespace

tl::expected<emulator::TraceRequest, std::string> oneTile(const Subject& subject,
                                                          const Problem& problem, bool varies) {
  const Stage& stage = *subject.rung();
  emulator::TraceRequest request;
  request.subject() = subject;
  request.problem = problem;
  request.operands = false;
  if (std::string why = emulator::whyNotTraceable(request); !why.empty())
    return tl::unexpected(std::move(why));
  request.kTiles = tilesWanted(stage, subject.tile, varies);
  return request;
}

tl::expected<emulator::TraceRequest, std::string> betweenTiles(const Subject& subject,
                                                               const Problem& problem) {
  const Stage& stage = *subject.rung();
  if (!stage.features().persistent) return tl::unexpected(whyOneTile(stage));
  auto request = oneTile(subject, problem);
  if (!request) return request;
  const Problem padded = paddedProblem(stage, subject.tile, problem);
  if (!hasSecond(stage, subject.tile, padded)) {
    return tl::unexpected(
        fmt::format("at {} no block computes a second whole tile of C, so there is no gap between "
                    "two: choose a larger M or N",
                    toString(problem)));
  }
  request->kTiles += kFurther;
  const auto least = static_cast<int>(request->kTiles) * derive(stage, subject.tile).stepK;
  if (least > padded.k) {
    return tl::unexpected(
        fmt::format("K = {} is too short for K tiles to repeat, so the gap between two tiles of C "
                    "is unknown: choose at least {}",
                    problem.k, least));
  }
  request->walks = kWalks;
  return request;
}

std::optional<Problem> sizeWithSeam(const Subject& subject, const Problem& problem) {
  Problem tried = problem;
  while (std::max({tried.m, tried.n, tried.k}) <= emulator::kMaxDimension) {
    if (betweenTiles(subject, tried)) return tried;
    for (int* side : {&tried.m, &tried.n, &tried.k}) *side *= 2;
  }
  return std::nullopt;
}

std::optional<Seam> seamOf(const Timeline& t) {
  const std::uint32_t each = t.tilesPerWalk;
  if (each < 2 || t.tileStarts.size() <= each) return std::nullopt;
  Seam seam;
  bool first = false, second = false;
  for (const Lane& lane : t.lanes) {
    if (lane.kind != LaneKind::TensorCore) continue;
    for (const Span& span : lane.spans) {
      if (span.kTile == emulator::kNoTile) continue;
      if (span.kTile < each) {
        seam.last = first ? std::max(seam.last, span.end) : span.end;
        first = true;
      } else {
        seam.next = second ? std::min(seam.next, span.begin) : span.begin;
        second = true;
      }
    }
  }
  if (!first || !second) return std::nullopt;
  double all = 0, late = 0;
  for (const Lane& lane : t.lanes) {
    if (lane.kind != LaneKind::Leaving) continue;
    for (const Span& span : lane.spans) {
      if (span.kTile != 0) continue;
      seam.left = std::max(seam.left, span.end);
      all += span.end - span.begin;
      const double length = span.end - span.begin;
      late +=
          length - std::max(0.0, std::min(span.end, seam.next) - std::max(span.begin, seam.last));
    }
  }
  if (all > 0) seam.behind = late / all;
  const auto last = static_cast<std::uint32_t>(t.tileStarts.size() - 1);
  seam.from = t.tileStarts[each - 1 - std::min(kBefore, each - 1)];
  seam.to = t.tileStarts[std::min(each + kBehind, last)];
  return seam;
}

double idleShare(double idle, double cyclesPerTile, double kTiles) {
  const double all = idle + cyclesPerTile * kTiles;
  return all > 0 ? idle / all : 0;
}

}  // namespace tileloom::timeline
