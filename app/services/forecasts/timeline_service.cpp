// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/timeline_service.h"

#include <QCoreApplication>
#include <new>
#include <utility>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/timeline/agreement.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/program.h"
#include "kernels/timeline/recorded/measured_seam.h"
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "kernels/timeline/seam.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kRestMs = 50;

// The error is a sentence without a full stop.
tl::expected<emulator::TraceRequest, std::string> requestOf(const TimelineService::Question& q) {
  const TimelineService::Block& block = q.block;
  if (q.betweenTiles) return timeline::betweenTiles(block, block.problem);
  emulator::TraceRequest request;
  request.subject() = block;
  request.problem = block.problem;
  request.block = block.block;
  request.kTiles = timeline::tilesWanted(*block.rung(), block.tile, q.varies > 0 || q.delay > 0);
  request.operands = false;
  return request;
}

QString sentenceOf(const std::string& error) {
  return QString::fromStdString(error) + QLatin1Char('.');
}

TimelineService::Question withUsualLatency(TimelineService::Question question) {
  question.delay = 0;
  question.varies = 0;
  question.stamps.reset();
  return question;
}

bool isOf(const timeline::Measured& m, const TimelineService::Block& block) {
  return m.rung() == block.rung() && m.tile == block.tile && m.format == block.format;
}

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TimelineService)
};

// "mma --arithmetic fp16"
QString commandWords(const TimelineService::Block& block) {
  QString words = toQString(block.rung()->id);
  if (block.format != block.rung()->usualFormat())
    words += QStringLiteral(" --arithmetic ") + toQString(rowOf(block.format).name);
  return words;
}

// Adds timestamps beside the timeline of the answer, or why there are none.
void addStamps(const TimelineService::Question& q, const timeline::WaitPlaces& places,
               TimelineService::Answer& made) {
  const TimelineService::Block& b = q.block;
  std::optional<timeline::Measured> m;
  if (q.stamps != nullptr && isOf(*q.stamps, b)) {
    m = *q.stamps;
  } else {
    m = timeline::shippedStamps(b, b.problem, q.arch);
  }
  if (!m) {
    made.noStamps = Words::tr(
                        "No timestamps of this tile on a GPU for %1: \"tileloom timeline %2 "
                        "--measure FILE\" writes them where there is a GPU, and \"Open "
                        "timestamps…\" beside \"timestamps\" shows them.")
                        .arg(QString::fromStdString(q.arch), commandWords(b));
    return;
  }
  auto laid = q.betweenTiles ? timeline::besideAtSeam(std::move(*m), *made.program, *made.timeline)
                             : timeline::beside(std::move(*m), *made.program, *made.timeline);
  if (laid) {
    if (laid->comparison) timeline::addSamples(*laid->comparison, laid->measured, places);
    made.beside = std::make_shared<const timeline::Beside>(std::move(*laid));
  } else {
    made.noStamps = sentenceOf(laid.error());
  }
}

}  // namespace

TimelineService::TimelineService(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMs);
  connect(&m_rest, &QTimer::timeout, this, &TimelineService::begin);
}

TimelineService::~TimelineService() {
  m_next.reset();
  m_pool.waitForDone();
}

void TimelineService::ask(const Question& question,
                          std::shared_ptr<const analysis::Recording> recording) {
  if (m_latest == question) return;
  m_latest = question;
  m_next = Task{question, std::move(recording)};
  if (m_begun && !(*m_begun == question.block)) return m_rest.start();
  m_rest.stop();
  begin();
}

void TimelineService::forget() {
  m_latest.reset();
  m_next.reset();
}

void TimelineService::begin() {
  if (!m_next || m_busy || m_rest.isActive()) return;
  m_busy = true;
  m_begun = m_next->question.block;
  m_pool.start([this, task = *std::exchange(m_next, std::nullopt)] {
    Answer made;
    try {
      made = answer(task);
    } catch (const std::bad_alloc&) {
      m_program.reset();
      made.trouble = tr("There is not enough memory to record the block.");
    }
    m_answers.give([this, question = task.question, made = std::move(made)] {
      m_busy = false;
      if (question == m_latest) emit answered(question, made);
      begin();
    });
  });
}

TimelineService::Answer TimelineService::answer(const Task& task) {
  const Question& q = task.question;
  const Question usual = withUsualLatency(q);
  Answer made;
  const auto request = requestOf(q);
  if (!request) {
    m_program.reset();
    made.trouble = sentenceOf(request.error());
    return made;
  }
  if (m_program == nullptr || !(m_made.block == q.block) || m_made.betweenTiles != q.betweenTiles ||
      m_kTiles != request->kTiles) {
    m_program.reset();
    m_usual.reset();
    m_kTiles = request->kTiles;
    emulator::Workspace workspace;
    const auto trace = emulator::traceBlock(workspace, *request);
    m_program = std::make_shared<const timeline::BlockProgram>(timeline::programOf(trace));
    m_places = timeline::waitPlaces(trace);
  }
  if (!(m_made == usual)) m_usual.reset();
  m_made = usual;

  made.program = m_program;
  // If an architecture has no rates of its own, those of the recorded runs' device are used.
  auto rates = model::ratesFor(q.arch);
  if (!rates) rates = model::ratesFor(defaultArchitecture().name);
  if (!rates) {
    made.trouble = sentenceOf(rates.error());
    return made;
  }
  made.device = QString::fromStdString(rates->device);
  const analysis::LoopTotals loop = analysis::loopTotals(*task.recording);
  const auto work = model::workloadOf(*q.block.rung(), q.block.tile, q.block.problem, loop.totals,
                                      loop.kTiles, q.kernel, rates->chip.machine);
  timeline::Costs costs =
      timeline::costsOf(*q.block.rung(), work, *m_program, *rates, model::ceilingsOf({}, {}));
  if (m_usual == nullptr) {
    auto simulated = timeline::simulate(*m_program, costs);
    if (!simulated) {
      // A recording of machine code lacks arrivals of asynchronous copies at mbarriers.
      made.trouble = q.block.rung()->isRung()
                         ? sentenceOf(simulated.error())
                         : TimelineService::tr(
                               "The timeline does not know all arrivals at the mbarriers of this "
                               "kernel, so it has no times.");
      return made;
    }
    m_usual = std::make_shared<const timeline::Timeline>(std::move(*simulated));
  }
  made.timeline = made.usual = m_usual;
  if (q.delay > 0 || q.varies > 0) {
    costs.delay = q.delay;
    costs.varies = q.varies;
    auto slow = timeline::simulate(*m_program, costs);
    if (slow) made.timeline = std::make_shared<const timeline::Timeline>(std::move(*slow));
  }
  addStamps(q, m_places, made);
  if (q.betweenTiles) {
    made.remark =
        tr("Divisions, addresses and the cost of fences between the tiles are not simulated: on "
           "the GPU it can take much longer.");
    if (q.block.rung()->split() == SplitK::Rounds) {
      made.remark +=
          QLatin1Char(' ') + tr("K tiles are numbered in the order of their multiplication; there, "
                                "every other tile of this rung goes backwards along K.");
    }
  }
  // A prediction needs the kernel's registers.
  if (!q.guessed && model::isPredicted(*q.block.rung()) && m_usual->steady()) {
    const auto agreement = timeline::agreementOf(*m_usual, work, *rates);
    if (!agreement.agrees()) made.remark = QString::fromStdString(timeline::sentence(agreement));
  }
  return made;
}

}  // namespace tileloom
