// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/parameter_history.h"

#include <algorithm>

#include "kernels/base/backwards.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

Subject placeOf(const HistoryPoint& point) {
  return point;
}

bool isMeasured(const HistoryPoint& point) {
  return point.freshness == Freshness::Live && point.gflops.known();
}

bool isOf(const HistoryPoint& point, const Subject& place, const Problem& problem) {
  return point.rung() == place.rung() && point.tile == place.tile && point.format == place.format &&
         point.problem == problem;
}

bool concerns(const HistoryPoint* point, ParameterHistory::Whose whose) {
  return point != nullptr &&
         (whose == ParameterHistory::Whose::Any || point->freshness == Freshness::Live);
}

}  // namespace

void ParameterHistory::load(std::vector<HistoryPoint> points) {
  if (points.size() > kMost)
    points.erase(points.begin(), points.end() - static_cast<std::ptrdiff_t>(kMost));
  m_points = std::move(points);
}

// Before a point is added. Measurements are in the file of runs in any case.
void ParameterHistory::makeRoom() {
  if (m_points.size() < kMost) return;
  int forgotten = static_cast<int>(kMost / 4);
  if (m_current >= 0) forgotten = std::min(forgotten, m_current);  // but for the present point
  m_points.erase(m_points.begin(), m_points.begin() + forgotten);
  if (m_current >= 0) m_current -= forgotten;
}

void ParameterHistory::insert(HistoryPoint point) {
  makeRoom();
  m_points.insert(m_points.begin() + std::max(0, m_current), std::move(point));
  if (m_current < 0) return;
  ++m_current;
  m_moves.back() = m_current;
}

void ParameterHistory::keepPresent() {
  m_asked = true;
  m_opening = false;
}

void ParameterHistory::move(HistoryPoint point, Move how) {
  const bool unmeasured = m_current >= 0 && m_current + 1 == static_cast<int>(m_points.size()) &&
                          !isMeasured(m_points.back());
  const bool soon = m_sinceMove.isValid() && m_sinceMove.elapsed() < m_passingMs;
  const bool opening = m_opening && how == Move::ByAsking;
  if (unmeasured && (opening || (soon && !m_asked))) {
    m_points.pop_back();
    m_moves.pop_back();
  }
  m_opening = m_current < 0 && how == Move::ByParameters;
  m_asked = how == Move::ByAsking;
  if (m_current >= 0 && m_current < static_cast<int>(m_points.size()))
    m_points[static_cast<std::size_t>(m_current)].measuring = false;  // had not begun
  makeRoom();
  m_points.push_back(std::move(point));
  m_current = static_cast<int>(m_points.size()) - 1;
  m_moves.push_back(m_current);
  m_foretold = false;
  m_sinceMove.start();
}

const HistoryPoint* ParameterHistory::left() const {
  const HistoryPoint* const now = present();
  for (const int move : backwards(m_moves)) {
    const HistoryPoint& point = m_points[static_cast<std::size_t>(move)];
    if (!isOf(point, placeOf(*now), now->problem)) return &point;
  }
  return nullptr;
}

HistoryPoint* ParameterHistory::present() {
  return m_current < 0 ? nullptr : &m_points[static_cast<std::size_t>(m_current)];
}

const HistoryPoint* ParameterHistory::present() const {
  return m_current < 0 ? nullptr : &m_points[static_cast<std::size_t>(m_current)];
}

HistoryPoint* ParameterHistory::latest(const Subject& place, const Problem& problem) {
  for (HistoryPoint& point : backwards(m_points)) {
    if (isOf(point, place, problem)) return &point;
  }
  return nullptr;
}

const HistoryPoint* ParameterHistory::latestLive(const Subject& place,
                                                 const Problem& problem) const {
  for (const HistoryPoint& point : backwards(m_points)) {
    if (isOf(point, place, problem) && point.gflops.known() && point.freshness == Freshness::Live)
      return &point;
  }
  return nullptr;
}

bool ParameterHistory::foretell(const Subject& place, const std::optional<Forecast>& forecast) {
  HistoryPoint* const point = present();
  if (point == nullptr || !(placeOf(*point) == place)) return false;
  m_foretold = true;
  if (point->forecast == forecast) return false;
  point->forecast = forecast;
  return true;
}

void ParameterHistory::foretell(int point, const std::optional<Forecast>& forecast) {
  if (point >= 0 && point < static_cast<int>(m_points.size()))
    m_points[static_cast<std::size_t>(point)].forecast = forecast;
}

const std::optional<Forecast>& ParameterHistory::forecast() const {
  static const std::optional<Forecast> none;
  const HistoryPoint* const point = present();
  return point == nullptr ? none : point->forecast;
}

void ParameterHistory::show(const Subject& place, const Problem& problem, HistoryPoint measured,
                            bool more, Whose whose) {
  HistoryPoint* const point = latest(place, problem);
  if (!concerns(point, whose)) return;
  measured.forecast = point->forecast;
  measured.freshness = Freshness::Live;
  measured.measuring = more;
  *point = std::move(measured);
}

void ParameterHistory::fail(const Subject& place, const Problem& problem, const QString& why,
                            Whose whose) {
  HistoryPoint* const point = latest(place, problem);
  if (!concerns(point, whose)) return;
  point->measuring = false;
  point->note = why;
}

void ParameterHistory::setMeasuring(const Subject& place, const Problem& problem, bool measuring) {
  if (HistoryPoint* const point = latest(place, problem)) point->measuring = measuring;
}

void ParameterHistory::revise(const Known& known) {
  for (const int move : m_moves) {
    HistoryPoint& point = m_points[static_cast<std::size_t>(move)];
    if (isMeasured(point) || !point.note.isEmpty()) continue;
    HistoryPoint revised = known(placeOf(point), point.problem);
    revised.forecast = point.forecast;
    point = std::move(revised);
  }
}

void ParameterHistory::clearNote(const Subject& place, const Problem& problem) {
  if (HistoryPoint* const point = latest(place, problem)) point->note.clear();
}

}  // namespace tileloom
