// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/energy/energy_geometry.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/charts/chart_style.h"
#include "viz/charts/energy/energy_words.h"

namespace tileloom::charts {
namespace {

using model::EnergyCall;
using model::Loads;
using Role = EnergyText::Role;
using Kind = EnergyPart::Kind;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::EnergyChart)
};

constexpr double kPad = 8;
constexpr double kGap = 6;
constexpr double kBetween = 22;       // the two parts side by side
constexpr double kWhatIfShare = 0.6;  // of the width
constexpr double kMostName = 0.34;    // of a part's width
constexpr double kThick = 0.68;       // of a row
constexpr double kMostThick = 46;
constexpr double kTallFrom = 25;  // lines of height from which the headline is large
constexpr double kSwatch = 14;
constexpr double kAxisAir = 1.015;  // right of the longest whisker
constexpr double kLeastRow = 1.2;   // lines: of a comfortable row
constexpr double kTightRow = 0.9;   // lines: of the lowest readable row

class Layout {
 public:
  Layout(const EnergyData& data, const QSizeF& size, const Fonts& fonts)
      : m_data(data), m_size(size), m_fonts(fonts), m_small(fonts.small), m_line(m_small.height()) {
    m_strong = fontOf(Role::Strong, fonts);
  }

  EnergyGeometry take() {
    double top = 2;
    const double width = std::max(40.0, m_size.width() - 2 * kPad);
    const Role headline =
        m_size.height() >= kTallFrom * m_line ? Role::LargeHeadline : Role::Headline;
    const double high = QFontMetricsF(fontOf(headline, m_fonts)).height();
    place({kPad, top, width, high}, energyHeadlines(m_data), headline);
    top += high;
    if (const QStringList sources = energySources(m_data); !sources.isEmpty()) {
      place({kPad, top, width, m_line}, sources, Role::Soft);
      top += m_line;
    }
    if (const QStringList notes = energyNotes(m_data); !notes.isEmpty()) {
      place({kPad, top, width, m_line}, notes, Role::Strong);
      top += m_line;
    }
    top += 0.35 * m_line;
    const QRectF rest(kPad, top, width, std::max(1.0, m_size.height() - top - 2));
    // A part whose rows would overlap is left out.
    const EnergyCall* call = m_data.whatIfs();
    auto rungs = m_data.rungs();
    constexpr double kHeadAndAxis = 2.5;  // lines
    const double each = kTightRow * m_line, around = kHeadAndAxis * m_line;
    const bool beside = m_size.width() >= kEnergyBeside;
    const double whatIfs = call == nullptr ? 0 : around + model::kLoads.size() * each;
    const double below = around + static_cast<double>(rungs.size()) * each;
    if (rest.height() < whatIfs) call = nullptr;
    if (rest.height() < (beside ? below : whatIfs + m_line + below)) rungs.clear();
    if (call != nullptr && !rungs.empty()) {
      if (beside) {
        const double left = kWhatIfShare * (rest.width() - kBetween);
        layOutWhatIfs(QRectF(rest.topLeft(), QSizeF(left, rest.height())), *call);
        layOutRungs(rest.adjusted(left + kBetween, 0, 0, 0), rungs);
      } else {
        const double share = 9.0 / (9.0 + static_cast<double>(rungs.size()) + 2);
        const double upper = share * rest.height();
        layOutWhatIfs(QRectF(rest.topLeft(), QSizeF(rest.width(), upper - 0.5 * m_line)), *call);
        layOutRungs(rest.adjusted(0, upper, 0, 0), rungs);
      }
    } else if (call != nullptr) {
      layOutWhatIfs(rest, *call);
    } else if (!rungs.empty()) {
      layOutRungs(rest, rungs);
    }
    return std::move(g);
  }

 private:
  // The fullest of these texts that fits, else the shortest, elided.
  void place(const QRectF& rect, const QStringList& texts, Role role,
             Qt::Alignment side = Qt::AlignLeft) {
    const QFontMetricsF metrics(fontOf(role, m_fonts));
    const auto fits = [&](const QString& text) {
      return metrics.horizontalAdvance(text) <= rect.width();
    };
    const auto found = std::ranges::find_if(texts, fits);
    EnergyText text{rect, found == texts.end() ? texts.back() : *found, role, side,
                    found != texts.end()};
    if (!text.whole) text.text = fitted(text.text, metrics, std::max(0.0, rect.width()));
    if (!text.text.isEmpty()) g.texts.push_back(std::move(text));
  }

  // Only if a text fits.
  void placeWhole(const QRectF& rect, const QStringList& texts, Role role, Qt::Alignment side) {
    const QFontMetricsF metrics(fontOf(role, m_fonts));
    for (const QString& text : texts) {
      if (metrics.horizontalAdvance(text) > rect.width()) continue;
      g.texts.push_back({rect, text, role, side, true});
      return;
    }
  }

  double widthOf(const QString& text) const { return m_small.horizontalAdvance(text); }
  double strongWidthOf(const QString& text) const {
    return QFontMetricsF(m_strong).horizontalAdvance(text);
  }

  void layOutWhatIfs(const QRectF& area, const EnergyCall& call) {
    const QString joule = Words::tr("J"), speed = Words::tr("TFLOP/s");
    const double jouleWide = widthOf(QStringLiteral("0.0000")), speedWide = widthOf(speed) + 4;
    double name = 0;
    for (const Loads loads : model::kLoads) name = std::max(name, widthOf(loadsName(loads)));
    name = std::min(name, kMostName * area.width());
    const double left = area.left() + name + kGap;
    const double speedLeft = area.right() - speedWide, jouleLeft = speedLeft - kGap - jouleWide;
    const double right = std::max(left + 20, jouleLeft - 10);

    place({area.left(), area.top(), std::max(10.0, right - area.left()), m_line},
          whatIfTitles(call), Role::Strong);
    place({jouleLeft, area.top(), jouleWide, m_line}, {joule}, Role::Soft, Qt::AlignRight);
    place({speedLeft, area.top(), speedWide, m_line}, {speed}, Role::Soft, Qt::AlignRight);

    // Below the rows: the axis, then the legend, then the sums if there is room.
    constexpr double kRows = model::kLoads.size();
    double below = 1.25 * m_line;
    const auto roomFor = [&](double lines) {
      return area.height() - 1.2 * m_line - below - lines * m_line >= kRows * kLeastRow * m_line;
    };
    const bool legend = roomFor(1.1);
    if (legend) below += 1.1 * m_line;
    const bool sums = roomFor(1.1);
    if (sums) below += 1.1 * m_line;
    const double top = area.top() + 1.2 * m_line;
    const double height = std::max(kRows * 4.0, area.bottom() - below - top);
    g.bars = QRectF(left, top, right - left, height);

    double most = 0;
    for (const auto& at : call.whatIfs) most = std::max(most, call.joules(at.tflops.low));
    g.mostJoules = kAxisAir * most;
    const auto shares = sharesOf(call);
    g.ceiling = g.jouleX(shares.noLoads);
    const double each = height / kRows;
    // Thick enough to keep text clear of the bar's frame, if the row allows it.
    const double thick = std::min(
        {std::max(kThick * each, m_line + 3), each - 1.5, std::max(kMostThick, m_line + 3)});
    double y = top;
    for (const Loads loads : model::kLoads) {
      const auto& at = call.whatIf(loads);
      EnergyBar bar;
      bar.loads = loads;
      bar.row = QRectF(area.left(), y, area.width(), each);
      const double upper = y + (each - thick) / 2;
      double from = 0;
      const auto add = [&](Kind kind, double joules) {
        bar.parts.push_back({kind, QRectF(QPointF(g.jouleX(from), upper),
                                          QPointF(g.jouleX(from + joules), upper + thick))});
        from += joules;
      };
      add(Kind::NoLoads, shares.noLoads);
      if (loads == Loads::OnlyA) add(Kind::A, shares.onlyA);
      if (loads == Loads::OnlyB) add(Kind::B, shares.onlyB);
      if (loads == Loads::FromL2 || loads == Loads::All) add(Kind::AB, shares.fromL2);
      if (loads == Loads::All) add(Kind::Dram, shares.fromDram);
      bar.low = g.jouleX(call.joules(at.tflops.high));
      bar.high = g.jouleX(call.joules(at.tflops.low));
      const double line = std::min(m_line, each);
      const double text = y + (each - line) / 2;
      const Role role = loads == Loads::All ? Role::Strong : Role::Text;
      place({area.left(), text, name, line}, {loadsName(loads)}, Role::Text, Qt::AlignRight);
      place({jouleLeft, text, jouleWide, line}, {jouleText(call.joules(at.tflops.median))}, role,
            Qt::AlignRight);
      place({speedLeft, text, speedWide, line}, {QString::number(at.tflops.median, 'f', 0)}, role,
            Qt::AlignRight);
      // In the bar, clear of its whisker.
      const double end = std::min(g.ceiling, bar.low) - 6;
      if (thick >= 0.8 * m_line) {
        placeWhole({left + 4, text, std::max(0.0, end - left - 4), line}, loadsLabels(call, loads),
                   Role::Text, Qt::AlignRight);
      }
      g.rows.push_back(std::move(bar));
      y += each;
    }
    layOutJoules(area, left, right);
    double line = g.bars.bottom() + 1.25 * m_line;
    if (legend) {
      layOutLegend({area.left(), line, area.width(), m_line});
      line += 1.1 * m_line;
    }
    if (sums) place({area.left(), line, area.width(), m_line}, sumsSentences(call), Role::Soft);
  }

  void layOutJoules(const QRectF& area, double left, double right) {
    const double wide = widthOf(QStringLiteral("0.00")) + 10;
    const double step = niceStep(g.mostJoules * wide / std::max(wide, right - left));
    for (int i = 0; i * step <= g.mostJoules; ++i) {
      const double at = g.jouleX(i * step);
      const QString text = QString::number(i * step, 'g', 3);
      g.ticks.push_back({at, text});
      const double half = widthOf(text) / 2 + 1;
      if (at + half <= area.right())
        place({at - half, g.bars.bottom() + 2, 2 * half, m_line}, {text}, Role::Soft,
              Qt::AlignHCenter);
    }
    const double names = left - area.left() - kGap - widthOf(QStringLiteral("0"));
    placeWhole({area.left(), g.bars.bottom() + 2, std::max(0.0, names), m_line},
               {Words::tr("joules"), Words::tr("J")}, Role::Soft, Qt::AlignRight);
  }

  void layOutLegend(const QRectF& line) {
    struct Entry {
      std::vector<Kind> kinds;
      QStringList words;
    };
    const std::vector<Entry> entries = {
        {{Kind::NoLoads},
         {Words::tr("products, sums, storing C, and idle power"),
          Words::tr("products, sums, C, idle power"), Words::tr("all else")}},
        {{Kind::A, Kind::B},
         {Words::tr("A or B alone, DRAM to the SMs"), Words::tr("DRAM to the SMs"),
          Words::tr("alone")}},
        {{Kind::AB},
         {Words::tr("A and B, L2 to the SMs"), Words::tr("L2 to the SMs"), Words::tr("L2")}},
        {{Kind::Dram},
         {Words::tr("DRAM to L2, and between its halves"), Words::tr("DRAM to L2"),
          Words::tr("DRAM")}}};
    constexpr double kApart = 14;
    for (qsizetype form = 0; form < 3; ++form) {
      double needs = -kApart;
      for (const Entry& e : entries)
        needs += static_cast<double>(e.kinds.size()) * (kSwatch + 2) + 3 + widthOf(e.words[form]) +
                 1 + kApart;
      if (needs > line.width() && form < 2) continue;
      double x = line.left();
      for (const Entry& e : entries) {
        for (const Kind kind : e.kinds) {
          g.swatches.push_back({kind, {x, line.center().y() - 4.5, kSwatch, 9}});
          x += kSwatch + 2;
        }
        x += 3;
        const double wide = std::min(widthOf(e.words[form]) + 1, std::max(0.0, line.right() - x));
        place({x, line.top(), wide, line.height()}, {e.words[form]}, Role::Soft);
        x += wide + kApart;
      }
      return;
    }
  }

  void layOutRungs(const QRectF& area, const std::vector<EnergyRung>& rungs) {
    double titled = 0, brief = 0, numbers = 0;
    for (const EnergyRung& rung : rungs) {
      titled = std::max(titled, strongWidthOf(rungName(rung, true)) + 2);
      brief = std::max(brief, strongWidthOf(rungName(rung, false)) + 2);
      numbers = std::max(numbers, strongWidthOf(rungNumbers(rung)) + 2);
    }
    constexpr double kLeastPlot = 90;
    const bool full = titled + numbers + 2 * kGap + kLeastPlot <= area.width();
    const double name = full ? titled : brief;
    const double left = area.left() + name + kGap + 4;
    const double numbersLeft = area.right() - numbers;
    const double right = std::max(left + 20, numbersLeft - 12);
    place({area.left(), area.top(), area.width(), m_line}, rungTitles(), Role::Strong);
    const double top = area.top() + 1.2 * m_line;
    const double count = static_cast<double>(rungs.size());
    const double height = std::max(count * 4.0, area.bottom() - 1.25 * m_line - top);
    g.rungs = QRectF(left, top, right - left, height);

    double least = 100, most = 100;
    for (const EnergyRung& rung : rungs) {
      for (const auto& point : rung.points) {
        least = std::min(least, model::energyPercent(point.at));
        most = std::max(most, model::energyPercent(point.at));
      }
    }
    g.leastPercent = std::floor(least / 5 - 0.2) * 5;
    g.mostPercent = std::ceil(most / 5 + 0.2) * 5;
    g.library = g.percentX(100);
    const double each = height / count, line = std::min(m_line, each);
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      const double y = top + static_cast<double>(i) * each, text = y + (each - line) / 2;
      const bool present = m_data.present != nullptr && rungs[i].stage == m_data.present;
      if (present) g.present = static_cast<int>(i);
      const Role role = present ? Role::Strong : Role::Text;
      place({area.left() + 4, text, name, line}, {rungName(rungs[i], full)}, role);
      place({numbersLeft, text, numbers, line}, {rungNumbers(rungs[i])}, role, Qt::AlignRight);
      EnergyMarks marks;
      marks.row = QRectF(area.left(), y, area.width(), each);
      for (const auto& point : rungs[i].points)
        marks.marks.emplace_back(g.percentX(model::energyPercent(point.at)), y + each / 2);
      g.rungRows.push_back(std::move(marks));
    }
    const double wide = 1.6 * widthOf(QStringLiteral("100 %"));
    const double range = g.mostPercent - g.leastPercent;
    const double step = std::max(5.0, niceStep(range * wide / g.rungs.width()));
    for (double at = std::ceil(g.leastPercent / step) * step; at <= g.mostPercent + 0.01;
         at += step) {
      const QString words = Words::tr("%1 %").arg(figures::grouped(at));
      g.rungTicks.push_back({g.percentX(at), words});
      const double half = widthOf(words) / 2 + 1;
      place({g.percentX(at) - half, g.rungs.bottom() + 2, 2 * half, m_line}, {words}, Role::Soft,
            Qt::AlignHCenter);
    }
  }

  const EnergyData& m_data;
  QSizeF m_size;
  const Fonts& m_fonts;
  QFontMetricsF m_small;
  double m_line;
  QFont m_strong;
  EnergyGeometry g;
};

}  // namespace

QFont fontOf(EnergyText::Role role, const Fonts& fonts) {
  QFont font = role == Role::LargeHeadline ? fonts.title
               : role == Role::Headline    ? fonts.body
                                           : fonts.small;
  if (role == Role::LargeHeadline || role == Role::Headline || role == Role::Strong)
    font.setWeight(QFont::DemiBold);
  return font;
}

QRectF EnergyBar::bar() const {
  return parts.empty() ? QRectF() : parts.front().rect.united(parts.back().rect);
}

double EnergyGeometry::jouleX(double joules) const {
  return bars.left() + joules / mostJoules * bars.width();
}

double EnergyGeometry::percentX(double percent) const {
  return rungs.left() + (percent - leastPercent) / (mostPercent - leastPercent) * rungs.width();
}

double leastEnergyHeight(const EnergyData& data, double width, const Fonts& fonts) {
  const double line = QFontMetricsF(fonts.small).height();
  const double head =
      QFontMetricsF(fonts.body).height() + 1.7 * line + (energyNotes(data).isEmpty() ? 0 : line);
  const double rungs = static_cast<double>(data.rungs().size());
  const double whatIfs = 5 * kLeastRow + 2.5, beneath = kLeastRow * rungs + 2.5;
  const double rows =
      width >= kEnergyBeside ? std::max(whatIfs, 0.95 * rungs + 2.5) : whatIfs + beneath + 1;
  return head + rows * line;
}

EnergyGeometry energyGeometry(const EnergyData& data, const QSizeF& size, const Fonts& fonts) {
  return Layout(data, size, fonts).take();
}

std::optional<EnergySpot> energySpotAt(const EnergyGeometry& g, const QPointF& at) {
  for (const EnergyBar& bar : g.rows)
    if (bar.row.contains(at)) return EnergySpot{bar.loads, {}};
  for (std::size_t i = 0; i < g.rungRows.size(); ++i)
    if (g.rungRows[i].row.contains(at)) return EnergySpot{{}, static_cast<int>(i)};
  return std::nullopt;
}

}  // namespace tileloom::charts
