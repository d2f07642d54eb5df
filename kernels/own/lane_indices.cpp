// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/lane_indices.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kernels/base/plain_text.h"
#include "kernels/own/cute_text.h"
#include "kernels/own/expression.h"

namespace tileloom::own {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::string_view kVariables[] = {"lane", "warp", "step", "thread"};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// What is before "->" must be names of variables: "lane", "(lane, warp)".
std::string whyNotHeader(std::string_view header) {
  header = trimmed(header);
  if (header.starts_with('(') && header.ends_with(')'))
    header = header.substr(1, header.size() - 2);
  for (;;) {
    const std::size_t comma = header.find(',');
    const std::string_view name = trimmed(header.substr(0, comma));
    if (std::ranges::find(kVariables, name) == std::end(kVariables)) {
      return fmt::format("\"{}\" before -> is unknown: choose lane, warp, step or thread",
                         quotable(name));
    }
    if (comma == std::string_view::npos) return {};
    header = header.substr(comma + 1);
  }
}

bool separates(char c) {
  return c == ' ' || c == ',' || c == ';' || c == '[' || c == ']';
}

std::vector<std::string_view> wordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (separates(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !separates(text[end])) ++end;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool isOff(std::string_view word) {
  return word == "-" || word == "_";
}
bool isHexadecimal(std::string_view word) {
  return word.starts_with("0x") || word.starts_with("0X");
}

// Two numbers or more, without an operator between them. Marks of inactive lanes count.
bool looksLikeList(std::string_view text) {
  const auto words = wordsOf(text);
  return words.size() > 1 && std::ranges::all_of(words, [](std::string_view word) {
           return isOff(word) || (word.front() >= '0' && word.front() <= '9' &&
                                  word.find_first_of("+-*/%&|^<>?:()") == std::string_view::npos);
         });
}

tl::expected<Indices, std::string> ofList(std::string_view text) {
  const auto words = wordsOf(text);
  if (words.size() > kLanes && words.size() % kLanes != 0) {
    return tl::unexpected(fmt::format(
        "the list has {} entries: give one for each of 32 lanes, - for an inactive one, and 32 "
        "more for each further step",
        words.size()));
  }
  Indices made;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto step = static_cast<std::uint32_t>(i / kLanes),
               lane = static_cast<std::uint32_t>(i % kLanes);
    if (step >= kMostPatternSteps)
      return tl::unexpected(fmt::format("the list has more than {} steps", kMostPatternSteps));
    if (lane == 0) made.accesses.push_back({0, step, 0, {}});
    if (isOff(words[i])) continue;
    std::string_view digits = words[i];
    const bool hexadecimal = isHexadecimal(digits);
    if (hexadecimal) digits.remove_prefix(2);
    made.addresses |= hexadecimal;
    std::int64_t value = 0;
    const char* const last = digits.data() + digits.size();
    const auto [end, wrong] = std::from_chars(digits.data(), last, value, hexadecimal ? 16 : 10);
    if (wrong != std::errc() || end != last) {
      return tl::unexpected(
          fmt::format("entry {} of the list, \"{}\", is not a number: write 72, 0x48, or - for an "
                      "inactive lane",
                      i + 1, quotable(words[i])));
    }
    made.accesses.back().mask |= 1u << lane;
    made.accesses.back().values[lane] = value;
  }
  return made;
}

tl::expected<Indices, std::string> ofCute(std::string_view text, std::uint32_t warps) {
  const auto parsed = parseCute(text);
  if (!parsed) return tl::unexpected(parsed.error());
  const std::int64_t size = parsed->layout.size();
  if (warps == 0) {
    warps = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>((size + kLanes - 1) / kLanes, 1, kMostPatternWarps));
  }
  Indices made;
  made.swizzle = parsed->swizzle;
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    LaneIndices& access = made.accesses.emplace_back(LaneIndices{warp, 0, 0, {}});
    for (std::uint32_t lane = 0; lane < kLanes && warp * kLanes + lane < size; ++lane) {
      access.mask |= 1u << lane;
      access.values[lane] = parsed->offset + parsed->layout(warp * kLanes + lane);
    }
  }
  return made;
}

tl::expected<Indices, std::string> ofExpression(std::string_view text, std::uint32_t warps,
                                                std::uint32_t steps) {
  std::string_view condition;
  if (const std::size_t at = text.find(" if "); at != std::string_view::npos) {
    condition = trimmed(text.substr(at + 4));
    text = text.substr(0, at);
    if (condition.empty())
      return tl::unexpected<std::string>("the condition behind \"if\" is missing");
  }
  text = trimmed(text);
  if (text.empty())
    return tl::unexpected<std::string>(
        "the expression is missing: write one such as lane -> lane * 2");
  Indices made;
  Names names;
  for (std::uint32_t step = 0; step < std::max(steps, 1u); ++step) {
    for (std::uint32_t warp = 0; warp < std::max(warps, 1u); ++warp) {
      LaneIndices& access = made.accesses.emplace_back(LaneIndices{warp, step, 0, {}});
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        names["lane"] = lane;
        names["warp"] = warp;
        names["step"] = step;
        names["thread"] = warp * kLanes + lane;
        const auto complaint = [&](const std::string& why) {
          // A mistake in the text is found at once; one of values only in some lane.
          const bool first = lane == 0 && warp == 0 && step == 0;
          return tl::unexpected(first ? why : fmt::format("{}, for lane {}", why, lane));
        };
        if (!condition.empty()) {
          const auto active = evaluate(condition, names);
          if (!active) return complaint(active.error());
          if (*active == 0) continue;
        }
        const auto value = evaluate(text, names);
        if (!value) return complaint(value.error());
        access.mask |= 1u << lane;
        access.values[lane] = *value;
      }
    }
  }
  return made;
}

}  // namespace

tl::expected<Indices, std::string> laneIndices(std::string_view text, std::uint32_t warps,
                                               std::uint32_t steps) {
  if (text.size() > kLongestPattern)
    return tl::unexpected(fmt::format("a pattern has at most {} characters", kLongestPattern));
  std::string line(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  if (looksLikeList(line)) return ofList(line);
  std::string_view body = line;
  if (const std::size_t arrow = body.find("->"); arrow != std::string_view::npos) {
    if (std::string why = whyNotHeader(body.substr(0, arrow)); !why.empty())
      return tl::unexpected(std::move(why));
    body = body.substr(arrow + 2);
  }
  if (looksLikeCute(body)) return ofCute(trimmed(body), warps);
  return ofExpression(body, warps, steps);
}

}  // namespace tileloom::own
