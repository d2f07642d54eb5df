// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/measured_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>

#include "kernels/tile/architecture.h"
#include "kernels/tile/derived.h"
#include "kernels/timeline/recorded/sampled_waits.h"
#include "kernels/timeline/recorded/stamp_words.h"
#include "kernels/timeline/wait_shares.h"

namespace tileloom::timeline {
namespace {

using emulator::kNoTile;

constexpr std::uint32_t kSchedulers = Architecture::kPartitions;
constexpr std::size_t kWarpsOfGroup = 4;

// The operation that holds back a K tile's multiply-adds: the last wait before them.
struct Gate {
  std::uint32_t warp = 0;
  std::uint32_t first = kNone;  // its instruction in the trace
  Work work = Work::Barrier;
  std::uint16_t line = 0;
  std::uint32_t kTile = kNoTile;  // in whose iteration it is
};

bool multiplies(Work work) {
  return work == Work::Multiply || work == Work::Mma || work == Work::Product;
}

const StampWord* wordOf(Work work) {
  for (const StampWord& word : stampWords()) {
    if (word.work == work) return &word;
  }
  return nullptr;
}

bool waits(Work work) {
  const StampWord* word = wordOf(work);
  return word != nullptr && word->on != On::Nothing;
}

std::optional<Gate> gateOf(const Program& program, std::uint32_t warp, std::uint32_t kTile) {
  const Operation* latest = nullptr;
  for (const Operation& op : program.operations) {
    if (multiplies(op.work) && op.kTile == kTile) {
      if (latest == nullptr) return std::nullopt;
      return Gate{warp, latest->first, latest->work, latest->line, latest->kTile};
    }
    if (waits(op.work)) latest = &op;
  }
  return std::nullopt;
}

// When the operation that holds back K tile `kTile` has ended for the first warp; `like` is a K
// tile of the program whose operation has the same distance to its own multiply-adds.
std::optional<std::uint32_t> startOf(const Measured& m, const BlockProgram& program,
                                     std::uint32_t kTile, std::uint32_t like) {
  std::optional<std::uint32_t> start;
  const std::size_t warps = std::min(m.warps.size(), program.warps.size());
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    const auto gate = gateOf(program.warps[warp], warp, like);
    if (!gate) continue;  // it does not multiply
    const std::uint32_t turn = gate->kTile == kNoTile ? kNoTile : gate->kTile + kTile - like;
    std::optional<std::uint32_t> end;
    bool inLoop = false;
    std::uint32_t latest = 0;
    for (const Stamp& stamp : m.warps[warp]) {
      if (inLoop && stamp.kTile < latest) break;  // a persistent block
      if (stamp.kTile != kNoTile) latest = stamp.kTile;
      inLoop |= stamp.kTile != kNoTile;
      if (turn == kNoTile && inLoop) break;
      if (stamp.kTile == turn && stamp.line == gate->line &&
          stampWord(stamp.word)->work == gate->work) {
        end = stamp.end;
      }
    }
    if (!end) return std::nullopt;
    start = std::min(start.value_or(*end), *end);
  }
  return start;
}

Span spanOf(const Stamp& stamp) {
  const StampWord& word = *stampWord(stamp.word);
  Span span;
  span.begin = stamp.begin;
  span.end = stamp.end;
  span.work = word.on == On::Nothing ? word.work : Work::Wait;
  span.on = word.on;
  span.line = stamp.line;
  span.kTile = stamp.kTile;
  return span;
}

Lane warpLane(const std::vector<Stamp>& stamps, std::uint32_t warp) {
  Lane lane;
  lane.kind = LaneKind::Warp;
  lane.number = warp;
  lane.scheduler = warp % kSchedulers;
  const Stamp* before = nullptr;
  for (const Stamp& stamp : stamps) {
    if (before != nullptr && stamp.begin > before->end) {
      const StampWord& word = *stampWord(stamp.word);
      Span between;
      between.begin = before->end;
      between.end = stamp.begin;
      // After the operation that announces bytes come the TMA loads that bring them.
      between.work = word.before != Work::Between                    ? word.before
                     : stampWord(before->word)->work == Work::Expect ? Work::Box
                                                                     : Work::Between;
      between.kTile = stamp.kTile;
      lane.spans.push_back(between);
    }
    lane.spans.push_back(spanOf(stamp));
    before = &stamp;
  }
  return lane;
}

// Groups of one warp, from their issue to the end of the wait that covers them.
std::vector<Span> groupsOf(const std::vector<Stamp>& stamps, Work commit, Work wait, Work shown) {
  std::vector<Span> open, closed;
  const Stamp* before = nullptr;
  std::uint32_t number = 0;
  for (const Stamp& stamp : stamps) {
    const StampWord& word = *stampWord(stamp.word);
    if (word.work == commit) {
      Span span;
      span.begin = before != nullptr ? before->end : stamp.begin;
      span.work = shown;
      span.line = stamp.line;
      // Copies are prefetched; each group of them brings one K tile.
      span.kTile = shown == Work::Flight ? number : stamp.kTile;
      ++number;
      open.push_back(span);
    } else if (word.work == wait) {
      while (open.size() > stamp.groups) {
        closed.push_back(open.front());
        closed.back().end = stamp.end;
        open.erase(open.begin());
      }
    }
    before = &stamp;
  }
  return closed;
}

// Bytes that warps announce to mbarriers, until the first warp sees the phase of that K tile
// complete.
std::vector<Span> boxesOf(const Measured& m, std::uint32_t kTiles) {
  std::vector<std::optional<std::uint32_t>> seen(kTiles);
  const auto uses = [](const std::vector<Stamp>& stamps, Work work) {
    return std::ranges::any_of(stamps,
                               [&](const Stamp& s) { return stampWord(s.word)->work == work; });
  };
  const bool groups = std::ranges::any_of(
      m.warps, [&](const auto& warp) { return uses(warp, Work::CommitProducts); });
  for (const auto& warp : m.warps) {
    // Warps that do not multiply wait for empty stages.
    if (groups && !uses(warp, Work::CommitProducts)) continue;
    for (const Stamp& s : warp) {
      if (stampWord(s.word)->work != Work::WaitBarrier || s.kTile >= kTiles) continue;
      auto& at = seen[s.kTile];
      at = std::min(at.value_or(s.end), s.end);
    }
  }
  std::vector<Span> spans;
  std::uint32_t number = 0;
  for (const auto& warp : m.warps) {
    for (const Stamp& s : warp) {
      if (stampWord(s.word)->work != Work::Expect) continue;
      if (number < kTiles && seen[number] && *seen[number] > s.begin) {
        Span span;
        span.begin = s.begin;
        span.end = *seen[number];
        span.work = Work::Flight;
        span.line = s.line;
        span.kTile = number;
        spans.push_back(span);
      }
      ++number;
    }
    if (number > 0) break;  // one thread issues all of them
  }
  return spans;
}

// Side by side where they overlap, each in the first free lane.
std::vector<Lane> placed(LaneKind kind, const std::vector<Span>& spans) {
  std::vector<Lane> lanes;
  for (const Span& span : spans) {
    auto lane = std::ranges::find_if(
        lanes, [&](const Lane& l) { return l.spans.back().end <= span.begin; });
    if (lane == lanes.end()) {
      Lane made;
      made.kind = kind;
      made.number = static_cast<std::uint32_t>(lanes.size());
      lanes.push_back(std::move(made));
      lane = lanes.end() - 1;
    }
    lane->spans.push_back(span);
  }
  return lanes;
}

// Timestamps distinguish K tiles but not their matrices: A and B are in flight together. They have
// lanes in pairs, as in the predicted timeline.
void placeFlights(std::vector<Lane>& lanes, const std::vector<Span>& spans) {
  for (const Lane& a : placed(LaneKind::Flight, spans)) {
    lanes.push_back(a);
    Lane b = a;
    b.matrix = analysis::Matrix::B;
    for (Span& span : b.spans) span.matrix = analysis::Matrix::B;
    lanes.push_back(std::move(b));
  }
}

// The end of the gate in the predicted timeline: the end of its wait, if it waits there.
std::optional<double> predictedEnd(const Timeline& timeline, const Gate& gate) {
  const auto lane = timeline.laneOfWarp(gate.warp);
  if (!lane) return std::nullopt;
  const auto& spans = timeline.lanes[*lane].spans;
  const auto at = std::ranges::find_if(spans, [&](const Span& span) {
    return span.first != kNone && span.work == gate.work && gate.first >= span.first &&
           gate.first < span.first + span.count;
  });
  if (at == spans.end()) return std::nullopt;
  const auto next = at + 1;
  return next != spans.end() && next->work == Work::Wait ? next->end : at->end;
}

}  // namespace

tl::expected<Timeline, std::string> timelineOf(const Measured& m, const BlockProgram& program) {
  const auto depth = static_cast<std::uint32_t>(std::max(1, derive(*m.rung(), m.tile).stepK));
  const std::uint32_t kTiles = (static_cast<std::uint32_t>(m.problem.k) + depth - 1) / depth;
  if (m.warps.size() != program.warps.size()) {
    return tl::unexpected(fmt::format("{} warps have timestamps, but a block of this tile has {}",
                                      m.warps.size(), program.warps.size()));
  }
  Timeline t;
  t.blocks = m.stampedBlocksPerSm;
  const std::uint32_t last = program.kTiles > 0 ? program.kTiles - 1 : 0;
  for (std::uint32_t k = 0; k < kTiles; ++k) {
    const auto start = startOf(m, program, k, std::min(k, last));
    if (!start) break;  // its records were full
    t.tileStarts.push_back(*start);
  }
  if (t.tileStarts.empty()) {
    return tl::unexpected(std::string(
        "no timestamp is at the beginning of a K tile: these timestamps are of another source"));
  }
  if (!std::ranges::is_sorted(t.tileStarts))
    return tl::unexpected(std::string("its K tiles are not in order"));
  const auto count = static_cast<std::uint32_t>(t.tileStarts.size());
  // As in the predicted one, the first K tiles are left out; so are the last ones, for which
  // nothing is prefetched any more.
  const std::uint32_t fill = std::max(2u, program.buffers), drain = program.buffers + 1;
  if (program.walks > 1) t.tilesPerWalk = program.kTiles / program.walks;
  const std::uint32_t until = t.tilesPerWalk > 0 ? std::min(t.tilesPerWalk, count) - 1
                              : count > drain    ? count - drain
                                                 : 0;
  if (until > fill + 1) {
    t.steadyFrom = fill;
    t.steadyTo = until;
    t.cyclesPerTile =
        (t.tileStarts[t.steadyTo] - t.tileStarts[t.steadyFrom]) / (t.steadyTo - t.steadyFrom);
  }
  for (const auto& warp : m.warps) {
    if (!warp.empty()) t.cycles = std::max(t.cycles, double(warp.back().end));
    for (const Stamp& s : warp) {
      if (s.kTile != kNoTile) t.loopEnd = std::max(t.loopEnd, double(s.end));
    }
  }
  std::vector<Span> flights = boxesOf(m, kTiles);
  if (flights.empty() && !m.warps.empty()) {
    flights = groupsOf(m.warps[0], Work::CommitCopies, Work::WaitCopies, Work::Flight);
    std::erase_if(flights, [&](const Span& span) { return span.kTile >= kTiles; });
  }
  placeFlights(t.lanes, flights);
  for (std::size_t warp = 0; warp < m.warps.size(); warp += kWarpsOfGroup) {
    std::ranges::move(placed(LaneKind::TensorCore, groupsOf(m.warps[warp], Work::CommitProducts,
                                                            Work::WaitProducts, Work::Product)),
                      std::back_inserter(t.lanes));
  }
  for (std::uint32_t warp = 0; warp < m.warps.size(); ++warp) {
    Lane lane = warpLane(m.warps[warp], warp);
    if (warp < program.roles.size()) lane.role = program.roles[warp];
    t.lanes.push_back(std::move(lane));
  }
  return t;
}

std::optional<Timeline> alignedTo(const Timeline& predicted, const Timeline& measured,
                                  const BlockProgram& program, std::uint32_t predictedTile,
                                  std::uint32_t measuredTile) {
  if (measuredTile >= measured.tileStarts.size()) return std::nullopt;
  std::optional<double> at;  // of the first warp, as in the measured one
  for (std::uint32_t warp = 0; warp < program.warps.size(); ++warp) {
    const auto gate = gateOf(program.warps[warp], warp, predictedTile);
    const auto end = gate ? predictedEnd(predicted, *gate) : std::nullopt;
    if (end) at = std::min(at.value_or(*end), *end);
  }
  if (!at) return std::nullopt;
  const double shift = *at - measured.tileStarts[measuredTile];
  Timeline moved = measured;
  for (double& start : moved.tileStarts) start += shift;
  moved.loopEnd += shift;
  moved.cycles = predicted.cycles;
  for (Lane& lane : moved.lanes) {
    for (Span& span : lane.spans) {
      span.begin = std::max(0.0, span.begin + shift);
      span.end = std::min(predicted.cycles, span.end + shift);
    }
    std::erase_if(lane.spans, [](const Span& span) { return span.end <= span.begin; });
  }
  return moved;
}

namespace {

// commit_products is followed by wait_products, with nothing between them but the cost of a
// timestamp.
void addStampCost(Comparison& c, const Timeline& measured) {
  const double from = measured.tileStarts[measured.steadyFrom],
               to = measured.tileStarts[measured.steadyTo];
  std::vector<double> gaps;
  double stamps = 0;
  const auto lanes = measured.lanesOf(Who::Multiply);
  for (const Lane* lane : lanes) {
    for (std::size_t i = 0; i + 2 < lane->spans.size(); ++i) {
      const Span &asked = lane->spans[i], &gap = lane->spans[i + 1], &wait = lane->spans[i + 2];
      if (asked.begin < from || asked.begin >= to) continue;
      // The time between two timestamps has no line.
      if (asked.line != 0) ++stamps;
      if (asked.work == Work::CommitProducts && gap.work == Work::Between &&
          wait.on == On::Products)
        gaps.push_back(gap.end - gap.begin);
    }
  }
  if (gaps.empty()) return;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::ranges::nth_element(gaps, middle);
  c.perStamp = *middle;
  c.stampsPerTile =
      stamps / static_cast<double>(lanes.size()) / (measured.steadyTo - measured.steadyFrom);
}

}  // namespace

Comparison compared(const Timeline& predicted, const Timeline& measured) {
  Comparison c;
  c.predictedCycles = predicted.cyclesPerTile;
  c.stampedCycles = measured.cyclesPerTile;
  c.from = measured.steadyFrom;
  c.to = measured.steadyTo;
  for (const Who who : {Who::Multiply, Who::Bring}) {
    if (!predicted.has(who)) continue;
    const bool stamped = measured.has(who);
    for (const StampWord& word : stampWords()) {
      if (word.on == On::Nothing) continue;
      constexpr double kShown = 0.0005;
      ComparedWait wait{word.on, who, predicted.waiting(word.on, who), {}, {}, {}};
      if (stamped) wait.stamped = measured.waiting(word.on, who);
      const bool known = std::ranges::any_of(c.waits, [&](const ComparedWait& other) {
        return other.on == word.on && other.who == who;
      });
      if (!known && (wait.predicted >= kShown || wait.stamped.value_or(0) >= kShown))
        c.waits.push_back(wait);
    }
  }
  addStampCost(c, measured);
  return c;
}

void addTimes(Comparison& c, const Measured& m, const BlockProgram& program) {
  for (const Who who : {Who::Multiply, Who::Bring}) {
    const auto shares = waitShares(m, program, who);
    if (!shares) continue;
    c.timed = true;
    for (ComparedWait& wait : c.waits) {
      if (wait.who == who) wait.timed = shares->of(wait.on);
    }
  }
}

void addSamples(Comparison& c, const Measured& m, const WaitPlaces& places) {
  const auto sampled = recordedWaits(m, m.problem, m.arch, places);
  if (!sampled) return;
  c.sampledOn = sampled->device;
  for (ComparedWait& wait : c.waits)
    wait.sampled = sampled->waits.waiting(places, wait.on, wait.who);
}

std::string disagreement(const Comparison& c) {
  constexpr double kFar = 0.10;
  for (const ComparedWait& wait : c.waits) {
    const auto& real = wait.timed ? wait.timed : wait.sampled;
    if (wait.who != Who::Multiply || wait.on != On::Products || !wait.stamped || !real ||
        *real - *wait.stamped < kFar || c.perStamp <= 0)
      continue;
    return fmt::format(
        "a warp waits for wgmma {:.0f} % of its time {}, but {:.0f} % by timestamps: writing a "
        "timestamp takes {:.0f} cycles, {:.0f} times per K tile, while wgmma continues, so less is "
        "left to wait for",
        100 * *real, wait.timed ? "by summed waits" : "by samples", 100 * *wait.stamped, c.perStamp,
        c.stampsPerTile);
  }
  return {};
}

std::string costOf(const Measured& m) {
  const double percent = 100 * m.cost();
  return percent > -0.05 ? fmt::format("timestamps cost {:.1f} %", std::abs(percent))
                         : fmt::format("with timestamps it is {:.1f} % faster", -percent);
}

std::string captionOf(const Measured& m) {
  return fmt::format("timestamped on {}, {}, {}", m.device,
                     m.when.substr(0, std::min<std::size_t>(10, m.when.size())), costOf(m));
}

}  // namespace tileloom::timeline
