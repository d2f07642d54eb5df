// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/ladder_list.h"

#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "viz/base/text.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

// Number and title, the rung's one idea, a bar. In a list too low for that, only the current rung
// tells its idea.
class RungDelegate : public QStyledItemDelegate {
 public:
  RungDelegate(std::span<const Stage> stages, LadderList* list)
      : QStyledItemDelegate(list), m_stages(stages), m_list(list) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const double line = QFontMetricsF(option.font).height();
    return {10, static_cast<int>(line * (m_list->tellsIdea(index.row()) ? kTall : kLow))};
  }

  // Heights of a row, in lines of text.
  static constexpr double kTall = 3.5, kLow = 2.45;

  void paint(QPainter* p, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Stage& stage = m_stages[static_cast<std::size_t>(index.row())];
    const Theme theme = Theme::of(option.palette);
    const Fonts fonts = Fonts::of(option.font);
    const QRectF r(option.rect);
    const bool current = (option.state & QStyle::State_Selected) != 0;
    p->save();
    if (current) {
      p->fillRect(r, theme.well);
      p->fillRect(QRectF(r.left(), r.top(), 3, r.height()), theme.accent);
    } else if ((option.state & QStyle::State_MouseOver) != 0) {
      p->fillRect(r, Theme::mix(theme.panel, theme.well, 0.5));
    }
    const double line = QFontMetricsF(option.font).height();
    const double indent = line * 1.9;
    QFont bold = option.font;
    if (current) bold.setWeight(QFont::DemiBold);
    p->setFont(bold);
    p->setPen(theme.soft);
    const double top = r.top() + line * 0.35;
    p->drawText(QRectF(r.left() + line * 0.7, top, indent, line), Qt::AlignLeft | Qt::AlignVCenter,
                QString::number(stage.rung));
    p->setPen(theme.text);
    p->drawText(QRectF(r.left() + indent, top, r.width() - indent, line),
                Qt::AlignLeft | Qt::AlignVCenter,
                QFontMetricsF(bold).elidedText(toQString(stage.title), Qt::ElideRight,
                                               r.width() - indent - 4));
    p->setFont(fonts.small);
    p->setPen(theme.faint);
    // The longer literature counts some kernels that are no rung here, so the numbers part at 7.
    const QString other =
        stage.literature > 0 ? LadderList::tr("Boehm %1").arg(stage.literature) : QString();
    const double free =
        r.width() - indent - QFontMetricsF(bold).horizontalAdvance(toQString(stage.title));
    if (QFontMetricsF(fonts.small).horizontalAdvance(other) < free - line) {
      p->drawText(QRectF(r.left(), top, r.width() - line * 0.6, line),
                  Qt::AlignRight | Qt::AlignVCenter, other);
    }
    double under = top + line * 1.15;
    if (m_list->tellsIdea(index.row())) {
      p->setPen(theme.soft);
      const QFontMetricsF metrics(fonts.small);
      p->drawText(
          QRectF(r.left() + indent, under, r.width() - indent - 4, line),
          Qt::AlignLeft | Qt::AlignVCenter,
          metrics.elidedText(toQString(stage.idea), Qt::ElideRight, r.width() - indent - 6));
      under += line;
    }
    paintBar(
        p,
        QRectF(r.left() + indent, under + line * 0.2, r.width() - indent - line * 0.6, line * 0.34),
        static_cast<std::size_t>(index.row()), theme, fonts);
    p->restore();
  }

  // Live bars are full, recorded ones outlines: the same two looks as in the charts.
  void paintBar(QPainter* p, const QRectF& groove, std::size_t row, const Theme& theme,
                const Fonts& fonts) const {
    if (row >= m_list->bars().size() || !m_list->bars()[row].ratio.known()) return;
    const LadderBar& bar = m_list->bars()[row];
    const QString label = LadderList::tr("%1 %").arg(100 * bar.ratio.median, 0, 'f', 1);
    const double room = QFontMetricsF(fonts.small).horizontalAdvance(LadderList::tr("100.0 %")) + 6;
    const double height = QFontMetricsF(fonts.small).height();
    const QRectF whole = groove.adjusted(0, 0, -room, 0);
    p->fillRect(whole, theme.well);
    QRectF part = whole;
    // All bars share one scale, which ends at cuBLAS or at the best rung beyond it.
    double scale = 1.0;
    for (const LadderBar& other : m_list->bars()) scale = std::max(scale, other.ratio.median);
    part.setWidth(whole.width() * bar.ratio.median / scale);
    if (bar.freshness == Freshness::Live) {
      p->fillRect(part, theme.soft);
    } else {
      p->setPen(QPen(theme.soft, 1.0, Qt::DashLine));
      p->drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (scale > 1.0) {
      const double x = whole.left() + whole.width() / scale;
      p->setPen(QPen(theme.text, 1.0));
      p->drawLine(QPointF(x, whole.top() - 2), QPointF(x, whole.bottom() + 2));
    }
    p->setFont(fonts.small);
    p->setPen(theme.soft);
    p->drawText(QRectF(whole.right(), groove.center().y() - height / 2, room, height),
                Qt::AlignRight | Qt::AlignVCenter, label);
  }

 private:
  std::span<const Stage> m_stages;
  LadderList* m_list;
};

}  // namespace

LadderList::LadderList(std::span<const Stage> stages, QWidget* parent)
    : QListWidget(parent), m_stages(stages) {
  setItemDelegate(new RungDelegate(stages, this));
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::TabFocus);  // a click picks a rung, and the keys still play
  setAccessibleName(tr("The ladder"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);
  for (const Stage& stage : stages) {
    auto* item = new QListWidgetItem(tr("%1 %2").arg(stage.rung).arg(toQString(stage.title)));
    item->setToolTip(stage.literature > 0
                         ? tr("Rung %1, kernel %2 of S. Boehm's worklog (2022): %3")
                               .arg(stage.rung)
                               .arg(stage.literature)
                               .arg(toQString(stage.idea))
                         : tr("Rung %1: %2").arg(stage.rung).arg(toQString(stage.idea)));
    addItem(item);
  }
  connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
    if (m_low) scheduleDelayedItemsLayout();  // another row tells its idea
    if (row >= 0) emit picked(&m_stages[static_cast<std::size_t>(row)]);
  });
}

void LadderList::setCurrent(const Stage& stage) {
  setCurrentRow(stage.rung - 1);
}

void LadderList::resizeEvent(QResizeEvent* event) {
  const double all = QFontMetricsF(font()).height() * RungDelegate::kTall * count();
  const bool low = all > viewport()->height();
  if (low != m_low) {
    m_low = low;
    scheduleDelayedItemsLayout();
  }
  QListWidget::resizeEvent(event);
}

bool LadderList::tellsIdea(int row) const {
  return !m_low || row == currentRow();
}

void LadderList::setBars(std::vector<LadderBar> bars) {
  if (bars == m_bars) return;
  m_bars = std::move(bars);
  viewport()->update();
}

QSize LadderList::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 34, 400};
}

}  // namespace tileloom
