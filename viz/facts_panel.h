// SPDX-License-Identifier: GPL-3.0-or-later
// Large numbers: what follows from the tile, and what its trace has counted.
#pragma once

#include <QWidget>
#include <vector>

#include "viz/scene.h"
#include "viz/theme.h"

namespace tileloom {

struct Fact {
  QString value;
  QString unit;  // under the number
  QString note;  // smaller still
  bool trouble = false;
};

// The facts of a recording, in reading order.
std::vector<Fact> factsOf(const analysis::Recording& recording);

class FactsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit FactsPanel(QWidget* parent = nullptr);
  void setRecording(std::shared_ptr<const analysis::Recording> recording);
  const std::vector<Fact>& facts() const { return m_facts; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  int columns() const;

  Theme m_theme;
  Fonts m_fonts;
  std::shared_ptr<const analysis::Recording> m_recording;
  std::vector<Fact> m_facts;
};

}  // namespace tileloom
