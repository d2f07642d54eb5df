// SPDX-License-Identifier: GPL-3.0-or-later
// The window's pages as files, and the whole window as a picture.
#pragma once

#include <QDate>
#include <QImage>
#include <optional>
#include <string_view>

#include "app/pages/page.h"

namespace tileloom {

class MainWindow;

// Of the page of this id, or of the whole window (kWindowId).
Caption captionOf(const MainWindow& window, std::string_view view, const Scene& scene,
                  const QDate& date);

// Writes that page, or the whole window. Empty, or one sentence on why it was not written.
//
//   ViewExport how;
//   how.caption = QDate(2026, 11, 22);
//   const QString problem = writeView(window, "roofline", "roofline.svg", how);
QString writeView(MainWindow& window, std::string_view view, const QString& file,
                  const ViewExport& how);

// The whole window, with a caption of at least this height below it if there is a date for one.
QImage windowImage(MainWindow& window, double scale, std::optional<QDate> caption = std::nullopt,
                   double captionRoom = 0);

}  // namespace tileloom
