// SPDX-License-Identifier: GPL-3.0-or-later
// What the window keeps from run to run.
#pragma once

#include <QSettings>

namespace tileloom {

inline QSettings settings() {
  return QSettings(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("tileloom"),
                   QStringLiteral("tileloom"));
}

}  // namespace tileloom
