// SPDX-License-Identifier: GPL-3.0-or-later
// Fades the picture of the previous step out over the window while the loom moves to the next one,
// so that changing pages and heights do not jump.
#pragma once

#include <QPixmap>
#include <QRegion>
#include <QVariantAnimation>
#include <QWidget>

namespace tileloom {

class StepFade : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMs = 450;

  explicit StepFade(QWidget* parent);

  // Covers its parent with `before`, which disappears within kMs. `shown`, in the parent's
  // coordinates, is left out: animated parts and text are visible at once.
  void start(const QPixmap& before, const QRegion& shown);
  // For a film: freezes the fade at this time after its start.
  void hold(int ms);
  bool running() const { return m_fade.state() != QAbstractAnimation::Stopped; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QPixmap m_before;
  QRegion m_shown;
  QVariantAnimation m_fade;
};

}  // namespace tileloom
