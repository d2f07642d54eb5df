// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/path_view.h"

#include <QCoreApplication>
#include <QMouseEvent>
#include <QPainter>

#include "viz/base/text/wrapped_text.h"
#include "viz/memory/bank_picture.h"
#include "viz/memory/describe_word.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::MemoryPath)
};

void paintNothing(QPainter& painter, const Scene& scene, const QRectF& canvas, const Theme& theme,
                  const Fonts& fonts) {
  if (!scene.ready()) return;
  painter.setFont(fonts.body);
  painter.setPen(theme.soft);
  const QString why = bankMoment(scene) != nullptr
                          ? Words::tr(
                                "The recording does not know which elements of A, B or C this "
                                "access moves: the page Memory access shows its words.")
                          : Words::tr(
                                "This warp has moved nothing yet: play on, or choose a warp that "
                                "issues TMA copies or multiplies.");
  drawWrapped(painter, canvas.adjusted(16, 16, -16, -16), Qt::AlignCenter, why);
}

}  // namespace

void paintMemoryPath(QPainter& painter, const Scene& scene, const QRectF& canvas,
                     const Theme& theme, const Fonts& fonts) {
  if (const auto chunks = chunkPicture(scene, canvas, fonts)) {
    paintChunks(painter, *chunks, scene, theme, fonts);
  } else if (const auto path = pathPicture(scene, canvas, fonts)) {
    paintPath(painter, *path, scene, theme, fonts);
  } else {
    paintNothing(painter, scene, canvas, theme, fonts);
  }
}

PathView::PathView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setAccessibleName(
      tr("Memory path: sectors, shared-memory words, wavefronts and registers of one access"));
}

void PathView::setScene(const Scene& scene) {
  // Hovering and arithmetic instructions change no access, but may change the shown chunks.
  const bool chunks =
      scene.ready() && (scene.moment.box || scene.recording->trace.features().warpgroupMma);
  const bool same = m_picture && !chunks && scene.recording == m_scene.recording && scene.access &&
                    m_scene.access && scene.access->warp == m_scene.access->warp &&
                    scene.access->index == m_scene.access->index;
  m_scene = scene;
  if (!isVisible()) {
    m_picture.reset();
    m_chunks.reset();
    return;
  }
  if (!same) layOut();
  sayCell();
  update();
}

void PathView::layOut() {
  const auto before = m_chunks ? m_chunks->shown : std::nullopt;
  m_chunks = chunkPicture(m_scene, QRectF(rect()), m_fonts, before);
  m_picture = m_chunks ? std::nullopt : pathPicture(m_scene, QRectF(rect()), m_fonts);
  if (m_chunks) {
    m_cursor.reset();
    if (m_at && (m_at->grid >= m_chunks->grids.size() || cursorCell().isEmpty())) m_at.reset();
    if (cursorMode()) beginCursor();
    return;
  }
  m_at.reset();
  // Another access may have fewer values, and a smaller room fewer columns.
  const bool stands = m_picture && m_cursor &&
                      m_cursor->column < m_picture->geometry.columns().size() &&
                      m_cursor->value < m_picture->path.values.size() && !cursorCell().isEmpty();
  if (stands) return;
  m_cursor.reset();
  if (cursorMode()) beginCursor();
}

void PathView::resizeEvent(QResizeEvent*) {
  layOut();
}

void PathView::showEvent(QShowEvent* event) {
  CellView::showEvent(event);
  layOut();
}

void PathView::restyle() {
  layOut();
}

void PathView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (m_chunks) {
    paintChunks(painter, *m_chunks, m_scene, m_theme, m_fonts);
  } else if (m_picture) {
    paintPath(painter, *m_picture, m_scene, m_theme, m_fonts);
  } else {
    paintNothing(painter, m_scene, QRectF(rect()), m_theme, m_fonts);
  }
  paintFocus(painter);
}

Selection PathView::selectionOf(const PathCell& cell) const {
  Selection s;
  const analysis::MemoryPath::Value& v = m_picture->path.values[cell.value];
  // A lane selects all of its values; any other place selects one value.
  s.thread = m_scene.access->warp * emulator::kWarpSize + v.lane;
  if (m_picture->geometry.columns()[cell.column].station != PathGeometry::Station::Lanes)
    s.element = v.element;
  return s;
}

Selection PathView::under(const QPointF& pixel) const {
  if (m_chunks) {
    const auto cell = m_chunks->at(pixel);
    return cell ? chunkSelection(m_scene, *m_chunks, *cell) : Selection();
  }
  if (!m_picture) return {};
  const auto& columns = m_picture->geometry.columns();
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const PathGeometry::Column& column = columns[c];
    if (!column.body.contains(pixel)) continue;
    for (std::size_t i = 0; i < m_picture->path.values.size(); ++i) {
      const analysis::MemoryPath::Value& v = m_picture->path.values[i];
      const QRectF cell = m_picture->geometry.of(column, v);
      const QRectF wide = column.station == PathGeometry::Station::Lanes
                              ? m_picture->geometry.row(column, v.lane)
                              : cell;
      if (wide.contains(pixel)) return selectionOf({c, i});
    }
  }
  return {};
}

void PathView::beginCursor() {
  if (!(m_chunks ? m_at.has_value() : m_cursor.has_value())) moveCursor(CursorMove::Next, 1);
}

void PathView::moveCursor(CursorMove move, int count) {
  if (m_chunks) m_at = moveInChunks(*m_chunks, m_at, move, count);
  if (m_picture) m_cursor = moveInPath(m_picture->geometry, m_picture->path, m_cursor, move, count);
}

Selection PathView::cursorSelection() const {
  if (m_chunks && m_at) return chunkSelection(m_scene, *m_chunks, *m_at);
  return m_picture && m_cursor ? selectionOf(*m_cursor) : Selection();
}

QString PathView::cursorText() const {
  if (m_chunks && m_at) return describeChunk(m_scene, *m_chunks, *m_at);
  if (!m_picture || !m_cursor) return tr("no access to step through");
  return describePathCell(m_scene, m_picture->path,
                          m_picture->geometry.columns()[m_cursor->column].station,
                          m_picture->path.values[m_cursor->value]);
}

QRectF PathView::cursorCell() const {
  if (m_chunks && m_at) {
    const ChunkPicture::Grid& grid = m_chunks->grids[m_at->grid];
    const auto& chunks = m_chunks->paths[grid.path].chunks;
    return m_at->chunk < chunks.size() ? m_chunks->cellOf(grid, chunks[m_at->chunk]) : QRectF();
  }
  if (!m_picture || !m_cursor) return {};
  return m_picture->geometry.of(m_picture->geometry.columns()[m_cursor->column],
                                m_picture->path.values[m_cursor->value]);
}

void PathView::mouseMoveEvent(QMouseEvent* event) {
  emit hovered(under(event->position()));
}
void PathView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit clicked(under(event->position()));
}
void PathView::leaveEvent(QEvent*) {
  emit hovered({});
}

}  // namespace tileloom
