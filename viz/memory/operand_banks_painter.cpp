// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/memory/operand_banks.h"

namespace tileloom {
namespace {

using analysis::Matrix;
using Panel = OperandBanks::Panel;

constexpr double kSmallestText = 7.5;  // pixels

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Banks)
};

class Painter {
 public:
  Painter(QPainter& painter, const OperandBanks& banks, const Scene& scene, const Theme& theme,
          const Fonts& fonts)
      : p_(painter), banks_(banks), scene_(scene), t_(theme), f_(fonts) {}

  void paint(const QRectF& header, const QRectF& footer) {
    p_.save();
    p_.setRenderHint(QPainter::Antialiasing, false);
    p_.setFont(f_.title);
    p_.setPen(t_.text);
    const QString title = Words::tr("Shared memory banks");
    p_.drawText(header, Qt::AlignLeft | Qt::AlignVCenter, title);
    const double used = QFontMetricsF(f_.title).horizontalAdvance(title) + 24;
    words(header.adjusted(used, 0, 0, 0), t_.soft, Qt::AlignRight, banks_.what);
    panel(banks_.a);
    panel(banks_.b);
    selection();
    foot(footer);
    p_.restore();
  }

 private:
  // Smaller text before shorter text.
  void words(const QRectF& room, const QColor& ink, Qt::Alignment where, const QString& sentence) {
    const bool fits = QFontMetricsF(f_.body).horizontalAdvance(sentence) <= room.width();
    const QFont& font = fits ? f_.body : f_.small;
    const QFontMetricsF metrics(font);
    p_.setFont(font);
    p_.setPen(ink);
    p_.drawText(room, where | Qt::AlignVCenter, fitted(sentence, metrics, room.width()));
  }

  void foot(const QRectF& room) {
    const Tone tone = banks_.verdict.tone;
    const QColor ink = tone == Tone::Trouble ? t_.trouble : t_.good;
    const QFontMetricsF metrics(f_.body);
    const auto bottomOf = [](const Panel& panel) {
      return panel.strip(panel.wavefronts.size() - 1, 0).bottom();
    };
    QRectF left = room;
    left.moveTop(std::min(room.top(),
                          std::max(bottomOf(banks_.a), bottomOf(banks_.b)) + 0.15 * room.height()));
    const double need = metrics.horizontalAdvance(banks_.verdict.text);
    words(left, ink, Qt::AlignLeft, banks_.verdict.text);
    left.setLeft(left.left() + need + 0.6 * metrics.height());
    // The more important first: what does not fit is omitted.
    if (left.width() < 8 * metrics.height()) return;
    const QString note = Words::tr(
        "as the hardware counts them; their order is unknown · each colour is 8 rows of 16 bytes, "
        "one wavefront · dim: not read by this wgmma · contents as recorded");
    const QFontMetricsF small(f_.small);
    p_.setFont(f_.small);
    p_.setPen(t_.soft);
    p_.drawText(left, Qt::AlignLeft | Qt::AlignVCenter, fitted(note, small, left.width()));
  }

  QFont scaled(double scale) const {
    QFont font = f_.small;
    const double now = QFontMetricsF(font).height();
    const double pixels = font.pixelSize() > 0 ? font.pixelSize() : now * 0.8;
    font.setPixelSize(std::max(static_cast<int>(kSmallestText), static_cast<int>(pixels * scale)));
    return font;
  }

  // The colour of one read among those of its panel.
  QColor colourOf(const Panel& panel, std::size_t read) const {
    const auto last = static_cast<double>(std::max<std::size_t>(1, panel.reads.size() - 1));
    return Theme::mix(t_.matrix(panel.matrix), t_.ground, 0.62 * static_cast<double>(read) / last);
  }

  // "A[16][8–15]", "16, 8": the row and the first column of a chunk's elements, as long as fits.
  static QString fullText(const analysis::Element& e) {
    return QStringLiteral("%1[%2][%3–%4]")
        .arg(QChar(u"ABC"[static_cast<int>(e.matrix)]))
        .arg(e.row)
        .arg(e.column)
        .arg(e.column + OperandBanks::kElements - 1);
  }
  static QString shortText(const analysis::Element& e) {
    return QStringLiteral("%1, %2").arg(e.row).arg(e.column);
  }

  // The scale at which the panel's widest text fits; 0: it does not fit.
  double scaleFor(const Panel& panel, QString (*textOf)(const analysis::Element&)) const {
    double widest = 1;
    for (std::size_t line = 0; line < panel.lines.size(); ++line) {
      for (std::uint32_t c = 0; c < OperandBanks::kChunks; ++c) {
        if (const auto e = panel.first(line, c))
          widest = std::max(widest, QFontMetricsF(f_.small).horizontalAdvance(textOf(*e)));
      }
    }
    const double scale =
        std::min({1.3, (panel.high - 1) / (0.92 * QFontMetricsF(f_.small).height()),
                  (panel.wide - 4) / widest});
    return scale >= 0.66 ? scale : 0;
  }

  // "banks 4–7", "4–7" or "4", the longest that fits.
  void bankNumbers(const Panel& panel) {
    const QFontMetricsF small(f_.small);
    const auto fits = [&](const QString& widest) {
      return small.horizontalAdvance(widest) + 6 <= panel.wide;
    };
    const bool named = fits(Words::tr("banks %1").arg(QStringLiteral("28–31")));
    const bool ranges = fits(QStringLiteral("28–31"));
    // As many of the first banks as fit apart.
    std::uint32_t step = 1;
    while (step < OperandBanks::kChunks &&
           step * panel.wide < small.horizontalAdvance(QStringLiteral("28")) + 4)
      step *= 2;
    p_.setPen(t_.faint);
    if (named || ranges) step = 1;
    for (std::uint32_t c = 0; c < OperandBanks::kChunks; c += step) {
      const QString range = QStringLiteral("%1–%2").arg(4 * c).arg(4 * c + 3);
      const QRectF room(panel.left + c * panel.wide, panel.numbers.top(), step * panel.wide,
                        panel.numbers.height());
      p_.drawText(room, (named || ranges ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter,
                  named    ? Words::tr("banks %1").arg(range)
                  : ranges ? range
                           : QString::number(4 * c));
    }
  }

  void panel(const Panel& panel) {
    const QFontMetricsF small(f_.small);
    const double fullScale = scaleFor(panel, fullText);
    const double scale = fullScale > 0 ? fullScale : scaleFor(panel, shortText);
    QString name = panel.name;
    if (fullScale == 0 && scale > 0)
      name += panel.matrix == Matrix::A ? Words::tr(" · by row and k")
                                        : Words::tr(" · by k and column");
    p_.setFont(f_.small);
    p_.setPen(t_.matrix(panel.matrix));
    p_.drawText(panel.title, Qt::AlignLeft | Qt::AlignVCenter,
                fitted(name, small, panel.title.width()));
    bankNumbers(panel);
    const auto& array = scene_.recording->trace.arrays[panel.array];
    const double thin = panel.high > 6 ? 0.5 : 0;
    for (std::size_t line = 0; line < panel.lines.size(); ++line) {
      p_.setFont(panel.high < 0.8 * small.height() ? scaled(0.75) : f_.small);
      p_.setPen(t_.soft);
      if (panel.high >= 0.66 * small.height())
        p_.drawText(panel.lineName(line), Qt::AlignRight | Qt::AlignVCenter,
                    QStringLiteral("%1[%2]")
                        .arg(toQString(array.name))
                        .arg(panel.byteOf(line, 0) / 2 - array.base * 2));
      for (std::uint32_t c = 0; c < OperandBanks::kChunks; ++c) {
        const auto read = panel.readOf(panel.byteOf(line, c));
        const QRectF cell = panel.chunk(line, c);
        const QColor colour = read ? colourOf(panel, *read) : Theme::mix(t_.well, t_.ground, 0.3);
        p_.fillRect(cell.adjusted(thin, thin, -thin, -thin), colour);
        const auto e = panel.first(line, c);
        if (scale == 0 || !e) continue;
        p_.setFont(scaled(scale));
        p_.setPen(read ? Theme::ink(colour) : t_.faint);
        p_.drawText(cell, Qt::AlignCenter, fullScale > 0 ? fullText(*e) : shortText(*e));
      }
    }
    strips(panel, scale);
  }

  // The chosen read, which is framed above: each of its wavefronts over the banks.
  void strips(const Panel& panel, double scale) {
    const auto& read = panel.reads[panel.chosen];
    p_.setBrush(Qt::NoBrush);
    p_.setPen(hairline(t_.text, 1.5));
    for (const std::uint32_t byte : read.bytes) {
      const QRectF cell = banks_.cellOf(byte);
      if (!cell.isEmpty()) p_.drawRect(cell.adjusted(1, 1, -1, -1));
    }
    const QFontMetricsF small(f_.small);
    const QColor colour = colourOf(panel, panel.chosen);
    for (std::size_t w = 0; w < panel.wavefronts.size(); ++w) {
      p_.setFont(panel.high < 0.8 * small.height() ? scaled(0.75) : f_.small);
      p_.setPen(w == 0 ? t_.soft : t_.trouble);
      if (panel.high >= 0.66 * small.height())
        p_.drawText(panel.stripName(w), Qt::AlignRight | Qt::AlignVCenter,
                    panel.wavefronts.size() == 1 ? Words::tr("1 wavefront")
                                                 : Words::tr("wavefront %1").arg(w + 1));
      for (std::uint32_t c = 0; c < OperandBanks::kChunks; ++c) {
        const QRectF cell = panel.strip(w, c).adjusted(0.5, 0.5, -0.5, -0.5);
        const auto& row = panel.wavefronts[w][c];
        p_.fillRect(cell, row ? colour : t_.well);
        if (!row || scale == 0) continue;
        // The row, of eight, that these banks serve.
        const QString full = panel.matrix == Matrix::A ? Words::tr("row %1").arg(read.row + *row)
                                                       : Words::tr("k %1").arg(read.row + *row);
        p_.setFont(scaled(std::min(scale, 1.0)));
        p_.setPen(Theme::ink(colour));
        const QFontMetricsF metrics(p_.font());
        p_.drawText(cell, Qt::AlignCenter,
                    metrics.horizontalAdvance(full) + 2 <= cell.width()
                        ? full
                        : QString::number(read.row + *row));
      }
      p_.setPen(hairline(t_.text, 1.5));
      p_.drawRect(panel.strip(w, 0).united(panel.strip(w, OperandBanks::kChunks - 1)));
    }
  }

  void selection() {
    if (!scene_.selection.element) return;
    for (const Panel* panel : {&banks_.a, &banks_.b}) {
      const auto found = std::ranges::find(panel->elements, scene_.selection.element);
      if (found == panel->elements.end()) continue;
      const auto at = static_cast<std::size_t>(found - panel->elements.begin());
      constexpr std::size_t kLine = OperandBanks::kLineBytes / 2;
      QRectF cell = panel->chunk(at / kLine,
                                 static_cast<std::uint32_t>(at % kLine / OperandBanks::kElements));
      const double part = cell.width() / OperandBanks::kElements;
      cell = QRectF(cell.left() + static_cast<double>(at % OperandBanks::kElements) * part,
                    cell.top(), part, cell.height());
      if (cell.width() < 5) cell.adjust(-1.5, 0, 1.5, 0);
      p_.setBrush(Qt::NoBrush);
      p_.setPen(hairline(t_.ground, 4));
      p_.drawRect(cell);
      p_.setPen(hairline(t_.accent, 2));
      p_.drawRect(cell);
    }
  }

  QPainter& p_;
  const OperandBanks& banks_;
  const Scene& scene_;
  const Theme& t_;
  const Fonts& f_;
};

}  // namespace

void paintOperandBanks(QPainter& painter, const OperandBanks& banks, const QRectF& header,
                       const QRectF& footer, const Scene& scene, const Theme& theme,
                       const Fonts& fonts) {
  Painter(painter, banks, scene, theme, fonts).paint(header, footer);
}

}  // namespace tileloom
