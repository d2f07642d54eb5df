// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/support.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "kernels/base/plain_text.h"

namespace tileloom::fuzz {
namespace {

// Uses another UTF-8 reader than the tested one.
bool isUtf8(std::string_view text) {
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

}  // namespace

void require(bool condition, std::string_view what) {
  if (condition) return;
  fmt::print(stderr, "\nfailed: {}\n", what);
  std::fflush(stderr);
  __builtin_trap();
}

void requirePlain(std::string_view text) {
  require(isUtf8(text), "a text is UTF-8");
  require(!hasControlCharacters(text), "a text has no control characters");
}

void requirePlainTexts(const nlohmann::json& value) {
  if (value.is_string()) requirePlain(value.get_ref<const std::string&>());
  if (value.is_object()) {
    for (const auto& member : value.items()) requirePlain(member.key());
  }
  if (value.is_structured()) {
    for (const auto& each : value) requirePlainTexts(each);
  }
}

void requirePlainLine(std::string_view line) {
  require(line.find('\n') == line.npos, "a line has no newline in it");
  const auto value = nlohmann::json::parse(line, nullptr, false);
  require(value.is_object(), "what is written is a JSON object");
  requirePlainTexts(value);
}

void requireSentence(std::string_view error) {
  constexpr std::size_t kLongest = 600;
  require(!error.empty(), "an error says something");
  require(error.size() <= kLongest, fmt::format("an error has {} bytes: {}", error.size(), error));
  require(!error.ends_with('.'), "an error has no full stop");
  requirePlain(error);
}

Halves halvesOf(std::string_view bytes) {
  const std::size_t end = bytes.find('\0');
  if (end == bytes.npos) return {bytes, {}};
  return {bytes.substr(0, end), bytes.substr(end + 1)};
}

}  // namespace tileloom::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tileloom::fuzz::attack({reinterpret_cast<const char*>(data), size});
  return 0;
}
