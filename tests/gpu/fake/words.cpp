// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/fake/words.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace tileloom::fake {

void die(const std::string& why) {
  std::fprintf(stderr, "fake_cuda: %s\n", why.c_str());
  std::abort();
}

std::string text(const char* format, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

double number(const std::string& value, const std::string& of) {
  char* end = nullptr;
  double n = std::strtod(value.c_str(), &end);
  switch (*end) {
    case 'K':
      n *= 1024, ++end;
      break;
    case 'M':
      n *= 1 << 20, ++end;
      break;
    case 'G':
      n *= 1 << 30, ++end;
      break;
    default:
      break;
  }
  if (value.empty() || *end != '\0') die("TILELOOM_FAKE: no number in " + of);
  return n;
}

int integer(const std::string& value, const std::string& of) {
  return static_cast<int>(number(value, of));
}

std::pair<std::string, std::string> split(const std::string& whole, char separator) {
  const std::size_t at = whole.find(separator);
  if (at == std::string::npos) return {whole, ""};
  return {whole.substr(0, at), whole.substr(at + 1)};
}

}  // namespace tileloom::fake
