// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/source_view.h"

#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include "kernels/tile/parameters.h"

namespace tileloom {
namespace {

// The margin's headings stay while the lines scroll.
class SourceHead : public QWidget {
 public:
  SourceHead(const SourcePage& page, QWidget* parent) : QWidget(parent), m_page(page) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    m_page.paintHead(p, rect(), m_page.x());
  }

 private:
  const SourcePage& m_page;
};

}  // namespace

SourceView::SourceView(QWidget* parent)
    : QScrollArea(parent), m_page(new SourcePage), m_head(new SourceHead(*m_page, this)) {
  setWidget(m_page);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::NoFocus);
  connect(m_page, &SourcePage::lineAsked, this, &SourceView::lineAsked);
  connect(m_page, &SourcePage::cursorMoved, this, &SourceView::follow);
  // The scroll bar is updated after the page.
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &SourceView::showAgain);
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
    m_wanted = 0;
    m_scrolled = true;
  });
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, m_head, qOverload<>(&QWidget::update));
}

void SourceView::setScene(const Scene& scene) {
  const bool another = scene.recording != m_scene.recording;
  if (another && scene.ready() &&
      (!m_scene.ready() || scene.recording->trace.rung() != m_scene.recording->trace.rung()))
    m_scrolled = false;
  m_scene = scene;
  m_pending = !isVisible();
  if (m_pending || !scene.ready()) return;
  const int before = m_page->current();
  m_page->setScene(scene);
  m_head->update();
  const bool moved = m_page->current() != before;
  if (moved) m_kept.clear();
  if (another && !m_scrolled) {
    open();
  } else if (moved) {
    follow(m_page->current());
  }
}

// The opening position does not depend on the previous recording.
void SourceView::open() {
  m_opened = true;
  reveal(m_page->openingLine());
}

void SourceView::follow(int line) {
  m_opened = false;
  reveal(line);
}

void SourceView::setStalls(std::shared_ptr<const StallFacts> stalls) {
  const bool news = stalls != m_page->stalls();
  m_page->setStalls(std::move(stalls));
  m_head->setToolTip(m_page->headWords());
  m_head->update();
  // If the user has not chosen an instruction yet, show the line with the most samples.
  const bool hot = news && m_page->hottest() > 0;
  if (isVisible() && m_kept.empty() && (m_opened || hot)) reveal(m_page->openingLine());
}

void SourceView::keepInSight(std::vector<int> lines) {
  m_kept = std::move(lines);
  showKept();
}

void SourceView::showKept() {
  if (m_kept.empty()) return;
  const double line = m_page->rowOf(1).height(), room = viewport()->height() - 2 * line;
  int first = m_kept.front(), last = first;
  for (const int other : m_kept) {
    const int from = std::min(first, other), to = std::max(last, other);
    if ((to - from + 1) * line > room) break;
    first = from;
    last = to;
  }
  const double middle = (m_page->rowOf(first).top() + m_page->rowOf(last).bottom()) / 2;
  verticalScrollBar()->setValue(static_cast<int>(middle - viewport()->height() / 2.0));
}

void SourceView::reveal(int line) {
  if (line < 1) return;
  m_wanted = line;
  showWanted();
}

// Scroll only if the line is about to leave: a page that follows each step is unreadable.
void SourceView::showWanted() {
  if (m_wanted < 1) return;
  const QRectF row = m_page->rowOf(m_wanted);
  if (m_opened) verticalScrollBar()->setValue(0);
  const double top = verticalScrollBar()->value(), height = viewport()->height();
  const double air = 2 * row.height();
  if (row.top() < top + air || row.bottom() > top + height - air) {
    verticalScrollBar()->setValue(static_cast<int>(row.center().y() - height / 2));
  }
}

void SourceView::showAgain() {
  if (m_kept.empty()) return showWanted();
  showKept();
}

void SourceView::resizeEvent(QResizeEvent* event) {
  const int head = static_cast<int>(m_page->headHeight());
  setViewportMargins(0, head, 0, 0);
  m_head->setGeometry(0, 0, width(), head);
  QScrollArea::resizeEvent(event);
  showKept();
}

void SourceView::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  if (!m_pending) return;
  setScene(m_scene);
  if (m_kept.empty()) open();
}

}  // namespace tileloom
