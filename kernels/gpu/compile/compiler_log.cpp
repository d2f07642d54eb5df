// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/compile/compiler_log.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "kernels/base/plain_text.h"

namespace tileloom::gpu {
namespace {

constexpr std::size_t kMostOfCompiler = 300;  // characters

std::string_view trimmedText(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r:");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

// The number at the beginning; 0: there is none.
int numberOf(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return std::max(number, 0);
}

// "gemm.cu(12)", "gemm.cu:12:5", "ptxas gemm.ptx, line 12;".
void takePlace(std::string_view place, LoggedError& error) {
  place = trimmedText(place);
  while (!place.empty() && (place.back() == ':' || place.back() == ';')) place.remove_suffix(1);
  if (const std::size_t comma = place.rfind(", line "); comma != place.npos) {
    error.line = numberOf(place.substr(comma + 7));
    place = place.substr(0, comma);
    constexpr std::string_view kTool = "ptxas ";
    if (place.starts_with(kTool)) place.remove_prefix(kTool.size());
    error.file = place;
    return;
  }
  if (const std::size_t open = place.rfind('('); place.ends_with(")") && open != place.npos) {
    error.line = numberOf(place.substr(open + 1));
    if (error.line > 0) error.file = place.substr(0, open);
    return;
  }
  // From the first colon that a number follows.
  for (std::size_t colon = place.find(':'); colon != place.npos;
       colon = place.find(':', colon + 1)) {
    error.line = numberOf(place.substr(colon + 1));
    if (error.line == 0) continue;
    error.file = place.substr(0, colon);
    return;
  }
}

}  // namespace

LoggedError firstErrorOf(std::string_view log) {
  // With what follows the place; longer words before those that they contain.
  static constexpr std::array<std::string_view, 7> kMarks = {
      "catastrophic error:", "fatal error:", "error   :", "error:",
      "fatal   :",           "fatal:",       "error "};
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    for (const std::string_view mark : kMarks) {
      const std::size_t at = line.find(mark);
      if (at == line.npos) continue;
      LoggedError error;
      error.text = quotable(trimmedText(line.substr(at + mark.size())), kMostOfCompiler);
      takePlace(line.substr(0, at), error);
      return error;
    }
  }
  return {};
}

}  // namespace tileloom::gpu
