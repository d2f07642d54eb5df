// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/pair_line.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QToolButton>

#include "app/services/choice/comparison.h"
#include "viz/base/text/labels.h"

namespace tileloom {
namespace {

constexpr int kHigh = 850;  // pixels of a window that has room for all lines

}  // namespace

PairLine::PairLine(const Comparison& comparison, Closing closing, QWidget* parent)
    : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 0, 4, 0);
  row->setSpacing(4);
  const auto button = [&](const char* name, auto pressed) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::TabFocus);
    connect(made, &QToolButton::clicked, this, pressed);
    row->addWidget(made, 0, Qt::AlignTop);
    return made;
  };
  m_fold = button("pairUnfolds", [this] {
    m_chosen = true;
    unfold(!m_unfolded);
  });
  m_short = new ElidedLabel;
  m_short->setObjectName(QStringLiteral("pairLine"));
  m_whole = new Prose;
  m_whole->setObjectName(QStringLiteral("pairText"));
  m_whole->setContentsMargins(0, 3, 0, 4);
  row->addWidget(m_short, 1);
  row->addWidget(m_whole, 1);
  if (closing == Closing::ByButton) {
    m_close = button("pairCloses", [this] {
      m_closed = true;
      place();
    });
    m_close->setText(QStringLiteral("×"));
    m_close->setToolTip(tr("Close: the page Compare keeps this text"));
    m_close->setAccessibleName(tr("Close the text of the example"));
  }
  unfold(false);
  take(comparison.look());
  connect(&comparison, &Comparison::titlesChanged, this,
          [this, &comparison] { take(comparison.look()); });
}

void PairLine::setNeeded(bool needed) {
  m_needed = needed;
  place();
}

void PairLine::take(const QString& words) {
  if (words != m_whole->text()) {
    m_closed = false;
    if (!m_chosen) unfold(window()->height() >= kHigh);
  }
  m_short->setText(words);
  m_short->setToolTip(words);
  m_whole->setText(words);
  place();
}

void PairLine::unfold(bool unfolded) {
  m_unfolded = unfolded;
  m_fold->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
  m_fold->setToolTip(unfolded ? tr("Show one line") : tr("Show the whole text"));
  m_fold->setAccessibleName(m_fold->toolTip());
  place();
}

// Whether the text needs no second line, beside the closing button alone.
bool PairLine::fitsOneLine() const {
  const QMargins edges = layout()->contentsMargins();
  int room = width() - edges.left() - edges.right();
  if (m_close != nullptr) room -= m_close->sizeHint().width() + layout()->spacing();
  const QString& words = m_whole->text();
  return !words.contains(u'\n') && QFontMetrics(m_short->font()).horizontalAdvance(words) <= room;
}

void PairLine::place() {
  const bool fits = fitsOneLine();
  m_fold->setVisible(!fits);
  m_short->setVisible(fits || !m_unfolded);
  m_whole->setVisible(!fits && m_unfolded);
  setVisible(m_needed && !m_closed && !m_whole->text().isEmpty());
}

void PairLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  place();
}

void PairLine::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_whole != nullptr) place();
}

}  // namespace tileloom
