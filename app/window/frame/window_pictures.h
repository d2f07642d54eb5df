// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the pages of the window as files, and the whole window as a picture.
#pragma once

#include <QDate>
#include <QImage>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "app/pages/page.h"

namespace tileloom {

class Window;

// Of the page of this id, or of the whole window (kWindowId). During a comparison it names both
// sides, or says that the picture shows only one.
Caption captionOf(const Window& window, std::string_view view, const Scene& scene,
                  const QDate& date);

// The sheet for that page: as it is, or of the wanted size. The error says why there is none.
tl::expected<Sheet, QString> sheetOf(Window& window, const Page& page, const ViewExport& how);

// Writes that page, or the whole window. Empty, or one sentence on why it was not written.
//
//   ViewExport how;
//   how.caption = QDate(2026, 11, 22);
//   const QString problem = writeView(window, "roofline", "roofline.svg", how);
QString writeView(Window& window, std::string_view view, const QString& file,
                  const ViewExport& how);

// The whole window, with a caption of at least this height below it if there is a date for one.
QImage windowImage(Window& window, double scale, std::optional<QDate> caption = std::nullopt,
                   double captionRoom = 0);

}  // namespace tileloom
