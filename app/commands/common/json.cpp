// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"
#include "kernels/base/renamed_keys.h"
#include "kernels/tile/parameters.h"

namespace tileloom::app {

Json tileJson(const Stage& stage, const TileShape& tile) {
  Json json = Json::object();
  for (const ParameterSpec& spec : stage.parameters)
    json[std::string(name(spec.parameter))] = tile[spec.parameter];
  return json;
}

Json problemJson(const Problem& problem) {
  return {{"m", problem.m}, {"n", problem.n}, {"k", problem.k}};
}

Json paddingJson(const Padding& padding) {
  if (!padding.any()) return nullptr;
  std::string text = paddingText(padding);
  text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

Json extentJson(const Extent& extent) {
  return {{"x", extent.x}, {"y", extent.y}};
}

const char* keyOf(Ladder ladder) {
  return ladder == Ladder::Tensor ? "tensor" : "fp32";
}

std::string jsonText(Json json) {
  addFormerKeys(json);
  return dumped(json, 2) + "\n";
}

}  // namespace tileloom::app
