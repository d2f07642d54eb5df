// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/source_page.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "kernels/timeline/recorded/sampled_waits.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/code/sample_bar.h"

namespace tileloom {
namespace {

constexpr double kAir = 1.25;      // line height over the font's
constexpr double kBar = 30;        // pixels of the bar of samples
constexpr double kBefore = 10;     // pixels between the counts and the bar
constexpr int kCodeLetters = 56;   // of a line of code; columns are dropped to reach this
constexpr int kLeastLetters = 28;  // of a line that are always visible
// Columns in the order in which a narrow page drops them: bank conflicts are last.
constexpr std::array kLeftOut = {LineFigure::Wavefronts, LineFigure::Sectors, LineFigure::Fmas,
                                 LineFigure::Instructions, LineFigure::Conflicts};
constexpr double kHeadLine = 1.35;  // a line of the headings over the font's

QString shortNumber(std::uint64_t value) {
  const auto number = static_cast<double>(value);
  if (value < 10000) return figures::grouped(number, 0);
  if (value < 1000000)
    return QStringLiteral("%1k").arg(number / 1e3, 0, 'f', value < 100000 ? 1 : 0);
  return QStringLiteral("%1M").arg(number / 1e6, 0, 'f', 1);
}

std::uint64_t valueOf(const analysis::LineFigures& f, LineFigure figure) {
  switch (figure) {
    case LineFigure::Instructions:
      return f.instructions;
    case LineFigure::Fmas:
      return f.fmas;
    case LineFigure::Wavefronts:
      return f.wavefronts;
    case LineFigure::Conflicts:
      return f.conflicts;
    case LineFigure::Sectors:
      return f.sectors;
  }
  return 0;
}

}  // namespace

SourcePage::SourcePage(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click steps without taking the keys from playback
  setAccessibleName(tr("Source of the rung"));
}

void SourcePage::setScene(const Scene& scene) {
  if (!scene.ready()) return;
  const bool fresh = scene.recording != m_recording.lock();
  const emulator::Trace& trace = scene.recording->trace;
  const bool other = trace.rung() != m_stage;
  const int line = scene.moment.instruction.line;
  if (fresh) m_opening = openingIndex(*scene.recording);
  m_chosen = scene.moment.warp != 0 || scene.moment.index != m_opening;
  if (!fresh && line == m_current) return;
  m_recording = scene.recording;
  m_stage = trace.rung();
  m_tile = trace.tile;
  m_kTiles = trace.kTiles;
  m_kTilesTraced = trace.kTilesTraced;
  m_current = line;
  if (fresh) m_figures = analysis::lineFigures(trace);
  if (fresh) findWaits();
  if (other) {
    m_lines = sourceLines(*m_stage);
    m_pieces.clear();
    for (const QString& text : m_lines) m_pieces.push_back(piecesOf(text, *m_stage));
    m_cursor = m_hovered = 0;
  }
  if (fresh) measure();
  describe();
  update();
}

void SourcePage::setStalls(std::shared_ptr<const StallFacts> stalls) {
  if (stalls == m_stalls) return;
  m_stalls = std::move(stalls);
  if (m_stage != nullptr) {
    findWaits();
    measure();
  }
  update();
}

void SourcePage::findWaits() {
  m_places = {};
  m_idle = 0;
  const auto recording = m_recording.lock();
  if (!sampled() || recording == nullptr) return;
  m_places = timeline::waitPlaces(recording->trace);
  m_idle = timeline::sampledWaits(m_stalls->byLine, m_places).ofIdle;
}

// The purpose of a wait at this line, which the profiler's stall reasons do not show.
QString SourcePage::waitWords(int line) const {
  QString words;
  const timeline::WaitPlace* place = m_places.at(line);
  const QString what = place == nullptr ? QString() : toQString(timeline::waitText(*place));
  if (!what.isEmpty())
    words +=
        tr("\nA warp that waits at this line waits %1. The profiler's stall reasons:").arg(what);
  if (line == m_places.idleLine && m_idle > 0)
    words += tr("\n%1 % of all samples are from %2, which have no work and wait here until their "
                "block ends.")
                 .arg(100 * m_idle, 0, 'f', 1)
                 .arg(QString::fromStdString(timeline::idleText(m_places)));
  return words;
}

void SourcePage::restyle() {
  measure();
  update();
}

void SourcePage::measure() {
  double widest = 0;
  const QFontMetricsF metrics(m_fonts.mono);
  for (int line = 1; line <= lines(); ++line) {
    const QString parameters = parametersOf(m_lines[line - 1], *m_stage, m_tile);
    widest = std::max(widest, metrics.horizontalAdvance(m_lines[line - 1]) +
                                  QFontMetricsF(m_fonts.small).horizontalAdvance(parameters));
  }
  m_left = {};
  m_widthNeeded = codeLeft() + widest + 4 * metrics.height();
  m_left.fill(true);
  const double least = codeLeft() + metrics.averageCharWidth() * kLeastLetters;
  setMinimumSize(static_cast<int>(std::min(m_widthNeeded, least)),
                 static_cast<int>((lines() + 0.5) * metrics.height() * kAir));
  chooseColumns();
}

// Code has priority over figures, which are also in the tool tip of a line.
void SourcePage::chooseColumns() {
  const double letter = QFontMetricsF(m_fonts.mono).averageCharWidth();
  m_left = {};
  for (const LineFigure figure : kLeftOut) {
    const int letters = figure == LineFigure::Conflicts ? kLeastLetters : kCodeLetters;
    if (codeLeft() + letter * letters <= width()) return;
    m_left[static_cast<std::size_t>(figure)] = true;
  }
}

void SourcePage::resizeEvent(QResizeEvent*) {
  chooseColumns();
}

double SourcePage::numberWidth() const {
  return QFontMetricsF(m_fonts.mono).horizontalAdvance(QStringLiteral("0000"));
}
QString SourcePage::headOf(LineFigure figure) {
  switch (figure) {
    case LineFigure::Instructions:
      return tr("instr.");
    case LineFigure::Fmas:
      return tr("FMAs");
    case LineFigure::Wavefronts:
      return tr("wavefronts");
    case LineFigure::Conflicts:
      return tr("conflicts");
    case LineFigure::Sectors:
      return tr("sectors");
  }
  return {};
}
double SourcePage::figureWidth(LineFigure figure) const {
  if (m_left[static_cast<std::size_t>(figure)]) return 0;
  const QFontMetricsF metrics(m_fonts.small);
  const double number = metrics.horizontalAdvance(QStringLiteral("99,999"));
  const double width = std::max(number, metrics.horizontalAdvance(headOf(figure))) + 10;
  return figure == LineFigure::Conflicts ? width + metrics.height() : width;  // its hatch
}
QRectF SourcePage::cellOf(LineFigure figure, const QRectF& row, double left) const {
  for (int i = 0; i < static_cast<int>(figure); ++i)
    left += figureWidth(static_cast<LineFigure>(i));
  return {left, row.top(), figureWidth(figure), row.height()};
}
QRectF SourcePage::sampledCell(const QRectF& row, double left) const {
  const double from = cellOf(LineFigure::Sectors, row, left).right();
  const double width =
      sampled()
          ? std::max(
                QFontMetricsF(m_fonts.small).horizontalAdvance(tr("% of all")),
                kBar + 6 + QFontMetricsF(m_fonts.small).horizontalAdvance(QStringLiteral("99.9"))) +
                16
          : 0;
  return {from, row.top(), width, row.height()};
}
double SourcePage::numbersLeft() const {
  return sampledCell({}, 0).right();
}
double SourcePage::codeLeft() const {
  return numbersLeft() + numberWidth() + QFontMetricsF(m_fonts.mono).height();
}
double SourcePage::headHeight() const {
  return 2 * std::ceil(QFontMetricsF(m_fonts.small).height() * kHeadLine);
}

QRectF SourcePage::rowOf(int line) const {
  const double height = QFontMetricsF(m_fonts.mono).height() * kAir;
  return {0, (line - 1) * height, static_cast<double>(width()), height};
}

int SourcePage::lineAt(const QPointF& at) const {
  const int line = static_cast<int>(at.y() / rowOf(1).height()) + 1;
  return at.y() >= 0 && line <= lines() ? line : 0;
}

const analysis::LineFigures* SourcePage::figuresOf(int line) const {
  const auto found = std::ranges::lower_bound(m_figures, line, {}, &analysis::LineFigures::line);
  return found != m_figures.end() && found->line == line ? &*found : nullptr;
}

QString SourcePage::figureText(int line, LineFigure figure) const {
  const auto* f = figuresOf(line);
  const std::uint64_t value = f != nullptr ? valueOf(*f, figure) : 0;
  return value != 0 ? shortNumber(value) : QString();
}

// The upper line names what is counted and what is sampled, the lower line each column.
void SourcePage::paintHead(QPainter& p, const QRectF& head, double left, bool hint) const {
  p.fillRect(head, m_theme.ground);
  const QFontMetricsF small(m_fonts.small);
  const double high = head.height() / 2;
  const QRectF groups(head.left(), head.top(), head.width(), high);
  const QRectF columns = groups.translated(0, high);
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  for (int i = 0; i < kLineFigures; ++i) {
    const auto figure = static_cast<LineFigure>(i);
    const QRectF cell = cellOf(figure, columns, left);
    if (!cell.isEmpty()) p.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, headOf(figure));
  }
  if (m_stage == nullptr) return;
  const double right = cellOf(LineFigure::Sectors, groups, left).right();
  const QRectF counted(left + kBefore, groups.top(), right - left - kBefore, high);
  const auto title = [&](const QRectF& room, const QString& text) {
    p.setPen(m_theme.text);
    p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, fitted(text, small, room.width()));
  };
  const auto rule = [&](double from, double to) {
    p.setPen(hairline(m_theme.line));
    p.drawLine(QPointF(from, groups.bottom() - 1), QPointF(to, groups.bottom() - 1));
  };
  title(counted, tr("counted, one block"));
  rule(counted.left(), counted.right());
  if (sampled()) {
    const QRectF cell = sampledCell(columns, left);
    p.setPen(m_theme.soft);
    p.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, tr("% of all"));
    // Its title extends above the code, where the line is free.
    const double from = cell.left() + kBefore, key = sampleKeyWidth(m_fonts.small);
    const QString scope = sampleScope(*m_stalls);
    const double room = head.right() - from - key - 2 * kBefore;
    const double wide = std::min(small.horizontalAdvance(scope) + 1, std::max(0.0, room));
    title({from, groups.top(), wide, high}, scope);
    paintSampleKey(p, {from + wide + 2 * kBefore, groups.top(), key, high}, m_theme, m_fonts.small);
    p.setFont(m_fonts.small);
    rule(from, cell.right());
  }
  QString scope = m_kTilesTraced == m_kTiles
                      ? tr("counted: all the work of one block")
                      : tr("counted: the first %1 of %2 K tiles and the epilogue")
                            .arg(m_kTilesTraced)
                            .arg(m_kTiles);
  if (hint) scope += tr(" · click a line for its next execution");
  const QRectF rest(left + codeLeft(), columns.top(), head.right() - left - codeLeft(), high);
  p.setPen(m_theme.soft);
  p.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, fitted(scope, small, rest.width() - 8));
  p.setPen(hairline(m_theme.line));
  p.drawLine(head.bottomLeft(), head.bottomRight());
}

QString SourcePage::headWords() const {
  QString words =
      tr("Instructions, multiply-adds, wavefronts, bank conflicts and sectors are counted in one "
         "recorded block.");
  if (sampled())
    words +=
        tr("\nThe bar and the percentage are samples of all warps of a whole launch (%1). They "
           "show how often a warp was at this line while it could issue an instruction (first part "
           "of the bar) or while it waited (second part, in the colour of trouble).")
            .arg(m_stalls->origin());
  return words;
}

int SourcePage::hottest() const {
  if (!sampled()) return 0;
  const auto known = [](const model::LineStalls& each) { return each.line > 0; };
  const auto found = std::ranges::find_if(m_stalls->byLine, known);
  return found != m_stalls->byLine.end() ? found->line : 0;
}

int SourcePage::linesIn(double height) const {
  return std::max(0, static_cast<int>((height - headHeight()) / rowOf(1).height()));
}

int SourcePage::openingLine() const {
  const int hot = hottest();
  return hot == 0 || m_chosen ? m_current : hot;
}

int SourcePage::firstAround(double height) const {
  const int room = linesIn(height);
  return std::clamp(openingLine() - room / 2, 1, std::max(1, lines() - room + 1));
}

void SourcePage::paintTo(QPainter& p, double height, int first) const {
  p.fillRect(QRectF(0, 0, width(), height), m_theme.ground);
  if (m_stage == nullptr) return;
  paintHead(p, QRectF(0, 0, width(), headHeight()), 0, false);
  p.save();
  p.translate(0, headHeight() - rowOf(first).top());
  const int last = std::min(lines(), first + linesIn(height) - 1);
  for (int line = first; line <= last; ++line) paintLine(p, line);
  p.restore();
}

void SourcePage::paintFigures(QPainter& p, const QRectF& row,
                              const analysis::LineFigures& figures) const {
  p.setFont(m_fonts.small);
  for (int i = 0; i < kLineFigures; ++i) {
    const auto figure = static_cast<LineFigure>(i);
    const QRectF cell = cellOf(figure, row, 0);
    const std::uint64_t value = valueOf(figures, figure);
    if (value != 0 && !cell.isEmpty()) {
      const QString text = shortNumber(value);
      const bool trouble = figure == LineFigure::Conflicts;
      if (trouble) {
        const double width = QFontMetricsF(m_fonts.small).horizontalAdvance(text);
        const double edge = row.height() * 0.5;
        figures::fillTrouble(
            p, QRectF(cell.right() - width - edge - 4, cell.center().y() - edge / 2, edge, edge),
            m_theme);
      }
      p.setPen(trouble ? m_theme.trouble : m_theme.text);
      p.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, text);
    }
  }
}

// Scaled to the line with the most samples.
void SourcePage::paintSampled(QPainter& p, const QRectF& row, int line) const {
  const model::StallShare* share = sampled() ? m_stalls->ofLine(line) : nullptr;
  if (share == nullptr) return;
  const QRectF cell = sampledCell(row, 0);
  paintSampleBar(p,
                 QRectF(cell.left() + kBefore, row.center().y() - row.height() * 0.2, kBar,
                        row.height() * 0.4),
                 *share, m_stalls->byLine.front().stalls.share, m_theme);
  p.setFont(m_fonts.small);
  p.setPen(m_theme.text);
  p.drawText(cell, Qt::AlignRight | Qt::AlignVCenter, QString::number(100 * share->share, 'f', 1));
}

void SourcePage::paintLine(QPainter& p, int line) const {
  const QRectF row = rowOf(line);
  const auto* figures = figuresOf(line);
  if (line == m_current) {
    p.fillRect(row, m_theme.well);
    p.fillRect(QRectF(codeLeft() - 8, row.top(), 3, row.height()), m_theme.accent);
  } else if (line == m_hovered && figures != nullptr) {
    p.fillRect(row, Theme::mix(m_theme.ground, m_theme.well, 0.5));
  }
  if (line == m_cursor && hasFocus()) {
    p.setPen(hairline(m_theme.accent));
    p.setBrush(Qt::NoBrush);
    p.drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (figures != nullptr) paintFigures(p, row, *figures);
  paintSampled(p, row, line);

  p.setFont(m_fonts.mono);
  p.setPen(m_theme.faint);
  p.drawText(QRectF(numbersLeft(), row.top(), numberWidth(), row.height()),
             Qt::AlignRight | Qt::AlignVCenter, QString::number(line));
  const QFontMetricsF metrics(m_fonts.mono);
  const QString& text = m_lines[line - 1];
  const auto& pieces = m_pieces[static_cast<std::size_t>(line - 1)];
  const CodeSeen seen =
      codeSeen(text, pieces, metrics, width() - codeLeft(), m_widthNeeded > width());
  double x = codeLeft();
  for (const CodePiece& piece : pieces) {
    const qsizetype begin = std::max(piece.begin, seen.begin);
    const qsizetype end = std::min(piece.begin + piece.length, seen.end);
    if (begin >= end) continue;
    QString word = text.mid(begin, end - begin);
    if (end == seen.end && seen.cut) word += u'…';
    const double width = metrics.horizontalAdvance(word);
    using Kind = CodePiece::Kind;
    const bool dim = figures == nullptr && line != m_current;
    p.setPen(piece.kind == Kind::Comment          ? m_theme.faint
             : piece.kind == Kind::Parameter      ? m_theme.accent
             : piece.kind == Kind::Keyword || dim ? m_theme.soft
                                                  : m_theme.text);
    QFont font = m_fonts.mono;
    font.setUnderline(piece.kind == Kind::Parameter);
    p.setFont(font);
    p.drawText(QRectF(x, row.top(), width + 2, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
               word);
    x += width;
  }
  if (seen.cut) return;
  const QString parameters = parametersOf(text, *m_stage, m_tile);
  if (parameters.isEmpty()) return;
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  const double from = x + metrics.height();
  p.drawText(QRectF(from, row.top(), width() - from, row.height()),
             Qt::AlignLeft | Qt::AlignVCenter,
             fitted(parameters, QFontMetricsF(m_fonts.small), width() - from));
}

void SourcePage::paintEvent(QPaintEvent* event) {
  QPainter p(this);
  p.fillRect(event->rect(), m_theme.ground);
  if (m_stage == nullptr) return;
  for (int line = 1; line <= lines(); ++line) {
    if (rowOf(line).intersects(QRectF(event->rect()))) paintLine(p, line);
  }
}

bool SourcePage::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int line = lineAt(help->pos());
    const auto* f = figuresOf(line);
    QString text = f == nullptr
                       ? tr("line %1 executes no memory access, multiply-add or barrier").arg(line)
                       : tr("line %1: %2 warp instructions, %3 multiply-adds, %4 "
                            "wavefronts, %5 of them by bank conflicts, %6 sectors")
                             .arg(line)
                             .arg(f->instructions)
                             .arg(f->fmas)
                             .arg(f->wavefronts)
                             .arg(f->conflicts)
                             .arg(f->sectors);
    if (width() < m_widthNeeded && line >= 1 && line <= lines())
      text = m_lines[line - 1].trimmed() + u'\n' + text;
    if (const model::StallShare* share = sampled() ? m_stalls->ofLine(line) : nullptr)
      text += waitWords(line) + tr("\n%1 (%2)").arg(describeStalls(*share), m_stalls->origin());
    QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return PaintedView::event(event);
}

void SourcePage::mousePressEvent(QMouseEvent* event) {
  const int line = lineAt(event->position());
  if (event->button() == Qt::LeftButton && figuresOf(line) != nullptr) emit lineAsked(line);
}

void SourcePage::mouseMoveEvent(QMouseEvent* event) {
  const int line = lineAt(event->position());
  setCursor(figuresOf(line) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (line == m_hovered) return;
  m_hovered = line;
  update();
}

void SourcePage::leaveEvent(QEvent*) {
  m_hovered = 0;
  update();
}

void SourcePage::moveCursor(int line) {
  m_cursor = std::clamp(line, 1, std::max(1, lines()));
  emit cursorMoved(m_cursor);
  describe();
  update();
}

void SourcePage::keyPressEvent(QKeyEvent* event) {
  const int from = m_cursor > 0 ? m_cursor : m_current;
  switch (event->key()) {
    case Qt::Key_Up:
      return moveCursor(from - 1);
    case Qt::Key_Down:
      return moveCursor(from + 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (figuresOf(from) != nullptr) emit lineAsked(from);
      return;
    default:
      PaintedView::keyPressEvent(event);
  }
}

void SourcePage::describe() {
  const int line = m_cursor > 0 && hasFocus() ? m_cursor : m_current;
  if (line < 1 || line > lines()) return;
  setAccessibleDescription(tr("line %1: %2").arg(line).arg(m_lines[line - 1].trimmed()));
}

}  // namespace tileloom
