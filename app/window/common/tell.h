// SPDX-License-Identifier: GPL-3.0-or-later
// Message boxes. Their sentences may quote files, links and workers, so they are plain text:
// nothing in them is formatted, loaded or followed.
#pragma once

#include <QString>

class QWidget;

namespace tileloom {

void tellProblem(QWidget& window, const QString& title, const QString& sentence);
void tellResult(QWidget& window, const QString& title, const QString& sentence);

}  // namespace tileloom
