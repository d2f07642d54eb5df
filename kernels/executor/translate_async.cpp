// SPDX-License-Identifier: GPL-3.0-or-later
// What compute capability 9.0 adds: TMA, mbarriers, clusters, wgmma.
#include <algorithm>
#include <charconv>

#include "kernels/executor/boxes.h"
#include "kernels/executor/bulk_copies.h"
#include "kernels/executor/cluster.h"
#include "kernels/executor/control.h"
#include "kernels/executor/group_products.h"
#include "kernels/executor/integers.h"
#include "kernels/executor/mbarriers.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

using sass::DecodedOperand;
using sass::OperandKind;

std::uint16_t uniformRow(int number) {
  return number < 0 || number == sass::kZeroRegister
             ? kZeroRow
             : static_cast<std::uint16_t>(kUniformRows + number);
}

// The operand `number` of this kind; nullptr: it has none.
const DecodedOperand* nth(const Translator& t, OperandKind kind, int number) {
  for (const DecodedOperand& each : t.decoded.operands)
    if (each.kind == kind && number-- == 0) return &each;
  return nullptr;
}

std::string boxOf(Translator& t, Operation& o) {
  const DecodedOperand* const box = nth(t, OperandKind::UniformAddress, 0);
  const DecodedOperand* const map = nth(t, OperandKind::UniformAddress, 1);
  if (box == nullptr || map == nullptr) return std::string(kNotExecuted);
  static constexpr std::string_view kDimensions[] = {"1D", "2D", "3D", "4D", "5D"};
  const auto found =
      std::ranges::find_if(kDimensions, [&](auto word) { return t.words.has(word); });
  if (found == std::end(kDimensions)) return std::string(kNotExecuted);
  o.table = static_cast<std::uint32_t>(found - kDimensions) + 1;
  o.base = uniformRow(box->number);
  o.globalBase = uniformRow(map->number);
  o.wide = t.words.has("MULTICAST");
  if (!o.wide) return {};
  const DecodedOperand* const mask = nth(t, OperandKind::UniformRegister, 0);
  if (mask == nullptr) return std::string(kNotExecuted);
  o.uniformBase = uniformRow(mask->number);
  return {};
}

std::string bulkOf(Translator& t, Operation& o) {
  const DecodedOperand* const to = nth(t, OperandKind::UniformAddress, 0);
  const DecodedOperand* const from = nth(t, OperandKind::UniformAddress, 1);
  const DecodedOperand* const units = nth(t, OperandKind::UniformRegister, 0);
  if (to == nullptr || from == nullptr || units == nullptr) return std::string(kNotExecuted);
  const auto& words = t.words.words();
  if (words.size() < 3) return std::string(kNotExecuted);
  const bool toGlobal = words[1] == "G", fromGlobal = words[2] == "G";
  o.kind = t.words.base() == "UBLKRED" ? kAddToGlobal
           : toGlobal                  ? kSharedToGlobal
           : fromGlobal                ? kGlobalToShared
                                       : kSharedToShared;
  o.base = uniformRow(to->number);
  o.globalBase = uniformRow(from->number);
  o.uniformBase = uniformRow(units->number);
  return {};
}

// SYNCS: what it does is in the word behind its base.
std::string barrierObjectOf(Translator& t, Operation& o) {
  const auto& words = t.words.words();
  const std::string_view what = words.size() < 2 ? std::string_view() : words[1];
  for (const DecodedOperand& each : t.decoded.operands) {
    switch (each.kind) {
      case OperandKind::UniformAddress:
        o.base = uniformRow(each.number);
        o.offset = each.value;
        break;
      case OperandKind::BarrierAddress:
        o.base = registerRow(each);
        o.uniformBase = uniformRow(each.uniform);
        o.offset = each.value;
        break;
      case OperandKind::Register:
      case OperandKind::UniformRegister:
        if (each.access == sass::Access::Read)
          o.a = t.source(each);
        else
          o.result = writtenRow(each);
        break;
      case OperandKind::Predicate:
        o.first = {static_cast<std::uint8_t>(each.number), false};
        break;
      default:
        break;
    }
  }
  if (what == "EXCH") {
    o.execute = startBarrier;
    o.uniform = true;
    return {};
  }
  if (what == "CCTL") {
    o.execute = endBarrier;
    return {};
  }
  if (what == "PHASECHK") {
    o.execute = checkPhase;
    o.wide = t.words.has("TRYWAIT");
    return {};
  }
  o.execute = arriveAtBarrier;
  if (t.words.base() == "ARRIVES") {
    o.kind = t.words.has("ARVCNT") ? kArrive : kCopied;
    const bool known = t.words.has("ARVCNT") || t.words.has("TRANSCNT");
    return known ? std::string() : std::string(kNotExecuted);
  }
  if (what != "ARRIVE" || t.words.has("TMASK")) return std::string(kNotExecuted);
  o.kind = t.words.has("A1T0")   ? kArrive
           : t.words.has("A0T1") ? kExpectOne
           : t.words.has("A0TR") ? kExpect
           : t.words.has("ART0") ? kArriveTimes
                                 : kArriveAndExpect;
  return {};
}

std::string remoteOf(Translator& t, Operation& o) {
  const DecodedOperand* const to = nth(t, OperandKind::GlobalAddress, 0);
  const DecodedOperand* const what = nth(t, OperandKind::Register, 0);
  if (to == nullptr || what == nullptr) return std::string(kNotExecuted);
  o.base = registerRow(*to);
  o.baseUpper = after(o.base);
  o.offset = to->value;
  o.a = t.source(*what);
  o.bytes = 4;
  return {};
}

// HGMMA.64x256x16.F32.BF16, QGMMA.64x128x32.F32.E4M3.E5M2, IGMMA.64x64x32.U8.S8.
std::string groupProductOf(Translator& t, Operation& o) {
  const auto& words = t.words.words();
  if (words.size() < 3) return std::string(kNotExecuted);
  std::uint32_t sizes[3] = {};
  const char* at = words[1].data();
  const char* const end = at + words[1].size();
  for (std::uint32_t& size : sizes) {
    const auto [stop, error] = std::from_chars(at, end, size);
    if (error != std::errc()) return std::string(kNotExecuted);
    at = stop == end ? stop : stop + 1;
  }
  o.secondTable = sizes[1];
  o.table = sizes[2];
  const DecodedOperand* const descriptor = nth(t, OperandKind::MatrixDescriptor, 0);
  if (descriptor == nullptr) return std::string(kNotExecuted);
  // Of two registers that are read, the first one has A.
  const auto reads = std::ranges::count_if(t.decoded.operands, [](const DecodedOperand& each) {
    return each.kind == OperandKind::Register && each.access == sass::Access::Read;
  });
  o.extended = reads > 1;
  o.base = uniformRow(descriptor->number);
  const DecodedOperand* const group = nth(t, OperandKind::ProductGroup, 0);
  o.commits = group != nullptr && group->shown;
  o.c = o.extended ? o.b : o.a;  // the sums are the last register
  o.kind = 0;
  if (t.words.base() == "IGMMA") {
    o.wide = true;  // its sums have 32 bits
    o.isSigned = words[2] == "S8";
    o.secondSigned = words.size() > 3 && words[3] == "S8";
    return {};
  }
  o.wide = words[2] == "F32";
  Factor a = Factor::Fp16, b = Factor::Fp16;
  const auto eight = [](std::string_view word) {
    return word == "E5M2" ? Factor::E5m2 : Factor::E4m3;
  };
  if (t.words.base() == "QGMMA") {
    if (words.size() < 5) return std::string(kNotExecuted);
    a = eight(words[3]);
    b = eight(words[4]);
  } else if (t.words.has("TF32")) {
    a = b = Factor::Tf32;
  } else if (t.words.has("BF16")) {
    a = b = Factor::Bf16;
  }
  o.kind = static_cast<std::uint8_t>(a);
  o.scale = static_cast<int>(b);
  o.accumulation = accumulationOf(t.decoded.capability, a);
  o.transposed = (descriptor->suffix & 1) != 0;
  o.right = (descriptor->suffix & 2) != 0;
  o.flushes = t.decoded.operandText().find(".negA") != std::string::npos;
  return o.accumulation.terms != 0 ? "" : "how this architecture adds is not known";
}

// WARPGROUP.ARRIVE, WARPGROUP.DEPBAR.LE gsb0, 0x1.
std::string groupWaitOf(Translator& t, Operation& o) {
  const DecodedOperand* const newest = nth(t, OperandKind::Immediate, 0);
  if (!t.words.has("DEPBAR") || newest == nullptr) return {};
  o.execute = waitForGroups;
  o.table = static_cast<std::uint32_t>(newest->value);
  return {};
}

constexpr Operands kOwn = Operands::Own;

constexpr Instruction kAsyncInstructions[] = {
    {"UTMALDG", loadBox, kOwn, boxOf, true},
    {"UTMASTG", storeBox, kOwn, boxOf, true},
    {"UBLKCP", copyBulk, kOwn, bulkOf, true},
    {"UBLKRED", copyBulk, kOwn, bulkOf, true},
    {"SYNCS", nullptr, kOwn, barrierObjectOf},
    {"ARRIVES", nullptr, kOwn, barrierObjectOf},
    {"STAS", storeRemote, kOwn, remoteOf},
    {"UCGABAR_ARV", arriveAtCluster, kOwn},
    {"UCGABAR_WAIT", waitForCluster, kOwn},
    {"USETMAXREG", takeRegisters, Operands::Sorted, nullptr, true},
    {"HGMMA", multiplyGroup, Operands::Sorted, groupProductOf},
    {"QGMMA", multiplyGroup, Operands::Sorted, groupProductOf},
    {"IGMMA", multiplyGroupBytes, Operands::Sorted, groupProductOf},
    {"WARPGROUP", nothing, kOwn, groupWaitOf},
    // Copies complete at once.
    {"UTMAPF", nothing, kOwn},
    {"UTMACCTL", nothing, kOwn},
    {"UTMACMDFLUSH", nothing, kOwn},
    {"FENCE", nothing, kOwn},
    {"PREEXIT", nothing, kOwn},
    {"ACQBULK", nothing, kOwn},
};

}  // namespace

std::span<const Instruction> asyncInstructions() {
  return kAsyncInstructions;
}

}  // namespace tileloom::executor
