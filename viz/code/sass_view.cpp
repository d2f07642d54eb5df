// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/sass_view.h"

#include <QBoxLayout>
#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>

#include "kernels/tile/parameters.h"
#include "viz/base/text/clauses.h"

namespace tileloom {
namespace {

constexpr int kWideInLetters = 120;  // the two are beside each other from this width on

bool isWide(double width, const QFont& font) {
  return width >= kWideInLetters * QFontMetricsF(font).averageCharWidth();
}

// The size of the summary in a picture or a view: its width beside the list, its height above it.
double summaryWidth(double width) {
  return std::round(width * 0.49);
}
double summaryHeight(double height, const SassSummary& summary) {
  const double least = summary.minimumSizeHint().height();
  return std::round(std::max(least, std::min<double>(summary.sizeHint().height(), height * 0.62)));
}

// The headings stay while the rows scroll.
class SassHead : public QWidget {
 public:
  SassHead(const SassPage& page, QWidget* parent) : QWidget(parent), m_page(page) {}

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    m_page.paintHead(p, rect(), m_page.x());
  }

 private:
  const SassPage& m_page;
};

// Exposes the protected setViewportMargins().
class SassList : public QScrollArea {
 public:
  void setTopMargin(int margin) { setViewportMargins(0, margin, 0, 0); }
};

}  // namespace

SassView::SassView(QWidget* parent)
    : QWidget(parent),
      m_layout(new QBoxLayout(QBoxLayout::TopToBottom, this)),
      m_summary(new SassSummary),
      m_list(new SassList),
      m_page(new SassPage),
      m_head(new SassHead(*m_page, m_list)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setSpacing(0);
  m_layout->setSizeConstraint(QLayout::SetNoConstraint);
  m_layout->addWidget(m_summary);
  m_layout->addWidget(m_list, 1);
  m_list->setWidget(m_page);
  m_list->setWidgetResizable(true);
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->installEventFilter(this);
  connect(m_list->horizontalScrollBar(), &QScrollBar::valueChanged, m_head,
          qOverload<>(&QWidget::update));
  // It stays in the middle at any later height and scroll range, until the user scrolls.
  connect(m_list->verticalScrollBar(), &QScrollBar::actionTriggered, this,
          [this] { m_awaited = -1; });
  connect(m_list->verticalScrollBar(), &QScrollBar::rangeChanged, this, [this] {
    if (m_awaited >= 0) reveal(m_awaited);
  });
  connect(m_page, &SassPage::cursorMoved, this, [this](int index) {
    m_awaited = -1;
    m_summary->setCursor(index);
    reveal(index);
  });
  connect(m_summary, &SassSummary::picked, m_page, &SassPage::moveCursor);
  arrange();
}

void SassView::setSide(const SassSide& side) {
  const bool fresh = side.facts != m_side.facts;
  const bool sampled = side.stalls != m_side.stalls;
  m_side = side;
  m_summary->setSide(side);
  m_page->setFacts(side.facts, side.stalls);
  m_summary->setCursor(m_page->cursor());  // the user's choice stays
  m_list->setVisible(side.facts != nullptr);
  m_head->update();
  arrange();
  // A new listing opens where most of its time goes, until the user moves the cursor.
  if (side.facts != nullptr && (fresh || (sampled && m_page->cursor() < 0))) {
    m_awaited = m_page->openingRow();
    reveal(m_awaited);
  }
}

QSize SassView::minimumSizeHint() const {
  const QFontMetrics metrics(font());
  const int summary = m_summary->minimumSizeHint().height(), rows = 5 * metrics.height();
  return {48 * metrics.averageCharWidth(),
          isWide(width(), font()) ? std::max(summary, rows) : summary + rows};
}

int SassView::firstRow() const {
  return std::max(0, m_page->rowAt(QPointF(
                         0, m_list->verticalScrollBar()->value() + m_page->rowOf(0).height() / 2)));
}

void SassView::reveal(int index) {
  const QRectF row = m_page->rowOf(index);
  QScrollBar* bar = m_list->verticalScrollBar();
  const double height = m_list->viewport()->height();
  const double air = std::min(2 * row.height(), height / 4);
  const double top = bar->value();
  if (m_awaited == index) {
    bar->setValue(static_cast<int>(row.center().y() - height / 2));
  } else if (row.top() < top + air) {
    bar->setValue(static_cast<int>(row.top() - air));
  } else if (row.bottom() > top + height - air) {
    bar->setValue(static_cast<int>(std::ceil(row.bottom() + air - height)));
  }
}

void SassView::arrange() {
  const bool wide = isWide(width(), font());
  const auto direction = wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
  if (m_layout->direction() != direction) {
    m_layout->setDirection(direction);
    updateGeometry();
  }
  const bool alone = m_side.facts == nullptr;
  const QSize least = m_summary->minimumSizeHint();
  constexpr int kAny = QWIDGETSIZE_MAX;
  if (alone) {
    m_summary->setMinimumSize(0, 0);
    m_summary->setMaximumSize(kAny, kAny);
  } else if (wide) {
    const int across = static_cast<int>(summaryWidth(width()));
    m_summary->setMinimumSize(across, 0);
    m_summary->setMaximumSize(across, kAny);
  } else {
    const int down = static_cast<int>(summaryHeight(height(), *m_summary));
    m_summary->setMinimumSize(std::min(least.width(), width()), down);
    m_summary->setMaximumSize(kAny, down);
  }
}

void SassView::resizeEvent(QResizeEvent*) {
  arrange();
}

void SassView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) arrange();
}

bool SassView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_list && (event->type() == QEvent::Resize || event->type() == QEvent::Show ||
                            event->type() == QEvent::FontChange)) {
    const int head = static_cast<int>(m_page->headHeight());
    static_cast<SassList*>(m_list)->setTopMargin(head);
    m_head->setGeometry(0, 0, m_list->width(), head);
    m_page->setRowsSeen(static_cast<int>((m_list->height() - head) / m_page->rowOf(0).height()));
  }
  return QWidget::eventFilter(watched, event);
}

void paintSass(QPainter& p, const std::vector<SassPictureSide>& sides, const QSizeF& size,
               const Theme& theme, const QFont& font) {
  const Fonts fonts = Fonts::of(font);
  p.fillRect(QRectF(QPointF(0, 0), size), theme.ground);
  const double width = size.width() / static_cast<double>(sides.size());
  const double title = sides.size() > 1 ? QFontMetricsF(fonts.body).height() * 1.6 : 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const SassPictureSide& each = sides[i];
    p.save();
    p.translate(width * static_cast<double>(i), 0);
    if (i > 0) {
      p.setPen(hairline(theme.line));
      p.drawLine(QPointF(0, 0), QPointF(0, size.height()));
    }
    if (title > 0) {
      QFont bold = fonts.body;
      bold.setWeight(QFont::DemiBold);
      p.setFont(bold);
      p.setPen(theme.text);
      p.drawText(QRectF(12, 0, width - 20, title), Qt::AlignLeft | Qt::AlignVCenter,
                 fitted(each.title, QFontMetricsF(bold), width - 20));
      p.translate(0, title);
    }
    const double height = size.height() - title;
    SassPage page;
    page.setFont(font);
    page.setPalette(theme.palette());
    page.setFacts(each.side.facts, each.side.stalls);
    SassSummary ruler;
    ruler.setFont(font);
    const bool wide = isWide(width, font);
    QRectF room(0, 0, width, height);
    if (each.side.facts != nullptr && wide) room.setWidth(summaryWidth(width));
    if (each.side.facts != nullptr && !wide) room.setHeight(summaryHeight(height, ruler));
    paintSassSummary(p, SassSummaryLayout::of(room, each.side, fonts), each.side, theme, fonts, -1);
    if (wide) {
      p.translate(room.width(), 0);
    } else {
      p.translate(0, room.height());
    }
    const QSizeF rest =
        wide ? QSizeF(width - room.width(), height) : QSizeF(width, height - room.height());
    page.resize(rest.toSize());
    page.paintTo(p, rest, each.first.value_or(page.firstAround(page.openingRow(), rest.height())));
    p.restore();
  }
}

}  // namespace tileloom
