// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/speed_origin.h"

#include "app/services/measuring/lab.h"
#include "viz/charts/history/history_words.h"

namespace tileloom {

QString originOfSpeed(const Lab& lab) {
  const int at = lab.current();
  if (at < 0) return {};
  const HistoryPoint& point = lab.history()[static_cast<std::size_t>(at)];
  return point.gflops.known() ? charts::originText(point) : QString();
}

}  // namespace tileloom
