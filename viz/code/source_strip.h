// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a few lines of the stage's source around the executing one.
#pragma once

#include <QStringList>

#include "viz/base/scene.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

class SourceStrip : public PaintedView {
  Q_OBJECT
 public:
  explicit SourceStrip(QWidget* parent = nullptr);
  void setScene(const Scene& scene);
  // The number of lines, with the executing one in the middle; 0 hides all text.
  void setLines(int lines);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Stage* m_stage = nullptr;
  QStringList m_lines;
  int m_rows = 3;
  int m_line = 0;  // counted from 1; 0: none
};

}  // namespace tileloom
