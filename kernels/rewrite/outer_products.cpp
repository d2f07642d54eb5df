// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/outer_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tileloom::rewrite {
namespace {

// A word of a fragment: of a load of this turn, or of a register when the turn begins.
struct Word {
  std::size_t load = Quad::kBefore;
  int number = 0;  // of the load's four words; before the turn: the register
  auto operator<=>(const Word&) const = default;
};

// What a register holds.
struct Value {
  enum class Kind { Word, Sum, Other } kind = Kind::Other;
  Word word;
  int sum = 0;  // the register that the sum was in when the turn began
};

using Factors = std::pair<Word, Word>;
struct Link {
  Factors factors;
  std::size_t op = 0;  // index of the multiply-add
};
using Chains = std::map<int, std::vector<Link>>;  // of each sum, its products in order

struct Turn {
  Chains chains;
  std::map<int, Value> last;  // of the registers that the turn writes
};

tl::expected<Turn, std::string> follow(std::span<const Op> ops) {
  Turn turn;
  const auto valueOf = [&turn](int reg) {
    const auto found = turn.last.find(reg);
    return found == turn.last.end() ? Value{Value::Kind::Word, {Quad::kBefore, reg}, reg}
                                    : found->second;
  };
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (const auto product = multiplyAddOf(ops[i].code)) {
      const Value addend = valueOf(product->addend);
      const bool first = addend.kind == Value::Kind::Word && addend.word.load == Quad::kBefore;
      if (!first && addend.kind != Value::Kind::Sum)
        return tl::unexpected(fmt::format("the addend of \"{}\" is no sum", ops[i].code.text()));
      Factors factors;
      for (const bool second : {false, true}) {
        const Value factor = valueOf(product->factors[second ? 1 : 0]);
        if (factor.kind != Value::Kind::Word) {
          return tl::unexpected(fmt::format(
              "a factor of \"{}\" comes neither from shared memory nor from the turn before",
              ops[i].code.text()));
        }
        (second ? factors.second : factors.first) = factor.word;
      }
      const int sum = first ? product->addend : addend.sum;
      turn.chains[sum].push_back({factors, i});
      turn.last[product->result] = {Value::Kind::Sum, {}, sum};
    } else if (const auto load = wideLoadOf(ops[i].code)) {
      for (int word = 0; word < kWideLoad; ++word)
        turn.last[*load + word] = {Value::Kind::Word, {i, word}, 0};
    } else {
      for (std::size_t reg = 0; reg < ops[i].writes.registers.size(); ++reg)
        if (ops[i].writes.registers[reg]) turn.last[static_cast<int>(reg)] = {};
    }
  }
  return turn;
}

using SumSet = std::set<int>;

// The two sides of one step's outer product: of each word, the sums that it meets.
struct Sides {
  std::map<Word, SumSet> one, other;
};

// Words that are multiplied with each other are on different sides.
tl::expected<Sides, std::string> sidesOf(const std::map<int, Factors>& products) {
  std::map<Word, std::vector<Word>> partners;
  std::map<Word, SumSet> sums;
  for (const auto& [sum, factors] : products) {
    partners[factors.first].push_back(factors.second);
    partners[factors.second].push_back(factors.first);
    sums[factors.first].insert(sum);
    sums[factors.second].insert(sum);
  }
  std::map<Word, bool> side = {{products.begin()->second.first, false}};
  std::vector<Word> todo = {products.begin()->second.first};
  while (!todo.empty()) {
    const Word word = todo.back();
    todo.pop_back();
    for (const Word& partner : partners[word]) {
      const auto [at, fresh] = side.emplace(partner, !side[word]);
      if (fresh) {
        todo.push_back(partner);
      } else if (at->second == side[word]) {
        return tl::unexpected(std::string("its products are no outer product"));
      }
    }
  }
  Sides sides;
  for (auto& [word, its] : sums) {
    const auto at = side.find(word);
    if (at == side.end())
      return tl::unexpected(std::string("its products are several outer products"));
    (at->second ? sides.other : sides.one)[word] = its;
  }
  if (sides.one.size() * sides.other.size() != products.size())
    return tl::unexpected(std::string("its products are no whole outer product"));
  return sides;
}

// The words of one side in quads: each quad is one load, or four registers beginning at a multiple
// of four. The quad at place q is the one whose four words meet `wanted[4 q]` to `wanted[4 q + 3]`.
tl::expected<std::vector<Quad>, std::string> quadsOf(const std::map<Word, SumSet>& side,
                                                     const std::vector<SumSet>& wanted,
                                                     std::span<const Op> ops) {
  std::vector<Quad> quads;
  const std::string odd =
      "the words of its 128-bit loads do not meet the same sums at each dot index";
  if (side.size() != wanted.size()) return tl::unexpected(odd);
  for (std::size_t at = 0; at < wanted.size(); at += kWideLoad) {
    std::optional<Quad> quad;
    for (int number = 0; number < kWideLoad; ++number) {
      const SumSet& sums = wanted[at + static_cast<std::size_t>(number)];
      const auto found =
          std::ranges::find_if(side, [&sums](const auto& entry) { return entry.second == sums; });
      if (found == side.end()) return tl::unexpected(odd);
      const Word& word = found->first;
      const bool before = word.load == Quad::kBefore;
      const Quad its{word.load, before ? word.number - number : *wideLoadOf(ops[word.load].code)};
      const bool aligned = before ? its.first % kWideLoad == 0 : word.number == number;
      if (!aligned || (quad && (quad->load != its.load || quad->first != its.first)))
        return tl::unexpected(odd);
      quad = its;
    }
    quads.push_back(*quad);
  }
  return quads;
}

// The sums of each word of the first step, in the order of registers.
std::vector<SumSet> inOrder(const std::map<Word, SumSet>& side) {
  std::vector<SumSet> sums;
  for (const auto& [word, its] : side) sums.push_back(its);
  return sums;
}

bool sameSets(const std::map<Word, SumSet>& side, const std::vector<SumSet>& wanted) {
  return side.size() == wanted.size() && std::ranges::all_of(side, [&wanted](const auto& entry) {
           return std::ranges::find(wanted, entry.second) != wanted.end();
         });
}

}  // namespace

bool ProductLoop::loads(std::size_t op) const {
  const auto has = [op](const std::vector<std::size_t>& all) {
    return std::ranges::find(all, op) != all.end();
  };
  if (has(nextRows) || has(nextColumns)) return true;
  return std::ranges::any_of(steps, [op](const Step& step) {
    const auto its = [op](const Quad& quad) { return quad.load == op; };
    return std::ranges::any_of(step.rows, its) || std::ranges::any_of(step.columns, its);
  });
}

tl::expected<ProductLoop, std::string> productLoopOf(std::span<const Op> ops) {
  auto turn = follow(ops);
  if (!turn) return tl::unexpected(turn.error());
  const Chains& chains = turn->chains;
  if (chains.empty()) return tl::unexpected(std::string("it has no FP32 multiply-adds"));
  const std::size_t count = chains.begin()->second.size();
  for (const auto& [sum, chain] : chains) {
    const auto last = turn->last.find(sum);
    const bool home = last != turn->last.end() && last->second.kind == Value::Kind::Sum &&
                      last->second.sum == sum;
    if (!home)
      return tl::unexpected(fmt::format("the sum in R{} is elsewhere when the turn ends", sum));
    if (chain.size() != count)
      return tl::unexpected(std::string("not every sum gets equally many products in a turn"));
  }
  if (count < 2 || count % 2 != 0) {
    return tl::unexpected(
        fmt::format("a turn has {} dot {}, and two sets of fragments need an even number", count,
                    count == 1 ? "index" : "indices"));
  }

  ProductLoop loop;
  std::vector<SumSet> rowSums, columnSums;
  for (std::size_t k = 0; k < count; ++k) {
    std::map<int, Factors> products;
    for (const auto& [sum, chain] : chains) products[sum] = chain[k].factors;
    auto sides = sidesOf(products);
    if (!sides) return tl::unexpected(sides.error());
    if (k == 0) {
      rowSums = inOrder(sides->one);
      columnSums = inOrder(sides->other);
      if (rowSums.size() % kWideLoad != 0 || columnSums.size() % kWideLoad != 0)
        return tl::unexpected(std::string("its fragments are not loaded by 128 bits alone"));
    }
    const bool straight = sameSets(sides->one, rowSums);
    auto rows = quadsOf(straight ? sides->one : sides->other, rowSums, ops);
    auto columns = quadsOf(straight ? sides->other : sides->one, columnSums, ops);
    if (!rows) return tl::unexpected(rows.error());
    if (!columns) return tl::unexpected(columns.error());
    loop.steps.push_back({std::move(*rows), std::move(*columns), {}});
  }

  const auto isBefore = [](const Quad& quad) { return quad.load == Quad::kBefore; };
  for (std::size_t k = 0; k < count; ++k) {
    const Step& step = loop.steps[k];
    const auto before = static_cast<std::size_t>(std::ranges::count_if(step.rows, isBefore) +
                                                 std::ranges::count_if(step.columns, isBefore));
    if (before != (k == 0 ? step.rows.size() + step.columns.size() : 0)) {
      return tl::unexpected(
          std::string("the fragments of the first dot index, and of no other, have to be there "
                      "when a turn begins"));
    }
  }
  for (const bool columns : {false, true}) {
    for (const Quad& quad : columns ? loop.steps[0].columns : loop.steps[0].rows) {
      const auto last = turn->last.find(quad.first);
      const bool whole = last != turn->last.end() && last->second.kind == Value::Kind::Word &&
                         last->second.word.load != Quad::kBefore && last->second.word.number == 0;
      if (!whole) {
        return tl::unexpected(
            fmt::format("R{} to R{} are not loaded for the next turn", quad.first, quad.first + 3));
      }
      for (int word = 1; word < kWideLoad; ++word) {
        const auto next = turn->last.find(quad.first + word);
        if (next == turn->last.end() || next->second.kind != Value::Kind::Word ||
            next->second.word != Word{last->second.word.load, word}) {
          return tl::unexpected(fmt::format("R{} to R{} are not loaded for the next turn",
                                            quad.first, quad.first + 3));
        }
      }
      (columns ? loop.nextColumns : loop.nextRows).push_back(last->second.word.load);
    }
  }

  for (const SumSet& row : rowSums) {
    for (const SumSet& column : columnSums) {
      std::vector<int> both;
      std::ranges::set_intersection(row, column, std::back_inserter(both));
      if (both.size() != 1) return tl::unexpected(std::string("its products are no outer product"));
      loop.sums.push_back(both.front());
    }
  }
  for (const int sum : loop.sums) {
    for (std::size_t k = 0; k < count; ++k) loop.steps[k].products.push_back(chains.at(sum)[k].op);
  }
  return loop;
}

}  // namespace tileloom::rewrite
