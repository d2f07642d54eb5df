// SPDX-License-Identifier: GPL-3.0-or-later
// TMA stores: boxes from shared memory to a matrix, without the part outside it. TMA reads them
// some time between the request and the end of a wait_boxes() of the requesting thread.
#include <utility>

#include "kernels/emulator/agents.h"

namespace tileloom::emulator {

void Agents::storeBox(const BoxRequest& request, int line) {
  report(event::BoxStore{here(line), request.array, static_cast<std::uint32_t>(request.index),
                         static_cast<std::uint32_t>(judges().requests().boxStores.size())});
  BoxStoreRecord store;
  store.box = recordOf(request, line);
  store.group = asked_[thread()].committedBoxes;
  BoxRecord& box = store.box;
  const Array& matrix = block_.arrays[box.matrix];
  const Array& array = block_.arrays[box.array];
  std::byte* const write = block_.setup.matrices[box.matrix].writable;
  const FormatRow& format = *block_.format;
  store.values.reserve(std::size_t{box.rows} * box.columns);
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    const std::int64_t y = std::int64_t{box.y} + row;
    for (std::uint32_t column = 0; column < box.columns; column += 2) {
      const std::uint32_t at = box.byteOf(row, column) / 4;
      judges().see(event::AgentLoad{here(line), event::Agent::Stores, store.group, box.array,
                                    (std::int64_t{at} - array.base) * 2, at});
      const RegisterSlot pair[] = {block_.shared[at].held, block_.upper[at]};
      for (std::uint32_t i = 0; i < 2; ++i) {
        store.values.push_back(pair[i].provenance);
        const std::int64_t x = std::int64_t{box.x} + column + i;
        if (y < 0 || y >= matrix.rows || x < 0 || x >= matrix.columns) {
          ++box.outside;
        } else if (write != nullptr) {
          setElementBits(write, static_cast<std::uint32_t>(y * matrix.columns + x), format.bits,
                         format.bitsOf(pair[i].value));
        }
      }
    }
  }
  report(event::BoxStored{here(line), std::move(store)});
}

void Agents::commitBoxes(int line) {
  report(event::CommitBoxes{here(line)});
  ++asked_[thread()].committedBoxes;
}

void Agents::waitForBoxes(std::uint32_t newest, int line) {
  report(event::WaitBoxes{here(line), newest});
  const std::uint32_t committed = asked_[thread()].committedBoxes;
  if (committed > newest) report(event::BoxesRead{here(line), committed - newest});
}

}  // namespace tileloom::emulator
