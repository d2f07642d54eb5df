// SPDX-License-Identifier: GPL-3.0-or-later
// What the history's panels plot, as plain values: no widget, no pixel but the width of a point.
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

// A thread of any architecture since sm_35 holds no more.
inline constexpr int kMostRegisters = 255;

struct Sample {
  double value = 0;
  double low = 0;
  double high = 0;  // equal to value where nothing is uncertain
};

// In the panel's unit: GFLOP/s, percent, registers, percent. Nothing: a gap.
std::optional<Sample> sampleOf(const HistoryPoint& point, HistoryPanel panel);

// What a panel's values are held against, in its unit: cuBLAS's speed in the same run, the
// occupancy that the hardware has counted. Nothing: not known, or the same for all points.
std::optional<double> referenceOf(const HistoryPoint& point, HistoryPanel panel);

// What is predicted, in the panel's unit; nothing where nothing is.
std::optional<Sample> bandOf(const HistoryPoint& point, HistoryPanel panel);

// Whether a line may run between two neighbours: never between rungs, standings, devices or sizes,
// whose values do not go on from each other.
bool joined(const HistoryPoint& a, const HistoryPoint& b);

// The value axis for these points, the reference lines included.
ValueRange valueRange(std::span<const HistoryPoint> points, HistoryPanel panel);

// Which moves are in sight. Move i (from 0) stands at x = i + 1.
class HistoryWindow {
 public:
  static constexpr double kPointWidth = 10;  // pixels, at least

  void setWidth(double pixels);
  void setCount(int count);
  // By so many moves, negative to older ones. At the right end it follows the latest again.
  void scroll(double moves);
  void followLatest();
  void reveal(int index);

  bool follows() const { return m_follow; }
  int capacity() const;  // moves that fit
  double low() const { return m_right - capacity() + 0.5; }
  double high() const { return m_right + 0.5; }
  int first() const;  // of the moves in sight, at least in part
  int last() const;   // -1: none

 private:
  void clamp();

  int m_count = 0;
  int m_fit = 3;
  double m_right = 0;
  bool m_follow = true;
};

}  // namespace charts
}  // namespace tileloom
