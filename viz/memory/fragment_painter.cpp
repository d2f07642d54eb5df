// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "kernels/emulator/fragment_layout.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/memory/fragment_picture.h"

namespace tileloom {
namespace {

using analysis::Operand;
using Value = analysis::WarpOperands::Value;

constexpr double kDimmed = 0.72;       // of the ground over what is not selected
constexpr double kSmallestText = 7.5;  // pixels

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Fragments)
};

class FragmentPainter {
 public:
  FragmentPainter(QPainter& painter, const FragmentPicture& picture, const Scene& scene,
                  const Theme& theme, const Fonts& fonts)
      : p_(painter),
        pic_(picture),
        g_(picture.geometry),
        scene_(scene),
        t_(theme),
        f_(fonts),
        chosen_(chosenFragment(picture, scene.selection)) {}

  void paint() {
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    header();
    if (pic_.group) {
      paintGroup(p_, *pic_.group, scene_, t_, f_);
      footer(
          groupNote(*scene_.recording, *pic_.group, chosenOfGroup(*pic_.group, scene_.selection)),
          chosenOfGroup(*pic_.group, scene_.selection).any());
      p_.restore();
      return;
    }
    for (const auto& block : g_.blocks()) title(block);
    cells();
    if (!g_.table().isEmpty()) table();
    if (!g_.words().isEmpty()) words();
    footer(fragmentNote(pic_, chosen_), chosen_.any());
    p_.restore();
  }

 private:
  QColor hueOf(const Value& v) const {
    switch (v.operand) {
      case Operand::A:
        return t_.matrix(analysis::Matrix::A);
      case Operand::B:
        return t_.matrix(analysis::Matrix::B);
      case Operand::C:
        return t_.matrix(analysis::Matrix::C);
      case Operand::Matrix:
        break;
    }
    return v.element ? t_.matrix(v.element->matrix) : t_.soft;
  }

  bool lit(const Value& v) const {
    if (chosen_.element && v.element == chosen_.element) return true;
    return chosen_.lane == v.lane;
  }

  // `scale` of small text, but legible.
  QFont scaled(double scale) const {
    QFont font = f_.small;
    const double now = QFontMetricsF(font).height();
    const double pixels = font.pixelSize() > 0 ? font.pixelSize() : now * 0.8;
    font.setPixelSize(std::max(static_cast<int>(kSmallestText), static_cast<int>(pixels * scale)));
    return font;
  }

  void header() {
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    p_.drawText(pic_.header, Qt::AlignLeft | Qt::AlignVCenter, pic_.title);
    const QRectF room =
        pic_.header.adjusted(QFontMetricsF(f_.title).horizontalAdvance(pic_.title) + 24, 0, 0, 0);
    const QFontMetricsF metrics(f_.body);
    p_.setFont(f_.body);
    p_.setPen(t_.soft);
    p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter, fitted(pic_.what, metrics, room.width()));
  }

  void title(const FragmentGeometry::Block& block) {
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    const MmaRow* mma = pic_.operands.mma;
    const auto sized = [](const QString& text, std::uint32_t rows, std::uint32_t columns) {
      return text.arg(rows).arg(columns);
    };
    QString name;
    QColor hue = t_.soft;
    switch (block.operand) {
      case Operand::A:
        name = sized(Words::tr("A, %1 × %2"), mma->rows, mma->depth);
        hue = t_.matrix(analysis::Matrix::A);
        break;
      case Operand::B:
        name = sized(Words::tr("B, %1 × %2"), mma->depth, mma->columns);
        hue = t_.matrix(analysis::Matrix::B);
        break;
      case Operand::C:
        name = g_.cornered() ? Words::tr("C")
                             : sized(Words::tr("C, %1 × %2"), mma->rows, mma->columns);
        hue = t_.matrix(analysis::Matrix::C);
        break;
      case Operand::Matrix:
        name = Words::tr("matrix %1").arg(block.matrix + 1);
        break;
    }
    // The longest text that fits.
    const auto prefer = [&](const QString& longer) {
      if (metrics.horizontalAdvance(longer) <= block.title.width()) name = longer;
    };
    if (block.operand == Operand::Matrix) {
      hue = hueOf(pic_.operands.values[block.matrix * std::size_t{64}]);
      prefer(Words::tr("%1 to r%2").arg(name).arg(block.matrix));
      if (pic_.operands.turned) prefer(Words::tr("%1, transposed").arg(name));
      prefer(QStringLiteral("%1: %2").arg(name, regionText(block)));
    } else if (!(block.operand == Operand::C && g_.cornered())) {
      prefer(QStringLiteral("%1: %2").arg(name, regionText(block)));
    }
    p_.setPen(hue);
    const bool rightwards = block.operand == Operand::B && g_.cornered();
    p_.drawText(block.title, (rightwards ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                fitted(name, metrics, block.title.width()));
    for (std::size_t group = 0; group < block.names.size(); ++group) {
      const QRectF& room = block.names[group];
      if (room.isEmpty() || g_.cellSize().height() * 8 < metrics.height()) continue;
      p_.setPen(t_.faint);
      p_.drawText(room, (block.namesRight ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                  registersOf(block, group));
    }
    p_.setBrush(Qt::NoBrush);
    p_.setPen(hairline(hue, 1.5));
    p_.drawRect(block.rect.adjusted(-2, -2, 2, 2));
  }

  // "A[0–15][32–47]": the elements of a block in their matrix, as recorded.
  QString regionText(const FragmentGeometry::Block& block) const {
    std::optional<analysis::Matrix> matrix;
    analysis::Region region;
    for (const Value& v : pic_.operands.values) {
      if (v.operand != block.operand || v.matrix != block.matrix || !v.element) continue;
      matrix = v.element->matrix;
      region.add(v.element->row, v.element->column);
    }
    if (!matrix) return Words::tr("unknown elements");
    return QStringLiteral("%1[%2–%3][%4–%5]")
        .arg(QChar(u"ABC"[static_cast<int>(*matrix)]))
        .arg(region.row)
        .arg(region.row + region.rows - 1)
        .arg(region.column)
        .arg(region.column + region.columns - 1);
  }

  // The registers that hold the upper or lower eight rows, from left to right.
  QString registersOf(const FragmentGeometry::Block& block, std::size_t group) const {
    std::vector<std::pair<std::uint32_t, QString>> first;  // the beginning of each
    for (const Value& v : pic_.operands.values) {
      if (v.operand != block.operand || v.row / 8 != group) continue;
      const QString name = registerText(v).section(u'.', 0, 0);
      const auto known = std::ranges::find(first, name, &std::pair<std::uint32_t, QString>::second);
      if (known == first.end()) first.emplace_back(v.column, name);
    }
    std::ranges::stable_sort(first, {}, &std::pair<std::uint32_t, QString>::first);
    QStringList names;
    for (const auto& [column, name] : first) names += name;
    return names.join(QStringLiteral(", "));
  }

  void cells() {
    const QSizeF size = g_.cellSize();
    const QFontMetricsF small(f_.small);
    const double byHeight = (size.height() - 1) / (0.92 * small.height());
    const auto widthAt = [&](double scale, const QString& text) {
      return QFontMetricsF(scaled(scale)).horizontalAdvance(text) + 4;
    };
    // Lane and register if they fit, else only the lane, else neither.
    const QString fullest = QStringLiteral("30 a0.lo"), lane = QStringLiteral("30");
    const double fullScale =
        std::min({byHeight, 1.6, (size.width() - 4) / (small.horizontalAdvance(fullest))});
    const bool full = fullScale >= 0.72 && widthAt(fullScale, fullest) <= size.width() + 3;
    const double laneScale =
        std::min({byHeight, 1.6, (size.width() - 2) / small.horizontalAdvance(lane)});
    const bool lanes = full || laneScale >= 0.66;
    const QFont font = scaled(full ? fullScale : laneScale);
    p_.setFont(font);
    const double inset = size.height() > 8 && size.width() > 8 ? 0.5 : 0;
    for (std::size_t i = 0; i < g_.cells(); ++i) {
      const Value& v = pic_.operands.values[i];
      const QRectF cell = g_.cell(i).adjusted(inset, inset, -inset, -inset);
      QColor colour = t_.lane(pic_.operands.warp, v.lane);
      const bool dim = chosen_.any() && !lit(v);
      if (dim) colour = Theme::mix(colour, t_.ground, kDimmed);
      p_.fillRect(cell, colour);
      if (!lanes) continue;
      p_.setPen(dim ? Theme::mix(t_.soft, t_.ground, 0.35) : Theme::ink(colour));
      p_.drawText(g_.cell(i), Qt::AlignCenter, full ? cellText(v) : QString::number(v.lane));
    }
    for (std::size_t i = 0; i < g_.cells(); ++i) {
      const Value& v = pic_.operands.values[i];
      if (!lit(v)) continue;
      const bool exact = chosen_.element && v.element == chosen_.element;
      ring(g_.cell(i), exact ? 2.5 : 1.0, exact);
    }
    if (pic_.operands.load) rowNames();
  }

  void ring(const QRectF& cell, double width, bool strong) {
    p_.setBrush(Qt::NoBrush);
    if (strong) {
      p_.setPen(hairline(t_.ground, width + 2));
      p_.drawRect(cell);
    }
    p_.setPen(hairline(t_.accent, width));
    p_.drawRect(cell);
  }

  void rowNames() {
    const QFontMetricsF metrics(f_.small);
    p_.setFont(f_.small);
    std::uint32_t every = 1;  // name every n-th of thin rows
    while (every < 8 && g_.cellSize().height() * every < metrics.height() * 0.82) every *= 2;
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      const bool named = chosen_.lane == lane;
      if (lane % every != 0 && !named) continue;
      if (chosen_.lane && !named && every > 1) continue;
      QRectF room = g_.rowName(lane);
      room.setTop(room.center().y() - metrics.height() / 2);
      room.setHeight(metrics.height());
      p_.setPen(named ? t_.accent : t_.soft);
      const QString name = Words::tr("lane %1: %2[%3]")
                               .arg(lane)
                               .arg(QString::fromStdString(pic_.operands.array))
                               .arg(pic_.operands.named[lane]);
      p_.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                  metrics.horizontalAdvance(name) <= room.width() ? name : QString::number(lane));
    }
  }

  QColor columnHue(const FragmentPicture::Column& column) const {
    for (const auto& held : column.held) {
      if (held[0]) return hueOf(pic_.operands.values[*held[0]]);
    }
    return t_.soft;
  }

  void table() {
    const QFont font = scaled(g_.tableScale());
    p_.setFont(font);
    const auto head = [this](std::size_t column, const QString& text, const QColor& colour) {
      p_.setPen(colour);
      p_.drawText(g_.tableHead(column).adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                  text);
    };
    head(0, Words::tr("lane"), t_.soft);
    for (std::size_t c = 0; c < pic_.columns.size(); ++c) {
      const auto& column = pic_.columns[c];
      head(c + 1, column.name.isEmpty() ? Words::tr("row at") : column.name, columnHue(column));
    }
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      const bool here = chosen_.lane == lane;
      const QRectF first = g_.tableCell(lane, 0);
      const QRectF row(first.left(), first.top(), g_.table().width(), first.height());
      if (here) {
        p_.fillRect(row, Theme::mix(t_.warp(pic_.operands.warp), t_.ground, 0.7));
      } else if (lane % 2 == 1) {
        p_.fillRect(row, Theme::mix(t_.well, t_.ground, 0.6));
      }
      const QColor shade = t_.lane(pic_.operands.warp, lane);
      p_.fillRect(first.adjusted(0, 0.5, -2, -0.5), shade);
      p_.setPen(Theme::ink(shade));
      p_.drawText(first, Qt::AlignCenter, QString::number(lane));
      for (std::size_t c = 0; c < pic_.columns.size(); ++c) {
        const auto& column = pic_.columns[c];
        const QRectF cell = g_.tableCell(lane, c + 1);
        bool exact = false;
        for (const auto& held : column.held[lane]) {
          exact = exact || (held && chosen_.element &&
                            pic_.operands.values[*held].element == chosen_.element);
        }
        const bool dim = chosen_.any() && !here && !exact;
        const QColor ink = Theme::mix(columnHue(column), t_.text, 0.35);
        p_.setPen(dim ? Theme::mix(ink, t_.ground, 0.55) : ink);
        p_.drawText(cell.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                    column.texts[lane]);
        if (exact) ring(cell.adjusted(0.5, 0, -2, -1), 1.5, false);
      }
    }
  }

  void words() {
    p_.setFont(f_.small);
    const QFontMetricsF metrics(f_.small);
    QRectF room = g_.words();
    for (const QString& line : pic_.words) {
      const QRectF need = metrics.boundingRect(room, Qt::AlignLeft | Qt::TextWordWrap, line);
      if (need.height() > room.height() || room.width() < 8 * metrics.height()) return;
      p_.setPen(t_.soft);
      drawWrapped(p_, room, Qt::AlignLeft, line);
      room.setTop(room.top() + need.height() + 0.4 * metrics.height());
    }
  }

  void footer(const QString& note, bool chosen) {
    p_.setFont(f_.small);
    p_.setPen(chosen ? t_.text : t_.faint);
    const QFontMetricsF metrics(f_.small);
    p_.drawText(pic_.footer, Qt::AlignLeft | Qt::AlignVCenter,
                fitted(note, metrics, pic_.footer.width()));
  }

  QPainter& p_;
  const FragmentPicture& pic_;
  const FragmentGeometry& g_;
  const Scene& scene_;
  const Theme& t_;
  const Fonts& f_;
  ChosenFragment chosen_;
};

}  // namespace

void paintFragments(QPainter& painter, const FragmentPicture& picture, const Scene& scene,
                    const Theme& theme, const Fonts& fonts) {
  if (!picture.whyNone.isEmpty()) {
    painter.setFont(fonts.body);
    painter.setPen(theme.soft);
    drawWrapped(painter, picture.canvas, Qt::AlignCenter, picture.whyNone);
    return;
  }
  FragmentPainter(painter, picture, scene, theme, fonts).paint();
}

}  // namespace tileloom
