// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/recorded.h"

#include <algorithm>

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

bool names(const nlohmann::json& header, const Stage& stage, const TileShape& tile,
           std::string_view arch) {
  if (!header.is_object() || header.value("stage", nlohmann::json()) != stage.id ||
      header.value("arch", nlohmann::json()) != arch)
    return false;
  const auto knobs = header.value("tile", nlohmann::json());
  return knobs.is_object() && std::ranges::all_of(stage.knobs, [&](const KnobSpec& spec) {
           return knobs.value(std::string(name(spec.knob)), nlohmann::json()) == tile[spec.knob];
         });
}

}  // namespace

std::optional<MachineCode> findListing(std::string_view text, const Stage& stage,
                                       const TileShape& tile, std::string_view arch) {
  std::optional<MachineCode> found;
  eachListing(text, [&](std::string_view line, std::string_view code) {
    const auto header = nlohmann::json::parse(line, nullptr, false);
    if (!names(header, stage, tile, arch)) return;
    auto listing = machineCodeFrom(header, code);
    if (!listing) return;
    listing->recorded = true;
    found = std::move(*listing);
  });
  return found;
}

std::optional<MachineCode> recordedListing(const Stage& stage, const TileShape& tile,
                                           std::string_view arch) {
  for (const ListingFile& file : listingFiles()) {
    if (auto found = findListing(file.text, stage, tile, arch)) return found;
  }
  return std::nullopt;
}

std::vector<std::string> recordedArchitectures() {
  std::vector<std::string> all;
  for (const ListingFile& file : listingFiles()) {
    eachListing(file.text, [&](std::string_view line, std::string_view) {
      const auto header = nlohmann::json::parse(line, nullptr, false);
      if (!header.is_object() || !header.value("arch", nlohmann::json()).is_string()) return;
      const std::string arch = header["arch"];
      if (std::ranges::find(all, arch) == all.end()) all.push_back(arch);
    });
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace tileloom::sass
