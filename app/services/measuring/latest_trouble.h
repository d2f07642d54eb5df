// SPDX-License-Identifier: GPL-3.0-or-later
// The one trouble that the window shows, although answers bring several in any order.
#pragma once

#include <QString>

namespace tileloom {

class LatestTrouble {
 public:
  // The first of these is shown.
  enum class Told { Measurement, Kernel, BaselineSpeed, BaselineKernel, Others };

  const QString& text() const { return m_text; }  // empty: none
  // Shows this one in any case.
  void set(const QString& sentence) {
    m_text = sentence;
    m_told = Told::Others;
  }
  // Shows it unless a more important one is shown.
  void add(const QString& sentence, Told told) {
    if (!m_text.isEmpty() && m_told < told) return;
    m_text = sentence;
    m_told = told;
  }

 private:
  QString m_text;
  Told m_told = Told::Others;  // its subject
};

}  // namespace tileloom
