// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/ladder_list.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>

#include "kernels/tile/placement.h"
#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

// Number and title, the rung's one idea, a bar. In a list too low for that, only the current rung
// shows its idea.
class RungDelegate : public QStyledItemDelegate {
 public:
  RungDelegate(std::span<const Stage* const> stages, LadderList* list)
      : QStyledItemDelegate(list), m_stages(stages.begin(), stages.end()), m_list(list) {
    for (const Stage* stage : stages) {
      const QString rung = figures::rungText(*stage);
      if (rung.size() > m_longest.size()) m_longest = rung;
    }
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const double line = QFontMetricsF(option.font).height();
    const double words = (m_list->setbackOf(index.row()).isEmpty() ? 0 : kWords) +
                         (m_list->beginsLadder(index.row()) ? kName : 0);
    return {10, static_cast<int>(line * (words + (m_list->tellsIdea(index.row()) ? kTall : kLow)))};
  }

  // Heights of a row, in lines of text, of the words of a slower rung, and of a ladder's name.
  static constexpr double kTall = 3.5, kLow = 2.45, kWords = 1, kName = 2.75;

  void paint(QPainter* p, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Stage& stage = *m_stages[static_cast<std::size_t>(index.row())];
    const Theme theme = Theme::of(option.palette);
    const Fonts fonts = Fonts::of(option.font);
    QRectF r(option.rect);
    const bool current = (option.state & QStyle::State_Selected) != 0;
    p->save();
    const double line = QFontMetricsF(option.font).height();
    if (m_list->beginsLadder(index.row())) {
      paintName(p, QRectF(r.left(), r.top(), r.width(), line * kName), stage, theme, fonts);
      r.setTop(r.top() + line * kName);
    }
    if (current) {
      p->fillRect(r, theme.well);
      p->fillRect(QRectF(r.left(), r.top(), 3, r.height()), theme.accent);
    } else if ((option.state & QStyle::State_MouseOver) != 0) {
      p->fillRect(r, Theme::mix(theme.panel, theme.well, 0.5));
    }
    const double indent = indentOf(line);
    QFont bold = option.font;
    if (current) bold.setWeight(QFont::DemiBold);
    p->setFont(bold);
    p->setPen(theme.soft);
    const double top = r.top() + line * 0.35;
    // "T3" is wider than "3" and begins further to the left, so that all titles are aligned.
    const double width = QFontMetricsF(bold).horizontalAdvance(figures::rungText(stage));
    const bool narrow = !hasBar(grooveOf(barOf(r, line, top), fonts), line);
    const double left =
        narrow ? line * kBeforeNumber : std::min(line * 0.7, indent - width - line * kAfterNumber);
    p->drawText(QRectF(r.left() + left, top, indent, line), Qt::AlignLeft | Qt::AlignVCenter,
                figures::rungText(stage));
    // Without bars, titles get their line.
    const double from = narrow ? line * kBeforeNumber : indent;
    const double title = narrow ? top + line : top;
    p->setPen(theme.text);
    p->drawText(QRectF(r.left() + from, title, r.width() - from, line),
                Qt::AlignLeft | Qt::AlignVCenter,
                fitted(toQString(stage.title), QFontMetricsF(bold), r.width() - from - 4));
    p->setFont(fonts.small);
    p->setPen(theme.faint);
    // The worklog also counts kernels that are not rungs here, so the numbers differ from 7 on.
    const QString other =
        stage.literature > 0 ? LadderList::tr("Boehm %1").arg(stage.literature) : QString();
    const double free =
        r.width() - indent - QFontMetricsF(bold).horizontalAdvance(toQString(stage.title));
    if (!narrow && QFontMetricsF(fonts.small).horizontalAdvance(other) < free - line) {
      p->drawText(QRectF(r.left(), top, r.width() - line * 0.6, line),
                  Qt::AlignRight | Qt::AlignVCenter, other);
    }
    double under = title + line * 1.15;
    if (m_list->tellsIdea(index.row())) {
      p->setPen(theme.soft);
      const QFontMetricsF metrics(fonts.small);
      p->drawText(QRectF(r.left() + from, under, r.width() - from - 4, line),
                  Qt::AlignLeft | Qt::AlignVCenter,
                  fitted(toQString(stage.idea), metrics, r.width() - from - 6));
      under += line;
    }
    QRectF bar = barOf(r, line, under);
    if (narrow) {
      bar = QRectF(QPointF(r.left() + left + width + 0.1 * line, top + line * 0.33),
                   QPointF(r.right() - 0.25 * line, top + line * 0.67));
    }
    paintBar(p, bar, static_cast<std::size_t>(index.row()), theme, fonts);
    if (const QString words = m_list->setbackOf(index.row()); !words.isEmpty()) {
      p->setFont(fonts.small);
      p->setPen(theme.trouble);
      const double below = narrow ? under : under + line * 0.85;
      p->drawText(QRectF(r.left() + from, below, r.width() - from - 4, line),
                  Qt::AlignLeft | Qt::AlignVCenter,
                  fitted(words, QFontMetricsF(fonts.small), r.width() - from - 4));
    }
    p->restore();
  }

  // Where titles and bars begin.
  double indentOf(double line) const {
    QFont bold = m_list->font();
    bold.setWeight(QFont::DemiBold);
    const double number = QFontMetricsF(bold).horizontalAdvance(m_longest);
    return std::max(line * 1.9, line * (kBeforeNumber + kAfterNumber) + number);
  }
  // Whether a list is wide enough for bars beside their numbers.
  static bool hasBar(const QRectF& groove, double line) { return groove.width() > 1.5 * line; }
  // The place of a bar and its number in a row.
  QRectF barOf(const QRectF& row, double line, double top) const {
    const double indent = indentOf(line);
    return {row.left() + indent, top + line * 0.2, row.width() - indent - line * 0.6, line * 0.34};
  }
  // The part for the bar, from 0 to the end of the scale.
  static QRectF grooveOf(const QRectF& bar, const Fonts& fonts) {
    const double room =
        QFontMetricsF(fonts.small).horizontalAdvance(LadderList::tr("100.0 %")) + 12;
    return bar.adjusted(0, 0, -room, 0);
  }
  // All bars of a ladder share one scale, which ends at cuBLAS or at the best rung beyond it.
  static double scaleOf(const std::vector<LadderBar>& bars, Ladder ladder) {
    double scale = 1.0;
    for (const LadderBar& other : bars) {
      if (other.rung() != nullptr && other.rung()->ladder == ladder)
        scale = std::max(scale, other.ratio.median);
    }
    return scale;
  }

  // The name of the ladder that begins here, the unit of its bars, and 100 % above their mark.
  void paintName(QPainter* p, const QRectF& r, const Stage& stage, const Theme& theme,
                 const Fonts& fonts) const {
    const double line = QFontMetricsF(m_list->font()).height();
    p->setPen(QPen(theme.faint, 1.0));
    p->drawLine(QPointF(r.left() + line * 0.7, r.top() + line * 0.35),
                QPointF(r.right() - line * 0.6, r.top() + line * 0.35));
    const bool narrow = !hasBar(grooveOf(barOf(r, line, r.top()), fonts), line);
    const double left = r.left() + (narrow ? line * kBeforeNumber : indentOf(line));
    QFont bold = fonts.small;
    bold.setWeight(QFont::DemiBold);
    p->setFont(bold);
    p->setPen(theme.text);
    p->drawText(QRectF(left, r.top() + line * 0.55, r.right() - left, line),
                Qt::AlignLeft | Qt::AlignVCenter,
                fitted(LadderList::tr("Tensor cores"), QFontMetricsF(bold), r.right() - left - 4));
    paintHead(p, QRectF(r.left(), r.top() + line * 1.6, r.width(), line), stage.ladder, theme,
              fonts);
  }

  // The unit of a ladder's bars, and 100 % above their common mark, if it fits.
  void paintHead(QPainter* p, const QRectF& r, Ladder ladder, const Theme& theme,
                 const Fonts& fonts) const {
    const double line = QFontMetricsF(m_list->font()).height();
    const QRectF bar = barOf(r, line, r.top());
    const QFontMetricsF metrics(fonts.small);
    p->setFont(fonts.small);
    p->setPen(theme.soft);
    const QString text = m_list->barsHead(ladder), whole = LadderList::tr("100 %");
    const QRectF groove = grooveOf(bar, fonts);
    const bool narrow = !hasBar(groove, line);
    const double left = narrow ? r.left() + line * kBeforeNumber : bar.left();
    const double room = bar.right() - left;
    QString words = fitted(text, metrics, room);
    // The unit comes before the device.
    for (const QString& figure : {LadderList::tr("% of cuBLAS"), LadderList::tr("of cuBLAS")}) {
      if (words.endsWith(u'…') && metrics.horizontalAdvance(figure) <= room) words = figure;
    }
    p->drawText(QRectF(left, r.top(), room, r.height()), Qt::AlignLeft | Qt::AlignTop, words);
    const double mark = groove.left() + groove.width() / scaleOf(m_list->bars(), ladder);
    const double width = metrics.horizontalAdvance(whole);
    if (narrow || text.isEmpty() ||
        bar.left() + metrics.horizontalAdvance(text) + 6 > mark - width / 2)
      return;
    p->drawText(QRectF(mark - width / 2, r.top(), width + 1, r.height()),
                Qt::AlignLeft | Qt::AlignTop, whole);
  }

  // Live bars are full, recorded ones lighter within dashes: the same two looks as in the charts.
  void paintBar(QPainter* p, const QRectF& groove, std::size_t row, const Theme& theme,
                const Fonts& fonts) const {
    if (row >= m_list->bars().size() || !m_list->bars()[row].ratio.known()) return;
    if (m_list->bars()[row].rung() == nullptr) return;
    const LadderBar& bar = m_list->bars()[row];
    const QFontMetricsF metrics(fonts.small);
    const double percent = 100 * bar.ratio.median;
    QString label = LadderList::tr("%1 %").arg(percent, 0, 'f', 1);
    // Beside the long number of a rung; the head names the whole.
    for (const QString& shorter : {LadderList::tr("%1 %").arg(percent, 0, 'f', 0),
                                   QString::number(percent, 'f', 0), QString()}) {
      if (metrics.horizontalAdvance(label) > groove.width()) label = shorter;
    }
    const double height = metrics.height();
    const QRectF whole = grooveOf(groove, fonts);
    if (hasBar(whole, QFontMetricsF(m_list->font()).height())) paintLength(p, whole, row, theme);
    p->setFont(fonts.small);
    if (charts::setbackAt(m_list->setbacks(), static_cast<int>(row)) != nullptr) {
      // A few percent are too short to be seen as a length, so a sign precedes the number, too.
      const double side = 0.5 * QFontMetricsF(fonts.small).capHeight();
      const double sign =
          groove.right() - QFontMetricsF(fonts.small).horizontalAdvance(label) - 2 * side - 3;
      const double y = groove.center().y();
      if (sign >= groove.left()) {
        p->setRenderHint(QPainter::Antialiasing);
        p->setPen(Qt::NoPen);
        p->setBrush(theme.trouble);
        p->drawPolygon(QPolygonF{
            {sign - 0.5, y - side}, {sign + 2 * side, y - side}, {sign + side, y + side}});
        p->setBrush(Qt::NoBrush);
        p->setRenderHint(QPainter::Antialiasing, false);
      }
    }
    p->setPen(theme.soft);
    p->drawText(QRectF(whole.right(), groove.center().y() - height / 2,
                       groove.right() - whole.right(), height),
                Qt::AlignRight | Qt::AlignVCenter, label);
  }

 private:
  void paintLength(QPainter* p, const QRectF& whole, std::size_t row, const Theme& theme) const {
    const LadderBar& bar = m_list->bars()[row];
    p->fillRect(whole, theme.well);
    QRectF part = whole;
    const double scale = scaleOf(m_list->bars(), bar.rung()->ladder);
    part.setWidth(whole.width() * bar.ratio.median / scale);
    // The gap to the rung before it, if that one is faster.
    if (const auto* setback = charts::setbackAt(m_list->setbacks(), static_cast<int>(row))) {
      const LadderBar& before = m_list->bars()[static_cast<std::size_t>(setback->before)];
      QRectF lack = whole;
      lack.setLeft(part.right());
      lack.setRight(whole.left() + whole.width() * before.ratio.median / scale);
      figures::fillTrouble(*p, lack, theme);
    }
    if (bar.freshness == Freshness::Live) {
      p->fillRect(part, theme.soft);
    } else {
      p->setPen(QPen(theme.soft, 1.0, Qt::DashLine));
      p->setBrush(Theme::mix(theme.panel, theme.soft, 0.45));
      p->drawRect(part.adjusted(0.5, 0.5, -0.5, -0.5));
      p->setBrush(Qt::NoBrush);
    }
    const double x = whole.left() + whole.width() / scale;
    p->setPen(QPen(theme.text, 1.0));
    p->drawLine(QPointF(x, whole.top() - 2), QPointF(x, whole.bottom() + 2));
  }

  // In lines of text, beside the number of a rung.
  static constexpr double kBeforeNumber = 0.45, kAfterNumber = 0.3;

  QString m_longest;  // number of a rung
  std::vector<const Stage*> m_stages;
  LadderList* m_list;
};

QString tipOf(const Stage& stage) {
  return stage.literature > 0
             ? LadderList::tr("Rung %1, kernel %2 of S. Boehm's worklog (2022): %3")
                   .arg(figures::rungText(stage))
                   .arg(stage.literature)
                   .arg(toQString(stage.idea))
             : LadderList::tr("Rung %1: %2").arg(figures::rungText(stage), toQString(stage.idea));
}

}  // namespace

// Above the rows: the unit of their bars, and cuBLAS above the common mark.
class LadderList::Head : public QWidget {
 public:
  Head(LadderList* list, const RungDelegate* rungs) : QWidget(list), m_list(list), m_rungs(rungs) {}

  int wanted() const {
    return static_cast<int>(QFontMetricsF(Fonts::of(m_list->font()).small).height() * 1.4);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    const Theme theme = Theme::of(palette());
    const Fonts fonts = Fonts::of(m_list->font());
    m_rungs->paintHead(&p, QRectF(rect()), Ladder::Fp32, theme, fonts);
  }

 private:
  LadderList* m_list;
  const RungDelegate* m_rungs;
};

LadderList::LadderList(std::span<const Stage* const> stages, QWidget* parent)
    : QListWidget(parent), m_stages(stages.begin(), stages.end()) {
  auto* rungs = new RungDelegate(stages, this);
  m_head = new Head(this, rungs);
  setItemDelegate(rungs);
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::TabFocus);  // a click picks a rung without taking the keys for playing
  setAccessibleName(tr("The ladder"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);
  for (const Stage* stage : stages) {
    auto* item =
        new QListWidgetItem(tr("%1 %2").arg(figures::rungText(*stage), toQString(stage->title)));
    item->setToolTip(tipOf(*stage));
    addItem(item);
  }
  // The scroll bar changes after the heights of the rows.
  connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &LadderList::showCurrent);
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_follows = false; });
  connect(this, &QListWidget::currentRowChanged, this, [this](int row) {
    m_follows = true;
    if (m_low) {  // another row shows its idea
      scheduleDelayedItemsLayout();
      showCurrent();
    }
    if (row >= 0) emit picked(m_stages[static_cast<std::size_t>(row)]);
  });
}

void LadderList::setCurrent(const Stage& stage) {
  const auto at = std::ranges::find(m_stages, &stage);
  setCurrentRow(at != m_stages.end() ? static_cast<int>(at - m_stages.begin()) : -1);
}

// What fits: the ideas of all rungs, the words of all slower rungs, or only those of the current
// rung.
void LadderList::arrange() {
  const int head = barsHead(Ladder::Fp32).isEmpty() ? 0 : m_head->wanted();
  m_head->setVisible(head > 0);
  m_head->setGeometry(0, 0, width(), head);
  setViewportMargins(0, head, 0, 0);
  const double line = QFontMetricsF(font()).height();
  double room = height() - head;
  for (int row = 0; row < count(); ++row)
    room -= beginsLadder(row) ? line * RungDelegate::kName : 0;
  const double words = RungDelegate::kWords * static_cast<double>(m_setbacks.size());
  const double least = RungDelegate::kLow * (count() - 1) + RungDelegate::kTall;
  const bool low = line * (RungDelegate::kTall * count() + words) > room;
  const Told told = line * (least + words) <= room                  ? Told::All
                    : line * (least + RungDelegate::kWords) <= room ? Told::Current
                                                                    : Told::None;
  if (low != m_low || told != m_told) {
    m_low = low;
    m_told = told;
    scheduleDelayedItemsLayout();
  }
}

// In a list too low for all rows the current one stays visible.
void LadderList::showCurrent() {
  if (m_follows && currentIndex().isValid()) scrollTo(currentIndex());
}

void LadderList::resizeEvent(QResizeEvent* event) {
  arrange();
  QListWidget::resizeEvent(event);
  showCurrent();
}

void LadderList::changeEvent(QEvent* event) {
  QListWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) arrange();
}

bool LadderList::tellsIdea(int row) const {
  return !m_low || row == currentRow();
}

QString LadderList::setbackOf(int row) const {
  const auto* setback = charts::setbackAt(m_setbacks, row);
  const bool told = m_told == Told::All || (m_told == Told::Current && row == currentRow());
  if (setback == nullptr || !told) return {};
  return charts::setbackText(m_bars, *setback);
}

bool LadderList::beginsLadder(int row) const {
  const auto at = static_cast<std::size_t>(row);
  return row > 0 && at < m_stages.size() && m_stages[at]->ladder != m_stages[at - 1]->ladder;
}

QString LadderList::barsHead(Ladder ladder) const {
  bool live = false, recorded = false;
  Format format = Format::Fp32;
  for (const LadderBar& bar : m_bars) {
    if (!bar.ratio.known() || bar.rung() == nullptr || bar.rung()->ladder != ladder) continue;
    format = bar.format;
    live = live || bar.freshness == Freshness::Live;
    recorded = recorded || bar.freshness != Freshness::Live;
  }
  if (!live && !recorded) return {};
  // Beside the ladder's name there is only room for the figure.
  if (format != Format::Fp32) {
    const QString words = tr("% of cuBLAS in %1").arg(toQString(rowOf(format).name));
    return live && recorded ? tr("%1, solid: live").arg(words) : words;
  }
  const QString whole = tr("cuBLAS");
  return live && recorded ? tr("speed in % of %1, solid: live").arg(whole)
                          : tr("speed in % of %1").arg(whole);
}

QString LadderList::barsOrigin() const {
  QStringList places, devices;
  for (const LadderBar& bar : m_bars) {
    if (!bar.ratio.known()) continue;
    const QString place = figures::whereText(bar.freshness, bar.device);
    if (!places.contains(place)) places += place;
    const QString device = figures::deviceText(bar.device);
    if (!devices.contains(device)) devices += device;
  }
  // Live bars are marked beside them, and there is no room to say it twice.
  if (places.size() > 1 && devices.size() == 1) return tr("on %1").arg(devices.front());
  return places.join(tr(" and "));
}

void LadderList::setBars(std::vector<LadderBar> bars) {
  if (bars == m_bars) return;
  m_bars = std::move(bars);
  m_setbacks = charts::setbacksOf(m_bars);
  for (int row = 0; row < count(); ++row) {
    const auto* setback = charts::setbackAt(m_setbacks, row);
    const QString more =
        setback == nullptr ? QString() : u'\n' + charts::setbackSentence(m_bars, {}, *setback);
    item(row)->setToolTip(tipOf(*m_stages[static_cast<std::size_t>(row)]) + more);
    item(row)->setData(Qt::AccessibleDescriptionRole, more.trimmed());
  }
  arrange();
  scheduleDelayedItemsLayout();
  showCurrent();
  m_head->update();
  viewport()->update();
}

QSize LadderList::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 34, 400};
}

std::optional<QRectF> LadderList::placeOf(std::string_view id) const {
  for (std::size_t i = 0; i < m_stages.size(); ++i) {
    if (m_stages[i]->id != id) continue;
    const QRectF row = visualItemRect(item(static_cast<int>(i)));
    const QRectF seen = row.intersected(viewport()->rect());
    if (seen.height() < row.height() / 2) return std::nullopt;
    return seen;
  }
  return std::nullopt;
}

void LadderList::reveal(std::string_view id) {
  for (std::size_t i = 0; i < m_stages.size(); ++i) {
    if (m_stages[i]->id != id) continue;
    m_follows = false;
    scrollToItem(item(static_cast<int>(i)));
  }
}

}  // namespace tileloom
