// SPDX-License-Identifier: GPL-3.0-or-later
// A few lines of the stage's real source around the one being executed.
#pragma once

#include <QStringList>
#include <QWidget>

#include "viz/scene.h"
#include "viz/theme.h"

namespace tileloom {

class SourceStrip : public QWidget {
  Q_OBJECT
 public:
  explicit SourceStrip(QWidget* parent = nullptr);
  void setScene(const Scene& scene);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  Theme m_theme;
  Fonts m_fonts;
  const Stage* m_stage = nullptr;
  QStringList m_lines;
  int m_line = 0;  // counted from 1; 0: none
};

}  // namespace tileloom
