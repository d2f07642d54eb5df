// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pair_line.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "app/services/comparison.h"
#include "viz/base/labels.h"

namespace tileloom {
namespace {

constexpr int kHigh = 850;  // pixels of a window that has room for all lines

}  // namespace

PairLine::PairLine(const Comparison& comparison, QWidget* parent) : QWidget(parent) {
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
  auto* close = button("pairCloses", [this] {
    m_closed = true;
    place();
  });
  close->setText(QStringLiteral("×"));
  close->setToolTip(tr("Close: the page Compare keeps this text"));
  close->setAccessibleName(tr("Close the text of the example"));
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

void PairLine::place() {
  m_short->setVisible(!m_unfolded);
  m_whole->setVisible(m_unfolded);
  setVisible(m_needed && !m_closed && !m_whole->text().isEmpty());
}

}  // namespace tileloom
