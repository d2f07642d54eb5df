// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/lane_recorder.h"

#include <algorithm>
#include <utility>

namespace tileloom::timeline {
namespace {

using machine::Cause;
using machine::cyclesOf;
using machine::Passage;

Span spanOf(const Operation& op, const Passage& time) {
  Span span;
  span.begin = cyclesOf(time.begin);
  span.end = cyclesOf(time.end);
  span.work = op.work;
  span.kTile = op.kTile;
  span.line = op.line;
  span.first = op.first;
  span.count = op.count;
  return span;
}

}  // namespace

void LaneRecorder::wait(std::uint32_t warp, const Operation& op, const Passage& time, On on,
                        const Cause& ended) {
  if (time.end <= time.begin) return;
  auto& spans = spans_[warp];
  double from = cyclesOf(time.begin);
  // While the tensor core works on its mma, the warp is not only waiting.
  if (!spans.empty()) from = std::max(from, spans.back().end);
  const double to = cyclesOf(time.end);
  if (to <= from) return;
  Span span;
  span.begin = from;
  span.end = to;
  span.work = Work::Wait;
  span.on = on;
  span.kTile = op.kTile;
  span.line = op.line;
  span.dot = op.dot;
  spans.push_back(span);
  if (ended.kind != Cause::Kind::Nothing) woken_.push_back({warp, ended, to});
}

void LaneRecorder::issue(std::uint32_t warp, const Operation& op, const Passage& time) {
  auto& spans = spans_[warp];
  Span span = spanOf(op, time);
  span.matrix = op.matrix;
  span.dot = op.dot;
  if (!spans.empty() && spans.back().end > span.begin) spans.back().end = span.begin;
  spans.push_back(span);
}

void LaneRecorder::wgmma(const Operation& op, const Passage& time) {
  tensor_.push_back(spanOf(op, time));
}

std::uint32_t LaneRecorder::transfer(const Operation& op, const Passage& time) {
  if (op.brings == emulator::kNoTile || op.matrix == analysis::Matrix::C) return kNone;
  const std::uint32_t id = op.brings * 2 + (op.matrix == analysis::Matrix::B ? 1 : 0);
  const auto [entry, isNew] = flights_.try_emplace(id);
  Span& span = entry->second;
  if (isNew) {
    span.begin = cyclesOf(time.begin);
    span.work = Work::Flight;
    span.matrix = op.matrix;
    span.kTile = op.brings;
    span.line = op.line;
  }
  span.end = std::max(span.end, cyclesOf(time.end));
  return id;
}

void LaneRecorder::leave(const Operation& op, const Passage& time) {
  if (time.end <= time.begin) return;
  const double begin = cyclesOf(time.begin), end = cyclesOf(time.end);
  if (op.work == Work::Store && !leaving_.empty()) {
    Span& last = leaving_.back();
    if (last.end >= begin && last.line == op.line && last.kTile == op.object) {
      last.end = end;
      return;
    }
  }
  Span span;
  span.begin = begin;
  span.end = end;
  span.work = Work::Flight;
  span.matrix = analysis::Matrix::C;
  span.kTile = op.object;
  span.line = op.line;
  leaving_.push_back(span);
}

void LaneRecorder::addTo(Timeline& t, const std::vector<std::uint32_t>& schedulers,
                         const std::vector<std::string>& roles) {
  std::map<std::uint32_t, std::uint32_t> laneOf;  // of a transfer
  placeFlights(t, laneOf);
  const auto tensorLane = static_cast<std::uint32_t>(t.lanes.size());
  if (!tensor_.empty()) {
    Lane lane;
    lane.kind = LaneKind::TensorCore;
    lane.spans = std::move(tensor_);
    t.lanes.push_back(std::move(lane));
  }
  if (!leaving_.empty()) {
    Lane lane;
    lane.kind = LaneKind::Leaving;
    lane.matrix = analysis::Matrix::C;
    lane.spans = std::move(leaving_);
    t.lanes.push_back(std::move(lane));
  }
  const auto firstWarp = static_cast<std::uint32_t>(t.lanes.size());
  for (std::uint32_t w = 0; w < spans_.size(); ++w) {
    Lane lane;
    lane.number = w;
    lane.scheduler = schedulers[w];
    lane.spans = std::move(spans_[w]);
    if (w < roles.size()) lane.role = roles[w];
    t.lanes.push_back(std::move(lane));
  }
  for (const Woken& woken : woken_) {
    Arrow arrow;
    arrow.from = cyclesOf(woken.cause.at);
    arrow.to = woken.to;
    arrow.toLane = firstWarp + woken.warp;
    switch (woken.cause.kind) {
      case Cause::Kind::Warp:
        arrow.fromLane = firstWarp + woken.cause.id;
        break;
      case Cause::Kind::TensorCore:
        arrow.fromLane = tensorLane;
        break;
      case Cause::Kind::Transfer:
        arrow.fromLane = laneOf[woken.cause.id];
        break;
      case Cause::Kind::Nothing:
        continue;
    }
    t.arrows.push_back(arrow);
  }
}

// K tiles that are in flight at the same time have separate rows, A beside B.
void LaneRecorder::placeFlights(Timeline& t, std::map<std::uint32_t, std::uint32_t>& laneOf) const {
  std::map<std::uint32_t, std::pair<double, double>> tiles;
  for (const auto& [id, span] : flights_) {
    const auto [entry, isNew] = tiles.try_emplace(id / 2, span.begin, span.end);
    if (!isNew) {
      entry->second.first = std::min(entry->second.first, span.begin);
      entry->second.second = std::max(entry->second.second, span.end);
    }
  }
  std::vector<double> rows;  // end of use of each
  for (const auto& [tile, times] : tiles) {
    std::size_t row = 0;
    while (row < rows.size() && rows[row] > times.first) ++row;
    if (row == rows.size()) {
      rows.push_back(0);
      for (const analysis::Matrix m : {analysis::Matrix::A, analysis::Matrix::B}) {
        Lane lane;
        lane.kind = LaneKind::Flight;
        lane.number = static_cast<std::uint32_t>(row);
        lane.matrix = m;
        t.lanes.push_back(lane);
      }
    }
    rows[row] = times.second;
    for (std::uint32_t side = 0; side < 2; ++side) {
      const auto span = flights_.find(tile * 2 + side);
      if (span == flights_.end()) continue;
      const auto lane = static_cast<std::uint32_t>(row * 2 + side);
      laneOf[span->first] = lane;
      t.lanes[lane].spans.push_back(span->second);
    }
  }
}

}  // namespace tileloom::timeline
