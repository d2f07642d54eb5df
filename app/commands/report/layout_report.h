// SPDX-License-Identifier: GPL-3.0-or-later
// The report of `tileloom layout`: the shared arrays of a block in several layouts, as text and as
// JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/common/json.h"
#include "kernels/analysis/memory/relayout.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {

struct LayoutReport : Subject {
  Problem size;
  Architecture arch;
  int threads = 0;               // per block
  std::optional<int> registers;  // per thread, from a compiler or a recorded run
  int leastRegisters = 0;        // what a thread needs at least

  struct Array {
    std::uint32_t index = 0;
    std::string name;
    analysis::ArrayShape shape;
    std::uint32_t parts = 1;  // elements in a word: 2 of 16 bits
    std::string whyNot;       // why it is not in rows: only its name is then known
    analysis::BestLayouts best;
    std::vector<analysis::LayoutCost> layouts;  // as recorded first
    std::optional<analysis::LayoutCost> chosen;
  };
  std::vector<std::string> names;  // of Trace::arrays
  std::vector<Array> arrays;

  // Blocks per SM; an upper bound if the registers are unknown.
  int blocks(std::uint32_t sharedBytes) const;
};

std::string layoutReportText(const LayoutReport& report);
Json layoutReportJson(const LayoutReport& report);

}  // namespace tileloom::app
