// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/presenting_window.h"

#include <QScreen>
#include <algorithm>

#include "app/session/view_state.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/sight.h"
#include "app/window/window.h"

namespace tileloom {
namespace {

// Percent of the usual size of text with which a picture of this height, in pixels, is read from
// the last row: 120 at 1080, and in proportion. A small projector has large pixels.
int presentingText(int height) {
  return std::max(kUsualText, height / 90 * 10);
}

}  // namespace

void PresentingWindow::enter(bool screen) {
  m_textBefore = m_window.sight().textSize();
  const int height =
      screen ? m_window.frame().screen()->geometry().height() : m_window.frame().height();
  m_window.sight().setTextSize(std::max(m_textBefore, presentingText(height)));
  m_window.layouts().setPresenting(true, screen);
}

void PresentingWindow::leave() {
  m_window.sight().setTextSize(m_textBefore);
  m_window.layouts().setPresenting(false);
}

void PresentingWindow::focusLoom() {
  QWidget& loom = *m_window.pages().front()->focusTarget();
  loom.clearFocus();  // a focus by the keyboard has a frame, which a presentation does not need
  loom.setFocus(Qt::OtherFocusReason);
}

}  // namespace tileloom
