// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/sass_page.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "kernels/tile/parameters.h"
#include "viz/code/sample_bar.h"
#include "viz/code/sass_style.h"
#include "viz/code/source_text.h"

namespace tileloom {
namespace {

constexpr double kAir = 1.22;   // line height over the font's
constexpr int kLeastText = 18;  // letters of an instruction that are always visible
constexpr double kMargin = 12;
constexpr double kBar = 30;  // pixels of the bar of live registers

double advance(const QFont& font, const QString& text) {
  return QFontMetricsF(font).horizontalAdvance(text);
}

}  // namespace

SassPage::SassPage(QWidget* parent) : PaintedView(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("SASS, one instruction per line"));
}

void SassPage::setFacts(std::shared_ptr<const SassFacts> facts,
                        std::shared_ptr<const StallFacts> stalls) {
  if (facts == m_facts && stalls == m_stalls) return;
  if (facts != m_facts) m_cursor = -1;
  m_facts = std::move(facts);
  m_stalls = std::move(stalls);
  measure();
  describe();
  update();
}

void SassPage::restyle() {
  measure();
  update();
}

void SassPage::measure() {
  std::size_t longest = 0;
  QString widest;
  for (int i = 0; i < rows(); ++i) {
    const std::string text = m_facts->at(i).text();
    if (text.size() <= longest) continue;
    longest = text.size();
    widest = QString::fromStdString(text);  // monospaced
  }
  m_textWidth = advance(m_fonts.mono, widest);
  const double row = QFontMetricsF(m_fonts.mono).height() * kAir;
  const double least =
      columnsOf(true).text + advance(m_fonts.mono, QStringLiteral("0")) * kLeastText;
  setMinimumSize(m_facts ? static_cast<int>(std::ceil(std::min(least, widthNeeded()))) : 0,
                 static_cast<int>(std::ceil((rows() + 0.5) * row)));
  m_columns = columnsOf(width() < widthNeeded());
}

double SassPage::widthNeeded() const {
  return columnsOf(false).text + m_textWidth + kMargin;
}

void SassPage::resizeEvent(QResizeEvent*) {
  m_columns = columnsOf(width() < widthNeeded());
}

SassPage::Columns SassPage::columnsOf(bool compact) const {
  const bool live = !compact && m_facts != nullptr && m_facts->code.listing.hasLive();
  const double letter = advance(m_fonts.mono, QStringLiteral("0"));
  Columns c;
  c.bracket = kMargin;
  c.address = c.bracket + 12;
  c.live = c.address + std::max(letter * 5, advance(m_fonts.small, tr("address"))) + letter * 0.6;
  const double number = std::max(letter * 3, advance(m_fonts.small, tr("live")));
  c.bar = c.live + (live ? number + 5 : 0);
  c.what = c.bar + (live ? kBar + letter : 0);
  c.lost = c.what + 9 + letter * 1.8;
  c.sampled = c.lost;
  if (showsLost()) c.sampled += std::max(letter * 2.2, advance(m_fonts.small, tr("lost"))) + letter;
  c.line = c.sampled;
  if (m_stalls != nullptr)
    c.line +=
        kBar + 4 + std::max(letter * 4, advance(m_fonts.small, tr("% sampled")) - kBar) + letter;
  const bool lines = m_facts != nullptr && m_facts->code.listing.hasLines();
  c.text = c.line + (lines ? std::max(letter * 3, advance(m_fonts.small, tr("line"))) + letter : 0);
  return c;
}

double SassPage::headHeight() const {
  return QFontMetricsF(m_fonts.small).height() * 1.5;
}

QRectF SassPage::rowOf(int index) const {
  const double height = QFontMetricsF(m_fonts.mono).height() * kAir;
  return {0, index * height, static_cast<double>(width()), height};
}

int SassPage::rowAt(const QPointF& at) const {
  const int index = static_cast<int>(std::floor(at.y() / rowOf(0).height()));
  return index >= 0 && index < rows() ? index : -1;
}

void SassPage::paintHead(QPainter& p, const QRectF& head, double left) const {
  p.fillRect(head, m_theme.ground);
  if (m_facts == nullptr) return;
  const Columns& c = m_columns;
  p.setFont(m_fonts.small);
  p.setPen(m_theme.soft);
  const auto at = [&](double x, const QString& text) {
    p.drawText(QRectF(left + x, head.top(), head.width(), head.height()),
               Qt::AlignLeft | Qt::AlignVCenter, text);
  };
  at(c.address, tr("address"));
  if (c.bar > c.live) at(c.live, tr("live"));
  if (showsLost()) at(c.lost, tr("lost"));
  if (m_stalls != nullptr) at(c.sampled, tr("% sampled"));
  if (m_facts->code.listing.hasLines()) at(c.line, tr("line"));
  at(c.text, tr("instruction"));
  if (m_stalls != nullptr) {
    const double from = left + c.text + advance(m_fonts.small, tr("instruction")) + 2 * kMargin;
    const double key = sampleKeyWidth(m_fonts.small);
    const double wide = advance(m_fonts.small, tr("% sampled:")) + kMargin / 2;
    if (from + wide + key <= head.right()) {
      p.drawText(QRectF(from, head.top(), wide, head.height()), Qt::AlignLeft | Qt::AlignVCenter,
                 tr("% sampled:"));
      paintSampleKey(p, {from + wide, head.top(), key, head.height()}, m_theme, m_fonts.small);
    }
  }
  p.setPen(hairline(m_theme.line));
  p.drawLine(head.bottomLeft(), head.bottomRight());
}

void SassPage::paintRow(QPainter& p, int index) const {
  const QRectF row = rowOf(index);
  const Columns& c = m_columns;
  const sass::Instruction& i = m_facts->at(index);
  const sass::Class what = classOf(i);
  const bool inside = m_facts->inside(index) && !m_facts->loop.whole;
  if (index == m_cursor) p.fillRect(row, m_theme.well);
  if (index == m_cursor && hasFocus()) {
    p.setPen(hairline(m_theme.accent));
    p.setBrush(Qt::NoBrush);
    p.drawRect(row.adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (inside) {
    // The bracket ends at the loop's first and last instruction.
    p.setPen(hairline(m_theme.accent, 2));
    const double x = c.bracket + 1;
    const bool first = index == m_facts->loopBegin(), last = index == m_facts->loopEnd() - 1;
    const double top = first ? row.top() + 3 : row.top();
    const double bottom = last ? row.bottom() - 3 : row.bottom();
    p.drawLine(QPointF(x, top), QPointF(x, bottom));
    if (first) p.drawLine(QPointF(x, top), QPointF(x + 6, top));
    if (last) p.drawLine(QPointF(x, bottom), QPointF(x + 6, bottom));
  }
  const auto cell = [&](double from, double to) {
    return QRectF(from, row.top(), to - from, row.height());
  };
  p.setFont(m_fonts.mono);
  p.setPen(m_theme.faint);
  p.drawText(cell(c.address, c.live), Qt::AlignLeft | Qt::AlignVCenter,
             QStringLiteral("%1").arg(i.address, 4, 16, QLatin1Char('0')));
  if (c.bar > c.live) {
    const int most = std::max({1, m_facts->code.registers, m_facts->code.listing.mostLive()});
    const double share = std::min(1.0, static_cast<double>(i.live.value_or(0)) / most);
    p.setPen(m_theme.soft);
    p.drawText(cell(c.live, c.bar - 5), Qt::AlignRight | Qt::AlignVCenter,
               QString::number(i.live.value_or(0)));
    const QRectF bar(c.bar, row.center().y() - row.height() * 0.16, kBar, row.height() * 0.32);
    p.fillRect(bar, m_theme.well);
    p.fillRect(QRectF(bar.left(), bar.top(), bar.width() * share, bar.height()), m_theme.soft);
  }
  const double stripe = row.height() * 0.8;
  const QRectF mark(c.what, row.center().y() - stripe / 2, 5, stripe);
  fillStripe(p, mark, what, m_theme);
  p.setPen(m_theme.text);
  p.drawText(cell(c.what + 9, c.lost), Qt::AlignLeft | Qt::AlignVCenter,
             QString(QLatin1Char(letter(what))));
  if (const int lost = m_facts->lostAt(index).cycles(); lost > 0) {
    const QString text = QStringLiteral("+%1").arg(lost);
    p.setPen(m_theme.trouble);
    p.drawText(cell(c.lost, c.sampled), Qt::AlignLeft | Qt::AlignVCenter, text);
  }
  paintSampled(p, row, index);
  if (i.line > 0) {
    p.setPen(m_theme.faint);
    p.drawText(cell(c.line, c.text), Qt::AlignLeft | Qt::AlignVCenter, QString::number(i.line));
  }
  const bool dim = what == sass::Class::Integer || what == sass::Class::Other || i.never();
  p.setPen(dim ? m_theme.soft : m_theme.text);
  // The tool tip has the whole text.
  const QString text = QString::fromStdString(i.text());
  const double room = row.right() - c.text;
  const bool fits = m_textWidth <= room;
  p.drawText(cell(c.text, std::max(c.text + m_textWidth + 4, row.right())),
             Qt::AlignLeft | Qt::AlignVCenter,
             fits ? text : codeFitted(text, QFontMetricsF(m_fonts.mono), room - 2));
}

// Scaled to the instruction with the most samples.
void SassPage::paintSampled(QPainter& p, const QRectF& row, int index) const {
  const model::StallShare* share = m_stalls ? m_stalls->ofInstruction(index) : nullptr;
  if (share == nullptr) return;
  const QRectF bar(m_columns.sampled, row.center().y() - row.height() * 0.22, kBar,
                   row.height() * 0.44);
  paintSampleBar(p, bar, *share, m_stalls->most, m_theme);
  constexpr double kWorthSaying = 0.0005;
  if (share->share < kWorthSaying) return;
  p.setPen(m_theme.text);
  p.drawText(QRectF(bar.right() + 4, row.top(), m_columns.line - bar.right(), row.height()),
             Qt::AlignLeft | Qt::AlignVCenter, QString::number(100 * share->share, 'f', 1));
}

int SassPage::openingRow() const {
  if (m_facts == nullptr || rows() == 0) return 0;
  const int begin = m_facts->loopBegin(), end = m_facts->loopEnd();
  if (m_stalls != nullptr) {
    const auto share = [this](int i) {
      return m_stalls->byInstruction[static_cast<std::size_t>(i)].share;
    };
    int most = begin;
    for (int i = begin; i < end; ++i) most = share(i) > share(most) ? i : most;
    if (share(most) > 0) return most;
  }
  for (int i = begin; i < end; ++i) {
    if (multiplyAddsOf(m_facts->at(i)) > 0) return i;
  }
  return begin;
}

int SassPage::firstAround(int index, double height) const {
  const int room = std::max(1, static_cast<int>((height - headHeight()) / rowOf(0).height()));
  return std::clamp(index - room / 2, 0, std::max(0, rows() - room));
}

void SassPage::paintTo(QPainter& p, const QSizeF& size, int first) const {
  if (m_facts == nullptr) return;
  paintHead(p, QRectF(0, 0, size.width(), headHeight()), 0);
  p.save();
  p.setClipRect(QRectF(QPointF(0, 0), size));
  p.translate(0, headHeight() - rowOf(first).top());
  const int room = static_cast<int>((size.height() - headHeight()) / rowOf(0).height());
  for (int i = first; i < std::min(rows(), first + room); ++i) paintRow(p, i);
  p.restore();
}

void SassPage::paintEvent(QPaintEvent* event) {
  QPainter p(this);
  p.fillRect(event->rect(), m_theme.ground);
  if (m_facts == nullptr) return;
  p.setRenderHint(QPainter::Antialiasing);
  const double height = rowOf(0).height();
  const int first = std::max(0, static_cast<int>(event->rect().top() / height) - 1);
  const int last = std::min(rows(), static_cast<int>(event->rect().bottom() / height) + 2);
  for (int i = first; i < last; ++i) paintRow(p, i);
}

bool SassPage::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
    describe();
    update();
  }
  if (event->type() == QEvent::ToolTip && m_facts != nullptr) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), describeRow(rowAt(help->pos())), this);
    return true;
  }
  return PaintedView::event(event);
}

void SassPage::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  if (event->button() == Qt::LeftButton && row >= 0) moveCursor(row);
}

void SassPage::moveCursor(int index) {
  if (rows() == 0) return;
  m_cursor = std::clamp(index, 0, rows() - 1);
  emit cursorMoved(m_cursor);
  describe();
  update();
}

void SassPage::keyPressEvent(QKeyEvent* event) {
  // The first key press goes to the beginning of the loop.
  const bool fresh = m_cursor < 0;
  const int from = fresh && m_facts != nullptr ? m_facts->loopBegin() : m_cursor;
  const auto move = [&](int by) { moveCursor(fresh ? from : from + by); };
  switch (event->key()) {
    case Qt::Key_Up:
      return move(-1);
    case Qt::Key_Down:
      return move(1);
    case Qt::Key_PageUp:
      return move(-m_rowsSeen);
    case Qt::Key_PageDown:
      return move(m_rowsSeen);
    case Qt::Key_Home:
      return moveCursor(0);
    case Qt::Key_End:
      return moveCursor(rows() - 1);
    default:
      PaintedView::keyPressEvent(event);
  }
}

void SassPage::describe() {
  if (m_facts == nullptr) return setAccessibleDescription({});
  const int index = m_cursor >= 0 ? m_cursor : m_facts->loopBegin();
  setAccessibleDescription(describeRow(index));
}

QString SassPage::describeRow(int index) const {
  QString text = describeInstruction(*m_facts, index);
  const model::StallShare* share = m_stalls ? m_stalls->ofInstruction(index) : nullptr;
  if (share == nullptr) return text;
  return tr("%1\n%2 (%3)").arg(text, describeStalls(*share), m_stalls->origin());
}

}  // namespace tileloom
