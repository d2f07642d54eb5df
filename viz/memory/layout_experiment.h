// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment on a shared array: the cost of its accesses in another layout, as values; the
// panel and the picture only draw them.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>

#include "kernels/analysis/memory/relayout.h"
#include "viz/base/scene.h"
#include "viz/memory/bank_picture.h"
#include "viz/memory/layout_choice.h"

namespace tileloom {

// What a block needs of an SM besides shared memory.
struct BlockLoad {
  Architecture arch = defaultArchitecture();
  std::optional<int> registers;  // per thread; std::nullopt: the kernel has not been compiled
  bool operator==(const BlockLoad& other) const {
    return arch.name == other.arch.name && registers == other.registers;
  }
};

struct LayoutExperiment {
  std::shared_ptr<const analysis::Recording> recording;
  QString whyNone;  // not empty: no experiment, and nothing below is known
  std::uint32_t array = 0;
  QString name;  // "As"
  analysis::ArrayShape shape;
  analysis::LayoutCost cost;  // of one K tile
  // The two pictures: as recorded, and with the words in the other layout, or why that is
  // impossible.
  OtherLayout recorded, other;
  int blocksBefore = 0, blocksAfter = 0;  // per SM
  bool blocksKnown = false;               // false: both are upper bounds

  bool ready() const { return whyNone.isEmpty() && recording != nullptr; }
};

// The index of the experiment's array: the chosen one, else that of the present access, else the
// first shared one; 0: nothing is in shared memory.
std::uint32_t experimentArray(const Scene& scene, const std::string& name);

// `use` is one K tile of the scene's recording.
LayoutExperiment layoutExperiment(const Scene& scene, const analysis::SharedUse& use,
                                  const LayoutChoice& choice, const BlockLoad& load);

// "What if the rows of As were padded by 4 words?"
QString experimentQuestion(const LayoutExperiment& e);
// "16 rows of 128 words, 132 words from one row to the next instead of 128. One K tile takes 1,472
// wavefronts instead of 1,600, …", or why the layout is not possible.
QString experimentVerdict(const LayoutExperiment& e);
bool isTrouble(const LayoutExperiment& e);  // the layout is not possible
// Says that the shown access is of another array; empty: it is not.
QString accessNote(const Scene& scene, const LayoutExperiment& e);
// Says that all figures are calculated, and what they do not include.
QString experimentFootnote();

// "4 words per row", "3,2,5": a layout on a button.
QString shortLayout(const analysis::ArrayLayout& layout);

}  // namespace tileloom
