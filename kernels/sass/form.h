// SPDX-License-Identifier: GPL-3.0-or-later
// How one kind of machine instruction uses its 128 bits: a row of the tables in forms_*.cpp.
// decode.h reads and writes instructions by these rows. A row names every bit that may be set, so
// no part of an instruction is overlooked: bits that a row does not name must be zero. Bits 9 to
// 127 except the following belong to the row: the guard (bits 12 to 15) and the control bits (105
// to 125, code_word.h) are at the same place in all.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tileloom::sass {

// What an operand is.
enum class OperandKind : std::uint8_t {
  Register,          // R4; 255 is RZ, which is always zero
  UniformRegister,   // UR4, one for the whole warp; 63 is URZ, 255 from compute capability 10.0 on
  Predicate,         // P0; 7 is PT, which is always true
  UniformPredicate,  // UP0
  Immediate,         // 0x80
  Half,              // 0.5: an immediate FP16 number, as its 16 bits
  BHalf,             // the same of BF16
  Float,             // 0.5: an immediate FP32 number, as its 32 bits
  Double,            // 0.5: an immediate FP64 number, as its upper 32 bits; the others are zero
  Constant,          // c[0x0][0x160]: bank and offset in bytes
  IndexedConstant,   // c[0x2][R4+0xc]: the same with a register; RZ: without
  Address,           // [R4+UR5+0x10], of shared memory
  GlobalAddress,     // desc[UR8][R4.64+0x10]: the descriptor and 64 bits in two registers
  BarrierAddress,    // [R4+URZ] or [UR5]: of an mbarrier in shared memory
  ClusterAddress,    // [R4.U32+UR6+0x8]: shared memory of a cluster, in the generic window
  UniformAddress,    // [UR4+0x10]
  Descriptor,        // desc[UR6]
  MatrixDescriptor,  // gdesc[UR4]: of both factors of a wgmma
  SpecialRegister,   // SR_TID.X
  Scoreboard,        // SB0
  ProductGroup,      // gsb0: counts wgmma that are not complete yet
  ConvergenceBarrier,  // B0: threads that diverged reconverge here
  AllPredicates,       // PR
  Label,               // 0x1a0: the address of an instruction
  IndexedLabel,        // R4 0x1a0: plus 64 bits in two registers
};

enum class Access : std::uint8_t { Read, Write, Both };

// The place of an operand if it depends on bits 9 to 11 of the opcode. The second source may come
// from a register, an immediate or a constant; if the third one does, both are exchanged.
// Some instructions have a second source only, which is always in the lower place.
enum class Slot : std::uint8_t { Fixed, Second, Third, Lower };

// One meaning of a modifier's bits, and its part of the mnemonic or of an operand.
struct Choice {
  std::uint8_t value = 0;
  std::string_view text;
  int bytes = 0;  // bytes that each thread moves; 0: not given here
};

struct Modifier {
  static constexpr std::size_t kMost = 16;
  std::int16_t from = 0;
  std::int16_t count = 0;
  std::array<Choice, kMost> choices{};
  std::size_t known = 0;  // choices; other values are not instructions known to this program
  // Instead of choices: a number of `step` times the value plus 1, then `tail`.
  int step = 0;
  std::string_view tail;
  int bytes = 0;  // that each thread moves for each `step`
};

// Whether the disassembler prints an operand.
enum class Show : std::uint8_t {
  Always,
  UnlessDefault,           // not if it is PT or the like
  UnlessDefaultBefore100,  // the same, but from compute capability 10.0 on always
  Never,                   // it must be PT, RZ, or the like
};

struct Field {
  OperandKind kind = OperandKind::Immediate;
  Access access = Access::Read;
  Slot slot = Slot::Fixed;
  Show show = Show::Always;
  std::int16_t from = 0;  // its first bit
  std::int16_t count = 0;
  std::int16_t lowFrom = 0;  // further bits, below those of `from`
  std::int16_t lowCount = 0;
  std::int8_t shift = 0;  // the value is in units of 1 << shift
  std::int8_t registers =
      1;                  // consecutive ones; 0: the number given by the modifiers (Choice::bytes)
  bool isSigned = false;  // of an immediate: printed and kept with its sign
  bool inverted = false;  // all bits of its number are inverted
  std::int16_t minus = -1;     // the bit that negates it; -1: none
  std::int16_t absolute = -1;  // the bit that takes its absolute value; -1: none
  bool complement = false;     // `minus` inverts all of its bits instead
  OperandKind immediate = OperandKind::Immediate;  // what it is where it is an immediate
  const Modifier* suffix = nullptr;                // printed behind it: R4.H0_H0
  // The same in the upper place of a source whose place depends on the opcode.
  std::int16_t upperMinus = 75, upperAbsolute = 74;
  bool cached = true;  // whether a register of it may be kept in the operand cache
  const Modifier* upperSuffix = nullptr;  // nullptr: `suffix`
  std::int16_t reuse = -1;                // the bit that keeps it in the operand cache; -1: none
  // Of addresses and constants.
  std::int16_t offsetFrom = 0;  // in bytes, with a sign where it is an address
  std::int16_t offsetCount = 0;
  std::int16_t uniformFrom = -1;  // the uniform register; -1: none
  std::int16_t uniformCount = 6;
  std::int16_t uniformFlag = -1;  // the bit that says whether there is one; -1: always
  std::int8_t uniformRegisters = 1;
  std::int16_t scaleFrom = -1;  // two bits: the register counts 1, 4, 8 or 16 times

  template <class Member, class Value>
  constexpr Field with(Member Field::*member, Value value) const {
    Field changed = *this;
    changed.*member = static_cast<Member>(value);
    return changed;
  }
  constexpr Field written() const { return with(&Field::access, Access::Write); }
  constexpr Field pair() const { return with(&Field::registers, 2); }
  constexpr Field of(int registers_) const { return with(&Field::registers, registers_); }
  constexpr Field sized() const { return with(&Field::registers, 0); }
  constexpr Field negative(int bit) const { return with(&Field::minus, bit); }
  constexpr Field magnitude(int bit) const { return with(&Field::absolute, bit); }
  constexpr Field inverse(int bit) const { return negative(bit).with(&Field::complement, true); }
  constexpr Field number(OperandKind kind_) const { return with(&Field::immediate, kind_); }
  constexpr Field ending(const Modifier& suffix_) const { return with(&Field::suffix, &suffix_); }
  constexpr Field uncached() const { return with(&Field::cached, false); }
  constexpr Field kept(int bit) const { return with(&Field::reuse, bit); }
  constexpr Field withSign() const { return with(&Field::isSigned, true); }
  constexpr Field shown(Show show_) const { return with(&Field::show, show_); }
  constexpr Field hidden() const { return shown(Show::Never); }
  constexpr Field unlessDefault() const { return shown(Show::UnlessDefault); }
};

// Bits that are the same in all instructions of a row.
struct FixedBits {
  std::int16_t from = 0;
  std::int16_t count = 0;
  std::uint64_t value = 0;
};

// What an instruction does besides writing its results.
enum class Effect : std::uint8_t {
  None,
  SharedLoad,
  SharedStore,
  GlobalLoad,
  GlobalStore,
  GlobalAtomic,  // reads and writes in one step
  LocalLoad,     // of the thread's own memory
  LocalStore,
  AsyncCopy,      // from global to shared memory, per thread
  AsyncCommit,    // associates a scoreboard with the copies that were started
  Wait,           // for a scoreboard, or for wgmma
  Barrier,        // of the block or the cluster
  BarrierObject,  // an mbarrier in shared memory
  BulkLoad,       // TMA: global to shared memory
  BulkStore,      // TMA: shared to global memory
  Fence,          // order of memory accesses
  TensorProduct,  // of a warp
  GroupProduct,   // of a warpgroup
  RegisterPool,   // reallocates registers of the warp
  AcrossLanes,    // its result depends on other threads of the warp
  Convergence,    // threads that diverged reconverge
  Branch,
  Call,
  Exit,
};

struct Decoded;

// A set of values that bits 9 to 11 of the opcode may have, as bits.
using Shapes = std::uint8_t;

struct Form {
  static constexpr std::size_t kMostFixed = 6, kMostModifiers = 7, kMostFields = 10;
  std::uint16_t opcode = 0;  // bits 0 to 11, or 0 to 8 with `shapes`
  Shapes shapes = 0;         // 0: the opcode is complete
  std::string_view name;     // with the modifiers that never change: "IADD3.X"
  int since = 0;             // compute capabilities
  int until = 999;
  bool uniformGuard = false;  // the guard is a uniform predicate
  Effect effect = Effect::None;
  // The part of the mnemonic that depends on operands and precedes the modifiers. nullptr: nothing.
  std::string_view (*alias)(const Decoded&) = nullptr;
  std::array<FixedBits, kMostFixed> fixed{};
  std::array<Modifier, kMostModifiers> modifiers{};  // in the order of the mnemonic
  std::array<Field, kMostFields> fields{};           // in the order of the text
  std::uint8_t fixedCount = 0, modifierCount = 0, fieldCount = 0;

  constexpr void add(const FixedBits& part) { fixed[fixedCount++] = part; }
  constexpr void add(const Modifier& part) { modifiers[modifierCount++] = part; }
  constexpr void add(const Field& part) { fields[fieldCount++] = part; }
  constexpr void add(Effect part) { effect = part; }

  template <class Member, class Value>
  constexpr Form changed(Member Form::*member, Value value) const {
    Form copy = *this;
    copy.*member = value;
    return copy;
  }
  constexpr Form from(int capability) const { return changed(&Form::since, capability); }
  constexpr Form upTo(int capability) const { return changed(&Form::until, capability); }
  constexpr Form named(std::string_view (*part)(const Decoded&)) const {
    return changed(&Form::alias, part);
  }
  constexpr Form underUniform() const { return changed(&Form::uniformGuard, true); }
};

}  // namespace tileloom::sass
