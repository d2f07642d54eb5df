// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/svg_canvas.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontInfo>
#include <QGlyphRun>
#include <QHash>
#include <QImage>
#include <QLinearGradient>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <QRawFont>
#include <QSet>
#include <QTextLayout>
#include <cmath>
#include <optional>
#include <vector>

#include "viz/base/paint/svg_path.h"
#include "viz/base/text/colour_names.h"
#include "viz/base/text/figure_notes.h"

namespace tileloom {
namespace {

constexpr int kSvgDots = 96;      // an inch, as screens: fonts in points keep their size
constexpr double kSlack = 0.011;  // of the last digit that is written

QByteArray quoted(const QString& text) {
  return text.toHtmlEscaped().toUtf8();
}

QByteArray attribute(const char* name, const QByteArray& value) {
  return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray attribute(const char* name, double value) {
  return attribute(name, svgNumber(value));
}

QByteArray matrixOf(const QTransform& t) {
  QByteArray all = "matrix(";
  for (const double n : {t.m11(), t.m12(), t.m21(), t.m22(), t.dx(), t.dy()}) {
    if (all.back() != '(') all += ' ';
    all += QByteArray::number(n, 'g', 7);
  }
  return all + ')';
}

QByteArray encodedPng(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes.toBase64();
}

// How much of the area a brush of dots covers.
double densityOf(Qt::BrushStyle style) {
  constexpr double kCovers[] = {1, 0.94, 0.88, 0.63, 0.5, 0.37, 0.12, 0.06};
  return style >= Qt::Dense1Pattern && style <= Qt::Dense7Pattern
             ? kCovers[style - Qt::Dense1Pattern + 1]
             : 1.0;
}

// The lines of a brush, in a square of 8; a null path: it has none.
QByteArray linesOf(Qt::BrushStyle style) {
  const QByteArray rising = "M-1 1l2 -2M0 8l8 -8M7 9l2 -2", falling = "M-1 7l2 2M0 0l8 8M7 -1l2 2";
  const QByteArray across = "M0 4h8", upright = "M4 0v8";
  switch (style) {
    case Qt::BDiagPattern:
      return rising;
    case Qt::FDiagPattern:
      return falling;
    case Qt::DiagCrossPattern:
      return rising + falling;
    case Qt::HorPattern:
      return across;
    case Qt::VerPattern:
      return upright;
    case Qt::CrossPattern:
      return across + upright;
    default:
      return {};
  }
}

}  // namespace

// Everything is written in canvas coordinates, without transformations, so that drawing programs
// show the true position of each element.
class SvgCanvas::Engine : public QPaintEngine {
 public:
  explicit Engine(const SvgSetup& setup)
      : QPaintEngine(PaintEngineFeatures(AllFeatures) &
                     ~PaintEngineFeatures(PerspectiveTransform | ConicalGradientFill |
                                          RadialGradientFill | PorterDuff | BlendModes |
                                          RasterOpModes)),
        setup_(setup),
        names_(setup.theme) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return SVG; }

  QByteArray document() const {
    const QByteArray wide = svgNumber(setup_.size.width()), high = svgNumber(setup_.size.height());
    QByteArray all =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"" +
        attribute("width", wide) + attribute("height", high) +
        attribute("viewBox", "0 0 " + wide + ' ' + high) +
        " fill=\"none\" stroke-linecap=\"square\" stroke-linejoin=\"bevel\" "
        "fill-rule=\"evenodd\">\n";
    all += "<title>" + quoted(setup_.title) + "</title>\n";
    all += "<desc>" + quoted(notes()) + "</desc>\n";
    all += "<style type=\"text/css\">\n" + styles() + "</style>\n";
    if (!defs_.isEmpty()) all += "<defs>\n" + defs_ + "</defs>\n";
    all += body_;
    if (!openLook_.isEmpty()) all += "</g>\n";
    if (!openClip_.isEmpty()) all += "</g>\n";
    return all + "</svg>\n";
  }

  void updateState(const QPaintEngineState& next) override {
    const DirtyFlags changed = next.state();
    if (changed & DirtyTransform) transform_ = next.transform();
    if (changed & DirtyPen) pen_ = next.pen();
    if (changed & DirtyBrush) brush_ = next.brush();
    if (changed & DirtyBrushOrigin) origin_ = next.brushOrigin();
    if (changed & DirtyOpacity) opacity_ = next.opacity();
    if (changed & DirtyHints) smooth_ = next.renderHints().testFlag(QPainter::Antialiasing);
    if (changed & DirtyClipEnabled) clipped_ = next.isClipEnabled();
    if (changed & DirtyClipRegion) {
      QPainterPath path;
      path.addRegion(next.clipRegion());
      clip(path, next.clipOperation());
    }
    if (changed & DirtyClipPath) clip(next.clipPath(), next.clipOperation());
  }

  void drawPath(const QPainterPath& path) override {
    const QPainterPath mapped = transform_.map(path);
    if (rectangle(path, mapped)) return;
    const QByteArray rule =
        path.fillRule() == Qt::WindingFill && filled() ? QByteArray(" fill-rule=\"nonzero\"") : "";
    emitPath(mapped, fillOf() + strokeOf() + rule);
  }

  void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
    if (count < 1) return;
    QPainterPath path(transform_.map(points[0]));
    for (int i = 1; i < count; ++i) path.lineTo(transform_.map(points[i]));
    if (mode == PolylineMode) return emitPath(path, strokeOf());
    path.closeSubpath();
    emitPath(path, fillOf() + strokeOf() +
                       (mode == WindingMode && filled() ? " fill-rule=\"nonzero\"" : ""));
  }
  using QPaintEngine::drawPolygon;

  void drawRects(const QRectF* rects, int count) override {
    for (int i = 0; i < count; ++i) {
      QPainterPath path;
      path.addRect(rects[i]);
      drawPath(path);
    }
  }
  using QPaintEngine::drawRects;

  void drawLines(const QLineF* lines, int count) override {
    QPainterPath path;
    for (int i = 0; i < count; ++i) {
      path.moveTo(transform_.map(lines[i].p1()));
      path.lineTo(transform_.map(lines[i].p2()));
    }
    emitPath(path, strokeOf());
  }
  using QPaintEngine::drawLines;

  void drawPixmap(const QRectF& to, const QPixmap& pixmap, const QRectF& from) override {
    drawImage(to, pixmap.toImage(), from, Qt::AutoColor);
  }
  void drawTiledPixmap(const QRectF& to, const QPixmap& pixmap, const QPointF& from) override {
    QImage tiled(to.size().toSize(), QImage::Format_ARGB32_Premultiplied);
    tiled.fill(Qt::transparent);
    QPainter painter(&tiled);
    painter.drawTiledPixmap(tiled.rect(), pixmap, from.toPoint());
    painter.end();
    drawImage(to, tiled, QRectF(tiled.rect()), Qt::AutoColor);
  }
  void drawImage(const QRectF& to, const QImage& image, const QRectF& from,
                 Qt::ImageConversionFlags) override {
    const QRectF place = transform_.mapRect(to);
    if (!clipFor(place)) return;
    ++images_;
    write(opacity("opacity", opacity_),
          "<image" + attribute("x", place.x()) + attribute("y", place.y()) +
              attribute("width", place.width()) + attribute("height", place.height()) +
              " preserveAspectRatio=\"none\" xlink:href=\"data:image/png;base64," +
              encodedPng(image.copy(from.toAlignedRect())) + "\"/>\n");
  }

  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    if (pen_.style() == Qt::NoPen || item.text().trimmed().isEmpty()) return;
    const QRectF room(at.x() - 2, at.y() - item.ascent() - 2, item.width() + 4,
                      item.ascent() + item.descent() + 4);
    if (!clipFor(transform_.mapRect(room))) return;
    const bool turned = transform_.type() > QTransform::TxTranslate;
    const QPointF start = turned ? at : transform_.map(at);
    const QByteArray look = classOf(pen_.color(), "") +
                            (turned ? attribute("transform", matrixOf(transform_)) : QByteArray());
    if (setup_.text) {
      writeText(start, item, look);
    } else {
      writeGlyphs(start, item, look);
    }
  }

 private:
  // The description in the file.
  QString notes() const {
    QStringList all;
    if (!setup_.description.isEmpty()) all += setup_.description;
    if (const QString colours = colourNote(names_); !colours.isEmpty()) all += colours;
    all += styleNote();
    all += pixelNote(images_);
    return all.join(u'\n');
  }

  QByteArray styles() const {
    QByteArray all;
    for (const ColourNames::Line& line : names_.used()) {
      const QByteArray name = line.name.name.toLatin1(), colour = line.colour.name().toLatin1();
      QByteArray rules;
      const auto rule = [&](const char* kind, const char* property) {
        // An unused base is still listed above its shades.
        const bool base = line.name.share >= 1 && *kind == 0;
        if (!base && !classes_.contains(name + kind)) return;
        rules += (rules.isEmpty() ? "." : " .") + name + kind + '{' + property + ':' + colour + '}';
      };
      rule("", "fill");
      rule("-line", "stroke");
      rule("-stop", "stop-color");
      all += (line.name.share >= 1 ? "" : "  ") + rules + '\n';
    }
    return all + ".crisp{shape-rendering:crispEdges}\n";
  }

  bool filled() const { return brush_.style() != Qt::NoBrush; }

  QByteArray named(const QColor& colour, const char* kind) {
    QByteArray name = names_.of(colour).name.toLatin1() + kind;
    classes_.insert(name);
    return name;
  }
  // The class of a colour, and its opacity. `kind` is "", "-line" or "-stop".
  QByteArray classOf(const QColor& colour, const char* kind) {
    return attribute("class", named(colour, kind));
  }
  double alphaOf(const QColor& colour) const {
    return static_cast<double>(colour.alphaF()) * opacity_;
  }
  QByteArray opacity(const char* name, double alpha) const {
    return alpha < 0.9995 ? attribute(name, QByteArray::number(alpha, 'g', 3)) : QByteArray();
  }

  // The classes of fill and stroke are one attribute.
  QByteArray fillOf() {
    fillClass_.clear();
    if (!filled()) return {};
    if (brush_.style() == Qt::LinearGradientPattern)
      return attribute("fill", "url(#" + gradient() + ')');
    if (const QByteArray lines = linesOf(brush_.style()); !lines.isEmpty())
      return attribute("fill", "url(#" + pattern(lines) + ')');
    QColor colour = brush_.color();
    if (brush_.gradient() != nullptr && !brush_.gradient()->stops().isEmpty())
      colour = brush_.gradient()->stops().constFirst().second;
    const double alpha = alphaOf(colour) * densityOf(brush_.style());
    if (alpha <= 0) return {};
    fillClass_ = named(colour, "");
    return opacity("fill-opacity", alpha);
  }

  QByteArray strokeOf() {
    strokeClass_.clear();
    reach_ = 0;
    if (pen_.style() == Qt::NoPen || alphaOf(pen_.color()) <= 0) return {};
    strokeClass_ = named(pen_.color(), "-line");
    double width = pen_.widthF() > 0 ? pen_.widthF() : 1;
    if (!pen_.isCosmetic()) width *= std::sqrt(std::abs(transform_.determinant()));
    reach_ = width;
    QByteArray all = opacity("stroke-opacity", alphaOf(pen_.color()));
    if (width != 1) all += attribute("stroke-width", width);
    if (pen_.capStyle() == Qt::FlatCap) all += " stroke-linecap=\"butt\"";
    if (pen_.capStyle() == Qt::RoundCap) all += " stroke-linecap=\"round\"";
    if (pen_.joinStyle() == Qt::MiterJoin) all += " stroke-linejoin=\"miter\"";
    if (pen_.joinStyle() == Qt::RoundJoin) all += " stroke-linejoin=\"round\"";
    if (pen_.style() != Qt::SolidLine) {
      QByteArray dashes;
      for (const double dash : pen_.dashPattern()) {
        if (!dashes.isEmpty()) dashes += ' ';
        dashes += svgNumber(dash * width);
      }
      all += attribute("stroke-dasharray", dashes);
      if (pen_.dashOffset() != 0) all += attribute("stroke-dashoffset", pen_.dashOffset() * width);
    }
    return all;
  }

  QByteArray classesOf(bool crisp) const {
    QByteArray all = fillClass_;
    if (!strokeClass_.isEmpty()) all += (all.isEmpty() ? "" : " ") + strokeClass_;
    if (crisp) all += all.isEmpty() ? "crisp" : " crisp";
    return all.isEmpty() ? all : attribute("class", all);
  }

  void emitPath(const QPainterPath& mapped, const QByteArray& look) {
    const bool seen = !fillClass_.isEmpty() || !strokeClass_.isEmpty() || look.contains("url(");
    const QRectF all = mapped.boundingRect().adjusted(-reach_, -reach_, reach_, reach_);
    if (seen && !mapped.isEmpty() && clipFor(all)) {
      // What Qt draws without smoothing is on whole pixels here, too, and has no seams.
      const bool crisp = !smooth_ && strokeClass_.isEmpty();
      const QByteArray d = svgPath(mapped);
      if (!d.isEmpty()) write(look, "<path" + classesOf(crisp) + attribute("d", d) + "/>\n");
    }
    fillClass_.clear();
    strokeClass_.clear();
    reach_ = 0;
  }

  // Writes it as a rectangle, if it is one; without a stroke it is intersected with the clip.
  bool rectangle(const QPainterPath& path, const QPainterPath& mapped) {
    if (path.elementCount() != 5 || transform_.type() > QTransform::TxScale) return false;
    QRectF rect = mapped.boundingRect();
    QPainterPath same;
    same.addRect(rect);
    if (same != mapped) return false;
    const QByteArray look = fillOf() + strokeOf();
    const bool seen = !fillClass_.isEmpty() || !strokeClass_.isEmpty() || look.contains("url(");
    if (strokeClass_.isEmpty() && clipped_) rect &= room_;
    const bool crisp = !smooth_ && strokeClass_.isEmpty();
    const bool there = !rect.isEmpty() || (!strokeClass_.isEmpty() && rect.isValid());
    if (seen && there && clipFor(rect.adjusted(-reach_, -reach_, reach_, reach_))) {
      write(look, "<rect" + classesOf(crisp) + attribute("x", rect.x()) + attribute("y", rect.y()) +
                      attribute("width", rect.width()) + attribute("height", rect.height()) +
                      "/>\n");
    }
    fillClass_.clear();
    strokeClass_.clear();
    reach_ = 0;
    return true;
  }

  QByteArray pattern(const QByteArray& lines) {
    const QColor colour = brush_.color();
    const QPointF at = transform_.map(origin_);
    const QByteArray id = "p" + QByteArray::number(++patterns_);
    defs_ += "<pattern" + attribute("id", id) + attribute("x", at.x()) + attribute("y", at.y()) +
             " width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><path" +
             classOf(colour, "-line") + opacity("stroke-opacity", alphaOf(colour)) +
             attribute("stroke-width", 0.8) + " stroke-linecap=\"butt\"" + attribute("d", lines) +
             "/></pattern>\n";
    return id;
  }

  QByteArray gradient() {
    const auto* linear = static_cast<const QLinearGradient*>(brush_.gradient());
    QPointF from = linear->start(), to = linear->finalStop();
    const QTransform t = brush_.transform() * transform_;
    from = t.map(from);
    to = t.map(to);
    const QByteArray id = "f" + QByteArray::number(++gradients_);
    defs_ += "<linearGradient" + attribute("id", id) + " gradientUnits=\"userSpaceOnUse\"" +
             attribute("x1", from.x()) + attribute("y1", from.y()) + attribute("x2", to.x()) +
             attribute("y2", to.y()) + ">";
    for (const auto& [place, colour] : linear->stops())
      defs_ += "<stop" + attribute("offset", place) + classOf(colour, "-stop") +
               opacity("stop-opacity", alphaOf(colour)) + "/>";
    defs_ += "</linearGradient>\n";
    return id;
  }

  // A clip is a rectangle plus any other areas.
  void clip(const QPainterPath& path, Qt::ClipOperation operation) {
    clipped_ = operation != Qt::NoClip;
    if (operation != Qt::IntersectClip) {
      areas_.clear();
      room_ = QRectF(QPointF(), setup_.size);
    }
    if (!clipped_) return;
    const QPainterPath mapped = transform_.map(path);
    QPainterPath box;
    box.addRect(mapped.boundingRect());
    if (box == mapped || mapped.isEmpty()) {
      room_ &= mapped.boundingRect();
    } else {
      areas_.push_back(mapped);
    }
  }

  // Whether any part of the area is visible. If so, opens the clip for what is written next.
  bool clipFor(const QRectF& area) {
    QByteArray needed;
    const QRectF page(QPointF(), setup_.size);
    const QRectF room = clipped_ ? room_ : page;
    const QRectF seen = area.adjusted(-kSlack, -kSlack, kSlack, kSlack);
    if (!room.isValid() || !room.intersects(seen)) return false;
    if (!room.adjusted(-2 * kSlack, -2 * kSlack, 2 * kSlack, 2 * kSlack).contains(area) &&
        room != page) {
      QPainterPath path;
      path.addRect(room);
      needed = clipNamed(svgPath(path), {});
    }
    for (const QPainterPath& path : clipped_ ? areas_ : std::vector<QPainterPath>()) {
      if (!path.intersects(seen)) return false;
      if (!path.contains(area)) needed = clipNamed(svgPath(path), needed);
    }
    if (needed != openClip_) {
      lookLike({});
      if (!openClip_.isEmpty()) body_ += "</g>\n";
      if (!needed.isEmpty()) body_ += "<g clip-path=\"url(#" + needed + ")\">\n";
      openClip_ = needed;
    }
    return true;
  }

  // Neighbours that differ only in colour share a group. An element with a class has no style
  // attribute, because QtSvg reads only one of them.
  void write(const QByteArray& look, const QByteArray& element) {
    lookLike(look);
    body_ += element;
  }
  void lookLike(const QByteArray& look) {
    if (look == openLook_) return;
    if (!openLook_.isEmpty()) body_ += "</g>\n";
    if (!look.isEmpty()) body_ += "<g" + look + ">\n";
    openLook_ = look;
  }

  QByteArray clipNamed(const QByteArray& path, const QByteArray& within) {
    QByteArray& id = clips_[path + '|' + within];
    if (!id.isEmpty()) return id;
    id = "c" + QByteArray::number(clips_.size());
    defs_ += "<clipPath" + attribute("id", id) +
             (within.isEmpty() ? QByteArray() : attribute("clip-path", "url(#" + within + ')')) +
             "><path" + attribute("d", path) + "/></clipPath>\n";
    return id;
  }

  void writeText(const QPointF& at, const QTextItem& item, const QByteArray& look) {
    const QFontInfo info(item.font());
    const QByteArray generic = info.fixedPitch() ? "monospace" : "sans-serif";
    write(opacity("fill-opacity", alphaOf(pen_.color())),
          "<g" + look + "><text" + attribute("x", at.x()) + attribute("y", at.y()) +
              attribute("font-family", "'" + quoted(info.family()) + "', " + generic) +
              attribute("font-size", fontPixels(item.font())) +
              (info.weight() == QFont::Normal
                   ? QByteArray()
                   : attribute("font-weight", QByteArray::number(info.weight()))) +
              (info.italic() ? QByteArray(" font-style=\"italic\"") : QByteArray()) +
              // Another font gets the same width.
              attribute("textLength", item.width()) + " lengthAdjust=\"spacingAndGlyphs\"" +
              " xml:space=\"preserve\">" + quoted(item.text()) + "</text></g>\n");
  }

  static double fontPixels(const QFont& font) {
    constexpr double kPointsPerInch = 72;
    return font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * kSvgDots / kPointsPerInch;
  }

  // Each outline is written once. The text is beside them, for searching.
  void writeGlyphs(const QPointF& at, const QTextItem& item, const QByteArray& look) {
    QFont font = item.font();
    font.setPixelSize(std::max(1, qRound(fontPixels(font) * kFine)));
    QTextLayout layout(item.text(), font);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    if (!line.isValid()) return;
    const double scale = fontPixels(item.font()) / font.pixelSize();
    // The width of the painter's layout.
    const double natural = line.naturalTextWidth() * scale;
    const double stretch = natural > 0 ? item.width() / natural : 1;
    const bool keeps = std::abs(stretch - 1) > 0.2;
    QByteArray uses;
    for (const QGlyphRun& run : layout.glyphRuns()) {
      const QRawFont raw = run.rawFont();
      const auto glyphs = run.glyphIndexes();
      const auto places = run.positions();
      for (qsizetype i = 0; i < glyphs.size() && i < places.size(); ++i) {
        const QByteArray id = glyph(raw, glyphs[i], scale);
        if (id.isEmpty()) continue;
        const QPointF place((places[i].x() - line.x()) * scale * (keeps ? 1 : stretch),
                            (places[i].y() - line.y() - line.ascent()) * scale);
        uses += "<use xlink:href=\"#" + id + '"' + attribute("x", at.x() + place.x()) +
                attribute("y", at.y() + place.y()) + "/>";
      }
    }
    if (uses.isEmpty()) return;
    write(opacity("fill-opacity", alphaOf(pen_.color())),
          "<g" + look + attribute("aria-label", quoted(item.text())) + '>' + uses + "</g>\n");
  }

  QByteArray glyph(const QRawFont& font, quint32 index, double scale) {
    const QByteArray key = font.familyName().toUtf8() + '/' + font.styleName().toUtf8() + '/' +
                           QByteArray::number(font.weight()) + '/' +
                           QByteArray::number(font.pixelSize() * scale, 'f', 3) + '/' +
                           QByteArray::number(index);
    if (const auto known = glyphs_.constFind(key); known != glyphs_.constEnd()) return *known;
    QPainterPath path = QTransform::fromScale(scale, scale).map(font.pathForGlyph(index));
    path.setFillRule(Qt::WindingFill);
    QByteArray id;
    if (!path.isEmpty()) {
      id = "g" + QByteArray::number(glyphs_.size() + 1);
      defs_ += "<path" + attribute("id", id) + " fill-rule=\"nonzero\"" +
               attribute("d", svgPath(path)) + "/>\n";
    }
    glyphs_.insert(key, id);
    return id;
  }

  // Outlines come from a font larger by this factor, in which hinting has no effect.
  static constexpr int kFine = 16;

  SvgSetup setup_;
  ColourNames names_;
  QByteArray body_, defs_;
  QTransform transform_;
  QPen pen_;
  QBrush brush_;
  QPointF origin_;
  double opacity_ = 1;
  bool smooth_ = false, clipped_ = false;
  QRectF room_;
  std::vector<QPainterPath> areas_;
  QByteArray openClip_, openLook_;  // groups that are still open
  QByteArray fillClass_, strokeClass_;
  double reach_ = 0;  // of a stroke over its path
  QHash<QByteArray, QByteArray> clips_, glyphs_;
  QSet<QByteArray> classes_;  // that the style sheet has to define
  int patterns_ = 0, gradients_ = 0, images_ = 0;
};

SvgCanvas::SvgCanvas(const SvgSetup& setup)
    : m_setup(setup), m_engine(std::make_unique<Engine>(setup)) {}
SvgCanvas::~SvgCanvas() = default;

QPaintEngine* SvgCanvas::paintEngine() const {
  return m_engine.get();
}

QByteArray SvgCanvas::document() const {
  return m_engine->document();
}

int SvgCanvas::metric(PaintDeviceMetric which) const {
  constexpr double kMillimetres = 25.4 / kSvgDots;
  switch (which) {
    case PdmWidth:
      return qRound(std::ceil(m_setup.size.width()));
    case PdmHeight:
      return qRound(std::ceil(m_setup.size.height()));
    case PdmWidthMM:
      return qRound(m_setup.size.width() * kMillimetres);
    case PdmHeightMM:
      return qRound(m_setup.size.height() * kMillimetres);
    case PdmDpiX:
    case PdmDpiY:
    case PdmPhysicalDpiX:
    case PdmPhysicalDpiY:
      return kSvgDots;
    case PdmNumColors:
      return 0;
    case PdmDepth:
      return 24;
    // One canvas dot per pixel; QPaintDevice's default prints a warning.
    case PdmDevicePixelRatio:
      return 1;
    case PdmDevicePixelRatioScaled:
      return qRound(devicePixelRatioFScale());
    default:
      return QPaintDevice::metric(which);
  }
}

}  // namespace tileloom
