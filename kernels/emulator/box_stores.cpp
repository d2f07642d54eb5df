// SPDX-License-Identifier: GPL-3.0-or-later
// TMA stores: boxes from shared memory to a matrix, without the part outside it. TMA reads them
// some time between the request and the end of a wait_boxes() of the requesting thread.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"
#include "kernels/emulator/recorded_counts.h"

namespace tileloom::emulator {

void Agents::storeBox(const BoxRequest& request, int line) {
  block_.recorder_.event(
      Kind::BoxStore, line, request.array, 0,
      {static_cast<std::uint32_t>(request.index), static_cast<std::uint32_t>(boxStores_.size())});
  const std::uint32_t warp = thread() / kWarpSize;
  BoxStoreRecord store;
  store.box = recordOf(request, line);
  store.group = asked_[thread()].committedBoxes;
  BoxRecord& box = store.box;
  const Array& matrix = block_.arrays_[box.matrix];
  const Array& array = block_.arrays_[box.array];
  const std::uint32_t stamp =
      (store.group + 1) << kThreadBits | Component::agent(storesComponent(warp));
  std::uint16_t* const write = block_.setup().matrices[box.matrix].writeHalves;
  store.values.reserve(std::size_t{box.rows} * box.columns);
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    const std::int64_t y = std::int64_t{box.y} + row;
    for (std::uint32_t column = 0; column < box.columns; column += 2) {
      const std::size_t at = box.byteOf(row, column) / 4;
      const std::int64_t index = static_cast<std::int64_t>(at - array.base) * 2;
      readByAgent(at, box.array, index, stamp, line, "issues a TMA store of");
      const Workspace::SharedWord& word = block_.workspace_.shared_[at];
      const RegisterSlot pair[] = {{word.value, word.provenance}, block_.workspace_.upper_[at]};
      for (std::uint32_t i = 0; i < 2; ++i) {
        store.values.push_back(pair[i].provenance);
        const std::int64_t x = std::int64_t{box.x} + column + i;
        if (y < 0 || y >= matrix.rows || x < 0 || x >= matrix.columns) {
          ++box.outside;
        } else if (write != nullptr) {
          write[y * matrix.columns + x] = halfBits(block_.setup().format, pair[i].value);
        }
      }
    }
  }
  boxStores_.push_back(std::move(store));
}

void Agents::commitBoxes(int line) {
  block_.recorder_.event(Kind::CommitBoxes, line);
  ++asked_[thread()].committedBoxes;
}

void Agents::waitForBoxes(std::uint32_t newest, int line) {
  if (std::string detail = tooManyGroups(newest); !detail.empty())
    add(faultOf(FaultKind::OutOfBounds, line, std::move(detail)));
  block_.recorder_.event(Kind::WaitBoxes, line, std::min(newest, kMostGroupsLeft));
  const std::uint32_t committed = asked_[thread()].committedBoxes;
  if (committed <= newest) return;
  std::uint32_t& heard = clock().heard[storesComponent(thread() / kWarpSize)];
  heard = std::max(heard, committed - newest);
  readers_.forget();
  wellWritten_ = wellRead_ = 0;
}

// "which the TMA store of line 120 reads", and why the read may still be in flight.
std::string Agents::storeText(std::uint32_t warp, std::uint32_t group) const {
  const auto its = std::ranges::find_if(boxStores_, [&](const BoxStoreRecord& store) {
    return store.box.warp == warp && store.group == group;
  });
  return fmt::format(
      "which the TMA store of line {} reads: for this thread (wait_boxes), group {} of these "
      "stores may still be in flight",
      its != boxStores_.end() ? its->box.line : 0, group);
}

// A thread that stores a box must wait until it has been read: the memory ends with the block.
void Agents::reportStores() {
  for (std::uint32_t warp = 0; warp < clocks_.size(); ++warp) {
    const auto last =
        std::ranges::find_if(boxStores_.rbegin(), boxStores_.rend(),
                             [&](const BoxStoreRecord& store) { return store.box.warp == warp; });
    if (last == boxStores_.rend() || clocks_[warp].heard[storesComponent(warp)] > last->group)
      continue;
    block_.thread_ = warp * kWarpSize;
    add(faultOf(FaultKind::LeftUnderWay, last->box.line,
                "issues a TMA store, and the block, with its shared memory, ends without a "
                "wait_boxes() for it"));
    return;
  }
}

}  // namespace tileloom::emulator
