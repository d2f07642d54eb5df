// SPDX-License-Identifier: GPL-3.0-or-later
// A transparent overlay on which the user picks the target of a mark, with the mouse or with the
// arrow keys and Enter.
#pragma once

#include <QWidget>
#include <functional>
#include <optional>
#include <vector>

#include "viz/lecture/mark.h"

namespace tileloom {

class MarkPicker : public QWidget {
  Q_OBJECT
 public:
  // The possible targets under a pixel of the overlay, the most exact first, and the place of a
  // target.
  using Find = std::function<std::vector<MarkTarget>(const QPointF& pixel)>;
  using Place = std::function<std::optional<QRectF>(const MarkTarget& target)>;

  // Covers its parent, while it picks.
  MarkPicker(Find find, Place place, QWidget* parent);

  void start();
  bool picking() const { return isVisible(); }
  void cancel();
  // Acts like a click there.
  void pickAt(const QPointF& pixel);

 signals:
  void picked(const tileloom::MarkTarget& target);
  void ended();                           // picked or not
  void refused(const QString& sentence);  // nothing there can be marked; picking continues

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void lookAt(const QPointF& pixel);
  void take(const MarkTarget& target);

  Find m_find;
  Place m_place;
  QPointF m_at;
  std::vector<MarkTarget> m_found;  // there
  std::size_t m_shown = 0;          // of these
  QString m_refusal;                // empty: the instruction is shown
};

}  // namespace tileloom
