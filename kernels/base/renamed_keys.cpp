// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/renamed_keys.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tileloom {
namespace {

struct Renamed {
  std::string_view current;
  std::string_view former;
};

constexpr Renamed kRenamed[] = {
    {"parameter", "knob"},
    {"parameters", "knobs"},
    {"lower_bounds", "floors"},
    {"largest_lower_bound", "largest_floor"},
    {"timestamped_ms", "stamped_ms"},
    {"timestamped_blocks_per_sm", "stamped_blocks_per_sm"},
    {"tma_load_instructions", "box_instructions"},
    {"tma_load_bytes", "box_bytes"},
    {"tma_store_instructions", "box_store_instructions"},
    {"tma_store_bytes", "box_store_bytes"},
    {"wgmma_instructions", "product_instructions"},
    {"wgmma_wavefronts", "product_wavefronts"},
    {"wgmma_conflicts", "product_conflicts"},
};

constexpr Renamed kRenamedWords[] = {
    {"subtiles", "stamps"},  // a quantity in the conditions of lectures
    {"k", "dot"},            // how often an animation has a picture
    {"--parameter", "--knob"},
    {"--remove", "--nobody"},
    {"--restart", "--anew"},
};

std::string_view current(std::span<const Renamed> table, std::string_view word) {
  const auto found = std::ranges::find(table, word, &Renamed::former);
  return found == table.end() ? word : found->current;
}

}  // namespace

std::string_view formerKey(std::string_view current) {
  const auto* const found = std::ranges::find(kRenamed, current, &Renamed::current);
  return found == std::end(kRenamed) ? std::string_view() : found->former;
}

std::string_view currentKey(std::string_view key) {
  return current(kRenamed, key);
}

std::string_view currentWord(std::string_view word) {
  return current(kRenamedWords, word);
}

void addFormerKeys(nlohmann::ordered_json& json) {
  for (auto& child : json) {
    if (child.is_structured()) addFormerKeys(child);
  }
  if (!json.is_object()) return;
  std::vector<std::pair<std::string, nlohmann::ordered_json>> added;
  for (const auto& [key, value] : json.items()) {
    const std::string_view former = formerKey(key);
    if (!former.empty() && !json.contains(former)) added.emplace_back(former, value);
  }
  for (auto& [key, value] : added) json[key] = std::move(value);
}

void renameFormerKeys(nlohmann::ordered_json& json) {
  for (auto& child : json) {
    if (child.is_structured()) renameFormerKeys(child);
  }
  if (!json.is_object()) return;
  auto renamed = nlohmann::ordered_json::object();
  for (auto& [key, value] : json.items()) {
    const std::string current(currentKey(key));
    renamed[current == key || json.contains(current) ? key : current] = std::move(value);
  }
  json = std::move(renamed);
}

}  // namespace tileloom
