// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/ladder_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/runs/recordings.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/format.h"
#include "kernels/tile/stage.h"

namespace tileloom::app {
namespace {

constexpr std::array<int, 2> kSizes{4096, 8192};
constexpr std::string_view kNoisyMark = " \\*";

// What all cells have in common, for the line below the tables.
struct Source {
  std::string device;
  std::vector<std::string> days;
  bool noisy = false;
};

// "74.5"; "101.0 \*" if the run was noisy; "–" without a run.
std::string cell(const Stage& stage, Format format, int size, std::string_view device,
                 Source& source) {
  const runs::RunRecord* run =
      runs::recordedRun({&stage, stage.standardTile(), format}, {size, size, size}, device);
  if (run == nullptr || !run->ratio.known()) return "–";
  source.device = run->device;
  source.days.push_back(run->when.substr(0, run->when.find('T')));
  source.noisy |= run->noisy();
  return fmt::format("{:.1f}{}", 100 * run->ratio.median, run->noisy() ? kNoisyMark : "");
}

std::string table(std::string_view heading, Format format, std::string_view device,
                  Source& source) {
  std::string text = fmt::format(
      "{}\n\n| rung | id | idea | % of cuBLAS at {} | at {} |\n|---:|---|---|---:|---:|\n", heading,
      kSizes[0], kSizes[1]);
  for (const Stage& stage : ladderOf(format)) {
    text += fmt::format("| {} | `{}` | {} |", rungLabel(stage), stage.id, stage.idea);
    for (const int size : kSizes)
      text += fmt::format(" {} |", cell(stage, format, size, device, source));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string ladderMarkdown(std::string_view device) {
  Source source;
  const std::string fp32 = table("**FP32 on CUDA cores.** 100 % is cuBLAS in pedantic FP32.",
                                 Format::Fp32, device, source);
  const std::string tensor = table(
      "**bf16 on tensor cores, with FP32 accumulators.** 100 % is `cublasGemmEx`. T4 and later "
      "need Hopper.",
      Format::Bf16, device, source);
  std::string text = fmt::format("{}\n{}\nDefault tiles, M = N = K", fp32, tensor);
  if (!source.days.empty()) {
    const auto [first, last] = std::ranges::minmax(source.days);
    text += fmt::format(", recorded on an {} from {} to {}", source.device, first, last);
  }
  text += ".";
  if (source.noisy)
    text += fmt::format(" \\* The 95 % interval is wider than {:.0f} % to either side.",
                        100 * runs::kNoisySpread);
  return text + "\n";
}

}  // namespace tileloom::app
