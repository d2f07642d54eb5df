// SPDX-License-Identifier: GPL-3.0-or-later
// Which words a widget paints, and where: a paint device that draws nothing and writes down each
// text with the rectangle of its ink, what may be seen of it, and what is painted over it later.
#pragma once

#include <qcustomplot.h>

#include <QAbstractScrollArea>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPointer>
#include <QScrollBar>
#include <QTextItem>
#include <QWidget>
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

namespace tileloom::test {

struct PaintedText {
  QString text;
  QRectF ink;   // of its letters, in pixels of the window
  QRectF clip;  // the painter draws only inside it; null: it does not clip
  QFont font;
  double line = 0;    // height of a line, in pixels
  QPolygonF slanted;  // of its letters, where they are neither level nor upright
  const QWidget* widget = nullptr;
  double hidden = 0;  // the share of the ink that was filled over later
};

// How much of `one` lies in `other`, from 0 to 1.
inline double shareWithin(const QRectF& one, const QRectF& other) {
  const QRectF both = one & other;
  const double area = one.width() * one.height();
  return area <= 0 ? 0 : std::max(0.0, both.width()) * std::max(0.0, both.height()) / area;
}

// Where both have ink, to the precision of rectangles.
inline QRectF overlapOf(const PaintedText& one, const PaintedText& other) {
  if (one.slanted.isEmpty() && other.slanted.isEmpty()) return one.ink & other.ink;
  const auto shape = [](const PaintedText& text) {
    return text.slanted.isEmpty() ? QPolygonF(text.ink) : text.slanted;
  };
  return shape(one).intersected(shape(other)).boundingRect();
}

class TextRecorder : public QPaintDevice {
 public:
  explicit TextRecorder(const QSize& size)
      : m_size(size), m_engine(std::make_unique<Engine>(*this)) {}

  QPaintEngine* paintEngine() const override { return m_engine.get(); }
  const std::vector<PaintedText>& texts() const { return m_texts; }

  // All that a window shows, each widget alone, so that each text has its widget.
  void record(QWidget& window) { walk(window, window); }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    constexpr int kDotsPerInch = 96;  // as the offscreen screen, whose fonts are measured
    switch (metric) {
      case PdmWidth:
        return m_size.width();
      case PdmHeight:
        return m_size.height();
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return kDotsPerInch;
      case PdmDepth:
        return 32;
      case PdmDevicePixelRatio:
        return 1;
      default:
        return QPaintDevice::metric(metric);
    }
  }

 private:
  class Engine : public QPaintEngine {
   public:
    explicit Engine(TextRecorder& owner) : QPaintEngine(AllFeatures), m_owner(owner) {}
    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    Type type() const override { return User; }

    void drawTextItem(const QPointF& at, const QTextItem& item) override {
      m_owner.addText(*painter(), at, item);
    }
    void drawRects(const QRectF* rects, int count) override {
      for (int i = 0; i < count; ++i) m_owner.addFill(*painter(), rects[i]);
    }
    void drawRects(const QRect* rects, int count) override {
      for (int i = 0; i < count; ++i) m_owner.addFill(*painter(), rects[i]);
    }
    void drawPath(const QPainterPath& path) override {
      const QRectF all = path.boundingRect();
      const double corner = std::min({all.width(), all.height(), 12.0}) * 0.3;
      const QRectF inner = all.adjusted(corner, corner, -corner, -corner);
      // A rounded rectangle covers what a rectangle does; anything else is a picture.
      if (inner.isValid() && path.contains(inner)) m_owner.addFill(*painter(), all);
    }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
    void drawPixmap(const QRectF& place, const QPixmap& picture, const QRectF&) override {
      if (!picture.hasAlphaChannel()) m_owner.addCover(*painter(), place);
    }
    void drawImage(const QRectF& place, const QImage& picture, const QRectF&,
                   Qt::ImageConversionFlags) override {
      if (!picture.hasAlphaChannel()) m_owner.addCover(*painter(), place);
    }

   private:
    TextRecorder& m_owner;
  };

  // A widget paints in pixels of its own.
  QRectF inWindow(const QPainter& p, const QRectF& rect) const {
    return p.combinedTransform().mapRect(rect).translated(m_room.topLeft());
  }
  QRectF clipOf(const QPainter& p) const {
    if (!p.hasClipping()) return {};
    const QRectF clip = p.clipBoundingRect();
    return clip.isEmpty() ? QRectF(-1e6, -1e6, 1, 1) : inWindow(p, clip);
  }

  void addText(const QPainter& p, const QPointF& at, const QTextItem& item) {
    const QString words = item.text();
    if (words.trimmed().isEmpty() || p.pen().style() == Qt::NoPen || p.opacity() <= 0 ||
        p.pen().color().alphaF() < 0.02f)
      return;
    const QFont font = item.font();
    const QFontMetricsF metrics(font, this);
    const QRectF tight = metrics.tightBoundingRect(words).translated(at);
    const QTransform& to = p.combinedTransform();
    PaintedText added{words, inWindow(p, tight), clipOf(p), font, metrics.height(), {}, m_widget};
    if (std::abs(to.m11()) > 1e-9 && std::abs(to.m12()) > 1e-9)
      added.slanted = to.map(QPolygonF(tight)).translated(m_room.topLeft());
    // What one call has drawn in pieces is one text.
    if (!m_texts.empty()) {
      PaintedText& last = m_texts.back();
      const QPointF start = to.map(at);
      const double gap = std::max(std::abs(start.x() - m_end.x()), std::abs(start.y() - m_end.y()));
      if (last.widget == m_widget && last.font == font && gap < 0.6 && last.hidden == 0) {
        last.text += words;
        last.ink |= added.ink;
        m_end = to.map(at + QPointF(item.width(), 0));
        return;
      }
    }
    m_end = to.map(at + QPointF(item.width(), 0));
    m_texts.push_back(std::move(added));
  }

  void addFill(const QPainter& p, const QRectF& rect) {
    if (p.brush().style() == Qt::SolidPattern && p.brush().color().alphaF() * p.opacity() > 0.85)
      addCover(p, rect);
  }

  void addCover(const QPainter& p, const QRectF& rect) {
    QRectF place = inWindow(p, rect);
    if (p.hasClipping()) place &= clipOf(p);
    place &= m_room;
    for (std::size_t i = m_first; i < m_texts.size(); ++i) {
      PaintedText& text = m_texts[i];
      if (!text.ink.intersects(place)) continue;
      text.hidden = std::max(text.hidden, shareWithin(text.ink, place));
    }
  }

  void walk(QWidget& widget, QWidget& window) {
    if (!widget.isVisible() && &widget != &window) return;
    m_widget = &widget;
    m_first = m_texts.size();
    const QPoint at = widget.mapTo(&window, QPoint(0, 0));
    m_room = QRectF(at, widget.size());
    if (auto* plot = qobject_cast<QCustomPlot*>(&widget)) {
      QCPPainter p(this);
      plot->toPainter(&p, plot->width(), plot->height());
    } else if (!widget.size().isEmpty()) {
      widget.render(this, at, {}, {});
    }
    // Painting sends resize events that have waited, which may make and delete children.
    QList<QPointer<QWidget>> inner;
    for (QObject* child : widget.children()) inner << qobject_cast<QWidget*>(child);
    for (const QPointer<QWidget>& child : inner) {
      if (child != nullptr && !child->isWindow()) walk(*child, window);
    }
  }

  QSize m_size;
  std::unique_ptr<Engine> m_engine;
  std::vector<PaintedText> m_texts;
  const QWidget* m_widget = nullptr;
  std::size_t m_first = 0;  // of the widget's texts
  QRectF m_room;            // of the widget
  QPointF m_end;            // of the last text
};

// The span, along each axis, in which words of a widget are seen, and whether a bar scrolls to the
// rest.
struct Sighted {
  QRectF place;
  bool scrollsAcross = false, scrollsDown = false;
};

inline Sighted sightOf(const QWidget& widget, const QWidget& window) {
  Sighted seen{QRectF(widget.mapTo(&window, QPoint(0, 0)), widget.size())};
  for (const QWidget* w = &widget; w != nullptr && w != &window; w = w->parentWidget()) {
    const QRectF place(w->mapTo(&window, QPoint(0, 0)), w->size());
    seen.place &= place;
    const auto* area = qobject_cast<const QAbstractScrollArea*>(w->parentWidget());
    if (area == nullptr) continue;
    // A widget at the edge of a scroll area, such as the header of a table, moves with it.
    if (const auto* table = qobject_cast<const QAbstractScrollArea*>(area->parentWidget());
        table != nullptr && area->viewport() == w && table->viewport() != area)
      area = table;
    const auto scrolls = [](const QScrollBar* bar, Qt::ScrollBarPolicy policy) {
      return policy != Qt::ScrollBarAlwaysOff && bar->maximum() > bar->minimum();
    };
    seen.scrollsAcross |= scrolls(area->horizontalScrollBar(), area->horizontalScrollBarPolicy());
    seen.scrollsDown |= scrolls(area->verticalScrollBar(), area->verticalScrollBarPolicy());
  }
  seen.place &= QRectF(window.rect());
  return seen;
}

}  // namespace tileloom::test
