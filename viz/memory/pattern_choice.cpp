// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_choice.h"

#include "kernels/own/cute_text.h"

namespace tileloom {

tl::expected<own::PatternRequest, std::string> requestOf(const PatternChoice& choice) {
  own::PatternRequest request{.text = choice.text,
                              .bytes = own::isLdmatrix(choice.kind) ? 16 : choice.bytes,
                              .element = choice.element,
                              .kind = choice.kind,
                              .memory = choice.memory,
                              .unit = choice.unit,
                              .warps = choice.warp == 0 ? 0 : choice.warp + 1,
                              .steps = choice.step == 0 ? 0 : choice.step + 1};
  if (choice.padding.find_first_not_of(' ') != std::string::npos) {
    const auto padding = own::parsePadding(choice.padding);
    if (!padding) return tl::unexpected(padding.error());
    request.padding = *padding;
  }
  if (choice.swizzle.find_first_not_of(' ') != std::string::npos) {
    const auto swizzle = own::parseSwizzle(choice.swizzle);
    if (!swizzle) return tl::unexpected(swizzle.error());
    request.swizzle = *swizzle;
  }
  return request;
}

}  // namespace tileloom
