// SPDX-License-Identifier: GPL-3.0-or-later
// TMA loads: boxes of a matrix come to shared memory, swizzled, with zeros for elements outside the
// matrix, and count on an mbarrier.
#include <fmt/format.h>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"
#include "kernels/emulator/box_inside.h"

namespace tileloom::emulator {

Box Agents::boxOf(std::uint32_t matrix) const {
  for (const Box& box : boxShapes_) {
    if (box.matrix == static_cast<int>(matrix)) return box;
  }
  return {};
}

// The request as a record, with faults where shared memory has no place for the box.
BoxRecord Agents::recordOf(const BoxRequest& request, int line) {
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
  box.barrier = request.barrier;
  box.bytes = box.columns * box.rows * 2;
  box.warp = thread() / kWarpSize;
  box.line = static_cast<std::uint16_t>(line);
  const Array& array = block_.arrays_[request.array];
  if (request.array < kFirstShared) {
    add(faultOf(
        FaultKind::OutOfBounds, line,
        fmt::format("requests a box at an element of {}, but a box must be in shared memory",
                    array.name)));
    box.rows = 0;
    return box;
  }
  box.address = array.base * 4 + box.index * 2;
  if (request.index < 0 || request.index + box.columns * box.rows > array.elements) {
    Fault fault =
        faultOf(FaultKind::OutOfBounds, line,
                fmt::format("requests a box of {} elements at {}[{}], which has {}",
                            box.columns * box.rows, array.name, request.index, array.elements));
    fault.array = array.name;
    fault.index = request.index;
    fault.size = array.elements;
    add(std::move(fault));
    box.rows = 0;  // nothing arrives
  }
  // The pattern of the swizzle repeats every 8 rows.
  if (box.address % (8 * box.swizzle) != 0) {
    add(faultOf(FaultKind::Misaligned, line,
                fmt::format("requests a box at byte {} of shared memory, but one with a swizzle of "
                            "{} bytes must begin at a multiple of {}",
                            box.address, box.swizzle, 8 * box.swizzle)));
  }
  box.rank = rank_;
  box.interval = round_;
  box.walk = request.walk;
  return box;
}

void Agents::loadBox(const BoxRequest& request, int line) {
  block_.recorder_.event(
      Kind::BoxLoad, line, request.array, 0,
      {static_cast<std::uint32_t>(request.index), static_cast<std::uint32_t>(boxes_.size())});
  BoxRecord box = recordOf(request, line);
  box.multicast = request.ranks != 0;
  box.ranks = box.multicast ? request.ranks : 1u << rank_;
  if ((box.ranks >> rank_ & 1u) == 0) {
    add(faultOf(FaultKind::OutOfBounds, line,
                "requests a box that its own block does not receive, which the emulator does not "
                "support: include the block's own rank"));
    return;
  }
  deliver(*this, box, line);
  for (std::uint32_t rank = 0; box.ranks >> rank != 0; ++rank) {
    if (rank == rank_ || (box.ranks >> rank & 1u) == 0) continue;
    Agents* const other = peer(rank);
    if (other == nullptr) {
      add(faultOf(FaultKind::OutOfBounds, line,
                  fmt::format("requests a box for the block with rank {}, and its cluster has {}",
                              rank, std::max<std::size_t>(1, blocks_.size()))));
      return;
    }
    visit(*other, line, "requests a box for");
    wellWritten_ = wellRead_ = 0;  // these are of its own shared memory
    deliver(*other, box, line);
    wellWritten_ = wellRead_ = 0;
  }
}

// The box comes to `to`, the own block or another one of the cluster.
void Agents::deliver(Agents& to, BoxRecord box, int line) {
  if (!usable(to, box.barrier, line, "load_box")) return;
  Barrier& barrier = to.barriers_[box.barrier];
  if (!barrier.published) {
    add(faultOf(FaultKind::NoFence, line,
                fmt::format("requests a box on {}, which is not yet visible to TMA: call "
                            "publish_barriers() after start()",
                            to.barrierText(box.barrier))));
  }
  box.phase = barrier.phase;
  fill(to, box, line);
  to.boxes_.push_back(box);
  barrier.bytes -= box.bytes;
  barrier.arriving.joinPhases(clock());
  to.endPhase(barrier, box.barrier);
}

void Agents::fill(Agents& to, BoxRecord& box, int line) {
  Workspace& memory = to.block_.workspace_;
  const Array& matrix = block_.arrays_[box.matrix];
  const std::uint32_t stamp =
      (box.phase + 1) << kThreadBits | Component::agent(to.barrierComponent(box.barrier));
  const std::uint32_t first = block_.arrays_[box.array].base * 4;
  const BoxInside inside = insideOf(box, matrix, block_.kEnd());
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    const std::int64_t y = std::int64_t{box.y} + row;
    for (std::uint32_t column = 0; column < box.columns; column += 2) {
      const std::uint32_t byte = box.byteOf(row, column);
      Workspace::SharedWord& word = memory.shared_[byte / 4];
      checkOverwrite(to, word.written, word.read, box.array, (byte - first) / 2, line, true);
      word.written = stamp;
      word.read = 0;
      const auto element = [&](std::uint32_t at) -> RegisterSlot {
        const std::int64_t x = std::int64_t{box.x} + at;
        if (!inside.contains(y, x)) {
          ++box.outside;
          return {0, Provenance::outside()};
        }
        const auto index = static_cast<std::uint32_t>(y * matrix.columns + x);
        if (!values_)
          return {0, Provenance::element(static_cast<Provenance::Source>(box.matrix + 1), index)};
        return block_.halfOf(box.matrix, index);
      };
      const RegisterSlot lower = element(column), upper = element(column + 1);
      word.value = lower.value;
      word.provenance = lower.provenance;
      memory.upper_[byte / 4] = upper;
    }
  }
}

}  // namespace tileloom::emulator
