// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/window_pictures.h"

#include <QApplication>
#include <QFileInfo>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/pages/two_sides.h"
#include "app/services/choice/comparison.h"
#include "app/services/measuring/speed_origin.h"
#include "app/services/services.h"
#include "app/session/page_ids.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/quiet.h"
#include "app/window/window.h"
#include "kernels/analysis/recording.h"
#include "viz/base/paint/vector_widget.h"

namespace tileloom {
namespace {

constexpr double kLowest = 60;  // pixels that a caption must leave for the picture above it

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::WindowPictures)
};

QString tooNarrow(double needed) {
  return Words::tr("the width is too small: choose at least %1, so that nothing is cut off")
      .arg(std::ceil(needed));
}

QString tooLow(double needed) {
  return Words::tr("the height is too small: choose at least %1").arg(std::ceil(needed));
}

// The sheet of the screen, resized as requested; or why that is not possible.
tl::expected<Sheet, QString> sheetFor(Sheet sheet, const ViewExport& how, const Page* page) {
  if (how.size.width() > 0) sheet.size.setWidth(how.size.width());
  const double leastWidth = page != nullptr ? page->leastWidth() : 0;
  if (sheet.size.width() < leastWidth) return tl::unexpected(tooNarrow(leastWidth));
  const double least =
      page != nullptr ? std::ceil(page->leastHeight(sheet.size.width(), sheet.font)) : 0;
  if (how.size.height() > 0) {
    const double band = std::round(wholeSize(sheet).height() - sheet.size.height());
    sheet.size.setHeight(how.size.height() - band);
    if (least > 0 && sheet.size.height() < least && !how.grows)
      return tl::unexpected(tooLow(least + band));
    if (sheet.size.height() < kLowest && !how.grows) {
      return tl::unexpected(
          Words::tr("the caption takes %1 pixels: choose a height of at least %2, or no caption")
              .arg(band)
              .arg(band + kLowest));
    }
  }
  sheet.size.setHeight(std::max(sheet.size.height(), least));
  return sheet;
}

// The caption of a comparison whose picture does not name both sides.
QString aboutBaseline(const Page& page, const QString& baseline) {
  return page.showsBoth()
             ? Words::tr("The baseline, %1, has no mark here.").arg(baseline)
             : Words::tr("This shows one side of a comparison; the other is %1.").arg(baseline);
}

// The sheet of the screen: of the page, or of the whole window.
Sheet shownSheet(Window& window, const Page* page, const ViewExport& how) {
  const std::string_view view = page != nullptr ? page->row().id : kWindowId;
  const Scene& scene = window.services().explorer.scene();
  Sheet shown{page != nullptr ? page->naturalSize(window.middle().roomOf(*page))
                              : QSizeF(window.frame().size()),
              how.scale,
              Theme::of(window.frame().palette()),
              window.frame().font(),
              std::nullopt,
              {}};
  if (how.caption) shown.caption = captionOf(window, view, scene, *how.caption);
  shown.title = captionOf(window, view, scene, {}).title.replace(u'\n', QLatin1String(" | "));
  shown.text = how.text;
  shown.captionRoom = how.captionRoom;
  return shown;
}

QString writeWindow(Window& window, Sheet sheet, const QString& file, const ViewExport& how) {
  if (sheet.size.toSize() != window.frame().size()) {
    window.frame().resize(sheet.size.toSize());
    constexpr int kPatience = 5'000;  // ms: a running measurement may take for ever
    waitUntilQuiet(window, kPatience);
  }
  if (QFileInfo(file).suffix().toLower() == QLatin1String("png"))
    return writeImage(windowImage(window, sheet.scale, how.caption), file);
  sheet.size = window.frame().size();
  return writeSheet(
      sheet, [&](QCPPainter& p) { paintVectors(painterOf(p), window.frame()); }, file);
}

}  // namespace

Caption captionOf(const Window& window, std::string_view view, const Scene& scene,
                  const QDate& date) {
  const Services& services = window.services();
  const Lab& lab = services.lab;
  const auto& info = lab.client().info();
  const QString device = lab.canMeasure()
                             ? Words::tr("traced by the emulator · GPU: %1")
                                   .arg(QString::fromStdString(info->devices.front().name))
                             : Words::tr("no GPU used: emulated");
  const Page* page = window.page(view);
  Caption usual = captionOf(scene, {device, date});
  const Scene& baseline = services.explorer.baseline();
  const bool comparing = baseline.ready() && scene.ready();
  const auto& [before, now] = window.comparison().titles();
  if (comparing && (page == nullptr || page->showsBoth())) {
    const QString size = QString::fromStdString(toString(scene.recording->trace.asked));
    usual.title = ofBoth(before, QStringLiteral("%1 · %2").arg(now, size));
    usual.shown = ofBoth(captionOf(baseline, {}).shown, usual.shown);
  }
  if (page == nullptr) {
    const QString origin = originOfSpeed(lab);
    if (!origin.isEmpty()) usual.origin = origin;
    return usual;
  }
  usual = page->caption(std::move(usual));
  if (comparing && !usual.title.contains(before) && !usual.shown.contains(before))
    usual.shown += u'\n' + aboutBaseline(*page, before);
  return usual;
}

tl::expected<Sheet, QString> sheetOf(Window& window, const Page& page, const ViewExport& how) {
  return sheetFor(shownSheet(window, &page, how), how, &page);
}

QString writeView(Window& window, std::string_view view, const QString& file,
                  const ViewExport& how) {
  Page* page = window.page(view);
  if (page != nullptr) page->prepare();
  const auto sheet = sheetFor(shownSheet(window, page, how), how, page);
  if (!sheet) return sheet.error();
  if (page == nullptr) return writeWindow(window, *sheet, file, how);
  if (const QString why = page->whyEmpty(file); !why.isEmpty()) return why;
  return page->write(file, *sheet, how.size.height() <= 0 && page->inFront());
}

QImage windowImage(Window& window, double scale, std::optional<QDate> caption, double captionRoom) {
  QImage image((QSizeF(window.frame().size()) * scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  window.frame().render(&image);
  if (!caption) return image;
  Sheet sheet{window.frame().size(), scale, Theme::of(window.frame().palette()),
              window.frame().font(),
              captionOf(window, kWindowId, window.services().explorer.scene(), *caption)};
  sheet.captionRoom = captionRoom;
  return sheetImage(sheet, [&](QCPPainter& p) { painterOf(p).drawImage(QPointF(0, 0), image); });
}

}  // namespace tileloom
