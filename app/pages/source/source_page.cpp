// SPDX-License-Identifier: GPL-3.0-or-later
// The stage's whole source with the cost of each line; during a comparison also the baseline's.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "app/lecture/mark_reader.h"
#include "app/lecture/mark_writer.h"
#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/code/source_view.h"

namespace tileloom {
namespace {

constexpr int kLetters = 44;       // of a source with its margin: longer lines are cut
constexpr int kPictureLines = 12;  // of one side in a picture
constexpr int kLines = 8;          // that a source has room for, however many there are

class SourceTab : public Page {
 public:
  SourceTab(const PageRow& row, PageContext& context)
      : Page(row, context), m_source(new SourceView), m_baseline(new SourceView) {
    m_source->setObjectName(QStringLiteral("source"));
    m_baseline->setObjectName(QStringLiteral("baselineSource"));
    auto* pair = m_pair =
        makeTwoSides(static_cast<QWidget*>(m_baseline), static_cast<QWidget*>(m_source), context);
    pair->standAboveBelow(kLetters);
    for (SourceView* view : {m_source, m_baseline})
      view->setMinimumHeight(kLines * view->fontMetrics().height());
    setWidget(scrolled(pair));
    Explorer& explorer = services().explorer;
    connect(m_source, &SourceView::lineAsked, &explorer, &Explorer::goToLine);
    connect(m_baseline, &SourceView::lineAsked, &explorer, &Explorer::goToBaselineLine);
    connect(&services().listings, &Listings::changed, this, &SourceTab::showStalls);
  }

  void showScene(const Scene& scene) override {
    m_source->setScene(scene);
    // Another instruction does not change where the kernel's warps wait.
    if (scene.recording == m_shown) return;
    m_shown = scene.recording;
    showStalls();
  }
  void showBaseline(const Scene& scene) override {
    m_baseline->setScene(scene);
    if (scene.recording == m_beside) return;
    m_beside = scene.recording;
    showStalls();
  }

  std::optional<QRectF> placeOf(const MarkTarget& target) const override {
    const Scene& scene = services().explorer.scene();
    if (target.thing != MarkTarget::Thing::Line || !scene.ready()) return std::nullopt;
    const int line = lecture::lineWith(*scene.recording->trace.rung(), target.text);
    if (line == 0) return std::nullopt;
    const QRectF row =
        within(*m_source->viewport(), *m_source->page(), m_source->page()->rowOf(line));
    const QRectF seen = QRectF(m_source->viewport()->rect()).intersected(row);
    if (seen.height() < row.height() / 2) return std::nullopt;
    return within(*widget(), *m_source->viewport(), seen);
  }

  // Whether the line has text that no other line has.
  std::vector<MarkTarget> targetsAt(const QPointF& pixel) const override {
    const Scene& scene = services().explorer.scene();
    if (!scene.ready()) return {};
    const QPointF inside = m_source->page()->mapFrom(widget(), pixel);
    const int line = m_source->page()->lineAt(inside);
    MarkTarget target;
    target.thing = MarkTarget::Thing::Line;
    target.page = row().id;
    if (line > 0) target.text = lecture::textOfLine(*scene.recording->trace.rung(), line);
    const auto place = target.text.empty() ? std::nullopt : placeOf(target);
    if (!place || !place->contains(pixel)) return {};
    return {target};
  }

  void reveal(std::span<const MarkTarget> targets) override {
    const Scene& scene = services().explorer.scene();
    std::vector<int> lines;
    for (const MarkTarget& target : targets) {
      if (target.thing != MarkTarget::Thing::Line || !scene.ready()) continue;
      const int line = lecture::lineWith(*scene.recording->trace.rung(), target.text);
      if (line > 0) lines.push_back(line);
    }
    m_source->keepInSight(std::move(lines));
  }

  int heightWanted() const override { return heightOfTwo(*m_pair); }
  QSizeF naturalSize(const QSizeF& screen) const override {
    return {std::max(screen.width(), leastWidth()), screen.height()};
  }
  bool knowsWidth() const override { return true; }
  double leastWidth() const override {
    const double now = page(false)->widthNeeded();
    return comparing() ? 2 * std::max(now, page(true)->widthNeeded()) : now;
  }

  double leastHeight(double width, const QFont& font) const override {
    return leastHeightOfSides(width, font, context(), sidesOf(font, kLetters, kPictureLines));
  }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    paint(painterOf(painter), sheet, false);
  }

  QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const override {
    if (!asOnScreen) return Page::write(file, sheet, asOnScreen);
    return writeSheet(
        sheet, [&](QCPPainter& p) { paint(painterOf(p), sheet, true); }, file);
  }

 protected:
  void cameToFront() override { services().listings.setWanted(this, true); }
  void leftFront() override { services().listings.setWanted(this, false); }

 private:
  bool comparing() const { return services().explorer.baseline().ready(); }

  // Of the kernels whose sources and figures are shown.
  void showStalls() {
    const auto of = [this](const analysis::Recording& recording) {
      const auto& trace = recording.trace;
      return services().listings.stallsOf(trace, services().explorer.problem());
    };
    if (m_shown != nullptr) m_source->setStalls(of(*m_shown));
    if (m_beside != nullptr) m_baseline->setStalls(of(*m_beside));
  }

  // A separate page, without a mouse over it and without scroll bars.
  std::unique_ptr<SourcePage> page(bool baseline) const {
    const Explorer& explorer = services().explorer;
    const SourcePage& shown = *(baseline ? m_baseline : m_source)->page();
    auto made = std::make_unique<SourcePage>();
    made->setFont(shown.font());
    made->setScene(baseline ? explorer.baseline() : explorer.scene());
    made->setStalls(shown.stalls());
    return made;
  }

  // From the first visible line, or around the line to show.
  void paint(QPainter& painter, const Sheet& sheet, bool asOnScreen) const {
    const auto side = [&](QPainter& p, bool baseline, const QRectF& canvas) {
      const SourceView& view = *(baseline ? m_baseline : m_source);
      const auto whole = page(baseline);
      whole->resize(canvas.size().toSize());
      int first = whole->firstAround(canvas.height());
      if (asOnScreen) {
        const QPointF top(0, view.verticalScrollBar()->value() + whole->rowOf(1).height() / 2);
        first = std::max(1, view.page()->lineAt(top));
      }
      p.save();
      p.setClipRect(canvas, Qt::IntersectClip);
      p.translate(canvas.topLeft());
      whole->paintTo(p, canvas.height(), first);
      p.restore();
    };
    SidesPicture sides = sidesOf(sheet.font, kLetters, kPictureLines);
    sides.paint = side;
    paintTwoSides(painter, sheet, context(), sides);
  }

  SideBySide* m_pair;
  SourceView* m_source;
  SourceView* m_baseline;
  std::shared_ptr<const analysis::Recording> m_shown, m_beside;
};

}  // namespace

const PageRow& source_page() {
  static constexpr PageRow row{
      .id = "source",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Source"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Source"),
      .key = Qt::Key_S,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page", "What each line of the kernel costs"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &source…"),
      .make = makePage<SourceTab, source_page>,
      .hidesSourceStrip = true,
      .showsBothSides = true,
      .moves = true,
  };
  return row;
}

}  // namespace tileloom
