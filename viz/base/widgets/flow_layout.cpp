// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/flow_layout.h"

#include <QResizeEvent>
#include <algorithm>
#include <utility>

namespace tileloom {
namespace {

constexpr int kBetweenLines = 2;  // pixels

}  // namespace

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
  m_items.emplace_back(item);
}

int FlowLayout::count() const {
  return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* taken = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return taken;
}

int FlowLayout::heightForWidth(int width) const {
  return lay(QRect(0, 0, width, 0), Move::Nothing);
}

QSize FlowLayout::sizeHint() const {
  int width = 0, height = 0;
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;
    width += item->sizeHint().width() + (width > 0 ? spacing() : 0);
    height = std::max(height, item->sizeHint().height());
  }
  return QSize(width, height).grownBy(contentsMargins());
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto& item : m_items)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size.grownBy(contentsMargins());
}

void FlowLayout::setGeometry(const QRect& place) {
  QLayout::setGeometry(place);
  lay(place, Move::Items);
}

int FlowLayout::lay(const QRect& place, Move move) const {
  const QRect room = place.marginsRemoved(contentsMargins());
  int x = 0, y = 0, height = 0;
  std::vector<std::pair<QLayoutItem*, QRect>> line;
  const auto endLine = [&] {
    for (const auto& [item, its] : line) {
      if (move == Move::Items)
        item->setGeometry(
            its.translated(room.left(), room.top() + y + (height - its.height()) / 2));
    }
    line.clear();
  };
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;
    // At most as wide as a line, unless its minimum is wider.
    QSize size = item->sizeHint();
    size.setWidth(std::min(size.width(), std::max(item->minimumSize().width(), room.width())));
    if (!line.empty() && x + size.width() > room.width()) {
      endLine();
      y += height + kBetweenLines;
      x = height = 0;
    }
    line.emplace_back(item.get(), QRect(QPoint(x, 0), size));
    x += size.width() + spacing();
    height = std::max(height, size.height());
  }
  endLine();
  const QMargins margins = contentsMargins();
  return y + height + margins.top() + margins.bottom();
}

FlowRow::FlowRow(QWidget* parent) : QWidget(parent), m_flow(new FlowLayout) {
  setLayout(m_flow);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize FlowRow::sizeHint() const {
  return {m_flow->sizeHint().width(), m_flow->heightForWidth(width())};
}

QSize FlowRow::minimumSizeHint() const {
  return {m_flow->minimumSize().width(), m_flow->heightForWidth(width())};
}

void FlowRow::resizeEvent(QResizeEvent* event) {
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

}  // namespace tileloom
