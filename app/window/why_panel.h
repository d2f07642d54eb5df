// SPDX-License-Identifier: GPL-3.0-or-later
// Why the shown tile is not faster: the costs in time, the changes of the last move, and the effect
// of changing each tile parameter. Everything is predicted unless it says otherwise.
#pragma once

#include <QWidget>
#include <optional>

#include "app/services/forecasts/why_service.h"
#include "kernels/model/limits/floors.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/wait_places.h"
#include "viz/charts/ladder/ladder_columns.h"
#include "viz/code/stall_facts.h"

class QLabel;
class QPushButton;

namespace tileloom {

class CostBars;
class Heading;
class ParameterTurns;

class WhyPanel : public QObject {
  Q_OBJECT
 public:
  // Makes the widgets, which the caller places: the costs and the last move at the top, the
  // parameter changes further down.
  explicit WhyPanel(QObject* parent = nullptr);

  QWidget* costs() const { return m_costs; }
  QWidget* turns() const { return m_turns; }

  // A question about this tile is next: dims the present content if it is of another tile.
  void expect(const Stage& stage, const Problem& problem, const TileShape& tile);
  // A repeated question is ignored.
  void ask(WhyService::Question question);
  // Instead of an answer if there is no prediction: lower bounds from the trace, and the cycles of
  // a measured run in the same unit, if there is one.
  void showFloors(const WhyService::Question& question, const model::Floors& floors,
                  const std::optional<double>& measured,
                  const std::optional<model::Limit>& limit = std::nullopt);
  // Where the multiplying warps of the shown tile wait, by source line; nullptr: there are no
  // samples. `places`, of a recording of the same tile, say which warps these are and what they
  // wait for. `speed` is the tile's, which may be of another device and size.
  void showSampled(const std::shared_ptr<const StallFacts>& stalls,
                   const timeline::WaitPlaces& places, const std::optional<HistoryPoint>& speed,
                   const std::optional<Problem>& shown = std::nullopt);
  // The fastest tile of the rung on a device at the size that is shown, beside the present tile and
  // its speed there. std::nullopt: no tile is known.
  void showFastest(const std::optional<FastestTile>& fastest, const QString& device,
                   const HistoryPoint& present);
  // The kernel of the chosen tile parameters is unknown.
  void forget();
  bool pending() const { return m_service.pending(); }

 signals:
  void lineAsked(int line);
  void parameterPicked(tileloom::Parameter parameter, int value);
  void tilePicked(const tileloom::TileShape& tile);

 private:
  void show(const Explanation& explanation);
  void showCosts(const model::WhySlow& why);
  void showStalls(const model::WhySlow& why);
  void showMove(const std::optional<model::WhyMoved>& moved);
  void showTurns(const model::WhySlow& why);
  void showStale();
  void setStale(bool stale);

  WhyService m_service;
  std::optional<WhyService::Question> m_asked;  // the latest question
  std::optional<WhyService::Question> m_shown;  // the one whose answer is shown
  std::optional<Launched> m_expected;           // the chosen tile, if it was announced
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
  QLabel* m_idle = nullptr;  // samples that are not a cause
  CostBars* m_sampled = nullptr;
  Heading* m_moveTitle = nullptr;
  QLabel* m_moveText = nullptr;
  CostBars* m_changes = nullptr;
  Heading* m_turnsTitle = nullptr;
  ParameterTurns* m_parameters = nullptr;
};

}  // namespace tileloom
