// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "viz/base/paint/vector_fill.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/ring/ring_looks.h"
#include "viz/ring/ring_words.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using analysis::SlotState;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Ring)
};

// The newest first, clockwise, as the ring is refilled.
constexpr std::array kAround = {SlotState::OnItsWay, SlotState::Arrived,  SlotState::Ready,
                                SlotState::Reading,  SlotState::Consumed, SlotState::Other,
                                SlotState::Empty};

class Painter {
 public:
  Painter(QPainter& painter, const RingData& data, const RingGeometry& geometry,
          std::optional<std::uint32_t> hovered, const Theme& theme, const Fonts& fonts)
      : p_(painter),
        d_(data),
        g_(geometry),
        hovered_(hovered),
        t_(theme),
        f_(fonts),
        density_(densityOf(painter)),
        looks_(theme, density_) {}

  void paint() {
    p_.save();
    p_.setFont(g_.compact ? f_.small : f_.body);
    p_.setPen(d_.ready() ? t_.text : t_.soft);
    const QRectF& room = g_.sentence;
    if (!d_.ready()) {
      drawWrapped(p_, room, Qt::AlignCenter, d_.why);
      p_.restore();
      return;
    }
    drawWrapped(p_, room, Qt::AlignLeft | Qt::AlignTop, sentence(room));
    if (g_.outer > 0) dial();
    for (std::size_t i = 0; i < g_.cards.size(); ++i) card(i);
    legend();
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    const QFontMetricsF small(f_.small);
    if (!g_.compact)
      p_.drawText(g_.note, Qt::AlignLeft | Qt::AlignVCenter,
                  fitted(ringNote(d_), small, g_.note.width()));
    p_.restore();
  }

 private:
  // Pixels of the device per pixel of the canvas.
  static double densityOf(const QPainter& painter) {
    return std::clamp(painter.combinedTransform().m11(), 1.0, 4.0);
  }

  // As many of its sentences as fit.
  QString sentence(const QRectF& room) const {
    QString text = unbroken(ringSentence(d_));
    const QFontMetricsF metrics(g_.compact ? f_.small : f_.body);
    const auto fits = [&] {
      return metrics.boundingRect(room, Qt::TextWordWrap, text).height() <= room.height() + 1;
    };
    while (!fits()) {
      const qsizetype end = text.lastIndexOf(QStringLiteral(". "));
      if (end < 0) break;
      text.truncate(end + 1);
    }
    return text;
  }

  QImage imageFor(const QRectF& rect) const {
    QImage image(std::max(1, static_cast<int>(std::ceil(rect.width() * density_))),
                 std::max(1, static_cast<int>(std::ceil(rect.height() * density_))),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    return image;
  }

  // How far around its sector each state of a panel reaches, as shares of 1.
  struct Band {
    double end = 0;
    SlotState state = SlotState::Empty;
  };
  static std::vector<Band> bandsOf(const analysis::SlotPanel& panel) {
    std::array<double, analysis::kSlotStates> counts{};
    for (const auto& cell : panel.cells) ++counts[static_cast<std::size_t>(cell.state)];
    std::vector<Band> bands;
    double sum = 0;
    for (const SlotState state : kAround) {
      const double count = counts[static_cast<std::size_t>(state)];
      if (count == 0) continue;
      sum += count;
      bands.push_back({sum / static_cast<double>(panel.cells.size()), state});
    }
    return bands;
  }

  void dial() {
    std::vector<StageBands> bands;
    for (const RingStage& stage : d_.stages)
      bands.push_back({bandsOf(stage.slot.panels[0]), bandsOf(stage.slot.panels[1])});
    const double half = (g_.outer + g_.inner) / 2;
    if (paintsPixels(p_)) {
      dialPixels(bands, half);
    } else {
      dialAreas(bands, half);
    }
    p_.setRenderHint(QPainter::Antialiasing, true);
    p_.setBrush(Qt::NoBrush);
    // A gap of the ground's colour keeps sectors and tracks apart.
    p_.setPen(hairline(t_.ground, 3));
    for (std::size_t i = 0; i < g_.cards.size() && g_.cards.size() > 1; ++i)
      p_.drawLine(g_.onDial(g_.begin(i), g_.inner), g_.onDial(g_.begin(i), g_.outer));
    p_.setPen(hairline(t_.ground, 2));
    p_.drawEllipse(g_.centre, half, half);
    p_.setPen(hairline(t_.line, 1.2));
    p_.drawEllipse(g_.centre, g_.inner, g_.inner);
    p_.drawEllipse(g_.centre, g_.outer, g_.outer);
    for (std::size_t i = 0; i < g_.cards.size(); ++i) {
      const bool read = d_.reads == static_cast<std::uint32_t>(i);
      if (read || hovered_ == static_cast<std::uint32_t>(i)) frame(i, read ? 2.4 : 1.6);
    }
    for (std::size_t i = 0; i < g_.cards.size(); ++i) plate(i, half);
    refilling();
    pointer();
    p_.setRenderHint(QPainter::Antialiasing, false);
  }

  // Of A, the outer track, and of B.
  using StageBands = std::array<std::vector<Band>, 2>;

  QRectF dialRect() const {
    return {g_.centre - QPointF(g_.outer, g_.outer), QSizeF(2 * g_.outer, 2 * g_.outer)};
  }

  void dialPixels(const std::vector<StageBands>& bands, double half) {
    const QRectF all = dialRect();
    QImage image = imageFor(all);
    for (int y = 0; y < image.height(); ++y) {
      auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
      for (int x = 0; x < image.width(); ++x) {
        const QPointF from((x + 0.5) / density_ - g_.outer, (y + 0.5) / density_ - g_.outer);
        const double radius = std::hypot(from.x(), from.y());
        if (radius < g_.inner || radius > g_.outer) continue;
        const double degrees =
            std::fmod(std::atan2(from.x(), -from.y()) * 180 / std::numbers::pi + 360, 360.0);
        const std::size_t stage = g_.stageAt(degrees);
        const double share = (degrees - g_.begin(stage)) / (g_.begin(stage + 1) - g_.begin(stage));
        const std::size_t m = radius > half ? 0 : 1;
        const auto& list = bands[stage][m];
        const auto band = std::ranges::find_if(list, [&](const Band& b) { return share <= b.end; });
        const SlotState state = band == list.end() ? list.back().state : band->state;
        line[x] = looks_.at(m == 0 ? Matrix::A : Matrix::B, state, x, y) | 0xFF000000;
      }
    }
    p_.drawImage(all, image);
  }

  // A sector for each state.
  void dialAreas(const std::vector<StageBands>& bands, double half) {
    p_.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t stage = 0; stage < bands.size(); ++stage) {
      const double from = g_.begin(stage), turn = g_.begin(stage + 1) - from;
      for (const Matrix m : {Matrix::A, Matrix::B}) {
        const double inner = m == Matrix::A ? half : g_.inner;
        const double outer = m == Matrix::A ? g_.outer : half;
        double begin = 0;
        for (const Band& band : bands[stage][m == Matrix::A ? 0 : 1]) {
          fillLook(p_, sector(inner, outer, from + begin * turn, from + band.end * turn),
                   looks_.look(m, band.state), dialRect().topLeft());
          begin = band.end;
        }
      }
    }
  }

  // Degrees go clockwise from the top.
  QPainterPath sector(double inner, double outer, double from, double to) const {
    const auto around = [this](double radius) {
      return QRectF(g_.centre - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
    };
    QPainterPath path;
    path.arcMoveTo(around(outer), 90 - from);
    path.arcTo(around(outer), 90 - from, from - to);
    path.arcTo(around(inner), 90 - to, to - from);
    path.closeSubpath();
    return path;
  }

  void frame(std::size_t stage, double width) {
    const double from = 90 - g_.begin(stage), over = g_.begin(stage) - g_.begin(stage + 1);
    const auto box = [&](double r) {
      return QRectF(g_.centre - QPointF(r, r), QSizeF(2 * r, 2 * r));
    };
    QPainterPath path;
    path.arcMoveTo(box(g_.outer), from);
    path.arcTo(box(g_.outer), from, over);
    if (g_.cards.size() > 1) {
      path.arcTo(box(g_.inner), from + over, -over);
      path.closeSubpath();
    } else {
      path.addEllipse(box(g_.inner));
    }
    p_.setPen(hairline(t_.text, width));
    p_.setBrush(Qt::NoBrush);
    p_.drawPath(path);
  }

  // "6", "5 | 1" of a stage with new and old side by side, "–" without a K tile.
  static QString numbersOf(const RingStage& stage) {
    QString text;
    for (const auto& share : stage.slot.tiles)
      text +=
          (text.isEmpty() ? QString() : QStringLiteral(" | ")) + QString::number(share.tile + 1);
    return text.isEmpty() ? QStringLiteral("–") : text;
  }

  // What a stage holds, and its number: on its sector, or outside a narrow sector.
  void plate(std::size_t stage, double radius) {
    const QFontMetricsF small(f_.small);
    const double thick = g_.outer - g_.inner;
    const double arc = (g_.begin(stage + 1) - g_.begin(stage)) * std::numbers::pi / 180 * radius;
    const QString name = Words::tr("stage %1").arg(stage);
    QString holds = stageHolds(d_.stages[stage]);
    const double room = 0.8 * std::min(arc, 1.25 * thick);
    QFont large = f_.title;
    if (thick < 2.2 * QFontMetricsF(large).height()) {
      large = f_.small;
      large.setBold(true);
    }
    const QFontMetricsF metrics(large);
    if (metrics.horizontalAdvance(holds) > room) holds = numbersOf(d_.stages[stage]);
    const bool named =
        small.horizontalAdvance(name) < room && metrics.height() + small.height() < 0.5 * thick;
    const QPointF at = g_.onDial(g_.middle(stage), radius);
    const double wide =
        std::max(metrics.horizontalAdvance(holds), named ? small.horizontalAdvance(name) : 0.0);
    const QSizeF size(wide + 12, metrics.height() + (named ? small.height() : 0) + 4);
    const QRectF pill(at - QPointF(size.width() / 2, size.height() / 2), size);
    p_.setPen(Qt::NoPen);
    p_.setBrush(Theme::faded(t_.ground, 0.88));
    p_.drawRoundedRect(pill, 5, 5);
    p_.setFont(large);
    p_.setPen(t_.text);
    p_.drawText(pill.adjusted(0, 2, 0, 0),
                Qt::AlignHCenter | (named ? Qt::AlignTop : Qt::AlignVCenter), holds);
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    if (named) {
      p_.drawText(pill.adjusted(0, 0, 0, -2), Qt::AlignHCenter | Qt::AlignBottom, name);
      return;
    }
    if (g_.cards.size() < 2) return;
    const QPointF out = g_.onDial(g_.middle(stage), g_.outer + 0.75 * small.height());
    p_.drawText(QRectF(out - QPointF(small.height(), small.height() / 2),
                       QSizeF(2 * small.height(), small.height())),
                Qt::AlignCenter, QString::number(stage));
  }

  // From the stage that was loaded last to the one after it.
  void refilling() {
    if (!d_.newest || !d_.follows) return;
    double from = 20, to = 340;  // a single stage follows itself
    if (g_.cards.size() > 1) {
      from = g_.middle(*d_.newest);
      to = g_.middle(*d_.follows);
      // The shorter way around is the one that the kernel takes.
      if (to - from > 180) to -= 360;
      if (from - to >= 180) to += 360;
      // The stages' numbers are at both ends.
      const double gap = 0.22 * (to - from);
      from += gap;
      to -= gap;
    }
    const double r = g_.outer + 6;
    QPainterPath path(g_.onDial(from, r));
    for (int i = 1; i <= 48; ++i) path.lineTo(g_.onDial(from + (to - from) * i / 48, r));
    p_.setPen(hairline(t_.soft, 2));
    p_.setBrush(Qt::NoBrush);
    p_.drawPath(path);
    const double turn = (to > from ? 1 : -1) * 7.0 * 180 / std::numbers::pi / r;
    p_.setPen(Qt::NoPen);
    p_.setBrush(t_.soft);
    p_.drawPolygon(
        QPolygonF({g_.onDial(to + turn, r), g_.onDial(to, r - 5), g_.onDial(to, r + 5)}));
  }

  // Points to the stage that the watched warp read last; the words are in the middle.
  void pointer() {
    const QFontMetricsF small(f_.small);
    const QString upper = Words::tr("warp %1").arg(d_.warp);
    QString lower = Words::tr("reads –");
    if (d_.reads) {
      const double angle = g_.middle(*d_.reads);
      const double wide = 0.16 * g_.hub;
      const QPointF side(wide * std::cos(angle * std::numbers::pi / 180),
                         wide * std::sin(angle * std::numbers::pi / 180));
      p_.setPen(Qt::NoPen);
      p_.setBrush(t_.text);
      p_.drawPolygon(QPolygonF({g_.onDial(angle, g_.inner - 3), g_.onDial(angle, g_.hub) + side,
                                g_.onDial(angle, g_.hub) - side}));
      lower = Words::tr("reads %1").arg(*d_.reads);
    }
    p_.setPen(hairline(t_.line));
    p_.setBrush(t_.panel);
    p_.drawEllipse(g_.centre, g_.hub, g_.hub);
    p_.setFont(f_.small);
    const double high = small.height();
    const QRectF text(g_.centre - QPointF(g_.hub, high), QSizeF(2 * g_.hub, 2 * high));
    const auto fits = [&](const QString& line) {
      return small.horizontalAdvance(line) < 1.8 * g_.hub;
    };
    if (!fits(upper) || !fits(lower) || 2 * high > 1.6 * g_.hub) return;
    p_.setPen(t_.soft);
    p_.drawText(QRectF(text.left(), text.top(), text.width(), high), Qt::AlignCenter, upper);
    p_.setPen(t_.text);
    p_.drawText(QRectF(text.left(), text.top() + high, text.width(), high), Qt::AlignCenter, lower);
  }

  void card(std::size_t number) {
    const RingCard& c = g_.cards[number];
    const RingStage& stage = d_.stages[number];
    const bool read = d_.reads == static_cast<std::uint32_t>(number);
    const bool over = hovered_ == static_cast<std::uint32_t>(number);
    p_.fillRect(c.whole, t_.panel);
    p_.setBrush(Qt::NoBrush);
    p_.setPen(hairline(read || over ? t_.text : t_.line, read ? 2 : 1));
    p_.drawRect(c.whole.adjusted(0.5, 0.5, -0.5, -0.5));
    const QString name = Words::tr("stage %1").arg(number);
    const QFontMetricsF title(f_.title), small(f_.small);
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    p_.drawText(c.title, Qt::AlignLeft | Qt::AlignVCenter, fitted(name, title, c.title.width()));
    const double left = c.title.left() + title.horizontalAdvance(name) + 10;
    const QRectF rest(left, c.title.top(), c.title.right() - left, c.title.height());
    if (QFontMetricsF(f_.body).horizontalAdvance(stageHolds(stage)) <= rest.width()) {
      p_.setFont(f_.body);
      p_.setPen(t_.soft);
      p_.drawText(rest, Qt::AlignRight | Qt::AlignVCenter, stageHolds(stage));
    }
    panel(c.a, Matrix::A, stage.slot.panels[0]);
    panel(c.b, Matrix::B, stage.slot.panels[1]);
    corner(c, stage);
    // Each on as many lines as it needs, while there is room.
    const QStringList lines = cardLines(stage);
    p_.setFont(f_.small);
    double y = c.words.top();
    for (qsizetype i = 0; i < lines.size(); ++i) {
      const QRectF room(c.words.left(), y, c.words.width(), c.words.bottom() - y);
      if (room.height() < 0.9 * small.height()) break;
      const QString words = unbroken(lines[i]);
      const QRectF used = small.boundingRect(room, Qt::TextWordWrap, words);
      const bool fits = used.height() <= room.height() + 1;
      const bool asleep = i + 1 == lines.size() && stage.barrier && !stage.barrier->asleep.empty();
      p_.setPen(i == 0 || asleep ? t_.text : t_.soft);
      if (fits) {
        drawWrapped(p_, room, Qt::AlignLeft | Qt::AlignTop, words);
      } else {
        p_.drawText(room, Qt::AlignLeft | Qt::AlignTop, fitted(lines[i], small, room.width()));
      }
      y += (fits ? used.height() : small.height()) + 0.15 * small.height();
    }
  }

  void panel(const QRectF& where, Matrix matrix, const analysis::SlotPanel& cells) {
    if (where.width() < 1 || where.height() < 1) return;
    paintPanel(p_, where, looks_, matrix, cells, density_);
    p_.setPen(hairline(t_.matrix(matrix), 1.2));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(where);
    const QFontMetricsF small(f_.small);
    if (where.width() < 2.2 * small.height() || where.height() < 1.2 * small.height()) return;
    // Its name, on a plate that leaves the pattern visible.
    const QString name = matrix == Matrix::A ? QStringLiteral("A") : QStringLiteral("B");
    QFont bold = f_.small;
    bold.setBold(true);
    p_.setFont(bold);
    const QRectF tag(where.left() + 2, where.top() + 2, small.horizontalAdvance(name) + 6,
                     small.height());
    p_.fillRect(tag, Theme::faded(t_.ground, 0.8));
    p_.setPen(t_.matrix(matrix));
    p_.drawText(tag, Qt::AlignCenter, name);
  }

  // The K tile's number, large, in the place of C.
  void corner(const RingCard& c, const RingStage& stage) {
    if (stage.slot.tiles.empty()) return;
    const QString number = numbersOf(stage);
    const QFont& font = QFontMetricsF(f_.number).horizontalAdvance(number) < c.corner.width()
                            ? f_.number
                            : f_.title;
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(number) > c.corner.width() ||
        metrics.height() > c.corner.height())
      return;
    p_.setFont(font);
    p_.setPen(t_.text);
    p_.drawText(c.corner, Qt::AlignCenter, number);
  }

  void legend() {
    const QFontMetricsF small(f_.small);
    p_.setFont(f_.small);
    const double box = 0.85 * small.height();
    double x = g_.legend.left();
    // `colour` of a pixel, and `look` of the whole sample of a matrix.
    const auto entry = [&](const QString& words, auto&& colour, auto&& look) {
      const double width = 2 * box + 5 + small.horizontalAdvance(words);
      if (x + width > g_.legend.right()) return;
      const QRectF sample(x, g_.legend.center().y() - box / 2, 2 * box, box);
      if (paintsPixels(p_)) {
        QImage image(std::max(1, static_cast<int>(2 * box * density_)),
                     std::max(1, static_cast<int>(box * density_)), QImage::Format_RGB32);
        for (int py = 0; py < image.height(); ++py) {
          for (int px = 0; px < image.width(); ++px)
            image.setPixel(px, py, colour(px < image.width() / 2 ? Matrix::A : Matrix::B, px, py));
        }
        p_.drawImage(sample, image);
      } else {
        for (const Matrix m : {Matrix::A, Matrix::B}) {
          const QRectF part(m == Matrix::A ? sample.left() : sample.center().x(), sample.top(), box,
                            box);
          fillLook(p_, std::span(&part, 1), look(m), sample.topLeft());
        }
      }
      p_.setPen(hairline(t_.line));
      p_.setBrush(Qt::NoBrush);
      p_.drawRect(sample);
      p_.setPen(t_.soft);
      p_.drawText(QRectF(sample.right() + 5, g_.legend.top(), width, g_.legend.height()),
                  Qt::AlignLeft | Qt::AlignVCenter, words);
      x += width + 1.1 * small.height();
    };
    const auto any = [&](auto&& has) { return std::ranges::any_of(d_.stages, has); };
    for (const SlotState state : kAround) {
      // Stores of threads have no state "in flight"; rare states are named where they occur.
      const bool rare =
          state == SlotState::Arrived || state == SlotState::Other || state == SlotState::Empty;
      if (rare && !any([&](const RingStage& s) { return s.slot.count(state) > 0; })) continue;
      entry(
          slotStateName(state),
          [&](Matrix m, int px, int py) { return looks_.at(m, state, px, py); },
          [&](Matrix m) { return looks_.look(m, state); });
    }
    if (d_.newest && d_.follows && g_.outer > 0) {
      const QString words = Words::tr("→ the next stage to refill");
      if (x + small.horizontalAdvance(words) < g_.legend.right()) {
        p_.setPen(t_.soft);
        p_.drawText(QRectF(x, g_.legend.top(), g_.legend.right() - x, g_.legend.height()),
                    Qt::AlignLeft | Qt::AlignVCenter, words);
        x += small.horizontalAdvance(words) + 1.1 * small.height();
      }
    }
    if (any([](const RingStage& s) { return s.slot.outside > 0; }))
      entry(
          Words::tr("zeros from outside the matrix"),
          [&](Matrix, int px, int py) { return looks_.zero(px, py); },
          [&](Matrix) { return looks_.zeroLook(); });
  }

  QPainter& p_;
  const RingData& d_;
  const RingGeometry& g_;
  std::optional<std::uint32_t> hovered_;
  const Theme& t_;
  const Fonts& f_;
  double density_;
  RingLooks looks_;
};

}  // namespace

void paintRing(QPainter& painter, const RingData& data, const RingGeometry& geometry,
               std::optional<std::uint32_t> hovered, const Theme& theme, const Fonts& fonts) {
  Painter(painter, data, geometry, hovered, theme, fonts).paint();
}

}  // namespace tileloom
