// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/sources_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "viz/base/text/figure_text.h"

namespace tileloom::figures {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Charts)
};

}  // namespace

void Sources::add(Freshness freshness, const QString& device, const QString& when) {
  const bool live = freshness == Freshness::Live;
  const QString day = dateText(when);
  const auto known = std::ranges::find_if(
      sources, [&](const Source& s) { return s.live == live && s.device == device; });
  if (known == sources.end()) {
    sources.push_back({live, device, day, day});
    return;
  }
  // Days are written as year, month and day, so that text order is date order.
  known->first = std::min(known->first, day);
  known->last = std::max(known->last, day);
}

QString Sources::text() const {
  QStringList parts;
  for (const Source& source : sources) {
    const QString days = source.first == source.last
                             ? source.first
                             : Words::tr("%1 to %2").arg(source.first, source.last);
    parts += (source.live ? Words::tr("live on %1, %2") : Words::tr("recorded on %1, %2"))
                 .arg(source.device, days);
  }
  return parts.join(Words::tr("; "));
}

}  // namespace tileloom::figures
