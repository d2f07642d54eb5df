// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/flat_scroll_bar.h"

#include <QPainter>
#include <QStyleOptionSlider>
#include <algorithm>

#include "viz/base/theme.h"

namespace tileloom::flat_scroll_bar {
namespace {

constexpr int kLeastHandle = 24;  // pixels along the bar: enough for a finger on a trackpad
constexpr int kMargin = 2;        // from the handle to the edges across the bar

struct Handle {
  int start = 0;
  int length = 0;
};

Handle handleOf(const QStyleOptionSlider& option, int room) {
  const qint64 range = qint64{option.maximum} - option.minimum;
  if (range <= 0) return {0, room};
  const qint64 share = room * qint64{option.pageStep} / (range + option.pageStep);
  const int length = std::min(room, std::max(kLeastHandle, static_cast<int>(share)));
  return {QStyle::sliderPositionFromValue(option.minimum, option.maximum, option.sliderPosition,
                                          room - length, option.upsideDown),
          length};
}

}  // namespace

QRect part(const QStyleOptionSlider& option, QStyle::SubControl which) {
  const QRect all = option.rect;
  const bool across = option.orientation == Qt::Horizontal;
  const int room = across ? all.width() : all.height();
  const Handle handle = handleOf(option, room);
  const auto piece = [&](int start, int length) {
    const QRect rect = across ? QRect(all.left() + start, all.top(), length, all.height())
                              : QRect(all.left(), all.top() + start, all.width(), length);
    return QStyle::visualRect(option.direction, all, rect);
  };
  const int end = handle.start + handle.length;
  switch (which) {
    case QStyle::SC_ScrollBarGroove:
      return all;
    case QStyle::SC_ScrollBarSlider:
      return piece(handle.start, handle.length);
    case QStyle::SC_ScrollBarSubPage:
      return piece(0, handle.start);
    case QStyle::SC_ScrollBarAddPage:
      return piece(end, room - end);
    default:
      return {};
  }
}

void paint(QPainter& painter, const QStyleOptionSlider& option) {
  const Theme theme = Theme::of(option.palette);
  const bool across = option.orientation == Qt::Horizontal;
  const QRect handle = part(option, QStyle::SC_ScrollBarSlider)
                           .adjusted(across ? 0 : kMargin, across ? kMargin : 0,
                                     across ? 0 : -kMargin, across ? -kMargin : 0);
  painter.fillRect(option.rect, theme.well);
  if (option.maximum <= option.minimum) return;
  const bool held = (option.state & QStyle::State_Sunken) != 0 &&
                    (option.activeSubControls & QStyle::SC_ScrollBarSlider) != 0;
  const bool under = (option.state & QStyle::State_MouseOver) != 0;
  const QColor calm =
      theme.look == Look::Contrast ? theme.faint : Theme::mix(theme.well, theme.faint, 0.8);
  painter.fillRect(handle, held ? theme.accent : under ? theme.soft : calm);
}

}  // namespace tileloom::flat_scroll_bar
