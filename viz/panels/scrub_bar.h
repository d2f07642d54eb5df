// SPDX-License-Identifier: GPL-3.0-or-later
// The whole instruction stream of a warp as a ribbon: it shows the kinds of the instructions, where
// K tiles begin, and the present position.
#pragma once

#include <QImage>
#include <vector>

#include "viz/base/scene.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

class ScrubBar : public PaintedView {
  Q_OBJECT
 public:
  explicit ScrubBar(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  int length() const { return m_length; }
  int position() const { return m_position; }

  void setLabelled(bool labelled);  // with text below the ribbon

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void scrubbed(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void restyle() override;

 private:
  struct Tick {
    int index;
    QString label;
  };
  void collect();
  void drawRibbon();
  QRectF groove() const;
  int indexAt(double x) const;

  std::shared_ptr<const analysis::Recording> m_recording;
  std::uint32_t m_warp = 0;
  bool m_labelled = true;
  int m_length = 0;
  int m_position = 0;
  std::vector<emulator::Kind> m_kinds;
  std::vector<Tick> m_ticks;
  QImage m_ribbon;
};

}  // namespace tileloom
