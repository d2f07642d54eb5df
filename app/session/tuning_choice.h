// SPDX-License-Identifier: GPL-3.0-or-later
// How the tuning tab shows what is known of a rung, as one plain value for sessions and command
// lines.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/tile/stage.h"
#include "kernels/tuning/tile_map.h"

namespace tileloom {

enum class TuningForm { Map, Lines, List };
inline constexpr std::array<std::string_view, 3> kTuningFormNames = {"map", "lines", "list"};
// Of tuning::Others.
inline constexpr std::array<std::string_view, 2> kOthersNames = {"as-now", "best"};

// The tile parameters of a map. A rung that lacks one of them shows its first two.
struct MapAxes {
  Parameter up, right;  // two different ones
  bool operator==(const MapAxes&) const = default;
};
std::string axesText(const MapAxes& axes);  // "BM,BN", which parseAxes() reads
// Or one sentence without a full stop.
tl::expected<MapAxes, std::string> parseAxes(std::string_view text);

struct TuningChoice {
  TuningForm form = TuningForm::Map;
  std::optional<MapAxes> axes = std::nullopt;  // std::nullopt: the rung's first two tile parameters
  tuning::Others others = tuning::Others::AsNow;
  // Parts of the names of the devices whose runs are shown; a device without runs here does not
  // count.
  std::string device = {};  // empty: the one with the most runs
  std::string beside = {};  // empty: none
  bool operator==(const TuningChoice&) const = default;
};

// The part of it that a picture made elsewhere can show: axes that the rung has, and devices with
// recorded runs of this rung, size and format.
TuningChoice ofRecordings(TuningChoice choice, const Stage& stage, const Problem& problem,
                          Format format);

}  // namespace tileloom
