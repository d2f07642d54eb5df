// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/memory/chunk_picture.h"

namespace tileloom {
namespace {

using analysis::ChunkPath;
using Chunk = ChunkPath::Chunk;
using Grid = ChunkPicture::Grid;
using Station = ChunkPicture::Station;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::MemoryPath)
};

class Painter {
 public:
  Painter(QPainter& painter, const ChunkPicture& picture, const Scene& scene, const Theme& theme,
          const Fonts& fonts)
      : p_(painter), pic_(picture), scene_(scene), t_(theme), f_(fonts) {}

  void paint() {
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    header();
    for (std::size_t i = 0; i < pic_.paths.size(); ++i) {
      p_.setFont(f_.small);
      p_.setPen(t_.matrix(pic_.paths[i].matrix));
      const QFontMetricsF small(f_.small);
      p_.drawText(pic_.namePlaces[i], Qt::AlignLeft | Qt::AlignVCenter,
                  fitted(pic_.names[i], small, pic_.namePlaces[i].width()));
    }
    for (const Grid& grid : pic_.grids) body(grid);
    p_.setRenderHint(QPainter::Antialiasing, true);
    for (std::size_t g = 0; g < pic_.grids.size(); ++g) ways(g);
    selection();
    for (const auto& title : pic_.titles) station(title);
    footer();
    p_.restore();
  }

 private:
  void header() {
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    const QString title = Words::tr("Memory path");
    p_.drawText(pic_.header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const QRectF room =
        pic_.header.adjusted(QFontMetricsF(f_.title).horizontalAdvance(title) + 24, 0, 0, 0);
    const bool fits = QFontMetricsF(f_.body).horizontalAdvance(pic_.what) <= room.width();
    const QFont& font = fits ? f_.body : f_.small;
    p_.setFont(font);
    p_.setPen(t_.soft);
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                fitted(pic_.what, QFontMetricsF(font), room.width()));
  }

  void station(const ChunkPicture::Title& title) {
    const double half = title.place.height() / 2;
    QRectF line(title.place.left(), title.place.top(), title.place.width(), half);
    p_.setFont(f_.body);
    p_.setPen(t_.text);
    p_.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                fitted(title.name, QFontMetricsF(f_.body), line.width()));
    line.translate(0, half);
    p_.setFont(f_.small);
    p_.setPen(title.verdict.tone == Tone::Good      ? t_.good
              : title.verdict.tone == Tone::Trouble ? t_.trouble
                                                    : t_.soft);
    p_.drawText(line, Qt::AlignLeft | Qt::AlignTop,
                fitted(title.verdict.text, QFontMetricsF(f_.small), line.width()));
  }

  QColor colourOf(const ChunkPath& path, const Chunk& chunk) const {
    const auto last = static_cast<double>(std::max(1u, path.columns - 1));
    return Theme::mix(t_.matrix(path.matrix), t_.ground,
                      0.62 * static_cast<double>(chunk.column) / last);
  }

  QString rowName(const Grid& grid, std::size_t row) const {
    const ChunkPath& path = pic_.paths[grid.path];
    if (grid.station == Station::TensorCore) return QString::number(row + 1);
    if (grid.station == Station::Shared) {
      const auto& array = scene_.recording->trace.arrays[path.array];
      return QStringLiteral("%1[%2]")
          .arg(toQString(array.name))
          .arg(path.lines[row] * ChunkPath::kLineBytes / 2 - array.base * 2);
    }
    for (const Chunk& chunk : path.chunks) {
      if (chunk.row == row && chunk.column == 0 && chunk.first) return globalRow(path, chunk);
    }
    return Words::tr("outside");
  }

  void body(const Grid& grid) {
    const ChunkPath& path = pic_.paths[grid.path];
    const QFontMetricsF small(f_.small);
    const double high = grid.cell(0, 0).height();
    p_.fillRect(grid.body, t_.well);
    std::size_t every = 1;
    while (every < grid.rows && high * static_cast<double>(every) < 0.9 * small.height())
      every *= 2;
    p_.setFont(f_.small);
    p_.setPen(t_.faint);
    for (std::size_t row = 0; row < grid.rows; row += every) {
      const double middle = grid.rowName(row).center().y();
      p_.drawText(QRectF(grid.body.left() - grid.label, middle - small.height() / 2, grid.label - 5,
                         small.height()),
                  Qt::AlignRight | Qt::AlignVCenter, rowName(grid, row));
    }
    const double thin = high > 5 ? 0.5 : 0;
    const bool numbered = high >= 0.85 * small.height() &&
                          grid.cell(0, 0).width() > small.horizontalAdvance(QStringLiteral("00"));
    for (const Chunk& chunk : path.chunks) {
      const QRectF cell = pic_.cellOf(grid, chunk);
      if (cell.isEmpty()) continue;
      const bool read = path.wavefronts == 0 || chunk.wavefront;
      QColor colour = colourOf(path, chunk);
      if (!read) colour = Theme::mix(colour, t_.ground, 0.75);
      if (!chunk.first) colour = Theme::mix(t_.well, t_.line, 0.5);
      p_.fillRect(cell.adjusted(thin, thin, -thin, -thin), colour);
      if (!numbered) continue;
      p_.setPen(read ? Theme::ink(colour) : t_.faint);
      p_.drawText(cell, Qt::AlignCenter, QString::number(chunk.column));
    }
  }

  // The framed cells of the followed column, and the paths of their rows to the next grid.
  void ways(std::size_t g) {
    const Grid& grid = pic_.grids[g];
    const ChunkPath& path = pic_.paths[grid.path];
    const std::size_t next = g + pic_.paths.size();
    // Another block of the cluster gets them at the same time, not through this one.
    const bool goesOn = next < pic_.grids.size() && !pic_.grids[next].echo;
    p_.setBrush(Qt::NoBrush);
    for (const Chunk& chunk : path.chunks) {
      if (chunk.column != pic_.chosen[grid.path]) continue;
      const QRectF cell = pic_.cellOf(grid, chunk);
      if (cell.isEmpty()) continue;
      const bool low = cell.height() < 7;
      p_.setPen(hairline(t_.text, low ? 1.0 : 1.5));
      p_.drawRect(low ? cell : cell.adjusted(1, 1, -1, -1));
      if (!goesOn) continue;
      const QRectF there = pic_.cellOf(pic_.grids[next], chunk);
      if (there.isEmpty()) continue;
      // From edge to edge of the grids, so that cells and names stay free.
      const Grid& target = pic_.grids[next];
      const QPointF from(grid.body.right() + 2, cell.center().y());
      const QPointF to(target.body.left() - target.label, there.center().y());
      const double reach = 0.5 * (to.x() - from.x());
      QPainterPath way(from);
      way.cubicTo(from + QPointF(reach, 0), to - QPointF(reach, 0), to);
      p_.setPen(hairline(Theme::faded(t_.text, 0.7), 1.0));
      p_.drawPath(way);
    }
  }

  void selection() {
    if (!scene_.selection.element) return;
    for (const Grid& grid : pic_.grids) {
      const ChunkPath& path = pic_.paths[grid.path];
      const auto at = path.find(*scene_.selection.element);
      if (!at) continue;
      const QRectF cell = pic_.cellOf(grid, path.chunks[*at]);
      if (cell.isEmpty()) continue;
      p_.setBrush(Qt::NoBrush);
      p_.setPen(hairline(t_.ground, 4));
      p_.drawRect(cell);
      p_.setPen(hairline(t_.accent, 2));
      p_.drawRect(cell);
    }
  }

  void footer() {
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    p_.drawText(pic_.footer, Qt::AlignLeft | Qt::AlignVCenter,
                fitted(pic_.note, QFontMetricsF(f_.small), pic_.footer.width()));
  }

  QPainter& p_;
  const ChunkPicture& pic_;
  const Scene& scene_;
  const Theme& t_;
  const Fonts& f_;
};

}  // namespace

void paintChunks(QPainter& painter, const ChunkPicture& picture, const Scene& scene,
                 const Theme& theme, const Fonts& fonts) {
  Painter(painter, picture, scene, theme, fonts).paint();
}

}  // namespace tileloom
