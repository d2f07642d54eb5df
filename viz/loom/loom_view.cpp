// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/loom_view.h"

#include <QApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>
#include <utility>

#include "kernels/analysis/recording.h"
#include "viz/loom/loom_hints.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/loom_painter.h"
#include "viz/loom/loom_words.h"

namespace tileloom {
namespace {

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
  m_flight.setStartValue(0.0);
  m_flight.setEndValue(1.0);
  m_flight.setEasingCurve(QEasingCurve::InOutCubic);
  connect(&m_flight, &QVariantAnimation::valueChanged, this,
          [this](const QVariant& v) { setCamera(between(m_from, m_to, v.toDouble())); });
}

void LoomView::setScene(const Scene& scene) {
  m_contents = loomContents(scene, m_scene.ready() ? &m_contents : nullptr, &m_scene);
  m_scene = scene;
  if (m_scene.ready()) {
    refresh();
    sayCell();
  }
  update();
}

void LoomView::refresh() {
  m_frame = LoomFrame::of(QRectF(rect()), m_fonts, loomAspect(m_scene));
  if (!m_scene.ready()) return;
  m_input = loomInput(m_scene, m_contents.slabs, m_frame.viewport, m_fonts);
  // A flight that began over another kernel ends at the place of this one.
  if (m_flight.state() != QAbstractAnimation::Stopped) {
    m_to = cameraFor(m_level);
  } else if (!m_free) {
    m_camera = cameraFor(m_level);
  }
  m_geometry = LoomGeometry(m_input, m_camera);
}

LoomCamera LoomView::cameraFor(Level level) const {
  return LoomGeometry::fit(m_input, level);
}

void LoomView::zoomTo(Level level, bool animated, int ms) {
  m_free = false;
  if (std::exchange(m_level, level) != level) emit levelChanged(level);
  if (!m_scene.ready()) return;  // the first scene is shown at this level
  m_from = m_camera;
  m_to = cameraFor(level);
  m_flight.stop();
  if (animated && !m_still && isVisible()) {
    m_flight.setDuration(ms);
    m_flight.start();
  } else {
    setCamera(m_to);
  }
}

void LoomView::holdFlight(int ms) {
  if (m_flight.state() == QAbstractAnimation::Stopped) return;
  m_flight.pause();
  m_flight.setCurrentTime(std::min(ms, m_flight.duration()));  // it stops at its end
}

void LoomView::setCamera(const LoomCamera& camera) {
  m_camera = camera;
  m_geometry = LoomGeometry(m_input, m_camera);
  // Zooming by hand comes to levels, too.
  if (m_free && m_geometry.level() != m_level) emit levelChanged(m_level = m_geometry.level());
  update();
}

void LoomView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (!m_scene.ready()) return;
  paintLoom(painter, m_frame, m_geometry, m_scene, m_contents, m_theme, m_fonts);
  if (m_hinted)
    paintLoomHints(painter, loomHints(m_scene, m_geometry, m_frame, m_fonts), m_theme, m_fonts);
  paintFocus(painter);
}

void LoomView::resizeEvent(QResizeEvent*) {
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

void LoomView::setHinted(bool hinted) {
  if (hinted == m_hinted) return;
  m_hinted = hinted;
  if (!hinted) emit hintsPutAway();
  update();
}

QString LoomView::hintsWithoutRoom() const {
  if (!m_scene.ready() || !loomHints(m_scene, m_geometry, m_frame, m_fonts).empty()) return {};
  QStringList words;
  for (const LoomHint& hint : unplacedLoomHints(m_scene, m_geometry))
    words += QStringLiteral("<p><b>%1</b><br>%2</p>")
                 .arg(hint.title.toHtmlEscaped(), hint.words.toHtmlEscaped());
  return words.join(QString());
}

void LoomView::mousePressEvent(QMouseEvent* event) {
  setHinted(false);
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
  setCursor(crumbUnder(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
  emit hovered(under(event->position()));
}

std::optional<LoomLevel> LoomView::crumbUnder(const QPointF& pixel) const {
  if (!m_frame.header.contains(pixel)) return std::nullopt;
  const QRectF room = trailRoom(m_frame, m_scene, m_geometry.level(), m_fonts);
  return crumbAt(loomTrail(m_scene, room, m_geometry.level(), m_fonts), pixel);
}

void LoomView::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_scene.ready() || event->button() != Qt::LeftButton || m_dragging) return;
  if (const auto level = crumbUnder(event->position())) return zoomTo(*level);
  // The header and the legend cover matrices that reach below them.
  if (!m_frame.viewport.contains(event->position())) return;
  const auto element = m_geometry.elementAt(event->position());
  if (m_geometry.nearness() < 0.5 && element && element->matrix == analysis::Matrix::C &&
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
  refresh();
}

Selection LoomView::under(const QPointF& pixel) const {
  Selection selection;
  if (!m_frame.viewport.contains(pixel)) return selection;
  const ThreadPanel thread = panel();
  if (thread.shown() && thread.area.contains(pixel)) {
    selection.element = thread.elementAt(pixel);
    // A fragment is that of the shown thread, which stays the shown one.
    if (selection.element) selection.thread = thread.holderOf(*selection.element);
    return selection;
  }
  const auto element = m_geometry.elementAt(pixel);
  if (!element) return selection;
  if (element->matrix == analysis::Matrix::C &&
      !m_scene.recording->map.c.contains(element->row, element->column)) {
    return selection;
  }
  selection.element = element;
  return selection;
}

}  // namespace tileloom
