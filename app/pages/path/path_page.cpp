// SPDX-License-Identifier: GPL-3.0-or-later
// The way of the latest access through the memories.
#include <QPainter>

#include "app/pages/page.h"
#include "app/services/services.h"
#include "viz/memory/path_view.h"

namespace tileloom {
namespace {

class PathPage : public Page {
 public:
  PathPage(const PageRow& row, PageContext& context) : Page(row, context), m_path(new PathView) {
    setWidget(scrolled(m_path));
    connect(m_path, &PathView::hovered, &services().explorer, &Explorer::hover);
    connect(m_path, &PathView::clicked, &services().explorer, &Explorer::hold);
  }

  void showScene(const Scene& scene) override { m_path->setScene(scene); }
  QWidget* focusTarget() const override { return m_path; }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const Fonts fonts = Fonts::of(sheet.font);
    const QRectF canvas(QPointF(0, 0), sheet.size);
    painterOf(painter).fillRect(canvas, sheet.theme.ground);
    paintMemoryPath(painterOf(painter), services().explorer.scene(), canvas, sheet.theme, fonts);
  }

 private:
  PathView* m_path;
};

}  // namespace

const PageRow& path_page() {
  static constexpr PageRow row{
      .id = "path",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Path"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Memory pat&h"),
      .key = Qt::Key_H,
      .tip = QT_TRANSLATE_NOOP(
          "tileloom::Page",
          "The way of the latest access, box or product: sectors, banks, wavefronts, "
          "registers or tensor core"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The memory pat&h…"),
      .make = makePage<PathPage, path_page>,
  };
  return row;
}

}  // namespace tileloom
