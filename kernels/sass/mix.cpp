// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/mix.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "kernels/tile/mma.h"
#include "kernels/tile/mma_table.h"

namespace tileloom::sass {
namespace {

template <std::size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& all) {
  return std::ranges::find(all, word) != all.end();
}

constexpr std::array<std::string_view, 12> kBarriers = {
    "BAR",   "DEPBAR", "LDGDEPBAR", "ARRIVES",   "SYNCS", "MEMBAR",
    "FENCE", "ERRBAR", "WARPSYNC",  "NANOSLEEP", "CCTL",  "WARPGROUP"};
constexpr std::array<std::string_view, 14> kBranches = {"BRA",   "BRX",  "JMP",  "JMX",   "CALL",
                                                        "RET",   "EXIT", "BSSY", "BSYNC", "BREAK",
                                                        "YIELD", "BMOV", "KILL", "BPT"};
constexpr std::array<std::string_view, 42> kIntegers = {
    "IADD3", "IADD",  "IADD32I", "IMAD",   "IMUL",  "LEA",   "LOP3",  "LOP",    "SHF",
    "SHL",   "SHR",   "MOV",     "MOV32I", "SEL",   "ISETP", "PLOP3", "ISCADD", "IABS",
    "IMNMX", "VIADD", "VIMNMX",  "BFE",    "BFI",   "FLO",   "POPC",  "PRMT",   "CS2R",
    "S2R",   "S2UR",  "R2UR",    "LDC",    "ULDC",  "R2P",   "P2R",   "LEPC",   "SGXT",
    "BMSK",  "XMAD",  "IDP",     "BREV",   "ELECT", "VOTE"};

}  // namespace

namespace {

// The row of mma_table.h of an instruction with operands in registers, such as
// "HMMA.16816.F32.BF16": the one with the longest name, of those that its name begins with.
// nullptr: it is none of them.
const MmaRow* mmaRowOf(const Instruction& i) {
  const std::string_view opcode = i.opcode;
  const MmaRow* found = nullptr;
  for (const MmaRow& row : kMmaTable) {
    if (row.inShared || !opcode.starts_with(row.sass)) continue;
    const std::string_view rest = opcode.substr(row.sass.size());
    if (!rest.empty() && rest.front() != '.') continue;
    if (found == nullptr || row.sass.size() > found->sass.size()) found = &row;
  }
  return found;
}

}  // namespace

Class classOf(const Instruction& i) {
  if (i.never()) return Class::Other;  // `@!PT LDS RZ, [RZ]` reads nothing
  const std::string_view op = i.base();
  if (op == "FFMA" || op == "FFMA2" || op == "FFMA32I") return Class::Ffma;
  if (op == "HMMA" || mmaRowOf(i) != nullptr) return Class::Hmma;
  if (op == "HGMMA") return Class::Hgmma;
  if (op == "LDS") return Class::Lds;
  if (op == "LDSM") return Class::Ldsm;
  if (op == "LDG" || op == "LDGSTS" || op == "UBLKCP" || op == "UTMALDG") return Class::Ldg;
  if (op == "STS" || op == "STSM") return Class::Sts;
  if (op == "STG" || op == "UTMASTG") return Class::Stg;
  if (among(op, kBarriers)) return Class::Barrier;
  if (among(op, kBranches)) return Class::Branch;
  // The uniform data path executes the same instructions for the whole warp: UIADD3, USHF, UMOV, …
  const std::string_view plain = op.starts_with('U') ? op.substr(1) : op;
  if (among(op, kIntegers) || among(plain, kIntegers)) return Class::Integer;
  return Class::Other;
}

std::string_view name(Class c) {
  constexpr std::array<std::string_view, kClasses> kNames = {
      "FFMA", "HMMA", "HGMMA",   "LDS",    "LDSM",    "LDG",
      "STS",  "STG",  "barrier", "branch", "integer", "other"};
  return kNames[static_cast<std::size_t>(c)];
}

char letter(Class c) {
  constexpr std::array<char, kClasses> kLetters = {'F', 'H', 'P', 'L', 'M', 'G',
                                                   'S', 'W', 'B', 'J', 'I', 'x'};
  return kLetters[static_cast<std::size_t>(c)];
}

namespace {

// For "64x256x16": the product of the three; 0: it is not such a text.
std::int64_t volumeOf(std::string_view shape) {
  std::int64_t all = 1;
  for (int side = 0; side < 3; ++side) {
    int value = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), value);
    constexpr int kMost = 1024;
    if (error != std::errc() || value < 1 || value > kMost) return 0;
    all *= value;
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    if (side == 2) break;
    if (!shape.starts_with('x')) return 0;
    shape.remove_prefix(1);
  }
  return shape.empty() ? all : 0;
}

}  // namespace

int multiplyAddsOf(const Instruction& i) {
  constexpr int kLanes = 32;
  if (i.never()) return 0;
  const std::string_view op = i.base();
  if (op == "FFMA" || op == "FFMA32I") return kLanes;
  if (op == "FFMA2") return 2 * kLanes;
  if (const MmaRow* row = mmaRowOf(i)) return static_cast<int>(row->products());
  std::string_view shape = std::string_view(i.opcode).substr(op.size());
  if (shape.starts_with('.')) shape.remove_prefix(1);
  shape = shape.substr(0, shape.find('.'));
  // "HGMMA.64x256x16.F32.BF16": of four warps
  if (op == "HGMMA") return static_cast<int>(volumeOf(shape) / 4);
  // "HMMA.1688.F32.BF16": of 16-bit elements; it has no row of mma_table.h, as no rung has it.
  if (op == "HMMA" && shape == "1688") return 16 * 8 * 8;
  return 0;
}

double Mix::ffmaPerLds() const {
  const int loads = of(Class::Lds);
  return loads == 0 ? 0 : static_cast<double>(of(Class::Ffma)) / loads;
}

double Mix::hmmaPerLdsm() const {
  const int loads = of(Class::Ldsm);
  return loads == 0 ? 0 : static_cast<double>(of(Class::Hmma)) / loads;
}

double Mix::multiplyAddsPerInstruction() const {
  return total == 0 ? 0 : static_cast<double>(multiplyAdds) / total;
}

Loop mainLoop(const Listing& listing) {
  const auto& all = listing.instructions;
  std::vector<std::int64_t> before(all.size() + 1, 0);  // multiply-adds before each instruction
  for (std::size_t i = 0; i < all.size(); ++i) before[i + 1] = before[i] + multiplyAddsOf(all[i]);
  Loop loop{{0, all.size()}, true};
  std::int64_t most = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].base() != "BRA" || !all[i].target || *all[i].target > all[i].address) continue;
    const auto begin = listing.at(*all[i].target);
    if (!begin) continue;
    const Range range{*begin, i + 1};
    const std::int64_t products = before[range.end] - before[range.begin];
    if (products > most || (products == most && most > 0 && range.size() < loop.range.size())) {
      most = products;
      loop = {range, false};
    }
  }
  return loop;
}

Mix mixOf(const Listing& listing, const Range& range) {
  Mix mix;
  for (std::size_t i = range.begin; i < range.end && i < listing.instructions.size(); ++i) {
    const Instruction& instruction = listing.instructions[i];
    ++mix.counts[static_cast<std::size_t>(classOf(instruction))];
    ++mix.total;
    mix.multiplyAdds += multiplyAddsOf(instruction);
    const std::string_view op = instruction.base();
    if ((op == "LDGSTS" || op == "UTMALDG") && !instruction.never()) ++mix.asyncCopies;
  }
  return mix;
}

}  // namespace tileloom::sass
