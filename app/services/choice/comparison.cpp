// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/choice/comparison.h"

#include "app/services/services.h"
#include "app/services/teaching/teaching_pairs.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/describe.h"

namespace tileloom {

Comparison::Comparison(Services& services) : m_services(services) {
  connect(&services.explorer, &Explorer::baselineChanged, this, &Comparison::takeBaseline);
  connect(&services.lab, &Lab::kernelChanged, this, &Comparison::compare);
  connect(&services.lab, &Lab::historyChanged, this, &Comparison::compare);
}

void Comparison::open(const TeachingPair& pair) {
  Explorer& explorer = m_services.explorer;
  if (pair.size > 0) explorer.setProblem({pair.size, pair.size, pair.size});
  explorer.compare(pair.baseline, pair.now);
  emit pageWanted(pair);
}

void Comparison::takeBaseline(const Scene& scene) {
  const auto& pinned = m_services.explorer.pinned();
  m_services.lab.watch(pinned.value_or(Subject{}));
  sayMoments();
  const auto& now = m_services.explorer.scene().recording;
  if (scene.recording == m_from && now == m_to && scene.ready()) return;
  m_from = scene.recording;
  m_to = scene.ready() ? now : nullptr;
  m_titles = scene.ready()
                 ? std::pair(sideTitle(*scene.recording, *now), sideTitle(*now, *scene.recording))
                 : std::pair<QString, QString>();
  const auto pair = scene.ready() ? teachingPair(*pinned, now->trace) : std::nullopt;
  m_look = pair ? pair->look : QString();
  if (!pair && scene.ready() && scene.recording->trace.format != now->trace.format) {
    m_look =
        tr("These two use number formats and units that differ: compare what they do, not their "
           "speeds.");
  }
  emit titlesChanged(m_titles.first, m_titles.second);
  compare();
}

void Comparison::sayMoments() {
  const Explorer& explorer = m_services.explorer;
  const Scene &baseline = explorer.baseline(), &now = explorer.scene();
  std::pair<QString, QString> moments;
  // A copy instead of a load is the same step by another instruction: their names differ.
  const auto kind = [](const Scene& scene) { return scene.moment.instruction.kind; };
  if (baseline.ready() && (!explorer.inStep() || kind(baseline) != kind(now))) {
    const bool otherWarp = baseline.moment.warp != now.moment.warp;
    const auto words = [otherWarp](const Scene& scene) {
      const QString step = describeStep(scene);
      return otherWarp ? tr("warp %1 · %2").arg(scene.moment.warp).arg(step) : step;
    };
    moments = {words(baseline), words(now)};
  }
  if (moments == m_moments) return;
  m_moments = std::move(moments);
  emit momentsChanged(m_moments.first, m_moments.second);
}

void Comparison::compare() {
  m_differences.clear();
  if (m_from && m_to) {
    const auto side = [this](const std::shared_ptr<const analysis::Recording>& recording) {
      const auto& t = recording->trace;
      return Side{recording, m_services.lab.kernelOf(t), m_services.lab.speedOf(t, t.asked)};
    };
    m_differences = tileloom::differences(side(m_from), side(m_to));
  }
  emit differencesChanged();
  std::optional<KernelFacts> kernel;
  if (m_from) {
    const auto& t = m_from->trace;
    kernel = m_services.lab.kernelOf(t);
  }
  // As for the present tile: the grids of both show their waves, or say that these are unknown.
  m_services.explorer.setBaselineResidency(kernel && kernel->blocks > 0
                                               ? std::optional(m_services.lab.residencyOf(*kernel))
                                               : std::nullopt);
}

}  // namespace tileloom
