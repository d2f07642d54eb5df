// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that need the window around a view, made without a display.
#pragma once

#include <QStringList>
#include <functional>

#include "app/render/render_request.h"

namespace tileloom {
class MainWindow;
}

namespace tileloom::app {

// Nothing is measured unless the picture asks for it.
CaptionFacts factsWithoutGpu();
// Subtracts the caption's height from the picture's; empty, or why it is too small.
QString makeRoom(Picture& picture, double caption);

// Opens the window, shows it the requested instant, and calls `use`. Empty, or why not.
QString withWindow(const RenderRequest& request, const Scene& wanted, QStringList& report,
                   const std::function<QString(MainWindow&)>& use);
QString writeFromWindow(const RenderRequest& request, const Scene& wanted, const QString& file,
                        QStringList& report);

}  // namespace tileloom::app
