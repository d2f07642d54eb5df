// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/literature.h"

namespace tileloom {
namespace {

struct Row {
  int number;  // the literature's, Stage::literature
  LiteratureFigure figure;
};
constexpr Row kRows[] = {
    {1, {309, 1.3}},    {2, {1987, 8.5}},   {3, {2980, 12.8}},  {4, {8475, 36.5}},
    {5, {15972, 68.7}}, {6, {18237, 78.4}}, {9, {19721, 84.8}}, {10, {21779, 93.7}},
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

}  // namespace tileloom
