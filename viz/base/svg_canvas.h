// SPDX-License-Identifier: GPL-3.0-or-later
// A device whose painter writes an SVG for papers. Unlike Qt's own it clips, keeps patterns, writes
// letters as outlines that look the same without the font, and gives colours their names: a line of
// the style sheet changes a colour everywhere.
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSizeF>
#include <QString>
#include <memory>

#include "viz/base/theme.h"

namespace tileloom {

struct SvgSetup {
  QSizeF size;
  QString title;
  QString description;
  Theme theme;
  // Words as text in a font that the reader may lack, not as outlines: they can be searched and
  // edited.
  bool text = false;
};

class SvgCanvas : public QPaintDevice {
 public:
  explicit SvgCanvas(const SvgSetup& setup);
  ~SvgCanvas() override;

  QPaintEngine* paintEngine() const override;
  // Of what was painted until now.
  QByteArray document() const;

 protected:
  int metric(PaintDeviceMetric which) const override;

 private:
  class Engine;
  SvgSetup m_setup;
  std::unique_ptr<Engine> m_engine;
};

}  // namespace tileloom
