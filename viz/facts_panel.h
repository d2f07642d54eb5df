// SPDX-License-Identifier: GPL-3.0-or-later
// Large numbers: what follows from the tile, and what its trace has counted.
#pragma once

#include <vector>

#include "viz/painted_view.h"
#include "viz/scene.h"

namespace tileloom {

struct Fact {
  QString value;
  QString unit;  // under the number
  QString note;  // smaller still
  bool trouble = false;
};

// The facts of a recording, in reading order.
std::vector<Fact> factsOf(const analysis::Recording& recording);

class FactsPanel : public PaintedView {
  Q_OBJECT
 public:
  explicit FactsPanel(QWidget* parent = nullptr);
  void setRecording(std::shared_ptr<const analysis::Recording> recording);
  const std::vector<Fact>& facts() const { return m_facts; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int columns() const;

  std::shared_ptr<const analysis::Recording> m_recording;
  std::vector<Fact> m_facts;
};

}  // namespace tileloom
