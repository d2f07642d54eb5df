// SPDX-License-Identifier: GPL-3.0-or-later
// The path of the latest access through the memories, beside that of the baseline during a
// comparison.
#include <QPainter>

#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/services.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/memory/path_view.h"

namespace tileloom {
namespace {

constexpr int kLetters = 72, kLines = 18;  // of the picture of one side

class PathPage : public Page {
 public:
  PathPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_path(new PathView), m_baseline(new PathView) {
    m_path->setObjectName(QStringLiteral("path"));
    m_baseline->setObjectName(QStringLiteral("baselinePath"));
    m_pair = makeTwoSides(m_baseline, m_path, context);
    m_pair->standAboveBelow(kLetters);
    setWidget(scrolled(m_pair));
  }

  void showScene(const Scene& scene) override { m_path->setScene(scene); }
  void showBaseline(const Scene& scene) override { m_baseline->setScene(scene); }
  QWidget* focusTarget() const override { return m_path; }
  int heightWanted() const override { return heightOfTwo(*m_pair); }

  double leastHeight(double width, const QFont& font) const override {
    return leastHeightOfSides(width, font, context(), sidesOf(font, kLetters, kLines));
  }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const Fonts fonts = Fonts::of(sheet.font);
    SidesPicture sides = sidesOf(sheet.font, kLetters, kLines);
    sides.paint = [&](QPainter& p, bool baseline, const QRectF& canvas) {
      const Explorer& explorer = services().explorer;
      paintMemoryPath(p, baseline ? explorer.baseline() : explorer.scene(), canvas, sheet.theme,
                      fonts);
    };
    paintTwoSides(painterOf(painter), sheet, context(), sides);
  }

 private:
  SideBySide* m_pair;
  PathView* m_path;
  PathView* m_baseline;
};

}  // namespace

const PageRow& path_page() {
  static constexpr PageRow row{
      .id = "path",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Path"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Memory pat&h"),
      .key = Qt::Key_H,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "The path of the latest access, TMA copy or wgmma: sectors, banks, "
                               "wavefronts, registers or tensor core"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The memory pat&h…"),
      .make = makePage<PathPage, path_page>,
      .showsBothSides = true,
      .moves = true,
  };
  return row;
}

}  // namespace tileloom
