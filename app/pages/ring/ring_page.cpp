// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of the pipeline in shared memory: which K tile each holds, and what is in flight;
// during a comparison with those of the baseline.
#include <QPainter>

#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/ring/ring_geometry.h"
#include "viz/ring/ring_view.h"

namespace tileloom {
namespace {

constexpr int kLetters = 56;  // of one ring beside its cards

class RingPage : public Page {
 public:
  RingPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_ring(new RingView), m_baseline(new RingView) {
    m_ring->setObjectName(QStringLiteral("ring"));
    m_baseline->setObjectName(QStringLiteral("baselineRing"));
    auto* pair = m_pair = makeTwoSides(m_baseline, m_ring, context);
    pair->standAboveBelow(kLetters);
    setWidget(scrolled(pair));
    Explorer& explorer = services().explorer;
    connect(m_ring, &RingView::picked, &explorer, [&explorer](int warp, int index) {
      explorer.setWarp(warp);
      explorer.setIndex(index);
    });
    connect(m_baseline, &RingView::picked, &explorer, &Explorer::goInBaseline);
  }

  void showScene(const Scene& scene) override { m_ring->setScene(scene); }
  void showBaseline(const Scene& scene) override { m_baseline->setScene(scene); }
  QWidget* focusTarget() const override { return m_ring; }
  int heightWanted() const override { return heightOfTwo(*m_pair); }

  // A side without a ring says so in its half.
  QString whyNothing() const override {
    const Explorer& explorer = services().explorer;
    const Scene& baseline = explorer.baseline();
    if (baseline.ready() && whyNoRing(baseline).isEmpty()) return {};
    return whyNoRing(explorer.scene());
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const Fonts fonts = Fonts::of(sheet.font);
    SidesPicture picture = sides(sheet.font);
    picture.paint = [&](QPainter& p, bool baseline, const QRectF& canvas) {
      (baseline ? m_baseline : m_ring)->paintTo(p, canvas, sheet.theme, fonts);
    };
    paintTwoSides(painterOf(painter), sheet, context(), picture);
  }
  double leastHeight(double width, const QFont& font) const override {
    return leastHeightOfSides(width, font, context(), sides(font));
  }

 private:
  SidesPicture sides(const QFont& font) const {
    const Explorer& explorer = services().explorer;
    m_ring->setScene(explorer.scene());
    m_baseline->setScene(explorer.baseline());
    SidesPicture picture;
    picture.letters = kLetters;
    picture.leastHeight = [this, fonts = Fonts::of(font)](bool baseline, double width) {
      return RingGeometry::leastHeight((baseline ? m_baseline : m_ring)->data(), width, fonts);
    };
    return picture;
  }

  SideBySide* m_pair;
  RingView* m_ring;
  RingView* m_baseline;
};

}  // namespace

const PageRow& ring_page() {
  static constexpr PageRow row{
      .id = "ring",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Ring"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Sta&ge ring of shared memory"),
      .key = Qt::Key_G,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Which K tile each stage of shared memory holds, what is in flight, "
                               "and which barrier counts it"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The sta&ge ring…"),
      .make = makePage<RingPage, ring_page>,
      .hidesSourceStrip = true,
      .showsBothSides = true,
      .moves = true,
      .pictureHeight = 720,
  };
  return row;
}

}  // namespace tileloom
