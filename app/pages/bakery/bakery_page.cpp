// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning as a bakery: recipes, the sieve of the rules, and the loaves that were baked.
#include "app/pages/teach_page.h"
#include "app/services/services.h"
#include "app/services/teaching/teach_facts.h"

namespace tileloom {
namespace {

class BakeryPage : public TeachPage {
 public:
  BakeryPage(const PageRow& row, PageContext& context)
      : TeachPage(row, context, make, tr("Tuning as a bakery")) {
    connect(&services().tuner, &Tuner::surveyed, this, [this] {
      if (inFront()) refresh();
    });
  }

 private:
  static TeachView::Paint make(Services& services) {
    return [data = bakeryDataOf(services)](QPainter& p, const QRectF& canvas, const Theme& theme,
                                           const Fonts& fonts) {
      paintBakery(p, canvas, data, theme, fonts);
    };
  }
};

}  // namespace

const PageRow& bakery_page() {
  static constexpr PageRow row{
      .id = "bakery",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Bakery"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Tuning as a bakery (&X)"),
      .key = Qt::Key_X,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Tuning as a bakery: all recipes, the rules that sieve them, and "
                               "the speeds of those that were timed"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &bakery…"),
      .make = makePage<BakeryPage, bakery_page>,
      .hidesSourceStrip = true,
      .hidesTimeStrip = false,
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The present tile alone: the picture explains one kernel. Swap "
                                    "(Shift+P) shows the baseline."),
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
