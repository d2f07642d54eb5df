// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/step_fade.h"

#include <QPainter>
#include <algorithm>

namespace tileloom {

StepFade::StepFade(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
  m_fade.setDuration(kMs);
  m_fade.setStartValue(1.0);
  m_fade.setEndValue(0.0);
  m_fade.setEasingCurve(QEasingCurve::InOutQuad);
  connect(&m_fade, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
  connect(&m_fade, &QVariantAnimation::finished, this, [this] {
    hide();
    m_before = QPixmap();  // a window's picture is tens of megabytes on a large screen
  });
}

void StepFade::start(const QPixmap& before, const QRegion& shown) {
  m_before = before;
  m_shown = shown;
  setGeometry(parentWidget()->rect());
  raise();
  show();
  m_fade.stop();
  m_fade.start();
}

void StepFade::hold(int ms) {
  if (!running()) return;
  m_fade.pause();
  m_fade.setCurrentTime(std::min(ms, kMs));
}

void StepFade::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setClipRegion(QRegion(rect()) - m_shown);
  painter.setOpacity(m_fade.currentValue().toDouble());
  painter.drawPixmap(0, 0, m_before);
}

}  // namespace tileloom
