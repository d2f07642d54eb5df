// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the theme's colours in exported files: "A", "warp-2", "ground". Mixed colours have
// names, too: "A-42" is 42 % of A on the ground.
#pragma once

#include <QColor>
#include <QString>
#include <map>
#include <vector>

#include "viz/base/theme.h"

namespace tileloom {

struct NamedColour {
  QString name;
  QColor colour;
  QString role;  // what has this colour, in words
};

// In the order of a legend.
std::vector<NamedColour> namedColours(const Theme& theme);

class ColourNames {
 public:
  explicit ColourNames(const Theme& theme);

  struct Name {
    QString name;
    std::size_t base = 0;  // index in all() of the colour that it is a shade of; all().size(): none
    double share = 1;      // of the base
  };

  const std::vector<NamedColour>& all() const { return m_all; }
  // Two colours never share a name. Opacity does not matter.
  const Name& of(const QColor& colour);
  // The colours that were used, with their bases: a base, then its shades from the strongest on.
  struct Line {
    Name name;
    QColor colour;
  };
  std::vector<Line> used() const;

 private:
  struct Hue {
    QString name;
    QColor colour;
    std::size_t base = 0;
  };
  Name find(const QColor& colour) const;
  Name alike(const QColor& colour) const;

  Theme m_theme;
  std::vector<NamedColour> m_all;
  std::vector<Hue> m_lanes;
  std::map<QRgb, Name> m_known;
  std::map<QString, int> m_taken;  // how many colours have this name
};

}  // namespace tileloom
