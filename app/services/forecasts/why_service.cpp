// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/forecasts/why_service.h"

#include <QPointer>
#include <algorithm>
#include <new>

#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

constexpr int kRestMs =
    100;  // for which the tile parameters must rest before anything is explained

model::KernelFacts factsOf(const KernelFacts& kernel) {
  model::KernelFacts facts;
  facts.registers = kernel.registers;
  facts.spillBytes = kernel.spillBytes;
  facts.shape.blocksPerSm = kernel.blocks;
  if (kernel.loop.ffmas > 0) facts.shape.loop = kernel.loop;
  facts.source = model::Source::MachineCode;
  return facts;
}

std::shared_ptr<const Explanation> answer(const WhyService::Question& q) {
  const auto arch = architectureNamed(q.tile.kernel.arch.toStdString());
  if (!arch || q.tile.kernel.blocks < 1) return nullptr;
  const auto rates = model::ratesOf(*q.stage, arch->name);
  if (!rates) return nullptr;
  // Of the neighbours only what is compiled already, and what shipped runs know: nothing is
  // compiled for this.
  const model::FactsOf factsOfTile =
      [&](const TileShape& tile) -> std::optional<model::KernelFacts> {
    std::optional<model::KernelFacts> facts;
    if (tile == q.tile.shape) {
      facts = factsOf(q.tile.kernel);
    } else if (q.left && tile == q.left->shape && q.left->kernel.arch == q.tile.kernel.arch &&
               q.left->kernel.blocks > 0) {
      facts = factsOf(q.left->kernel);
    } else if (const auto known =
                   std::ranges::find(q.compiled, tile, &std::pair<TileShape, KernelFacts>::first);
               known != q.compiled.end() && known->second.blocks > 0) {
      facts = factsOf(known->second);
    } else if (const auto* run = runs::recordedRun(q.of(tile), q.problem, kReferenceDevice);
               run != nullptr && run->arch == arch->name && run->blocksPerSm > 0) {
      facts = model::factsOf(*run);
    }
    if (facts) facts->banks = analysis::recordedLoopCost(q.of(tile), arch->name);
    return facts;
  };
  const auto neighbourRun = [&](const TileShape& tile) -> const runs::RunRecord* {
    return q.tile.run ? runs::recordedRun(q.of(tile), q.problem, q.tile.run->device) : nullptr;
  };
  const auto runOf = [](const WhyService::Tile& tile) { return tile.run ? &*tile.run : nullptr; };
  try {
    emulator::Workspace workspace;
    auto why = model::explainSpeed(workspace, q.of(q.tile.shape), q.problem, *arch, *rates,
                                   {factsOfTile, runOf(q.tile), neighbourRun});
    if (!why) return nullptr;
    auto explanation = std::make_shared<Explanation>();
    explanation->why = std::move(*why);
    if (q.left)
      explanation->moved =
          model::explainMove(workspace, q.of(q.left->shape), q.of(q.tile.shape), q.problem, *arch,
                             *rates, factsOfTile, runOf(*q.left), runOf(q.tile));
    return explanation;
  } catch (const std::bad_alloc&) {
    return nullptr;  // the window goes on without it
  }
}

}  // namespace

WhyService::WhyService(QObject* parent) : QObject(parent) {
  m_pool.setMaxThreadCount(1);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMs);
  connect(&m_rest, &QTimer::timeout, this, &WhyService::begin);
}

WhyService::~WhyService() {
  m_pool.waitForDone();
}

void WhyService::ask(Question question) {
  m_next = std::move(question);
  ++m_number;
  if (!m_busy) m_rest.start();
}

void WhyService::forget() {
  m_next.reset();
  ++m_number;
  m_rest.stop();
}

void WhyService::begin() {
  if (!m_next || m_busy) return;
  m_busy = true;
  m_pool.start([this, question = *std::exchange(m_next, std::nullopt), number = m_number] {
    auto explanation = answer(question);
    m_answers.give([this, explanation = std::move(explanation), number] {
      m_busy = false;
      if (number == m_number && explanation != nullptr) emit explained(explanation);
      if (m_next) m_rest.start();
    });
  });
}

}  // namespace tileloom
