// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences in a box of their own. What they quote may come from files, links and workers, so that
// they are plain text: nothing in them is formatted, loaded or followed.
#pragma once

#include <QString>

class QWidget;

namespace tileloom {

void tellProblem(QWidget& window, const QString& title, const QString& sentence);
void tellResult(QWidget& window, const QString& title, const QString& sentence);

}  // namespace tileloom
