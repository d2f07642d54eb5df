// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/lecture_clock.h"

namespace tileloom {

void LectureClock::begin(std::size_t step) {
  if (runs()) return;
  m_step = step;
  m_whole.start();
  m_here.start();
}

void LectureClock::turnTo(std::size_t step) {
  if (!runs() || step == m_step) return;
  if (m_spent.size() <= m_step) m_spent.resize(m_step + 1);
  m_spent[m_step] += m_here.restart();
  m_step = step;
}

qint64 LectureClock::elapsedMs(std::size_t step) const {
  const qint64 before = step < m_spent.size() ? m_spent[step] : 0;
  return before + (runs() && step == m_step ? m_here.elapsed() : 0);
}

}  // namespace tileloom
