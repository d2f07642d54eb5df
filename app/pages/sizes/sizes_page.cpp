// SPDX-License-Identifier: GPL-3.0-or-later
// The shown tile's speed over the size of the problem, with the baseline's on the same axes.
#include <QButtonGroup>
#include <QEventLoop>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <set>

#include "app/pages/chart_page.h"
#include "app/services/choice/comparison.h"
#include "app/services/forecasts/size_service.h"
#include "app/services/measuring/kernel_knowledge.h"
#include "app/services/measuring/lab_machine.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/analysis/recording.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/constraints.h"
#include "kernels/tuning/tile_map.h"
#include "kernels/tuning/tune_session.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/charts/sizes/size_chart.h"
#include "viz/charts/sizes/size_words.h"

namespace tileloom {
namespace {

class SizesPage : public ChartPage<SizeChart> {
 public:
  SizesPage(const PageRow& row, PageContext& context) : ChartPage(row, context) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2, 0, 0);
    column->setSpacing(2);
    column->addLayout(makeSpans(*page));
    column->addWidget(&chart(), 1);
    setWidget(scrolled(page));
    Explorer& explorer = services().explorer;
    connect(&chart(), &SizeChart::picked, &explorer, [&explorer](int size) {
      explorer.setProblem({size, size, size});
    });
    connect(&m_service, &SizeService::answered, this,
            [this](const SizeService::Question& question, const SizeService::Answer& points) {
              m_asked = question;
              m_points = points;
              refresh();
            });
    connect(&m_before, &SizeService::answered, this,
            [this](const SizeService::Question& question, const SizeService::Answer& points) {
              m_askedBefore = question;
              m_pointsBefore = points;
              refresh();
            });
    connect(&comparison(), &Comparison::titlesChanged, this, [this] {
      if (inFront()) refresh();
    });
    refreshWithFigures();
  }

  void save(Session& session) const override { session.sizes = m_span; }
  void restore(const Session& session) override { setSpan(session.sizes); }

  bool showsBoth() const override {
    const auto& baseline = chart().data().baseline;
    return baseline && baseline->trouble.isEmpty();
  }
  Caption caption(Caption usual) const override {
    const SizeData& data = chart().data();
    usual.title =
        tr("Speed over size, %1 · %2")
            .arg(figures::stageText(data.rung()), figures::tileText(data.rung(), data.tile));
    usual.shown =
        tr("GFLOP/s at M = N = K from %1 to %2; below, the shares of whole tiles and waves that "
           "are used")
            .arg(figures::grouped(kSmallestSize), figures::grouped(largestOf(m_span)));
    const QString source = charts::sizeSource(data);
    if (!source.isEmpty()) usual.origin = source;
    if (showsBoth())
      usual.title = tr("Speed over size, %1 · baseline: %2")
                        .arg(comparison().titles().second, data.baseline->name);
    if (data.points.empty() && !data.runs.empty() && !data.trouble.isEmpty())
      usual.shown = tr("GFLOP/s at M = N = K from %1 to %2. %3")
                        .arg(figures::grouped(kSmallestSize), figures::grouped(largestOf(m_span)),
                             data.trouble);
    return usual;
  }

  void prepare() override {
    refresh();
    QEventLoop loop;
    while (m_service.pending() || m_before.pending())
      loop.processEvents(QEventLoop::WaitForMoreEvents);
  }

 protected:
  void cameToFront() override { refresh(); }
  void leftFront() override {
    if (m_service.pending()) m_service.forget();
    if (m_before.pending()) m_before.forget();
  }

  void refresh() override {
    Services& s = services();
    const Explorer& explorer = s.explorer;
    // While the tile is illegal the last curve stays.
    if (firstViolation(explorer.stage(), explorer.tile(), s.lab.arch())) return;
    SizeData shown;
    shown.subject() = {&explorer.stage(), explorer.tile(), explorer.format()};
    shown.present = explorer.problem();
    shown.from = kSmallestSize;
    shown.to = largestOf(m_span);
    addMeasured(shown);
    const auto question = questionOf(shown);
    if (question) {
      shown.blocksPerSm = question->shape.blocksPerSm;
      shown.sms = question->rates.chip.machine.sms;
      shown.foretoldOf = QString::fromStdString(question->rates.device);
      countKnown(shown);
      // Another size in the window changes only the requested sizes.
      const bool same = m_points != nullptr && m_asked.rung() == question->rung() &&
                        m_asked.tile == question->tile && m_asked.shape == question->shape &&
                        m_asked.rates == question->rates &&
                        m_asked.sizes.back() == question->sizes.back();
      if (same) shown.points = *m_points;
      if (!(same && m_asked.sizes == question->sizes)) {
        m_service.ask(*question);
        shown.waiting = true;
      }
    } else {
      m_service.forget();
    }
    addBaseline(shown);
    QString advice = charts::sizeAdvice(shown);
    if (shown.baseline && !shown.baseline->trouble.isEmpty())
      advice += (advice.isEmpty() ? QString() : QStringLiteral(" · ")) +
                tr("baseline: %1").arg(shown.baseline->trouble);
    m_advice->setText(advice);
    chart().setData(std::move(shown));
  }

 private:
  // The baseline; speeds of another number format are on another scale.
  void addBaseline(SizeData& shown) {
    const Explorer& explorer = services().explorer;
    if (!explorer.baseline().ready()) {
      if (m_before.pending()) m_before.forget();
      return;
    }
    const emulator::Trace& trace = explorer.baseline().recording->trace;
    SizeBaseline baseline;
    baseline.name = comparison().titles().first;
    if (trace.format != shown.format) {
      baseline.trouble = tr("its elements have another format, and its speeds another scale.");
      shown.baseline = std::move(baseline);
      return;
    }
    SizeData its;
    its.subject() = trace;
    its.present = shown.present;
    its.from = shown.from;
    its.to = shown.to;
    addMeasured(its);
    if (const auto question = questionOf(its)) {
      if (m_pointsBefore != nullptr && m_askedBefore == *question) {
        its.points = *m_pointsBefore;
      } else {
        m_before.ask(*question);
      }
    }
    baseline.points = std::move(its.points);
    baseline.runs = std::move(its.runs);
    if (baseline.points.empty() && baseline.runs.empty()) baseline.trouble = its.trouble;
    shown.baseline = std::move(baseline);
  }

  // std::nullopt: no prediction is possible, and `shown.trouble` says why.
  std::optional<SizeService::Question> questionOf(SizeData& shown) {
    if (!model::isPredicted(*shown.rung())) {
      shown.trouble = QString::fromStdString(model::noPredictionSentence());
      return std::nullopt;
    }
    const auto kernel = services().lab.kernelOf(shown);
    if (!kernel || kernel->blocks < 1) {
      shown.trouble =
          tr("A prediction needs the registers of this tile's kernel: neither a compiler nor a "
             "recorded run gives them.");
      return std::nullopt;
    }
    const auto rates = model::ratesOf(*shown.rung(), kernel->arch.toStdString());
    if (!rates) {
      shown.trouble = QString::fromStdString(rates.error());
      return std::nullopt;
    }
    SizeService::Question question{shown, {}, {}, {}};
    question.sizes =
        model::toothSizes(*shown.rung(), shown.tile, shown.from, shown.to, shown.presentSize());
    question.shape = shapeOf(*kernel);
    question.rates = *rates;
    return question;
  }

  void addMeasured(SizeData& shown) const {
    const Lab& lab = services().lab;
    const QString here = labMachineOf(lab.client().info()).device;
    shown.device = here.isEmpty() ? QString::fromUtf8(kReferenceDevice.data(),
                                                      qsizetype(kReferenceDevice.size()))
                                  : here;
    const std::string device = shown.device.toStdString();
    const auto runs = lab.runs();
    std::set<int> ofTile, ofCublas;
    for (const runs::RunRecord* run : runs) {
      const Problem& p = run->problem;
      if (p.m != p.n || p.n != p.k || p.m < shown.from || p.m > shown.to) continue;
      if (run->stage == shown.rung()->id && run->format == shown.format && run->tile == shown.tile)
        ofTile.insert(p.m);
      if (run->device == device && run->format == shown.format && run->cublas.known())
        ofCublas.insert(p.m);
    }
    for (const int size : ofTile) {
      const auto point = lab.speedOf(shown, {size, size, size});
      if (point && point->gflops.known())
        shown.runs.push_back({size, point->device, point->gflops, point->freshness});
    }
    for (SizeRun& shownRun : shown.runs) {
      for (const runs::RunRecord* run : runs) {
        if (run->stage == shown.rung()->id && run->format == shown.format &&
            run->tile == shown.tile &&
            run->problem == Problem{shownRun.size, shownRun.size, shownRun.size} &&
            run->gflops == shownRun.gflops)
          shownRun.busy = run->counters[runs::Counter::SmBusy];
      }
    }
    for (const int size : ofCublas)
      shown.cublas.push_back(
          {size, tuning::cublasOf(runs, {size, size, size}, device, shown.format)});
  }

  // The number of known runs of the device that the prediction is for, in total and of each size.
  void countKnown(SizeData& shown) const {
    std::map<int, int> bySize;
    const std::string device = shown.foretoldOf.toStdString();
    for (const runs::RunRecord* run : services().lab.runs()) {
      const Problem& p = run->problem;
      if (run->device != device || run->format != shown.format || p.m != p.n || p.n != p.k)
        continue;
      ++bySize[p.m];
      ++shown.knownRuns;
    }
    for (SizeRun& run : shown.runs) run.alike = bySize[run.size];
  }

  QHBoxLayout* makeSpans(QWidget& page) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(2);
    row->addWidget(new QLabel(tr("M = N = K up to")));
    row->addSpacing(6);
    m_spans = new QButtonGroup(&page);
    for (const SizeSpan span : kSizeSpans) {
      auto* button = new QToolButton;
      button->setText(figures::grouped(largestOf(span)));
      button->setCheckable(true);
      button->setAutoRaise(true);  // highlights the pressed one
      button->setChecked(span == m_span);
      button->setFocusPolicy(Qt::TabFocus);
      button->setAccessibleName(tr("Sizes up to %1").arg(button->text()));
      button->setObjectName(QStringLiteral("sizes%1").arg(largestOf(span)));
      m_spans->addButton(button, static_cast<int>(span));
      row->addWidget(button);
    }
    row->addSpacing(12);
    m_advice = new ElidedLabel;
    m_advice->setObjectName(QStringLiteral("sizeAdvice"));
    m_advice->setToolTip(tr(
        "Tiles used: useful FLOPs over those of whole tiles, to which the problem is padded. Waves "
        "used: blocks over those of whole waves. A wave is all blocks that the SMs hold at once; "
        "an SM with fewer still works. Both are counted from the launch, not predicted."));
    row->addWidget(m_advice, 1);
    connect(m_spans, &QButtonGroup::idClicked, this,
            [this](int span) { setSpan(static_cast<SizeSpan>(span)); });
    return row;
  }

  void setSpan(SizeSpan span) {
    m_spans->button(static_cast<int>(span))->setChecked(true);
    if (span == m_span) return;
    m_span = span;
    refresh();
  }

  SizeService m_service;
  SizeService::Question m_asked;  // the question that m_points answers
  SizeService::Answer m_points;
  SizeSpan m_span = Session().sizes;
  SizeService m_before;  // the same of the baseline
  SizeService::Question m_askedBefore;
  SizeService::Answer m_pointsBefore;
  QButtonGroup* m_spans = nullptr;
  ElidedLabel* m_advice = nullptr;
};

}  // namespace

const PageRow& sizes_page() {
  static constexpr PageRow row{
      .id = "sizes",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Sizes"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Speed over si&ze"),
      .key = Qt::Key_N,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Speed over the size of the problem: whole tiles and whole waves"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "Speed over si&ze…"),
      .make = makePage<SizesPage, sizes_page>,
      .showsBothSides = true,
      .exportsData = true,
  };
  return row;
}

}  // namespace tileloom
