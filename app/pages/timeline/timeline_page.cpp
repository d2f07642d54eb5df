// SPDX-License-Identifier: GPL-3.0-or-later
// What each warp does and waits for on the virtual clock, with a slider that makes memory slower;
// while something is compared, the baseline's above it, over the same axis.
#include <QEventLoop>
#include <QFontMetricsF>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/pages/page.h"
#include "app/services/comparison.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/timeline/export.h"
#include "viz/base/figure_text.h"
#include "viz/base/labels.h"
#include "viz/timeline/timeline_view.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {
namespace {

class TimelinePage : public Page {
 public:
  TimelinePage(const PageRow& row, PageContext& context)
      : Page(row, context), m_now(services().timeline), m_before(services().lab) {
    m_view = new TimelineView;
    m_view->setObjectName(QStringLiteral("timeline"));
    m_baseline = new TimelineView;
    m_baseline->setObjectName(QStringLiteral("baselineTimeline"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    column->addLayout(makeControls());
    for (QLabel** title : {&m_baselineTitle, &m_title}) {
      *title = new ElidedLabel;
      (*title)->setContentsMargins(8, 0, 8, 0);
      (*title)->hide();
    }
    column->addWidget(m_baselineTitle);
    column->addWidget(m_baseline, 1);
    column->addWidget(m_title);
    column->addWidget(m_view, 1);
    m_baseline->hide();
    setWidget(scrolled(page));
    connect(m_view, &TimelineView::picked, this, &TimelinePage::goTo);
    for (TimelineView* view : {m_view, m_baseline}) {
      connect(view, &TimelineView::spanChanged, this, [this, view] {
        for (TimelineView* other : {m_view, m_baseline}) other->setSpan(view->span());
      });
    }
    const auto again = [this] {
      if (inFront()) refresh();
    };
    connect(&m_now, &TimelineSide::changed, this, again);
    connect(&m_before, &TimelineSide::changed, this, again);
    connect(m_slider, &QSlider::valueChanged, this, [this](int cycles) {
      m_now.setDelay(cycles);
      m_before.setDelay(cycles);
    });
    connect(&comparison(), &Comparison::titlesChanged, this,
            [this](const QString& baseline, const QString& now) {
              m_baselineTitle->setText(baseline);
              m_title->setText(now);
            });
  }

  void showScene(const Scene&) override {
    if (inFront()) refresh();
  }
  void showBaseline(const Scene&) override {
    if (inFront()) refresh();
  }

  void save(Session& session) const override {
    session.timeline.delay = m_slider->value();
    session.timeline.span = m_view->span();
  }
  void restore(const Session& session) override {
    m_slider->setValue(session.timeline.delay);
    setSpan(session.timeline.span);
    if (inFront()) refresh();
  }
  void resetView() override { restore(Session()); }

  QWidget* focusTarget() const override { return m_view; }

  Caption caption(Caption usual) const override {
    const TimelineData& data = m_view->data();
    if (!data.ready()) return usual;
    usual.shown = timelineSentence(data);
    if (comparing())
      usual.title = tr("%1, above it %2").arg(m_title->text(), m_baselineTitle->text());
    usual.origin = tr("%1 · predicted by a virtual clock with the rates of %2")
                       .arg(usual.origin, figures::deviceText(data.device));
    return usual;
  }

  void prepare() override {
    QEventLoop loop;
    do {
      refresh();
      while (m_now.pending() || m_before.pending())
        loop.processEvents(QEventLoop::WaitForMoreEvents);
    } while (m_view->data().waiting);
    refresh();
  }

  QSizeF naturalSize(const QSizeF& screen) const override {
    QSizeF least = m_view->minimumSizeHint();
    if (comparing()) least.rheight() += m_baseline->minimumSizeHint().height() + 40;
    return screen.expandedTo(least);
  }

  QString whyEmpty(const QString& file) const override {
    const TimelineData& data = m_view->data();
    if (data.ready() || data.waiting || data.trouble.isEmpty()) return {};
    return tr("\"%1\" is not written: %2").arg(file, data.trouble);
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    QPainter& p = painterOf(painter);
    const Fonts fonts = Fonts::of(sheet.font);
    const QRectF canvas(QPointF(0, 0), sheet.size);
    p.fillRect(canvas, sheet.theme.ground);
    if (!comparing()) {
      m_view->paintTo(p, canvas, sheet.theme, fonts);
      return;
    }
    const double line = QFontMetricsF(fonts.body).height() + 4, half = canvas.height() / 2;
    const auto part = [&](double top, const QString& title, const TimelineView& view) {
      p.setFont(fonts.body);
      p.setPen(sheet.theme.text);
      p.drawText(QRectF(8, top, canvas.width() - 16, line), Qt::AlignLeft | Qt::AlignVCenter,
                 title);
      p.save();
      p.translate(0, top + line);
      view.paintTo(p, QRectF(0, 0, canvas.width(), half - line), sheet.theme, fonts);
      p.restore();
    };
    part(0, m_baselineTitle->text(), *m_baseline);
    part(half, m_title->text(), *m_view);
  }

  QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const override {
    const bool json = file.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
    const bool csv = file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    if (!json && !csv) return Page::write(file, sheet, asOnScreen);
    const TimelineData& data = m_view->data();
    if (!data.ready()) return whyEmpty(file);
    const QString name =
        tr("%1, %2").arg(figures::stageText(data.stage), figures::tileText(data.stage, data.tile));
    return writeBytes(
        QByteArray::fromStdString(json ? timeline::chromeTrace(*data.timeline, name.toStdString())
                                       : timeline::spanTable(*data.timeline)),
        file);
  }

 protected:
  void cameToFront() override { refresh(); }

  void refresh() override {
    const Explorer& explorer = services().explorer;
    if (!explorer.scene().ready()) return;
    TimelineData now = m_now.show(explorer.scene());
    const bool both = explorer.baseline().ready();
    for (QWidget* widget : {static_cast<QWidget*>(m_baseline), static_cast<QWidget*>(m_title),
                            static_cast<QWidget*>(m_baselineTitle)})
      widget->setVisible(both);
    if (both) {
      TimelineData before = m_before.show(explorer.baseline());
      // Over the same axis, which neither of them has left behind.
      const double end = before.usualEnd > 0 && now.usualEnd > 0
                             ? std::min(now.usualEnd, before.usualEnd)
                             : std::max(now.usualEnd, before.usualEnd);
      now.usualEnd = before.usualEnd = end;
      before.brief = true;
      m_baseline->setData(std::move(before));
    } else {
      m_before.clear();
    }
    m_view->setData(std::move(now));
  }

 private:
  bool comparing() const { return services().explorer.baseline().ready(); }

  void setSpan(const std::optional<CycleSpan>& span) {
    m_view->setSpan(span);
    m_baseline->setSpan(span);
  }

  // Where the other views have recorded that instruction, they go there.
  void goTo(int warp, int instruction) {
    Explorer& explorer = services().explorer;
    const auto index = m_now.inRecording(explorer.scene(), static_cast<std::uint32_t>(warp),
                                         static_cast<std::uint32_t>(instruction));
    if (!index) return;
    explorer.setWarp(warp);
    explorer.setIndex(static_cast<int>(*index));
  }

  QHBoxLayout* makeControls() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(6);
    const auto button = [&](const QString& words, const QString& tip, auto pressed) {
      auto* made = new QToolButton;
      made->setText(words);
      made->setToolTip(tip);
      made->setAutoRaise(true);
      made->setFocusPolicy(Qt::TabFocus);
      connect(made, &QToolButton::clicked, this, pressed);
      row->addWidget(made);
    };
    row->addWidget(new QLabel(tr("Show")));
    button(tr("launch"), tr("The whole launch of the block, as far as it is simulated"), [this] {
      zoomTo([](const timeline::Timeline& t) { return std::pair(0.0, t.cycles); });
    });
    button(tr("K tiles"), tr("The first K tiles, as at the beginning"),
           [this] { setSpan(std::nullopt); });
    button(tr("one K tile"), tr("One K tile of the steady state"), [this] {
      zoomTo([](const timeline::Timeline& t) {
        if (t.steadyFrom + 1 >= t.tileStarts.size()) return std::pair(0.0, t.cycles);
        return std::pair(t.tileStarts[t.steadyFrom], t.tileStarts[t.steadyFrom + 1]);
      });
    });
    button(tr("here"), tr("What surrounds the present instruction"), [this] {
      zoomTo([this](const timeline::Timeline& t) {
        const double at = m_view->data().now.value_or(0), around = t.cyclesPerTile / 16;
        return std::pair(at - around, at + around);
      });
    });
    row->addSpacing(14);
    row->addWidget(new ElidedLabel(tr("Memory takes longer by")));
    m_slider = new QSlider(Qt::Horizontal);
    m_slider->setObjectName(QStringLiteral("timelineDelay"));
    m_slider->setRange(0, kMostDelay);
    m_slider->setSingleStep(10);
    m_slider->setPageStep(100);
    m_slider->setMinimumWidth(90);
    m_slider->setMaximumWidth(320);
    m_slider->setAccessibleName(tr("Cycles that memory takes longer"));
    m_slider->setToolTip(
        tr("Everything that comes from global memory arrives so many cycles later. What is asked "
           "for early enough hides it; what is waited for at once does not."));
    row->addWidget(m_slider, 1);
    auto* delay = new QLabel;
    row->addWidget(delay);
    row->addStretch(1);
    const auto say = [delay](int cycles) {
      delay->setText(tr("%1 cycles").arg(figures::grouped(cycles)));
    };
    say(kMostDelay);
    delay->setMinimumWidth(delay->sizeHint().width());
    say(0);
    connect(m_slider, &QSlider::valueChanged, this, say);
    return row;
  }

  template <class Range>
  void zoomTo(Range range) {
    if (!m_view->data().ready()) return;
    const auto [from, to] = range(*m_view->data().timeline);
    const int first = std::max(0, static_cast<int>(from));
    setSpan(CycleSpan{first, std::max(first + 1, static_cast<int>(to) + 1)});
  }

  TimelineSide& m_now;    // the present tile
  TimelineSide m_before;  // the baseline
  TimelineView* m_view = nullptr;
  TimelineView* m_baseline = nullptr;
  QLabel* m_title = nullptr;
  QLabel* m_baselineTitle = nullptr;
  QSlider* m_slider = nullptr;
};

}  // namespace

const PageRow& timeline_page() {
  static constexpr PageRow row{
      .id = "timeline",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Timeline"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Ti&meline"),
      .key = Qt::Key_K,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "What each warp does and what it waits for, on a virtual clock"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The ti&meline…"),
      .make = makePage<TimelinePage, timeline_page>,
      .hidesSourceStrip = true,
      .hidesTimeStrip = true,
      .exportsData = true,
      .pictureHeight = 460,
  };
  return row;
}

}  // namespace tileloom
