// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/recorded.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"

namespace tileloom::sass {
namespace {

// Calls take(header line, code) for each listing; a header is the only line that begins with "{".
template <class Take>
void eachListing(std::string_view text, Take take) {
  std::size_t begin = text.starts_with('{') ? 0 : text.find("\n{");
  if (begin != 0 && begin != std::string_view::npos) ++begin;
  while (begin < text.size()) {
    const std::size_t head = std::min(text.find('\n', begin), text.size());
    std::size_t end = text.find("\n{", head);
    end = end == std::string_view::npos ? text.size() : end + 1;
    take(text.substr(begin, head - begin),
         head + 1 < end ? text.substr(head + 1, end - head - 1) : std::string_view());
    begin = end;
  }
}

struct Entry {
  nlohmann::json header;
  std::string_view code;
};

std::vector<Entry> entriesOf(std::string_view text) {
  std::vector<Entry> all;
  eachListing(text, [&all](std::string_view line, std::string_view code) {
    if (auto header = parseJsonObject(line, kRecordBounds))
      all.push_back({std::move(*header), code});
  });
  return all;
}

// From the shipped files, read once: the window calls it at every change of a tile parameter, and
// mostly for a tile that is not recorded.
const std::vector<Entry>& shipped() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> entries;
    for (const EmbeddedFile& file : listingFiles()) {
      for (Entry& e : entriesOf(file.text)) entries.push_back(std::move(e));
    }
    return entries;
  }();
  return all;
}

bool names(const nlohmann::json& header, const Stage& stage, const TileShape& tile,
           std::string_view arch, Format format) {
  const std::string usual(rowOf(stage.usualFormat()).name);
  if (header.value("stage", nlohmann::json()) != stage.id ||
      header.value("arch", nlohmann::json()) != arch ||
      header.value("arithmetic", nlohmann::json(usual)) != rowOf(format).name)
    return false;
  const auto parameters = header.value("tile", nlohmann::json());
  return parameters.is_object() &&
         std::ranges::all_of(stage.parameters, [&](const ParameterSpec& spec) {
           return parameters.value(std::string(name(spec.parameter)), nlohmann::json()) ==
                  tile[spec.parameter];
         });
}

// The last of equal ones.
std::optional<MachineCode> findIn(std::span<const Entry> entries, const Stage& stage,
                                  const TileShape& tile, std::string_view arch, Format format) {
  for (std::size_t i = entries.size(); i-- > 0;) {
    if (!names(entries[i].header, stage, tile, arch, format)) continue;
    auto listing = machineCodeFrom(entries[i].header, entries[i].code);
    if (!listing) continue;
    listing->recorded = true;
    return std::move(*listing);
  }
  return std::nullopt;
}

}  // namespace

std::optional<MachineCode> findListing(std::string_view text, const Subject& subject,
                                       std::string_view arch) {
  const Stage& stage = *subject.rung();
  return findIn(entriesOf(text), stage, subject.tile, arch, subject.format);
}

std::optional<MachineCode> recordedListing(const Subject& subject, std::string_view arch) {
  const Stage& stage = *subject.rung();
  return findIn(shipped(), stage, subject.tile, arch, subject.format);
}

std::vector<std::string_view> listedArchitectures(const Stage& stage) {
  std::vector<std::string_view> all = {"sm_86", "sm_90"};
  // Tensor cores differ more from one generation to the next.
  if (stage.ladder == Ladder::Tensor) all.insert(all.begin(), "sm_80");
  std::erase_if(all, [&stage](std::string_view name) {
    return !canBeBuiltFor(stage, *architectureNamed(name));
  });
  return all;
}

std::vector<std::string> recordedArchitectures(const Stage& stage) {
  std::vector<std::string> all;
  for (const Entry& e : shipped()) {
    const auto named = e.header.value("arch", nlohmann::json());
    if (!named.is_string()) continue;
    const std::string arch = named;
    if (names(e.header, stage, stage.standardTile(), arch, stage.usualFormat()) &&
        std::ranges::find(all, arch) == all.end())
      all.push_back(arch);
  }
  std::ranges::sort(all);
  return all;
}

bool hasRecordedListing(const Stage& stage) {
  return !recordedArchitectures(stage).empty();
}

}  // namespace tileloom::sass
