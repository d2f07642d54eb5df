// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/bounds.h"

#include <fmt/format.h>

#include "kernels/emulator/recorded_counts.h"

namespace tileloom::emulator::judges {

void Bounds::report(FaultKind kind, std::uint32_t thread, Site site, std::uint32_t array,
                    std::int64_t index, bool store) {
  context_.reportElement(kind, {thread, site}, array, index, store);
}

bool Bounds::allows(const event::RowAttempt& e) {
  const Array& array = context_.array(e.array);
  if (array.space == Space::Shared) return allows(static_cast<const event::Attempt&>(e));
  Fault fault = context_.faultOf(FaultKind::OutOfBounds, e.at);
  fault.array = array.name;
  fault.index = e.index;
  fault.size = array.elements;
  fault.detail =
      fmt::format("names a row of {} to {}, which {} shared memory only", array.name,
                  wordFor(e.kind, e.turned), e.kind == Kind::MatrixStore ? "writes" : "reads");
  context_.report(std::move(fault));
  return false;
}

void Bounds::reportOperand(const event::OperandRead& e) {
  context_.report(
      FaultKind::OutOfBounds, e.at,
      fmt::format("issues a wgmma whose operand is at byte {} of shared memory, which has {}",
                  e.byte, 4 * context_.shadow.words.size()));
}

bool Bounds::allows(const event::BoxPlace& e) {
  const BoxRecord& box = *e.box;
  const Array& array = context_.array(box.array);
  if (array.space != Space::Shared) {
    context_.report(
        FaultKind::OutOfBounds, e.at,
        fmt::format("requests a box at an element of {}, but a box must be in shared memory",
                    array.name));
    return false;
  }
  const bool inside = e.index >= 0 && e.index + box.columns * box.rows <= array.elements;
  if (!inside) {
    Fault fault = context_.faultOf(FaultKind::OutOfBounds, e.at);
    fault.detail = fmt::format("requests a box of {} elements at {}[{}], which has {}",
                               box.columns * box.rows, array.name, e.index, array.elements);
    fault.array = array.name;
    fault.index = e.index;
    fault.size = array.elements;
    context_.report(std::move(fault));
  }
  // The pattern of the swizzle repeats every 8 rows.
  if (box.swizzle != 0 && box.address % (8 * box.swizzle) != 0) {
    context_.report(
        FaultKind::Misaligned, e.at,
        fmt::format("requests a box at byte {} of shared memory, but one with a swizzle of "
                    "{} bytes must begin at a multiple of {}",
                    box.address, box.swizzle, 8 * box.swizzle));
  }
  return inside;
}

bool Bounds::allows(const event::BoxTargets& e) {
  if ((e.ranks >> context_.place.rank & 1u) != 0) return true;
  context_.report(FaultKind::OutOfBounds, e.at,
                  "requests a box that its own block does not receive, which the emulator does not "
                  "support: include the block's own rank");
  return false;
}

bool Bounds::allows(const event::PeerUse& e) {
  if (context_.peer(e.rank) != nullptr) return true;
  context_.report(FaultKind::OutOfBounds, e.at,
                  fmt::format("{} the block with rank {}, and its cluster has {}", e.what, e.rank,
                              context_.cluster.size()));
  return false;
}

void Bounds::see(const event::RegisterOutside& e) {
  Fault fault = context_.faultOf(FaultKind::OutOfBounds, e.at);
  fault.array = e.name;
  fault.index = e.index;
  fault.size = e.size;
  context_.report(std::move(fault));
}

void Bounds::checkGroups(const Origin& at, std::uint32_t newest) {
  if (std::string detail = tooManyGroups(newest); !detail.empty())
    context_.report(FaultKind::OutOfBounds, at, std::move(detail));
}

}  // namespace tileloom::emulator::judges
