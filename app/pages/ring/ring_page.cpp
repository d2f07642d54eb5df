// SPDX-License-Identifier: GPL-3.0-or-later
// The ring of stages in shared memory: which K tile each holds, and how far it is on its way.
#include <QPainter>

#include "app/pages/page.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "viz/ring/ring_view.h"

namespace tileloom {
namespace {

class RingPage : public Page {
 public:
  RingPage(const PageRow& row, PageContext& context) : Page(row, context), m_ring(new RingView) {
    m_ring->setObjectName(QStringLiteral("ring"));
    setWidget(scrolled(m_ring));
    connect(m_ring, &RingView::hovered, &services().explorer, &Explorer::hover);
    connect(m_ring, &RingView::picked, this, [this](int warp, int index) {
      services().explorer.setWarp(warp);
      services().explorer.setIndex(index);
    });
  }

  void showScene(const Scene& scene) override { m_ring->setScene(scene); }
  QWidget* focusTarget() const override { return m_ring; }

  QString whyNothing() const override { return whyNoRing(services().explorer.scene()); }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_ring->setScene(services().explorer.scene());
    m_ring->paintTo(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), sheet.theme,
                    Fonts::of(sheet.font));
  }

 private:
  RingView* m_ring;
};

}  // namespace

const PageRow& ring_page() {
  static constexpr PageRow row{
      .id = "ring",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Ring"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Sta&ge ring of shared memory"),
      .key = Qt::Key_G,
      .tip =
          QT_TRANSLATE_NOOP("tileloom::Page",
                            "Which K tile each stage of shared memory holds, what is on its way, "
                            "and which barrier counts it"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The sta&ge ring…"),
      .make = makePage<RingPage, ring_page>,
      .hidesSourceStrip = true,
      .whyAlone = QT_TRANSLATE_NOOP(
          "tileloom::Page",
          "The present tile alone: one ring fills the page. Swap (Shift+P) shows the baseline."),
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
