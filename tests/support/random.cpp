// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random.h"

#include <cstdlib>

namespace tileloom::test {
namespace {

std::uint32_t fromEnvironment(const char* name, std::uint32_t otherwise) {
  const char* text = std::getenv(name);
  if (text == nullptr) return otherwise;
  const unsigned long value = std::strtoul(text, nullptr, 10);
  return value == 0 ? otherwise : static_cast<std::uint32_t>(value);
}

}  // namespace

int Random::integer(int lowest, int highest) {
  const auto span = static_cast<std::uint32_t>(highest - lowest) + 1;
  return lowest + static_cast<int>(engine_() % span);
}

float Random::real() {
  return static_cast<float>(static_cast<std::int32_t>(engine_() & 0xFFFFFFu) - 0x800000) * 0x1p-23f;
}

std::vector<float> Random::reals(std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = real();
  return values;
}

std::uint32_t seed() {
  static const std::uint32_t value = fromEnvironment("TILELOOM_TEST_SEED", 20250);
  return value;
}

std::size_t tilesPerStage() {
  static const std::size_t value = fromEnvironment("TILELOOM_TEST_TILES", 200);
  return value;
}

bool briefly() {
  constexpr std::size_t kFew = 50;
  return tilesPerStage() < kFew;
}

}  // namespace tileloom::test
