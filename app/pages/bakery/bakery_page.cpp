// SPDX-License-Identifier: GPL-3.0-or-later
// Tuning as a bakery: recipes, the sieve of the rules, and the loaves that were baked.
#include "app/pages/page.h"
#include "app/services/services.h"
#include "app/services/teach_facts.h"
#include "viz/teach/teach_view.h"

namespace tileloom {
namespace {

class BakeryPage : public Page {
 public:
  BakeryPage(const PageRow& row, PageContext& context) : Page(row, context) {
    m_view = new TeachView(
        [this](QPainter& p, const QRectF& canvas, const Theme& theme, const Fonts& fonts) {
          paintBakery(p, canvas, bakeryDataOf(services()), theme, fonts);
        });
    m_view->setObjectName(QStringLiteral("bakery"));
    m_view->setAccessibleName(tr("Tuning as a bakery"));
    setWidget(m_view);
    const auto later = [this] {
      if (inFront()) m_view->update();
    };
    connect(&services().lab, &Lab::kernelChanged, this, later);
    connect(&services().lab, &Lab::historyChanged, this, later);
    connect(&services().explorer, &Explorer::choiceChanged, this, later);
  }

  void showScene(const Scene&) override {
    if (inFront()) m_view->update();
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    paintBakery(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), bakeryDataOf(services()),
                sheet.theme, Fonts::of(sheet.font));
  }

 private:
  TeachView* m_view;
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
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
