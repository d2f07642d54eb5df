// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/paired_lanes.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/tile/words.h"

namespace tileloom::gpu {
namespace {

constexpr std::string_view kPairingStage = "tuned";
// The names that the stages give a lane's place in a subtile, and that rung 14 gives the lanes with
// the same columns.
constexpr std::array<std::string_view, 2> kPlace = {" threadRow = ", " threadCol = "};
constexpr std::string_view kPair = " PAIR = ";

bool definesPlace(std::string_view line) {
  const auto has = [line](std::string_view what) {
    return line.find(what) != std::string_view::npos;
  };
  return line.starts_with("  const uint ") && has(" lane ") && std::ranges::any_of(kPlace, has);
}

bool definesPair(std::string_view line) {
  return line.starts_with("  CONSTANT uint ") && line.find(kPair) != std::string_view::npos;
}

// Including line feeds.
std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

}  // namespace

const Stage& pairingStage() {
  return *stageOfEitherLadder(kPairingStage);
}

Result<std::string> pairedLanes(std::string_view text) {
  std::string dealt;
  for (const std::string_view line : linesOf(sourceText(pairingStage())))
    if (definesPair(line) || definesPlace(line)) dealt += line;
  std::string paired;
  bool found = false;
  for (const std::string_view line : linesOf(text)) {
    if (definesPair(line))
      return fail(Trouble::Unsupported,
                  "this kernel already places its lanes as rung 14 does: choose another rung");
    if (!definesPlace(line)) {
      paired += line;
    } else if (!found) {
      paired += dealt;
      found = true;
    }
  }
  if (!found)
    return fail(
        Trouble::Unsupported,
        "this kernel does not place the lanes of a warp within subtiles: choose another rung");
  return paired;
}

}  // namespace tileloom::gpu
