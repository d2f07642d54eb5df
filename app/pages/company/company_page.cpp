// SPDX-License-Identifier: GPL-3.0-or-later
// A launch as a company: department, team and worker are block, warp and thread.
#include "app/pages/teach_page.h"
#include "app/services/teaching/teach_facts.h"

namespace tileloom {
namespace {

class CompanyPage : public TeachPage {
 public:
  CompanyPage(const PageRow& row, PageContext& context)
      : TeachPage(row, context, make, tr("Block, warp and thread as department, team and worker")) {
  }

 private:
  static TeachView::Paint make(Services& services) {
    return [data = teachDataOf(services)](QPainter& p, const QRectF& canvas, const Theme& theme,
                                          const Fonts& fonts) {
      paintCompany(p, canvas, data, theme, fonts);
    };
  }
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
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The present tile alone: the picture explains one kernel. Swap "
                                    "(Shift+P) shows the baseline."),
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
