// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/timeline_side.h"

#include <algorithm>

#include "app/services/forecasts/seam_places.h"
#include "app/services/measuring/kernel_knowledge.h"
#include "app/services/measuring/lab.h"
#include "kernels/model/limits/traffic.h"
#include "kernels/timeline/instants.h"

namespace tileloom {
namespace {

TimelineService::Block blockOf(const Scene& scene) {
  const auto& trace = scene.recording->trace;
  return {{trace, trace.asked}, trace.block};
}

}  // namespace

TimelineSide::TimelineSide(const Lab& lab) : m_lab(lab) {
  connect(&m_service, &TimelineService::answered, this, &TimelineSide::take);
  connect(&lab, &Lab::kernelChanged, this, [this] {
    m_question.reset();
    emit changed();
  });
}

void TimelineSide::setLatency(int delay, int varies) {
  if (delay == m_delay && varies == m_varies) return;
  m_delay = delay;
  m_varies = varies;
  m_question.reset();
  emit changed();
}

void TimelineSide::setBetweenTiles(bool between) {
  if (between == m_betweenTiles) return;
  m_betweenTiles = between;
  m_question.reset();
  emit changed();
}

void TimelineSide::setStamps(std::shared_ptr<const timeline::Measured> stamps) {
  if (stamps == m_stamps) return;
  m_stamps = std::move(stamps);
  m_question.reset();
  emit changed();
}

void TimelineSide::take(const Question& question, const TimelineService::Answer& answer) {
  m_answered = question;
  m_program = answer.program;
  m_instantsOf.reset();
  m_data = {};
  m_data.timeline = answer.timeline;
  m_data.subject() = question.block;
  m_data.k = question.block.problem.k;
  m_data.delay = question.delay;
  m_data.varies = question.varies;
  m_data.guessed = question.guessed;
  m_data.device = answer.device;
  m_data.remark = answer.remark;
  m_data.trouble = answer.trouble;
  m_data.beside = answer.beside;
  m_data.noStamps = answer.noStamps;
  if (answer.usual != nullptr) {
    m_data.usualCycles = answer.usual->cyclesPerTile;
    const auto& starts = answer.usual->tileStarts;
    m_data.usualEnd = starts.size() > kTilesShown ? starts[kTilesShown] : answer.usual->cycles;
  }
  if (question.betweenTiles && m_data.ready()) showSeam(m_data, question.block.problem.k);
  emit changed();
}

void TimelineSide::clear() {
  m_service.forget();
  m_data = {};
  m_answered = {};
  m_program.reset();
  m_instantsOf.reset();
}

bool TimelineSide::isOf(const Scene& scene) const {
  return m_program != nullptr && m_data.ready() && m_answered.block == blockOf(scene);
}

const TimelineSide::Question& TimelineSide::questionOf(const Scene& scene) {
  if (m_question && m_asked.lock() == scene.recording) return *m_question;
  m_asked = scene.recording;
  const auto& trace = scene.recording->trace;
  Question question;
  question.block = blockOf(scene);
  question.betweenTiles = m_betweenTiles;
  question.delay = m_delay;
  question.varies = m_varies;
  question.stamps = m_stamps;
  question.arch = std::string(m_lab.arch().name);
  if (const auto kernel = m_lab.kernelOf(trace)) {
    question.kernel = shapeOf(*kernel);
    if (!kernel->arch.isEmpty()) question.arch = kernel->arch.toStdString();
  }
  question.guessed = question.kernel.blocksPerSm < 1;
  if (question.guessed)
    question.kernel.blocksPerSm =
        model::estimatedBlocksPerSm(*trace.rung(), trace.tile, m_lab.arch());
  m_question = std::move(question);
  return *m_question;
}

const TimelineData& TimelineSide::show(const Scene& scene) {
  if (!scene.ready()) return m_data;
  const Question& question = questionOf(scene);
  m_service.ask(question, scene.recording);
  m_data.waiting = !(question == m_answered);
  m_data.another = m_data.waiting && m_data.ready() && !(m_answered.block == question.block);
  if (m_data.waiting && !m_data.ready()) m_data.trouble = tr("The block is being recorded.");
  if (isOf(scene)) place(scene);
  return m_data;
}

const std::vector<double>& TimelineSide::instants(std::uint32_t warp) {
  if (m_instantsOf != warp) {
    m_instantsOf = warp;
    m_instants = warp < m_program->warps.size()
                     ? timeline::instants(*m_data.timeline, m_program->warps[warp], warp)
                     : std::vector<double>();
  }
  return m_instants;
}

// The first K tiles of both recordings are the same; after the loop they are the same again.
void TimelineSide::place(const Scene& scene) {
  const std::uint32_t warp = scene.moment.warp;
  m_data.warp = warp;
  m_data.now.reset();
  m_data.turn.reset();
  m_data.passedOver = scene.repeated > 0;
  if (scene.moment.instruction.kTile != emulator::kNoTile && !m_answered.betweenTiles)
    m_data.turn = scene.shownTile();
  const std::vector<double>& at = instants(warp);
  if (at.empty()) return;
  const auto length = static_cast<std::uint32_t>(at.size());
  const std::uint32_t shown = scene.recording->trace.length(warp);
  const auto here = [&](std::uint32_t index, bool after) {
    if (m_answered.betweenTiles) {
      index = atSeam(*scene.recording, m_program->warps[warp], kTilesOfFirst(), warp, index);
    } else if (after && length >= shown) {
      index += length - shown;
    }
    return std::min(index, length - 1);
  };
  const std::uint32_t index = here(scene.moment.index, scene.afterTiles());
  m_data.instruction = index;
  m_data.now = at[index];
  const std::uint32_t next = scene.moment.index + 1;
  if (scene.passed <= 0 || next >= shown) return;
  const auto& trace = scene.recording->trace;
  const auto position = trace.position(warp, next);
  const auto& follower = trace.at(warp, position.interval).instructions[position.instruction];
  // What is outside the loop is after it, except the prologue.
  const bool behind = follower.kTile == emulator::kNoTile && !scene.beforeTiles();
  const double then = at[here(next, behind)];
  m_data.now = at[index] + scene.passed * std::max(0.0, then - at[index]);
}

std::optional<TimelineSide::Instant> TimelineSide::instantAt(const Scene& scene, double cycle) {
  if (!scene.ready() || !isOf(scene)) return std::nullopt;
  const std::vector<double>& at = instants(scene.moment.warp);
  if (at.empty()) return std::nullopt;
  // If instants go back, the later instruction counts.
  std::size_t index = 0;
  double issued = at[0];
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] > cycle) continue;
    index = i;
    issued = at[i];
  }
  const auto found = inRecording(scene, scene.moment.warp, static_cast<std::uint32_t>(index));
  if (!found) return std::nullopt;
  Instant instant{*found, 0};
  if (index + 1 < at.size() && at[index + 1] > issued)
    instant.passed = std::clamp((cycle - issued) / (at[index + 1] - issued), 0.0, 0.999);
  return instant;
}

std::optional<std::uint32_t> TimelineSide::inRecording(const Scene& scene, std::uint32_t warp,
                                                       std::uint32_t instruction) const {
  if (!scene.ready() || m_program == nullptr || warp >= m_program->warps.size())
    return std::nullopt;
  const auto& trace = scene.recording->trace;
  if (warp >= trace.warps) return std::nullopt;
  const timeline::Program& program = m_program->warps[warp];
  if (m_answered.betweenTiles)
    return fromSeam(*scene.recording, program, kTilesOfFirst(), warp, instruction);
  const std::uint32_t operation = program.operationOf(instruction);
  if (operation == timeline::kNone) return std::nullopt;
  const std::uint32_t tile = program.operations[operation].kTile;
  const auto length = static_cast<std::uint32_t>(program.byInstruction.size());
  const std::uint32_t shown = trace.length(warp);
  std::uint32_t index = instruction;
  if (tile != emulator::kNoTile && tile >= trace.kTilesTraced) {
    if (trace.kTilesTraced == 0) return std::nullopt;
    const auto same = scene.recording->find(warp, trace.kTilesTraced - 1, emulator::kNoDot);
    const std::uint32_t first = firstOfTile(program, tile);
    if (!same || first == timeline::kNone || index < first) return std::nullopt;
    index = *same + (index - first);
  } else if (tile == emulator::kNoTile && length > shown) {
    // Before the loop, or after it.
    const std::uint32_t loop = firstOfTile(program, 0);
    if (loop != timeline::kNone && index > loop) {
      if (index < length - shown) return std::nullopt;
      index -= length - shown;
    }
  }
  if (index >= shown) return std::nullopt;
  return index;
}

}  // namespace tileloom
