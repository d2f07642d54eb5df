// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/error.h"

#include <array>
#include <utility>

namespace tileloom {
namespace {

constexpr std::array<std::pair<Trouble, std::string_view>, 10> kNames = {{
    {Trouble::Missing, "missing"},
    {Trouble::Unsupported, "unsupported"},
    {Trouble::BadRequest, "bad-request"},
    {Trouble::Compilation, "compilation"},
    {Trouble::OutOfMemory, "out-of-memory"},
    {Trouble::WrongResult, "wrong-result"},
    {Trouble::Lost, "lost"},
    {Trouble::TimedOut, "timed-out"},
    {Trouble::Cancelled, "cancelled"},
    {Trouble::Failed, "failed"},
}};

}  // namespace

std::string_view name(Trouble trouble) {
  for (const auto& [t, text] : kNames) {
    if (t == trouble) return text;
  }
  return "failed";
}

Trouble troubleNamed(std::string_view text) {
  for (const auto& [t, known] : kNames) {
    if (known == text) return t;
  }
  return Trouble::Failed;
}

}  // namespace tileloom
