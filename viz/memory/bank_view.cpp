// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/bank_view.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "kernels/tile/placement.h"
#include "viz/memory/bank_cursor.h"
#include "viz/memory/describe_word.h"

namespace tileloom {

AccessView::AccessView(QWidget* parent) : CellView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Bank view: the 32 shared-memory banks and the wavefronts of one access"));
}

void AccessView::setScene(const Scene& scene) {
  setScene(scene, OtherLayout());
}

void AccessView::setScene(const Scene& scene, const OtherLayout& other) {
  m_scene = scene;
  m_other = other;
  m_picture.reset();
  // Another access may show other rows: the cursor stays visible.
  if (cursorMode()) beginCursor();
  sayCell();
  update();
}

QSize AccessView::minimumSizeHint() const {
  return roomFor(48, 10);  // rows and wavefronts between header and footer
}

const BankPicture& AccessView::picture() const {
  if (!m_picture) {
    m_picture = bankPicture(m_scene, QRectF(rect()), m_fonts, m_other, m_reads);
    if (m_picture->product) m_reads = m_picture->product->shown;
  }
  return *m_picture;
}

void AccessView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  paintBanks(painter, picture(), m_scene, m_theme, m_fonts);
  paintFocus(painter);
}

void AccessView::resizeEvent(QResizeEvent*) {
  m_picture.reset();
}

std::optional<std::uint32_t> AccessView::recordedWord(std::uint32_t word) const {
  if (!picture().layout) return word;
  const std::uint32_t origin = picture().layout->origin(word);
  return origin == analysis::kSpare ? std::nullopt : std::optional(origin);
}

Selection AccessView::under(const QPointF& pixel) const {
  if (const auto& product = picture().product) {
    const auto hit = product->at(pixel);
    return hit ? operandSelection(*m_scene.recording, *product,
                                  hit->panel->byteOf(hit->line, hit->chunk) + 2 * hit->element)
               : Selection();
  }
  const auto word = geometry().wordAt(pixel);
  const auto recorded = word ? recordedWord(*word) : std::nullopt;
  if (!recorded) return {};
  // Of two elements in a word, the one in this half.
  const QRectF cell = geometry().cellOfWord(*word).value_or(QRectF());
  const std::uint32_t parts = picture().parts;
  const auto part = static_cast<std::uint32_t>(
      std::clamp((pixel.x() - cell.left()) / std::max(1.0, cell.width()), 0.0, 0.999) * parts);
  return bankSelection(m_scene, *recorded, part);
}

// The tool tip of a word of two elements says more than those of its halves.
bool AccessView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && picture().product) {
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto hit = picture().product->at(QPointF(help->pos()))) {
      QToolTip::showText(help->globalPos(),
                         describeOperandByte(*m_scene.recording, *picture().product,
                                             hit->panel->byteOf(hit->line, hit->chunk)),
                         this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  if (event->type() != QEvent::ToolTip || !picture().access || picture().parts == 1)
    return CellView::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto word = geometry().wordAt(QPointF(help->pos()));
  const auto recorded = word ? recordedWord(*word) : std::nullopt;
  if (recorded) {
    QToolTip::showText(help->globalPos(), describeBankCell(m_scene, *recorded), this);
  } else {
    QToolTip::hideText();
  }
  return true;
}

void AccessView::beginCursor() {
  if (const auto& product = picture().product) {
    if (!m_cursor || product->cellOf(4 * *m_cursor).isEmpty())
      m_cursor = product->a.byteOf(0, 0) / 4;
    return;
  }
  if (m_cursor && geometry().cellOfWord(*m_cursor)) return;
  m_cursor.reset();
  moveCursor(CursorMove::Next, 1);
}

void AccessView::moveCursor(CursorMove move, int count) {
  if (const auto& product = picture().product) {
    for (int i = 0; i < count; ++i)
      m_cursor = moveInOperandBanks(*product, 4 * m_cursor.value_or(0), move) / 4;
    return;
  }
  const auto& m = picture().access;
  if (!m) return;
  const auto to = moveInBanks(geometry(), *m, m_cursor, move, count);
  if (to) m_cursor = to;
}

Selection AccessView::cursorSelection() const {
  if (const auto& product = picture().product)
    return m_cursor ? operandSelection(*m_scene.recording, *product, 4 * *m_cursor) : Selection();
  const auto recorded = m_cursor ? recordedWord(*m_cursor) : std::nullopt;
  return recorded ? bankSelection(m_scene, *recorded) : Selection();
}

QString AccessView::cursorText() const {
  if (const auto& product = picture().product; product && m_cursor)
    return describeOperandByte(*m_scene.recording, *product, 4 * *m_cursor);
  if (!m_cursor || !picture().access) return tr("no access to step through");
  if (!picture().layout) return describeBankCell(m_scene, *m_cursor);
  const QString bank = tr("bank %1 in the other layout").arg(*m_cursor % analysis::kBanks);
  const auto recorded = recordedWord(*m_cursor);
  return recorded ? tr("%1: recorded as %2").arg(bank, describeBankCell(m_scene, *recorded))
                  : tr("%1: a padding word").arg(bank);
}

QRectF AccessView::cursorCell() const {
  if (const auto& product = picture().product)
    return m_cursor ? product->cellOf(4 * *m_cursor) : QRectF();
  return m_cursor ? geometry().cellOfWord(*m_cursor).value_or(QRectF()) : QRectF();
}

void AccessView::mouseMoveEvent(QMouseEvent* event) {
  emit hovered(under(event->position()));
}

void AccessView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit clicked(under(event->position()));
}

void AccessView::leaveEvent(QEvent*) {
  emit hovered({});
}

void AccessView::restyle() {
  m_picture.reset();
}

std::optional<QRectF> AccessView::placeOf(const MarkTarget& target) const {
  if (!m_scene.ready()) return std::nullopt;
  const BankPicture& shown = picture();
  const BankGeometry& geometry = shown.geometry;
  if (!shown.access || geometry.shownRows() == 0) return std::nullopt;
  if (target.thing == MarkTarget::Thing::Bank) {
    // Down to the last touched row.
    QRectF place = geometry.bankLabel(target.number);
    const double left = place.left(), right = place.right();
    bool touched = false;
    for (const auto& [word, use] : shown.uses) {
      const auto cell = geometry.cellOfWord(word);
      if (!cell || cell->center().x() < left || cell->center().x() > right) continue;
      place = place.united(*cell);
      touched = true;
    }
    if (!touched) place = place.united(geometry.cell(geometry.shownRows() - 1, target.number));
    return place;
  }
  if (target.thing != MarkTarget::Thing::Lane) return std::nullopt;
  for (const auto& [word, use] : shown.uses) {
    if ((use.lanes >> target.number & 1u) != 0) return geometry.cellOfWord(word);
  }
  return std::nullopt;
}

}  // namespace tileloom
