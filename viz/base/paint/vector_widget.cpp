// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/vector_widget.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>
#include <cmath>
#include <vector>

namespace tileloom {
namespace {

constexpr int kDotsPerInch = 96;
constexpr auto kOwnType = static_cast<QPaintEngine::Type>(QPaintEngine::User + 1);

// Forwards everything to another painter, positioned at the widget. `room` is the part of the
// widget that its parents show, in the widget's coordinates.
class HandingOn : public QPaintEngine {
 public:
  HandingOn(QPainter& onto, const QRect& room)
      : QPaintEngine(AllFeatures), m_onto(onto), m_base(onto.transform()), m_room(room) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return kOwnType; }

  void updateState(const QPaintEngineState& next) override {
    const DirtyFlags changed = next.state();
    if (changed & DirtyTransform) m_transform = next.transform();
    if (changed & DirtyPen) m_onto.setPen(scaled(next.pen()));
    if (changed & DirtyBrush) m_onto.setBrush(next.brush());
    if (changed & DirtyBrushOrigin) m_onto.setBrushOrigin(next.brushOrigin());
    if (changed & DirtyOpacity) m_onto.setOpacity(next.opacity());
    if (changed & DirtyBackground) m_onto.setBackground(next.backgroundBrush());
    if (changed & DirtyBackgroundMode) m_onto.setBackgroundMode(next.backgroundMode());
    if (changed & DirtyHints) {
      m_onto.setRenderHints(m_onto.renderHints(), false);
      m_onto.setRenderHints(next.renderHints() | QPainter::LosslessImageRendering);
    }
    if (changed & DirtyClipEnabled) {
      m_clipped = next.isClipEnabled();
      m_stale = true;
    }
    if (changed & DirtyClipRegion) {
      QPainterPath path;
      path.addRegion(next.clipRegion());
      clip(path, next.clipOperation());
    }
    if (changed & DirtyClipPath) clip(next.clipPath(), next.clipOperation());
  }

  void drawPath(const QPainterPath& path) override {
    arrange();
    m_onto.drawPath(path);
  }
  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    arrange();
    switch (mode) {
      case PolylineMode:
        return m_onto.drawPolyline(points, count);
      case ConvexMode:
        return m_onto.drawConvexPolygon(points, count);
      case OddEvenMode:
        return m_onto.drawPolygon(points, count, Qt::OddEvenFill);
      case WindingMode:
        return m_onto.drawPolygon(points, count, Qt::WindingFill);
    }
  }
  using QPaintEngine::drawPolygon;
  void drawRects(const QRectF* rects, int count) override {
    arrange();
    m_onto.drawRects(rects, count);
  }
  using QPaintEngine::drawRects;
  void drawLines(const QLineF* lines, int count) override {
    arrange();
    m_onto.drawLines(lines, count);
  }
  using QPaintEngine::drawLines;
  void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override {
    arrange();
    m_onto.drawPixmap(to, pixmap, from);
  }
  void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                 Qt::ImageConversionFlags flags) override {
    arrange();
    m_onto.drawImage(to, image, from, flags);
  }
  void drawTiledPixmap(const QRectF& to, const QPixmap& pixmap, const QPointF& from) override {
    arrange();
    m_onto.drawTiledPixmap(to, pixmap, from);
  }
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    arrange();
    QFont font = item.font();
    // Qt draws these lines itself.
    font.setUnderline(false);
    font.setOverline(false);
    font.setStrikeOut(false);
    font.setResolveMask(QFont::AllPropertiesResolved);  // else the device's font is mixed in
    m_onto.setFont(font);
    m_onto.drawText(at, item.text());
  }

 private:
  // A hairline ignores the scale: in a small picture it has to be thinner, too.
  QPen scaled(QPen pen) const {
    if (!pen.isCosmetic()) return pen;
    const double scale = std::sqrt(std::abs(m_base.determinant()));
    pen.setWidthF((pen.widthF() > 0 ? pen.widthF() : 1) * scale);
    pen.setCosmetic(true);
    return pen;
  }

  void clip(const QPainterPath& path, Qt::ClipOperation operation) {
    m_clipped = operation != Qt::NoClip;
    if (operation != Qt::IntersectClip) m_clips.clear();
    if (m_clipped) m_clips.push_back(m_transform.map(path));
    m_stale = true;
  }

  // Gives the other painter this one's clip and transformation.
  void arrange() {
    if (m_stale) {
      m_stale = false;
      m_onto.setTransform(m_base);
      m_onto.setClipRect(m_room, Qt::ReplaceClip);
      for (const QPainterPath& each : m_clipped ? m_clips : std::vector<QPainterPath>())
        m_onto.setClipPath(each, Qt::IntersectClip);
    }
    m_onto.setTransform(m_transform * m_base);
  }

  QPainter& m_onto;
  QTransform m_base, m_transform;
  QRect m_room;
  std::vector<QPainterPath> m_clips;
  bool m_clipped = false, m_stale = true;
};

// As large as the widget, for an engine that needs no pixels.
class Glass : public QPaintDevice {
 public:
  Glass(HandingOn& engine, const QSize& size) : m_engine(engine), m_size(size) {}
  QPaintEngine* paintEngine() const override { return &m_engine; }

 protected:
  int metric(PaintDeviceMetric which) const override {
    switch (which) {
      case PdmWidth:
        return m_size.width();
      case PdmHeight:
        return m_size.height();
      case PdmWidthMM:
        return qRound(m_size.width() * 25.4 / kDotsPerInch);
      case PdmHeightMM:
        return qRound(m_size.height() * 25.4 / kDotsPerInch);
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return kDotsPerInch;
      case PdmNumColors:
        return 0;
      case PdmDepth:
        return 24;
      // QPaintDevice's default prints a warning.
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return qRound(devicePixelRatioFScale());
      default:
        return QPaintDevice::metric(which);
    }
  }

 private:
  HandingOn& m_engine;
  QSize m_size;
};

// A chart caches its picture as pixels and paints those: here it has to repaint.
class ChartsAnew : public QObject {
 public:
  explicit ChartsAnew(QWidget& widget) {
    for (auto* chart : widget.findChildren<QCustomPlot*>()) chart->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    auto* chart = qobject_cast<QCustomPlot*>(watched);
    if (chart == nullptr || event->type() != QEvent::Paint) return false;
    QCPPainter painter(chart);
    if (!paintsVectors(painter)) return false;
    painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    chart->toPainter(&painter, chart->width(), chart->height());
    return true;
  }
};

// Paints the widget and its children. Qt can paint them in one call, but it relies on a raster
// engine to clip each at its parents, and restores the clip at the wrong place for every other
// engine.
void paintTree(QPainter& onto, QWidget& widget, const QRect& room, QWidget::RenderFlags flags) {
  onto.save();
  {
    HandingOn engine(onto, room);
    Glass glass(engine, widget.size());
    QPainter painter(&glass);
    widget.render(&painter, {}, {}, flags);
  }
  onto.restore();
  for (QObject* each : widget.children()) {
    auto* child = qobject_cast<QWidget*>(each);
    if (child == nullptr || child->isWindow() || !child->isVisible()) continue;
    const QRect inside = room.intersected(child->geometry()).translated(-child->pos());
    if (inside.isEmpty()) continue;
    onto.save();
    onto.translate(child->pos());
    paintTree(onto, *child, inside, {});
    onto.restore();
  }
}

}  // namespace

void paintVectors(QPainter& onto, QWidget& widget) {
  const ChartsAnew charts(widget);
  paintTree(onto, widget, widget.rect(), QWidget::DrawWindowBackground);
}

bool paintsVectors(const QPainter& painter) {
  return painter.paintEngine() != nullptr && painter.paintEngine()->type() == kOwnType;
}

}  // namespace tileloom
