// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/predict_sizes.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "kernels/emulator/run.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

constexpr int kMostSizes = 4096;

const runs::RunRecord* recordedAt(const Subject& choice, const model::Rates& rates, int size) {
  const auto* run = runs::recordedRun(choice, {size, size, size}, rates.device);
  return run != nullptr && run->gflops.known() ? run : nullptr;
}

}  // namespace

tl::expected<std::vector<int>, std::string> parseSizes(std::string_view text) {
  int parts[3] = {};
  constexpr std::string_view kNames[] = {"the first of the sizes", "the last of the sizes",
                                         "the step of the sizes"};
  std::string_view rest = text;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto colon = rest.find(':');
    if ((colon == std::string_view::npos) != (i == 2)) {
      return tl::unexpected(
          fmt::format("the sizes \"{}\" are not of the form FROM:TO:STEP: write them like "
                      "256:8192:128",
                      quotable(text)));
    }
    const auto value = parseNumber(fmt::format("{}:", kNames[i]), rest.substr(0, colon), 1,
                                   emulator::kMaxDimension);
    if (!value) return tl::unexpected(value.error());
    parts[i] = *value;
    if (colon != std::string_view::npos) rest.remove_prefix(colon + 1);
  }
  const auto [from, to, step] = parts;
  if (from > to) {
    return tl::unexpected(
        fmt::format("the sizes go from {} to {}: the first must not be larger", from, to));
  }
  if ((to - from) / step >= kMostSizes) {
    return tl::unexpected(fmt::format("the sizes {}:{}:{} are more than {}: choose a larger step",
                                      from, to, step, kMostSizes));
  }
  std::vector<int> sizes;
  for (int size = from; size <= to; size += step) sizes.push_back(size);
  return sizes;
}

std::string sizesText(const Subject& choice, const model::Rates& rates,
                      const model::KernelShape& kernel,
                      const std::vector<model::SizePoint>& points) {
  Table table({{"M = N = K"},
               {"blocks along M x N"},
               {"waves"},
               {"tiles used"},
               {"waves used"},
               {"predicted GFLOP/s"},
               {"low"},
               {"high"},
               {"recorded"}});
  for (const model::SizePoint& p : points) {
    const auto* run = recordedAt(choice, rates, p.size);
    table.add({wholeText(p.size), fmt::format("{} x {}", p.rows, p.columns),
               model::wavesText(p.waves), percentText(p.tileShare), percentText(p.waveShare),
               speedNumber(p.gflops), speedNumber(p.gflopsLow), speedNumber(p.gflopsHigh),
               run != nullptr ? speedNumber(run->gflops.median) : std::string("-")});
  }
  return fmt::format(
      "{}\n{} over the size of the problem, predicted for {} ({} SMs, {} per SM)\n\n{}\n"
      "Tiles used: useful FLOPs over those of whole tiles. Waves used: blocks over those of whole "
      "waves{}.\n",
      stageHeading(*choice.rung()), tileText(*choice.rung(), choice.tile), rates.device,
      rates.chip.machine.sms, counted(kernel.blocksPerSm, "block"), table.text(),
      looksUpParts(*choice.rung(), choice.tile)
          ? "; where the tiles of the\n"
            "last wave are split along K (split-K), its blocks take less time, and time is counted"
          : "");
}

std::string sizesJson(const Subject& choice, const model::Rates& rates,
                      const model::KernelShape& kernel,
                      const std::vector<model::SizePoint>& points) {
  Json all = Json::array();
  for (const model::SizePoint& p : points) {
    const auto* run = recordedAt(choice, rates, p.size);
    all.push_back({{"size", p.size},
                   {"block_rows", p.rows},
                   {"block_columns", p.columns},
                   {"blocks", p.blocks()},
                   {"waves", p.waves},
                   {"tile_efficiency", p.tileShare},
                   {"wave_efficiency", p.waveShare},
                   {"gflops", p.gflops},
                   {"gflops_low", p.gflopsLow},
                   {"gflops_high", p.gflopsHigh},
                   {"milliseconds", p.milliseconds},
                   {"recorded_gflops", run != nullptr ? Json(run->gflops.median) : Json(nullptr)}});
  }
  return jsonText({{"schema", "tileloom.sizes/1"},
                   {"origin", "predicted"},
                   {"stage", choice.rung()->id},
                   {"tile", tileJson(*choice.rung(), choice.tile)},
                   {"arch", rates.arch},
                   {"device", rates.device},
                   {"blocks_per_sm", kernel.blocksPerSm},
                   {"sms", rates.chip.machine.sms},
                   {"points", std::move(all)}});
}

}  // namespace tileloom::app
