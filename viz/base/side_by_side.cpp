// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/side_by_side.h"

#include <QEvent>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include "viz/base/labels.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

QWidget* under(QLabel* title, QWidget* view) {
  auto* pane = new QWidget;
  auto* column = new QVBoxLayout(pane);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  title->setContentsMargins(12, 5, 8, 2);
  title->setTextFormat(Qt::PlainText);
  title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  column->addWidget(title);
  column->addWidget(view, 1);
  return pane;
}

}  // namespace

SideBySide::SideBySide(QWidget* baseline, QWidget* now, QWidget* parent)
    : QWidget(parent), m_baselineTitle(new ElidedLabel), m_nowTitle(new ElidedLabel) {
  m_left = under(m_baselineTitle, baseline);
  auto* across = new QSplitter(Qt::Horizontal);
  across->addWidget(m_left);
  across->addWidget(under(m_nowTitle, now));
  // Equal halves, which a drag of the handle may change.
  across->setStretchFactor(0, 1);
  across->setStretchFactor(1, 1);
  across->setSizes({10000, 10000});
  across->setChildrenCollapsible(false);
  across->setHandleWidth(1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(across);
  setTitles({}, {});
  restyle();
}

void SideBySide::setTitles(const QString& baseline, const QString& now) {
  m_comparing = !baseline.isEmpty();
  m_baselineTitle->setText(tr("Baseline: %1").arg(baseline));
  m_nowTitle->setText(tr("Now: %1").arg(now));
  for (QLabel* label : {m_baselineTitle, m_nowTitle}) label->setToolTip(label->text());
  m_left->setVisible(m_comparing);
  m_nowTitle->setVisible(m_comparing);
}

void SideBySide::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void SideBySide::restyle() {
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  for (QLabel* label : {m_baselineTitle, m_nowTitle}) label->setFont(bold);
}

}  // namespace tileloom
