// SPDX-License-Identifier: GPL-3.0-or-later
// A launch as a company: department, team and worker are block, warp and thread.
#include "app/pages/page.h"
#include "app/services/services.h"
#include "app/services/teach_facts.h"
#include "viz/teach/teach_view.h"

namespace tileloom {
namespace {

class CompanyPage : public Page {
 public:
  CompanyPage(const PageRow& row, PageContext& context) : Page(row, context) {
    m_view = new TeachView(
        [this](QPainter& p, const QRectF& canvas, const Theme& theme, const Fonts& fonts) {
          paintCompany(p, canvas, teachDataOf(services()), theme, fonts);
        });
    m_view->setObjectName(QStringLiteral("company"));
    m_view->setAccessibleName(tr("Block, warp and thread as department, team and worker"));
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
    paintCompany(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), teachDataOf(services()),
                 sheet.theme, Fonts::of(sheet.font));
  }

 private:
  TeachView* m_view;
};

}  // namespace

const PageRow& company_page() {
  static constexpr PageRow row{
      .id = "company",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Company"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Block, warp and thread as a company (&V)"),
      .key = Qt::Key_V,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Block, warp and thread as department, team and worker, and which "
                               "patch of C each of them has"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &company…"),
      .make = makePage<CompanyPage, company_page>,
      .hidesSourceStrip = true,
      .hidesTimeStrip = false,
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
