// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_frames.h"

#include <algorithm>

#include "app/session/page_ids.h"
#include "app/window/window_pictures.h"

namespace tileloom {

WindowFrames::WindowFrames(MainWindow& window, const std::vector<std::uint32_t>& indices,
                           double scale, std::optional<QDate> caption)
    : m_window(&window), m_scale(scale), m_caption(caption) {
  const Scene& scene = window.explorer().scene();
  m_before = static_cast<int>(scene.moment.index);
  if (!m_caption) return;
  for (const std::uint32_t index : indices) {
    Scene there = makeScene(scene.recording, scene.moment.warp, index);
    there.selection = scene.selection;
    there.residency = scene.residency;
    const Caption words = captionOf(window, kWindowId, there, *m_caption);
    m_room = std::max(m_room, captionHeight(words, window.width(), window.font()));
  }
}

WindowFrames::~WindowFrames() {
  if (m_window != nullptr) m_window->explorer().setIndex(m_before);
}

QImage WindowFrames::at(std::uint32_t index) {
  if (m_window == nullptr) return {};
  m_window->explorer().setIndex(static_cast<int>(index));
  m_window->centreTime();
  return windowImage(*m_window, m_scale, m_caption, m_room);
}

}  // namespace tileloom
