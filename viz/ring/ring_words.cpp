// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"

namespace tileloom {
namespace {

using analysis::RingMoment;
using analysis::SlotState;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Ring)
};

// "0", "0 and 1", "0, 3 and 2" in the given order, and "0 to 3" for consecutive numbers.
QString listed(const std::vector<std::uint32_t>& numbers) {
  const auto rises = [&] {
    for (std::size_t i = 1; i < numbers.size(); ++i) {
      if (numbers[i] != numbers[i - 1] + 1) return false;
    }
    return true;
  };
  if (numbers.size() > 2 && rises())
    return Words::tr("%1 to %2").arg(numbers.front()).arg(numbers.back());
  QStringList words;
  for (const std::uint32_t number : numbers) words += QString::number(number);
  return enumerated(words);
}

QString percent(std::uint32_t part, std::uint32_t whole) {
  return Words::tr("%1 %").arg(
      figures::wholePercent(part == whole ? 1 : double(part) / std::max(1u, whole)));
}

std::vector<std::uint32_t> tilesOnTheirWay(const RingStage& stage) {
  std::vector<std::uint32_t> tiles;
  for (const auto& panel : stage.slot.panels) {
    for (const auto& cell : panel.cells) {
      if (cell.state == SlotState::OnItsWay && std::ranges::find(tiles, cell.tile) == tiles.end())
        tiles.push_back(cell.tile);
    }
  }
  return tiles;
}

QString bytesOf(const RingData& data, std::uint64_t elements) {
  return figures::grouped(static_cast<std::uint64_t>(rowOf(data.format).bytesOf(elements)));
}

// What is in flight, and how many bytes.
QString comingSentence(const RingData& data) {
  if (data.passedOver) {
    return Words::tr(
               "K tiles %1 to %2 repeat these steps and are not recorded: the ring is as the "
               "earlier K tiles left it.")
        .arg(data.traced + 1)
        .arg(data.tiles);
  }
  struct Coming {
    std::uint32_t tile = 0, stage = 0;
  };
  std::vector<Coming> all;
  std::uint64_t elements = 0;
  bool partly = false;
  for (std::uint32_t number = 0; number < data.stages.size(); ++number) {
    const RingStage& stage = data.stages[number];
    const std::uint32_t coming = stage.slot.count(SlotState::OnItsWay);
    if (coming == 0) continue;
    partly |= coming < stage.slot.elements;
    elements += coming;
    for (const std::uint32_t tile : tilesOnTheirWay(stage)) all.push_back({tile, number});
  }
  std::ranges::sort(all, std::ranges::less(), &Coming::tile);
  std::vector<std::uint32_t> tiles, stages;
  for (const Coming& coming : all) {
    tiles.push_back(coming.tile + 1);
    stages.push_back(coming.stage);
  }
  if (stages.empty()) return Words::tr("No copy into shared memory is in flight.");
  const QString bytes = bytesOf(data, elements);
  if (stages.size() == 1) {
    const RingStage& stage = data.stages[stages.front()];
    if (partly) {
      return Words::tr("K tile %1 is being requested, into stage %2: %3 of %4 bytes so far.")
          .arg(listed(tiles))
          .arg(stages.front())
          .arg(bytes, bytesOf(data, stage.slot.elements));
    }
    return Words::tr(
               "K tile %1 is in flight into stage %2: no warp has waited for its %3 bytes yet.")
        .arg(listed(tiles))
        .arg(stages.front())
        .arg(bytes);
  }
  return Words::tr(
             "K tiles %1 are in flight into stages %2: %3 bytes that no warp has waited for yet.")
      .arg(listed(tiles), listed(stages), bytes);
}

// What the watched warp does with the stages.
QString readingSentence(const RingData& data) {
  for (std::uint32_t number = 0; number < data.stages.size(); ++number) {
    const auto& barrier = data.stages[number].barrier;
    if (!barrier) continue;
    if (!barrier->asleep.empty()) {
      const bool one = barrier->asleep.size() == 1;
      return (one ? Words::tr("Until phase %1 of %2 ends, %3 is stalled.")
                  : Words::tr("Until phase %1 of %2 ends, %3 are stalled."))
          .arg(barrier->state.phase)
          .arg(barrier->name, warpsText(barrier->asleep));
    }
    if (std::ranges::find(barrier->passing, data.warp) != barrier->passing.end()) {
      return Words::tr(
                 "Warp %1 has waited for phase %2 of %3, which has ended: it may read stage %4.")
          .arg(data.warp)
          .arg(barrier->state.phase - 1)
          .arg(barrier->name)
          .arg(number);
    }
  }
  if (!data.reads) return Words::tr("Warp %1 has read no stage yet.").arg(data.warp);
  const RingStage& stage = data.stages[*data.reads];
  const QString tile = stageHolds(stage);
  std::vector<std::uint32_t> inFlight;
  for (std::uint32_t number = 0; number < data.stages.size(); ++number) {
    if (data.stages[number].slot.inFlight > 0) inFlight.push_back(number);
  }
  if (inFlight.size() > 1) {
    return Words::tr(
               "The wgmma in flight read stages %1: a wait for them must come before any refill.")
        .arg(listed(inFlight));
  }
  if (!inFlight.empty()) {
    return Words::
        tr("The wgmma in flight read stage %1 (%2): a wait for them must come before its refill.")
            .arg(inFlight.front())
            .arg(stageHolds(data.stages[inFlight.front()]));
  }
  const std::uint32_t left = stage.slot.count(SlotState::Arrived) +
                             stage.slot.count(SlotState::Ready) +
                             stage.slot.count(SlotState::Reading);
  if (left == 0) {
    return Words::tr("Stage %1, which warp %2 read last, is no longer read.")
        .arg(*data.reads)
        .arg(data.warp);
  }
  return Words::tr("Warp %1 reads stage %2 (%3).").arg(data.warp).arg(*data.reads).arg(tile);
}

}  // namespace

QString slotStateName(SlotState state) {
  switch (state) {
    case SlotState::Empty:
      return Words::tr("empty");
    case SlotState::OnItsWay:
      return Words::tr("in flight");
    case SlotState::Arrived:
      return Words::tr("arrived, not for all warps");
    case SlotState::Ready:
      return Words::tr("may be read");
    case SlotState::Reading:
      return Words::tr("being read");
    case SlotState::Consumed:
      return Words::tr("read for the last time");
    case SlotState::Other:
      return Words::tr("sums of C");
  }
  return {};
}

QString warpsText(const std::vector<std::uint32_t>& warps) {
  return (warps.size() == 1 ? Words::tr("warp %1") : Words::tr("warps %1")).arg(listed(warps));
}

QString stageHolds(const RingStage& stage) {
  const auto& tiles = stage.slot.tiles;
  if (tiles.empty()) {
    return stage.slot.count(SlotState::Other) > 0 ? Words::tr("sums of C") : Words::tr("empty");
  }
  if (tiles.size() == 1) return Words::tr("K tile %1").arg(tiles.front().tile + 1);
  std::vector<std::uint32_t> numbers;
  for (const auto& share : tiles) numbers.push_back(share.tile + 1);
  std::ranges::sort(numbers);
  return Words::tr("K tiles %1").arg(listed(numbers));
}

QString stageShares(const RingStage& stage) {
  QStringList parts;
  // The newest first, as the ring shows them.
  for (std::size_t s = 1; s <= analysis::kSlotStates; ++s) {
    const auto state = static_cast<SlotState>(s % analysis::kSlotStates);
    const std::uint32_t count = stage.slot.count(state);
    if (count == 0) continue;
    parts << Words::tr("%1 %2").arg(percent(count, stage.slot.elements), slotStateName(state));
  }
  return parts.join(QStringLiteral(", "));
}

QStringList barrierLines(const RingStage& stage) {
  if (!stage.barrier) return {};
  const RingBarrier& b = *stage.barrier;
  if (b.state.count == 0) return {Words::tr("%1: not started yet").arg(b.name)};
  QStringList lines{Words::tr("%1: phase %2 open, parity %3")
                        .arg(b.name)
                        .arg(b.state.phase)
                        .arg(b.state.parity())};
  // Pending bytes first: a low card has no room for all lines.
  lines << (b.state.announced == 0
                ? Words::tr("expects no bytes yet")
                : Words::tr("%1 bytes pending, %2 requested")
                      .arg(figures::grouped(b.state.announced),
                           b.state.asked == b.state.announced ? Words::tr("all")
                                                              : figures::grouped(b.state.asked)));
  lines << (b.state.pending == 0 ? Words::tr("no arrival pending")
            : b.state.pending == 1
                ? Words::tr("1 arrival pending")
                : Words::tr("%1 of %2 arrivals pending").arg(b.state.pending).arg(b.state.count));
  if (!b.asleep.empty()) {
    lines << Words::tr("waiting: %1").arg(warpsText(b.asleep));
  } else if (!b.passing.empty()) {
    lines << Words::tr("wait has ended: %1").arg(warpsText(b.passing));
  } else {
    lines << Words::tr("no warp waits");
  }
  return lines;
}

QStringList cardLines(const RingStage& stage) {
  return QStringList{stageShares(stage)} + barrierLines(stage);
}

QString ringSentence(const RingData& data) {
  if (!data.ready()) return data.why;
  QString text = comingSentence(data) + u' ' + readingSentence(data);
  if (data.copies) {
    text += u' ';
    text += Words::tr("Warp %1 has committed %2 cp.async groups and waited for %3.")
                .arg(data.warp)
                .arg(data.copies->committed)
                .arg(data.copies->waited);
  }
  return text;
}

QString clickText(const RingStage& stage) {
  if (!stage.next) return {};
  const auto& event = *stage.next;
  const QString what = event.what == RingMoment::Asked    ? Words::tr("begins to load K tile %1")
                       : event.what == RingMoment::Waited ? Words::tr("waits for K tile %1")
                                                          : Words::tr("first reads K tile %1");
  return Words::tr("A click goes to where warp %1 %2.")
      .arg(event.warp)
      .arg(what.arg(event.tile + 1));
}

QString stageText(const RingData& data, std::uint32_t number) {
  const RingStage& stage = data.stages[number];
  QStringList lines{Words::tr("Stage %1: %2").arg(number).arg(stageHolds(stage)),
                    stageShares(stage)};
  if (stage.slot.outside > 0) {
    lines << Words::tr("%1 of %2 elements are outside the matrices: TMA writes zeros")
                 .arg(figures::grouped(stage.slot.outside), figures::grouped(stage.slot.elements));
  }
  if (stage.slot.inFlight > 0)
    lines << Words::tr("%1 elements are read by wgmma in flight")
                 .arg(figures::grouped(stage.slot.inFlight));
  lines << barrierLines(stage);
  if (const QString click = clickText(stage); !click.isEmpty()) lines << click;
  return lines.join(u'\n');
}

QString ringNote(const RingData& data) {
  if (!data.ready()) return {};
  return data.boxes ? Words::tr(
                          "A recording has an order but no times: a TMA load is in flight from the "
                          "instruction that issues it to a wait that sees it.")
                    : Words::tr(
                          "A recording has an order but no times: a copy is in flight from the "
                          "instruction that issues it to a wait that sees it.");
}

}  // namespace tileloom
