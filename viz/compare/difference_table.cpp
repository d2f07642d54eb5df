// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/compare/difference_table.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QStackedLayout>
#include <QTreeWidget>
#include <utility>

#include "viz/base/text/clauses.h"
#include "viz/base/text/labels.h"

namespace tileloom {
namespace {

enum Column { Name, Baseline, Now, Change, Says, Why, kColumns };

// Shape and word carry the same information as the colour.
QString sign(Verdict verdict) {
  switch (verdict) {
    case Verdict::Better:
      return QStringLiteral("▲ ");
    case Verdict::Worse:
      return QStringLiteral("▼ ");
    default:
      return {};
  }
}

}  // namespace

QString verdictWord(Verdict verdict) {
  switch (verdict) {
    case Verdict::Better:
      return DifferenceTable::tr("better");
    case Verdict::Worse:
      return DifferenceTable::tr("worse");
    case Verdict::Tied:
      return DifferenceTable::tr("too close to tell");
    case Verdict::Noisy:
      return DifferenceTable::tr("noisy: measure again");
    case Verdict::Same:
    case Verdict::None:
      break;
  }
  return {};
}

void paintDifferences(QPainter& p, const std::vector<Difference>& rows,
                      const std::pair<QString, QString>& titles, const QSizeF& size,
                      const Theme& theme, const Fonts& fonts) {
  std::size_t lines = 4;
  QString group;
  for (const Difference& d : rows) lines += 1 + (std::exchange(group, d.group) != d.group ? 1 : 0);
  const double line = std::min(QFontMetricsF(fonts.body).height() * 1.6,
                               size.height() / static_cast<double>(lines + 1));
  QFont body = fonts.body;
  while (QFontMetricsF(body).height() > line && body.pointSizeF() > 4)
    body.setPointSizeF(body.pointSizeF() - 0.5);
  QFont bold = body;
  bold.setWeight(QFont::DemiBold);
  const double margin = line, width = size.width() - 2 * margin;
  // Name, baseline, now, change, verdict.
  const double edges[] = {0, 0.24, 0.46, 0.68, 0.80, 1.0};
  double y = line / 2;
  const auto cell = [&](int column, const QString& text, const QColor& ink, const QFont& font) {
    const QRectF r(margin + edges[column] * width, y,
                   (edges[column + 1] - edges[column]) * width - 10, line);
    p.setFont(font);
    p.setPen(ink);
    const bool left = column == Name || column == Says;
    p.drawText(r, (left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
               fitted(text, QFontMetricsF(font), r.width()));
  };
  // Each name has a line of its own.
  for (const QString& name : {DifferenceTable::tr("Baseline: %1").arg(titles.first),
                              DifferenceTable::tr("Now: %1").arg(titles.second)}) {
    p.setFont(bold);
    p.setPen(theme.text);
    p.drawText(QRectF(margin, y, width, line), Qt::AlignLeft | Qt::AlignVCenter,
               fitted(name, QFontMetricsF(bold), width));
    y += line;
  }
  cell(Baseline, DifferenceTable::tr("baseline"), theme.soft, body);
  cell(Now, DifferenceTable::tr("now"), theme.soft, body);
  cell(Change, DifferenceTable::tr("change"), theme.soft, body);
  y += line;
  group.clear();
  for (const Difference& d : rows) {
    if (std::exchange(group, d.group) != d.group) {
      cell(Name, d.group, theme.text, bold);
      y += line;
    }
    const QColor ink = d.verdict == Verdict::Same ? theme.soft : theme.text;
    cell(Name, QStringLiteral("   ") + d.name, ink, body);
    cell(Baseline, d.baseline, ink, body);
    cell(Now, d.now, ink, body);
    cell(Change, d.change, ink, body);
    cell(Says, sign(d.verdict) + verdictWord(d.verdict),
         d.verdict == Verdict::Better  ? theme.good
         : d.verdict == Verdict::Worse ? theme.trouble
                                       : theme.soft,
         body);
    y += line;
  }
}

DifferenceTable::DifferenceTable(QWidget* parent)
    : QWidget(parent), m_tree(new QTreeWidget), m_hint(new QLabel) {
  m_tree->setColumnCount(kColumns);
  m_tree->setHeaderLabels(
      {tr("quantity"), tr("baseline"), tr("now"), tr("change"), {}, tr("what it is")});
  for (const int column : {Baseline, Now, Change})
    m_tree->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  m_tree->setRootIsDecorated(false);
  m_tree->setItemsExpandable(false);
  m_tree->setSelectionMode(QAbstractItemView::SingleSelection);
  m_tree->setFrameShape(QFrame::NoFrame);
  m_tree->setFocusPolicy(Qt::TabFocus);
  m_tree->setUniformRowHeights(true);
  m_tree->setIndentation(14);
  m_tree->setAccessibleName(tr("Differences between the baseline and the present tile"));
  m_tree->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_tree->header()->setSectionResizeMode(Why, QHeaderView::Stretch);
  m_tree->header()->setSectionsMovable(false);
  m_tree->header()->setStretchLastSection(true);
  m_hint->setWordWrap(true);
  m_hint->setMargin(16);
  m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  auto* stack = new QStackedLayout(this);
  auto* hint = new QScrollArea;  // large text needs more height than a low page has
  hint->setWidget(m_hint);
  hint->setWidgetResizable(true);
  hint->setFrameShape(QFrame::NoFrame);
  hint->setFocusPolicy(Qt::NoFocus);
  stack->addWidget(hint);
  stack->addWidget(m_tree);
  restyle();
}

QSize DifferenceTable::minimumSizeHint() const {
  constexpr int kLines = 4;
  return QWidget::minimumSizeHint().expandedTo({0, kLines * fontMetrics().height()});
}

void DifferenceTable::setHint(const QString& hint) {
  m_hint->setText(hint);
}

void DifferenceTable::setDifferences(std::vector<Difference> rows) {
  if (rows == m_rows) return;  // a measurement reports often; keep the scroll position
  m_rows = std::move(rows);
  static_cast<QStackedLayout*>(layout())->setCurrentIndex(m_rows.empty() ? 0 : 1);
  fill();
}

void DifferenceTable::fill() {
  m_tree->clear();
  QTreeWidgetItem* group = nullptr;
  for (const Difference& d : m_rows) {
    if (group == nullptr || group->text(Name) != d.group) {
      group = new QTreeWidgetItem(m_tree, {d.group});
      QFont bold = m_tree->font();
      bold.setWeight(QFont::DemiBold);
      group->setFont(Name, bold);
      group->setFlags(Qt::ItemIsEnabled);
    }
    dress(new QTreeWidgetItem(group), d);
  }
  m_tree->expandAll();
}

void DifferenceTable::dress(QTreeWidgetItem* item, const Difference& d) const {
  const Theme theme = Theme::of(palette());
  const QString texts[] = {
      d.name, d.baseline, d.now, d.change, sign(d.verdict) + verdictWord(d.verdict), d.why};
  for (int column = 0; column < kColumns; ++column) {
    item->setText(column, texts[column]);
    item->setToolTip(column, d.why);
    if (column > Name && column < Says)
      item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  }
  const bool equal = d.verdict == Verdict::Same;
  if (equal) {
    for (int column = 0; column < kColumns; ++column) item->setForeground(column, theme.soft);
  }
  const QColor ink = d.verdict == Verdict::Better  ? theme.good
                     : d.verdict == Verdict::Worse ? theme.trouble
                                                   : theme.soft;
  item->setForeground(Says, ink);
  item->setForeground(Why, theme.soft);
}

void DifferenceTable::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void DifferenceTable::restyle() {
  setInk(*m_hint, Ink::Soft);
  m_tree->setFont(Fonts::of(font()).small);
  fill();
}

}  // namespace tileloom
