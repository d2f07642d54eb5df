// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/pages/page.h"

namespace tileloom {

// A page whose row has `paintScene`: its picture is painted from the scene alone, during a
// comparison beside that of the baseline.
class ScenePage : public Page {
 public:
  // `letters` and `lines`: the least size of one side of its picture.
  ScenePage(const PageRow& row, PageContext& context, int letters, int lines)
      : Page(row, context), m_letters(letters), m_lines(lines) {}
  double leastHeight(double width, const QFont& font) const override;
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override;

 protected:
  // As it is on the screen.
  virtual Picture picture(bool baseline) const = 0;

 private:
  int m_letters, m_lines;
};

}  // namespace tileloom
