// SPDX-License-Identifier: GPL-3.0-or-later
// One SM as a kitchen: its four stations, and the teams that work there.
#include "app/pages/page.h"
#include "app/services/services.h"
#include "app/services/teach_facts.h"
#include "viz/teach/teach_view.h"

namespace tileloom {
namespace {

class KitchenPage : public Page {
 public:
  KitchenPage(const PageRow& row, PageContext& context) : Page(row, context) {
    m_view = new TeachView(
        [this](QPainter& p, const QRectF& canvas, const Theme& theme, const Fonts& fonts) {
          paintKitchen(p, canvas, teachDataOf(services()), theme, fonts);
        });
    m_view->setObjectName(QStringLiteral("kitchen"));
    m_view->setAccessibleName(tr("One SM as a kitchen with four stations"));
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
    paintKitchen(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), teachDataOf(services()),
                 sheet.theme, Fonts::of(sheet.font));
  }

 private:
  TeachView* m_view;
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
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
