// SPDX-License-Identifier: GPL-3.0-or-later
// What the explaining pictures have in common as pages: their data are made when something that
// they show has changed, and painting only paints.
#pragma once

#include "app/pages/page.h"
#include "viz/teach/teach_view.h"

namespace tileloom {

class TeachPage : public Page {
 public:
  // Takes a snapshot of what is shown now and returns a function that paints it.
  using Make = TeachView::Paint (*)(Services& services);

  TeachPage(const PageRow& row, PageContext& context, Make make, const QString& accessibleName);

  void showScene(const Scene& scene) override;
  QWidget* focusTarget() const override { return m_view; }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override;

 protected:
  void cameToFront() override { refresh(); }
  void refresh() override;

 private:
  Make m_make;
  TeachView* m_view;
  // What the picture shows.
  std::weak_ptr<const analysis::Recording> m_recording;
  std::uint32_t m_warp = 0, m_thread = 0;
};

}  // namespace tileloom
