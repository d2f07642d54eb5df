// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of the tile parameters in the order in which they were taken, with the present one
// last or nearly so. It stores values only: the owner reports what became of a point.
//
//   ParameterHistory history;
//   history.load(pointsOfEarlierSessions);
//   history.move(point);  // with its stage, tile and size
//   history.show({&stage, tile}, problem, pointOf(run, machine), true,
//   ParameterHistory::Whose::Any); chart.setPoints(history.points(), history.current());
#pragma once

#include <QElapsedTimer>
#include <functional>
#include <optional>
#include <vector>

#include "app/services/measuring/lab_machine.h"
#include "kernels/tile/subject.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

class ParameterHistory {
 public:
  // For the baseline of a comparison, only live points are updated: it is not a move of the tile
  // parameters, and measurements of another day stay as they were.
  enum class Whose { Any, LiveOnly };

  static constexpr int kPassingMs = 400;      // a shorter stop does not count as a point
  static constexpr std::size_t kMost = 4000;  // points; then the oldest quarter is forgotten
  explicit ParameterHistory(int passingMs = kPassingMs) : m_passingMs(passingMs) {}

  const std::vector<HistoryPoint>& points() const { return m_points; }
  int current() const { return m_current; }  // -1: no move yet

  // Points of earlier sessions, the latest last; before the first move.
  void load(std::vector<HistoryPoint> points);
  // A point of an imported run: the present point stays after it, where the next measurement is
  // drawn.
  void insert(HistoryPoint point);
  // The tile parameters have moved. A short stop without a measurement is replaced. A stop
  // requested by a session or a lecture is never replaced, however fast the next one follows; it
  // replaces the point at which the window opened, however late it comes.
  enum class Move { ByParameters, ByAsking };
  void move(HistoryPoint point, Move how = Move::ByParameters);
  void keepPresent();  // it was requested

  // The present point; nullptr before the first move.
  HistoryPoint* present();
  const HistoryPoint* present() const;
  // The point of another tile or size from which the present one was reached; nullptr: none of this
  // session.
  const HistoryPoint* left() const;
  // The latest measured in this session on this device; nullptr: none.
  const HistoryPoint* latestLive(const Subject& place, const Problem& problem) const;

  // Sets the prediction for the present tile. False: that changes nothing, or `place` is not
  // present.
  bool foretell(const Subject& place, const std::optional<Forecast>& forecast);
  const std::optional<Forecast>& forecast() const;
  // Whether a prediction for the present point, or its absence, was set.
  bool foretold() const { return m_foretold; }
  // The same for a point that was left before.
  void foretell(int point, const std::optional<Forecast>& forecast);

  // The following update the latest point of a tile at a size, if there is one.
  void show(const Subject& place, const Problem& problem, HistoryPoint measured, bool more,
            Whose whose);
  void fail(const Subject& place, const Problem& problem, const QString& why, Whose whose);
  void setMeasuring(const Subject& place, const Problem& problem, bool measuring);
  void clearNote(const Subject& place, const Problem& problem);
  // Points of this session with neither a speed nor a note become what is known of them now: they
  // may have been made before the machine was known.
  using Known = std::function<HistoryPoint(const Subject&, const Problem&)>;
  void revise(const Known& known);

 private:
  void makeRoom();
  HistoryPoint* latest(const Subject& place, const Problem& problem);

  std::vector<HistoryPoint> m_points;
  bool m_opening = false;  // the present point is where the window opened
  bool m_asked = false;    // a session or a lecture requested it
  bool m_foretold = false;
  int m_current = -1;
  std::vector<int> m_moves;  // points of this session; the present one is the last
  int m_passingMs;
  QElapsedTimer m_sinceMove;
};

}  // namespace tileloom
