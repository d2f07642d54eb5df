// SPDX-License-Identifier: GPL-3.0-or-later
// All facts about a tile that are not headlines, a row each, in collapsible groups.
#pragma once

#include <array>
#include <vector>

#include "viz/base/widgets/painted_view.h"
#include "viz/panels/facts_panel.h"

namespace tileloom {

class FactRows : public PaintedView {
  Q_OBJECT
 public:
  explicit FactRows(QWidget* parent = nullptr);
  void setFacts(const std::vector<Fact>& facts);  // headlines are ignored
  void setStale(bool stale);
  void setFolded(FactGroup group, bool folded);
  bool folded(FactGroup group) const { return m_folded[static_cast<std::size_t>(group)]; }

  // The clickable heading of the group; empty: it has no facts.
  QRectF heading(FactGroup group) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void restyle() override { updateGeometry(); }

 private:
  struct Row {
    FactGroup group;
    const Fact* fact;  // nullptr: the heading of the group
    QRectF rect;
  };
  std::vector<Row> rows() const;

  std::vector<Fact> m_facts;
  std::array<bool, kFactGroups> m_folded{};
  bool m_stale = false;
};

}  // namespace tileloom
