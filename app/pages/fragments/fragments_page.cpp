// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of a tensor instruction over lanes and registers.
#include <QPainter>

#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/memory/fragment_view.h"

namespace tileloom {
namespace {

constexpr int kLetters = 60, kLines = 20;  // of the picture of one side

class FragmentsPage : public Page {
 public:
  FragmentsPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_fragments(new FragmentView), m_baseline(new FragmentView) {
    m_fragments->setObjectName(QStringLiteral("fragments"));
    m_baseline->setObjectName(QStringLiteral("baselineFragments"));
    m_pair = makeTwoSides(m_baseline, m_fragments, context);
    m_pair->standAboveBelow(kLetters);
    setWidget(scrolled(m_pair));
  }

  void showScene(const Scene& scene) override { m_fragments->setScene(scene); }
  void showBaseline(const Scene& scene) override { m_baseline->setScene(scene); }
  QWidget* focusTarget() const override { return m_fragments; }
  int heightWanted() const override { return heightOfTwo(*m_pair); }

  QString whyNothing() const override {
    const Stage& stage = services().explorer.stage();
    if (stage.features().warpMma || stage.features().warpgroupMma) return {};
    return tr(
        "This rung multiplies lane by lane, without tensor cores. Choose T1 or a later rung of the "
        "tensor ladder, or the thread level of the loom.");
  }

  double leastHeight(double width, const QFont& font) const override {
    return leastHeightOfSides(width, font, context(), sidesOf(font, kLetters, kLines));
  }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const Fonts fonts = Fonts::of(sheet.font);
    SidesPicture sides = sidesOf(sheet.font, kLetters, kLines);
    sides.paint = [&](QPainter& p, bool baseline, const QRectF& canvas) {
      const Explorer& explorer = services().explorer;
      const Scene& scene = baseline ? explorer.baseline() : explorer.scene();
      paintFragments(p, fragmentPicture(scene, canvas, fonts), scene, sheet.theme, fonts);
    };
    paintTwoSides(painterOf(painter), sheet, context(), sides);
  }

 private:
  SideBySide* m_pair;
  FragmentView* m_fragments;
  FragmentView* m_baseline;
};

}  // namespace

const PageRow& fragments_page() {
  static constexpr PageRow row{
      .id = "fragments",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Fragments"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Fragments of a tensor instruction"),
      .key = Qt::Key_F,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Which lane and register holds which element of the operands of a "
                               "tensor instruction"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &fragments…"),
      .make = makePage<FragmentsPage, fragments_page>,
      .hidesSourceStrip = true,
      .showsBothSides = true,
      .moves = true,
  };
  return row;
}

}  // namespace tileloom
