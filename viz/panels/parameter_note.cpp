// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/parameter_note.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <functional>

#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/layout.h"
#include "kernels/tile/parameters.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ParameterPanel)
};

QString number(double value) {
  const bool whole = value == static_cast<double>(static_cast<long long>(value));
  return QLocale(QLocale::English).toString(value, 'f', whole ? 0 : 2);
}

QString parameterText(Parameter parameter) {
  return toQString(name(parameter));
}

struct Effect {
  QString name;
  // Empty: not applicable to the stage. Tile parameters that a stage does not have are 0.
  std::function<QString(const Derived&, const TileShape&)> cell;
};

// Multiply-adds of a rectangle of C per element of A and B that they need.
double ratioOfSides(int rows, int columns) {
  return static_cast<double>(rows) * columns / (rows + columns);
}

std::vector<Effect> effects(const Stage& stage) {
  constexpr int kBlocks = 32;  // in a row of numbers, to show the sharing of a patch of blocks
  const bool parts = rowOf(stage.usualFormat()).elementsPerWord() > 1;
  const bool mma = stage.features().warpMma;
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
      {parts ? Words::tr("registers per thread for values")
             : Words::tr("register values per thread"),
       [plain](const Derived& d, const TileShape&) { return plain(d.values); }},
      // Multiply-adds per value of A or B that is read; for mma, which exchanges values among the
      // lanes, WM * WN of a warp for WM + WN values.
      {parts ? Words::tr("multiply-adds per shared element")
             : Words::tr("multiply-adds per shared float"),
       [mma](const Derived& d, const TileShape& tile) {
         if (mma) return number(ratioOfSides(tile[Parameter::WM], tile[Parameter::WN]));
         return d.operands > 0 ? number(static_cast<double>(d.results) / d.operands) : QString();
       }},
      // blockM * blockN * stepK multiply-adds for (blockM + blockN) * stepK floats fetched.
      {parts ? Words::tr("multiply-adds per global element")
             : Words::tr("multiply-adds per global float"),
       [](const Derived& d, const TileShape&) {
         return d.sharedBytes > 0 ? number(ratioOfSides(d.blockM, d.blockN)) : QString();
       }},
      {Words::tr("subtiles per warp"),
       [](const Derived& d, const TileShape&) {
         return d.wniter > 0 ? Words::tr("%1 × %2").arg(d.wmiter).arg(d.wniter) : QString();
       }},
      // The distance in banks between lanes that store to neighbouring rows.
      {Words::tr("banks from a row of As to the next"),
       [&stage](const Derived&, const TileShape& tile) {
         const auto banks = banksToNextRow(stage, tile);
         return banks ? QString::number(*banks) : QString();
       }},
      // Rows of 16-bit tiles are divided into panels, whose chunks are XORed with their row.
      {Words::tr("panels of As + of Bs"),
       [&stage](const Derived&, const TileShape& tile) {
         const auto panels = panelsOf(stage, tile);
         if (!panels) return QString();
         return panels->a == 0 ? Words::tr("none")
                               : Words::tr("%1 + %2").arg(panels->a).arg(panels->b);
       }},
      // A share may end within a tile, so a tile may have a part of one more.
      {Words::tr("parts of each tile of a wave that is not full, at most"),
       [&stage](const Derived&, const TileShape& tile) {
         return stage.split() == SplitK::Rounds || stage.split() == SplitK::Parts
                    ? QString::number(tile[Parameter::SPLIT])
                    : QString();
       }},
      // What concurrent blocks read of A and of B.
      {Words::tr("strips of A × of B for %1 blocks in a row").arg(kBlocks),
       [&stage](const Derived&, const TileShape& tile) {
         const auto patch = patchOf(stage, tile, kBlocks);
         return patch ? Words::tr("%1 × %2").arg(patch->row).arg(patch->column) : QString();
       }},
  };
}

}  // namespace

QString whatItIs(Parameter parameter) {
  return Words::tr(rowOf(parameter).what.data());
}

ParameterEffects effectsOf(const Stage& stage, const TileShape& tile, Parameter parameter) {
  ParameterEffects e;
  for (const int value : legalValues(stage, tile, parameter)) {
    // Odd ones are legal too, and far too many.
    const bool usual = (value & (value - 1)) == 0;
    if (!usual && value != tile[parameter]) continue;
    if (value == tile[parameter]) e.present = static_cast<int>(e.values.size());
    e.values.push_back(value);
  }
  for (const Effect& effect : effects(stage)) {
    ParameterColumn column{effect.name, {}};
    for (const int value : e.values)
      column.cells.push_back(
          effect.cell(derive(stage, tile.with(parameter, value)), tile.with(parameter, value)));
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

QString parameterNote(const Stage& stage, const TileShape& tile, Parameter parameter) {
  const ParameterEffects e = effectsOf(stage, tile, parameter);
  QString html = QStringLiteral("<p><b>%1 = %2</b>: %3</p>")
                     .arg(parameterText(parameter))
                     .arg(tile[parameter])
                     .arg(whatItIs(parameter).toHtmlEscaped());
  if (e.values.size() < 2)
    return html +
           QStringLiteral("<p>%1</p>")
               .arg(Words::tr("No other value is legal with the other tile parameters as they are.")
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
  row(parameterText(parameter), heads);
  for (const ParameterColumn& column : e.changes) row(column.name, column.cells);
  html += QStringLiteral("</table>");
  if (!e.constants.isEmpty()) {
    html += QStringLiteral("<p>%1</p>")
                .arg(Words::tr("The same for all: %1.")
                         .arg(e.constants.join(QStringLiteral(", ")))
                         .toHtmlEscaped());
  }
  return html;
}

QString parameterStep(const Stage& stage, const TileShape& from, const TileShape& to) {
  QStringList parameters, changes, same;
  for (const ParameterSpec& spec : stage.parameters) {
    if (from[spec.parameter] != to[spec.parameter])
      parameters += Words::tr("%1 %2 → %3")
                        .arg(parameterText(spec.parameter))
                        .arg(from[spec.parameter])
                        .arg(to[spec.parameter]);
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
  if (parameters.isEmpty()) return {};
  QString line = parameters.join(QStringLiteral(", ")) + QStringLiteral(": ");
  line += changes.isEmpty() ? Words::tr("no count changes, only which thread does what")
                            : changes.join(QStringLiteral(", "));
  if (!same.isEmpty()) line += Words::tr("; the same %1").arg(same.join(QStringLiteral(", ")));
  return line + u'.';
}

}  // namespace tileloom
