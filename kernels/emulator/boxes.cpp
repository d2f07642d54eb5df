// SPDX-License-Identifier: GPL-3.0-or-later
// TMA loads: boxes of a matrix come to shared memory, swizzled, with zeros for elements outside the
// matrix, and count on an mbarrier.
#include "kernels/emulator/agents.h"
#include "kernels/emulator/box_inside.h"

namespace tileloom::emulator {

Box Agents::boxOf(std::uint32_t matrix) const {
  for (const Box& box : boxShapes_) {
    if (box.matrix == static_cast<int>(matrix)) return box;
  }
  return {};
}

// The request as a record. A box without a place in shared memory has no rows.
BoxRecord Agents::recordOf(const BoxRequest& request, int line) const {
  const Box shape = boxOf(request.matrix);
  BoxRecord box;
  box.matrix = request.matrix;
  box.x = request.x;
  box.y = request.y;
  box.columns = static_cast<std::uint32_t>(shape.columns);
  box.rows = static_cast<std::uint32_t>(shape.rows);
  box.swizzle = static_cast<std::uint32_t>(shape.swizzle);
  box.array = request.array;
  box.index = static_cast<std::uint32_t>(request.index);
  box.address = block_.arrays[request.array].base * 4 + box.index * 2;
  box.barrier = request.barrier;
  box.bytes = box.columns * box.rows * 2;
  box.warp = thread() / kWarpSize;
  box.line = static_cast<std::uint16_t>(line);
  box.rank = rank_;
  box.interval = round_;
  box.walk = request.walk;
  if (!judges().allows(event::BoxPlace{here(line), request.index, &box})) box.rows = 0;
  return box;
}

void Agents::loadBox(const BoxRequest& request, int line) {
  report(event::BoxLoad{here(line), request.array, static_cast<std::uint32_t>(request.index),
                        static_cast<std::uint32_t>(judges().requests().boxes.size())});
  BoxRecord box = recordOf(request, line);
  box.multicast = request.ranks != 0;
  box.ranks = box.multicast ? request.ranks : 1u << rank_;
  if (!judges().allows(event::BoxTargets{here(line), box.ranks})) return;
  deliver(*this, box, line);
  constexpr const char* kWhat = "requests a box for";
  for (std::uint32_t rank = 0; box.ranks >> rank != 0; ++rank) {
    if (rank == rank_ || (box.ranks >> rank & 1u) == 0) continue;
    if (!judges().allows(event::PeerUse{here(line), rank, kWhat})) return;
    report(event::Visit{here(line), rank, kWhat});
    deliver(*peer(rank), box, line);
  }
}

// The box comes to `to`, the own block or another one of the cluster.
void Agents::deliver(Agents& to, BoxRecord box, int line) {
  if (!usable(to, box.barrier, line, "load_box")) return;
  event::BarrierState& barrier = to.barriers_[box.barrier];
  box.phase = barrier.phase;
  report(event::BoxRequested{here(line), &box, to.rank_});
  fill(to, box);
  to.report(event::BoxArrived{here(line), &box});
  barrier.bytes -= box.bytes;
  to.endPhase(box.barrier);
}

void Agents::fill(Agents& to, BoxRecord& box) const {
  BlockState& memory = to.block_;
  const Array& matrix = block_.arrays[box.matrix];
  const BoxInside inside = insideOf(box, matrix, block_.kEnd);
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    const std::int64_t y = std::int64_t{box.y} + row;
    for (std::uint32_t column = 0; column < box.columns; column += 2) {
      const auto element = [&](std::uint32_t at) -> RegisterSlot {
        const std::int64_t x = std::int64_t{box.x} + at;
        if (!inside.contains(y, x)) {
          ++box.outside;
          return {0, Provenance::outside()};
        }
        const auto index = static_cast<std::uint32_t>(y * matrix.columns + x);
        if (!values_)
          return {0, Provenance::element(static_cast<Provenance::Source>(box.matrix + 1), index)};
        return block_.elementOf(box.matrix, index);
      };
      const std::size_t word = box.byteOf(row, column) / 4;
      memory.shared[word].held = element(column);
      memory.upper[word] = element(column + 1);
    }
  }
}

}  // namespace tileloom::emulator
