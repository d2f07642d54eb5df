// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/eighths.h"

#include <bit>
#include <cmath>

#include "kernels/base/half_formats.h"
#include "kernels/base/small_formats.h"
#include "kernels/executor/short_numbers.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

void unpackEighths(Warp& warp, const Operation& o) {
  const Row from = plain(warp.registers, *warp.around().program, o.b);
  const auto made = [&](std::uint32_t byte) -> std::uint32_t {
    const auto bits = static_cast<std::uint8_t>(byte);
    const float value = o.kind == kE4m3 ? fromE4m3(bits) : fromE5m2(bits);
    if (std::isnan(value)) return kShortNotANumber;
    if (o.clamps && std::signbit(value)) return 0;
    return o.wide ? toBf16(value) : toFp16(value);
  };
  put(warp.registers.rows[o.result], warp.lanes(),
      [&](auto i) { return made(from.lane[i] & 0xff) | made(from.lane[i] >> 8 & 0xff) << 16; });
}

void packEighths(Warp& warp, const Operation& o) {
  const Program& program = *warp.around().program;
  Row madeA, madeB;
  const Row upper = o.extended ? plain(warp.registers, program, o.b)
                               : floats(warp.registers, program, o.a, madeA);
  const Row lower = o.extended ? upper : floats(warp.registers, program, o.b, madeB);
  const Row other = plain(warp.registers, program, o.c);
  const auto made = [&](float value) -> std::uint32_t {
    return o.kind == kE4m3 ? toE4m3(value) : toE5m2(value);
  };
  const auto half = [](std::uint32_t bits) { return fromFp16(static_cast<std::uint16_t>(bits)); };
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto i) {
    const float a = o.extended ? half(upper.lane[i] >> 16) : std::bit_cast<float>(upper.lane[i]);
    const float b = o.extended ? half(lower.lane[i] & 0xffff) : std::bit_cast<float>(lower.lane[i]);
    return made(a) << 8 | made(b) | other.lane[i] << 16;
  });
}

}  // namespace tileloom::executor
