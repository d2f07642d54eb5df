// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/resolved_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/plain_text.h"

namespace tileloom::own {
namespace {

constexpr std::int64_t kMostAlongAxis = 0x7fffffff, kMostElements = std::int64_t{1} << 30;

using Text = tl::expected<std::string, std::string>;

// A number between bounds. The error begins with what it is of.
tl::expected<std::int64_t, std::string> numberOf(const std::string& what, const std::string& text,
                                                 const Names& names, std::int64_t least,
                                                 std::int64_t most) {
  const auto value = evaluate(text, names);
  if (!value) return tl::unexpected(fmt::format("{}: {}", what, value.error()));
  if (*value < least || *value > most)
    return tl::unexpected(fmt::format("{}: \"{}\" is {}, which is not from {} to {}", what,
                                      quotable(text), *value, least, most));
  return *value;
}

// A real number with a point, so that it is not read as a whole one.
std::string realText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

class Resolving {
 public:
  explicit Resolving(ResolvedLaunch& made) : made_(made) {}

  Text argument(const Parameter& p) {
    switch (p.kind) {
      case Parameter::Kind::Whole: {
        const auto value = evaluate(p.text, made_.values);
        if (!value) return tl::unexpected(value.error());
        return fmt::format("{}", *value);
      }
      case Parameter::Kind::Alpha:
        return realText(made_.alpha);
      case Parameter::Kind::Beta:
        return realText(made_.beta);
      case Parameter::Kind::Real:
        return p.text.find_first_of(".e") == std::string::npos ? p.text + ".0" : p.text;
      case Parameter::Kind::Bytes:
        return "hex:" + p.text;
      case Parameter::Kind::Buffer: {
        const auto count = numberOf("elements", p.elements, made_.values, 1, kMostElements);
        if (!count) return tl::unexpected(count.error());
        return fmt::format("{}:{}:{}:{}", p.name, p.type, *count, p.content);
      }
      case Parameter::Kind::Matrix:
        return matrix(p);
    }
    return std::string();
  }

 private:
  Text matrix(const Parameter& p) {
    const auto buffer = bufferOf(p);
    if (!buffer || p.box.empty()) return buffer;
    std::string box;
    for (const std::string& side : p.box) {
      const auto value = numberOf("box", side, made_.values, 1, 256);
      if (!value) return tl::unexpected(value.error());
      box += fmt::format("{}{}", box.empty() ? "" : "x", *value);
    }
    const auto swizzle = numberOf("swizzle", p.swizzle, made_.values, 0, 128);
    if (!swizzle) return tl::unexpected(swizzle.error());
    return fmt::format("{}{}@{}:{}", p.pointed ? "*" : "", *buffer, box, *swizzle);
  }
  // The buffer of a matrix, or its name where an earlier parameter has it.
  Text bufferOf(const Parameter& p) {
    MatrixPlace place;
    place.name = p.name;
    place.type = p.type;
    place.layout = p.layout;
    const auto size = [&](const char* name) {
      return static_cast<std::uint32_t>(made_.values.find(name)->second);
    };
    place.rows = size(p.name == "B" ? "K" : "M");
    place.columns = size(p.name == "A" ? "K" : "N");
    const bool row = p.layout == Layout::Row;
    const std::uint32_t inner = row ? place.columns : place.rows,
                        outer = row ? place.rows : place.columns;
    place.stride = inner;
    if (!p.stride.empty()) {
      const auto stride = numberOf("stride", p.stride, made_.values, 1, kMostElements);
      if (!stride) return tl::unexpected(stride.error());
      place.stride = static_cast<std::uint32_t>(*stride);
    }
    if (place.stride < inner)
      return tl::unexpected(fmt::format("the stride is {}, less than the {} elements of a {}",
                                        place.stride, inner, row ? "row" : "column"));
    const MatrixPlace* const before = made_.matrix(p.name);
    if (before != nullptr) {
      if (before->type != place.type || before->layout != place.layout ||
          before->stride != place.stride)
        return tl::unexpected(
            fmt::format("{} has another type, layout or stride in an earlier parameter", p.name));
      return p.name;
    }
    made_.matrices.push_back(place);
    return fmt::format("{}:{}:{}x{}:{}", p.name, p.type, outer, place.stride,
                       p.name == "D" ? "zero" : "small");
  }

  ResolvedLaunch& made_;
};

}  // namespace

const MatrixPlace* ResolvedLaunch::matrix(std::string_view name) const {
  const auto found = std::ranges::find(matrices, name, &MatrixPlace::name);
  return found == matrices.end() ? nullptr : &*found;
}

tl::expected<ResolvedLaunch, std::string> resolved(const LaunchFile& file, const Names& changed) {
  ResolvedLaunch made;
  made.values = file.sizes;
  made.values.insert(file.values.begin(), file.values.end());
  for (const auto& [name, value] : changed) {
    const auto found = made.values.find(name);
    if (found == made.values.end())
      return tl::unexpected(
          fmt::format("{} is neither a size nor a value of the launch", quotable(name)));
    found->second = value;
  }
  constexpr std::int64_t kMostSize = 1'000'000;
  for (const char* name : {"M", "N", "K"}) {
    const auto found = made.values.find(name);
    if (found == made.values.end() || found->second < 1 || found->second > kMostSize)
      return tl::unexpected(fmt::format("{} must be a size from 1 to {}", name, kMostSize));
  }
  made.alpha = file.alpha;
  made.beta = file.beta;
  made.launch.kernel = file.kernel;
  constexpr std::int64_t kMostThreads = 1024;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto blocks = numberOf("grid", file.grid[axis], made.values, 1, kMostAlongAxis);
    if (!blocks) return tl::unexpected(blocks.error());
    const auto threads = numberOf("threads", file.threads[axis], made.values, 1, kMostThreads);
    if (!threads) return tl::unexpected(threads.error());
    made.launch.grid[axis] = static_cast<std::uint32_t>(*blocks);
    made.launch.block[axis] = static_cast<std::uint32_t>(*threads);
  }
  const auto shared = numberOf("shared", file.shared, made.values, 0, kMostAlongAxis);
  if (!shared) return tl::unexpected(shared.error());
  made.launch.dynamicShared = static_cast<std::uint32_t>(*shared);
  Resolving resolving(made);
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    auto text = resolving.argument(file.parameters[i]);
    if (!text) return tl::unexpected(fmt::format("parameter {}: {}", i + 1, text.error()));
    made.launch.arguments.push_back(std::move(*text));
  }
  return made;
}

}  // namespace tileloom::own
