// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/history/history_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/runs/counters.h"
#include "viz/base/text/figure_text.h"

namespace tileloom::charts {
namespace {

constexpr int kFewestMoves = 3;
// From this value on the ceiling is shown.
constexpr int kNearCeiling = 200;
// Free space above the highest mark, as shares of the height: with and without a number on it.
constexpr double kAir = 0.12;
constexpr double kAirForNumbers = 0.35;

std::optional<Sample> measured(const runs::Interval& interval, double factor) {
  if (!interval.known()) return std::nullopt;
  return Sample{interval.median * factor, interval.low * factor, interval.high * factor};
}

std::optional<Sample> exact(bool known, double value) {
  if (!known) return std::nullopt;
  return Sample{value, value, value};
}

}  // namespace

std::optional<Sample> sampleOf(const HistoryPoint& point, HistoryPanel panel) {
  switch (panel) {
    case HistoryPanel::Speed:
      return measured(point.gflops, figures::speedFactor(point.format));
    case HistoryPanel::Ratio:
      return measured(point.ratio, 100);
    case HistoryPanel::Registers:
      return exact(point.registers >= 0, point.registers);
    case HistoryPanel::Occupancy:
      break;
  }
  const bool known = point.blocks > 0 && point.mostWarps > 0;
  return exact(known, known ? 100.0 * point.warps / point.mostWarps : 0);
}

std::optional<double> referenceOf(const HistoryPoint& point, HistoryPanel panel) {
  if (panel == HistoryPanel::Speed && point.cublas.known())
    return point.cublas.median * figures::speedFactor(point.format);
  if (panel == HistoryPanel::Occupancy) {
    if (const auto achieved = point.counters[runs::Counter::AchievedOccupancy])
      return 100 * *achieved;
  }
  return std::nullopt;
}

std::optional<Sample> bandOf(const HistoryPoint& point, HistoryPanel panel) {
  if (panel != HistoryPanel::Speed || !point.forecast) return std::nullopt;
  const double factor = figures::speedFactor(point.format);
  return Sample{point.forecast->gflops * factor, point.forecast->low * factor,
                point.forecast->high * factor};
}

bool joined(const HistoryPoint& a, const HistoryPoint& b) {
  return a.rung() == b.rung() && a.format == b.format && a.freshness == b.freshness &&
         a.problem == b.problem && a.device == b.device;
}

ValueRange valueRange(std::span<const HistoryPoint> points, HistoryPanel panel) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  const auto include = [&](double from, double to) {
    low = std::min(low, from);
    high = std::max(high, to);
  };
  for (const HistoryPoint& point : points) {
    if (const auto s = sampleOf(point, panel)) include(s->low, s->high);
    if (const auto band = bandOf(point, panel)) include(band->low, band->high);
    if (const auto reference = referenceOf(point, panel)) include(*reference, *reference);
  }
  if (high <= 0) return {0, 1, 1};
  switch (panel) {
    case HistoryPanel::Speed:
      return niceRange(low, high, false, kAir);
    case HistoryPanel::Ratio:
      include(100, 100);
      return niceRange(low, high, false, kAir);
    case HistoryPanel::Registers:
      if (high >= kNearCeiling) include(kMostRegisters, kMostRegisters);
      return niceRange(0, high, true, kAirForNumbers);
    case HistoryPanel::Occupancy:
      break;
  }
  return niceRange(0, high, true, kAirForNumbers);
}

void HistoryWindow::setWidth(double pixels) {
  m_fit = std::max(kFewestMoves, static_cast<int>(pixels / kPointWidth));
  clamp();
}

void HistoryWindow::setCount(int count) {
  m_count = count;
  clamp();
}

int HistoryWindow::capacity() const {
  return std::clamp(m_count, kFewestMoves, m_chosen > 0 ? m_chosen : m_fit);
}

void HistoryWindow::clamp() {
  if (m_follow) m_right = m_count;
  const double least = std::min(capacity(), m_count);
  m_right = std::clamp(m_right, least, static_cast<double>(m_count));
}

void HistoryWindow::scroll(double moves) {
  m_right += moves;
  m_follow = m_right >= m_count || capacity() >= m_count;
  clamp();
}

void HistoryWindow::followLatest() {
  m_follow = true;
  clamp();
}

void HistoryWindow::zoom(double factor, double x) {
  const double before = capacity();
  const double share = (m_right + 0.5 - x) / before;  // of the width, right of x
  const double wanted = std::round(before * factor);
  // Every zoom changes the count by at least one.
  const double step = factor > 1 ? std::max(wanted, before + 1) : std::min(wanted, before - 1);
  m_chosen = static_cast<int>(
      std::clamp(step, static_cast<double>(kFewestMoves), std::max<double>(m_count, kFewestMoves)));
  if (!m_follow) m_right = x + share * capacity() - 0.5;
  scroll(0);
}

void HistoryWindow::zoomToAll() {
  m_chosen = std::numeric_limits<int>::max();
  followLatest();
}

void HistoryWindow::zoomAsUsual() {
  m_chosen = 0;
  scroll(0);
}

void HistoryWindow::centre(double x) {
  m_right = x + capacity() / 2.0;
  m_follow = false;
  scroll(0);
}

void HistoryWindow::reveal(int index) {
  const double x = index + 1;
  if (x < low() + 0.5) scroll(x - (low() + 0.5));
  if (x > high() - 0.5) scroll(x - (high() - 0.5));
}

int HistoryWindow::first() const {
  return std::max(0, static_cast<int>(std::floor(low())) - 1);
}

int HistoryWindow::last() const {
  return std::min(m_count - 1, static_cast<int>(std::ceil(high())) - 1);
}

}  // namespace tileloom::charts
