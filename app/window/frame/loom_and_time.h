// SPDX-License-Identifier: GPL-3.0-or-later
// The loom over a strip of the timeline. The loom has priority: in a low window the strip has fewer
// rows, or is hidden.
#pragma once

#include <QWidget>

#include "viz/base/scene.h"

namespace tileloom {

class TimelineStrip;
struct Services;

class LoomAndTime : public QWidget {
  Q_OBJECT
 public:
  // Takes ownership of the loom's widget.
  LoomAndTime(QWidget* loom, Services& services, QWidget* parent = nullptr);

  // As the user has chosen.
  void setWanted(bool wanted);
  bool wanted() const { return m_wanted; }
  // A page that shows the whole timeline is in front.
  void setNeeded(bool needed);
  void setStill(bool still);

  void showScene(const Scene& scene);
  // For pictures: waits, turning the event loop, until the strip is up to date, and brings the
  // instant to its usual place. centre() does the latter alone.
  void prepare();
  void centre();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void opened();  // the user asks for the whole timeline

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void place();
  void refresh();

  Services& m_services;
  QWidget* m_loom;
  TimelineStrip* m_strip;
  bool m_wanted = true, m_needed = true;
};

}  // namespace tileloom
