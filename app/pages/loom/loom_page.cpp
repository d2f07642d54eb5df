// SPDX-License-Identifier: GPL-3.0-or-later
// The loom, with the baseline's beside it while something is compared.
#include <QMenu>

#include "app/pages/loom/loom_picture.h"
#include "app/pages/page.h"
#include "app/pages/scene_page.h"
#include "app/pages/two_sides.h"
#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "app/services/teaching/teaching_pairs.h"
#include "app/session/session.h"
#include "kernels/tile/placement.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/loom/loom_view.h"

namespace tileloom {
namespace {

constexpr int kLetters = 52, kLines = 16;  // of the picture of one side

class LoomPage : public ScenePage {
 public:
  LoomPage(const PageRow& row, PageContext& context)
      : ScenePage(row, context, kLetters, kLines), m_loom(new LoomView), m_baseline(new LoomView) {
    m_loom->setObjectName(QStringLiteral("loom"));
    m_baseline->setObjectName(QStringLiteral("baselineLoom"));
    auto* pair = makeTwoSides(m_baseline, m_loom, context);
    setWidget(pair);
    Explorer& explorer = services().explorer;
    for (LoomView* view : {m_loom, m_baseline})
      connect(view, &LoomView::blockChosen, &explorer, &Explorer::setBlockAt);
    // Both zoom together.
    connect(m_loom, &LoomView::levelChanged, m_baseline,
            [this](LoomView::Level level) { m_baseline->zoomTo(level); });
    // The accesses of an example are of lanes, which the whole grid does not show.
    connect(&comparison(), &Comparison::pageWanted, this, [this](const TeachingPair& opened) {
      const std::string_view page = opened.page;
      if (m_loom->level() == LoomView::Level::Grid && (page == "banks" || page == "path"))
        m_loom->zoomTo(LoomView::Level::Block);
    });
  }

  void showScene(const Scene& scene) override { m_loom->setScene(scene); }
  void showBaseline(const Scene& scene) override { m_baseline->setScene(scene); }

  void save(Session& session) const override { session.zoom = m_loom->level(); }
  void restore(const Session& session) override { m_loom->zoomTo(session.zoom, false); }

  void addActions(QMenu& menu) override {
    const auto zoom = [&](const QString& name, Qt::Key key, LoomView::Level level) {
      menu.addAction(name, QKeySequence(key), this, [this, level] { m_loom->zoomTo(level); });
    };
    zoom(tr("Whole &grid"), Qt::Key_1, LoomView::Level::Grid);
    zoom(tr("&Block tile"), Qt::Key_2, LoomView::Level::Block);
    zoom(tr("&Warp tile"), Qt::Key_3, LoomView::Level::Warp);
    zoom(tr("&Thread tile"), Qt::Key_4, LoomView::Level::Thread);
  }
  QWidget* focusTarget() const override { return m_loom; }
  void resetView() override { m_loom->zoomTo(LoomView::Level::Block); }
  void setStill(bool still) override {
    m_loom->setStill(still);
    m_baseline->setStill(still);
  }

  std::optional<QRectF> placeOf(const MarkTarget& target) const override {
    const auto place = m_loom->placeOf(target);
    if (!place) return std::nullopt;
    return within(*widget(), *m_loom, *place);
  }

  std::vector<MarkTarget> targetsAt(const QPointF& pixel) const override {
    return m_loom->targetsAt(m_loom->mapFrom(widget(), pixel));
  }

  QSizeF naturalSize(const QSizeF&) const override { return m_loom->size(); }

 protected:
  // A camera that the user has moved is kept; otherwise a picture of any size shows the whole
  // level.
  Picture picture(bool baseline) const override {
    const LoomView& view = *(baseline ? m_baseline : m_loom);
    Picture shown{row().paintScene, view.size(), 1, Theme::of(view.palette()), view.font()};
    shown.zoom = view.level();
    if (view.movedByHand()) shown.camera = view.camera();
    return shown;
  }

 private:
  LoomView* m_loom;
  LoomView* m_baseline;
};

}  // namespace

const PageRow& loom_page() {
  static constexpr PageRow row{
      .id = "loom",
      .place = PagePlace::Loom,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Loom"),
      .menu = "",
      .key = std::nullopt,
      .tip = "",
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &loom…"),
      .make = makePage<LoomPage, loom_page>,
      .showsBothSides = true,
      .moves = true,
      .paintScene = paintLoomPicture,
  };
  return row;
}

}  // namespace tileloom
