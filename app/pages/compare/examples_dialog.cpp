// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/examples_dialog.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdlib>

#include "app/services/choice/comparison.h"
#include "viz/base/text/clauses.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

enum Role { Pair = Qt::UserRole };  // its number; none: a heading

bool isPair(const QListWidgetItem* item) {
  return item != nullptr && item->data(Pair).isValid();
}

// Paints a row: the picture, the name above the difference, and the sentence. Painting requests the
// picture, so that pairs that are never seen are never recorded.
class RowPainter : public QStyledItemDelegate {
 public:
  RowPainter(const std::vector<TeachingPair>& pairs, ExampleSketches& sketches, QObject* parent)
      : QStyledItemDelegate(parent), m_pairs(pairs), m_sketches(sketches) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const int line = option.fontMetrics.height();
    return {0, index.data(Pair).isValid() ? 2 * line + 14 : line + 12};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Theme theme = Theme::of(option.palette);
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const QRectF row = QRectF(option.rect).adjusted(8, 0, -8, 0);
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    if (!index.data(Pair).isValid()) {
      painter->setFont(bold);
      painter->setPen(theme.soft);
      painter->drawText(row, Qt::AlignLeft | Qt::AlignBottom, index.data().toString());
      return;
    }
    if (selected) painter->fillRect(option.rect, Theme::faded(theme.accent, 0.22));
    const auto number = static_cast<std::size_t>(index.data(Pair).toInt());
    const TeachingPair& pair = m_pairs[number];
    const int line = option.fontMetrics.height();
    const QRectF picture(row.left(), row.top() + 4, 2.6 * row.height(), row.height() - 8);
    const PairSketch* sketch = m_sketches.sketch(number);
    if (sketch != nullptr) {
      paintPairSketch(*painter, *sketch, picture, theme);
    } else {
      m_sketches.want(number);
    }
    const auto text = [&](double top, const QFont& font, const QColor& ink, const QString& words) {
      const QRectF at(picture.right() + 12, top, row.right() - picture.right() - 12, line);
      painter->setFont(font);
      painter->setPen(ink);
      painter->drawText(at, Qt::AlignLeft | Qt::AlignVCenter,
                        fitted(words, QFontMetricsF(font), at.width()));
    };
    text(row.top() + 6, bold, theme.text, pair.name);
    text(row.top() + 8 + line, option.font, theme.soft,
         sketch != nullptr && !sketch->caption.isEmpty()
             ? QStringLiteral("%1 · %2").arg(sketch->caption, pair.look)
             : pair.look);
  }

 private:
  const std::vector<TeachingPair>& m_pairs;
  ExampleSketches& m_sketches;
};

bool fits(const TeachingPair& pair, const QString& typed) {
  const QString all = QStringLiteral("%1 %2 %3").arg(pair.group, pair.name, pair.look);
  const auto words = typed.split(u' ', Qt::SkipEmptyParts);
  return std::ranges::all_of(
      words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

ExamplesDialog::ExamplesDialog(Comparison& comparison, QWidget* parent)
    : QDialog(parent, Qt::Popup),
      m_comparison(comparison),
      m_pairs(teachingPairs()),
      m_sketches(m_pairs) {
  setAttribute(Qt::WA_DeleteOnClose);
  setObjectName(QStringLiteral("examples"));
  setWindowTitle(tr("Examples"));
  m_field = new QLineEdit;
  m_field->setPlaceholderText(tr("Examples: type a word, such as \"conflict\" or \"WNITER\""));
  m_field->setAccessibleName(tr("Which examples are listed"));
  m_list = new QListWidget;
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setAccessibleName(tr("Two kernels side by side, in groups"));
  m_list->setItemDelegate(new RowPainter(m_pairs, m_sketches, m_list));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->addWidget(m_field);
  column->addWidget(m_list);
  const int letter = fontMetrics().averageCharWidth();
  QSize size(letter * 120, fontMetrics().height() * 40);
  if (parent != nullptr) {
    const QWidget& window = *parent->window();
    size = size.boundedTo({window.width() * 9 / 10, window.height() * 17 / 20});
    move(window.mapToGlobal(QPoint((window.width() - size.width()) / 2, window.height() / 12)));
  }
  resize(size);
  connect(m_field, &QLineEdit::textChanged, this, &ExamplesDialog::filter);
  connect(m_field, &QLineEdit::returnPressed, this, &ExamplesDialog::run);
  connect(m_list, &QListWidget::itemClicked, this, &ExamplesDialog::run);
  connect(&m_sketches, &ExampleSketches::sketched, m_list->viewport(),
          [this] { m_list->viewport()->update(); });
  m_field->installEventFilter(this);
  m_field->setFocus();
  filter();
}

QStringList ExamplesDialog::offered() const {
  QStringList names;
  for (int i = 0; i < m_list->count(); ++i) {
    if (isPair(m_list->item(i))) names += m_list->item(i)->text();
  }
  return names;
}

void ExamplesDialog::filter() {
  m_list->clear();
  QString group;
  for (std::size_t i = 0; i < m_pairs.size(); ++i) {
    const TeachingPair& pair = m_pairs[i];
    if (!fits(pair, m_field->text())) continue;
    if (pair.group != group) {
      auto* heading = new QListWidgetItem(group = pair.group, m_list);
      heading->setFlags(Qt::NoItemFlags);
    }
    auto* item = new QListWidgetItem(pair.name, m_list);
    item->setData(Pair, static_cast<int>(i));
    item->setToolTip(pair.look);
  }
  if (m_list->count() == 0) {
    auto* none = new QListWidgetItem(tr("No example mentions that: try another word"), m_list);
    none->setFlags(Qt::NoItemFlags);
    return;
  }
  m_list->setCurrentRow(1);
}

// Skips headings, which cannot be chosen.
void ExamplesDialog::step(int by) {
  const int direction = by > 0 ? 1 : -1;
  int at = m_list->currentRow(), left = std::abs(by);
  for (int row = at + direction; row >= 0 && row < m_list->count() && left > 0; row += direction) {
    if (!isPair(m_list->item(row))) continue;
    at = row;
    --left;
  }
  m_list->setCurrentRow(at);
  // The heading of a group scrolls into view with its first pair.
  if (at > 0 && !isPair(m_list->item(at - 1))) m_list->scrollToItem(m_list->item(at - 1));
}

bool ExamplesDialog::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_field && event->type() == QEvent::KeyPress) {
    constexpr int kPage = 8;
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int by = key == Qt::Key_Down       ? 1
                   : key == Qt::Key_Up       ? -1
                   : key == Qt::Key_PageDown ? kPage
                   : key == Qt::Key_PageUp   ? -kPage
                                             : 0;
    if (by != 0) {
      step(by);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

void ExamplesDialog::run() {
  const QListWidgetItem* item = m_list->currentItem();
  if (!isPair(item)) return;
  const TeachingPair pair = m_pairs[static_cast<std::size_t>(item->data(Pair).toInt())];
  close();
  m_comparison.open(pair);
}

}  // namespace tileloom
