// SPDX-License-Identifier: GPL-3.0-or-later
// An explaining picture as a widget that only paints its data.
#pragma once

#include <functional>

#include "viz/base/widgets/painted_view.h"
#include "viz/teach/teach_data.h"

class QPainter;

namespace tileloom {

void paintKitchen(QPainter& painter, const QRectF& canvas, const TeachData& data,
                  const Theme& theme, const Fonts& fonts);
void paintCompany(QPainter& painter, const QRectF& canvas, const TeachData& data,
                  const Theme& theme, const Fonts& fonts);
void paintBakery(QPainter& painter, const QRectF& canvas, const BakeryData& data,
                 const Theme& theme, const Fonts& fonts);

class TeachView : public PaintedView {
  Q_OBJECT
 public:
  using Paint = std::function<void(QPainter&, const QRectF&, const Theme&, const Fonts&)>;

  explicit TeachView(QWidget* parent = nullptr) : PaintedView(parent) {}
  void setPaint(Paint paint);
  QSize sizeHint() const override { return {760, 420}; }
  QSize minimumSizeHint() const override { return roomFor(72, 14); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Paint m_paint;
};

}  // namespace tileloom
