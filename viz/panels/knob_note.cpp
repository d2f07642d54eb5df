// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/knob_note.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <functional>

#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/knobs.h"
#include "kernels/tile/layout.h"
#include "viz/base/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::KnobPanel)
};

QString number(double value) {
  const bool whole = value == static_cast<double>(static_cast<long long>(value));
  return QLocale(QLocale::English).toString(value, 'f', whole ? 0 : 2);
}

QString knobText(Knob knob) {
  return toQString(name(knob));
}

struct Effect {
  QString name;
  // Empty: the stage has no such thing. A knob that it does not have is 0.
  std::function<QString(const Derived&, const TileShape&)> cell;
};

// Multiply-adds of a rectangle of C for each element of A and B that they take.
double ratioOfSides(int rows, int columns) {
  return static_cast<double>(rows) * columns / (rows + columns);
}

std::vector<Effect> effects(const Stage& stage) {
  constexpr int kBlocks = 32;  // in a row of numbers, to show what a patch of blocks shares
  const bool halves = rowOf(stage.arithmetic()).bytes == 2;
  const bool mma = stage.is(Trait::TensorCore);
  const auto plain = [](int value) { return value > 0 ? number(value) : QString(); };
  return {
      {Words::tr("threads per block"),
       [plain](const Derived& d, const TileShape&) { return plain(d.threads); }},
      {Words::tr("KiB shared"),
       [](const Derived& d, const TileShape&) {
         return d.sharedBytes > 0 ? number(d.sharedBytes / 1024.0) : QString();
       }},
      {Words::tr("results per thread"),
       [plain](const Derived& d, const TileShape&) { return plain(d.results); }},
      {halves ? Words::tr("registers per thread for values")
              : Words::tr("register values per thread"),
       [plain](const Derived& d, const TileShape&) { return plain(d.values); }},
      // A value of A or B that is read serves as many multiply-adds; of mma, which exchanges values
      // among the lanes, WM * WN of a warp for WM + WN of them.
      {halves ? Words::tr("multiply-adds per shared element")
              : Words::tr("multiply-adds per shared float"),
       [mma](const Derived& d, const TileShape& tile) {
         if (mma) return number(ratioOfSides(tile[Knob::WM], tile[Knob::WN]));
         return d.operands > 0 ? number(static_cast<double>(d.results) / d.operands) : QString();
       }},
      // blockM * blockN * stepK multiply-adds for (blockM + blockN) * stepK floats fetched.
      {halves ? Words::tr("multiply-adds per global element")
              : Words::tr("multiply-adds per global float"),
       [](const Derived& d, const TileShape&) {
         return d.sharedBytes > 0 ? number(ratioOfSides(d.blockM, d.blockN)) : QString();
       }},
      {Words::tr("subtiles per warp"),
       [](const Derived& d, const TileShape&) {
         return d.wniter > 0 ? Words::tr("%1 × %2").arg(d.wmiter).arg(d.wniter) : QString();
       }},
      // Lanes that store to neighbouring rows are that many banks apart.
      {Words::tr("banks from a row of As to the next"),
       [&stage](const Derived&, const TileShape& tile) {
         const auto banks = banksToNextRow(stage, tile);
         return banks ? QString::number(*banks) : QString();
       }},
      // Rows of 16-bit tiles that are cut into panels, whose chunks are XORed with their row.
      {Words::tr("panels of As + of Bs"),
       [&stage](const Derived&, const TileShape& tile) {
         const auto panels = panelsOf(stage, tile);
         if (!panels) return QString();
         return panels->a == 0 ? Words::tr("none")
                               : Words::tr("%1 + %2").arg(panels->a).arg(panels->b);
       }},
      // Shares end where they end, so that a tile may hold parts of one more.
      {Words::tr("shares made for each tile of a wave that is not full, at most"),
       [&stage](const Derived&, const TileShape& tile) {
         return stage.is(Trait::Split) || stage.is(Trait::Parts)
                    ? QString::number(tile[Knob::SPLIT])
                    : QString();
       }},
      // What blocks that run side by side read of A and of B.
      {Words::tr("strips of A × of B for %1 blocks in a row").arg(kBlocks),
       [&stage](const Derived&, const TileShape& tile) {
         const auto patch = patchOf(stage, tile, kBlocks);
         return patch ? Words::tr("%1 × %2").arg(patch->row).arg(patch->column) : QString();
       }},
  };
}

}  // namespace

QString whatItIs(Knob knob) {
  return Words::tr(rowOf(knob).what.data());
}

KnobEffects effectsOf(const Stage& stage, const TileShape& tile, Knob knob) {
  KnobEffects e;
  for (const int value : legalValues(stage, tile, knob)) {
    // Odd ones are legal too, and far too many.
    const bool usual = (value & (value - 1)) == 0;
    if (!usual && value != tile[knob]) continue;
    if (value == tile[knob]) e.present = static_cast<int>(e.values.size());
    e.values.push_back(value);
  }
  for (const Effect& effect : effects(stage)) {
    KnobColumn column{effect.name, {}};
    for (const int value : e.values)
      column.cells.push_back(
          effect.cell(derive(stage, tile.with(knob, value)), tile.with(knob, value)));
    const bool has =
        std::ranges::any_of(column.cells, [](const QString& c) { return !c.isEmpty(); });
    if (!has) continue;
    const bool same = std::ranges::all_of(
        column.cells, [&column](const QString& c) { return c == column.cells.front(); });
    if (same) {
      e.constants += column.name;
    } else {
      e.changes.push_back(std::move(column));
    }
  }
  return e;
}

QString knobNote(const Stage& stage, const TileShape& tile, Knob knob) {
  const KnobEffects e = effectsOf(stage, tile, knob);
  QString html = QStringLiteral("<p><b>%1 = %2</b>: %3</p>")
                     .arg(knobText(knob))
                     .arg(tile[knob])
                     .arg(whatItIs(knob).toHtmlEscaped());
  if (e.values.size() < 2)
    return html + QStringLiteral("<p>%1</p>")
                      .arg(Words::tr("No other value is legal while the other knobs stay.")
                               .toHtmlEscaped());
  const auto cell = [](const QString& text, bool bold) {
    return QStringLiteral("<td align=\"right\">%1%2%3</td>")
        .arg(bold ? QStringLiteral("<b>") : QString(), text.toHtmlEscaped(),
             bold ? QStringLiteral("</b>") : QString());
  };
  const auto row = [&](const QString& head, const std::vector<QString>& cells) {
    html += QStringLiteral("<tr><td>%1</td>").arg(head.toHtmlEscaped());
    for (std::size_t i = 0; i < cells.size(); ++i)
      html += cell(cells[i], static_cast<int>(i) == e.present);
    html += QStringLiteral("</tr>");
  };
  html += QStringLiteral("<table cellpadding=\"3\">");
  std::vector<QString> heads;
  for (const int value : e.values) heads.push_back(QString::number(value));
  row(knobText(knob), heads);
  for (const KnobColumn& column : e.changes) row(column.name, column.cells);
  html += QStringLiteral("</table>");
  if (!e.constants.isEmpty()) {
    html += QStringLiteral("<p>%1</p>")
                .arg(Words::tr("The same for all: %1.")
                         .arg(e.constants.join(QStringLiteral(", ")))
                         .toHtmlEscaped());
  }
  return html;
}

QString knobStep(const Stage& stage, const TileShape& from, const TileShape& to) {
  QStringList knobs, changes, same;
  for (const KnobSpec& spec : stage.knobs) {
    if (from[spec.knob] != to[spec.knob])
      knobs +=
          Words::tr("%1 %2 → %3").arg(knobText(spec.knob)).arg(from[spec.knob]).arg(to[spec.knob]);
  }
  const Derived before = derive(stage, from), after = derive(stage, to);
  for (const Effect& effect : effects(stage)) {
    const QString x = effect.cell(before, from), y = effect.cell(after, to);
    if (x.isEmpty() && y.isEmpty()) continue;
    if (x == y) {
      same += effect.name;
    } else {
      changes += Words::tr("%1 %2 → %3").arg(effect.name, x, y);
    }
  }
  if (knobs.isEmpty()) return {};
  QString line = knobs.join(QStringLiteral(", ")) + QStringLiteral(": ");
  line += changes.isEmpty() ? Words::tr("no count changes, only who does what")
                            : changes.join(QStringLiteral(", "));
  if (!same.isEmpty()) line += Words::tr("; the same %1").arg(same.join(QStringLiteral(", ")));
  return line + u'.';
}

}  // namespace tileloom
