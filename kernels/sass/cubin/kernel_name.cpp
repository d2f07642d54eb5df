// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/cubin/kernel_name.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace tileloom::sass {
namespace {

constexpr std::size_t kMostDemangled = 4096;  // characters; its memory is on the stack

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Without spaces and without the letters behind numbers.
std::string plainName(std::string_view text) {
  std::string plain;
  bool number = false;  // the last character belongs to a number
  for (const char c : text) {
    if (c == ' ') continue;
    if (isDigit(c)) {
      number = number || plain.empty() || !isLetter(plain.back());
    } else if (number && (c == 'u' || c == 'l' || c == 'U' || c == 'L')) {
      continue;
    } else {
      number = false;
    }
    plain += c;
  }
  return plain;
}

// The end of the brackets that begin at `at`, behind them.
std::size_t behindBrackets(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '<' || text[at] == '(') ++depth;
    if (text[at] == '>' || text[at] == ')') --depth;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

}  // namespace

std::string demangled(std::string_view name) {
  if (!name.starts_with("_Z") || name.size() > kMostDemangled) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string(name);
}

std::string kernelTitle(std::string_view name) {
  std::string whole = demangled(name);
  if (whole == name) return whole;
  std::string_view text = whole;
  constexpr std::string_view kVoid = "void ";  // kernels return nothing
  if (text.starts_with(kVoid)) text.remove_prefix(kVoid.size());
  // The parameters are the last brackets that are not in others; "(anonymous namespace)::" is the
  // beginning of a name.
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '<' && text[at] != '(') {
      ++at;
      continue;
    }
    const std::size_t end = behindBrackets(text, at);
    if (text[at] == '(' && text.substr(end).substr(0, 2) != "::")
      return std::string(text.substr(0, at));
    at = end;
  }
  return std::string(text);
}

std::vector<const KernelImage*> kernelsNamed(const Module& module, std::string_view text) {
  std::vector<const KernelImage*> found;
  const auto take = [&](auto&& fits) {
    if (!found.empty()) return;
    for (const KernelImage& kernel : module.kernels)
      if (fits(kernel)) found.push_back(&kernel);
  };
  const std::string plain = plainName(text);
  take([&](const KernelImage& kernel) { return kernel.name == text; });
  take([&](const KernelImage& kernel) { return plainName(kernelTitle(kernel.name)) == plain; });
  take([&](const KernelImage& kernel) {
    return kernel.name.find(text) != std::string::npos ||
           plainName(demangled(kernel.name)).find(plain) != std::string::npos;
  });
  if (const std::size_t bracket = plain.find('<'); bracket != std::string::npos && bracket > 0)
    take([&](const KernelImage& kernel) {
      return plainName(kernelTitle(kernel.name)).starts_with(plain.substr(0, bracket + 1));
    });
  return found;
}

}  // namespace tileloom::sass
