// SPDX-License-Identifier: GPL-3.0-or-later
// Says where and when the values of a chart were measured, in one line.
#pragma once

#include <QString>
#include <vector>

#include "viz/base/text/freshness.h"

namespace tileloom::figures {

// Collects the measurements of a chart; the same one may be added again.
class Sources {
 public:
  // `when` as in a record: "2026-11-21T09:30:00Z". Stale counts as recorded.
  void add(Freshness freshness, const QString& device, const QString& when);

  // Each device once, in the order of first use, with its day or its first and last day: "live on
  // H, 2026-11-27; recorded on G, 2026-11-21 to 2026-11-26". Empty: no values.
  QString text() const;

 private:
  struct Source {
    bool live = false;
    QString device, first, last;  // days
  };
  std::vector<Source> sources;
};

}  // namespace tileloom::figures
