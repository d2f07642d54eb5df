// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/timeline/timeline_side.h"

#include <algorithm>

#include "app/services/services.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/totals.h"
#include "kernels/model/rates.h"
#include "kernels/timeline/agreement.h"
#include "kernels/timeline/clock.h"

namespace tileloom {
namespace {

// The first instruction of a K tile.
std::uint32_t firstOfTile(const timeline::Program& program, std::uint32_t tile) {
  std::uint32_t first = timeline::kNone;
  for (const timeline::Operation& op : program.operations) {
    if (op.kTile == tile) first = std::min(first, op.first);
  }
  return first;
}

}  // namespace

void TimelineSide::take(const TimelineService::Question& question,
                        const TimelineService::Answer& program) {
  m_asked = question;
  m_program = program;
  m_usual.reset();
  emit changed();
}

void TimelineSide::clear() {
  m_data = {};
  m_shown.reset();
}

const TimelineData& TimelineSide::show(const Scene& scene, int delay) {
  if (!scene.ready()) return m_data;
  const auto& trace = scene.recording->trace;
  const TimelineService::Question question{trace.stage, trace.tile, trace.asked, trace.block,
                                           trace.arithmetic};
  m_service.ask(question);
  if (m_program == nullptr || !(question == m_asked)) {
    m_data.waiting = true;
    if (!m_data.ready()) m_data.trouble = tr("The block is being recorded.");
    return m_data;
  }
  const Setting setting = settingOf(scene, delay);
  if (!(m_setting == setting) || m_shown != m_program) {
    m_data = simulated(scene, setting);
    m_setting = setting;
    m_shown = m_program;
  }
  m_data.waiting = false;
  m_data.warp = scene.moment.warp;
  placeNow(scene);
  return m_data;
}

TimelineSide::Setting TimelineSide::settingOf(const Scene& scene, int delay) const {
  const auto& trace = scene.recording->trace;
  Setting setting;
  setting.delay = delay;
  const Lab& lab = m_services.lab;
  setting.arch = std::string(lab.arch().name);
  if (const auto kernel = lab.kernelOf(*trace.stage, trace.tile, trace.arithmetic)) {
    setting.blocks = kernel->blocks;
    setting.loop = kernel->loop;
    if (!kernel->arch.isEmpty()) setting.arch = kernel->arch.toStdString();
  }
  return setting;
}

TimelineData TimelineSide::simulated(const Scene& scene, const Setting& setting) {
  const auto& trace = scene.recording->trace;
  TimelineData data;
  data.stage = trace.stage;
  data.tile = trace.tile;
  data.delay = setting.delay;
  // Where an architecture has no rates of its own, those of the recorded runs' device stand in.
  auto rates = model::ratesFor(setting.arch);
  if (!rates) rates = model::ratesFor(defaultArchitecture().name);
  if (!rates) {
    data.trouble = QString::fromStdString(rates.error()) + QLatin1Char('.');
    return data;
  }
  data.device = QString::fromStdString(rates->device);
  data.guessed = setting.blocks < 1;
  model::KernelShape shape;
  shape.blocksPerSm =
      data.guessed ? model::estimatedBlocksPerSm(*trace.stage, trace.tile, m_services.lab.arch())
                   : setting.blocks;
  if (setting.loop.ffmas > 0) shape.loop = setting.loop;
  const auto work =
      model::workloadOf(*trace.stage, trace.tile, trace.asked, scene.recording->loop(),
                        trace.kTilesTraced, shape, rates->chip.machine);
  timeline::Costs costs =
      timeline::costsOf(*trace.stage, work, *m_program, *rates, model::ceilingsOf({}, {}));
  Setting usualSetting = setting;
  usualSetting.delay = 0;
  if (m_usual == nullptr || !(m_usualSetting == usualSetting)) {
    auto usual = timeline::simulate(*m_program, costs);
    if (!usual) {
      data.trouble = QString::fromStdString(usual.error()) + QLatin1Char('.');
      return data;
    }
    m_usual = std::make_shared<const timeline::Timeline>(std::move(*usual));
    m_usualSetting = usualSetting;
  }
  data.timeline = m_usual;
  if (setting.delay > 0) {
    costs.delay = setting.delay;
    auto slow = timeline::simulate(*m_program, costs);
    if (slow) data.timeline = std::make_shared<const timeline::Timeline>(std::move(*slow));
  }
  data.usualCycles = m_usual->cyclesPerTile;
  const auto& starts = m_usual->tileStarts;
  data.usualEnd = starts.size() > kTilesShown ? starts[kTilesShown] : m_usual->cycles;
  if (model::isPredicted(*trace.stage) && m_usual->steady()) {
    const auto agreement = timeline::agreementOf(*m_usual, work, *rates);
    if (!agreement.agrees()) data.remark = QString::fromStdString(timeline::sentence(agreement));
  }
  return data;
}

// The first K tiles of both recordings are the same; behind the loop they are the same again.
void TimelineSide::placeNow(const Scene& scene) {
  m_data.now.reset();
  if (!m_data.ready() || scene.moment.warp >= m_program->warps.size()) return;
  const timeline::Program& program = m_program->warps[scene.moment.warp];
  const auto length = static_cast<std::uint32_t>(program.byInstruction.size());
  const std::uint32_t shown = scene.recording->trace.length(scene.moment.warp);
  std::uint32_t index = scene.moment.index;
  if (scene.afterTiles() && length >= shown) index += length - shown;
  m_data.instruction = index;
  const std::uint32_t operation = program.operationOf(index);
  if (operation == timeline::kNone) return;
  const timeline::Span* span =
      m_data.timeline->spanOf(scene.moment.warp, program.operations[operation].first);
  if (span == nullptr) return;
  const bool within = span->count > 1 && index >= span->first;
  const double share =
      within ? std::min(1.0, double(index - span->first) / double(span->count)) : 0;
  m_data.now = span->begin + share * (span->end - span->begin);
}

std::optional<std::uint32_t> TimelineSide::inRecording(const Scene& scene, std::uint32_t warp,
                                                       std::uint32_t instruction) const {
  if (!scene.ready() || m_program == nullptr || warp >= m_program->warps.size())
    return std::nullopt;
  const auto& trace = scene.recording->trace;
  if (warp >= trace.warps) return std::nullopt;
  const timeline::Program& program = m_program->warps[warp];
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
    // Before the loop, or behind it.
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
