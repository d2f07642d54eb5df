// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/view_frames.h"

#include <algorithm>

#include "app/pages/page.h"
#include "app/session/page_ids.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/window.h"

namespace tileloom {

ViewFrames::ViewFrames(Window& window, std::string_view view,
                       const std::vector<std::uint32_t>& indices, const ViewExport& how)
    : m_frame(&window.frame()), m_window(window), m_view(view), m_how(how) {
  const Scene& scene = window.explorer().scene();
  m_before = static_cast<int>(scene.moment.index);
  Page* page = window.page(m_view);
  if (page != nullptr) page->prepare();
  const double width =
      page != nullptr && how.size.width() > 0 ? how.size.width() : window.frame().width();
  for (const std::uint32_t index : indices) {
    if (!how.caption) break;
    Scene there = makeScene(scene.recording, scene.moment.warp, index);
    there.selection = scene.selection;
    there.residency = scene.residency;
    const Caption words = captionOf(window, m_view, there, *how.caption);
    m_room = std::max(m_room, captionHeight(words, width, window.frame().font()));
  }
  if (page == nullptr) return;
  // With the tallest caption, so that this size fits every frame.
  ViewExport first = how;
  first.captionRoom = m_room;
  const auto sheet = sheetOf(window, *page, first);
  if (sheet) {
    m_whole = wholeSize(*sheet);
  } else {
    m_problem = sheet.error();
  }
}

ViewFrames::~ViewFrames() {
  if (m_frame) m_window.explorer().setIndex(m_before);
}

QImage ViewFrames::at(std::uint32_t index) {
  if (!m_frame) return {};
  m_window.explorer().setIndex(static_cast<int>(index));
  Page* page = m_window.page(m_view);
  if (page == nullptr) {
    m_window.middle().centreTime();
    return windowImage(m_window, m_how.scale, m_how.caption, m_room);
  }
  page->prepare();
  if (!m_frame) return {};  // that may have handled events
  const Scene& scene = m_window.explorer().scene();
  Sheet sheet{
      m_whole,      m_how.scale, Theme::of(m_window.frame().palette()), m_window.frame().font(),
      std::nullopt, {}};
  if (m_how.caption) {
    sheet.caption = captionOf(m_window, m_view, scene, *m_how.caption);
    sheet.captionRoom = m_room;
    const double band = wholeSize(sheet).height() - m_whole.height();
    sheet.size.rheight() -= band;
  }
  return sheetImage(sheet, [&](QCPPainter& p) { page->paintTo(p, sheet); });
}

}  // namespace tileloom
