// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/why_service.h"

#include <QPointer>
#include <new>

#include "kernels/emulator/block.h"
#include "kernels/emulator/run.h"
#include "kernels/model/rates.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/architecture.h"

namespace tileloom {
namespace {

constexpr int kRestMs = 200;  // for which the knobs stand still before anything is explained

model::KernelFacts factsOf(const KernelFacts& kernel) {
  model::KernelFacts facts;
  facts.registers = kernel.registers;
  facts.spillBytes = kernel.spillBytes;
  facts.shape.blocksPerSm = kernel.blocks;
  if (kernel.loop.ffmas > 0) facts.shape.loop = kernel.loop;
  facts.source = model::Source::MachineCode;
  return facts;
}

std::shared_ptr<const model::WhySlow> answer(const WhyService::Question& q) {
  const auto arch = architectureNamed(q.kernel.arch.toStdString());
  if (!arch || q.kernel.blocks < 1) return nullptr;
  const auto rates = model::ratesFor(arch->name);
  if (!rates) return nullptr;
  // Of the neighbours only what shipped runs know: nothing is compiled for this.
  const model::FactsOf facts = [&q](const TileShape& tile) -> std::optional<model::KernelFacts> {
    if (tile == q.tile) return factsOf(q.kernel);
    const auto* run = runs::recordedRun(*q.stage, tile, q.problem);
    if (run == nullptr || run->arch != q.kernel.arch.toStdString() || run->blocksPerSm < 1)
      return std::nullopt;
    return model::factsOf(*run);
  };
  try {
    emulator::Workspace workspace;
    const auto why = model::explainSpeed(workspace, *q.stage, q.tile, q.problem, *arch, *rates,
                                         {facts, q.run ? &*q.run : nullptr});
    return why ? std::make_shared<const model::WhySlow>(*why) : nullptr;
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
    auto why = answer(question);
    // The pool is waited for before this object goes.
    QMetaObject::invokeMethod(
        this,
        [this, why = std::move(why), number] {
          m_busy = false;
          if (number == m_number && why != nullptr) emit explained(why);
          if (m_next) m_rest.start();
        },
        Qt::QueuedConnection);
  });
}

}  // namespace tileloom
