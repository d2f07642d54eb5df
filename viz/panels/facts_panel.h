// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about a tile in large numbers: what follows from its knobs, and what its trace counts.
#pragma once

#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/kernel_facts.h"
#include "viz/base/painted_view.h"
#include "viz/base/scene.h"

namespace tileloom {

struct Fact {
  QString value;
  QString unit;  // under the number
  QString note;  // below the unit, smaller still
  bool trouble = false;
};

// The facts of a recording, in reading order, with those of the kernel if it was compiled or
// recorded.
std::vector<Fact> factsOf(const analysis::Recording& recording,
                          const std::optional<KernelFacts>& kernel = std::nullopt);

class FactsPanel : public PaintedView {
  Q_OBJECT
 public:
  explicit FactsPanel(QWidget* parent = nullptr);
  void setRecording(std::shared_ptr<const analysis::Recording> recording);
  // The kernel of the tile that the recording shows. std::nullopt: unknown, or not yet known.
  void setKernel(const std::optional<KernelFacts>& kernel);
  // Measured facts, in contrast to those counted in the trace. They are shown first.
  void setMeasured(std::vector<Fact> facts);
  const std::vector<Fact>& facts() const { return m_facts; }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int columns(int width) const;
  int rows(int width) const;
  void refresh();

  std::shared_ptr<const analysis::Recording> m_recording;
  std::optional<KernelFacts> m_kernel;
  std::vector<Fact> m_measured;
  std::vector<Fact> m_facts;
};

}  // namespace tileloom
