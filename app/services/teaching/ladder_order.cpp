// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/teaching/ladder_order.h"

#include <QCoreApplication>
#include <algorithm>

#include "kernels/runs/recordings.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LadderChart)
};

struct Fastest {
  const Stage* stage = nullptr;
  double percent = 0;  // of cublasGemmEx
  Format format = Format::Bf16;

  void take(const Stage& other, double ratio, Format its) {
    if (stage != nullptr && 100 * ratio <= percent) return;
    stage = &other;
    percent = 100 * ratio;
    format = its;
  }
};

}  // namespace

QString ladderOrderSentence(std::span<const LadderBar> bars, const Problem& problem) {
  const Problem large{kLadderOrderSize, kLadderOrderSize, kLadderOrderSize};
  if (problem == large) return {};
  Fastest here, there;
  for (const LadderBar& bar : bars) {
    if (bar.rung() == nullptr || bar.rung()->ladder != Ladder::Tensor) continue;
    // Both sizes on one device, else no statement is possible.
    const auto* run = runs::recordedRun(bar, large, bar.device.toStdString());
    if (run == nullptr || !run->ratio.known() || !bar.ratio.known()) continue;
    here.take(*bar.rung(), bar.ratio.median, bar.format);
    there.take(*bar.rung(), run->ratio.median, bar.format);
  }
  if (here.stage == nullptr || here.stage->rung >= there.stage->rung) return {};
  const auto percent = [](const Fastest& f) { return figures::percentText(f.percent); };
  return Words::tr(
             "At %1 %2 is the fastest rung (%3 %), at %4 %5 (%6 % of %7): what the rungs after %2 "
             "add pays if C has many tiles.")
      .arg(figures::sizeText(problem), figures::rungText(*here.stage), percent(here),
           figures::sizeText(large), figures::rungText(*there.stage), percent(there),
           figures::libraryName(there.format));
}

}  // namespace tileloom
