// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/window_aside.h"

#include <utility>

#include "app/window/frame/sight.h"
#include "app/window/window.h"
#include "viz/panels/parameter_panel.h"

namespace tileloom {

void WindowAside::set() {
  if (m_before) return;
  m_before = m_window.session();
  m_window.lab().setAside(true);
}

void WindowAside::restore() {
  if (m_before) {
    Session before = *std::exchange(m_before, std::nullopt);
    before.theme = m_window.sight().look();
    before.text.reset();
    m_window.restore(before);
  }
  m_window.view<ParameterPanel>()->beginHere();
  m_window.beginUndoHere();
  m_window.lab().setAside(false);
}

}  // namespace tileloom
