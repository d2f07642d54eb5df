// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/figure_notes.h"

#include <QCoreApplication>
#include <QStringList>

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::FigureNotes)
};

QString listed(const std::vector<NamedColour>& colours) {
  QStringList said;
  for (const NamedColour& each : colours)
    said += QStringLiteral("%1 %2 (%3)").arg(each.name, each.colour.name(), each.role);
  return said.isEmpty() ? QString()
                        : Words::tr("Colours: %1.").arg(said.join(QStringLiteral(", ")));
}

}  // namespace

QString colourNote(const ColourNames& names) {
  std::vector<NamedColour> used;
  for (const ColourNames::Line& line : names.used()) {
    if (line.name.base < names.all().size() && line.name.share >= 1)
      used.push_back(names.all()[line.name.base]);
  }
  return listed(used);
}

QString colourNote(const Theme& theme) {
  return listed(namedColours(theme));
}

QString styleNote() {
  return Words::tr(
      "Each colour is a line of the style sheet at the beginning of this file: change it there. "
      "Its shades are the lines below it: A-42 is 42 % of A on the ground; A-like-1 is A mixed "
      "with more than one other colour.");
}

QString pixelNote(int images) {
  if (images == 0) return Words::tr("This file has no raster images.");
  if (images == 1) return Words::tr("1 part of this file is a lossless raster image.");
  return Words::tr("%1 parts of this file are lossless raster images.").arg(images);
}

}  // namespace tileloom
