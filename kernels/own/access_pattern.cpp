// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/access_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernels/analysis/memory/coalescing.h"

namespace tileloom::own {
namespace {

constexpr std::int64_t kMostIndex = std::int64_t{1} << 48;
constexpr std::int64_t kTooFar = std::int64_t{1} << 60;     // bytes: no address
constexpr std::int64_t kMostApart = std::int64_t{1} << 33;  // bytes: words are numbers of 32 bits

bool isSize(std::uint32_t bytes) {
  return std::has_single_bit(bytes) && bytes <= 16;
}

// The lanes whose addresses the instruction reads.
std::uint32_t addressingLanes(PatternKind kind) {
  switch (kind) {
    case PatternKind::Ldmatrix1:
      return 0xFF;
    case PatternKind::Ldmatrix2:
      return 0xFFFF;
    default:
      return 0xFFFFFFFF;
  }
}

emulator::Kind kindOf(PatternKind kind) {
  switch (kind) {
    case PatternKind::Load:
      return emulator::Kind::SharedLoad;
    case PatternKind::Store:
      return emulator::Kind::SharedStore;
    case PatternKind::AsyncCopy:
      return emulator::Kind::AsyncCopy;
    default:
      return emulator::Kind::MatrixLoad;
  }
}

std::string whyNotRequested(const PatternRequest& r) {
  if (!isSize(r.bytes))
    return fmt::format("{} bytes per lane are not possible: choose 1, 2, 4, 8 or 16", r.bytes);
  if (r.element != 0 && !isSize(r.element))
    return fmt::format("an element of {} bytes is not possible: choose 1, 2, 4, 8 or 16",
                       r.element);
  if (isLdmatrix(r.kind) && r.bytes != 16)
    return "ldmatrix reads a row of 16 bytes for each lane: choose 16 bytes";
  if (r.kind == PatternKind::AsyncCopy && r.bytes != 4 && r.bytes != 16)
    return "for cp.async only 4 and 16 bytes per lane have been measured: choose one of them";
  if (r.memory == PatternMemory::Global && r.kind > PatternKind::Store)
    return fmt::format("{} accesses shared memory: choose load or store for global memory",
                       kPatternKindNames[static_cast<std::size_t>(r.kind)]);
  if (r.warps > kMostPatternWarps)
    return fmt::format("{} warps are too many: choose 1 to {}", r.warps, kMostPatternWarps);
  if (r.steps > kMostPatternSteps)
    return fmt::format("{} steps are too many: choose 1 to {}", r.steps, kMostPatternSteps);
  if (r.padding && (r.padding->row < 1 || r.padding->row > kMostPadding || r.padding->pad < 0 ||
                    r.padding->pad > kMostPadding))
    return fmt::format("the padding {},{} is not possible: choose a row of 1 to {} elements",
                       r.padding->row, r.padding->pad, kMostPadding);
  return {};
}

std::int64_t placed(std::int64_t index, std::uint32_t element,
                    const std::optional<PatternPadding>& padding,
                    const std::optional<analysis::Swizzle>& swizzle) {
  if (padding && padding->pad > 0) {
    const std::int64_t rows = index / padding->row;
    if (rows > kMostIndex / padding->pad) return kTooFar;
    index += rows * padding->pad;
  }
  std::int64_t address = index * element;
  if (!swizzle) return address;
  // A swizzle reads and changes bits below 32 only.
  constexpr std::int64_t kLow = 0xFFFFFFFF;
  return (address & ~kLow) | (*swizzle)(static_cast<std::uint32_t>(address & kLow));
}

// The words of the lanes, counted from a line's begin.
struct LaneWords {
  std::int64_t origin = 0;
  std::array<std::uint32_t, 32> words{};
};

LaneWords wordsOf(const std::array<std::int64_t, 32>& addresses, std::uint32_t mask) {
  LaneWords made;
  bool any = false;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    made.origin = any ? std::min(made.origin, addresses[lane]) : addresses[lane];
    any = true;
  }
  made.origin -= made.origin % analysis::kLineBytes;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) != 0)
      made.words[lane] = static_cast<std::uint32_t>((addresses[lane] - made.origin) / 4);
  }
  return made;
}

// Distinct bytes that lanes of 1 or 2 bytes access; coalescing() counts whole words.
std::uint32_t distinctBytes(const PatternAccess& access, std::uint32_t bytes) {
  std::vector<std::int64_t> first;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1u) != 0) first.push_back(access.address[lane]);
  }
  std::ranges::sort(first);
  // Clang 14 cannot compile std::ranges::unique() with the library of GCC 12.
  const auto distinct = std::unique(first.begin(), first.end()) - first.begin();
  return static_cast<std::uint32_t>(distinct) * bytes;
}

void addCost(const PatternRequest& r, PatternAccess& access) {
  const LaneWords to = wordsOf(access.address, access.mask);
  const std::uint32_t width = std::max(1u, r.bytes / 4);
  access.origin = to.origin;
  if (r.memory == PatternMemory::Global) {
    access.cost.addresses = to.words;
    access.cost.global = analysis::coalescing(to.words, access.mask, width);
    if (r.bytes < 4) access.cost.global.usefulBytes = distinctBytes(access, r.bytes);
    return;
  }
  LaneWords from;
  if (r.kind == PatternKind::AsyncCopy) from = wordsOf(access.source, access.mask);
  access.sourceOrigin = from.origin;
  access.cost = analysis::sharedCost(kindOf(r.kind), to.words, from.words, access.mask, width);
}

// The lanes are apart too far for numbers of 32 bits, or misaligned, or before address 0.
std::string whyNotAddressed(const std::array<std::int64_t, 32>& addresses, std::uint32_t mask,
                            std::uint32_t bytes) {
  std::int64_t least = kTooFar, most = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) == 0) continue;
    const std::int64_t address = addresses[lane];
    if (address >= kTooFar) return fmt::format("the padding moves lane {} too far", lane);
    if (address % bytes != 0) {
      return fmt::format(
          "lane {} begins at byte {}, which is not a multiple of the {} bytes that it accesses",
          lane, address, bytes);
    }
    least = std::min(least, address);
    most = std::max(most, address);
  }
  if (most > least && most - least > kMostApart)
    return "the addresses of the lanes are more than 8 GiB apart";
  return {};
}

std::string whyNotIndexed(const LaneIndices& lanes) {
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((lanes.mask >> lane & 1u) == 0) continue;
    if (lanes.values[lane] < 0)
      return fmt::format("lane {} has the index {}: choose indices from 0 on", lane,
                         lanes.values[lane]);
    if (lanes.values[lane] > kMostIndex)
      return fmt::format("lane {} has the index {}, which is too large for an address", lane,
                         lanes.values[lane]);
  }
  return {};
}

PatternSum sumOf(const AccessPattern& pattern) {
  PatternSum sum;
  for (const PatternAccess& access : pattern.accesses) {
    sum.requests += access.mask != 0 ? 1 : 0;
    const analysis::Coalescing& global = access.cost.global;
    sum.wavefronts += pattern.shared() ? access.cost.wavefronts() : global.wavefronts;
    sum.ideal += pattern.shared() ? access.ideal() : 0;
    sum.sectors += global.sectors;
    sum.idealSectors += global.idealSectors();
    sum.lines += global.lines;
    sum.usedBytes += global.usefulBytes;
    sum.fetchedBytes += global.fetchedBytes();
  }
  return sum;
}

// The accesses of a place and, for cp.async, of its source.
tl::expected<Indices, std::string> sourceOf(const AccessPattern& pattern, std::string_view text) {
  if (!text.empty()) {
    const auto read = laneIndices(text, pattern.request.warps, pattern.request.steps);
    if (!read) return tl::unexpected(fmt::format("behind \"from\": {}", read.error()));
    if (read->swizzle) return tl::unexpected<std::string>("the source of a copy has no swizzle");
    return read;
  }
  Indices made;
  for (const LaneIndices& at : pattern.indices.accesses) {
    LaneIndices& lanes = made.accesses.emplace_back(at);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      lanes.values[lane] = lane * pattern.request.bytes / pattern.request.element;
  }
  return made;
}

}  // namespace

std::uint32_t usualElement(const PatternRequest& request, const Indices& indices) {
  if (request.element != 0) return request.element;
  if (indices.addresses) return 1;
  return isLdmatrix(request.kind) ? 2 : request.bytes;
}

std::uint32_t bytesOfUnit(SwizzleUnit unit, std::uint32_t element) {
  switch (unit) {
    case SwizzleUnit::Element:
      return element;
    case SwizzleUnit::Word:
      return 4;
    case SwizzleUnit::Byte:
      break;
  }
  return 1;
}

std::optional<analysis::Swizzle> inUnitsOf(const analysis::Swizzle& swizzle,
                                           std::uint32_t unitBytes, std::uint32_t otherBytes) {
  const int base =
      static_cast<int>(swizzle.base) + std::countr_zero(unitBytes) - std::countr_zero(otherBytes);
  if (base < 0) return std::nullopt;
  return analysis::Swizzle{swizzle.bits, static_cast<std::uint32_t>(base), swizzle.shift};
}

tl::expected<AccessPattern, std::string> accessPattern(const PatternRequest& request) {
  if (std::string why = whyNotRequested(request); !why.empty())
    return tl::unexpected(std::move(why));
  AccessPattern pattern;
  pattern.request = request;
  std::string_view text = request.text, source;
  if (const std::size_t from = text.find(" from "); from != std::string_view::npos) {
    if (request.kind != PatternKind::AsyncCopy)
      return tl::unexpected<std::string>(
          "only cp.async has a source: leave out what is behind \"from\"");
    source = text.substr(from + 6);
    text = text.substr(0, from);
  }
  auto indices = laneIndices(text, request.warps, request.steps);
  if (!indices) return tl::unexpected(std::move(indices.error()));
  pattern.indices = std::move(*indices);
  if (pattern.indices.swizzle && request.swizzle)
    return tl::unexpected<std::string>(
        "the pattern has a swizzle already: leave out one of the two");
  const std::uint32_t element = usualElement(request, pattern.indices);
  pattern.request.element = element;
  if (request.swizzle)
    pattern.swizzle = inUnitsOf(*request.swizzle, bytesOfUnit(request.unit, element), 1);
  if (pattern.indices.swizzle) pattern.swizzle = inUnitsOf(*pattern.indices.swizzle, element, 1);

  Indices sources;
  if (request.kind == PatternKind::AsyncCopy) {
    auto read = sourceOf(pattern, source);
    if (!read) return tl::unexpected(std::move(read.error()));
    sources = std::move(*read);
    if (sources.accesses.size() != pattern.indices.accesses.size())
      return tl::unexpected<std::string>(
          "place and source have different numbers of warps or steps");
  }
  for (std::size_t i = 0; i < pattern.indices.accesses.size(); ++i) {
    const LaneIndices& lanes = pattern.indices.accesses[i];
    if (std::string why = whyNotIndexed(lanes); !why.empty()) return tl::unexpected(std::move(why));
    PatternAccess& access = pattern.accesses.emplace_back();
    access.warp = lanes.warp;
    access.step = lanes.step;
    access.mask = lanes.mask & addressingLanes(request.kind);
    access.index = lanes.values;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((access.mask >> lane & 1u) != 0)
        access.address[lane] =
            placed(lanes.values[lane], element, request.padding, pattern.swizzle);
    }
    std::string why = whyNotAddressed(access.address, access.mask, request.bytes);
    if (why.empty() && request.kind == PatternKind::AsyncCopy) {
      access.mask &= sources.accesses[i].mask;
      why = whyNotIndexed(sources.accesses[i]);
      for (std::uint32_t lane = 0; lane < 32 && why.empty(); ++lane)
        access.source[lane] = sources.accesses[i].values[lane] * element;
      if (why.empty()) why = whyNotAddressed(access.source, access.mask, request.bytes);
      if (!why.empty()) why = fmt::format("the source: {}", why);
    }
    if (!why.empty()) return tl::unexpected(std::move(why));
    addCost(request, access);
  }
  pattern.sum = sumOf(pattern);
  return pattern;
}

std::optional<AccessPattern> oneAccess(const AccessPattern& pattern, std::uint32_t warp,
                                       std::uint32_t step) {
  for (std::size_t i = 0; i < pattern.accesses.size(); ++i) {
    if (pattern.accesses[i].warp != warp || pattern.accesses[i].step != step) continue;
    AccessPattern one = pattern;
    one.accesses = {pattern.accesses[i]};
    one.indices.accesses = {pattern.indices.accesses[i]};
    one.sum = sumOf(one);
    return one;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> extraWavefronts(const AccessPattern& pattern,
                                             const std::optional<PatternPadding>& padding,
                                             const std::optional<analysis::Swizzle>& swizzle,
                                             std::uint64_t enough) {
  std::uint64_t extra = 0;
  for (PatternAccess access : pattern.accesses) {
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((access.mask >> lane & 1u) != 0)
        access.address[lane] =
            placed(access.index[lane], pattern.request.element, padding, swizzle);
    }
    if (!whyNotAddressed(access.address, access.mask, pattern.request.bytes).empty())
      return std::nullopt;
    addCost(pattern.request, access);
    extra += access.extra();
    if (extra > enough) return extra;
  }
  return extra;
}

}  // namespace tileloom::own
