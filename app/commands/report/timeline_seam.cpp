// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/timeline_seam.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/commands/common/stage_text.h"
#include "app/commands/report/slower_text.h"
#include "kernels/base/plain_text.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/measured_lanes.h"
#include "kernels/timeline/seam.h"

namespace tileloom::app {
std::string seamReport(const Subject& choice, const Problem& problem, const timeline::Timeline& t,
                       const std::string& device, const timeline::Costs& costs,
                       const std::optional<timeline::Beside>& beside) {
  std::string text =
      fmt::format("{}\n{} at {}, predicted by a virtual clock for {}", stageHeading(*choice.rung()),
                  tileText(*choice.rung(), choice.tile), toString(problem), device);
  text += slowerText(costs) + "\n\n";
  const auto seam = timeline::seamOf(t);
  if (!seam) return text + "  no wgmma of a second tile was simulated\n";
  const int depth = std::max(1, derive(*choice.rung(), choice.tile).stepK);
  const int kTiles = (problem.k + depth - 1) / depth;
  text += fmt::format(
      "  tensor cores idle for {} cycles between two tiles of C\n"
      "  {:.1f} % of the time of a tile with K = {}: {} K tiles of {} cycles\n",
      wholeText(seam->idle()), 100 * timeline::idleShare(seam->idle(), t.cyclesPerTile, kTiles),
      grouped(problem.k), grouped(kTiles), wholeText(t.cyclesPerTile));
  if (seam->left > 0) {
    text += fmt::format(
        "  C has left the SM {} cycles after its last wgmma, {:.0f} % of them while the tensor "
        "cores multiply\n",
        wholeText(seam->left - seam->last), 100 * seam->behind);
  }
  text +=
      "  divisions, address arithmetic and fences between the tiles are not simulated: on the GPU "
      "it can take much longer\n";
  if (!beside) return text;
  const auto seen = timeline::seamOf(beside->whole);
  if (!seen) return text;
  text += fmt::format(
      "\n{}: block {} of {}\n"
      "  no wgmma in flight for {} cycles between its first two tiles\n",
      timeline::captionOf(beside->measured), grouped(beside->measured.block),
      grouped(beside->measured.blocks), wholeText(seen->idle()));
  return text;
}

}  // namespace tileloom::app
