// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/sass_summary.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "kernels/tile/mma.h"
#include "kernels/tile/stage.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/code/loop/ribbon_painter.h"
#include "viz/code/sass_style.h"
#include "viz/code/stall_facts.h"

namespace tileloom {
namespace {

constexpr double kMargin = 12;
constexpr double kGap = 6;
constexpr double kLeastRibbon = 40;  // pixels, two rows; it has priority over the key

double lineOf(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height());
}

QString captionOf(const SassFacts& f) {
  const QString all = figures::grouped(f.size()), part = figures::grouped(f.inLoop.total);
  return f.loop.whole
             ? SassSummary::tr("no loop has a multiply-add: the whole kernel, %1 instructions")
                   .arg(all)
             : SassSummary::tr("main loop: %1 of %2 instructions").arg(part, all);
}

// The line below the origin: the origin and result of the listing's samples, or why there is no
// other listing.
QString noteOf(const SassSide& side) {
  if (side.stalls == nullptr || !side.note.isEmpty()) return side.note;
  double inLoop = 0;
  for (int i = side.facts->loopBegin(); i < side.facts->loopEnd(); ++i)
    inLoop += side.stalls->byInstruction[static_cast<std::size_t>(i)].share;
  return SassSummary::tr("%1 % of the samples in this loop, %2")
      .arg(figures::wholePercent(inLoop))
      .arg(side.stalls->origin());
}

// One key per class in the loop.
std::vector<SassSummaryLayout::Key> keysOf(const SassFacts& f) {
  std::vector<SassSummaryLayout::Key> keys;
  for (std::size_t i = 0; i < sass::kClasses; ++i) {
    const auto c = static_cast<sass::Class>(i);
    if (f.inLoop.of(c) == 0) continue;
    QString text = QStringLiteral("%1  %2 %3")
                       .arg(QLatin1Char(letter(c)))
                       .arg(toQString(name(c)), figures::grouped(f.inLoop.of(c)));
    if (c == sass::Class::Ldg && f.inLoop.asyncCopies > 0)
      text += SassSummary::tr(" (%1 async)").arg(f.inLoop.asyncCopies);
    if (c == sass::Class::Hmma || c == sass::Class::Hgmma)
      text += SassSummary::tr(" (tensor cores)");
    if (c == sass::Class::Ldsm) text += SassSummary::tr(" (matrices)");
    keys.push_back({{}, c, text});
  }
  return keys;
}

// Lays items of these widths out from left to right, a new line where one ends.
std::vector<QRectF> flow(const std::vector<double>& widths, const QRectF& room, double line,
                         double gap) {
  std::vector<QRectF> places;
  double x = room.left(), y = room.top();
  for (const double width : widths) {
    if (x > room.left() && x + width > room.right()) {
      x = room.left();
      y += line;
    }
    places.emplace_back(x, y, std::min(width, room.width()), line);
    x += width + gap;
  }
  return places;
}

}  // namespace

namespace {

QString percentOf(double share) {
  return SassSummary::tr("%1 %").arg(figures::grouped(100 * share));
}

void addRegisters(const SassFacts& f, std::vector<SassFigure>& all) {
  if (f.code.registers <= 0) return;
  const int live = f.code.listing.mostLive();
  all.push_back(
      {figures::grouped(f.code.registers),
       live > 0 ? SassSummary::tr("registers, %1 live").arg(live) : SassSummary::tr("registers")});
}

// For a loop that multiplies on tensor cores.
std::vector<SassFigure> tensorFigures(const SassFacts& f) {
  const int products = f.inLoop.tensorProducts();
  const QString which = toQString(name(f.inLoop.tensorProduct()));
  std::vector<SassFigure> all;
  if (f.inLoop.of(sass::Class::Hgmma) > 0) {
    all.push_back({figures::grouped(products), SassSummary::tr("%1/iteration").arg(which)});
  } else {
    all.push_back({f.inLoop.of(sass::Class::Ldsm) > 0 ? figures::grouped(f.inLoop.hmmaPerLdsm(), 1)
                                                      : QStringLiteral("–"),
                   SassSummary::tr("HMMA per LDSM")});
  }
  all.push_back({percentOf(static_cast<double>(products) / f.inLoop.total),
                 SassSummary::tr("of instructions %1").arg(which)});
  all.push_back({figures::grouped(f.inLoop.multiplyAddsPerInstruction()),
                 SassSummary::tr("multiply-adds per instruction of a warp")});
  addRegisters(f, all);
  return all;
}

}  // namespace

std::vector<SassFigure> sassFigures(const SassFacts& f) {
  if (!f.banksKnown()) return tensorFigures(f);
  const int lds = f.inLoop.of(sass::Class::Lds), ldg = f.inLoop.of(sass::Class::Ldg);
  std::vector<SassFigure> all;
  if (lds > 0) {
    all.push_back({figures::grouped(f.inLoop.ffmaPerLds(), 1), SassSummary::tr("FFMA per LDS")});
  } else {
    const double perLdg = ldg > 0 ? static_cast<double>(f.cost.ffmas) / ldg : 0;
    all.push_back({ldg > 0 ? figures::grouped(perLdg, 1) : QStringLiteral("–"),
                   SassSummary::tr("FFMA per LDG")});
  }
  // Per fixed work, because iterations of different loops differ in length.
  constexpr int kWork = 128;  // FFMAs
  all.push_back(
      {f.cost.ffmas > 0
           ? figures::grouped(static_cast<double>(kWork) * f.cost.lost() / f.cost.ffmas, 1)
           : QStringLiteral("–"),
       SassSummary::tr("cycles lost per %1 FFMA").arg(kWork), true});
  all.push_back(
      {percentOf(f.cost.share()), SassSummary::tr("FFMA, of a lone warp's cycles"), true});
  all.push_back(
      {percentOf(f.inLoop.total > 0 ? static_cast<double>(f.cost.ffmas) / f.inLoop.total : 0),
       SassSummary::tr("of instructions FFMA")});
  addRegisters(f, all);
  return all;
}

SassSummaryLayout SassSummaryLayout::of(const QRectF& canvas, const SassSide& side,
                                        const Fonts& fonts) {
  SassSummaryLayout l;
  const QRectF room = canvas.adjusted(kMargin, kGap, -kMargin, -kGap);
  const double small = lineOf(fonts.small), number = lineOf(fonts.number);
  const bool noted = !noteOf(side).isEmpty();
  l.origin = QRectF(room.left(), room.top(), room.width(),
                    side.facts == nullptr ? room.height() : small * (noted ? 2.2 : 1.2));
  if (side.facts == nullptr) return l;
  double y = l.origin.bottom() + 2;

  // As many figures as fit into one line; the most important is first.
  double x = room.left();
  for (const SassFigure& figure : sassFigures(*side.facts)) {
    const QString label =
        figure.predicted ? SassSummary::tr("%1, predicted").arg(figure.label) : figure.label;
    const double width = std::max(QFontMetricsF(fonts.number).horizontalAdvance(figure.value),
                                  QFontMetricsF(fonts.small).horizontalAdvance(label)) +
                         2;
    if (!l.cells.empty() && x + width > room.right()) break;
    l.cells.emplace_back(x, y, std::min(width, room.width()), number + small);
    x += width + 22;
  }
  y += number + small + kGap;
  l.caption = QRectF(room.left(), y, room.width(), small);
  y += small + 4;

  std::vector<Key> keys = keysOf(*side.facts);
  std::vector<double> widths;
  const double line = std::ceil(small * 1.25);
  for (const Key& key : keys)
    widths.push_back(small * 1.4 + QFontMetricsF(fonts.small).horizontalAdvance(key.text));
  auto places = flow(widths, QRectF(room.left(), 0, room.width(), 0), line, 14);
  const double keyHeight = places.empty() ? 0 : places.back().bottom();
  const bool fits = room.bottom() - y - keyHeight - kGap >= kLeastRibbon;
  const double bottom = room.bottom() - (fits ? keyHeight + kGap : 0);
  l.ribbon = RibbonGeometry::of(QRectF(room.left(), y, room.width(), std::max(4.0, bottom - y)),
                                *side.facts, side.scale);
  if (!fits) return l;
  // Two compared summaries have their keys at the same height.
  const RibbonGeometry plan =
      RibbonGeometry::plan(l.ribbon.canvas, std::max(side.scale, side.facts->inLoop.total));
  const double top = std::min(bottom, l.ribbon.canvas.top() + plan.rows * plan.pitch) + kGap;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i].room = places[i].translated(0, top);
    l.keys.push_back(keys[i]);
  }
  return l;
}

void paintSassSummary(QPainter& p, const SassSummaryLayout& l, const SassSide& side,
                      const Theme& theme, const Fonts& fonts, int cursor) {
  p.setFont(fonts.small);
  p.setPen(theme.soft);
  if (side.facts == nullptr) {
    p.setFont(fonts.body);
    drawWrapped(p, l.origin, Qt::AlignLeft | Qt::AlignTop, side.note);
    return;
  }
  const double small = lineOf(fonts.small);
  const SassFacts& f = *side.facts;
  const QRectF first(l.origin.left(), l.origin.top(), l.origin.width(), small * 1.2);
  p.setRenderHint(QPainter::Antialiasing);
  figures::drawMark(p, QPointF(first.left() + small * 0.35, first.center().y()), f.freshness(),
                    theme, small * 0.28);
  p.setPen(f.freshness() == Freshness::Stale ? theme.trouble : theme.soft);
  const QRectF words = first.adjusted(small, 0, 0, 0);
  const auto elided = [&](const QString& text, const QRectF& room) {
    return fitted(text, QFontMetricsF(fonts.small), room.width());
  };
  p.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, elided(f.origin(), words));
  if (const QString note = noteOf(side); !note.isEmpty()) {
    const QRectF second(words.left(), first.bottom(), words.width(), small);
    p.setPen(theme.soft);
    p.drawText(second, Qt::AlignLeft | Qt::AlignVCenter, elided(note, second));
  }

  const auto figures = sassFigures(f);
  for (std::size_t i = 0; i < l.cells.size(); ++i) {
    const QRectF& cell = l.cells[i];
    const SassFigure& figure = figures[i];
    QFont number = fonts.number, label = fonts.small;
    number.setItalic(figure.predicted);
    label.setItalic(figure.predicted);
    p.setFont(number);
    p.setPen(theme.text);
    p.drawText(cell, Qt::AlignLeft | Qt::AlignTop, figure.value);
    p.setFont(label);
    p.setPen(theme.soft);
    p.drawText(
        cell.adjusted(0, 0, 4, 0), Qt::AlignLeft | Qt::AlignBottom,
        figure.predicted ? SassSummary::tr("%1, predicted").arg(figure.label) : figure.label);
  }
  p.setFont(fonts.small);
  p.setPen(theme.soft);
  QString caption = captionOf(f);
  if (f.cost.lost() > 0) caption += SassSummary::tr(" · marks: lost cycles");
  if (f.cost.lostToLoads > 0) caption += SassSummary::tr(", coloured as LDS: to paired loads");
  if (f.cost.unknownLoads > 0)
    caption += SassSummary::tr(" · %1 shared loads: unknown whether lanes pair up")
                   .arg(f.cost.unknownLoads);
  if (!f.banksKnown())
    caption += SassSummary::tr(" · cycles lost to register banks: no tested rule for HMMA");
  p.drawText(l.caption, Qt::AlignLeft | Qt::AlignVCenter, elided(caption, l.caption));
  paintRibbon(p, l.ribbon, theme, cursor);
  for (const SassSummaryLayout::Key& key : l.keys) {
    const double edge = small * 0.86;
    const QRectF swatch(key.room.left(), key.room.center().y() - edge / 2, edge * 0.6, edge);
    p.fillRect(swatch, theme.well);
    fillStripe(p, swatch, key.what, theme);
    p.setPen(theme.text);
    p.drawText(key.room.adjusted(small, 0, 8, 0), Qt::AlignLeft | Qt::AlignVCenter, key.text);
  }
}

SassSummary::SassSummary(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Main loop in SASS"));
}

void SassSummary::setSide(const SassSide& side) {
  m_side = side;
  m_cursor = -1;
  lay();
  QStringList words;
  if (side.facts != nullptr) {
    words += captionOf(*side.facts);
    for (const SassFigure& figure : sassFigures(*side.facts))
      words += figure.predicted ? tr("%1 %2, predicted by a rule").arg(figure.value, figure.label)
                                : tr("%1 %2").arg(figure.value, figure.label);
    for (const auto& key : keysOf(*side.facts)) words += key.text.mid(3);
    if (!side.facts->banksKnown())
      words += tr("cycles lost to register banks are not predicted for HMMA");
    words += side.facts->origin();
  }
  if (const QString note = noteOf(side); !note.isEmpty()) words += note;
  setAccessibleDescription(words.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

void SassSummary::setCursor(int index) {
  if (index == m_cursor) return;
  m_cursor = index;
  update();
}

void SassSummary::lay() {
  m_layout = SassSummaryLayout::of(QRectF(rect()), m_side, m_fonts);
}

QSize SassSummary::minimumSizeHint() const {
  return {240, static_cast<int>(lineOf(m_fonts.small) * 3.4 + lineOf(m_fonts.number) +
                                kLeastRibbon + 3 * kGap)};
}

QSize SassSummary::sizeHint() const {
  return {460, minimumSizeHint().height() + static_cast<int>(lineOf(m_fonts.small) * 3 + 70)};
}

void SassSummary::restyle() {
  lay();
}

void SassSummary::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), m_theme.ground);
  paintSassSummary(p, m_layout, m_side, m_theme, m_fonts, m_cursor);
}

void SassSummary::resizeEvent(QResizeEvent*) {
  lay();
}

bool SassSummary::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_side.facts != nullptr) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto index = m_layout.ribbon.at(QPointF(help->pos()));
    QString text = index ? describeInstruction(*m_side.facts, *index) : QString();
    if (text.isEmpty()) {
      text =
          m_side.facts->banksKnown()
              ? tr("Predicted by a rule that microbenchmarks confirm. An FFMA reads three "
                   "registers. Each of the two banks, even and odd numbers, delivers one per "
                   "cycle. A cache keeps one register per operand and bank if it is marked .reuse. "
                   "A read may end one cycle late. A wide shared load whose lanes share addresses "
                   "in pairs writes two registers in a cycle in which no FFMA writes any. Nothing "
                   "else is counted, neither waits for memory nor waits at barriers")
              : tr("Counted in the listing. One HMMA makes %1 multiply-adds for the whole warp, "
                   "and "
                   "one LDSM loads up to four matrices of 8 × 8 elements. Cycles lost to "
                   "register banks are not predicted: the rule was found with FFMA and is not "
                   "tested with HMMA")
                    .arg(figures::grouped(m_side.facts->code.rung()->mma()->products()));
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return PaintedView::event(event);
}

void SassSummary::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto index = m_layout.ribbon.at(event->position())) emit picked(*index);
}

}  // namespace tileloom
