// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/why_panel.h"

#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels/model/why_text.h"
#include "kernels/runs/counters.h"
#include "viz/base/labels.h"
#include "viz/base/text.h"
#include "viz/panels/cost_bars.h"
#include "viz/panels/knob_note.h"
#include "viz/panels/knob_turns.h"

namespace tileloom {
namespace {

constexpr double kWorthSaying = 0.005;  // of the speed or of the time
constexpr std::size_t kMostBars = 3;
constexpr std::size_t kMostFigures = 2;  // of a move, in words; the tool tip has all

QString guessedNote() {
  return WhyPanel::tr(
      "≈: nobody has compiled the other tile here, so that its registers are "
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
  // Only what gains: the table of turns has the rest.
  if (cost.neighbour && why.neighbours[*cost.neighbour].speedRatio() >= 1 + kWorthSaying) {
    const model::NextTile& next = why.neighbours[*cost.neighbour];
    guessed = next.facts.source == model::Source::Guessed;
    notes += (guessed ? WhyPanel::tr("%1 %2 → %3: speed ≈ × %4")
                      : WhyPanel::tr("%1 %2 → %3: speed × %4"))
                 .arg(toQString(name(next.knob)))
                 .arg(next.from)
                 .arg(next.value)
                 .arg(next.speedRatio(), 0, 'f', 2);
  }
  bar.note = notes.join(QStringLiteral(" · "));
  bar.tip = QString::fromStdString(model::sentence(why, cost));
  for (const model::Figure& figure : cost.figures)
    bar.tip += u'\n' + QString::fromStdString(model::figureText(figure));
  if (guessed) bar.tip += u'\n' + guessedNote();
  return bar;
}

KnobTurn turnOf(const model::NextTile& next) {
  KnobTurn turn;
  turn.value = next.value;
  turn.ratio = next.speedRatio();
  turn.guessed = next.facts.source == model::Source::Guessed;
  turn.tip = QString::fromStdString(model::sentence(next));
  if (turn.guessed) turn.tip += u'\n' + guessedNote();
  turn.tip += u'\n' + WhyPanel::tr("Click to take this tile.");
  return turn;
}

}  // namespace

WhyPanel::WhyPanel(QObject* parent) : QObject(parent), m_costs(new QWidget), m_turns(new QWidget) {
  QVBoxLayout* column = columnOf(m_costs);
  m_title = new Heading(tr("Why not faster? Shares of the time"));
  m_bars = new CostBars;
  m_work = new Prose;
  m_work->setObjectName(QStringLiteral("work"));
  setInk(*m_work, Ink::Soft);
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
  m_moveTitle = new Heading;
  m_moveTitle->setObjectName(QStringLiteral("lastMove"));
  m_moveText = new Prose;
  m_moveText->setObjectName(QStringLiteral("lastMoveText"));
  setInk(*m_moveText, Ink::Soft);
  m_changes = new CostBars;
  for (QWidget* each : {static_cast<QWidget*>(m_title), static_cast<QWidget*>(m_bars),
                        static_cast<QWidget*>(m_work), static_cast<QWidget*>(m_stalls),
                        static_cast<QWidget*>(m_sampledTitle), static_cast<QWidget*>(m_sampled),
                        static_cast<QWidget*>(m_moveTitle), static_cast<QWidget*>(m_moveText),
                        static_cast<QWidget*>(m_changes)}) {
    column->addWidget(each);
  }
  column = columnOf(m_turns);
  m_turnsTitle = new Heading(tr("One turn of one knob: predicted speed"));
  m_knobs = new KnobTurns;
  column->addWidget(m_turnsTitle);
  column->addWidget(m_knobs);
  m_costs->hide();
  m_turns->hide();
  connect(m_bars, &CostBars::lineAsked, this, &WhyPanel::lineAsked);
  connect(m_sampled, &CostBars::lineAsked, this, &WhyPanel::lineAsked);
  connect(m_changes, &CostBars::lineAsked, this, &WhyPanel::lineAsked);
  connect(m_knobs, &KnobTurns::picked, this, &WhyPanel::knobPicked);
  connect(&m_service, &WhyService::explained, this,
          [this](const std::shared_ptr<const Explanation>& explanation) { show(*explanation); });
}

void WhyPanel::expect(const Stage& stage, const Problem& problem, const TileShape& tile) {
  const bool same = m_shown && m_shown->stage == &stage && m_shown->problem == problem &&
                    m_shown->tile.shape == tile;
  setStale(!same);
}

void WhyPanel::ask(WhyService::Question question) {
  // The move is the one from the tile whose answer stands there: those that a drag only passes
  // over are none. The same tile asked about again, because more is known of it, is no move.
  if (m_shown && m_shown->stage == question.stage && m_shown->problem == question.problem)
    question.left =
        m_shown->tile.shape == question.tile.shape ? m_shown->left : std::optional(m_shown->tile);
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
  m_knobs->setStale(stale);
}

void WhyPanel::show(const Explanation& explanation) {
  m_shown = m_asked;
  showCosts(explanation.why);
  showStalls(explanation.why);
  showMove(explanation.moved);
  showTurns(explanation.why);
  setStale(false);
}

void WhyPanel::showCosts(const model::WhySlow& why) {
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
  m_work->setVisible(work != why.costs.end());
  if (work == why.costs.end()) return;
  m_work->setText(tr("The multiply-adds themselves take %1 % (%2 for %3).")
                      .arg(100 * work->share, 0, 'f', 0)
                      .arg(toQString(model::name(work->source)))
                      .arg(toQString(why.device)));
}

// What the hardware says beside what the model predicts.
void WhyPanel::showStalls(const model::WhySlow& why) {
  m_stalls->setVisible(!why.stalls.empty());
  QStringList some, all;
  for (const model::Stall& stall : why.stalls) {
    const QString words =
        tr("%1 % %2").arg(100 * stall.share, 0, 'f', 0).arg(toQString(stall.name));
    all += words;
    if (model::isWait(stall.counter) && some.size() < static_cast<qsizetype>(kMostBars))
      some += words;
  }
  m_stalls->setText(tr("Counted: warps waited %1 of their time.").arg(some.join(tr(", "))));
  m_stalls->setToolTip(tr("Where a scheduler's warps stood, by the hardware's counters. While one "
                          "waits others can go on, so that these are no shares of the launch's "
                          "time.\n%1")
                           .arg(all.join(u'\n')));
}

// The lines at which warps waited most, as the hardware saw it.
void WhyPanel::showSampled(const std::shared_ptr<const StallFacts>& stalls) {
  std::vector<CostBar> bars;
  if (stalls != nullptr) {
    std::vector<const model::LineStalls*> lines;
    for (const model::LineStalls& each : stalls->byLine) {
      if (each.line > 0 && each.stalls.reason) lines.push_back(&each);
    }
    // By the reason that is named, so that a bar is of what its words say.
    std::ranges::stable_sort(lines, std::greater{}, [](const model::LineStalls* each) {
      return each->stalls.reasonShare;
    });
    for (const model::LineStalls* each : lines) {
      if (bars.size() == kMostBars || each->stalls.reasonShare < kWorthSaying) break;
      CostBar& bar = bars.emplace_back();
      bar.name =
          tr("line %1, %2").arg(each->line).arg(toQString(model::stallName(*each->stalls.reason)));
      bar.share = each->stalls.reasonShare;
      bar.counted = true;
      bar.line = each->line;
      bar.tip = tr("%1. %2 Click to go to the line.")
                    .arg(describeStalls(each->stalls))
                    .arg(tr("A sample says what one warp stood at; while it waits others can go "
                            "on."));
    }
    m_sampledTitle->setText(tr("Warps waited most at (%1):").arg(stalls->origin()));
  }
  m_sampledTitle->setVisible(!bars.empty());
  m_sampled->setVisible(!bars.empty());
  m_sampled->setBars(std::move(bars));
}

void WhyPanel::showMove(const std::optional<model::WhyMoved>& moved) {
  std::vector<CostBar> bars;
  m_moveTitle->setVisible(moved.has_value());
  m_moveText->setVisible(moved.has_value());
  m_changes->setVisible(moved.has_value());
  if (!moved) return;
  QStringList knobs;
  for (const KnobSpec& spec : moved->stage->knobs) {
    if (moved->from[spec.knob] != moved->to[spec.knob])
      knobs += tr("%1 %2 → %3")
                   .arg(toQString(name(spec.knob)))
                   .arg(moved->from[spec.knob])
                   .arg(moved->to[spec.knob]);
  }
  m_moveTitle->setText(tr("The last move: %1").arg(knobs.join(QStringLiteral(", "))));
  QString text;
  const QString predicted = tr("× %1 the speed (predicted)").arg(moved->move.speedRatio, 0, 'f', 2);
  // What was measured comes first.
  text = moved->measuredRatio ? tr("× %1 the speed (measured), %2. ")
                                    .arg(*moved->measuredRatio, 0, 'f', 2)
                                    .arg(predicted)
                              : tr("%1. ").arg(predicted);
  // A cause that hardly changes the time is none.
  const bool none = moved->move.cause != model::Cost::Spills && !model::contradicted(*moved) &&
                    std::abs(moved->move.causeShare) < kWorthSaying;
  text += none ? tr("No cost changed by half a percent of the time.")
               : QString::fromStdString(model::causeSentence(*moved));
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
    bar.tip = tr("%1 Predicted change, as a share of the time of the tile before: to the left less "
                 "time, to the right more.")
                  .arg(toQString(model::meaning(change.cost)));
    if (change.cost == moved->move.cause) bar.line = moved->line;
  }
  m_changes->setBars(std::move(bars));
}

void WhyPanel::showTurns(const model::WhySlow& why) {
  std::vector<KnobTurnRow> rows;
  for (const model::NextTile& next : why.neighbours) {
    if (rows.empty() || rows.back().knob != next.knob) {
      rows.emplace_back();
      rows.back().knob = next.knob;
      rows.back().now = next.from;
    }
    (next.value < next.from ? rows.back().below : rows.back().above) = turnOf(next);
  }
  m_turns->setVisible(!rows.empty());
  m_knobs->setRows(std::move(rows));
}

}  // namespace tileloom
