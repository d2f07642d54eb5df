// SPDX-License-Identifier: GPL-3.0-or-later
// Symbolic execution of straight-line machine code: a register holds an expression of what the
// registers held at the beginning, and equal expressions have the same number.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

// A general or uniform register, or a predicate of either kind.
struct Place {
  enum class File { General, Uniform, Predicate, UniformPredicate };
  File file = File::General;
  int number = 0;
  auto operator<=>(const Place&) const = default;
};
std::string nameOf(const Place& place);  // "R4", "UP0"
std::vector<Place> placesOf(const sass::RegisterUse& use);

class Expressions {
 public:
  // The number of an expression of these parts: tags, constants and numbers of other expressions.
  int numberOf(const std::vector<long long>& parts);

 private:
  std::map<std::vector<long long>, int> numbers_;
};

// One thread's execution of an iteration of a loop. All executions that are compared share one
// Expressions object, which must outlive them.
class Execution {
 public:
  explicit Execution(Expressions& expressions) : expressions_(&expressions) {}

  // Executes the next instruction. A forward branch makes the instructions that it skips
  // conditional; they may not write the predicate of its guard. The order of factors of a
  // multiply-add does not matter. The value of a shared load depends on its address and on the
  // number of barriers of the block before it, but not on the stores between them.
  void run(const Op& op);

  int valueOf(const Place& place);
  // The condition under which an instruction with this guard is executed.
  int conditionOf(const sass::Decoded& code);

  // One expression for each access to memory, except shared loads, and for each barrier, wait and
  // fence: in order.
  const std::vector<int>& effects() const { return effects_; }
  // One expression for each shared load, in order.
  const std::vector<int>& sharedLoads() const { return sharedLoads_; }
  // Places that were read before they were written.
  const sass::RegisterUse& readFirst() const { return readFirst_; }

 private:
  void set(const Place& place, int value, int condition);
  // The value of a place for an instruction that is executed under this condition.
  int valueUnder(const Place& place, int condition);
  void append(const sass::DecodedOperand& operand, int condition, std::vector<long long>& parts);
  int always();

  // A value that was written under a condition.
  struct Choice {
    int condition = 0;
    int value = 0;
  };

  Expressions* expressions_;
  std::map<Place, int> values_;
  std::map<int, Choice> choices_;  // by the number of the expression
  std::vector<int> effects_, sharedLoads_;
  sass::RegisterUse readFirst_, written_;
  std::optional<std::size_t> jumpsTo_;
  int jumpCondition_ = 0;
  int barriers_ = 0;
};

}  // namespace tileloom::rewrite
