// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/speaker_screen.h"

#include <QGuiApplication>
#include <QScreen>

#include "viz/base/text/last_word.h"

namespace tileloom {

SpeakerScreen::~SpeakerScreen() {
  delete m_speaker;
}

void SpeakerScreen::open() {
  if (!m_speaker) {
    m_speaker = new SpeakerWindow(m_clock, &m_window);
    m_speaker->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_speaker, &SpeakerWindow::nextAsked, this, &SpeakerScreen::nextAsked);
    connect(m_speaker, &SpeakerWindow::previousAsked, this, &SpeakerScreen::previousAsked);
    for (const QScreen* screen : QGuiApplication::screens()) {
      if (screen == m_window.screen()) continue;
      m_speaker->setGeometry(screen->availableGeometry());
      break;
    }
  }
  m_speaker->show();
}

// Its own button may end the lecture.
void SpeakerScreen::close() {
  if (!m_speaker) return;
  retire(*m_speaker);
  m_speaker = nullptr;
}

}  // namespace tileloom
