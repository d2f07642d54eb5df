// SPDX-License-Identifier: GPL-3.0-or-later
// Why the shown tile is not faster: what costs time, what the last move changed, and what one turn
// of each knob would do. Everything is predicted except where it says otherwise.
#pragma once

#include <QWidget>
#include <optional>

#include "app/services/why_service.h"
#include "kernels/model/floors.h"
#include "kernels/timeline/wait_places.h"
#include "viz/charts/ladder_columns.h"
#include "viz/code/stall_facts.h"

class QLabel;
class QPushButton;

namespace tileloom {

class CostBars;
class Heading;
class KnobTurns;

class WhyPanel : public QObject {
  Q_OBJECT
 public:
  // Makes the widgets, which stand where the caller puts them: the costs and the last move are
  // read at once, the turns of the knobs come further down.
  explicit WhyPanel(QObject* parent = nullptr);

  QWidget* costs() const { return m_costs; }
  QWidget* turns() const { return m_turns; }

  // A question about this tile will be asked: dims what stands there if it is of another one.
  void expect(const Stage& stage, const Problem& problem, const TileShape& tile);
  // What has been asked just before is not asked again.
  void ask(WhyService::Question question);
  // In place of an answer where there is no prediction: what the trace alone says, and how many
  // cycles a measured run took, if there is one, in the same unit.
  void showFloors(const WhyService::Question& question, const model::Floors& floors,
                  const std::optional<double>& measured,
                  const std::optional<model::Limit>& limit = std::nullopt);
  // Where the warps of the shown tile wait that multiply, by source line; nullptr: nobody has
  // sampled it. `places`, of a recording of the same tile, say which warps these are and what they
  // wait for. `speed` is the tile's, which may be of another device and size.
  void showSampled(const std::shared_ptr<const StallFacts>& stalls,
                   const timeline::WaitPlaces& places, const std::optional<HistoryPoint>& speed,
                   const std::optional<Problem>& shown = std::nullopt);
  // The fastest tile of the rung on a device at the size that is shown, beside the present tile and
  // its speed there. std::nullopt: no tile is known.
  void showFastest(const std::optional<FastestTile>& fastest, const QString& device,
                   const HistoryPoint& present);
  // Nothing is known about the kernel of the tile that the knobs ask for.
  void forget();
  bool pending() const { return m_service.pending(); }

 signals:
  void lineAsked(int line);
  void knobPicked(tileloom::Knob knob, int value);
  void tilePicked(const tileloom::TileShape& tile);

 private:
  void show(const Explanation& explanation);
  void showCosts(const model::WhySlow& why);
  void showStalls(const model::WhySlow& why);
  void showMove(const std::optional<model::WhyMoved>& moved);
  void showTurns(const model::WhySlow& why);
  void showStale();
  void setStale(bool stale);

  struct Expected {
    const Stage* stage = nullptr;
    Problem problem;
    TileShape tile;
  };

  WhyService m_service;
  std::optional<WhyService::Question> m_asked;  // the latest question
  std::optional<WhyService::Question> m_shown;  // the one that the widgets answer
  std::optional<Expected> m_expected;           // what the knobs ask for, where anybody has said so
  QWidget* m_costs = nullptr;
  QWidget* m_turns = nullptr;
  Heading* m_title = nullptr;
  CostBars* m_bars = nullptr;
  QLabel* m_work = nullptr;
  QLabel* m_fastest = nullptr;
  QPushButton* m_takeFastest = nullptr;
  TileShape m_fastestTile;
  QLabel* m_stalls = nullptr;
  QLabel* m_sampledTitle = nullptr;
  QLabel* m_idle = nullptr;  // whose samples are no cause
  CostBars* m_sampled = nullptr;
  Heading* m_moveTitle = nullptr;
  QLabel* m_moveText = nullptr;
  CostBars* m_changes = nullptr;
  Heading* m_turnsTitle = nullptr;
  KnobTurns* m_knobs = nullptr;
};

}  // namespace tileloom
