// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/identity/text_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "kernels/base/fnv.h"
#include "kernels/base/json_reader.h"

namespace tileloom {
namespace {

constexpr std::string_view kStale = "text:";
constexpr std::size_t kLongestText = 200;

// The order of the device's headers in the builds of that time, on which the key depends.
constexpr std::array<std::string_view, 14> kOrder = {
    "kernels/device/portable.cuh",      "kernels/device/on_device.cuh",
    "kernels/device/pipeline.cuh",      "kernels/device/strides.cuh",
    "kernels/device/tensor.cuh",        "kernels/device/hopper.cuh",
    "kernels/device/register_pool.cuh", "kernels/device/roles.cuh",
    "kernels/device/cluster.cuh",       "kernels/device/stored.cuh",
    "kernels/device/pieces.cuh",        "kernels/device/split.cuh",
    "kernels/device/parts.cuh",         "kernels/device/stamps.cuh"};

std::vector<SourceFile> inOrder(std::span<const SourceFile> files) {
  std::vector<SourceFile> ordered(files.begin(), files.end());
  std::ranges::stable_sort(
      ordered, {}, [](const SourceFile& file) { return std::ranges::find(kOrder, file.name); });
  return ordered;
}

bool includes(std::string_view text, std::string_view name) {
  return text.find(fmt::format("#include \"{}\"", name)) != std::string_view::npos;
}

// The files that a source includes, directly or through another, in the order in which repeated
// passes over all files find them.
std::vector<SourceFile> includedFiles(const CodeText& code) {
  const std::vector<SourceFile> all = inOrder(code.files);
  std::vector<SourceFile> found;
  const auto known = [&found](const SourceFile& file) {
    return std::ranges::any_of(found, [&](const SourceFile& f) { return f.name == file.name; });
  };
  for (std::size_t before = ~std::size_t{0}; before != found.size();) {
    before = found.size();
    for (const SourceFile& file : all) {
      if (known(file)) continue;
      const bool wanted =
          includes(code.source, file.name) ||
          std::ranges::any_of(found, [&](const auto& f) { return includes(f.text, file.name); });
      if (wanted) found.push_back(file);
    }
  }
  return found;
}

std::vector<TextKey> read() {
  std::vector<TextKey> all;
  for (const EmbeddedFile& file : tile::textKeyFiles()) {
    std::string_view text = file.text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const auto json = parseJsonObject(text.substr(0, end), kRecordBounds);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!json) continue;
      JsonReader row(*json);
      constexpr std::size_t kMostLines = 10'000;
      constexpr double kMostTokens = 10'000;
      std::vector<int> tokens;
      for (const auto& count : row.list("tokens", kMostLines, "numbers"))
        tokens.push_back(static_cast<int>(jsonNumber(count, 0, kMostTokens).value_or(0)));
      TextKey key{row.text("stage", kLongestText), row.text("text", kLongestText),
                  row.text("fingerprint", kLongestText), CodePlaces(tokens)};
      if (row.good()) all.push_back(std::move(key));
    }
  }
  return all;
}

}  // namespace

std::span<const TextKey> textKeys() {
  static const std::vector<TextKey> all = read();
  return all;
}

const TextKey* textKeyNamed(std::string_view stage, std::string_view text) {
  const auto all = textKeys();
  const auto at = std::ranges::find_if(
      all, [&](const TextKey& key) { return key.text == text && key.stage == stage; });
  return at != all.end() ? &*at : nullptr;
}

std::string textKeyOf(const CodeText& code) {
  Fnv hash;
  hash.add(code.source);
  for (const SourceFile& file : includedFiles(code)) hash.add(file.text);
  hash.add(code.assemblerOption);
  if (code.rewriter > 0) hash.add(fmt::format("rewriter {}", code.rewriter));
  return hash.text();
}

std::string staleKey(std::string_view textKey) {
  return fmt::format("{}{}", kStale, textKey);
}

bool isStaleKey(std::string_view text) {
  return text.starts_with(kStale) && isFingerprint(text.substr(kStale.size()));
}

std::string fingerprintFromTextKey(std::string_view stage, std::string_view textKey) {
  if (textKey.empty()) return {};
  const TextKey* key = textKeyNamed(stage, textKey);
  return key != nullptr ? key->fingerprint : staleKey(textKey);
}

std::string fingerprintFrom(JsonReader& reader, std::string_view stage,
                            std::optional<std::string_view> usual) {
  if (reader.find("fingerprint") == nullptr && reader.find("source_hash") != nullptr)
    return fingerprintFromTextKey(stage, reader.text("source_hash", kLongestText));
  std::string its = reader.text("fingerprint", kLongestText, usual);
  // This version may know a key that an earlier one did not.
  return isStaleKey(its) ? fingerprintFromTextKey(stage, its.substr(kStale.size())) : its;
}

}  // namespace tileloom
