// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/timeline_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "kernels/tile/derived.h"

#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"

namespace tileloom {
namespace {

using timeline::Lane;
using timeline::On;
using timeline::Span;
using timeline::Unit;
using timeline::Work;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Timeline)
};

QString percent(double share) {
  return figures::wholePercent(share);
}

bool hasKTiles(const TimelineData& data) {
  return data.rung() == nullptr || data.rung()->features().sharedTiles;
}

std::uint32_t stepOf(const TimelineData& data) {
  return static_cast<std::uint32_t>(derive(*data.rung(), data.tile).stepK);
}

QString matrixName(analysis::Matrix m) {
  return m == analysis::Matrix::A   ? QStringLiteral("A")
         : m == analysis::Matrix::B ? QStringLiteral("B")
                                    : QStringLiteral("C");
}

// K tiles are counted across tiles of C.
std::uint32_t tilesPerWalk(const TimelineData& data) {
  return data.ready() ? data.timeline->tilesPerWalk : 0;
}

QString cOfTile(const Span& s) {
  return Words::tr("C of tile %1").arg(s.kTile + 1);
}

// What a span is, without place and time.
QString deed(const TimelineData& data, const Span& s) {
  const QString matrix = matrixName(s.matrix);
  switch (s.work) {
    case Work::Load:
      return Words::tr("loads %1 from global memory").arg(matrix);
    case Work::Copy:
      return Words::tr("issues a copy of %1 to shared memory").arg(matrix);
    case Work::Fill:
      return Words::tr("stores %1 to shared memory").arg(matrix);
    case Work::Fragments:
      return Words::tr("loads fragments of %1 from shared memory").arg(matrix);
    case Work::Multiply:
      return s.count > 1 ? Words::tr("%1 multiply-adds").arg(s.count) : Words::tr("multiply-add");
    case Work::Mma:
      return Words::tr("mma on the tensor core");
    case Work::Product:
      return Words::tr("wgmma");
    case Work::Store:
      return Words::tr("stores C to global memory");
    case Work::Barrier:
      return Words::tr("arrives at __syncthreads()");
    case Work::CommitCopies:
      return Words::tr("commits a group of copies");
    case Work::WaitCopies:
      return Words::tr("tests for its copies");
    case Work::StartBarrier:
      return Words::tr("initialises a barrier");
    case Work::Expect:
      return Words::tr("expects bytes at a barrier");
    case Work::Meet:
      return Words::tr("meets other warps");
    case Work::Arrive:
      return Words::tr("arrives at a barrier");
    case Work::Box:
      return Words::tr("issues a TMA load of %1").arg(matrix);
    case Work::WaitBarrier:
      return Words::tr("tests whether a phase has ended");
    case Work::CommitProducts:
      return Words::tr("commits a group of wgmma");
    case Work::WaitProducts:
      return Words::tr("tests for its wgmma");
    case Work::Fence:
      return Words::tr("fence");
    case Work::Wait:
      return Words::tr("stalled: waits for %1").arg(sleepWord(s.on));
    case Work::Flight:
      if (s.matrix == analysis::Matrix::C) return Words::tr("%1 leaves the SM").arg(cOfTile(s));
      return tilesPerWalk(data) > 0
                 ? Words::tr("%1 of %2 is in flight").arg(matrix, tileName(data, s.kTile))
                 : Words::tr("%1 of K tile %2 is in flight").arg(matrix).arg(s.kTile + 1);
    case Work::Convert:
      return Words::tr("converts sums of C to 16 bits");
    case Work::BoxStore:
      return Words::tr("issues a TMA store of C");
    case Work::CommitBoxes:
      return Words::tr("commits a group of TMA stores");
    case Work::WaitBoxes:
      return Words::tr("tests whether its TMA stores have read shared memory");
    case Work::Between:
      return Words::tr("works, or waits without a timestamp");
  }
  return {};
}

// The same for timestamps, which name K tiles but not their matrices, and which mark the issue of
// loads and wgmma and the time when a warp has seen their end.
QString stampedDeed(const TimelineData& data, const Lane& lane, const Span& s) {
  switch (s.work) {
    case Work::Copy:
    case Work::Box:
      return Words::tr("loads a K tile of A and B");
    case Work::Flight:
      return Words::tr("A and B of %1, from their issue until a warp has seen them")
          .arg(tileName(data, s.kTile));
    case Work::Product:
      return lane.kind == timeline::LaneKind::Warp
                 ? Words::tr("tests for its wgmma")
                 : Words::tr("wgmma, from their issue until a warp has seen them done");
    default:
      return deed(data, s);
  }
}

}  // namespace

QString sleepWord(On on) {
  switch (on) {
    case On::Fragments:
      return Words::tr("fragments");
    case On::Memory:
      return Words::tr("global memory");
    case On::Copies:
      return Words::tr("copies");
    case On::Warps:
      return Words::tr("other warps");
    case On::Phase:
      return Words::tr("an mbarrier phase");
    case On::Products:
      return Words::tr("wgmma");
    case On::TensorCore:
      return Words::tr("the tensor core");
    case On::Result:
      return Words::tr("a result");
    case On::Boxes:
      return Words::tr("TMA stores to read C");
    case On::Nothing:
      break;
  }
  return {};
}

QString doingWord(Doing doing, bool warps) {
  switch (doing) {
    case Doing::Multiply:
      return warps ? Words::tr("multiplies (hue of the warp)") : Words::tr("multiplies");
    case Doing::Fragments:
      return Words::tr("loads fragments");
    case Doing::Fill:
      return Words::tr("fills shared memory");
    case Doing::Ask:
      return Words::tr("loads a K tile");
    case Doing::Store:
      return Words::tr("stores C");
    case Doing::Order:
      return Words::tr("barriers and groups");
    case Doing::Wait:
      return Words::tr("waits");
  }
  return {};
}

QString tileName(const TimelineData& data, std::uint32_t tile) {
  if (const std::uint32_t each = tilesPerWalk(data); each > 0) {
    if (tile >= each)
      return Words::tr("tile %1, K tile %2").arg(tile / each + 1).arg(tile % each + 1);
    return tile + 1 == each ? Words::tr("tile 1, last K tile")
                            : Words::tr("tile 1, last K tile but %1").arg(each - 1 - tile);
  }
  if (hasKTiles(data)) return Words::tr("K tile %1").arg(tile + 1);
  return describePartOfK(tile, stepOf(data), static_cast<std::uint32_t>(data.k));
}

QString shortTileName(const TimelineData& data, std::uint32_t tile) {
  const std::uint32_t each = tilesPerWalk(data);
  if (each == 0 || tile >= each) return QString::number(each == 0 ? tile + 1 : tile % each + 1);
  return tile + 1 == each ? Words::tr("last") : Words::tr("last − %1").arg(each - 1 - tile);
}

QString sleepWord(On on, timeline::Who who) {
  if (on != On::Phase) return sleepWord(on);
  return who == timeline::Who::Multiply ? Words::tr("a stage to be filled")
                                        : Words::tr("an empty stage");
}

QString sharesText(const TimelineData& measured) {
  const auto& comparison = measured.beside->comparison;
  if (!comparison) return {};
  QStringList waits;
  for (const timeline::ComparedWait& wait : comparison->waits) {
    const auto& real = comparison->timed ? wait.timed : wait.stamped;
    if (wait.who != timeline::Who::Multiply || !real) continue;
    waits += Words::tr("%1 %2 % (%3 %)")
                 .arg(sleepWord(wait.on, wait.who), percent(*real), percent(wait.predicted));
  }
  if (waits.isEmpty()) return {};
  return (comparison->timed
              ? Words::tr("of the time of warps that multiply, timed (predicted): %1")
              : Words::tr("of the time of warps that multiply, timestamped (predicted): %1"))
      .arg(waits.join(QStringLiteral(" · ")));
}

QString disagreementText(const timeline::Beside& beside) {
  if (!beside.comparison) return {};
  const QString why = QString::fromStdString(timeline::disagreement(*beside.comparison));
  return why.isEmpty() ? why : Words::tr("Timestamps understate the waits: %1.").arg(why);
}

QString shortDisagreement(const timeline::Beside& beside) {
  if (disagreementText(beside).isEmpty()) return {};
  return Words::tr(
             "timestamped waits are too short: writing timestamps takes a warp %1 × %2 cycles per "
             "K tile")
      .arg(qRound(beside.comparison->stampsPerTile))
      .arg(qRound(beside.comparison->perStamp));
}

ShareTable shareTable(const timeline::Beside& beside) {
  if (!beside.comparison) return {};
  const timeline::Comparison& c = *beside.comparison;
  const bool sampled = !c.sampledOn.empty();
  const auto share = [](const std::optional<double>& of) {
    return of ? Words::tr("%1 %").arg(percent(*of)) : QStringLiteral("–");
  };
  // The cells of the rows that exist.
  const auto cells = [&](const QString& predicted, const QString& timed, const QString& samples,
                         const QString& stamped) {
    QStringList list{predicted};
    if (c.timed) list += timed;
    if (sampled) list += samples;
    return list << stamped;
  };
  ShareTable table{
      cells(Words::tr("predicted"), Words::tr("timed"), Words::tr("sampled"),
            Words::tr("timestamped")),
      {{Words::tr("cycles per K tile"),
        cells(figures::grouped(c.predictedCycles), {}, {}, figures::grouped(c.stampedCycles))}}};
  for (const timeline::Who who : {timeline::Who::Multiply, timeline::Who::Bring}) {
    const qsizetype before = table.columns.size();
    for (const timeline::ComparedWait& wait : c.waits) {
      if (wait.who == who)
        table.columns += {Words::tr("waits for %1").arg(sleepWord(wait.on, who)),
                          cells(share(wait.predicted), share(wait.timed), share(wait.sampled),
                                share(wait.stamped))};
    }
    if (table.columns.size() > before)
      table.columns.insert(before,
                           ShareColumn{who == timeline::Who::Multiply
                                           ? Words::tr("of the time of warps that multiply:")
                                           : Words::tr("of warps that load:"),
                                       cells({}, {}, {}, {})});
  }
  return table;
}

namespace {

// "≈ 1,486 cycles between two tiles in which the tensor cores are idle"
QString seamFigure(const TimelineData& data) {
  return Words::tr("tensor cores idle ≈ %1 cycles between two tiles")
      .arg(figures::grouped(data.seam->idle()));
}

// The share of a tile's time, and the stores of C.
QStringList seamFacts(const TimelineData& data) {
  const timeline::Seam& seam = *data.seam;
  const double share =
      100 * timeline::idleShare(seam.idle(), data.timeline->cyclesPerTile, data.kTiles);
  QStringList facts{Words::tr("≈ %1 % of a tile's time at K = %2")
                        .arg(QString::number(share, 'f', 1), figures::grouped(data.k))};
  // The axis is that of the recording.
  if (const auto walk = static_cast<int>(data.timeline->tilesPerWalk); walk < data.kTiles)
    facts += Words::tr("drawn of tiles with %1 of %2 K tiles").arg(walk).arg(data.kTiles);
  if (seam.left > 0)
    facts += Words::tr("≈ %1 % of C is stored while the tensor cores multiply")
                 .arg(percent(seam.behind));
  return facts;
}

// "1,485 cycles per K tile, predicted 1,024"; if the SM holds another number of blocks than in the
// timestamped launch, "predicted 1,024 with 1 block on the SM".
QString measuredFigure(const TimelineData& data) {
  const timeline::Beside& beside = *data.beside;
  if (data.seam)
    return Words::tr("%1 cycles between two tiles without a wgmma in flight")
        .arg(figures::grouped(data.seam->idle()));
  if (!beside.whole.steady())
    return Words::tr("%1 cycles for the block").arg(figures::grouped(beside.whole.cycles));
  const QString text =
      Words::tr("%1 cycles per K tile").arg(figures::grouped(beside.whole.cyclesPerTile));
  if (!beside.comparison) return text;
  const QString predicted =
      Words::tr("%1, predicted %2").arg(text, figures::grouped(beside.comparison->predictedCycles));
  const int resident = data.timeline->blocks;
  if (resident == beside.measured.stampedBlocksPerSm) return predicted;
  return Words::tr("%1 with %2")
      .arg(predicted,
           counted(resident, Words::tr("1 block on the SM"), Words::tr("%1 blocks on the SM")));
}

QString costText(const timeline::Measured& m) {
  const QString percent = QString::number(std::abs(100 * m.cost()), 'f', 1);
  return m.cost() > -0.0005 ? Words::tr("timestamps cost %1 %").arg(percent)
                            : Words::tr("with timestamps it is %1 % faster").arg(percent);
}

QString measuredFacts(const TimelineData& data) {
  const timeline::Measured& m = data.beside->measured;
  QStringList parts{
      Words::tr("timestamped on %1, one block").arg(figures::deviceText(data.device)), costText(m),
      Words::tr("block %1 of %2 at %3")
          .arg(figures::grouped(m.block), figures::grouped(m.blocks), figures::sizeText(m.problem)),
      data.beside->tile == data.beside->under
          ? Words::tr("aligned where the wait for %1 ends").arg(tileName(data, data.beside->tile))
          : Words::tr("aligned where the wait for %1 ends, predicted for %2")
                .arg(tileName(data, data.beside->tile), tileName(data, data.beside->under))};
  if (m.stampedBlocksPerSm != m.blocksPerSm)
    parts += Words::tr("with timestamps %1 blocks share the SM, without them %2")
                 .arg(m.stampedBlocksPerSm)
                 .arg(m.blocksPerSm);
  return parts.join(QStringLiteral(" · "));
}

// For a varying latency: an average, and over how many K tiles.
QString besideUsual(const TimelineData& data) {
  const timeline::Timeline& t = *data.timeline;
  const QString average =
      t.steady() ? Words::tr(", on average over %1").arg(t.steadyTo - t.steadyFrom) : QString();
  const double more = 100 * (t.cyclesPerTile / data.usualCycles - 1);
  const QString share = figures::grouped(std::abs(more));
  return average + (qRound(more) == 0 ? Words::tr(", as with the usual latency")
                    : more > 0 ? Words::tr(", %1 % more than with the usual latency").arg(share)
                               : Words::tr(", %1 % less than with the usual latency").arg(share));
}

}  // namespace

QString turnText(const TimelineData& data) {
  if (!data.turn) return {};
  const QString tile = tileName(data, *data.turn);
  return data.passedOver ? Words::tr("%1 is skipped: one like it is shown").arg(tile)
                         : (data.timeline != nullptr && data.timeline->hasProducts()
                                ? Words::tr("warp %1 issues for %2; the tensor cores may be behind")
                                : Words::tr("warp %1 is at %2"))
                               .arg(data.warp)
                               .arg(tile);
}

QString slowerText(const TimelineData& data) {
  if (data.varies > 0)
    return Words::tr("memory takes %1 to %2 cycles longer")
        .arg(figures::grouped(data.delay), figures::grouped(data.delay + data.varies));
  return data.delay > 0
             ? Words::tr("memory takes %1 cycles longer").arg(figures::grouped(data.delay))
             : QString();
}

namespace {

// K tiles of two kernels differ in work: a comparison says how much.
QString workOfTile(const TimelineData& data) {
  if (data.rung() == nullptr) return {};
  const Derived d = derive(*data.rung(), data.tile);
  const double all = 1.0 * data.timeline->blocks * d.blockM * d.blockN * d.stepK;
  return Words::tr(", in which the SM does %1 multiply-adds").arg(figures::grouped(all));
}

}  // namespace

QString timelineFigure(const TimelineData& data) {
  if (!data.ready()) return {};
  if (data.another) return Words::tr("Computing …");
  if (data.measured) return measuredFigure(data);
  if (data.seam) return seamFigure(data);
  if (data.timeline->tileStarts.size() < 2)
    return Words::tr("≈ %1 cycles for the block, which has one K tile")
        .arg(figures::grouped(data.timeline->cycles));
  const QString cycles = figures::grouped(data.timeline->cyclesPerTile);
  QString text =
      hasKTiles(data)
          ? Words::tr("≈ %1 cycles from one K tile of %2 to the next").arg(cycles).arg(stepOf(data))
          : Words::tr("≈ %1 cycles for %2 elements of K").arg(cycles).arg(stepOf(data));
  if (!data.title.isEmpty()) text += workOfTile(data);
  if (data.varies > 0 && data.usualCycles > 0) return text + besideUsual(data);
  if (data.delay > 0 && data.usualCycles > 0) {
    const double more = 100 * (data.timeline->cyclesPerTile / data.usualCycles - 1);
    const QString share = figures::grouped(std::abs(more));
    text += qRound(more) == 0 ? Words::tr(", as without the delay")
            : more > 0        ? Words::tr(", %1 % more than without the delay").arg(share)
                              : Words::tr(
                                    ", %1 % less than without the delay: its blocks fall "
                                           "out of step")
                             .arg(share);
  }
  return text;
}

namespace {

// The rate distinguishes this from `why`, which uses the documented peak.
QString busyText(const timeline::Timeline& t) {
  if (t.multiplier() != Unit::TensorCore) return Words::tr("FMA pipes ≈ %1 % busy");
  return t.hasProducts() ? Words::tr("tensor cores ≈ %1 % busy at the rate of wgmma")
                         : Words::tr("tensor cores ≈ %1 % busy at the rate of mma.sync");
}

}  // namespace

QString timelineFacts(const TimelineData& data) {
  if (!data.ready()) return {};
  if (data.another && data.rung() != nullptr)
    return Words::tr("below is still %1, %2")
        .arg(figures::stageText(data.rung()), figures::tileText(data.rung(), data.tile));
  if (data.measured) return measuredFacts(data);
  const timeline::Timeline& t = *data.timeline;
  // The most important first, because not all may fit.
  QStringList parts{Words::tr("predicted for %1").arg(figures::deviceText(data.device))};
  if (data.seam) return (seamFacts(data) + parts).join(QStringLiteral(" · "));
  if (const auto busy = t.busy(t.multiplier())) parts += busyText(t).arg(percent(*busy));
  parts += t.blocks == 1
               ? Words::tr("1 block on the SM")
               : (hasKTiles(data)
                      ? Words::tr("%1 blocks share the SM, each does one K tile in that time")
                      : Words::tr("%1 blocks share the SM, each does as much in that time"))
                     .arg(t.blocks);
  if (data.guessed) parts.back() += Words::tr(" (estimated)");
  if (!data.limit.isEmpty()) parts += Words::tr("limit of the launch: %1").arg(data.limit);
  return parts.join(QStringLiteral(" · "));
}

QString warpName(const timeline::Lane& lane) {
  return lane.role.empty()
             ? Words::tr("warp %1").arg(lane.number)
             : Words::tr("%1 · warp %2").arg(QString::fromStdString(lane.role)).arg(lane.number);
}

QString laneName(const TimelineData& data, const TimelineRow& row) {
  switch (row.kind) {
    case TimelineRow::Kind::Flight:
      return data.measured ? Words::tr("until seen") : Words::tr("in flight");
    case TimelineRow::Kind::Busy:
      return row.unit == Unit::TensorCore ? Words::tr("tensor cores") : Words::tr("FMA pipes");
    case TimelineRow::Kind::TensorCore:
      return Words::tr("wgmma");
    case TimelineRow::Kind::Leaving:
      return Words::tr("C stores");
    case TimelineRow::Kind::Others:
      return Words::tr("other warps");
    case TimelineRow::Kind::Warp:
      return warpName(data.timeline->lanes[row.lane]);
  }
  return {};
}

QStringList boxWords(const TimelineData& data, const Span& s) {
  QStringList words;
  switch (s.work) {
    case Work::Multiply:
      if (s.dot != emulator::kNoDot) {
        words += Words::tr("%1 multiply-adds, k %2").arg(s.count).arg(s.dot);
        words += Words::tr("k %1").arg(s.dot);
      } else {
        words += deed(data, s);
      }
      break;
    case Work::Product:
      words += Words::tr("wgmma, %1").arg(tileName(data, s.kTile));
      words += shortTileName(data, s.kTile);
      break;
    case Work::Wait:
      words += Words::tr("waits for %1").arg(sleepWord(s.on));
      words += sleepWord(s.on);
      break;
    case Work::Flight:
      if (s.matrix == analysis::Matrix::C) {
        words += cOfTile(s);
        words += matrixName(s.matrix);
        break;
      }
      words += QStringLiteral("%1, %2").arg(matrixName(s.matrix), tileName(data, s.kTile));
      words += QStringLiteral("%1 %2").arg(matrixName(s.matrix), shortTileName(data, s.kTile));
      break;
    case Work::Between:  // its colour says so
      break;
    default:
      words += deed(data, s);
      if (s.work == Work::Fragments || s.work == Work::Fill || s.work == Work::Load ||
          s.work == Work::Copy)
        words += matrixName(s.matrix);
  }
  return words;
}

QString spanText(const TimelineData& data, const TimelineGeometry::Spot& spot) {
  const Lane& lane = data.timeline->lanes[spot.lane];
  const Span& s = lane.spans[spot.span];
  QString who;
  if (lane.kind == timeline::LaneKind::Warp)
    who = Words::tr("Warp %1, scheduler %2: ").arg(lane.number).arg(lane.scheduler);
  QString text = who + (data.measured ? stampedDeed(data, lane, s) : deed(data, s));
  if (s.work != Work::Flight && s.kTile != emulator::kNoTile) {
    text += QStringLiteral(", ") + tileName(data, s.kTile);
    if (s.dot != emulator::kNoDot) text += Words::tr(", k %1").arg(s.dot);
  }
  if (s.line > 0) text += Words::tr(", line %1").arg(s.line);
  const QString words =
      data.measured ? Words::tr("\n%1 cycles, from %2 to %3 on the predicted axis, timestamped")
                    : Words::tr("\n%1 cycles, from %2 to %3, predicted");
  text += words.arg(figures::grouped(s.end - s.begin), figures::grouped(s.begin),
                    figures::grouped(s.end));
  return text;
}

QString columnText(const TimelineData& data, const TimelineColumn& column) {
  const auto warps = std::ranges::count_if(
      data.timeline->lanes, [](const Lane& lane) { return lane.kind == timeline::LaneKind::Warp; });
  const double moves = column.moves[0] + column.moves[1] + column.moves[2];
  return Words::tr(
             "The other %1 warps in this time, on average:\n%2 % multiply, %3 % move data, %4 % "
             "execute barriers and groups, %5 % are stalled or wait for their scheduler, predicted")
      .arg(warps - 1)
      .arg(percent(column.multiply), percent(moves), percent(column.orders),
           percent(std::max(0.0, 1 - column.multiply - moves - column.orders)));
}

QString idleWords(const TimelineData& data) {
  if (!data.seam) return {};
  const QString cycles = figures::grouped(data.seam->idle());
  return data.measured ? Words::tr("no wgmma: %1 cycles").arg(cycles)
                       : Words::tr("idle ≈ %1 cycles").arg(cycles);
}

QString timelineSentence(const TimelineData& data) {
  if (!data.ready()) return data.trouble;
  QString text = timelineFigure(data) + QStringLiteral(" · ") + timelineFacts(data);
  if (const QString slower = slowerText(data); !slower.isEmpty())
    text += QStringLiteral(" · ") + slower;
  return text;
}

}  // namespace tileloom
