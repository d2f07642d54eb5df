// SPDX-License-Identifier: GPL-3.0-or-later
// A paint device that writes an SVG for papers. Unlike Qt's it clips, keeps patterns, writes
// letters as outlines that do not need the font, and names colours: one line of the style sheet
// changes a colour everywhere.
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
  // true: text as text, which can be searched and edited but needs the font; false: as outlines.
  bool text = false;
};

class SvgCanvas : public QPaintDevice {
 public:
  explicit SvgCanvas(const SvgSetup& setup);
  ~SvgCanvas() override;

  QPaintEngine* paintEngine() const override;
  // The SVG of what was painted until now.
  QByteArray document() const;

 protected:
  int metric(PaintDeviceMetric which) const override;

 private:
  class Engine;
  SvgSetup m_setup;
  std::unique_ptr<Engine> m_engine;
};

}  // namespace tileloom
