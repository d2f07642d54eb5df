// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a view among the children of a widget by its class.
#pragma once

#include <QWidget>

namespace tileloom {

// The one widget of this class in `parent`, or that of the baseline: views of the baseline are
// called "baseline…". nullptr: there is none.
template <class T>
T* viewIn(const QWidget& parent, bool baseline = false) {
  for (T* widget : parent.findChildren<T*>()) {
    if (widget->objectName().startsWith(QLatin1String("baseline")) == baseline) return widget;
  }
  return nullptr;
}

}  // namespace tileloom
