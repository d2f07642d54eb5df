// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/loop/loop_waits.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "kernels/model/why/turn_stalls.h"
#include "kernels/tile/words.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/code/loop/loop_rows.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Loop)
};

constexpr double kLeast = 0.005;

// Only the version that runs is sampled.
const runs::StallSamples* samplesOf(const LoopData& data) {
  if (data.stalls == nullptr || data.version != data.study->rewritten().version) return nullptr;
  return &data.stalls->samples;
}

}  // namespace

std::vector<LoopWait> loopWaits(const LoopData& data) {
  std::vector<LoopWait> waits;
  if (!data.possible()) return waits;
  for (const model::TurnStall& stall : model::turnStalls(data.shown().facts, samplesOf(data))) {
    if (std::max(stall.predicted.value_or(0), stall.sampled.value_or(0)) < kLeast) continue;
    waits.push_back({toQString(stall.name), stall.sampled, stall.predicted, stall.waits});
  }
  return waits;
}

QString waitsOrigin(const LoopData& data) {
  const bool usual = data.version == data.study->rewritten().version;
  const QString name = versionName(data.version, data.study->rewritten().version.pairedLoads);
  if (!usual) return Words::tr("%1 · only the loop that runs is sampled").arg(name);
  if (data.stalls == nullptr) return Words::tr("%1 · not sampled").arg(name);
  const runs::StallSamples& its = data.stalls->samples;
  const QString how = its.recorded ? Words::tr("%1 · recorded on %2, %3 · %4")
                                   : Words::tr("%1 · sampled on %2, %3 · %4");
  return how.arg(name, figures::deviceText(toQString(its.device)),
                 figures::dateText(toQString(its.when)), figures::sizeText(its.problem));
}

QString waitText(const LoopWait& wait) {
  QString name = wait.name;
  name[0] = name[0].toUpper();
  if (wait.sampled && wait.predicted)
    return Words::tr("%1: %2 of the warps' time sampled, %3 predicted")
        .arg(name, shareText(wait.sampled), shareText(wait.predicted));
  if (wait.sampled)
    return Words::tr("%1: %2 of the warps' time sampled; not in the model")
        .arg(name, shareText(wait.sampled));
  return Words::tr("%1: %2 of the warps' time predicted; not sampled")
      .arg(name, shareText(wait.predicted));
}

QString waitsSentence(const std::vector<LoopWait>& waits) {
  QStringList all;
  for (const LoopWait& wait : waits) all += waitText(wait);
  return all.join(QStringLiteral(". "));
}

QString shareText(std::optional<double> share) {
  return share ? QString::fromStdString(percentText(*share)) : QStringLiteral("–");
}

QString sampledHeading() {
  return Words::tr("sampled");
}

}  // namespace tileloom
