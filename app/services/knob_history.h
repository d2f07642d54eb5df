// SPDX-License-Identifier: GPL-3.0-or-later
// The positions of the knobs in the order in which they were taken, with the present one last or
// nearly so. Values only: who measures tells it what became of a point.
//
//   KnobHistory history;
//   history.load(pointsOfEarlierSessions);
//   history.move(point);  // with its stage, tile and size
//   history.show({&stage, tile}, problem, pointOf(run, machine), true, KnobHistory::Whose::Any);
//   chart.setPoints(history.points(), history.current());
#pragma once

#include <QElapsedTimer>
#include <functional>
#include <optional>
#include <vector>

#include "app/services/lab_machine.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

class KnobHistory {
 public:
  // Of the baseline of a comparison only live points are told anything: it is no move of the knobs,
  // and what was measured on another day stays as it was.
  enum class Whose { Any, LiveOnly };

  static constexpr int kPassingMs = 400;      // a stop that was shorter is no point
  static constexpr std::size_t kMost = 4000;  // points; the oldest quarter is forgotten then
  explicit KnobHistory(int passingMs = kPassingMs) : m_passingMs(passingMs) {}

  const std::vector<HistoryPoint>& points() const { return m_points; }
  int current() const { return m_current; }  // -1: nobody has moved yet

  // Of earlier sessions, the latest last; before the first move.
  void load(std::vector<HistoryPoint> points);
  // Of an imported run: the present point stays behind it, where the next measurement is drawn.
  void insert(HistoryPoint point);
  // The knobs have moved. A stop in passing, at which nothing was measured, gives way. What a
  // session or a lecture asks for is no stop in passing, however fast the next one follows; the
  // point at which the window opened gives way to it, however late it comes.
  enum class Move { ByKnobs, ByAsking };
  void move(HistoryPoint point, Move how = Move::ByKnobs);
  void keepPresent();  // it has been asked for

  // The present point; nullptr before the first move.
  HistoryPoint* present();
  const HistoryPoint* present() const;
  // The point of another tile or size from which the present one was reached; nullptr: none of this
  // session.
  const HistoryPoint* left() const;
  // The latest measured in this session on this device; nullptr: none.
  const HistoryPoint* latestLive(const Place& place, const Problem& problem) const;

  // What is predicted of the present tile. False: that changes nothing, or `place` is not present.
  bool foretell(const Place& place, const std::optional<Forecast>& forecast);
  const std::optional<Forecast>& forecast() const;
  // Whether anybody has said what is predicted of the present point, or that nothing is.
  bool foretold() const { return m_foretold; }
  // The same of a point that was left before.
  void foretell(int point, const std::optional<Forecast>& forecast);

  // The following tell the latest point of a tile at a size, if there is one.
  void show(const Place& place, const Problem& problem, HistoryPoint measured, bool more,
            Whose whose);
  void fail(const Place& place, const Problem& problem, const QString& why, Whose whose);
  void setMeasuring(const Place& place, const Problem& problem, bool measuring);
  void clearNote(const Place& place, const Problem& problem);
  // Moves of this session that have neither a speed nor a note become what is known of them now:
  // they may have been made before the machine was known.
  using Known = std::function<HistoryPoint(const Place&, const Problem&)>;
  void revise(const Known& known);

 private:
  void makeRoom();
  HistoryPoint* latest(const Place& place, const Problem& problem);

  std::vector<HistoryPoint> m_points;
  bool m_opening = false;  // the present point is where the window opened
  bool m_asked = false;    // a session or a lecture has asked for it
  bool m_foretold = false;
  int m_current = -1;
  std::vector<int> m_moves;  // points of this session; the present one is the last
  int m_passingMs;
  QElapsedTimer m_sinceMove;
};

}  // namespace tileloom
