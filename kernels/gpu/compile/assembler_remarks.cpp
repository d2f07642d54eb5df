// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/assembler_remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/base/plain_text.h"

namespace tileloom::gpu {
namespace {

using Words = std::pair<std::string_view, std::string_view>;

// Parts of the assembler's messages, and the same in our words. The first match counts.
constexpr auto kSerialised = std::to_array<Words>({
    {"insufficient register", "there are too few registers for their accumulators"},
    {"defining accumulator registers", "other instructions write their accumulators in between"},
    {"reading accumulator registers", "other instructions read their accumulators in between"},
    {"defining input registers", "other instructions write their operands in between"},
    {"divergent path", "they are on a divergent path"},
    {"Extern call", "there is a function call in between"},
    {"function call", "there is a function call in between"},
    {"ill formed pipeline stage", "they are not enclosed by a fence and a wait"},
});

constexpr auto kRegisters = std::to_array<Words>({
    {"unable to determine register count", "the register count at the kernel's entry is unknown"},
    {"minimum register requirements", "the kernel needs more registers than it would keep"},
    {"debugging", "the kernel is compiled for debugging"},
    {"'extern' call", "there is an extern call"},
    {"compilation units", "the kernel has several compilation units"},
});

template <std::size_t N>
std::string_view reasonIn(std::string_view text, const std::array<Words, N>& all) {
  const auto known = std::ranges::find_if(
      all, [text](const Words& words) { return text.find(words.first) != text.npos; });
  return known == all.end() ? std::string_view() : known->second;
}

std::string because(std::string_view reason, std::string_view text) {
  return reason.empty() ? fmt::format("\"{}\"", quotable(text)) : fmt::format("because {}", reason);
}

std::string sentenceOf(std::string_view number, std::string_view text) {
  const auto has = [text](std::string_view part) { return text.find(part) != text.npos; };
  if (has("are serialized")) {
    return fmt::format(
        "the assembler serialises wgmma, so that each one waits for the previous one, {} ({})",
        because(reasonIn(text, kSerialised), text), number);
  }
  if (has("'setmaxnreg' ignored")) {
    return fmt::format("the assembler ignores setmaxnreg, {} ({})",
                       because(reasonIn(text, kRegisters), text), number);
  }
  if (has("warpgroup.wait is injected")) {
    return fmt::format(
        "the assembler adds a wait for wgmma, because accumulators are used before one ({})",
        number);
  }
  if (has("warpgroup.arrive is injected")) {
    return fmt::format(
        "the assembler adds a fence before wgmma, because other instructions have written the "
        "accumulators ({})",
        number);
  }
  return fmt::format("the assembler says \"{}\" ({})", quotable(text), number);
}

// "C7510" of "ptxas info    : (C7510) Potential …", and what follows.
std::pair<std::string_view, std::string_view> remarkOf(std::string_view line) {
  constexpr std::string_view kOpen = "(C75", kClose = ") ";
  constexpr std::size_t kNumber = 5;
  const std::size_t at = line.find(kOpen);
  if (at == line.npos) return {};
  const std::string_view number = line.substr(at + 1, kNumber);
  const std::string_view rest = line.substr(std::min(at + 1 + kNumber, line.size()));
  const bool digits =
      std::ranges::all_of(number.substr(1), [](char c) { return c >= '0' && c <= '9'; });
  if (number.size() != kNumber || !digits || !rest.starts_with(kClose)) return {};
  return {number, rest.substr(kClose.size())};
}

}  // namespace

std::vector<std::string> assemblerRemarks(std::string_view log) {
  std::vector<std::string> all;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const auto [number, text] = remarkOf(log.substr(begin, end - begin));
    begin = end + 1;
    if (number.empty()) continue;
    std::string sentence = sentenceOf(number, text);
    if (std::ranges::find(all, sentence) == all.end()) all.push_back(std::move(sentence));
  }
  return all;
}

}  // namespace tileloom::gpu
