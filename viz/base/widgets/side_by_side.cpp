// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/side_by_side.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "viz/base/text/labels.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

constexpr int kBetween = 12;  // pixels from a name to its moment

QWidget* under(QLabel* title, QLabel* moment, QWidget* view) {
  auto* pane = new QWidget;
  auto* column = new QVBoxLayout(pane);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* header = new QWidget;
  header->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  auto* row = new QHBoxLayout(header);
  row->setContentsMargins(12, 5, 8, 2);
  row->setSpacing(kBetween);
  for (QLabel* label : {title, moment}) {
    label->setTextFormat(Qt::PlainText);
    row->addWidget(label);
  }
  // The name is cut for the moment: it ends in what both sides share.
  title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  row->setStretchFactor(title, 1);
  moment->setObjectName(QStringLiteral("sideMoment"));
  moment->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  column->addWidget(header);
  column->addWidget(view, 1);
  return pane;
}

}  // namespace

SideBySide::SideBySide(QWidget* baseline, QWidget* now, QWidget* parent)
    : QWidget(parent),
      m_baselineTitle(new ElidedLabel),
      m_nowTitle(new ElidedLabel),
      m_baselineMoment(new ElidedLabel),
      m_nowMoment(new ElidedLabel) {
  m_views[0] = baseline;
  m_views[1] = now;
  m_left = under(m_baselineTitle, m_baselineMoment, baseline);
  m_splitter = new QSplitter(Qt::Horizontal);
  m_splitter->addWidget(m_left);
  m_splitter->addWidget(under(m_nowTitle, m_nowMoment, now));
  // Equal halves, which a drag of the handle may change.
  m_splitter->setStretchFactor(0, 1);
  m_splitter->setStretchFactor(1, 1);
  m_splitter->setSizes({10000, 10000});
  m_splitter->setChildrenCollapsible(false);
  m_splitter->setHandleWidth(1);
  connect(m_splitter, &QSplitter::splitterMoved, this, &SideBySide::arrangeNames);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(m_splitter);
  setTitles({}, {});
  setMoments({}, {});
  restyle();
}

void SideBySide::setTitles(const QString& baseline, const QString& now) {
  m_comparing = !baseline.isEmpty();
  m_names = {baseline, now};
  m_baselineTitle->setToolTip(tr("Baseline: %1").arg(baseline));
  m_nowTitle->setToolTip(tr("Now: %1").arg(now));
  nameSides();
  m_left->setVisible(m_comparing);
  m_nowTitle->parentWidget()->setVisible(m_comparing);
  shareWidth();
  arrange();
}

void SideBySide::standAboveBelow(int letters) {
  m_letters = letters;
  shareWidth();
  arrange();
}

bool SideBySide::oneAboveTheOther() const {
  return m_splitter->orientation() == Qt::Vertical;
}

void SideBySide::arrange() {
  const bool above =
      m_comparing && oneAboveTheOther(m_letters, fontMetrics().averageCharWidth(), width());
  if (above == oneAboveTheOther()) return;
  m_splitter->setOrientation(above ? Qt::Vertical : Qt::Horizontal);
  m_splitter->setSizes({10000, 10000});
  updateGeometry();
}

// For two, what each needs alone: both can always be shown in that.
QSize SideBySide::minimumSizeHint() const {
  QSize least = QWidget::minimumSizeHint();
  if (m_letters == 0 || !m_comparing) return least;
  least.setWidth(
      std::max(m_views[0]->minimumSizeHint().width(), m_views[1]->minimumSizeHint().width()));
  return least;
}

void SideBySide::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
  arrangeNames();
}

// Each of two views beside each other accepts less width than one alone, so that a laptop shows
// both.
void SideBySide::shareWidth() {
  if (m_letters > 0) return;  // stacked, each has the whole width
  constexpr int kLetters = 24;
  const int little = kLetters * fontMetrics().averageCharWidth();
  for (QWidget* view : m_views) {
    const int least = std::min(little, view->minimumSizeHint().width());
    view->setMinimumWidth(m_comparing ? std::max(1, least) : 0);
  }
}

void SideBySide::setMoments(const QString& baseline, const QString& now) {
  m_baselineMoment->setText(baseline);
  m_nowMoment->setText(now);
  for (QLabel* label : {m_baselineMoment, m_nowMoment}) {
    label->setToolTip(label->text());
    label->setVisible(!label->text().isEmpty());
  }
  arrangeNames();
}

// A cut moment would not distinguish the sides.
void SideBySide::arrangeNames() {
  nameSides();
  const std::pair<QLabel*, QLabel*> both[] = {{m_baselineTitle, m_baselineMoment},
                                              {m_nowTitle, m_nowMoment}};
  bool below = false;
  for (const auto& [title, moment] : both) {
    if (moment->text().isEmpty()) continue;
    const QMargins edges = title->parentWidget()->layout()->contentsMargins();
    const int room = title->parentWidget()->width() - edges.left() - edges.right();
    const int words = QFontMetrics(moment->font()).horizontalAdvance(moment->text());
    below = below || room < title->minimumWidth() + kBetween + words;
  }
  for (const auto& [title, moment] : both) {
    auto* row = static_cast<QBoxLayout*>(title->parentWidget()->layout());
    row->setDirection(below ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    row->setSpacing(below ? 0 : kBetween);
    moment->setAlignment((below ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
}

// Large text leaves room for the rung or for the word before it: the rung says more, and the
// baseline is always at the left or above.
void SideBySide::nameSides() {
  const auto name = [](QLabel* label, const QString& whole, const QString& side) {
    const QMargins edges = label->parentWidget()->layout()->contentsMargins();
    const int room = label->parentWidget()->width() - edges.left() - edges.right();
    const QString first = side.section(QStringLiteral(" · "), 0, 0);
    const QString least = whole.left(whole.size() - side.size()) + first +
                          (first == side ? QString() : QStringLiteral(" · …"));
    const bool fits = QFontMetrics(label->font()).horizontalAdvance(least) <= room;
    const QString& text = fits ? whole : side;
    if (label->text() != text) label->setText(text);
  };
  name(m_baselineTitle, m_baselineTitle->toolTip(), m_names.first);
  name(m_nowTitle, m_nowTitle->toolTip(), m_names.second);
}

void SideBySide::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void SideBySide::restyle() {
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  constexpr int kLetters = 14;  // of a name, at any length of the moment
  for (QLabel* label : {m_baselineTitle, m_nowTitle}) {
    label->setFont(bold);
    label->setMinimumWidth(kLetters * QFontMetrics(bold).averageCharWidth());
  }
  shareWidth();
  arrange();
  arrangeNames();
}

}  // namespace tileloom
