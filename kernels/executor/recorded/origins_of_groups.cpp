// SPDX-License-Identifier: GPL-3.0-or-later
// The origins of what TMA and wgmma move and multiply.
#include <algorithm>

#include "kernels/emulator/asynchronous.h"
#include "kernels/executor/boxes.h"
#include "kernels/executor/group_operands.h"
#include "kernels/executor/memory.h"
#include "kernels/executor/recorded/origins.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::Provenance;

constexpr std::uint32_t kWordBytes = 4, kHalfBytes = 2;

// The byte of shared memory that holds an element of a box.
std::uint32_t placeOf(const BoxCopy& copy, std::uint32_t row, std::uint32_t column) {
  const TensorMap& map = *copy.map;
  return emulator::swizzled(copy.shared + row * map.rowBytes() + column * map.elementBytes,
                            map.swizzle);
}

}  // namespace

// The element of `bytes` bytes at this address; 0: it is none of a matrix.
std::uint32_t Origins::elementAt(std::uint64_t address, std::uint32_t bytes) const {
  const Role* const role = roleAt(address);
  if (role == nullptr || role->bytes != bytes) return 0;
  return elementsAt(address / kWordBytes * kWordBytes)[bytes == kWordBytes ? 0 : address % 4 / 2];
}

std::uint32_t Origins::boxTag(const BoxCopy& copy, std::uint32_t row, std::uint32_t column) const {
  return sharedTag(placeOf(copy, row, column));
}

void Origins::pass(const BoxCopy& copy) {
  const TensorMap& map = *copy.map;
  if (map.elementBytes != kWordBytes && map.elementBytes != kHalfBytes) return;
  const bool result = copy.store && [&] {
    const Role* const role = roleAt(map.address);
    return role != nullptr && role->matrix == Provenance::Source::C;
  }();
  for (std::uint32_t number = 0; number < map.boxRows(); ++number) {
    const BoxRow row = boxRow(map, copy.first, number);
    for (std::uint32_t column = 0; column < map.box[0]; ++column) {
      const bool inside = column >= row.from && column < row.to;
      const std::uint32_t place = placeOf(copy, number, column);
      if (place / kWordBytes >= shared_.size()) continue;
      std::uint32_t& tag = shared_[place / kWordBytes][place % kWordBytes / kHalfBytes];
      if (copy.store) {
        known_.ofStored += result && inside ? 1 : 0;
        known_.stored += result && inside && isSum(tag) ? 1 : 0;
      } else {
        tag = inside ? elementAt(row.address + std::uint64_t{column - row.from} * map.elementBytes,
                                 map.elementBytes)
                     : Provenance::outside().bits();
      }
    }
  }
}

void Origins::pass(const BulkCopy& copy, std::uint32_t rank) {
  const auto mine = [&](std::uint64_t place) { return place >> kRankShift == rank; };
  const auto wordAt = [](std::uint64_t place) { return (place & kPlaceMask) / kWordBytes; };
  const Role* const to = copy.toGlobal ? roleAt(copy.to) : nullptr;
  for (std::uint64_t byte = 0; byte < copy.bytes; byte += kWordBytes) {
    const std::uint64_t from = wordAt(copy.from) + byte / kWordBytes;
    WordTags tags{};
    if (copy.fromGlobal)
      tags = elementsAt(copy.from + byte);
    else if (mine(copy.from) && from < shared_.size())
      tags = shared_[from];
    if (copy.toGlobal) {
      if (to == nullptr || to->matrix != Provenance::Source::C) continue;
      const bool two = to->bytes == kHalfBytes;
      known_.ofStored += two ? 2 : 1;
      known_.stored += (isSum(tags[0]) ? 1u : 0u) + (two && isSum(tags[1]) ? 1u : 0u);
      continue;
    }
    const std::uint64_t place = wordAt(copy.to) + byte / kWordBytes;
    if (mine(copy.to) && place < shared_.size()) shared_[place] = tags;
  }
}

Origins::GroupFactors Origins::pass(const GroupProduct& product) {
  constexpr std::uint32_t kRows = 16;
  GroupFactors factors;
  const std::uint32_t warp = product.issue.warp, depth = product.depth, columns = product.columns;
  const bool halves = product.elementBytes == kHalfBytes;
  const std::uint32_t each = GroupOperand::kUnit / product.elementBytes;
  factors.a.resize(std::size_t{kRows} * depth);
  factors.b.resize(std::size_t{depth} * columns);
  const bool known = halves || product.elementBytes == kWordBytes;
  if (known && product.registersA) {
    const std::uint32_t parts = kWordBytes / product.elementBytes;
    for (std::uint32_t number = 0; number < 4; ++number) {
      const TagRow& from = row(warp, static_cast<std::uint16_t>(product.firstA + number));
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t k = lane % 4 * parts + number / 2 * 4 * parts;
        const std::uint32_t at = (lane / 4 + number % 2 * 8) * depth + k;
        factors.a[at] = Provenance(from.low().lane[lane]);
        if (parts == 2) factors.a[at + 1] = Provenance(from.high().lane[lane]);
      }
    }
  } else if (known) {
    const GroupOperand a = GroupOperand::of(product.a);
    const std::uint32_t first = warp % emulator::kWarpsPerGroup * kRows;
    for (std::uint32_t m = 0; m < kRows; ++m) {
      for (std::uint32_t k = 0; k < depth; ++k) {
        const std::uint32_t place =
            product.alongM ? a.alongN(k, first + m / 8 * 8) + m % 8 * kHalfBytes
                           : a.alongK(first + m, k / each) + k % each * product.elementBytes;
        factors.a[m * depth + k] = Provenance(sharedTag(place));
      }
    }
  }
  if (known) {
    const GroupOperand b = GroupOperand::of(product.b);
    for (std::uint32_t k = 0; k < depth; ++k) {
      for (std::uint32_t n = 0; n < columns; ++n) {
        const std::uint32_t place = product.alongN
                                        ? b.alongN(k, n / 8 * 8) + n % 8 * kHalfBytes
                                        : b.alongK(n, k / each) + k % each * product.elementBytes;
        factors.b[k * columns + n] = Provenance(sharedTag(place));
      }
    }
  }
  // Its sums, as long as the thread has numbers for them.
  WarpTags& tags = warps_[warp];
  const bool wide = product.count == columns / 2;
  const Provenance held(
      row(warp, static_cast<std::uint16_t>(std::min<std::uint32_t>(product.sums, kZeroRow)))
          .low()
          .lane[0]);
  const bool goesOn = product.keep && held.isAccumulator();
  factors.firstSum = goesOn ? held.slot() : tags.nextSum;
  const std::uint32_t last = factors.firstSum + columns / 2;
  if (!goesOn && last < Provenance::kSlotMask) tags.nextSum = last;
  for (std::uint32_t i = 0; i < product.count && product.sums + i < kZeroRow; ++i) {
    TagRow& to = tags.rows[product.sums + i];
    const auto sum = [&](std::uint32_t number) {
      const std::uint32_t slot = factors.firstSum + number;
      return slot < Provenance::kSlotMask ? Provenance::accumulator(slot).bits() : 0;
    };
    to.lower.lane.fill(sum(wide ? i : 2 * i));
    to.anyLower = true;
    to.upper.lane.fill(wide ? 0 : sum(2 * i + 1));
    to.anyUpper = true;
  }
  const std::uint64_t products = std::uint64_t{kRows} * depth * columns;
  known_.ofMultiplied += products;
  const auto isKnown = [](Provenance p) { return p.isElement() || p == Provenance::outside(); };
  if (std::ranges::all_of(factors.a, isKnown) && std::ranges::all_of(factors.b, isKnown))
    known_.multiplied += products;
  return factors;
}

}  // namespace tileloom::executor::recorded
