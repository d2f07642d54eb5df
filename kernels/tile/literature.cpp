// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/literature.h"

namespace tileloom {
namespace {

struct Row {
  int number;  // the literature's, Stage::literature
  LiteratureFigure figure;
  std::string_view difference;
};
constexpr std::string_view kAlike =
    "With default tiles, compiled by CUDA 13.0 for sm_86 and for sm_90, this rung and the "
    "published kernel have main "
    "loops with equal numbers of multiply-adds and of loads of each width.";
constexpr Row kRows[] = {
    {1, {309, 1.3}, kAlike},
    {2, {1987, 8.5}, kAlike},
    {3,
     {2980, 12.8},
     "With default tiles, compiled by CUDA 13.0, an iteration of the main loop is four K tiles "
     "here and one in the published kernel. A K tile has 8 LDS.128 and 32 LDS in both."},
    {4, {8475, 36.5}, kAlike},
    {5,
     {15972, 68.7},
     "With default tiles, compiled by CUDA 13.0 for sm_86, the published kernel has 32 LDS.128 and "
     "8 LDS for a K tile, because its loop over the K tile is unrolled and loads of As are merged. "
     "Here that loop is not unrolled, and each of its 8 iterations has 2 LDS.128 and 8 LDS. For "
     "sm_90 the loop is unrolled in neither, with the same loads."},
    {6,
     {18237, 78.4},
     "With default tiles, compiled by CUDA 13.0 for sm_90, the loop over the K tile is unrolled "
     "here and not in the published kernel. A K tile has 32 LDS.128 in both. For sm_86 it is "
     "unrolled in both."},
    {9, {19721, 84.8}, kAlike},
    {10,
     {21779, 93.7},
     "With default tiles, compiled by CUDA 13.0 for sm_86, the loop over the K tile is unrolled in "
     "the published kernel and not here. A K tile has 96 LDS.128 in both. For sm_90 it is unrolled "
     "in neither."},
};

}  // namespace

std::optional<RolesFigure> rolesFigureOf(const Stage& stage) {
  if (stage.id == "multistage") return RolesFigure{"v1", 675868.8, 805409.4};
  if (stage.id == "overlapped") return RolesFigure{"v2", 815881.7, 807708.0};
  return std::nullopt;
}

std::optional<LiteratureFigure> literatureOf(const Stage& stage) {
  for (const Row& row : kRows) {
    if (stage.literature == row.number) return row.figure;
  }
  return std::nullopt;
}

std::string_view literatureDifference(const Stage& stage) {
  for (const Row& row : kRows) {
    if (stage.literature == row.number) return row.difference;
  }
  return {};
}

}  // namespace tileloom
