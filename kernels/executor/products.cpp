// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/products.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

// The row of registers `number` rows after the first one of a source; RZ has only one.
const Row& part(const Warp& warp, const Source& source, std::uint32_t number) {
  const auto row = source.row == kZeroRow ? kZeroRow : source.row + number;
  return warp.registers.rows[row];
}

Row& resultPart(Warp& warp, const Operation& o, std::uint32_t number) {
  return warp.registers.rows[o.result == kWasteRow ? kWasteRow : o.result + number];
}

// The lane maps of the PTX ISA, as in mma.h: a register holds `parts` elements that follow each
// other in k. Register r of A has row lane / 4 + r % 2 * 8 of a matrix of 16 rows.
void gather(const Warp& warp, const Operation& o, std::uint32_t elementBits, Products& p) {
  const std::uint32_t parts = 32 / elementBits, depth = p.depth;
  const std::uint32_t mask = elementBits == 32 ? ~0u : (1u << elementBits) - 1;
  const std::uint32_t chunks = depth / (4 * parts);  // registers of B
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      const Row& a = part(warp, o.a, 2 * chunk + half);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        auto& row = p.a[lane / 4 + half * 8];
        const std::uint32_t k = lane % 4 * parts + chunk * 4 * parts;
        for (std::uint32_t i = 0; i < parts; ++i)
          row[k + i] = a.lane[lane] >> (i * elementBits) & mask;
      }
    }
    const Row& b = part(warp, o.b, chunk);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t k = lane % 4 * parts + chunk * 4 * parts;
      for (std::uint32_t i = 0; i < parts; ++i)
        p.b[k + i][lane / 4] = b.lane[lane] >> (i * elementBits) & mask;
    }
  }
}

bool whole(Warp& warp) {
  if (warp.lanes() == kAllLanes) return true;
  warp.fail("a matrix instruction needs all 32 threads of its warp, but some do not execute it");
  return false;
}

}  // namespace

void multiplyMatrices(Warp& warp, const Operation& o) {
  if (!whole(warp)) return;
  Products p;
  p.depth = o.table;
  const auto factor = static_cast<Factor>(o.kind);
  const std::uint32_t bits = factor == Factor::Tf32                             ? 32
                             : factor == Factor::Fp16 || factor == Factor::Bf16 ? 16
                                                                                : 8;
  gather(warp, o, bits, p);
  if (o.wide) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Row& c = part(warp, o.c, i);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        p.c[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2] = c.lane[lane];
    }
    multiplyAdd(p, factor, false, o.accumulation);
    for (std::uint32_t i = 0; i < 4; ++i) {
      Row& d = resultPart(warp, o, i);
      for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        d.lane[lane] = p.c[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
    }
    return;
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    const Row& c = part(warp, o.c, i);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      auto& row = p.c[lane / 4 + i * 8];
      row[lane % 4 * 2] = c.lane[lane] & 0xffff;
      row[lane % 4 * 2 + 1] = c.lane[lane] >> 16;
    }
  }
  multiplyAdd(p, factor, true, o.accumulation);
  for (std::uint32_t i = 0; i < 2; ++i) {
    Row& d = resultPart(warp, o, i);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto& row = p.c[lane / 4 + i * 8];
      d.lane[lane] = row[lane % 4 * 2] | row[lane % 4 * 2 + 1] << 16;
    }
  }
}

void multiplyBytes(Warp& warp, const Operation& o) {
  if (!whole(warp)) return;
  Products p;
  p.depth = o.table;
  gather(warp, o, 8, p);
  const auto widen = [](auto& rows, std::uint32_t count, std::uint32_t length) {
    for (std::uint32_t row = 0; row < count; ++row)
      for (std::uint32_t i = 0; i < length; ++i)
        rows[row][i] = static_cast<std::uint32_t>(static_cast<std::int8_t>(rows[row][i]));
  };
  if (o.isSigned) widen(p.a, Products::kRows, p.depth);
  if (o.secondSigned) widen(p.b, p.depth, Products::kColumns);
  std::array<std::array<std::int32_t, Products::kColumns>, Products::kRows> products{};
  for (std::uint32_t row = 0; row < Products::kRows; ++row)
    for (std::uint32_t k = 0; k < p.depth; ++k)
      for (std::uint32_t j = 0; j < Products::kColumns; ++j)
        products[row][j] +=
            static_cast<std::int32_t>(p.a[row][k]) * static_cast<std::int32_t>(p.b[k][j]);
  std::array<Row, 4> results;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const Row& c = part(warp, o.c, i);
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::int64_t sum = std::int64_t{static_cast<std::int32_t>(c.lane[lane])} +
                               products[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
      constexpr std::int64_t kMost = 0x7fffffff;
      results[i].lane[lane] =
          static_cast<std::uint32_t>(o.saturates ? std::clamp(sum, -kMost - 1, kMost) : sum);
    }
  }
  for (std::uint32_t i = 0; i < 4; ++i) resultPart(warp, o, i) = results[i];
}

void multiplyDoubles(Warp& warp, const Operation& o) {
  if (!whole(warp)) return;
  const auto value = [&](const Source& source, std::uint32_t number, std::uint32_t lane) {
    const std::uint64_t low = part(warp, source, 2 * number).lane[lane];
    const std::uint64_t high = part(warp, source, 2 * number + 1).lane[lane];
    return std::bit_cast<double>(low | high << 32);
  };
  std::array<Row, 4> results;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      double sum = value(o.c, i, lane);
      const std::uint32_t row = lane / 4, column = lane % 4 * 2 + i;
      for (std::uint32_t k = 0; k < 4; ++k)
        sum = std::fma(value(o.a, 0, row * 4 + k), value(o.b, 0, column * 4 + k), sum);
      const auto bits = std::bit_cast<std::uint64_t>(sum);
      results[2 * i].lane[lane] = static_cast<std::uint32_t>(bits);
      results[2 * i + 1].lane[lane] = static_cast<std::uint32_t>(bits >> 32);
    }
  }
  for (std::uint32_t i = 0; i < 4; ++i) resultPart(warp, o, i) = results[i];
}

}  // namespace tileloom::executor
