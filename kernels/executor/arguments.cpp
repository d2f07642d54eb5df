// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <random>
#include <string_view>

#include "kernels/base/half_formats.h"
#include "kernels/base/plain_text.h"

namespace tileloom::executor {
namespace {

struct Type {
  std::string_view name;
  int bytes;
  bool real;
};
constexpr std::array kTypes = {Type{"f64", 8, true},  Type{"f32", 4, true},  Type{"f16", 2, true},
                               Type{"bf16", 2, true}, Type{"i64", 8, false}, Type{"i32", 4, false},
                               Type{"i16", 2, false}, Type{"i8", 1, false},  Type{"u64", 8, false},
                               Type{"u32", 4, false}, Type{"u16", 2, false}, Type{"u8", 1, false}};

constexpr std::size_t kMapBytes = 128;  // of a CUtensorMap

enum class Content { Random, Zero, One, Index, Small };

std::vector<std::string_view> divided(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The bits of a number as an element of the type.
std::uint64_t bitsOf(const Type& type, double value) {
  const auto single = static_cast<float>(value);
  if (!type.real) return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  if (type.bytes == 8) return std::bit_cast<std::uint64_t>(value);
  if (type.bytes == 4) return std::bit_cast<std::uint32_t>(single);
  return type.name == "f16" ? toFp16(single) : toBf16(single);
}

// Random ones are real numbers from -1 to 1, or whole ones from 0 to 7. Small ones are whole
// numbers from -2 to 2 (0 to 4 without a sign), whose sums of products are exact in each format.
void fill(std::vector<std::uint8_t>& bytes, const Type& type, Content content, unsigned seed) {
  std::mt19937 engine(seed);
  const auto size = static_cast<std::size_t>(type.bytes);
  for (std::size_t i = 0; i * size < bytes.size(); ++i) {
    const auto drawn = static_cast<std::int32_t>(engine());
    const double random = type.real ? drawn / 2147483648.0 : static_cast<double>(drawn & 7);
    const bool isSigned = !type.name.starts_with('u');
    const double small =
        static_cast<double>(static_cast<std::uint32_t>(drawn) % 5) - (isSigned ? 2.0 : 0.0);
    const double value = content == Content::Random  ? random
                         : content == Content::Small ? small
                         : content == Content::Zero  ? 0
                         : content == Content::One   ? 1
                                                     : static_cast<double>(i);
    const std::uint64_t bits = bitsOf(type, value);
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
}

// "A:f32:128x64:zero". The error says what is wrong with it.
tl::expected<void, std::string> addBuffer(std::string_view text, Arguments& made, unsigned seed) {
  const auto parts = divided(text, ':');
  constexpr std::string_view kForm = "NAME:TYPE:ROWSxCOLUMNS, as A:f32:128x64";
  if (parts.size() < 3 || parts.size() > 4 || parts[0].empty())
    return tl::unexpected(fmt::format("a buffer is {}", kForm));
  const auto type = std::ranges::find(kTypes, parts[1], &Type::name);
  if (type == kTypes.end()) {
    std::string all;
    for (const Type& each : kTypes) all += fmt::format("{}{}", all.empty() ? "" : ", ", each.name);
    return tl::unexpected(
        fmt::format("\"{}\" is not a type of elements: choose {}", quotable(parts[1]), all));
  }
  std::uint64_t count = 1;
  std::string shape;
  std::vector<std::uint64_t> sizes;
  for (const std::string_view size : divided(parts[2], 'x')) {
    std::uint64_t elements = 0;
    const auto [end, wrong] = std::from_chars(size.data(), size.data() + size.size(), elements);
    if (wrong != std::errc() || end != size.data() + size.size() || elements == 0 ||
        elements > kMostBufferBytes)
      return tl::unexpected(
          fmt::format("\"{}\" is not a number of elements: a buffer is {}", quotable(size), kForm));
    sizes.push_back(elements);
    count = std::min(count * elements, 2 * kMostBufferBytes);
    shape += fmt::format("{}{}", shape.empty() ? "" : " x ", elements);
  }
  Content content = Content::Random;
  if (parts.size() == 4) {
    constexpr std::array<std::pair<std::string_view, Content>, 5> kContents = {
        {{"random", Content::Random},
         {"zero", Content::Zero},
         {"one", Content::One},
         {"index", Content::Index},
         {"small", Content::Small}}};
    const auto found =
        std::ranges::find(kContents, parts[3], [](const auto& c) { return c.first; });
    if (found == kContents.end())
      return tl::unexpected(fmt::format(
          "\"{}\" is not a content of a buffer: choose random, small, zero, one or index",
          quotable(parts[3])));
    content = found->second;
  }
  std::uint64_t all = count * static_cast<std::uint64_t>(type->bytes);
  for (const Buffer& each : made.buffers) all += each.bytes.size();
  if (all > kMostBufferBytes)
    return tl::unexpected(
        std::string("the buffers have more than 1 GiB together: choose smaller ones"));
  if (std::ranges::find(made.buffers, parts[0], &Buffer::name) != made.buffers.end())
    return tl::unexpected(fmt::format("there is a buffer \"{}\" already: give each its own name",
                                      quotable(parts[0])));
  Buffer buffer{quotable(parts[0]), {}, 0};
  buffer.bytes.resize(count * static_cast<std::uint64_t>(type->bytes));
  constexpr unsigned kNext = 1000;  // buffers of two seeds have different numbers
  fill(buffer.bytes, *type, content, kNext * seed + static_cast<unsigned>(made.buffers.size()) + 1);
  made.buffers.push_back(std::move(buffer));
  BufferShape& its = made.elements.emplace_back();
  its.bytes = static_cast<std::uint32_t>(type->bytes);
  its.real = type->real;
  if (sizes.size() == 2) {
    its.rows = static_cast<std::uint32_t>(sizes[0]);
    its.columns = static_cast<std::uint32_t>(sizes[1]);
  }
  its.sides = std::move(sizes);
  made.shapes.push_back(fmt::format("{} {}", type->name, shape));
  return {};
}

// "0a00ff". nullopt: it is not pairs of hexadecimal digits.
std::optional<std::vector<std::uint8_t>> bytesFrom(std::string_view digits) {
  std::vector<std::uint8_t> bytes;
  if (digits.empty() || digits.size() % 2 != 0) return std::nullopt;
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    const char* const first = digits.data() + at;
    std::uint8_t byte = 0;
    const auto [end, wrong] = std::from_chars(first, first + 2, byte, 16);
    if (wrong != std::errc() || end != first + 2) return std::nullopt;
    bytes.push_back(byte);
  }
  return bytes;
}

constexpr std::string_view kMapForm =
    "BUFFER@ROWSxCOLUMNS:SWIZZLE, as A:bf16:128x64@64x64:128, with 32, 64, 128 or 0";

// "64x32". nullopt: it is not 1 to 5 whole numbers.
std::optional<std::vector<std::uint64_t>> sidesFrom(std::string_view text) {
  std::vector<std::uint64_t> sides;
  for (const std::string_view part : divided(text, 'x')) {
    std::uint64_t side = 0;
    const char* const last = part.data() + part.size();
    const auto [end, wrong] = std::from_chars(part.data(), last, side);
    if (wrong != std::errc() || end != last || side >> 40 != 0) return std::nullopt;
    sides.push_back(side);
  }
  return sides.size() <= TensorMap::kMostDimensions ? std::optional(std::move(sides))
                                                    : std::nullopt;
}

// "64x32:64:4x128x64:64x256": box, swizzle, sides, strides. The last three may be left out; the
// sides are those of the buffer then, without gaps.
tl::expected<TensorMap, std::string> mapFrom(std::string_view text, const BufferShape& shape) {
  const auto parts = divided(text, ':');
  if (parts.size() > 4) return tl::unexpected(fmt::format("a tensor map is {}", kMapForm));
  TensorMap map;
  const auto refuse = [](std::string_view part, std::string_view what) {
    return tl::unexpected(fmt::format("\"{}\" is not {} of a tensor map, which is {}",
                                      quotable(part), what, kMapForm));
  };
  const auto box = sidesFrom(parts[0]);
  if (!box) return refuse(parts[0], "the box");
  auto sides = std::optional(shape.sides);
  if (parts.size() > 2) sides = sidesFrom(parts[2]);
  if (!sides) return refuse(parts[2], "the sides");
  if (box->size() != sides->size())
    return tl::unexpected(
        fmt::format("the tensor has {} sides and the box {}: both need the same 1 to {}",
                    sides->size(), box->size(), TensorMap::kMostDimensions));
  std::optional<std::vector<std::uint64_t>> strides;
  if (parts.size() > 3) {
    strides = sidesFrom(parts[3]);
    if (!strides || strides->size() + 1 != sides->size()) return refuse(parts[3], "the strides");
  }
  if (parts.size() > 1) {
    const auto swizzle = sidesFrom(parts[1]);
    if (!swizzle || swizzle->size() != 1) return refuse(parts[1], "the swizzle");
    map.swizzle = static_cast<std::uint32_t>(std::min<std::uint64_t>(swizzle->front(), 1024));
  }
  map.dimensions = static_cast<std::uint32_t>(box->size());
  map.elementBytes = shape.bytes;
  std::uint64_t next = shape.bytes;
  // The innermost dimension, the last one of the text, comes first.
  for (std::size_t i = 0; i < box->size(); ++i) {
    const std::size_t of = box->size() - 1 - i;
    map.box[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>((*box)[of], 1024));
    map.extents[i] = (*sides)[of];
    if (i > 0) map.strides[i] = strides ? (*strides)[of] * shape.bytes : next;
    next *= map.extents[i];
  }
  if (std::string why = whyNot(map); !why.empty()) return tl::unexpected(std::move(why));
  return map;
}

// "A:f16:128x64@64x32:64", or "A@64x32:64" of an earlier buffer; `at`: where the map is written.
// With * before it a pointer to the map is written there.
tl::expected<void, std::string> addMap(std::string_view text, std::size_t at, Arguments& made,
                                       unsigned seed) {
  const bool pointer = text.starts_with('*');
  if (pointer) text.remove_prefix(1);
  const std::size_t split = text.find('@');
  const std::string_view buffer = text.substr(0, split);
  const auto same = std::ranges::find(made.buffers, buffer, &Buffer::name);
  MapPlace place;
  if (same != made.buffers.end()) {
    place.buffer = static_cast<std::size_t>(same - made.buffers.begin());
  } else {
    if (auto added = addBuffer(buffer, made, seed); !added) return added;
    place.buffer = made.buffers.size() - 1;
  }
  auto map = mapFrom(text.substr(split + 1), made.elements[place.buffer]);
  if (!map) return tl::unexpected(map.error());
  place.map = *map;
  place.map.at = static_cast<std::uint32_t>(at);
  if (pointer) {
    place.holder = made.buffers.size();
    made.pointers.push_back({at, *place.holder});
    made.buffers.push_back({fmt::format("tensor map {}", made.maps.size() + 1),
                            std::vector<std::uint8_t>(kMapBytes), 0});
    made.elements.push_back({0, 0, 1});
    made.shapes.emplace_back("tensor map");
  }
  made.maps.push_back(place);
  return {};
}

// "A:f32:64", "hex:0a00ff" or several of them with + between: what is written into `parameter`.
tl::expected<void, std::string> addParts(std::string_view text,
                                         const sass::KernelParameter& parameter, Arguments& made,
                                         unsigned seed) {
  constexpr std::string_view kBytes = "hex:";
  const auto wanted = static_cast<std::size_t>(parameter.bytes);
  const auto begin = static_cast<std::size_t>(parameter.at);
  std::size_t at = 0;
  for (const std::string_view part : divided(text, '+')) {
    if (part.starts_with(kBytes)) {
      const auto bytes = bytesFrom(part.substr(kBytes.size()));
      if (!bytes)
        return tl::unexpected(
            std::string("hex: needs pairs of hexadecimal digits, as hex:0a00ff00"));
      if (at + bytes->size() <= wanted)
        std::ranges::copy(*bytes, made.bytes.begin() + static_cast<std::ptrdiff_t>(begin + at));
      at += bytes->size();
      continue;
    }
    constexpr std::size_t kPointer = 8;
    if (part.find('@') != std::string_view::npos) {
      const std::size_t bytes = part.starts_with('*') ? kPointer : kMapBytes;
      if (at + bytes > wanted)
        return tl::unexpected(fmt::format("a {} has {} bytes, but the parameter has {}",
                                          part.starts_with('*') ? "pointer" : "tensor map", bytes,
                                          wanted));
      if (auto added = addMap(part, begin + at, made, seed); !added) return added;
      at += bytes;
      continue;
    }
    if (at + kPointer <= wanted) {
      if (auto added = addBuffer(part, made, seed); !added) return added;
      made.pointers.push_back({begin + at, made.buffers.size() - 1});
    }
    at += kPointer;
  }
  if (at == wanted) return {};
  if (text.find('+') == std::string_view::npos && !text.starts_with(kBytes))
    return tl::unexpected(
        fmt::format("a buffer needs a pointer of 8 bytes, but the parameter has {}", wanted));
  return tl::unexpected(
      fmt::format("its parts have {} bytes, but the parameter has {}: give all bytes", at, wanted));
}

// The bits of a number for a parameter of this many bytes; nullopt: it is none, or does not fit.
std::optional<std::uint64_t> numberFrom(std::string_view text, int bytes) {
  const char* const last = text.data() + text.size();
  const bool hex = text.starts_with("0x");
  const bool real = !hex && text.find_first_of(".eE") != std::string_view::npos;
  if (real) {
    double value = 0;
    const char* const stop = text.ends_with('f') ? last - 1 : last;
    const auto [end, wrong] = std::from_chars(text.data(), stop, value);
    if (wrong != std::errc() || end != stop) return std::nullopt;
    if (bytes == 8) return std::bit_cast<std::uint64_t>(value);
    if (bytes == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (bytes == 2) return toFp16(static_cast<float>(value));
    return std::nullopt;
  }
  const int bits = 8 * bytes;
  if (text.starts_with('-')) {
    std::int64_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), last, value);
    if (wrong != std::errc() || end != last) return std::nullopt;
    if (bits < 64 && value < -(std::int64_t{1} << (bits - 1))) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  }
  std::uint64_t value = 0;
  const auto [end, wrong] =
      std::from_chars(text.data() + (hex ? 2 : 0), last, value, hex ? 16 : 10);
  if (wrong != std::errc() || end != last) return std::nullopt;
  if (bits < 64 && value >> bits != 0) return std::nullopt;
  return value;
}

std::string sizesOf(const sass::KernelInfo& kernel) {
  std::string text;
  for (const auto& each : kernel.parameters)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", each.bytes);
  return text;
}

}  // namespace

tl::expected<Arguments, std::string> argumentsFrom(const sass::KernelInfo& kernel,
                                                   std::span<const std::string> texts,
                                                   unsigned seed) {
  const std::size_t wanted = kernel.parameters.size();
  if (texts.size() != wanted) {
    return tl::unexpected(
        wanted == 0
            ? fmt::format("the kernel has no parameters, but {} {} given", texts.size(),
                          texts.size() == 1 ? "argument was" : "arguments were")
            : fmt::format("the kernel has {} (of {} bytes), but {} {} given: give each one",
                          wanted == 1 ? "1 parameter" : fmt::format("{} parameters", wanted),
                          sizesOf(kernel), texts.size(),
                          texts.size() == 1 ? "argument was" : "arguments were"));
  }
  Arguments made;
  made.bytes.resize(static_cast<std::size_t>(kernel.parameterBytes));
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::string& text = texts[i];
    const sass::KernelParameter& parameter = kernel.parameters[i];
    const int bytes = parameter.bytes;
    const auto at = static_cast<std::size_t>(parameter.at);
    const auto refuse = [&](const std::string& why) {
      return tl::unexpected(fmt::format("argument {}, \"{}\": {}", i + 1, quotable(text), why));
    };
    if (at + static_cast<std::size_t>(bytes) > made.bytes.size())
      return refuse("the file says that the parameter is behind the last one");
    if (text.find_first_of(":@") != std::string::npos) {
      if (const auto added = addParts(text, parameter, made, seed); !added)
        return refuse(added.error());
      continue;
    }
    constexpr int kPointer = 8;
    const auto same = std::ranges::find(made.buffers, text, &Buffer::name);
    if (same != made.buffers.end() && bytes == kPointer) {
      made.pointers.push_back({at, static_cast<std::size_t>(same - made.buffers.begin())});
      continue;
    }
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
      return refuse(
          bytes == 128
              ? fmt::format("parameter {} has {} bytes: give a tensor map, as "
                            "A:bf16:128x64@64x64:128, or the bytes of a structure as hex:0a00ff00",
                            i + 1, bytes)
              : fmt::format("parameter {} has {} bytes: give the bytes of a structure as "
                            "hex:0a00ff00, with +A:f32:64 where it has a pointer",
                            i + 1, bytes));
    const auto value = numberFrom(text, bytes);
    if (!value)
      return refuse(
          fmt::format("it is not a number of {} bytes: give 128, 1.5 or, for a pointer, "
                      "NAME:TYPE:ROWSxCOLUMNS",
                      bytes));
    std::memcpy(made.bytes.data() + at, &*value, static_cast<std::size_t>(bytes));
  }
  placeBuffers(made.buffers);
  for (const PointerPlace& each : made.pointers)
    std::memcpy(made.bytes.data() + each.at, &made.buffers[each.buffer].address,
                sizeof(std::uint64_t));
  for (MapPlace& each : made.maps) {
    each.map.address = made.buffers[each.buffer].address;
    if (each.holder) each.map.placed = made.buffers[*each.holder].address;
  }
  return made;
}

bool Arguments::holdsMap(std::size_t buffer) const {
  return std::ranges::any_of(maps, [&](const MapPlace& each) { return each.holder == buffer; });
}

std::vector<TensorMap> Arguments::tensorMaps() const {
  std::vector<TensorMap> all;
  for (const MapPlace& each : maps) all.push_back(each.map);
  return all;
}

}  // namespace tileloom::executor
