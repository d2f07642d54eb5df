// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/accesses.h"

namespace tileloom::emulator::judges {

void Accesses::readByClocks(std::uint32_t thread, Site site, std::uint32_t array,
                            std::int64_t index, std::uint32_t word, std::uint32_t words,
                            std::uint32_t parts) {
  clocks_.read(event::Access{{thread, site}, array, index, words, parts, word});
}

void Accesses::writeByClocks(std::uint32_t thread, Site site, std::uint32_t array,
                             std::int64_t index, std::uint32_t word, std::uint32_t words,
                             std::uint32_t parts) {
  clocks_.write({{thread, site}, array, index, words, parts, word});
}

}  // namespace tileloom::emulator::judges
