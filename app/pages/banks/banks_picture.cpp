// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/banks/banks_picture.h"

#include "viz/memory/bank_painter.h"

namespace tileloom {

void paintBanksPicture(QPainter& painter, const Picture& picture, const Scene& scene) {
  const Fonts fonts = Fonts::of(picture.font);
  const QRectF canvas(QPointF(0, 0), picture.size);
  paintBanks(painter, bankPicture(scene, canvas, fonts), scene, picture.theme, fonts);
}

}  // namespace tileloom
