// SPDX-License-Identifier: GPL-3.0-or-later
// The four steps of a tuning run side by side: generated, legal, compiled, timed. Each has a
// number, a word, and a bar whose length is the number's logarithm relative to that of the first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "viz/base/widgets/painted_view.h"

namespace tileloom {

class FunnelBar : public PaintedView {
  Q_OBJECT
 public:
  // In this order. std::nullopt: not known yet.
  using Steps = std::array<std::optional<std::uint64_t>, 4>;

  explicit FunnelBar(QWidget* parent = nullptr);
  void setSteps(const Steps& steps);
  const Steps& steps() const { return m_steps; }
  // "1,058,400 generated → 15,360 legal → 212 compiled without spills → 187 timed"
  QString words() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void restyle() override { updateGeometry(); }

 private:
  Steps m_steps;
};

}  // namespace tileloom
