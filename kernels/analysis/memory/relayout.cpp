// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/relayout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/memory/shared_words.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/shared_placing.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"

namespace tileloom::analysis {
namespace {

using emulator::Array;
using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;
using emulator::Trace;
using emulator::WarpInterval;

struct Place {
  std::uint32_t row = 0, column = 0;  // of its matrix
};

// Nothing for a value that is not an element of A or B.
std::optional<Place> placeOf(const Trace& trace, Provenance value) {
  if (!value.isElement() || value.source() == Provenance::Source::C) return std::nullopt;
  const auto matrix = static_cast<std::uint32_t>(value.source()) - 1;
  const std::uint32_t columns = std::max(1u, trace.arrays[matrix].columns);
  return Place{value.index() / columns, value.index() % columns};
}

// Whether the elements of a word follow each other in a row of their matrix, from a place on at
// which a word begins. `payload` has the first of them.
bool neighbours(const Trace& trace, const std::uint32_t* payload, std::uint32_t parts) {
  const Provenance lower(payload[0]);
  const auto first = placeOf(trace, lower);
  if (!first || first->column % parts != 0) return false;
  for (std::uint32_t part = 1; part < parts; ++part) {
    const Provenance next(payload[part]);
    if (next.source() != lower.source() || next.index() != lower.index() + part) return false;
  }
  return true;
}

std::optional<std::uint32_t> kTileOf(const Trace& trace, Provenance value) {
  const auto place = placeOf(trace, value);
  if (!place) return std::nullopt;
  const std::uint32_t k = value.source() == Provenance::Source::A ? place->column : place->row;
  return k / trace.stepK;
}

auto orderOf(const SharedAccess& a) {
  return std::tie(a.line, a.kind, a.array, a.width, a.merged, a.mask, a.addresses, a.elements);
}

// Words of the array's shape, in the order of its rows, as `layout` places them; padding words of
// the recording remain padding.
std::uint32_t plainWord(const ArrayShape& shape, std::uint32_t word) {
  return standsAt(ArrayLayout{}, shape, word);
}

// The reason why `access` cannot be executed.
std::string splitReason(const SharedAccess& access, const Relayout& relayout) {
  std::string reason;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize && reason.empty(); ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    const std::uint32_t first = relayout.moved(access.addresses[lane]);
    for (std::uint32_t w = 1; w < access.width; ++w) {
      if (relayout.moved(access.addresses[lane] + w) == first + w) continue;
      reason = fmt::format("a lane's {} words would no longer be adjacent", access.width);
      break;
    }
    if (reason.empty() && first % access.width != 0) {
      reason = fmt::format("some would begin {} bytes after a multiple of {}",
                           first % access.width * 4, access.width * 4);
    }
  }
  return fmt::format("{} would split the {}-bit {} of line {}: {}{}", layoutText(relayout.layout()),
                     32 * access.width, emulator::kindRow(access.kind).severalOfShared, access.line,
                     reason, access.merged > 1 ? ", so that the assembler would merge fewer" : "");
}

}  // namespace

tl::expected<ArrayShape, std::string> arrayShape(const Trace& trace, std::uint32_t array) {
  const Array& a = trace.arrays[array];
  const auto not_ = [&a](const char* what) {
    return tl::unexpected(fmt::format("{} {}", a.name, what));
  };
  // The words at which the elements of the first K tile were stored.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> words;  // by row, column
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const WarpInterval view = trace.at(warp, interval);
      for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        if (instruction.array != array || !emulator::isShared(instruction.kind) ||
            !emulator::isStore(instruction.kind))
          continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((instruction.mask >> lane & 1u) == 0) continue;
          const std::uint32_t* payload = view.payload(i, lane);
          for (std::uint32_t w = 0; w < instruction.width; ++w) {
            const Provenance value(payload[1 + w * a.parts]);
            if (kTileOf(trace, value) != 0u) continue;
            const auto place = placeOf(trace, value);
            // The elements of a word are neighbours in a row.
            if (a.parts > 1 && !neighbours(trace, payload + 1 + w * a.parts, a.parts))
              return not_("has words whose elements are not neighbours in a row");
            words.try_emplace({place->row, place->column / a.parts}, payload[0] / a.parts + w);
          }
        }
      }
    }
  }
  const auto isOf = [array](const auto& box) { return box.array == array; };
  const auto isFrom = [array](const auto& store) { return store.box.array == array; };
  if (words.empty() &&
      (std::ranges::any_of(trace.boxes, isOf) || std::ranges::any_of(trace.boxStores, isFrom)))
    return not_(
        "is moved by TMA, which has no layouts other than its swizzles: change SWIZZLE, and see "
        "its effect on the page Path");
  if (words.empty()) return not_("holds no elements of A or B in this recording");

  // Plain names: in Clang 14 a lambda cannot capture a structured binding.
  const std::uint32_t firstRow = words.begin()->first.first;
  const std::uint32_t firstColumn = words.begin()->first.second;
  const std::uint32_t rows = words.rbegin()->first.first - firstRow + 1;
  const std::uint32_t columns = words.rbegin()->first.second - firstColumn + 1;
  const std::uint32_t start = words.begin()->second;
  const auto step = [&](std::uint32_t down, std::uint32_t right) {
    const auto next = words.find({firstRow + down, firstColumn + right});
    return next != words.end() && next->second > start ? next->second - start : 0;
  };
  // Neighbours in a row, or in a column if the array is transposed, are neighbours in it.
  const std::uint32_t down = step(1, 0), right = step(0, 1);
  ArrayShape shape;
  if (columns > 1 && right == 1) {
    shape = {0, columns, rows > 1 ? down : columns};
  } else if (rows > 1 && down == 1) {
    shape = {0, rows, columns > 1 ? right : rows};
  } else if (rows == 1 && columns == 1) {
    shape = {0, 1, 1};
  }
  const bool transposed = right != 1 && down == 1;
  const auto expected = [&](std::uint32_t r, std::uint32_t c) {
    return start + (transposed ? c * shape.pitch + r : r * shape.pitch + c);
  };
  bool inRows = shape.length > 0 && shape.pitch >= shape.length && start == 0 &&
                words.size() == std::size_t{rows} * columns && wordsOf(a) % shape.pitch == 0;
  for (const auto& [place, word] : words) {
    inRows = inRows && word == expected(place.first - firstRow, place.second - firstColumn);
  }
  if (inRows) {
    shape.rows = wordsOf(a) / shape.pitch;
    return shape;
  }
  // The kernel may permute the words of a K tile, without padding words.
  const std::uint32_t count = rows * columns;
  shape = {count > 0 ? wordsOf(a) / count * rows : 0, columns, columns};
  shape.standing.assign(count, kSpare);
  shape.holding.assign(count, kSpare);
  bool exchanged = words.size() == count && wordsOf(a) % count == 0;
  for (const auto& [place, word] : words) {
    if (!exchanged || word >= count) {
      exchanged = false;
      break;
    }
    const std::uint32_t plain = (place.first - firstRow) * columns + place.second - firstColumn;
    shape.standing[plain] = word;
    shape.holding[word] = plain;
  }
  if (!exchanged || std::ranges::find(shape.holding, kSpare) != shape.holding.end())
    return not_("does not have its rows at equal distances");
  return shape;
}

SharedUse sharedUse(const Recording& recording, std::optional<std::uint32_t> kTile) {
  const Trace& trace = recording.trace;
  SharedUse use;
  use.arrays = trace.arrays;
  use.sharedBytes = trace.sharedBytes;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const WarpInterval view = trace.at(warp, interval);
      for (const Access& access : recording.accesses()[interval][warp]->accesses) {
        const Instruction& instruction = view.instructions[access.lowest];
        if (!emulator::isShared(instruction.kind) || instruction.mask == 0) continue;
        if (kTile) {
          const Provenance value(view.payload(access.lowest, firstLane(instruction.mask))[1]);
          if (kTileOf(trace, value).value_or(instruction.kTile) != *kTile) continue;
        }
        SharedAccess a{instruction.line,
                       instruction.kind,
                       instruction.array,
                       access.width,
                       access.merged,
                       instruction.mask,
                       {},
                       {},
                       1};
        a.addresses = laneAddresses(trace, view, access.lowest);
        if (a.kind == Kind::AsyncCopy) a.elements = copiedElements(view, access.lowest);
        use.accesses.push_back(a);
      }
    }
  }
  // Warps in one row of warps read the same words of A, those in one column the same of B.
  auto& all = use.accesses;
  std::ranges::sort(all, [](const auto& a, const auto& b) { return orderOf(a) < orderOf(b); });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && orderOf(all[kept - 1]) == orderOf(all[i])) {
      all[kept - 1].times += all[i].times;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  return use;
}

Relayout::Relayout(const std::vector<Array>& arrays, std::uint32_t array, const ArrayShape& shape,
                   const ArrayLayout& layout)
    : arrays_(arrays), placed_(arrays), array_(array), shape_(shape), layout_(layout) {
  std::size_t taken = 0;
  for (std::uint32_t i = emulator::kFirstShared; i < arrays.size(); ++i) {
    if (i == array) placed_[i].elements = wordsTaken(layout, shape) * placed_[i].parts;
    placed_[i].base = static_cast<std::uint32_t>(emulator::nextSharedBase(taken));
    taken = placed_[i].base + wordsOf(placed_[i]);
  }
  sharedBytes_ = static_cast<std::uint32_t>(4 * taken);
}

std::uint32_t Relayout::moved(std::uint32_t word) const {
  for (std::uint32_t i = emulator::kFirstShared; i < arrays_.size(); ++i) {
    if (!holdsWord(was(i), word)) continue;
    const std::uint32_t within = word - was(i).base;
    if (i != array_ || layout_.form == LayoutForm::Recorded) return placed_[i].base + within;
    const std::uint32_t plain = plainWord(shape_, within);
    return plain == kSpare ? kSpare
                           : placed_[i].base + wordOf(layout_, shape_, plain / shape_.length,
                                                      plain % shape_.length);
  }
  return kSpare;
}

std::uint32_t Relayout::origin(std::uint32_t word) const {
  for (std::uint32_t i = emulator::kFirstShared; i < placed_.size(); ++i) {
    if (!holdsWord(placed_[i], word)) continue;
    const std::uint32_t within = word - placed_[i].base;
    if (i != array_ || layout_.form == LayoutForm::Recorded) return was(i).base + within;
    const std::uint32_t plain = standsAt(layout_, shape_, within);
    return plain == kSpare ? kSpare
                           : was(i).base + wordOf(ArrayLayout{}, shape_, plain / shape_.length,
                                                  plain % shape_.length);
  }
  return kSpare;
}

std::optional<AccessCost> Relayout::cost(const SharedAccess& access) const {
  std::array<std::uint32_t, 32> addresses{};
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    if ((access.mask >> lane & 1u) == 0) continue;
    addresses[lane] = moved(access.addresses[lane]);
    if (addresses[lane] == kSpare || addresses[lane] % access.width != 0) return std::nullopt;
    for (std::uint32_t w = 1; w < access.width; ++w) {
      if (moved(access.addresses[lane] + w) != addresses[lane] + w) return std::nullopt;
    }
  }
  return sharedCost(access.kind, addresses, access.elements, access.mask, access.width);
}

std::optional<Moment> movedMoment(const Recording& recording, const Moment& moment,
                                  const Relayout& relayout) {
  const emulator::Position at = recording.trace.position(moment.warp, moment.index);
  SharedAccess access;
  access.kind = moment.instruction.kind;
  access.width = moment.width;
  access.mask = moment.instruction.mask;
  access.addresses = moment.cost.addresses;
  if (access.kind == Kind::AsyncCopy)
    access.elements = copiedElements(recording.trace.at(moment.warp, at.interval), at.instruction);
  const auto cost = relayout.cost(access);
  if (!cost) return std::nullopt;
  Moment moved = moment;
  moved.cost = *cost;
  return moved;
}

SharedCount& SharedCount::operator+=(const SharedCount& other) {
  accesses += other.accesses;
  wavefronts += other.wavefronts;
  conflicts += other.conflicts;
  return *this;
}

SharedCount LayoutCost::sum(bool after, Part part, std::optional<std::uint32_t> array) const {
  SharedCount all;
  for (const LayoutLine& line : lines) {
    const bool load = !emulator::isStore(line.kind);
    if (part != Part::All && load != (part == Part::Loads)) continue;
    if (!array || line.array == *array) all += after ? line.after : line.before;
  }
  return all;
}

std::vector<LayoutLine> LayoutCost::linesAbout(std::uint32_t array) const {
  std::vector<LayoutLine> about;
  for (const LayoutLine& line : lines) {
    if (line.array == array || (line.possible && line.before != line.after)) about.push_back(line);
  }
  return about;
}

LayoutCost layoutCost(const SharedUse& use, std::uint32_t array, const ArrayShape& shape,
                      const ArrayLayout& layout, const Architecture& arch) {
  LayoutCost result;
  result.layout = layout;
  result.bytes = use.sharedBytes;
  result.whyNot = whyNoLayout(layout, shape);
  // A layout that is not possible is shown with the present array.
  const Relayout relayout(use.arrays, array, shape, result.possible() ? layout : ArrayLayout{});
  result.bytes = relayout.sharedBytes();
  const bool exists = result.possible();
  if (exists && result.bytes > static_cast<std::uint32_t>(arch.sharedPerBlock)) {
    result.whyNot = fmt::format(
        "{} would take {} bytes of shared memory per block, and a block on {} may have {}",
        layoutText(layout), grouped(result.bytes), arch.name,
        grouped(static_cast<std::uint64_t>(arch.sharedPerBlock)));
  }
  const auto counted = [](const SharedAccess& access, const AccessCost& cost) {
    return SharedCount{access.times, access.times * cost.wavefronts(),
                       access.times * cost.conflicts()};
  };
  for (const SharedAccess& access : use.accesses) {
    const auto same = [&access](const LayoutLine& l) {
      return l.line == access.line && l.kind == access.kind && l.array == access.array &&
             l.width == access.width;
    };
    auto line = std::ranges::find_if(result.lines, same);
    if (line == result.lines.end()) {
      result.lines.push_back(
          {access.line, access.kind, access.array, access.width, {}, {}, exists});
      line = result.lines.end() - 1;
    }
    line->before += counted(access, sharedCost(access.kind, access.addresses, access.elements,
                                               access.mask, access.width));
    if (!line->possible) continue;
    const auto cost = relayout.cost(access);
    if (cost) {
      line->after += counted(access, *cost);
      continue;
    }
    line->possible = false;
    line->after = {};
    if (result.possible()) result.whyNot = splitReason(access, relayout);
  }
  return result;
}

BestLayouts bestLayouts(const SharedUse& use, std::uint32_t array, const ArrayShape& shape,
                        const Architecture& arch) {
  constexpr std::uint64_t kNone = ~std::uint64_t{0};
  const auto wavefrontsOf = [&](const ArrayLayout& layout) {
    if (!whyNoLayout(layout, shape).empty()) return kNone;
    const Relayout relayout(use.arrays, array, shape, layout);
    if (relayout.sharedBytes() > static_cast<std::uint32_t>(arch.sharedPerBlock)) return kNone;
    std::uint64_t sum = 0;
    for (const SharedAccess& access : use.accesses) {
      const auto cost = relayout.cost(access);
      if (!cost) return kNone;
      sum += access.times * cost->wavefronts();
    }
    return sum;
  };
  const std::uint64_t plain = wavefrontsOf(ArrayLayout::plain());
  BestLayouts best;
  std::uint64_t least = plain;
  for (std::uint32_t pad = 1; pad <= kMostPad; ++pad) {
    const ArrayLayout layout = ArrayLayout::padded(pad);
    const std::uint64_t sum = wavefrontsOf(layout);
    if (sum >= least) continue;
    least = sum;
    best.padding = layout;
  }
  least = plain;
  const auto most = static_cast<std::uint32_t>(std::bit_width(std::max(1u, shape.words()) - 1));
  for (std::uint32_t bits = 1; bits <= kMostSwizzleBits; ++bits) {
    // Chunks of more words than banks leave each word in its bank.
    for (std::uint32_t base = 0; base + bits <= std::bit_width(kBanks - 1); ++base) {
      for (std::uint32_t shift = bits; base + shift < most && shift <= kMostSwizzleShift; ++shift) {
        const ArrayLayout layout = ArrayLayout::swizzled({bits, base, shift});
        const std::uint64_t sum = wavefrontsOf(layout);
        if (sum >= least) continue;
        least = sum;
        best.swizzle = layout;
      }
    }
  }
  return best;
}

std::vector<ArrayLayout> layoutsToShow(const ArrayShape& shape, const BestLayouts& best) {
  constexpr std::uint32_t kPaddings[] = {1, 2, 4, 8, 16};
  std::vector<ArrayLayout> all = {ArrayLayout{}, ArrayLayout::plain(),
                                  ArrayLayout::swizzled(usualSwizzle(shape))};
  for (const std::uint32_t pad : kPaddings) all.push_back(ArrayLayout::padded(pad));
  for (const auto& found : {best.padding, best.swizzle}) {
    if (found && std::ranges::find(all, *found) == all.end()) all.push_back(*found);
  }
  std::ranges::sort(all, {}, [](const ArrayLayout& l) {
    const bool padded = l.form == LayoutForm::Padded, swizzled = l.form == LayoutForm::Swizzled;
    const Swizzle& s = l.swizzle;
    return std::tuple(l.form, padded ? l.pad : 0, swizzled ? s.bits : 0, swizzled ? s.base : 0,
                      swizzled ? s.shift : 0);
  });
  return all;
}

}  // namespace tileloom::analysis
