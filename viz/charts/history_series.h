// SPDX-License-Identifier: GPL-3.0-or-later
// What the history's panels plot, as plain values, without widgets.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "viz/charts/chart_data.h"
#include "viz/charts/chart_style.h"

namespace tileloom {

enum class HistoryPanel { Speed, Ratio, Registers, Occupancy };
inline constexpr std::array<HistoryPanel, 4> kHistoryPanels = {
    HistoryPanel::Speed, HistoryPanel::Ratio, HistoryPanel::Registers, HistoryPanel::Occupancy};

namespace charts {

// The most registers that a thread can have on any architecture since sm_35.
inline constexpr int kMostRegisters = 255;

struct Sample {
  double value = 0;
  double low = 0;
  double high = 0;  // low and high equal value if it is certain
};

// The value in the panel's unit: GFLOP/s, percent, registers, percent. std::nullopt: unknown, which
// leaves a gap.
std::optional<Sample> sampleOf(const HistoryPoint& point, HistoryPanel panel);

// What the panel's value is compared with, in its unit: the speed of cuBLAS in the same run, or the
// occupancy that the hardware has counted. std::nullopt: unknown, or the same for all points.
std::optional<double> referenceOf(const HistoryPoint& point, HistoryPanel panel);

// The prediction, in the panel's unit. std::nullopt: there is none.
std::optional<Sample> bandOf(const HistoryPoint& point, HistoryPanel panel);

// Whether a line may join two neighbours. Points of different rungs, freshness, devices or sizes
// are never joined, because their values are not comparable.
bool joined(const HistoryPoint& a, const HistoryPoint& b);

// The range of the value axis for these points and their reference lines.
ValueRange valueRange(std::span<const HistoryPoint> points, HistoryPanel panel);

// Which moves of the knobs are visible. Move i (from 0) is at x = i + 1.
class HistoryWindow {
 public:
  static constexpr double kPointWidth = 10;  // pixels, at least

  void setWidth(double pixels);
  void setCount(int count);
  // Scrolls by so many moves; negative: to older ones. At the right end the window follows the
  // latest move again.
  void scroll(double moves);
  void followLatest();
  void reveal(int index);
  // Shows so many times as many moves as now; the one at x stays where it is.
  void zoom(double factor, double x);
  void zoomToAll();
  void zoomAsUsual();  // as many as have room for their marks
  void centre(double x);

  bool follows() const { return m_follow; }
  int capacity() const;  // moves that are in sight
  bool hasMore() const { return capacity() < m_count; }
  bool isZoomed() const { return m_chosen != 0; }
  double low() const { return m_right - capacity() + 0.5; }
  double high() const { return m_right + 0.5; }
  int first() const;  // first move that is at least partly visible
  int last() const;   // the last such move; -1: none

 private:
  void clamp();

  int m_count = 0;
  int m_fit = 3;
  int m_chosen = 0;  // moves that somebody has zoomed to; 0: as many as fit
  double m_right = 0;
  bool m_follow = true;
};

}  // namespace charts
}  // namespace tileloom
