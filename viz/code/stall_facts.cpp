// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/stall_facts.h"

#include <QCoreApplication>
#include <algorithm>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Stalls)
};

}  // namespace

std::shared_ptr<const StallFacts> StallFacts::of(runs::StallSamples samples,
                                                 const SassFacts& listing) {
  const sass::MachineCode& code = listing.code;
  if (samples.rung() != code.rung() || samples.tile != code.tile || samples.format != code.format ||
      samples.arch != code.arch || samples.cuda != code.nvrtc ||
      samples.fingerprint != code.fingerprint)
    return nullptr;
  auto facts = std::make_shared<StallFacts>();
  const std::uint64_t all = samples.total();  // once: it sums every sample
  for (const sass::Instruction& i : code.listing.instructions) {
    std::array<std::uint64_t, runs::kStallReasons> by{};
    if (const auto* at = samples.find(i.address)) std::ranges::copy(at->by, by.begin());
    facts->byInstruction.push_back(model::stallShare(by, all));
    facts->most = std::max(facts->most, facts->byInstruction.back().share);
  }
  if (code.listing.hasLines()) facts->byLine = model::stallsByLine(samples, code.listing);
  facts->samples = std::move(samples);
  return facts;
}

const model::StallShare* StallFacts::ofLine(int line) const {
  const auto found = std::ranges::find(byLine, line, &model::LineStalls::line);
  return found != byLine.end() ? &found->stalls : nullptr;
}

const model::StallShare* StallFacts::ofInstruction(int index) const {
  if (index < 0 || index >= static_cast<int>(byInstruction.size())) return nullptr;
  const model::StallShare& share = byInstruction[static_cast<std::size_t>(index)];
  return share.share > 0 ? &share : nullptr;
}

QString StallFacts::origin() const {
  QString where = Words::tr("sampled on %1 at %2×%3×%4")
                      .arg(toQString(samples.device))
                      .arg(samples.problem.m)
                      .arg(samples.problem.n)
                      .arg(samples.problem.k);
  if (samples.rung()->formats.size() > 1)
    where = Words::tr("%1 in %2").arg(where, toQString(rowOf(samples.format).name));
  constexpr qsizetype kDate = 10;  // "2026-11-23"
  return samples.recorded
             ? Words::tr("%1, recorded %2").arg(where, toQString(samples.when).left(kDate))
             : where;
}

QString describeStalls(const model::StallShare& stalls) {
  return QString::fromStdString(model::stallText(stalls));
}

}  // namespace tileloom
