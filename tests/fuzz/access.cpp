// SPDX-License-Identifier: GPL-3.0-or-later
// A pattern of addresses, whatever it is: it has counts that agree with each other, or one sentence
// says what is wrong. The first byte chooses kind, bytes, memory and swizzle.
#include <bit>

#include "kernels/own/access_cells.h"
#include "kernels/own/access_pattern.h"
#include "kernels/own/cute_text.h"
#include "tests/fuzz/support.h"

namespace tileloom::fuzz {

void attack(std::string_view bytes) {
  if (bytes.empty()) return;
  const auto choice = static_cast<unsigned char>(bytes[0]);
  const std::string text(bytes.substr(1));
  if (const auto swizzle = own::parseSwizzle(text); !swizzle) requireSentence(swizzle.error());
  if (const auto padding = own::parsePadding(text); !padding) requireSentence(padding.error());
  own::PatternRequest request{.text = text,
                              .bytes = 1u << choice % 5,
                              .kind = static_cast<own::PatternKind>(choice / 5 % 6),
                              .memory = static_cast<own::PatternMemory>(choice / 30 % 2)};
  if (choice / 60 % 2 == 1) request.swizzle = analysis::Swizzle{3, 4, 3};
  const auto pattern = own::accessPattern(request);
  if (!pattern) return requireSentence(pattern.error());
  for (const own::PatternAccess& access : pattern->accesses) {
    require(!pattern->shared() || access.cost.wavefronts() >= access.ideal(), "ideal is the least");
    if (!pattern->shared())
      require(own::sectorCells(access, request.bytes).size() == access.cost.global.sectors,
              "each sector is a cell");
  }
}

}  // namespace tileloom::fuzz
