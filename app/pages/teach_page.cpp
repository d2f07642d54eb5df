// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/teach_page.h"

#include "app/services/services.h"

namespace tileloom {

TeachPage::TeachPage(const PageRow& row, PageContext& context, Make make,
                     const QString& accessibleName)
    : Page(row, context), m_make(make), m_view(new TeachView) {
  m_view->setObjectName(QLatin1String(row.id));
  m_view->setAccessibleName(accessibleName);
  setWidget(scrolled(m_view));
  const auto later = [this] {
    if (inFront()) refresh();
  };
  connect(&services().lab, &Lab::kernelChanged, this, later);
  connect(&services().lab, &Lab::historyChanged, this, later);
  connect(&services().explorer, &Explorer::choiceChanged, this, later);
}

// Playback steps from instruction to instruction: the pictures show warps and threads.
void TeachPage::showScene(const Scene& scene) {
  if (!scene.ready()) return;
  const bool same = scene.recording == m_recording.lock();
  if (!inFront()) {
    // The painting function owns a recording: a hidden page keeps only the present one.
    if (!same) m_view->setPaint({});
    return;
  }
  if (same && scene.moment.warp == m_warp && scene.shownThread() == m_thread) return;
  refresh();
}

void TeachPage::refresh() {
  const Scene& scene = services().explorer.scene();
  if (scene.ready()) {
    m_recording = scene.recording;
    m_warp = scene.moment.warp;
    m_thread = scene.shownThread();
  }
  m_view->setPaint(m_make(services()));
}

void TeachPage::paintTo(QCPPainter& painter, const Sheet& sheet) const {
  m_make(services())(painterOf(painter), QRectF(QPointF(0, 0), sheet.size), sheet.theme,
                     Fonts::of(sheet.font));
}

}  // namespace tileloom
