// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/recorded/origins.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/executor/accumulation.h"
#include "kernels/executor/lanes.h"
#include "kernels/executor/recorded/tag_rules.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"
#include "kernels/tile/mma_table.h"

namespace tileloom::executor::recorded {
namespace {

using emulator::Kind;
using emulator::Provenance;

constexpr std::uint32_t kWordBytes = 4;

const TagRow kNoRow{};

std::uint32_t firstOf(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

// Calls `each` with the number of each lane.
template <class Each>
void forLanes(std::uint32_t lanes, Each&& each) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) each(firstOf(rest));
}

std::uint64_t countOf(std::uint32_t lanes) {
  return static_cast<std::uint64_t>(std::popcount(lanes));
}

}  // namespace

Origins::Origins(std::uint32_t warps, std::uint32_t sharedBytes, std::span<const Buffer> buffers,
                 std::vector<Role> roles)
    : buffers_(buffers), roles_(std::move(roles)), warps_(warps) {
  for (WarpTags& each : warps_) each.rows.resize(kWasteRow + 1);
  shared_.resize((sharedBytes + kWordBytes - 1) / kWordBytes);
}

const TagRow& Origins::row(std::uint32_t warp, std::uint16_t number) const {
  return number < kZeroRow ? warps_[warp].rows[number] : kNoRow;
}

const TagRow& Origins::row(std::uint32_t warp, const Source& source) const {
  return source.fixed ? kNoRow : row(warp, source.row);
}

TagRow& Origins::written(std::uint32_t warp, const Operation& o, std::uint32_t word) {
  const auto number = o.result >= kZeroRow ? kWasteRow : o.result + word;
  return warps_[warp].rows[std::min<std::size_t>(number, kWasteRow)];
}

std::uint32_t Origins::freshSum(std::uint32_t warp) const {
  // A thread has no more numbers: what begins then has no known origin.
  constexpr std::uint32_t kMost = Provenance::kSlotMask - 1;
  const std::uint32_t next = warps_[warp].nextSum;
  return next < kMost ? Provenance::accumulator(next).bits() : 0;
}

std::uint32_t Origins::abroad(std::uint32_t tag, std::uint32_t thread) {
  const Provenance sum(tag);
  if (!sum.isAccumulator() || tag > Provenance::kSlotMask) return tag;
  return Provenance::accumulatorOf(thread, sum.slot()).bits();
}

const Role* Origins::roleAt(std::uint64_t address) const {
  for (const Role& each : roles_) {
    const Buffer& buffer = buffers_[each.buffer];
    if (address >= buffer.address && address - buffer.address < buffer.bytes.size()) return &each;
  }
  return nullptr;
}

// The elements of the word with this address.
WordTags Origins::elementsAt(std::uint64_t address) const {
  const Role* const role = roleAt(address);
  if (role == nullptr) return {};
  const auto first = static_cast<std::uint32_t>((address - addressOf(*role)) / role->bytes);
  const auto tag = [&](std::uint32_t index) {
    const bool exists = std::uint64_t{index} < std::uint64_t{role->rows} * role->columns;
    return exists ? Provenance::element(role->matrix, index).bits() : 0;
  };
  if (role->bytes == kWordBytes) return {tag(first), 0};
  return {tag(first), tag(first + 1)};
}

void Origins::lose(std::uint32_t warp, const Operation& o, std::uint32_t lanes) {
  for (std::uint32_t word = 0; word < o.written; ++word) {
    TagRow& to = written(warp, o, word);
    clearTags(to.lower, to.anyLower, lanes);
    clearTags(to.upper, to.anyUpper, lanes);
  }
}

void Origins::move(std::uint32_t warp, const Operation& o, std::uint32_t lanes,
                   const Source& source) {
  const TagRow& from = row(warp, source);
  TagRow& to = written(warp, o, 0);
  if (from.anyLower || to.anyLower) putTags(to.lower, to.anyLower, from.low(), lanes);
  if (from.anyUpper || to.anyUpper) putTags(to.upper, to.anyUpper, from.high(), lanes);
}

// FP32 and FP64 numbers: A * B, A + B or A * B + C.
void Origins::fused(std::uint32_t warp, const Operation& o, std::uint32_t lanes, bool adds) {
  TagRow& to = written(warp, o, 0);
  const LaneTags &a = row(warp, o.a).low(), &b = row(warp, o.b).low();
  const LaneTags& c = adds ? row(warp, o.c).low() : kNoTags;
  known_.ofMultiplied += countOf(lanes);
  clearTags(to.upper, to.anyUpper, lanes);
  // The main loop of most kernels: a sum in its register grows.
  if (adds && lanes == kAllLanes && o.written == 1 && !o.c.fixed && o.c.row == o.result &&
      allAdd(a, b, c)) {
    known_.multiplied += kLanes;
    const bool turned = a.lane[0] >> 30 == 2;
    return product(lanes, turned ? b : a, turned ? a : b, c);
  }
  for (std::uint32_t word = 1; word < o.written; ++word) {
    TagRow& other = written(warp, o, word);
    clearTags(other.lower, other.anyLower, lanes);
  }
  if (&a == &kNoTags && &b == &kNoTags && &c == &kNoTags)
    return clearTags(to.lower, to.anyLower, lanes);
  // The result may be one of the sources.
  made_[0] = a;
  made_[1] = b;
  const Fused done = fuse(made_[0], made_[1], c, lanes, freshSum(warp), made_[2]);
  putTags(to.lower, to.anyLower, made_[2], lanes);
  if (done.begins) ++warps_[warp].nextSum;
  if (done.products == 0) return;
  known_.multiplied += countOf(done.products);
  const bool turned = made_[0].lane[firstOf(done.products)] >> 30 == 2;
  product(lanes, made_[turned ? 1 : 0], made_[turned ? 0 : 1], made_[2]);
}

// The factor of A is first.
void Origins::product(std::uint32_t lanes, const LaneTags& a, const LaneTags& b,
                      const LaneTags& sums) {
  Multiplied& m = multiplied_[products_++];
  m.kind = Kind::Fma;
  m.lanes = lanes;
  m.count = 3;
  m.rows[0] = &a;
  m.rows[1] = &b;
  m.rows[2] = &sums;
}

// The same of two numbers of 16 bits each.
void Origins::pairs(std::uint32_t warp, const Operation& o, std::uint32_t lanes) {
  const auto half = [&](const Source& source, bool upper) -> const LaneTags& {
    const TagRow& from = row(warp, source);
    const bool high = source.half == 0 ? upper : source.half == 3;
    return high ? from.high() : from.low();
  };
  const bool adds = o.follow == Follow::Sums;
  for (const bool upper : {false, true}) {
    LaneTags* const made = &made_[upper ? 3 : 0];
    made[0] = half(o.a, upper);
    made[1] = half(o.b, upper);
    const LaneTags third = o.follow == Follow::FusedPairs ? half(o.c, upper) : kNoTags;
    if (adds) {
      forLanes(kAllLanes,
               [&](auto i) { made[2].lane[i] = kept(made[0].lane[i], made[1].lane[i]); });
      continue;
    }
    known_.ofMultiplied += countOf(lanes);
    const Fused done = fuse(made[0], made[1], third, lanes, freshSum(warp), made[2]);
    if (done.begins) ++warps_[warp].nextSum;
    if (done.products == 0) continue;
    known_.multiplied += countOf(done.products);
    const bool turned = made[0].lane[firstOf(done.products)] >> 30 == 2;
    product(lanes, made[turned ? 1 : 0], made[turned ? 0 : 1], made[2]);
  }
  TagRow& to = written(warp, o, 0);
  putTags(to.lower, to.anyLower, made_[2], lanes);
  putTags(to.upper, to.anyUpper, made_[5], lanes);
}

// Halves that are moved whole.
void Origins::bytes(std::uint32_t warp, const Operation& o, std::uint32_t lanes,
                    const Warp& state) {
  if (o.kind != 0) return lose(warp, o, lanes);
  const Row& names = plain(state.registers, *state.around().program, o.b);
  const TagRow &a = row(warp, o.a), &c = row(warp, o.c);
  TagRow& to = written(warp, o, 0);
  if (!a.anyLower && !a.anyUpper && !c.anyLower && !c.anyUpper) return lose(warp, o, lanes);
  const auto half = [&](std::uint32_t i, std::uint32_t named) -> std::uint32_t {
    switch (named & 0xff) {
      case 0x10:
        return a.low().lane[i];
      case 0x32:
        return a.high().lane[i];
      case 0x54:
        return c.low().lane[i];
      case 0x76:
        return c.high().lane[i];
      default:
        return 0;
    }
  };
  forLanes(kAllLanes, [&](auto i) {
    made_[0].lane[i] = half(i, names.lane[i]);
    made_[1].lane[i] = half(i, names.lane[i] >> 8);
  });
  putTags(to.lower, to.anyLower, made_[0], lanes);
  putTags(to.upper, to.anyUpper, made_[1], lanes);
}

void Origins::packed(std::uint32_t warp, const Operation& o, std::uint32_t lanes) {
  made_[0] = row(warp, o.b).low();
  made_[1] = row(warp, o.a).low();
  TagRow& to = written(warp, o, 0);
  putTags(to.lower, to.anyLower, made_[0], lanes);
  putTags(to.upper, to.anyUpper, made_[1], lanes);
}

void Origins::shuffled(std::uint32_t warp, const Operation& o, std::uint32_t lanes,
                       const Warp& state) {
  const TagRow& from = row(warp, o.a);
  if (!from.anyLower && !from.anyUpper) return lose(warp, o, lanes);
  const Exchange exchange = exchangeOf(state, o);
  forLanes(kAllLanes, [&](auto i) {
    const std::uint32_t lane = exchange.from[i];
    const auto taken = [&](const LaneTags& tags) {
      return lane == i ? tags.lane[i] : abroad(tags.lane[lane], warp * kLanes + lane);
    };
    made_[0].lane[i] = taken(from.low());
    made_[1].lane[i] = taken(from.high());
  });
  TagRow& to = written(warp, o, 0);
  putTags(to.lower, to.anyLower, made_[0], lanes);
  putTags(to.upper, to.anyUpper, made_[1], lanes);
}

// A tensor core's product of matrices in registers. The sums are FP32, or two halves in a register.
void Origins::matrices(std::uint32_t warp, const Operation& o, std::uint32_t lanes) {
  const auto factor = static_cast<Factor>(o.kind);
  constexpr std::uint32_t kTf32Depth = 8, kHalfDepth = 16;
  const bool tf32 = factor == Factor::Tf32 && o.table == kTf32Depth;
  const bool known =
      tf32 || (o.table == kHalfDepth && (factor == Factor::Fp16 || factor == Factor::Bf16));
  if (!known || lanes != kAllLanes) return lose(warp, o, lanes);
  const MmaRow& mma = rowOf(tf32 ? Mma::M16n8k8Tf32 : Mma::M16n8k16);
  Multiplied& m = multiplied_[products_++];
  m.kind = Kind::Mma;
  m.mma = mma.mma;
  m.lanes = lanes;
  m.count = 0;
  const std::uint32_t parts = mma.elementsPerRegister();
  // The result may be in registers of A or B, too.
  const auto add = [&](const Source& source, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto number = source.row >= kZeroRow ? kZeroRow : source.row + i / parts;
      const TagRow& from = row(warp, static_cast<std::uint16_t>(number));
      LaneTags& kept = factors_[m.count];
      kept = i % parts == 1 ? from.high() : from.low();
      m.rows[m.count++] = &kept;
    }
  };
  add(o.a, mma.laneA());
  add(o.b, mma.laneB());
  for (std::uint32_t i = 0; i < mma.laneC(); ++i) {
    const std::uint32_t word = o.wide ? i : i / 2;
    const bool upper = !o.wide && i % 2 == 1;
    const auto number = o.c.row >= kZeroRow ? kZeroRow : o.c.row + word;
    const TagRow& from = row(warp, static_cast<std::uint16_t>(number));
    const LaneTags& sums = upper ? from.high() : from.low();
    const std::uint32_t fresh = freshSum(warp);
    bool begins = false;
    forLanes(kAllLanes, [&](auto lane) {
      const bool has = isSum(sums.lane[lane]);
      begins = begins || !has;
      made_[i].lane[lane] = has ? sums.lane[lane] : fresh;
    });
    if (begins) ++warps_[warp].nextSum;
    m.rows[m.count++] = &made_[i];
  }
  const std::uint64_t products = std::uint64_t{mma.products()};
  known_.ofMultiplied += products;
  const bool all = std::ranges::all_of(
      std::span(m.rows).first(mma.laneA() + mma.laneB()), [](const LaneTags* tags) {
        return std::ranges::all_of(tags->lane, [](auto tag) { return isElement(tag); });
      });
  known_.multiplied += all ? products : 0;
  for (std::uint32_t i = 0; i < mma.laneC(); ++i) {
    TagRow& to = written(warp, o, o.wide ? i : i / 2);
    const bool upper = !o.wide && i % 2 == 1;
    putTags(upper ? to.upper : to.lower, upper ? to.anyUpper : to.anyLower, made_[i], kAllLanes);
    if (o.wide) clearTags(to.upper, to.anyUpper, kAllLanes);
  }
}

namespace {

// A lane's register has two elements that follow each other in a row of a matrix of 8 x 8 (PTX ISA,
// ldmatrix). Where element `i` of a lane is.
struct Place {
  std::uint32_t line = 0, column = 0;
};
Place placeOf(std::uint32_t lane, std::uint32_t i, bool turned) {
  const Place place{lane / 4, lane % 4 * 2 + i};
  return turned ? Place{place.column, place.line} : place;
}

}  // namespace

void Origins::transposed(std::uint32_t warp, const Operation& o) {
  const TagRow& from = row(warp, o.a);
  TagRow made;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const Place place = placeOf(lane, i, true);
      const std::uint32_t holder = place.line * 4 + place.column / 2;
      const std::uint32_t tag = (place.column % 2 == 1 ? from.high() : from.low()).lane[holder];
      (i == 1 ? made.upper : made.lower).lane[lane] =
          holder == lane ? tag : abroad(tag, warp * kLanes + holder);
    }
  }
  made.anyLower = from.anyLower || from.anyUpper;
  made.anyUpper = made.anyLower;
  written(warp, o, 0) = made;
}

std::span<const Multiplied> Origins::pass(std::uint32_t warp, std::uint32_t lanes,
                                          const Operation& o, const Warp& state) {
  products_ = 0;
  switch (o.follow) {
    case Follow::Nothing:
    case Follow::Memory:
      break;
    case Follow::Lost:
      lose(warp, o, lanes);
      break;
    case Follow::First:
      move(warp, o, lanes, o.a);
      break;
    case Follow::Second:
      move(warp, o, lanes, o.b);
      break;
    case Follow::Third:
      move(warp, o, lanes, o.c);
      break;
    case Follow::Choice: {
      // B first: the result may be A or B.
      const std::uint32_t first = truth(state.registers, o.p) & lanes;
      const TagRow a = row(warp, o.a);
      move(warp, o, lanes & ~first, o.b);
      TagRow& to = written(warp, o, 0);
      putTags(to.lower, to.anyLower, a.low(), first);
      putTags(to.upper, to.anyUpper, a.high(), first);
      break;
    }
    case Follow::Bytes:
      bytes(warp, o, lanes, state);
      break;
    case Follow::Upward:
    case Follow::Upper: {
      const TagRow& from = row(warp, o.a);
      made_[0] = o.follow == Follow::Upward ? from.low() : from.high();
      TagRow& to = written(warp, o, 0);
      // As an FP32 number, which a bfloat16 with zeros behind it is.
      putTags(to.lower, to.anyLower, made_[0], lanes);
      clearTags(to.upper, to.anyUpper, lanes);
      break;
    }
    case Follow::Sum: {
      made_[0] = row(warp, o.a).low();
      const LaneTags& b = row(warp, o.b).low();
      forLanes(kAllLanes, [&](auto i) { made_[0].lane[i] = kept(made_[0].lane[i], b.lane[i]); });
      lose(warp, o, lanes);
      TagRow& to = written(warp, o, 0);
      putTags(to.lower, to.anyLower, made_[0], lanes);
      break;
    }
    case Follow::Product:
      fused(warp, o, lanes, false);
      break;
    case Follow::Fused:
      fused(warp, o, lanes, true);
      break;
    case Follow::Products:
    case Follow::Sums:
    case Follow::FusedPairs:
      pairs(warp, o, lanes);
      break;
    case Follow::Widened: {
      const Source& source = o.a.fixed || o.a.row == kZeroRow ? o.b : o.a;
      const TagRow& from = row(warp, source);
      made_[0] = source.half == 3 ? from.high() : from.low();
      TagRow& to = written(warp, o, 0);
      putTags(to.lower, to.anyLower, made_[0], lanes);
      clearTags(to.upper, to.anyUpper, lanes);
      break;
    }
    case Follow::Packed:
      packed(warp, o, lanes);
      break;
    case Follow::Shuffled:
      shuffled(warp, o, lanes, state);
      break;
    case Follow::Transposed:
      transposed(warp, o);
      break;
    case Follow::Matrices:
      matrices(warp, o, lanes);
      break;
  }
  return std::span(multiplied_).first(products_);
}

}  // namespace tileloom::executor::recorded
