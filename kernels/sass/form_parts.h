// SPDX-License-Identifier: GPL-3.0-or-later
// The functions with which the tables of forms_*.cpp are written.
#pragma once

#include <initializer_list>
#include <span>

#include "kernels/sass/form.h"

namespace tileloom::sass {

// The tables, one per family of instructions.
std::span<const Form> integerForms();
std::span<const Form> floatForms();
std::span<const Form> uniformForms();
std::span<const Form> memoryForms();
std::span<const Form> controlForms();
std::span<const Form> tensorForms();
std::span<const Form> asyncForms();
std::span<const Form> halfForms();
std::span<const Form> doubleForms();
std::span<const Form> conversionForms();
std::span<const Form> atomicForms();
std::span<const Form> laneForms();

namespace forms {

// The forms of an arithmetic instruction: where its second and third source come from.
inline constexpr Shapes kRegisters = 1 << 1;       // R, R, R
inline constexpr Shapes kThirdImmediate = 1 << 2;  // R, R, 0x1
inline constexpr Shapes kThirdConstant = 1 << 3;   // R, R, c[0x0][0x160]
inline constexpr Shapes kImmediate = 1 << 4;       // R, 0x1, R
inline constexpr Shapes kConstant = 1 << 5;        // R, c[0x0][0x160], R
inline constexpr Shapes kUniform = 1 << 6;         // R, UR, R
inline constexpr Shapes kThirdUniform = 1 << 7;    // R, R, UR
inline constexpr Shapes kSecondAny = kRegisters | kImmediate | kConstant | kUniform;
inline constexpr Shapes kEitherAny = kSecondAny | kThirdImmediate | kThirdConstant | kThirdUniform;

struct Opcode {
  std::uint16_t bits = 0;
  Shapes shapes = 0;
};

template <class... Parts>
constexpr Form form(Opcode opcode, std::string_view name, const Parts&... parts) {
  Form row;
  row.opcode = opcode.bits;
  row.shapes = opcode.shapes;
  row.name = name;
  (row.add(parts), ...);
  return row;
}

constexpr FixedBits bits(int from, int count, std::uint64_t value) {
  return {static_cast<std::int16_t>(from), static_cast<std::int16_t>(count), value};
}
constexpr FixedBits ones(int from, int count = 1) {
  return bits(from, count, (std::uint64_t{1} << count) - 1);
}

constexpr Modifier modifier(int from, int count, std::initializer_list<Choice> choices) {
  Modifier made;
  made.from = static_cast<std::int16_t>(from);
  made.count = static_cast<std::int16_t>(count);
  for (const Choice& choice : choices) made.choices[made.known++] = choice;
  return made;
}

// 8, 16, 24 …, as the value counts them, then `tail`; each step has `bytes` of a thread.
constexpr Modifier multiples(int from, int count, int step, std::string_view tail, int bytes) {
  Modifier made;
  made.from = static_cast<std::int16_t>(from);
  made.count = static_cast<std::int16_t>(count);
  made.step = step;
  made.tail = tail;
  made.bytes = bytes;
  return made;
}

constexpr Field field(OperandKind kind, int from, int count) {
  Field made;
  made.kind = kind;
  made.from = static_cast<std::int16_t>(from);
  made.count = static_cast<std::int16_t>(count);
  return made;
}
constexpr Field reg(int from) {
  return field(OperandKind::Register, from, 8);
}
// 6 bits; 8 from compute capability 10.0 on.
constexpr Field ureg(int from) {
  return field(OperandKind::UniformRegister, from, 6);
}
constexpr Field immediate(int from, int count) {
  return field(OperandKind::Immediate, from, count);
}
// A source, with the bit above that negates it.
constexpr Field predicate(int from) {
  return field(OperandKind::Predicate, from, 3).negative(from + 3);
}
constexpr Field upredicate(int from) {
  return field(OperandKind::UniformPredicate, from, 3).negative(from + 3);
}
constexpr Field predicateOut(int from) {
  return field(OperandKind::Predicate, from, 3).written();
}
constexpr Field upredicateOut(int from) {
  return field(OperandKind::UniformPredicate, from, 3).written();
}
constexpr Field carryOut(int from) {
  return predicateOut(from).shown(Show::UnlessDefaultBefore100);
}
constexpr Field ucarryOut(int from) {
  return upredicateOut(from).shown(Show::UnlessDefaultBefore100);
}
constexpr Field constant(int offsetFrom, int offsetCount, int shift = 0) {
  Field made = field(OperandKind::Constant, 54, 5);
  made.offsetFrom = static_cast<std::int16_t>(offsetFrom);
  made.offsetCount = static_cast<std::int16_t>(offsetCount);
  made.shift = static_cast<std::int8_t>(shift);
  return made;
}
// With a general register, or with a uniform one.
constexpr Field indexedConstant(int offsetFrom, int offsetCount, bool uniform = false) {
  Field made = field(OperandKind::IndexedConstant, 24, 8);
  made.offsetFrom = static_cast<std::int16_t>(offsetFrom);
  made.offsetCount = static_cast<std::int16_t>(offsetCount);
  made.uniformRegisters = uniform ? 1 : 0;
  return made;
}
constexpr Field address(OperandKind kind, int from, int offsetFrom, int offsetCount,
                        int uniformFrom) {
  Field made = field(kind, from, 8);
  made.offsetFrom = static_cast<std::int16_t>(offsetFrom);
  made.offsetCount = static_cast<std::int16_t>(offsetCount);
  made.uniformFrom = static_cast<std::int16_t>(uniformFrom);
  return made;
}
// Of shared memory. `uniformFrom` may be -1.
constexpr Field sharedAddress(int from, int offsetFrom, int offsetCount, int uniformFrom) {
  Field made = address(OperandKind::Address, from, offsetFrom, offsetCount, uniformFrom);
  if (uniformFrom >= 0) made.uniformFlag = 91;
  return made;
}
constexpr Field globalAddress(int offsetFrom, int offsetCount, int uniformFrom) {
  Field made = address(OperandKind::GlobalAddress, 24, offsetFrom, offsetCount, uniformFrom);
  made.registers = 2;
  made.uniformRegisters = 2;
  return made;
}
constexpr Field uniformAddress(int from, int registers) {
  Field made = field(OperandKind::UniformAddress, from, 6);
  made.registers = static_cast<std::int8_t>(registers);
  return made;
}
// [UR4+0x10], with the offset at `offsetFrom`.
constexpr Field uniformAddressAt(int from, int offsetFrom, int offsetCount) {
  Field made = uniformAddress(from, 1);
  made.offsetFrom = static_cast<std::int16_t>(offsetFrom);
  made.offsetCount = static_cast<std::int16_t>(offsetCount);
  return made;
}
constexpr Field clusterAddress(int uniformFrom) {
  Field made = address(OperandKind::ClusterAddress, 24, 40, 24, uniformFrom);
  return made;
}
constexpr Field label(int from, int count) {
  Field made = field(OperandKind::Label, from, count);
  made.shift = 2;
  return made;
}

// A branch's distance; from compute capability 9.0 on with further bits below.
inline constexpr Field kOldTarget = label(34, 48);
inline constexpr Field kTarget = kOldTarget.with(&Field::lowFrom, 16).with(&Field::lowCount, 8);

// A branch to a sum: registers at bit 24 and a distance.
constexpr Field indexed(const Field& target) {
  return target.with(&Field::kind, OperandKind::IndexedLabel).pair();
}

// The destination and the sources of arithmetic.
inline constexpr Field kD = reg(16).written();
inline constexpr Field kA = reg(24).kept(122);
inline constexpr Field kB = reg(0).with(&Field::slot, Slot::Second);
inline constexpr Field kC = reg(0).with(&Field::slot, Slot::Third);
inline constexpr Field kUD = ureg(16).written();
inline constexpr Field kUA = ureg(24);
inline constexpr Field kUB = ureg(0).with(&Field::slot, Slot::Second);
inline constexpr Field kUC = ureg(0).with(&Field::slot, Slot::Third);

inline constexpr int kIndexFrom = 24;                 // of an indexed branch: its registers
inline constexpr int kBankFrom = 54, kBankCount = 5;  // of a constant

// An arithmetic instruction without a carry has !PT.
inline constexpr FixedBits kNoCarry = ones(87, 4);
// An absent predicate is PT.
inline constexpr FixedBits kNoResult = ones(81, 3);
inline constexpr FixedBits kNoCondition = ones(87, 3);

// The value of a function of three predicates for each of their values, in two places.
inline constexpr Field kPredicateTable =
    immediate(72, 5).with(&Field::lowFrom, 64).with(&Field::lowCount, 3);

// How a result is rounded, and what becomes of denormal numbers and of those beyond 0 to 1.
inline constexpr Modifier kRound = modifier(78, 2, {{0, ""}, {1, ".RM"}, {2, ".RP"}, {3, ".RZ"}});
inline constexpr Modifier kFlush = modifier(80, 1, {{0, ""}, {1, ".FTZ"}});
inline constexpr Modifier kSaturate = modifier(77, 1, {{0, ""}, {1, ".SAT"}});
// The names after NAN are true of unordered numbers, too.
inline constexpr Modifier kCompareFloats = modifier(76, 4,
                                                    {{0, ".F"},
                                                     {1, ".LT"},
                                                     {2, ".EQ"},
                                                     {3, ".LE"},
                                                     {4, ".GT"},
                                                     {5, ".NE"},
                                                     {6, ".GE"},
                                                     {7, ".NUM"},
                                                     {8, ".NAN"},
                                                     {9, ".LTU"},
                                                     {10, ".EQU"},
                                                     {11, ".LEU"},
                                                     {12, ".GTU"},
                                                     {13, ".NEU"},
                                                     {14, ".GEU"},
                                                     {15, ".T"}});
// Signed or unsigned integers.
inline constexpr Modifier kSigned = modifier(73, 1, {{0, ".U32"}, {1, ""}});
inline constexpr Modifier kSignedWide = modifier(73, 1, {{0, ".U64"}, {1, ".S64"}});
inline constexpr Modifier kCompare =
    modifier(76, 3, {{1, ".LT"}, {2, ".EQ"}, {3, ".LE"}, {4, ".GT"}, {5, ".NE"}, {6, ".GE"}});
inline constexpr Modifier kCombine = modifier(74, 2, {{0, ".AND"}, {1, ".OR"}, {2, ".XOR"}});
// The bytes that each thread moves.
inline constexpr Modifier kSize = modifier(73, 3,
                                           {{0, ".U8", 1},
                                            {1, ".S8", 1},
                                            {2, ".U16", 2},
                                            {3, ".S16", 2},
                                            {4, "", 4},
                                            {5, ".64", 8},
                                            {6, ".128", 16}});

// The same of constants.
inline constexpr Modifier kConstantSize = modifier(
    73, 3,
    {{0, ".U8", 1}, {1, ".S8", 1}, {2, ".U16", 2}, {3, ".S16", 2}, {4, "", 4}, {5, ".64", 8}});

}  // namespace forms
}  // namespace tileloom::sass
