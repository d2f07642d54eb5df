// SPDX-License-Identifier: GPL-3.0-or-later
// One SM as a kitchen: its four stations, and the teams that work there.
#include "app/pages/teach_page.h"
#include "app/services/teaching/teach_facts.h"

namespace tileloom {
namespace {

class KitchenPage : public TeachPage {
 public:
  KitchenPage(const PageRow& row, PageContext& context)
      : TeachPage(row, context, make, tr("One SM as a kitchen with four stations")) {}

 private:
  static TeachView::Paint make(Services& services) {
    return [data = teachDataOf(services)](QPainter& p, const QRectF& canvas, const Theme& theme,
                                          const Fonts& fonts) {
      paintKitchen(p, canvas, data, theme, fonts);
    };
  }
};

}  // namespace

const PageRow& kitchen_page() {
  static constexpr PageRow row{
      .id = "kitchen",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Kitchen"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "One SM as a kitchen (&Q)"),
      .key = Qt::Key_Q,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "One SM as a kitchen: four stations, the teams of all blocks that "
                               "live there, and what they share"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &kitchen…"),
      .make = makePage<KitchenPage, kitchen_page>,
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
