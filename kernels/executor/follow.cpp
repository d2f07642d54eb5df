// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/follow.h"

#include <algorithm>

namespace tileloom::executor {
namespace {

bool isZero(const Source& source) {
  return !source.fixed && source.row == kZeroRow;
}
bool isChanged(const Source& source) {
  return source.negative || source.complement;
}

// An integer sum with one source that is not zero moves it.
Follow sumOf(const Operation& o) {
  if (o.extended || isChanged(o.a) || isChanged(o.b) || isChanged(o.c)) return Follow::Lost;
  const bool a = isZero(o.a), b = isZero(o.b), c = isZero(o.c);
  if (b && c) return Follow::First;
  if (a && c) return Follow::Second;
  return a && b ? Follow::Third : Follow::Lost;
}

Follow integerProductOf(const Translator& t, const Operation& o) {
  if (t.words.has("MOV") || (isZero(o.a) && isZero(o.b))) return Follow::Third;
  constexpr std::uint32_t kHalfUp = 0x10000;
  const bool shifts =
      o.b.fixed && t.program.fixed[o.b.row].lane[0] == kHalfUp && isZero(o.c) && o.written == 1;
  return shifts ? Follow::Upward : Follow::Lost;
}

Follow shiftOf(const Translator& t, const Operation& o) {
  constexpr std::uint32_t kHalf = 16;
  const bool by = o.b.fixed && t.program.fixed[o.b.row].lane[0] == kHalf;
  return by && !o.right && !o.upperHalf && !o.wide && isZero(o.c) ? Follow::Upward : Follow::Lost;
}

// A mask of the upper half.
Follow logicOf(const Translator& t, const Operation& o) {
  constexpr std::uint32_t kUpper = 0xffff0000, kAnd = 0xc0;
  const bool masks = o.b.fixed && t.program.fixed[o.b.row].lane[0] == kUpper && isZero(o.c);
  return masks && o.table == kAnd ? Follow::Upper : Follow::Lost;
}

struct NamedRule {
  std::string_view name;
  Follow follow;
};
constexpr NamedRule kRules[] = {
    {"MOV", Follow::First},        {"SEL", Follow::Choice},    {"FSEL", Follow::Choice},
    {"PRMT", Follow::Bytes},       {"FMUL", Follow::Product},  {"FADD", Follow::Sum},
    {"FFMA", Follow::Fused},       {"DMUL", Follow::Product},  {"DADD", Follow::Sum},
    {"DFMA", Follow::Fused},       {"FMNMX", Follow::Sum},     {"HMUL2", Follow::Products},
    {"HFMA2", Follow::FusedPairs}, {"HMNMX2", Follow::Sums},   {"SHFL", Follow::Shuffled},
    {"MOVM", Follow::Transposed},  {"HMMA", Follow::Matrices}, {"LDG", Follow::Memory},
    {"LD", Follow::Memory},        {"LDS", Follow::Memory},    {"LDL", Follow::Memory},
    {"LDSM", Follow::Memory},      {"HGMMA", Follow::Memory},
};

Follow followOf(const Translator& t, const Operation& o) {
  const std::string_view base = t.words.base();
  if (base == "IADD3" || base == "VIADD") return sumOf(o);
  if (base == "IMAD") return integerProductOf(t, o);
  if (base == "SHF") return shiftOf(t, o);
  if (base == "LOP3") return logicOf(t, o);
  if (base == "HADD2") return t.words.has("F32") ? Follow::Widened : Follow::Sums;
  if (base == "F2FP") return t.words.has("PACK_AB") ? Follow::Packed : Follow::Lost;
  if (base == "F2F")
    return t.words.has("F16") || t.words.has("BF16") ? Follow::Lost : Follow::First;
  const auto* const row = std::ranges::find(kRules, base, &NamedRule::name);
  return row == std::end(kRules) ? Follow::Lost : row->follow;
}

}  // namespace

void followResult(const Translator& t, Operation& o) {
  for (const sass::DecodedOperand& each : t.decoded.operands) {
    if (each.kind != sass::OperandKind::Register || each.access == sass::Access::Read) continue;
    if (!each.isZero()) o.written = static_cast<std::uint8_t>(std::max(1, each.registers));
    break;
  }
  if (o.written != 0) o.follow = followOf(t, o);
}

}  // namespace tileloom::executor
