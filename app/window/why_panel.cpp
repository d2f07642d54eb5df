// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/why_panel.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/model/prediction/rates.h"
#include "kernels/model/why/why_text.h"
#include "kernels/runs/counters.h"
#include "kernels/timeline/recorded/sampled_waits.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/panels/cost_bars.h"
#include "viz/panels/parameter_note.h"
#include "viz/panels/parameter_turns.h"

namespace tileloom {
namespace {

constexpr double kWorthSaying = 0.005;  // of the speed or of the time
constexpr std::size_t kMostBars = 3;
constexpr std::size_t kMostFigures = 2;  // of a move, in words; the tool tip has all

QString guessedNote() {
  return WhyPanel::tr(
      "≈: the other tile has not been compiled here; its registers are "
      "guessed.");
}

QVBoxLayout* columnOf(QWidget* widget) {
  auto* column = new QVBoxLayout(widget);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  return column;
}

CostBar barOf(const model::WhySlow& why, const model::RankedCost& cost) {
  CostBar bar;
  bar.name = toQString(model::name(cost.cost));
  bar.share = cost.share;
  bar.counted = cost.source == model::Source::Counted;
  bar.line = cost.line;
  QStringList notes{toQString(model::name(cost.source))};
  if (cost.line > 0) notes += WhyPanel::tr("line %1").arg(cost.line);
  bool guessed = false;
  // Only faster tiles: the table of changes has the rest.
  if (cost.neighbour && why.neighbours[*cost.neighbour].speedRatio() >= 1 + kWorthSaying) {
    const model::NextTile& next = why.neighbours[*cost.neighbour];
    guessed = !next.runRatio && next.facts.source == model::Source::Guessed;
    notes += (guessed ? WhyPanel::tr("%1 %2 → %3: speed ≈ × %4 %5")
                      : WhyPanel::tr("%1 %2 → %3: speed × %4 %5"))
                 .arg(toQString(name(next.parameter)))
                 .arg(next.from)
                 .arg(next.value)
                 .arg(next.speedRatio(), 0, 'f', 2)
                 .arg(next.runRatio ? toQString(next.runRatio->verb()) : WhyPanel::tr("predicted"));
  }
  bar.note = notes.join(QStringLiteral(" · "));
  bar.tip = QString::fromStdString(model::sentence(why, cost));
  for (const std::string& more : {model::busySentence(cost), model::countedSentence(cost.cost)}) {
    if (!more.empty()) bar.tip += u'\n' + QString::fromStdString(more);
  }
  for (const model::Figure& figure : cost.figures)
    bar.tip += u'\n' + QString::fromStdString(model::figureText(figure));
  if (guessed) bar.tip += u'\n' + guessedNote();
  return bar;
}

// Samples are of one size and one device; the speeds above them may be of others.
QString sampledWords(const StallFacts& stalls, const timeline::SampledWaits& waits,
                     const std::optional<HistoryPoint>& speed,
                     const std::optional<Problem>& shown) {
  const auto place = [](const QString& device, const Problem& problem) {
    return WhyPanel::tr("%1, %2").arg(figures::deviceText(device), figures::sizeText(problem));
  };
  const QString sampled = place(toQString(stalls.samples.device), stalls.samples.problem);
  const QString measured = speed ? place(speed->device, speed->problem) : sampled;
  const bool other = !speed && shown && !(*shown == stalls.samples.problem);
  return (waits.bring.empty() ? WhyPanel::tr("Warps waited most at (shares of their time, %1):")
                              : WhyPanel::tr("Warps that multiply waited most at (shares of "
                                             "their time, %1):"))
      .arg(other ? WhyPanel::tr("sampled on %1, not at the %2 shown")
                       .arg(sampled, figures::sizeText(*shown))
           : sampled == measured
               ? WhyPanel::tr("sampled on %1").arg(sampled)
               : WhyPanel::tr("sampled on %1; the speed above is from %2").arg(sampled, measured));
}

// Warps without work left do not slow others down.
QString idleWords(const timeline::WaitPlaces& places, const timeline::SampledWaits& waits) {
  if (waits.ofIdle <= 0) return {};
  return WhyPanel::tr(
             "No cause: %1 have no work left, and wait in line %2 until their block "
             "ends (%3 % of all samples).")
      .arg(QString::fromStdString(timeline::idleText(places)))
      .arg(places.idleLine)
      .arg(figures::wholePercent(waits.ofIdle));
}

// "BM 128 → 64, TM 8 → 4"
QString parameterChanges(const Stage& stage, const TileShape& from, const TileShape& to) {
  QStringList parameters;
  for (const ParameterSpec& spec : stage.parameters) {
    if (from[spec.parameter] != to[spec.parameter])
      parameters += WhyPanel::tr("%1 %2 → %3")
                        .arg(toQString(name(spec.parameter)))
                        .arg(from[spec.parameter])
                        .arg(to[spec.parameter]);
  }
  return parameters.join(QStringLiteral(", "));
}

ParameterTurn turnOf(const model::NextTile& next) {
  ParameterTurn turn;
  turn.value = next.value;
  turn.ratio = next.speedRatio();
  turn.measured = next.runRatio.has_value();
  turn.guessed = !turn.measured && next.facts.source == model::Source::Guessed;
  turn.tip = QString::fromStdString(model::sentence(next));
  if (turn.guessed) turn.tip += u'\n' + guessedNote();
  turn.tip += u'\n' + WhyPanel::tr("Click to use this tile.");
  return turn;
}

}  // namespace

WhyPanel::WhyPanel(QObject* parent) : QObject(parent), m_costs(new QWidget), m_turns(new QWidget) {
  QVBoxLayout* column = columnOf(m_costs);
  m_title = new Heading(tr("Why not faster? Shares of the time"));
  m_title->setObjectName(QStringLiteral("whyTitle"));
  m_bars = new CostBars;
  m_bars->setObjectName(QStringLiteral("costs"));
  m_work = new Prose;
  m_work->setObjectName(QStringLiteral("work"));
  setInk(*m_work, Ink::Soft);
  m_fastest = new Prose;
  m_fastest->setObjectName(QStringLiteral("fastest"));
  m_fastest->hide();
  setInk(*m_fastest, Ink::Soft);
  m_takeFastest = new QPushButton(tr("Use this tile"));
  m_takeFastest->setObjectName(QStringLiteral("takeFastest"));
  m_takeFastest->setAccessibleName(tr("Use the fastest tile"));
  m_takeFastest->setToolTip(tr("Sets the fastest tile in all views; Ctrl+Z undoes it"));
  m_takeFastest->setFocusPolicy(Qt::TabFocus);
  m_takeFastest->hide();
  connect(m_takeFastest, &QPushButton::clicked, this,
          [this] { emit tilePicked(TileShape(m_fastestTile)); });
  // The button is beside the text, where it needs no line of its own.
  auto* fastest = new QWidget;
  auto* line = new QHBoxLayout(fastest);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(m_fastest, 1);
  line->addWidget(m_takeFastest, 0, Qt::AlignTop);
  m_stalls = new Prose;
  m_stalls->setObjectName(QStringLiteral("stalls"));
  m_stalls->hide();
  setInk(*m_stalls, Ink::Soft);
  m_sampledTitle = new Prose;
  m_sampledTitle->setObjectName(QStringLiteral("sampledTitle"));
  m_sampledTitle->hide();
  setInk(*m_sampledTitle, Ink::Soft);
  m_sampled = new CostBars;
  m_sampled->setObjectName(QStringLiteral("sampled"));
  m_sampled->hide();
  m_idle = new Prose;
  m_idle->setObjectName(QStringLiteral("sampledIdle"));
  m_idle->hide();
  setInk(*m_idle, Ink::Soft);
  m_moveTitle = new Heading;
  m_moveTitle->setObjectName(QStringLiteral("lastMove"));
  m_moveText = new Prose;
  m_moveText->setObjectName(QStringLiteral("lastMoveText"));
  setInk(*m_moveText, Ink::Soft);
  m_changes = new CostBars;
  // Sampled before predicted.
  for (QWidget* each : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_sampledTitle),
                        static_cast<QWidget*>(m_sampled), static_cast<QWidget*>(m_idle),
                        static_cast<QWidget*>(m_bars), static_cast<QWidget*>(m_work), fastest,
                        static_cast<QWidget*>(m_stalls), static_cast<QWidget*>(m_moveTitle),
                        static_cast<QWidget*>(m_moveText), static_cast<QWidget*>(m_changes)}) {
    column->addWidget(each);
  }
  // Below the rung's description, which must be readable without scrolling.
  column = columnOf(m_turns);
  m_turnsTitle = new Heading(tr("Change one tile parameter"));
  m_parameters = new ParameterTurns;
  column->addWidget(m_turnsTitle);
  auto* looks = new Prose;
  looks->setText(tr("Speed factor: ● measured, ○ predicted"));
  setInk(*looks, Ink::Soft);
  column->addWidget(looks);
  column->addWidget(m_parameters);
  m_costs->hide();
  m_turns->hide();
  connect(m_bars, &CostBars::lineAsked, this, &WhyPanel::lineAsked);
  connect(m_sampled, &CostBars::lineAsked, this, &WhyPanel::lineAsked);
  connect(m_changes, &CostBars::lineAsked, this, &WhyPanel::lineAsked);
  connect(m_parameters, &ParameterTurns::picked, this, &WhyPanel::parameterPicked);
  connect(&m_service, &WhyService::explained, this,
          [this](const std::shared_ptr<const Explanation>& explanation) { show(*explanation); });
}

void WhyPanel::expect(const Stage& stage, const Problem& problem, const TileShape& tile) {
  m_expected = Launched{usualSubject(stage, tile), problem};
  showStale();
}

void WhyPanel::showStale() {
  if (!m_expected) return setStale(false);
  const bool same = m_shown && m_shown->stage == m_expected->rung() &&
                    m_shown->problem == m_expected->problem &&
                    m_shown->tile.shape == m_expected->tile;
  setStale(!same);
}

void WhyPanel::ask(WhyService::Question question) {
  if (m_asked && *m_asked == question) return;
  m_asked = question;
  m_service.ask(std::move(question));
}

void WhyPanel::forget() {
  m_asked.reset();
  setStale(true);
  m_service.forget();
}

void WhyPanel::setStale(bool stale) {
  m_bars->setStale(stale);
  m_changes->setStale(stale);
  m_sampled->setStale(stale);
  m_parameters->setStale(stale);
  // Its parameter changes start from the former tile.
  m_fastest->setEnabled(!stale);
  m_takeFastest->setEnabled(!stale);
}

void WhyPanel::show(const Explanation& explanation) {
  m_shown = m_asked;
  showCosts(explanation.why);
  showStalls(explanation.why);
  showMove(explanation.moved);
  showTurns(explanation.why);
  showStale();
}

void WhyPanel::showFloors(const WhyService::Question& question, const model::Floors& floors,
                          const std::optional<double>& measured,
                          const std::optional<model::Limit>& limit) {
  m_service.forget();
  m_asked = question;
  m_shown = question;
  double scale = measured.value_or(0);
  for (const model::Floor& floor : floors.all) scale = std::max(scale, floor.cycles());
  std::vector<CostBar> bars;
  for (const model::Floor& floor : floors.all) {
    CostBar& bar = bars.emplace_back();
    bar.name = floor.measured ? tr("%1, at its measured rate").arg(toQString(name(floor.unit)))
               : floor.ofGlobalLoads > 0
                   ? tr("%1 and global loads").arg(toQString(name(floor.unit)))
                   : toQString(name(floor.unit));
    bar.figure = (floor.measured ? tr("≈ %1") : tr("≥ %1")).arg(figures::grouped(floor.cycles()));
    bar.share = floor.cycles() / scale;
    bar.counted = !floor.measured;
    bar.note = QString::fromStdString(model::sumOf(floor));
    bar.tip =
        floor.measured
            ? tr("%1 of one K tile of one block, counted in the trace, divided by the rate per SM "
                 "and "
                 "cycle of a kernel that does nothing else (tileloom ceilings). That rate is not a "
                 "documented limit.\n%2: %3")
            : tr("%1 of one K tile of one block, counted in the trace, divided by the maximum of "
                 "an SM "
                 "per cycle: no launch needs fewer cycles.\n%2: %3");
    bar.tip = bar.tip.arg(bar.note, QString::fromStdString(floor.what),
                          QString::fromStdString(floor.parts));
  }
  if (measured && question.tile.run) {
    const runs::RunRecord& run = *question.tile.run;
    CostBar& bar = bars.emplace_back();
    const QString device = figures::deviceText(QString::fromStdString(run.device));
    bar.name = run.origin == runs::Origin::Live ? tr("measured on %1").arg(device)
                                                : tr("recorded on %1").arg(device);
    bar.figure = figures::grouped(*measured);
    bar.share = *measured / scale;
    bar.counted = true;
    bar.note = tr("on average over the launch, at the %1 MHz that the driver reports")
                   .arg(figures::grouped(run.smClockMHz));
    bar.tip =
        tr("SM cycles per K tile of a block: launch cycles × SMs ÷ (K tiles × blocks). Includes "
           "the beginning and the end of the launch and empty places on SMs. Computed from the "
           "time of the run and the clock that the driver reports, %1 MHz; during a launch on "
           "tensor cores the clock is lower, and these cycles are too many.")
            .arg(figures::grouped(run.smClockMHz));
  }
  m_title->setText(tr("Why not faster? Bounds in cycles per K tile"));
  m_title->setToolTip(
      tr("Lower bounds for a K tile of a block on an SM: counts of the trace divided by the "
         "maximum of each unit per cycle. Nothing is fitted."));
  m_costs->show();
  m_bars->setBars(std::move(bars));
  m_work->setText(
      QString::fromStdString(model::noPredictionSentence() + " " + model::sentence(floors, limit)));
  m_work->setToolTip({});
  m_work->show();
  m_stalls->hide();
  showMove(std::nullopt);
  m_turns->hide();
  showStale();
}

void WhyPanel::showCosts(const model::WhySlow& why) {
  m_title->setText(tr("Why not faster? Shares of the time"));
  m_title->setToolTip({});
  std::vector<CostBar> bars;
  for (const model::RankedCost& cost : why.costs) {
    // The multiply-adds are the work itself.
    if (cost.cost == model::Cost::MultiplyAdds || bars.size() == kMostBars) continue;
    bars.push_back(barOf(why, cost));
  }
  m_costs->setVisible(!bars.empty());
  m_bars->setBars(std::move(bars));
  const auto work =
      std::ranges::find(why.costs, model::Cost::MultiplyAdds, &model::RankedCost::cost);
  const QString limit = QString::fromStdString(model::limitSentence(why));
  m_work->show();
  if (work == why.costs.end()) {
    m_work->setText(limit);
    m_work->setToolTip(QString::fromStdString(model::busySentence(why)));
    return;
  }
  // If other pipes overlap with the work, its share alone would look wrong.
  const bool hidden = work->busyShare && *work->busyShare > work->share + kWorthSaying;
  const QString busy = hidden ? tr("Multiply-adds keep instruction issue busy %1 % of the time; "
                                   "other pipes are busy at the "
                                   "same time, so that their share is %2 % (%3 for %4).")
                                    .arg(figures::wholePercent(*work->busyShare))
                              : tr("The multiply-adds take %1 % (%2 for %3).");
  m_work->setText(busy.arg(figures::wholePercent(work->share))
                      .arg(toQString(model::name(work->source)))
                      .arg(figures::deviceText(toQString(why.device))) +
                  u' ' + limit);
  m_work->setToolTip(QString::fromStdString(model::busySentence(*work)) + u'\n' +
                     QString::fromStdString(model::busySentence(why)));
}

// The hardware's counters beside the model's prediction.
void WhyPanel::showStalls(const model::WhySlow& why) {
  m_stalls->setVisible(!why.stalls.empty());
  QStringList some, all;
  for (const model::Stall& stall : why.stalls) {
    const QString words =
        tr("%1 % %2").arg(figures::wholePercent(stall.share)).arg(toQString(stall.name));
    all += words;
    if (model::isWait(stall.counter) && some.size() < static_cast<qsizetype>(kMostBars))
      some += words;
  }
  m_stalls->setText(tr("Counted: warps waited %1 of their time.").arg(some.join(tr(", "))));
  m_stalls->setToolTip(tr("What a scheduler's warps waited for, by the hardware's counters. While "
                          "one waits others can continue, so that these are not shares of the "
                          "launch's time.\n%1")
                           .arg(all.join(u'\n')));
}

// The lines at which warps waited most, sampled by the hardware.
void WhyPanel::showSampled(const std::shared_ptr<const StallFacts>& stalls,
                           const timeline::WaitPlaces& places,
                           const std::optional<HistoryPoint>& speed,
                           const std::optional<Problem>& shown) {
  std::vector<CostBar> bars;
  if (stalls != nullptr) {
    const auto waits = timeline::sampledWaits(stalls->byLine, places);
    // Grouped by name, so that a bar matches its label: a wait of the kernel, or the profiler's
    // reason.
    struct Named {
      const model::LineStalls* line;
      QString words;
      double share;
    };
    std::vector<Named> lines;
    for (const model::LineStalls& each : waits.multiply) {
      if (each.line <= 0 || !each.stalls.reason) continue;
      const timeline::WaitPlace* place = places.at(each.line);
      const QString wait = place == nullptr ? QString() : toQString(timeline::waitText(*place));
      lines.push_back({&each,
                       wait.isEmpty() ? toQString(model::stallName(*each.stalls.reason)) : wait,
                       timeline::waitedShare(each, &places)});
    }
    std::ranges::stable_sort(lines, std::greater{}, &Named::share);
    for (const Named& named : lines) {
      if (bars.size() == kMostBars || named.share < kWorthSaying) break;
      const model::LineStalls* each = named.line;
      CostBar& bar = bars.emplace_back();
      bar.name = tr("line %1, %2").arg(each->line).arg(named.words);
      bar.share = named.share;
      bar.counted = true;
      bar.line = each->line;
      bar.tip = tr("%1. %2 Click to go to the line.")
                    .arg((waits.bring.empty() ? tr("%1, in the profiler's words")
                                              : tr("Of warps that multiply: %1, in the profiler's "
                                                   "words"))
                             .arg(describeStalls(each->stalls)))
                    .arg(tr("A sample is the state of one warp; while it waits others can "
                            "continue."));
    }
    m_sampledTitle->setText(sampledWords(*stalls, waits, speed, shown));
    m_sampledTitle->setToolTip(stalls->origin());
    m_idle->setText(idleWords(places, waits));
  }
  m_idle->setVisible(!bars.empty() && !m_idle->text().isEmpty());
  m_sampledTitle->setVisible(!bars.empty());
  m_sampled->setVisible(!bars.empty());
  m_sampled->setBars(std::move(bars));
}

// Changes of one tile parameter reach only neighbours: a faster tile may be several changes away.
void WhyPanel::showFastest(const std::optional<FastestTile>& fastest, const QString& device,
                           const HistoryPoint& present) {
  m_fastest->setVisible(fastest.has_value());
  const bool leads = fastest && fastest->tile != present.tile;
  m_takeFastest->setVisible(leads);
  if (!fastest) return;
  m_fastestTile = fastest->tile;
  const QString known = fastest->freshness == Freshness::Live ? tr("measured") : tr("recorded");
  m_fastest->setToolTip(
      tr("Of %1 tiles of this rung that were %2 on %3 at %4, noisy runs left out: "
         "%5 GFLOP/s with %6")
          .arg(figures::grouped(fastest->tiles), known, figures::deviceText(device),
               figures::sizeText(present.problem), figures::speedText(fastest->gflops),
               figures::tileText(present.rung(), fastest->tile)));
  if (!leads) {
    m_fastest->setText(fastest->tiles == 1 ? tr("This is the only tile that is %1.").arg(known)
                                           : tr("This is the fastest of %1 %2 tiles.")
                                                 .arg(figures::grouped(fastest->tiles), known));
    return;
  }
  // Speeds of two devices are not compared.
  const bool comparable = present.gflops.known() && present.device == device;
  const QString speed =
      comparable ? tr("speed × %1").arg(fastest->gflops / present.gflops.median, 0, 'f', 2)
                 : tr("%1 GFLOP/s").arg(figures::speedText(fastest->gflops));
  m_fastest->setText(tr("Fastest %1 tile: %2").arg(known, speed));
  const QString turns = parameterChanges(*present.rung(), present.tile, fastest->tile);
  m_fastest->setToolTip(m_fastest->toolTip() + tr(".\nFrom here: %1").arg(turns));
  m_takeFastest->setToolTip(tr("Sets %1 in all views; Ctrl+Z undoes it").arg(turns));
}

void WhyPanel::showMove(const std::optional<model::WhyMoved>& moved) {
  std::vector<CostBar> bars;
  m_moveTitle->setVisible(moved.has_value());
  m_moveText->setVisible(moved.has_value());
  m_changes->setVisible(moved.has_value());
  if (!moved) return;
  m_moveTitle->setText(
      tr("The last move: %1")
          .arg(parameterChanges(*moved->to.rung(), moved->from.tile, moved->to.tile)));
  QString text;
  const QString predicted = tr("× %1 the speed (predicted)").arg(moved->move.speedRatio, 0, 'f', 2);
  // Measured first.
  text = moved->runRatio ? tr("× %1 the speed (%2), %3. ")
                               .arg(moved->runRatio->speed, 0, 'f', 2)
                               .arg(toQString(moved->runRatio->verb()), predicted)
                         : tr("%1. ").arg(predicted);
  text += QString::fromStdString(model::causeSentence(*moved));
  QStringList figures;
  for (const model::FigureChange& change : moved->figures)
    figures += QString::fromStdString(model::sentence(change));
  text += u' ' + figures.mid(0, kMostFigures).join(u' ');
  m_moveText->setText(text);
  m_moveText->setToolTip(figures.join(u'\n'));
  for (const model::CostChange& change : moved->move.changes) {
    if (bars.size() == kMostBars) break;
    CostBar& bar = bars.emplace_back();
    bar.name = toQString(model::name(change.cost));
    bar.share = change.share;
    bar.change = true;
    bar.tip =
        tr("%1 Predicted change, as a share of the previous tile's time: less time to the left, "
           "more to the right.")
            .arg(toQString(model::meaning(change.cost)));
    if (change.cost == moved->move.cause) bar.line = moved->line;
  }
  m_changes->setBars(std::move(bars));
}

void WhyPanel::showTurns(const model::WhySlow& why) {
  std::vector<ParameterTurnRow> rows;
  for (const model::NextTile& next : why.neighbours) {
    if (rows.empty() || rows.back().parameter != next.parameter) {
      rows.emplace_back();
      rows.back().parameter = next.parameter;
      rows.back().now = next.from;
    }
    (next.value < next.from ? rows.back().below : rows.back().above) = turnOf(next);
  }
  m_turns->setVisible(!rows.empty());
  m_parameters->setRows(std::move(rows));
}

}  // namespace tileloom
