// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the run of one stage, tile and size fast enough for a slider, which asks in every frame.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {

// Whether the device's name contains `part`, ignoring case.
bool isDevice(std::string_view name, std::string_view part);

class RunIndex {
 public:
  // The records must outlive the index.
  explicit RunIndex(std::span<const RunRecord> runs);

  // The latest run of exactly this stage, format, tile and size, or nullptr; of equally late
  // ones the last in the span. `device` matches a part of the name, case-insensitively; empty
  // matches all.
  const RunRecord* latest(std::string_view stage, const TileShape& tile, const Problem& problem,
                          std::string_view device = {}, Format format = Format::Fp32) const;

 private:
  struct Key {
    std::string_view stage;
    Format format;
    TileShape tile;
    Problem problem;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::unordered_map<Key, std::vector<const RunRecord*>, Hash> runs_;  // the latest first
};

}  // namespace tileloom::runs
