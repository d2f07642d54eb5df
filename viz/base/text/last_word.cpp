// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/last_word.h"

#include <QWidget>

namespace tileloom {

void retire(QWidget& widget) {
  QList<QWidget*> all = widget.findChildren<QWidget*>();
  all += &widget;
  for (QWidget* each : all) {
    each->blockSignals(true);
    each->setObjectName({});
  }
  widget.hide();
  widget.deleteLater();
}

}  // namespace tileloom
