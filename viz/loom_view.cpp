// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom_view.h"

#include <QApplication>
#include <QEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>

namespace tileloom {
namespace {

constexpr int kFlightMs = 220;
constexpr double kClosest = 120.0;  // pixels an element of C

// Interpolates scale geometrically, and the centre so that the path looks straight.
LoomCamera between(const LoomCamera& from, const LoomCamera& to, double t) {
  LoomCamera camera;
  camera.scale = from.scale * std::pow(to.scale / from.scale, t);
  const double ratio = to.scale / from.scale;
  const double share =
      std::abs(ratio - 1.0) < 1e-3 ? t : (1.0 - std::pow(ratio, -t)) / (1.0 - 1.0 / ratio);
  camera.centre = from.centre + (to.centre - from.centre) * share;
  return camera;
}

}  // namespace

LoomView::LoomView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Loom: matrices A, B and C with block, warp and thread tiles"));
  m_flight.setDuration(kFlightMs);
  m_flight.setStartValue(0.0);
  m_flight.setEndValue(1.0);
  m_flight.setEasingCurve(QEasingCurve::InOutCubic);
  connect(&m_flight, &QVariantAnimation::valueChanged, this,
          [this](const QVariant& v) { setCamera(between(m_from, m_to, v.toDouble())); });
}

void LoomView::setScene(const Scene& scene) {
  const bool newRecording = scene.recording != m_scene.recording;
  const bool newImage = newRecording || scene.moment.warp != m_scene.moment.warp;
  m_scene = scene;
  if (m_scene.ready()) {
    if (newImage || m_ownership.isNull()) m_ownership = ownershipImage(m_scene, m_theme);
    refresh();
    sayCell();
  }
  update();
}

void LoomView::refresh() {
  m_frame = LoomFrame::of(QRectF(rect()), m_fonts);
  if (!m_scene.ready()) return;
  m_input = loomInput(m_scene, m_frame.viewport, m_fonts);
  if (!m_free && m_flight.state() != QAbstractAnimation::Running) m_camera = cameraFor(m_level);
  m_geometry = LoomGeometry(m_input, m_camera);
}

LoomCamera LoomView::cameraFor(Level level) const {
  const auto& map = m_scene.recording->map;
  switch (level) {
    case Level::Grid:
      return LoomGeometry::fitGrid(m_input);
    case Level::Block:
      return LoomGeometry::fitBlock(m_input);
    case Level::Warp:
      return LoomGeometry::fitRegion(m_input, map.warps[m_scene.moment.warp]);
    case Level::Thread:
      break;
  }
  const auto& stamps = map.stamps[m_scene.shownThread()];
  if (stamps.empty()) return LoomGeometry::fitBlock(m_input);
  // Some of the neighbourhood stays in view.
  analysis::Region near = stamps.front();
  near.row -= near.rows / 2 + 1;
  near.rows += near.rows + 2;
  near.column -= near.columns / 2 + 1;
  near.columns += near.columns + 2;
  return LoomGeometry::fitRegion(m_input, near);
}

void LoomView::zoomTo(Level level, bool animated) {
  if (!m_scene.ready()) return;
  m_level = level;
  m_free = false;
  m_from = m_camera;
  m_to = cameraFor(level);
  m_flight.stop();
  if (animated && !m_still && isVisible()) {
    m_flight.start();
  } else {
    setCamera(m_to);
  }
}

void LoomView::setCamera(const LoomCamera& camera) {
  m_camera = camera;
  m_geometry = LoomGeometry(m_input, m_camera);
  update();
}

void LoomView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (!m_scene.ready()) return;
  paintLoom(painter, m_frame, m_geometry, m_scene, m_ownership, m_theme, m_fonts);
  paintFocus(painter);
}

void LoomView::resizeEvent(QResizeEvent*) {
  m_flight.stop();
  refresh();
}

void LoomView::wheelEvent(QWheelEvent* event) {
  if (!m_scene.ready()) return;
  m_flight.stop();
  const double steps = event->angleDelta().y() / 120.0;
  const double least = 0.7 * LoomGeometry::fitGrid(m_input).scale;
  // The tile of a tiny block fills the view at more than the usual limit.
  const double closest = std::max(kClosest, 2.0 * LoomGeometry::fitBlock(m_input).scale);
  LoomCamera camera = m_camera;
  camera.scale = std::clamp(camera.scale * std::pow(1.25, steps), least, std::max(least, closest));
  // The point under the mouse stays under it.
  const QPointF at = event->position() - m_input.viewport.center();
  camera.centre += at / m_camera.scale - at / camera.scale;
  m_free = true;
  setCamera(camera);
  event->accept();
}

void LoomView::mousePressEvent(QMouseEvent* event) {
  m_pressed = m_last = event->position();
  m_dragging = false;
}

void LoomView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_scene.ready()) return;
  if ((event->buttons() & Qt::LeftButton) != 0) {
    if ((event->position() - m_pressed).manhattanLength() > QApplication::startDragDistance()) {
      m_dragging = true;
    }
    if (m_dragging) {
      m_flight.stop();
      m_free = true;
      LoomCamera camera = m_camera;
      camera.centre -= (event->position() - m_last) / m_camera.scale;
      setCamera(camera);
    }
    m_last = event->position();
    return;
  }
  emit hovered(under(event->position()));
}

void LoomView::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_scene.ready() || event->button() != Qt::LeftButton || m_dragging) return;
  const auto element = m_geometry.elementAt(event->position());
  if (element && element->matrix == analysis::Matrix::C &&
      !m_scene.recording->map.c.contains(element->row, element->column)) {
    emit blockChosen(static_cast<int>(element->row), static_cast<int>(element->column));
    return;
  }
  emit clicked(under(event->position()));
}

void LoomView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!m_scene.ready() || event->button() != Qt::LeftButton) return;
  const double now = m_camera.scale;
  zoomTo(now < 1.3 * LoomGeometry::fitBlock(m_input).scale ? Level::Warp : Level::Block);
}

void LoomView::leaveEvent(QEvent*) {
  emit hovered({});
}

void LoomView::restyle() {
  if (m_scene.ready()) m_ownership = ownershipImage(m_scene, m_theme);
  refresh();
}

Selection LoomView::under(const QPointF& pixel) const {
  Selection selection;
  const auto element = m_geometry.elementAt(pixel);
  if (!element || !m_frame.viewport.contains(pixel)) return selection;
  if (element->matrix == analysis::Matrix::C &&
      !m_scene.recording->map.c.contains(element->row, element->column)) {
    return selection;
  }
  selection.element = element;
  return selection;
}

}  // namespace tileloom
