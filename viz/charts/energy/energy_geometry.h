// SPDX-License-Identifier: GPL-3.0-or-later
// Places the bars, marks and texts of the energy chart in a picture of a given size. Private to
// viz/charts.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/energy/energy_data.h"

namespace tileloom::charts {

// Text in a place; text that does not fit ends in an ellipsis.
struct EnergyText {
  enum class Role { Headline, LargeHeadline, Text, Soft, Strong };
  QRectF rect;
  QString text;
  Role role = Role::Text;
  Qt::Alignment side = Qt::AlignLeft;
  bool whole = true;  // it fits
};
QFont fontOf(EnergyText::Role role, const Fonts& fonts);

struct EnergyTick {
  double at = 0;  // pixels across
  QString text;
};

// A part of a bar, from 0 to the energy of the whole kernel.
struct EnergyPart {
  enum class Kind { NoLoads, A, B, AB, Dram };
  Kind kind = Kind::NoLoads;
  QRectF rect;
};

struct EnergyBar {
  model::Loads loads = model::Loads::All;
  QRectF row;  // the whole row: the area for the mouse
  std::vector<EnergyPart> parts;
  QRectF bar() const;
  double low = 0, high = 0;  // pixels across: the least and the greatest energy of all rounds
};

struct EnergyMarks {
  QRectF row;
  std::vector<QPointF> marks;  // one per call
};

struct EnergySwatch {
  EnergyPart::Kind kind = EnergyPart::Kind::NoLoads;
  QRectF rect;
};

struct EnergyGeometry {
  std::vector<EnergyText> texts;
  QRectF bars;                    // the plot of the what-ifs; empty: there are none
  std::vector<EnergyBar> rows;    // in the order of kLoads
  std::vector<EnergyTick> ticks;  // J
  double ceiling = 0;             // pixels across: the energy without loads
  std::vector<EnergySwatch> swatches;
  QRectF rungs;  // the plot of the rungs; empty: there are none
  std::vector<EnergyMarks> rungRows;
  std::vector<EnergyTick> rungTicks;  // percent
  double library = 0;                 // pixels across: 100 %
  std::optional<int> present;         // which of rungRows the window shows

  double jouleX(double joules) const;
  double percentX(double percent) const;
  double mostJoules = 1;                       // at the right edge of `bars`; its left one is 0
  double leastPercent = 0, mostPercent = 100;  // at the edges of `rungs`
};

// From this width on the rungs are beside the what-ifs, in narrower pictures below them.
inline constexpr double kEnergyBeside = 520;
// The least height at this width: in a lower picture rows would touch.
double leastEnergyHeight(const EnergyData& data, double width, const Fonts& fonts);

EnergyGeometry energyGeometry(const EnergyData& data, const QSizeF& size, const Fonts& fonts);

std::optional<EnergySpot> energySpotAt(const EnergyGeometry& geometry, const QPointF& at);

}  // namespace tileloom::charts
