// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/mark_words.h"

#include <QCoreApplication>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Mark)
};

QString areaName(std::string_view area) {
  if (area == kLadderArea) return Words::tr("the ladder");
  if (area == kLoomArea) return Words::tr("the loom");
  if (area == kPagesArea) return Words::tr("the page below the loom");
  return Words::tr("the tile panel");
}

}  // namespace

QString targetName(const MarkTarget& target) {
  using Thing = MarkTarget::Thing;
  switch (target.thing) {
    case Thing::Element:
      return Words::tr("element %1[%2,%3]")
          .arg(QLatin1Char("ABC"[static_cast<std::size_t>(target.element.matrix)]))
          .arg(target.element.row)
          .arg(target.element.column);
    case Thing::Lane:
      return (target.page == "banks" ? Words::tr("the first word of lane %1")
                                     : Words::tr("the thread tile of lane %1"))
          .arg(target.number);
    case Thing::Warp:
      return Words::tr("the tile of warp %1").arg(target.number);
    case Thing::Block:
      return Words::tr("the block tile");
    case Thing::Bank:
      return Words::tr("bank %1").arg(target.number);
    case Thing::Line:
      return Words::tr("the line \"%1\"").arg(toQString(target.text));
    case Thing::Parameter:
      return Words::tr("tile parameter %1").arg(toQString(target.text));
    case Thing::Rung:
      return Words::tr("rung %1").arg(toQString(target.text));
    case Thing::Area:
      return areaName(target.text);
  }
  return {};
}

QString kindName(const MarkTarget& target) {
  using Thing = MarkTarget::Thing;
  switch (target.thing) {
    case Thing::Element:
      return Words::tr("element");
    case Thing::Lane:
      return target.page == "banks" ? Words::tr("first word of a lane")
                                    : Words::tr("thread tile of a lane");
    case Thing::Warp:
      return Words::tr("tile of a warp");
    case Thing::Block:
      return Words::tr("block tile");
    case Thing::Bank:
      return Words::tr("bank");
    case Thing::Line:
      return Words::tr("line of source");
    case Thing::Parameter:
      return Words::tr("tile parameter");
    case Thing::Rung:
      return Words::tr("rung");
    case Thing::Area:
      return Words::tr("area of the window");
  }
  return {};
}

}  // namespace tileloom
