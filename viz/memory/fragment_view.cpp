// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/fragment_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <cmath>

#include "kernels/analysis/recording.h"

namespace tileloom {

using emulator::kWarpSize;

Selection fragmentSelection(const FragmentPicture& picture, std::size_t value) {
  const auto& v = picture.operands.values[value];
  Selection s;
  s.thread = picture.operands.warp * kWarpSize + v.lane;
  s.element = v.element;
  return s;
}

Selection fragmentUnder(const FragmentPicture& picture, const QPointF& pixel) {
  if (!picture.whyNone.isEmpty() || picture.group) return {};
  if (const auto value = picture.geometry.valueAt(pixel)) return fragmentSelection(picture, *value);
  const std::uint32_t first = picture.operands.warp * kWarpSize;
  Selection s;
  if (const auto lane = picture.geometry.rowNameAt(pixel)) {
    s.thread = first + *lane;
    s.word = analysis::SharedWord{picture.operands.number, picture.operands.named[*lane]};
    return s;
  }
  const auto place = picture.geometry.tableAt(pixel);
  if (!place) return {};
  if (place->column > 0 && place->column <= picture.columns.size()) {
    const auto& held = picture.columns[place->column - 1].held[place->lane];
    const auto& value = held[1] && place->upper ? held[1] : held[0];
    if (value) return fragmentSelection(picture, *value);
  }
  s.thread = first + place->lane;
  return s;
}

std::size_t moveInFragments(const FragmentPicture& picture, std::size_t from, CursorMove move) {
  const auto& values = picture.operands.values;
  const auto& here = values[from];
  if (move == CursorMove::Next || move == CursorMove::Previous) {
    const std::uint32_t step = move == CursorMove::Next ? 1 : kWarpSize - 1;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].operand == here.operand && values[i].value == here.value &&
          values[i].lane == (here.lane + step) % kWarpSize)
        return i;
    }
    return from;
  }
  const QPointF at = picture.geometry.cell(from).center();
  const bool across = move == CursorMove::Left || move == CursorMove::Right ||
                      move == CursorMove::RowStart || move == CursorMove::RowEnd;
  const bool back =
      move == CursorMove::Left || move == CursorMove::Up || move == CursorMove::RowStart;
  const bool far = move == CursorMove::RowStart || move == CursorMove::RowEnd;
  std::size_t best = from;
  double least = far ? 0 : 1e9;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const QPointF d = picture.geometry.cell(i).center() - at;
    const double along = (back ? -1 : 1) * (across ? d.x() : d.y());
    const double aside = std::abs(across ? d.y() : d.x());
    if (along < 0.5) continue;
    if (far) {
      if (aside > 0.5 || values[i].operand != here.operand || along <= least) continue;
      least = along;
      best = i;
    } else if (const double distance = along + 3 * aside; distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

FragmentView::FragmentView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setAccessibleName(
      tr("Fragments: which lane holds which element of the operands of a tensor instruction"));
}

void FragmentView::setScene(const Scene& scene) {
  if (!sameFragments(m_scene, scene)) m_picture.reset();
  m_scene = scene;
  if (m_picture && m_picture->group) {
    m_picture->group->patch = patchOf(*m_picture->group, scene.selection);
    m_patch = m_picture->group->patch;
  }
  if (cursorMode()) beginCursor();
  sayCell();
  update();
}

const FragmentPicture& FragmentView::picture() const {
  if (m_picture) return *m_picture;
  m_picture = fragmentPicture(m_scene, QRectF(rect()), m_fonts);
  if (auto& group = m_picture->group) {
    // The last shown columns stay if the wgmma has this many.
    if (8 * (m_patch.eight + 1) <= group->product.columns) group->patch.eight = m_patch.eight;
    group->patch = patchOf(*group, m_scene.selection);
    m_patch = group->patch;
  }
  return *m_picture;
}

void FragmentView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  paintFragments(painter, picture(), m_scene, m_theme, m_fonts);
  paintFocus(painter);
}

void FragmentView::resizeEvent(QResizeEvent*) {
  m_picture.reset();
}

void FragmentView::restyle() {
  m_picture.reset();
}

void FragmentView::beginCursor() {
  if (const auto& group = picture().group) {
    m_place.row = std::min(m_place.row, group->product.rowsOf(m_place.matrix) - 1);
    m_place.column = std::min(m_place.column, group->product.columnsOf(m_place.matrix) - 1);
    return;
  }
  const std::size_t values = picture().operands.values.size();
  if (values == 0) {
    m_cursor.reset();
  } else if (!m_cursor || *m_cursor >= values) {
    m_cursor = 0;
  }
}

void FragmentView::moveCursor(CursorMove move, int count) {
  beginCursor();
  if (picture().group) {
    for (int i = 0; i < count; ++i) m_place = moveInGroup(*picture().group, m_place, move);
    return;
  }
  for (int i = 0; m_cursor && i < count; ++i)
    m_cursor = moveInFragments(picture(), *m_cursor, move);
}

Selection FragmentView::cursorSelection() const {
  if (picture().group) return groupSelection(*picture().group, m_place);
  return m_cursor && *m_cursor < picture().operands.values.size()
             ? fragmentSelection(picture(), *m_cursor)
             : Selection();
}

QString FragmentView::cursorText() const {
  if (picture().group) return describePlace(*m_scene.recording, *picture().group, m_place);
  if (m_cursor && *m_cursor < picture().operands.values.size())
    return describeValue(picture(), *m_cursor);
  return picture().whyNone.isEmpty() ? tr("no fragments to step through") : picture().whyNone;
}

QRectF FragmentView::cursorCell() const {
  if (picture().group) return picture().group->map.cell(m_place);
  return m_cursor && *m_cursor < picture().geometry.cells() ? picture().geometry.cell(*m_cursor)
                                                            : QRectF();
}

Selection FragmentView::under(const QPointF& pixel) const {
  return picture().group ? groupUnder(*picture().group, m_scene.selection, pixel)
                         : fragmentUnder(picture(), pixel);
}

void FragmentView::mouseMoveEvent(QMouseEvent* event) {
  emit hovered(under(event->position()));
}

void FragmentView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit clicked(under(event->position()));
}

void FragmentView::leaveEvent(QEvent*) {
  emit hovered({});
}

}  // namespace tileloom
