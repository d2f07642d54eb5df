// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/instruction_table.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/widgets/choice_box.h"

namespace tileloom {
namespace {

// Accepts rows that contain the text and are of the group.
class Order : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  // `columns`: the text is searched in this many columns from the left.
  void set(const QString& text, const QString& group, int columns) {
    m_text = text;
    m_group = group;
    m_columns = columns;
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const auto at = [&](int column) { return sourceModel()->index(row, column, parent); };
    if (!m_group.isEmpty() && at(0).data(InstructionModel::kGroupRole) != m_group) return false;
    for (const QString& word : m_text.split(u' ', Qt::SkipEmptyParts)) {
      bool found = false;
      for (int column = 0; column < m_columns; ++column)
        found = found || at(column).data().toString().contains(word, Qt::CaseInsensitive);
      if (!found) return false;
    }
    return true;
  }

 private:
  QString m_text, m_group;
  int m_columns = 0;
};

}  // namespace

InstructionTable::InstructionTable(QWidget* parent)
    : QWidget(parent),
      m_model(new InstructionModel(this)),
      m_pairs(new InstructionPairModel(this)),
      m_order(new Order(this)),
      m_table(new QTableView),
      m_text(new QLineEdit),
      m_group(new ChoiceBox),
      m_scope(new ElidedLabel) {
  m_order->setSourceModel(m_model);
  m_order->setSortRole(InstructionModel::kSortRole);
  m_table->setModel(m_order);
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(InstructionModel::Line, Qt::AscendingOrder);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->setFocusPolicy(Qt::TabFocus);
  m_table->setAccessibleName(tr("Instructions of the block"));
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setMinimumSectionSize(8);
  m_table->setWordWrap(false);
  m_text->setObjectName(QStringLiteral("instructionFilter"));
  m_text->setPlaceholderText(tr("Filter: As, store, 50"));
  m_text->setClearButtonEnabled(true);
  m_text->setAccessibleName(tr("Filter of instructions"));
  m_group->setFocusPolicy(Qt::TabFocus);
  m_group->setAccessibleName(tr("Kind of instruction"));
  m_group->addItem(tr("all"), QString());
  m_group->addItem(tr("global memory"), QStringLiteral("global"));
  m_group->addItem(tr("shared memory"), QStringLiteral("shared"));
  m_group->addItem(tr("multiply-adds"), QStringLiteral("arithmetic"));
  m_group->addItem(tr("barriers"), QStringLiteral("barrier"));

  auto* top = new QHBoxLayout;
  top->setContentsMargins(8, 4, 8, 2);
  top->addWidget(m_text);
  top->addWidget(m_group);
  top->addWidget(m_scope, 1, Qt::AlignRight);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(m_table, 1);

  connect(m_text, &QLineEdit::textChanged, this, &InstructionTable::filter);
  connect(m_group, &QComboBox::currentIndexChanged, this, &InstructionTable::filter);
  connect(m_table, &QTableView::clicked, this, &InstructionTable::go);
  connect(m_table, &QTableView::activated, this, &InstructionTable::go);
  // The scroll bar is updated after the model.
  connect(m_table->verticalScrollBar(), &QScrollBar::rangeChanged, this,
          &InstructionTable::showMarked);
  connect(m_table->verticalScrollBar(), &QScrollBar::actionTriggered, this,
          [this] { m_follows = false; });
  restyle();
}

void InstructionTable::setScene(const Scene& scene) {
  m_scene = scene;
  if (isVisible()) refresh();
}

void InstructionTable::setBaseline(const Scene& scene) {
  if (scene.ready() == m_baseline.ready() && !scene.ready()) return;
  m_baseline = scene;
  if (isVisible()) refresh();
}

void InstructionTable::go(const QModelIndex& index) {
  const QModelIndex at = m_order->mapToSource(index);
  if (!comparing()) {
    const analysis::LineCost& cost = m_model->row(at.row()).cost;
    emit asked(cost.line, cost.kind, QString::fromStdString(cost.array));
    return;
  }
  const InstructionPair& pair = m_pairs->pair(at.row());
  const analysis::LineCost& cost = pair.what.cost;
  if (m_pairs->ofBaseline(at.row(), at.column())) {
    emit askedInBaseline(pair.baseline->line, cost.kind, QString::fromStdString(cost.array));
  } else {
    emit asked(pair.now->line, cost.kind, QString::fromStdString(cost.array));
  }
}

void InstructionTable::refresh() {
  const Scene& scene = m_scene;
  if (!scene.ready()) return;
  const bool another = scene.recording != m_shown.lock();
  // Without a baseline there is nothing to compare.
  const bool beside =
      m_baseline.recording != m_beside.lock() || comparing() != (m_order->sourceModel() == m_pairs);
  if (another || beside) {
    m_shown = scene.recording;
    m_beside = m_baseline.recording;
    QAbstractItemModel* model = m_model;
    if (comparing()) {
      m_pairs->setPairs(instructionPairs(m_baseline.recording->trace, scene.recording->trace));
      model = m_pairs;
    } else {
      m_model->setRows(instructionRows(scene.recording->trace));
    }
    if (m_order->sourceModel() != model) {
      m_order->setSourceModel(model);
      filter();
      m_table->sortByColumn(comparing() ? static_cast<int>(InstructionPairModel::NowLine)
                                        : static_cast<int>(InstructionModel::Line),
                            Qt::AscendingOrder);
    }
    const std::vector<int> empty = comparing() ? m_pairs->emptyColumns() : std::vector<int>();
    for (int column = 0; column < model->columnCount(); ++column)
      m_table->setColumnHidden(column, std::ranges::find(empty, column) != empty.end());
    sayScope();
    fitColumns();
    m_opened = true;
  }
  const int before = marked();
  if (comparing()) {
    m_pairs->mark(m_baseline.moment, scene.moment);
  } else {
    m_model->mark(scene.moment);
  }
  const int row = marked();
  if (row < 0 || row == before) return;
  if (before >= 0) m_opened = false;
  m_follows = true;
  showMarked();
}

int InstructionTable::marked() const {
  return comparing() ? m_pairs->marked() : m_model->marked();
}

// The opening position does not depend on the previous recording.
void InstructionTable::showMarked() {
  const QModelIndex shown = m_order->mapFromSource(m_order->sourceModel()->index(marked(), 0));
  if (!m_follows || !shown.isValid()) return;
  if (m_opened) m_table->verticalScrollBar()->setValue(0);
  m_table->scrollTo(shown);
}

void InstructionTable::sayScope() {
  const auto& trace = m_scene.recording->trace;
  if (comparing()) {
    m_scope->setText(tr("both for 2²⁰ multiply-adds of A and B"));
    m_scope->setToolTip(
        tr("Blocks of different tiles do different amounts of work. Both sides are therefore "
           "counted for %1 multiply-adds of the main loop, with their share of prologue and "
           "epilogue. The last recorded K tile represents those that are not recorded.")
            .arg(figures::grouped(kMultiplyAdds)));
    return;
  }
  m_scope->setToolTip({});
  m_scope->setText(trace.kTilesTraced == trace.kTiles
                       ? tr("one block, all its work")
                       : tr("one block, the first %1 of %2 K tiles and the epilogue")
                             .arg(trace.kTilesTraced)
                             .arg(trace.kTiles));
}

// If little width is missing, the instruction's text is cut, never a number.
void InstructionTable::fitColumns() {
  constexpr int kPercent = 15;  // of the width that may be missing
  QHeaderView* header = m_table->horizontalHeader();
  const int what = comparing() ? static_cast<int>(InstructionPairModel::What)
                               : static_cast<int>(InstructionModel::What);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  const int missing = header->length() - m_table->viewport()->width();
  if (missing > 0 && 100 * missing <= kPercent * m_table->viewport()->width())
    header->setSectionResizeMode(what, QHeaderView::Stretch);
}

void InstructionTable::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitColumns();
}

void InstructionTable::filter() {
  const int columns = 1 + (comparing() ? static_cast<int>(InstructionPairModel::What)
                                       : static_cast<int>(InstructionModel::What));
  static_cast<Order*>(m_order)->set(m_text->text(), m_group->currentData().toString(), columns);
}

void InstructionTable::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  setScene(m_scene);
}

void InstructionTable::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void InstructionTable::restyle() {
  const Theme theme = Theme::of(palette());
  const QFont small = Fonts::of(font()).small;
  m_table->setFont(small);
  m_table->horizontalHeader()->setFont(small);
  m_model->setStyle(theme, small);
  m_pairs->setStyle(theme, small);
  m_text->setMaximumWidth(fontMetrics().averageCharWidth() * 34);
  setInk(*m_scope, Ink::Soft);
}

}  // namespace tileloom
