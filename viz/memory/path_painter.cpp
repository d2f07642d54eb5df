// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/memory/access_words.h"
#include "viz/memory/bank_picture.h"
#include "viz/memory/path_view.h"

namespace tileloom {
namespace {

using analysis::MemoryPath;
using analysis::Moment;
using Station = MemoryPath::Station;
using Value = MemoryPath::Value;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::MemoryPath)
};

class Painter {
 public:
  Painter(QPainter& painter, const PathPicture& picture, const Scene& scene, const Moment& moment,
          const Theme& theme, const Fonts& fonts)
      : p_(painter),
        pic_(picture),
        g_(picture.geometry),
        scene_(scene),
        m_(moment),
        t_(theme),
        f_(fonts),
        // Banks that must serve several words at once.
        crowded_(picture.path.touchesShared ? moment.cost.shared.crowded : 0) {}

  void paint() {
    header();
    p_.setRenderHint(QPainter::Antialiasing, true);
    lines(false);
    for (const auto& column : g_.columns()) body(column);
    lines(true);
    for (const auto& column : g_.columns()) title(column);
    footer();
  }

 private:
  bool chosen(const Value& v) const {
    const Selection& s = scene_.selection;
    if (s.element) return v.element == *s.element;
    return s.thread && *s.thread == m_.warp * emulator::kWarpSize + v.lane;
  }

  QColor laneColour(const Value& v) const { return t_.lane(m_.warp, v.lane); }

  void header() {
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    const QString title = Words::tr("Memory path");
    p_.drawText(pic_.header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const QString what = accessTitle(scene_, m_);
    p_.setFont(f_.body);
    p_.setPen(t_.soft);
    const QRectF room =
        pic_.header.adjusted(QFontMetricsF(f_.title).horizontalAdvance(title) + 24, 0, 0, 0);
    const QFontMetricsF metrics(f_.body);
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter, fitted(what, metrics, room.width()));
  }

  // From station to station; those of the selected lane or element above all others.
  void lines(bool ofChosen) {
    const auto& columns = g_.columns();
    const bool any =
        std::ranges::any_of(pic_.path.values, [this](const Value& v) { return chosen(v); });
    p_.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      for (const Value& v : pic_.path.values) {
        if (chosen(v) != ofChosen) continue;
        const QRectF from = g_.of(columns[i], v), to = g_.of(columns[i + 1], v);
        if (from.isEmpty() || to.isEmpty()) continue;
        // From the edge of the column, so that cells stay clear.
        const QPointF a(columns[i].body.right() + 2, from.center().y());
        const QPointF b(columns[i + 1].body.left() - labelOf(columns[i + 1]), to.center().y());
        QPainterPath way(a);
        const double reach = 0.5 * (b.x() - a.x());
        way.cubicTo(a + QPointF(reach, 0), b - QPointF(reach, 0), b);
        const double alpha = ofChosen ? 1.0 : any ? 0.18 : 0.55;
        p_.setPen(hairline(ofChosen ? t_.accent : Theme::faded(laneColour(v), alpha),
                           ofChosen ? 2.0 : 1.0));
        p_.drawPath(way);
      }
    }
  }

  double labelOf(const PathGeometry::Column& c) const { return g_.rowLabel(c, 0).width() + 6; }

  QString rowName(const PathGeometry::Column& c, std::uint32_t i) const {
    switch (c.station) {
      case Station::Sectors: {
        const auto& e = pic_.path.sectors[i].first;
        return describeElement(e);
      }
      case Station::SharedWords:
        return QString::number(i);
      case Station::Wavefronts:
        return QString::number(i + 1);
      case Station::Lanes:
        return QString::number(i);
    }
    return {};
  }

  void body(const PathGeometry::Column& c) {
    const QFontMetricsF metrics(f_.small);
    // Every row has a name if they fit, else every second, fourth, …
    std::uint32_t every = 1;
    while (every < c.rows && c.row * every < metrics.height() * 0.82) every *= 2;
    for (std::uint32_t i = 0; i < c.rows; ++i) {
      const QRectF r = g_.row(c, i).adjusted(0, 0.5, 0, c.row > 3 ? -0.5 : 0);
      const bool extra = c.station == Station::Wavefronts && (m_.cost.shared.extra >> i & 1u) != 0;
      const bool crowded = c.station == Station::SharedWords && (crowded_ >> i & 1u) != 0;
      if (c.station != Station::Sectors) {
        p_.fillRect(r, t_.well);
      } else if (pic_.path.touchesGlobal) {
        p_.fillRect(r, Theme::mix(t_.matrix(pic_.path.sectors[i].matrix), t_.ground, 0.78));
      } else {
        // Fetched by an earlier access: its unused part is not waste of this one.
        p_.setPen(hairline(Theme::mix(t_.matrix(pic_.path.sectors[i].matrix), t_.ground, 0.6), 1.0,
                           Qt::DotLine));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
      }
      if (extra) figures::drawHatch(p_, r, Theme::faded(t_.trouble, 0.8));
      if (i % every != 0) continue;
      p_.setFont(f_.small);
      p_.setPen(extra || crowded ? t_.trouble : t_.faint);
      const QRectF label = g_.rowLabel(c, i);
      const double middle = label.center().y(), h = metrics.height();
      p_.drawText(QRectF(label.left(), middle - h / 2, label.width(), h),
                  Qt::AlignRight | Qt::AlignVCenter, rowName(c, i));
    }
    for (const Value& v : pic_.path.values) {
      QRectF cell = g_.of(c, v);
      if (cell.isEmpty()) continue;
      if (cell.width() > 4) cell.adjust(0.5, 0, -0.5, 0);
      if (cell.height() > 4) cell.adjust(0, 1, 0, -1);
      p_.fillRect(cell, chosen(v) ? t_.accent : laneColour(v));
    }
  }

  // Two lines: the station, and its cost.
  void title(const PathGeometry::Column& c) {
    const AccessVerdict verdict = stationVerdict(pic_.path, c.station, m_);
    const QRectF top(c.title.left(), c.title.top(), c.title.width(), c.title.height() / 2);
    p_.setFont(f_.body);
    p_.setPen(t_.text);
    const bool last = c.station == g_.columns().back().station;
    const double from = titlesEnd_;
    const auto line = [&](const QFont& font, QRectF at, const QString& text,
                          const QString& brief = {}) {
      const QFontMetricsF metrics(font);
      // The last title extends to the left into the room that the one before it leaves.
      if (last) at.setLeft(std::max(at.left(), from));
      const bool whole = brief.isEmpty() || metrics.horizontalAdvance(text) <= at.width();
      const QString shown = fitted(whole ? text : oneClause(brief), metrics, at.width());
      p_.setFont(font);
      p_.drawText(at, (last ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, shown);
      titlesEnd_ = std::max(titlesEnd_, at.left() + metrics.horizontalAdvance(shown) + 8);
    };
    line(f_.body, top, stationName(c.station));
    p_.setPen(verdict.tone == Tone::Trouble ? t_.trouble
              : verdict.tone == Tone::Good  ? t_.good
                                            : t_.soft);
    line(f_.small, top.translated(0, top.height()), verdict.text, verdict.brief);
  }

  void footer() {
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    p_.drawText(pic_.footer, Qt::AlignLeft | Qt::AlignVCenter,
                fitted(pathNote(pic_.path), QFontMetricsF(f_.small), pic_.footer.width()));
  }

  QPainter& p_;
  const PathPicture& pic_;
  const PathGeometry& g_;
  const Scene& scene_;
  const Moment& m_;
  const Theme& t_;
  const Fonts& f_;
  std::uint32_t crowded_;
  double titlesEnd_ = 0;  // end of the titles painted so far
};

}  // namespace

std::optional<PathPicture> pathPicture(const Scene& scene, const QRectF& canvas,
                                       const Fonts& fonts) {
  const Moment* moment = scene.ready() ? bankMoment(scene) : nullptr;
  if (moment == nullptr) return std::nullopt;
  const BankFrame frame = BankFrame::of(canvas, fonts);
  PathPicture picture;
  picture.header = frame.header;
  picture.footer = frame.footer;
  picture.path = analysis::memoryPath(*scene.recording, *moment);
  if (picture.path.values.empty()) return std::nullopt;
  const QFontMetricsF small(fonts.small);
  // Equal room for the names of all accesses, or in a narrow picture what these names need.
  double element = small.horizontalAdvance(QStringLiteral("A[2047][2047]"));
  constexpr double kMostOfColumn = 0.1;  // of the canvas
  if (element > kMostOfColumn * frame.canvas.width()) {
    element = 0;
    for (const auto& sector : picture.path.sectors)
      element = std::max(element, small.horizontalAdvance(describeElement(sector.first)));
  }
  picture.geometry =
      PathGeometry(frame.canvas.adjusted(0, 2, 0, -2), picture.path, picture.path.wavefronts,
                   small.height(), element + 6, small.horizontalAdvance(QStringLiteral("00")) + 8);
  return picture;
}

void paintPath(QPainter& painter, const PathPicture& picture, const Scene& scene,
               const Theme& theme, const Fonts& fonts) {
  const Moment* moment = bankMoment(scene);
  if (moment != nullptr) Painter(painter, picture, scene, *moment, theme, fonts).paint();
}

}  // namespace tileloom
