// SPDX-License-Identifier: GPL-3.0-or-later
// The stage's whole source with what each line costs.
#include <QScrollBar>
#include <algorithm>

#include "app/lecture/mark_reader.h"
#include "app/lecture/mark_writer.h"
#include "app/pages/page.h"
#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/knobs.h"
#include "viz/code/source_view.h"

namespace tileloom {
namespace {

class SourceTab : public Page {
 public:
  SourceTab(const PageRow& row, PageContext& context)
      : Page(row, context), m_source(new SourceView) {
    setWidget(m_source);
    connect(m_source, &SourceView::lineAsked, &services().explorer, &Explorer::goToLine);
    connect(&services().listings, &Listings::changed, this, &SourceTab::showStalls);
  }

  void showScene(const Scene& scene) override {
    m_source->setScene(scene);
    // Another instruction changes nothing of where the kernel's warps wait.
    if (scene.recording == m_shown) return;
    m_shown = scene.recording;
    showStalls();
  }

  std::optional<QRectF> placeOf(const MarkTarget& target) const override {
    const Scene& scene = services().explorer.scene();
    if (target.thing != MarkTarget::Thing::Line || !scene.ready()) return std::nullopt;
    const int line = lecture::lineWith(*scene.recording->trace.stage, target.text);
    if (line == 0) return std::nullopt;
    const QRectF row =
        within(*m_source->viewport(), *m_source->page(), m_source->page()->rowOf(line));
    const QRectF seen = QRectF(m_source->viewport()->rect()).intersected(row);
    if (seen.height() < row.height() / 2) return std::nullopt;
    return within(*widget(), *m_source->viewport(), seen);
  }

  // A line that has something that no other line has.
  std::vector<MarkTarget> targetsAt(const QPointF& pixel) const override {
    const Scene& scene = services().explorer.scene();
    if (!scene.ready()) return {};
    const QPointF inside = m_source->page()->mapFrom(widget(), pixel);
    const int line = m_source->page()->lineAt(inside);
    MarkTarget target;
    target.thing = MarkTarget::Thing::Line;
    target.page = row().id;
    if (line > 0) target.text = lecture::textOfLine(*scene.recording->trace.stage, line);
    const auto place = target.text.empty() ? std::nullopt : placeOf(target);
    if (!place || !place->contains(pixel)) return {};
    return {target};
  }

  void reveal(std::span<const MarkTarget> targets) override {
    const Scene& scene = services().explorer.scene();
    std::vector<int> lines;
    for (const MarkTarget& target : targets) {
      if (target.thing != MarkTarget::Thing::Line || !scene.ready()) continue;
      const int line = lecture::lineWith(*scene.recording->trace.stage, target.text);
      if (line > 0) lines.push_back(line);
    }
    m_source->keepInSight(std::move(lines));
  }

  QSizeF naturalSize(const QSizeF& screen) const override {
    return {std::max(screen.width(), leastWidth()), screen.height()};
  }
  bool knowsWidth() const override { return true; }
  double leastWidth() const override { return page()->widthNeeded(); }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    const auto whole = page();
    whole->resize(sheet.size.toSize());
    whole->paintTo(painterOf(painter), sheet.size.height(),
                   whole->firstAround(sheet.size.height()));
  }

  QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const override {
    if (!asOnScreen) return Page::write(file, sheet, asOnScreen);
    const auto whole = page();
    whole->resize(sheet.size.toSize());
    const int scrolled = m_source->verticalScrollBar()->value();
    const QPointF top(0, scrolled + whole->rowOf(1).height() / 2);
    const int first = std::max(1, m_source->page()->lineAt(top));
    return writeSheet(
        sheet, [&](QCPPainter& p) { whole->paintTo(painterOf(p), sheet.size.height(), first); },
        file);
  }

 protected:
  void cameToFront() override { services().listings.setWanted(this, true); }
  void leftFront() override { services().listings.setWanted(this, false); }

 private:
  // Of the kernel whose source and figures are shown.
  void showStalls() {
    if (m_shown == nullptr) return;
    const auto& trace = m_shown->trace;
    m_source->setStalls(services().listings.stallsOf({trace.stage, trace.tile, trace.arithmetic},
                                                     services().explorer.problem()));
  }

  // A page of its own, which no mouse is over and no scroll bar cuts.
  std::unique_ptr<SourcePage> page() const {
    auto made = std::make_unique<SourcePage>();
    made->setFont(m_source->page()->font());
    made->setScene(services().explorer.scene());
    made->setStalls(m_source->page()->stalls());
    return made;
  }

  SourceView* m_source;
  std::shared_ptr<const analysis::Recording> m_shown;
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
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The present rung alone: its lines are followed as it runs. "
                                    "Swap (Shift+P) shows the baseline."),
  };
  return row;
}

}  // namespace tileloom
