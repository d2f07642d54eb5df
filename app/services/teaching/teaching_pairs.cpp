// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/teaching/teaching_pairs.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "app/services/teaching/role_pairs.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::TeachingPairs)
};

// The page that shows best what a rung changes; for rungs not listed, the memory access at which
// the two differ most.
const char* pageOf(const Stage& after) {
  struct Shown {
    std::string_view stage;
    const char* page;
  };
  static constexpr Shown kTelling[] = {
      // What is ahead of what, and what overlaps.
      {"fragments", "timeline"},  {"doublebuffered", "timeline"},
      {"async", "path"},          {"rasterised", "compare"},
      {"scheduled", "sass"},      {"rewritten", "sass"},
      {"mmaring", "ring"},        {"tma", "path"},
      {"wgmma", "path"},          {"multistage", "ring"},
      {"overlapped", "timeline"}, {"specialised", "waits"},
      {"consumers", "waits"},     {"persistent", "timeline"},
      {"cluster", "waits"},       {"stored", "timeline"},
      {"hopper", "timeline"},
  };
  const auto* found = std::ranges::find(kTelling, std::string_view(after.id), &Shown::stage);
  return found == std::end(kTelling) ? "banks" : found->page;
}

// Each rung beside the one that it grew from.
void addRungs(std::vector<TeachingPair>& pairs) {
  for (const Stage* each : everyStage()) {
    const Stage& after = *each;
    if (after.parent.empty()) continue;
    const Stage& before = *stageOfEitherLadder(after.parent);
    if (before.ladder != after.ladder) continue;
    pairs.push_back(
        {Words::tr("Rung by rung"),
         Words::tr("%1 beside %2: %3")
             .arg(figures::rungText(before), figures::rungText(after), toQString(after.title)),
         toQString(after.idea), standardSubject(before), standardSubject(after), pageOf(after)});
    // At 2048 each of its blocks has only one tile of C.
    if (after.id == "stored") {
      pairs.back().size = 4096;
      pairs.back().between = true;
    }
  }
}

// The same warp tile cut into ever more subtiles.
void addSubtiles(std::vector<TeachingPair>& pairs, const Stage& warptiled) {
  // With 4 x 4 results per subtile all of 1, 2, 4 and 8 across are legal.
  TileShape tile = warptiled.standardTile().with(Parameter::TM, 4).with(Parameter::TN, 4);
  for (const int across : {2, 4, 8}) {
    pairs.push_back({Words::tr("WNITER"),
                     Words::tr("WNITER %1 beside %2").arg(across / 2).arg(across),
                     Words::tr("A subtile of the warp becomes half as wide and twice as high: "
                               "fewer loads of As, more of Bs. Compare their wavefronts."),
                     usualSubject(warptiled, tile.with(Parameter::WNITER, across / 2)),
                     usualSubject(warptiled, tile.with(Parameter::WNITER, across))});
  }
  const TileShape standard = warptiled.standardTile();
  pairs.push_back(
      {Words::tr("WNITER"), Words::tr("TN 16 beside WNITER 4 with TN 4"),
       Words::tr("As many results per thread and as many registers; but a lane that owns 16 "
                 "adjacent columns is 16 words from its neighbour, and the loads of Bs conflict."),
       usualSubject(warptiled, standard.with(Parameter::WNITER, 1).with(Parameter::TN, 16)),
       standardSubject(warptiled)});
}

// The same tile without padding words at the end of a row of As, and with them.
void addPadding(std::vector<TeachingPair>& pairs, const Stage& padded) {
  const TileShape standard = padded.standardTile();
  pairs.push_back({Words::tr("Padding"), Words::tr("PAD 0 beside PAD 4"),
                   Words::tr("Four padding words at the end of each row of As remove the bank "
                             "conflicts from the stores of the transposed A."),
                   usualSubject(padded, standard.with(Parameter::PAD, 0)),
                   standardSubject(padded)});
  pairs.push_back({Words::tr("Padding"), Words::tr("PAD 4 beside PAD 8"),
                   Words::tr("Eight words shift the second lane of each pair by 32 banks, so not "
                             "at all: more padding is not better."),
                   standardSubject(padded),
                   usualSubject(padded, standard.with(Parameter::PAD, 8))});
}

// The same tile in rows, and in panels of several widths.
void addSwizzle(std::vector<TeachingPair>& pairs, const Stage& swizzled) {
  const TileShape wide = swizzled.standardTile().with(Parameter::SWIZZLE, 128);
  pairs.push_back(
      {Words::tr("Swizzle"), Words::tr("SWIZZLE 0 beside SWIZZLE 128"),
       Words::tr("In plain rows the eight rows of each matrix that ldmatrix reads are in the same "
                 "four banks: 32 wavefronts. With 16-byte chunks at their number XOR that of their "
                 "line they are in all 32: 4 wavefronts, and not a byte more."),
       usualSubject(swizzled, wide.with(Parameter::SWIZZLE, 0)), usualSubject(swizzled, wide)});
  pairs.push_back({Words::tr("Swizzle"), Words::tr("SWIZZLE 32 beside SWIZZLE 128"),
                   Words::tr("Four wavefronts for each ldmatrix with either. But a narrow panel is "
                             "one sector wide: a load of A or B takes one sector of each of 16 "
                             "lines instead of all four sectors of 4 lines."),
                   usualSubject(swizzled, wide.with(Parameter::SWIZZLE, 32)),
                   usualSubject(swizzled, wide)});
}

}  // namespace

std::vector<TeachingPair> teachingPairs() {
  std::vector<TeachingPair> pairs;
  addRungs(pairs);
  for (const Stage& stage : stages()) {
    if (stage.id == "warptiled") addSubtiles(pairs, stage);
    if (stage.id == "padded") addPadding(pairs, stage);
  }
  for (const Stage& stage : tensorStages()) {
    if (stage.id == "swizzled") addSwizzle(pairs, stage);
  }
  for (TeachingPair& pair : rolePairs()) pairs.push_back(std::move(pair));
  return pairs;
}

std::optional<TeachingPair> teachingPair(const Subject& baseline, const Subject& now) {
  // Two rungs may be in the rung by rung group and again in one that says more of them: the last
  // one counts.
  std::optional<TeachingPair> found;
  for (TeachingPair& pair : teachingPairs()) {
    if (pair.baseline == baseline && pair.now == now) found = std::move(pair);
  }
  return found;
}

}  // namespace tileloom
