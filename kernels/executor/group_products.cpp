// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/group_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/emulator/asynchronous.h"
#include "kernels/executor/group_operands.h"
#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {
namespace {

constexpr std::uint32_t kWarpRows = WideProducts::kRows, kOperandUnit = GroupOperand::kUnit;

std::uint64_t descriptorOf(const Warp& warp, const Operation& o, std::uint32_t number) {
  const auto word = [&](std::uint32_t at) {
    const auto row = o.base == kZeroRow ? kZeroRow : o.base + at;
    return std::uint64_t{warp.registers.rows[row].lane[0]};
  };
  return word(2 * number) | word(2 * number + 1) << 32;
}

std::uint32_t bitsOf(const Operation& o) {
  if (o.execute == multiplyGroupBytes) return 8;
  const auto factor = static_cast<Factor>(o.kind);
  return factor == Factor::Tf32 ? 32 : factor == Factor::Fp16 || factor == Factor::Bf16 ? 16 : 8;
}

// Elements of 16 bytes, one in a word.
void unpack(const std::uint8_t* bytes, std::uint32_t bits, std::uint32_t* to) {
  if (bits == 32) return static_cast<void>(std::memcpy(to, bytes, kOperandUnit));
  if (bits == 16) {
    std::array<std::uint16_t, kOperandUnit / 2> elements;
    std::memcpy(elements.data(), bytes, kOperandUnit);
    for (std::size_t i = 0; i < elements.size(); ++i) to[i] = elements[i];
    return;
  }
  for (std::size_t i = 0; i < kOperandUnit; ++i) to[i] = bytes[i];
}

// The elements of an operand that an instruction reads from shared memory.
class OperandReader {
 public:
  OperandReader(Warp& warp, std::uint64_t descriptor)
      : warp_(warp), operand_(GroupOperand::of(descriptor)) {
    if (operand_.offset != 0)
      warp_.fail("a matrix descriptor has a base offset, which is not executed yet");
  }
  const GroupOperand& operand() const { return operand_; }
  // 16 bytes at this place; nullptr: the warp has failed.
  const std::uint8_t* at(std::uint32_t place) {
    if (warp_.state() == Warp::State::Failed) return nullptr;
    const std::uint8_t* const bytes = warp_.around().memory->sharedPlace(place, kOperandUnit);
    if (bytes == nullptr)
      warp_.fail(
          fmt::format("the tensor core reads 16 bytes of shared memory at {:#x} for warp "
                      "{}, where there is none",
                      place, warp_.number()));
    return bytes;
  }

 private:
  Warp& warp_;
  GroupOperand operand_;
};

// A from registers: as mma.m16n8k16 and the like (PTX ISA, "Register fragments").
void takeA(const Warp& warp, const Operation& o, std::uint32_t bits, WideProducts& p) {
  const std::uint32_t parts = 32 / bits, mask = bits == 32 ? ~0u : (1u << bits) - 1;
  for (std::uint32_t number = 0; number < 4; ++number) {
    const auto from = o.a.row == kZeroRow ? kZeroRow : o.a.row + number;
    const Row& row = warp.registers.rows[from];
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const std::uint32_t k = lane % 4 * parts + number / 2 * 4 * parts;
      for (std::uint32_t i = 0; i < parts; ++i)
        p.a[lane / 4 + number % 2 * 8][k + i] = row.lane[lane] >> (i * bits) & mask;
    }
  }
}

// False: the warp has failed.
bool readA(Warp& warp, const Operation& o, std::uint64_t descriptor, std::uint32_t bits,
           WideProducts& p) {
  OperandReader reader(warp, descriptor);
  const std::uint32_t first = warp.number() % emulator::kWarpsPerGroup * kWarpRows;
  const std::uint32_t each = kOperandUnit * 8 / bits;
  if (o.transposed) {
    std::array<std::uint32_t, kOperandUnit> column;
    for (std::uint32_t k = 0; k < p.depth; ++k) {
      for (std::uint32_t m = 0; m < kWarpRows; m += each) {
        const std::uint8_t* const from = reader.at(reader.operand().alongN(k, first + m));
        if (from == nullptr) return false;
        unpack(from, bits, column.data());
        for (std::uint32_t i = 0; i < each; ++i) p.a[m + i][k] = column[i];
      }
    }
    return true;
  }
  for (std::uint32_t row = 0; row < kWarpRows; ++row) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint8_t* const from = reader.at(reader.operand().alongK(first + row, half));
      if (from == nullptr) return false;
      unpack(from, bits, p.a[row].data() + half * each);
    }
  }
  return true;
}

bool readB(Warp& warp, const Operation& o, std::uint64_t descriptor, std::uint32_t bits,
           WideProducts& p) {
  OperandReader reader(warp, descriptor);
  const std::uint32_t each = kOperandUnit * 8 / bits;
  if (o.right) {
    for (std::uint32_t k = 0; k < p.depth; ++k) {
      for (std::uint32_t n = 0; n < p.columns; n += each) {
        const std::uint8_t* const from = reader.at(reader.operand().alongN(k, n));
        if (from == nullptr) return false;
        unpack(from, bits, p.b[k].data() + n);
      }
    }
    return true;
  }
  std::array<std::uint32_t, kOperandUnit> row;
  for (std::uint32_t n = 0; n < p.columns; ++n) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint8_t* const from = reader.at(reader.operand().alongK(n, half));
      if (from == nullptr) return false;
      unpack(from, bits, row.data());
      for (std::uint32_t i = 0; i < each; ++i) p.b[half * each + i][n] = row[i];
    }
  }
  return true;
}

// Calls `visit(register of the sums, lane, row, column)`; with two sums in a register, of the
// first.
template <class Visit>
void eachSum(std::uint32_t columns, bool wide, Visit&& visit) {
  for (std::uint32_t i = 0; i < columns / 2; i += wide ? 1 : 2)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      const auto [row, column] = emulator::placeOfSum(lane, i);
      visit(wide ? i : i / 2, lane, row, column);
    }
}

// What the instruction multiplies; false: the warp has failed.
bool collect(Warp& warp, const Operation& o, bool keep, WideProducts& p) {
  if (warp.lanes() != kAllLanes) {
    warp.fail("a matrix instruction needs all 32 threads of its warp, but some do not execute it");
    return false;
  }
  const std::uint32_t bits = bitsOf(o);
  p.depth = o.table;
  p.columns = o.secondTable;
  if (p.depth * bits != 2 * kOperandUnit * 8 || p.columns % 8 != 0 ||
      p.columns > WideProducts::kMostColumns || ((o.transposed || o.right) && bits != 16)) {
    warp.fail("a wgmma of this shape is not executed yet");
    return false;
  }
  GroupProduct product{issueOf(warp),
                       o.extended ? 0 : descriptorOf(warp, o, 0),
                       descriptorOf(warp, o, 1),
                       o.extended,
                       o.transposed,
                       o.right,
                       keep,
                       p.columns,
                       p.depth,
                       bits / 8,
                       o.a.row,
                       o.result,
                       p.columns / (o.wide ? 2 : 4)};
  if (o.extended)
    takeA(warp, o, bits, p);
  else if (!readA(warp, o, product.a, bits, p))
    return false;
  if (!readB(warp, o, product.b, bits, p)) return false;
  if (o.flushes)
    for (auto& row : p.a)
      for (std::uint32_t k = 0; k < p.depth; ++k) row[k] ^= 1u << (bits - 1);
  if (Observer* const observer = warp.around().observer; observer != nullptr)
    observer->seeProduct(product);
  return true;
}

void takeSums(const Warp& warp, const Operation& o, bool wide, bool keep, WideProducts& p) {
  if (!keep) {
    for (auto& row : p.c) std::fill_n(row.begin(), p.columns, 0u);
    return;
  }
  const auto& rows = warp.registers.rows;
  eachSum(p.columns, wide,
          [&](std::uint32_t i, std::uint32_t lane, std::uint32_t row, std::uint32_t column) {
            const std::uint32_t bits =
                rows[o.c.row == kZeroRow ? kZeroRow : o.c.row + i].lane[lane];
            p.c[row][column] = wide ? bits : bits & 0xffff;
            if (!wide) p.c[row][column + 1] = bits >> 16;
          });
}

void putSums(Warp& warp, const Operation& o, bool wide, const WideProducts& p) {
  if (o.result == kWasteRow) return;
  auto& rows = warp.registers.rows;
  eachSum(p.columns, wide,
          [&](std::uint32_t i, std::uint32_t lane, std::uint32_t row, std::uint32_t column) {
            rows[o.result + i].lane[lane] =
                wide ? p.c[row][column] : p.c[row][column] | p.c[row][column + 1] << 16;
          });
}

bool keeps(const Warp& warp, const Operation& o) {
  return (truth(warp.registers, o.p) & 1) != 0;
}

}  // namespace

void multiplyGroup(Warp& warp, const Operation& o) {
  WideProducts p;
  const bool keep = keeps(warp, o);
  if (!collect(warp, o, keep, p)) return;
  takeSums(warp, o, o.wide, keep, p);
  multiplyAdd(p, static_cast<Factor>(o.kind), static_cast<Factor>(o.scale), !o.wide,
              o.accumulation);
  putSums(warp, o, o.wide, p);
  if (o.commits) warp.endProductGroup();
}

void multiplyGroupBytes(Warp& warp, const Operation& o) {
  WideProducts p;
  const bool keep = keeps(warp, o);
  if (!collect(warp, o, keep, p)) return;
  takeSums(warp, o, true, keep, p);
  const auto widened = [](std::uint32_t byte, bool isSigned) {
    return isSigned ? static_cast<std::uint32_t>(static_cast<std::int8_t>(byte)) : byte;
  };
  for (std::uint32_t row = 0; row < kWarpRows; ++row) {
    for (std::uint32_t k = 0; k < p.depth; ++k) {
      const std::uint32_t a = widened(p.a[row][k], o.isSigned);
      for (std::uint32_t n = 0; n < p.columns; ++n)
        p.c[row][n] += a * widened(p.b[k][n], o.secondSigned);
    }
  }
  putSums(warp, o, true, p);
  if (o.commits) warp.endProductGroup();
}

void waitForGroups(Warp& warp, const Operation& o) {
  warp.waitForProducts(o.table);
}

}  // namespace tileloom::executor
