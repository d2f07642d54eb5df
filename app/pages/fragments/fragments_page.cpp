// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of a tensor instruction over lanes and registers.
#include <QPainter>

#include "app/pages/page.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "viz/memory/fragment_view.h"

namespace tileloom {
namespace {

class FragmentsPage : public Page {
 public:
  FragmentsPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_fragments(new FragmentView) {
    setWidget(scrolled(m_fragments));
    connect(m_fragments, &FragmentView::hovered, &services().explorer, &Explorer::hover);
    connect(m_fragments, &FragmentView::clicked, &services().explorer, &Explorer::hold);
  }

  void showScene(const Scene& scene) override { m_fragments->setScene(scene); }
  QWidget* focusTarget() const override { return m_fragments; }

  QString whyNothing() const override {
    const Stage& stage = services().explorer.stage();
    if (stage.is(Trait::TensorCore) || stage.is(Trait::Warpgroups)) return {};
    return tr(
        "This rung multiplies lane by lane, without tensor cores. Choose T1 or a later rung of "
        "the tensor ladder, or the thread level of the loom.");
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const Fonts fonts = Fonts::of(sheet.font);
    const QRectF canvas(QPointF(0, 0), sheet.size);
    painterOf(painter).fillRect(canvas, sheet.theme.ground);
    const Scene& scene = services().explorer.scene();
    paintFragments(painterOf(painter), fragmentPicture(scene, canvas, fonts), scene, sheet.theme,
                   fonts);
  }

 private:
  FragmentView* m_fragments;
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
  };
  return row;
}

}  // namespace tileloom
