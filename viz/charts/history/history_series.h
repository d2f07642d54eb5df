// SPDX-License-Identifier: GPL-3.0-or-later
// The values that the history's panels plot, without widgets.
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
  double high = 0;  // low = high = value: exact
};

// The value in the panel's unit: GFLOP/s, percent, registers, percent. std::nullopt: unknown, which
// leaves a gap.
std::optional<Sample> sampleOf(const HistoryPoint& point, HistoryPanel panel);

// The reference of the panel's value, in its unit: the speed of cuBLAS in the same run, or the
// occupancy that the hardware counted. std::nullopt: unknown, or the same for all points.
std::optional<double> referenceOf(const HistoryPoint& point, HistoryPanel panel);

// The prediction, in the panel's unit. std::nullopt: there is none.
std::optional<Sample> bandOf(const HistoryPoint& point, HistoryPanel panel);

// Whether a line may join two neighbours. Points of different rungs, freshness, devices or sizes
// are never joined, because their values are not comparable.
bool joined(const HistoryPoint& a, const HistoryPoint& b);

// The range of the value axis for these points and their reference lines.
ValueRange valueRange(std::span<const HistoryPoint> points, HistoryPanel panel);

// The range of visible moves. Move i (from 0) is at x = i + 1.
class HistoryWindow {
 public:
  static constexpr double kPointWidth = 10;  // pixels, at least

  void setWidth(double pixels);
  void setCount(int count);
  // Scrolls by this many moves; negative: to older ones. At the right end the window follows the
  // latest move again.
  void scroll(double moves);
  void followLatest();
  void reveal(int index);
  // Multiplies the number of visible moves by `factor`; the one at x stays in place.
  void zoom(double factor, double x);
  void zoomToAll();
  void zoomAsUsual();  // as many as fit with their marks
  void centre(double x);

  bool follows() const { return m_follow; }
  int capacity() const;  // moves that are visible
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
  int m_chosen = 0;  // moves chosen by zooming; 0: as many as fit
  double m_right = 0;
  bool m_follow = true;
};

}  // namespace charts
}  // namespace tileloom
