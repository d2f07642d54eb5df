// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the step before, which fades over the window while the loom flies to the next
// one: pages and heights that change do not jump then.
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

  // Covers its parent with `before`, which is gone after kMs. `shown`, in the parent's coordinates,
  // is left out: what moves by itself, or is read, is seen at once.
  void start(const QPixmap& before, const QRegion& shown);
  // For a film: it stands this long after its beginning until it is asked for again.
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
