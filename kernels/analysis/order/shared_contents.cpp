// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/order/shared_contents.h"

#include <utility>

#include "kernels/analysis/memory/boxes.h"
#include "kernels/analysis/order/barriers.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using emulator::Position;
using emulator::Provenance;
using emulator::WarpInterval;

std::vector<Provenance> sharedContents(const emulator::Trace& trace, std::uint32_t array,
                                       std::uint32_t warp, std::uint32_t index) {
  std::vector<Provenance> words(trace.arrays[array].elements);
  const Position now = trace.position(warp, index);
  // Asynchronous copies of each warp in flight: the data arrive when the warp waits for them.
  struct Copies {
    std::vector<std::pair<std::uint32_t, Provenance>> words;
    std::vector<std::size_t> groups;  // ends, counted in words
  };
  std::vector<Copies> copies(trace.warps);
  BarrierReplay barriers(trace);
  const auto arrive = [&](const emulator::BoxRecord& box) {
    if (box.array != array) return;
    forEachElement(trace, box, [&](std::uint32_t at, Provenance what) { words[at] = what; });
  };
  for (std::uint32_t interval = 0; interval <= now.interval; ++interval) {
    for (std::uint32_t w = 0; w < trace.warps; ++w) {
      const WarpInterval view = trace.at(w, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        if (interval == now.interval && i > now.instruction) break;
        const Instruction& instruction = view.instructions[i];
        for (const std::uint32_t box : barriers.execute(view, i)) arrive(trace.boxes[box]);
        if (instruction.kind == Kind::CopyCommit) {
          copies[w].groups.push_back(copies[w].words.size());
        } else if (instruction.kind == Kind::CopyWait) {
          auto& [waiting, groups] = copies[w];
          if (groups.size() <= instruction.width) continue;
          const auto arrived = groups.end() - instruction.width;
          const std::size_t count = *(arrived - 1);
          for (std::size_t c = 0; c < count; ++c) words[waiting[c].first] = waiting[c].second;
          waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(count));
          groups.erase(groups.begin(), arrived);
          for (std::size_t& end : groups) end -= count;
        }
        const bool copy = instruction.kind == Kind::AsyncCopy;
        const bool store =
            instruction.kind == Kind::SharedStore || instruction.kind == Kind::MatrixStore;
        if ((!store && !copy) || instruction.array != array) continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((instruction.mask >> lane & 1u) == 0) continue;
          const std::uint32_t* payload = view.payload(i, lane);
          for (std::uint32_t k = 0; k < instruction.elements(); ++k) {
            if (copy) {
              copies[w].words.emplace_back(payload[0] + k, Provenance(payload[1 + k]));
            } else {
              words[payload[0] + k] = Provenance(payload[1 + k]);
            }
          }
        }
      }
    }
  }
  return words;
}

}  // namespace tileloom::analysis
