// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/scene_page.h"

#include <QPainter>

#include "app/pages/two_sides.h"
#include "app/services/services.h"

namespace tileloom {

double ScenePage::leastHeight(double width, const QFont& font) const {
  return leastHeightOfSides(width, font, context(), sidesOf(font, m_letters, m_lines));
}

void ScenePage::paintTo(QCPPainter& painter, const Sheet& sheet) const {
  SidesPicture sides = sidesOf(sheet.font, m_letters, m_lines);
  sides.paint = [&](QPainter& p, bool baseline, const QRectF& canvas) {
    const Explorer& explorer = services().explorer;
    const Picture onScreen = picture(baseline);
    Picture painted = onScreen;
    painted.size = canvas.size();
    painted.theme = sheet.theme;
    if (painted.camera) painted.camera = resized(*onScreen.camera, onScreen.size, painted.size);
    p.save();
    p.translate(canvas.topLeft());
    paintPicture(p, painted, baseline ? explorer.baseline() : explorer.scene());
    p.restore();
  };
  paintTwoSides(painterOf(painter), sheet, context(), sides);
}

}  // namespace tileloom
