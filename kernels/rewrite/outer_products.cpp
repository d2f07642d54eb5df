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

// A word of a fragment: of a load of this iteration, or of a register when the iteration begins.
struct Word {
  std::size_t load = Piece::kBefore;
  int number = 0;  // of the load's words; before the iteration: the register
  auto operator<=>(const Word&) const = default;
};

// What a register holds.
struct Value {
  enum class Kind { Word, Sum, Other } kind = Kind::Other;
  Word word;
  int sum = 0;  // the register of the accumulator when the iteration began
};

using Factors = std::pair<Word, Word>;
struct Link {
  Factors factors;
  std::size_t op = 0;  // index of the multiply-add
};
using Chains = std::map<int, std::vector<Link>>;  // of each accumulator, its products in order

struct Turn {
  Chains chains;
  std::map<int, Value> last;  // of the registers that the iteration writes
};

tl::expected<Turn, std::string> follow(std::span<const Op> ops) {
  Turn turn;
  const auto valueOf = [&turn](int reg) {
    const auto found = turn.last.find(reg);
    return found == turn.last.end() ? Value{Value::Kind::Word, {Piece::kBefore, reg}, reg}
                                    : found->second;
  };
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (const auto product = multiplyAddOf(ops[i].code)) {
      const Value addend = valueOf(product->addend);
      const bool first = addend.kind == Value::Kind::Word && addend.word.load == Piece::kBefore;
      if (!first && addend.kind != Value::Kind::Sum)
        return tl::unexpected(
            fmt::format("the addend of \"{}\" is not an accumulator", ops[i].code.text()));
      Factors factors;
      for (const bool second : {false, true}) {
        const Value factor = valueOf(product->factors[second ? 1 : 0]);
        if (factor.kind != Value::Kind::Word) {
          return tl::unexpected(fmt::format(
              "a factor of \"{}\" comes neither from shared memory nor from the previous iteration",
              ops[i].code.text()));
        }
        (second ? factors.second : factors.first) = factor.word;
      }
      const int sum = first ? product->addend : addend.sum;
      turn.chains[sum].push_back({factors, i});
      turn.last[product->result] = {Value::Kind::Sum, {}, sum};
    } else if (const auto loaded = loadedWordsOf(ops[i].code)) {
      for (int word = 0; word < loaded->count; ++word)
        turn.last[loaded->first + word] = {Value::Kind::Word, {i, word}, 0};
    } else {
      for (std::size_t reg = 0; reg < ops[i].writes.registers.size(); ++reg)
        if (ops[i].writes.registers[reg]) turn.last[static_cast<int>(reg)] = {};
    }
  }
  return turn;
}

using SumSet = std::set<int>;

// The two sides of one step's outer product: for each word, the accumulators that it contributes
// to.
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
        return tl::unexpected(std::string("its products are not an outer product"));
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
    return tl::unexpected(std::string("its products are not a complete outer product"));
  return sides;
}

// A fragment as at the first k.
struct Fragment {
  std::vector<Piece> pieces;
  std::vector<std::size_t> next;  // the loads that bring each piece for the next iteration
  std::vector<SumSet> sums;       // of each word
};

constexpr const char* kNotBefore =
    "the fragments of the first k, and of no other, must be in registers when an iteration begins";

// Single words are ordered so that even and odd registers alternate as long as there are both:
// multiply-adds read two neighbours at a time, preferably from two banks.
void alternate(std::vector<Piece>& pieces) {
  const auto alone = std::stable_partition(
      pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.words.count > 1; });
  const auto odd = std::stable_partition(
      alone, pieces.end(), [](const Piece& piece) { return piece.words.first % 2 == 0; });
  std::vector<Piece> mixed;
  for (auto even = alone, its = odd; even != odd || its != pieces.end();) {
    if (even != odd) mixed.push_back(*even++);
    if (its != pieces.end()) mixed.push_back(*its++);
  }
  std::ranges::move(mixed, alone);
}

tl::expected<Fragment, std::string> fragmentOf(const std::map<Word, SumSet>& side, const Turn& turn,
                                               std::span<const Op> ops) {
  Fragment fragment;
  for (auto at = side.begin(); at != side.end();) {
    if (at->first.load != Piece::kBefore) return tl::unexpected(std::string(kNotBefore));
    Piece piece{Piece::kBefore, {at->first.number, 1}};
    std::size_t load = 0;
    for (int number = 0; number < piece.words.count; ++number, ++at) {
      const int reg = piece.words.first + number;
      const auto last = turn.last.find(reg);
      const bool loaded = last != turn.last.end() && last->second.kind == Value::Kind::Word &&
                          last->second.word.number == number;
      if (!loaded || (number > 0 && last->second.word.load != load))
        return tl::unexpected(fmt::format("R{} is not loaded for the next iteration", reg));
      load = last->second.word.load;
      piece.words.count = loadedWordsOf(ops[load].code)->count;
      if (at == side.end() || at->first != Word{Piece::kBefore, reg}) {
        return tl::unexpected(
            fmt::format("not all words that \"{}\" loads are multiplied", ops[load].code.text()));
      }
    }
    fragment.pieces.push_back(piece);
  }
  alternate(fragment.pieces);
  for (const Piece& piece : fragment.pieces) {
    fragment.next.push_back(turn.last.at(piece.words.first).word.load);
    for (int number = 0; number < piece.words.count; ++number)
      fragment.sums.push_back(side.at({Piece::kBefore, piece.words.first + number}));
  }
  return fragment;
}

// The pieces at a later k, in the order of the first one: the words of each contribute to the same
// accumulators.
tl::expected<std::vector<Piece>, std::string> piecesLike(const Fragment& first,
                                                         const std::map<Word, SumSet>& side,
                                                         std::span<const Op> ops) {
  const std::string odd = "the words of its loads do not go to the same accumulators at each k";
  if (side.size() != first.sums.size()) return tl::unexpected(odd);
  std::vector<Piece> pieces;
  std::size_t at = 0;  // the word
  for (const Piece& like : first.pieces) {
    Piece piece;
    for (int number = 0; number < like.words.count; ++number, ++at) {
      const auto found = std::ranges::find_if(
          side, [&](const auto& entry) { return entry.second == first.sums[at]; });
      if (found == side.end()) return tl::unexpected(odd);
      const Word& word = found->first;
      if (word.load == Piece::kBefore) return tl::unexpected(std::string(kNotBefore));
      if (number == 0) piece = {word.load, *loadedWordsOf(ops[word.load].code)};
      const bool next = word.load == piece.load && word.number == number;
      if (!next || piece.words.count != like.words.count) return tl::unexpected(odd);
    }
    pieces.push_back(piece);
  }
  return pieces;
}

bool sameSets(const std::map<Word, SumSet>& side, const std::vector<SumSet>& wanted) {
  return side.size() == wanted.size() && std::ranges::all_of(side, [&wanted](const auto& entry) {
           return std::ranges::find(wanted, entry.second) != wanted.end();
         });
}

}  // namespace

std::size_t wordsIn(std::span<const Piece> pieces) {
  int words = 0;
  for (const Piece& piece : pieces) words += piece.words.count;
  return static_cast<std::size_t>(words);
}

std::vector<std::size_t> pieceOfWord(std::span<const Piece> pieces) {
  std::vector<std::size_t> its;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    its.insert(its.end(), static_cast<std::size_t>(pieces[i].words.count), i);
  return its;
}

bool ProductLoop::loads(std::size_t op) const {
  const auto has = [op](const std::vector<std::size_t>& all) {
    return std::ranges::find(all, op) != all.end();
  };
  if (has(nextRows) || has(nextColumns)) return true;
  return std::ranges::any_of(steps, [op](const Step& step) {
    const auto its = [op](const Piece& piece) { return piece.load == op; };
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
      return tl::unexpected(
          fmt::format("the accumulator in R{} is elsewhere when the iteration ends", sum));
    if (chain.size() != count)
      return tl::unexpected(
          std::string("not every accumulator gets the same number of products in an iteration"));
  }
  if (count < 2 || count % 2 != 0) {
    return tl::unexpected(
        fmt::format("an iteration has {} {} of k, but two sets of fragments need an even number",
                    count, count == 1 ? "value" : "values"));
  }

  ProductLoop loop;
  Fragment rows, columns;
  for (std::size_t k = 0; k < count; ++k) {
    std::map<int, Factors> products;
    for (const auto& [sum, chain] : chains) products[sum] = chain[k].factors;
    auto sides = sidesOf(products);
    if (!sides) return tl::unexpected(sides.error());
    if (k == 0) {
      auto one = fragmentOf(sides->one, *turn, ops);
      auto other = fragmentOf(sides->other, *turn, ops);
      if (!one) return tl::unexpected(one.error());
      if (!other) return tl::unexpected(other.error());
      rows = std::move(*one);
      columns = std::move(*other);
      loop.steps.push_back({rows.pieces, columns.pieces, {}});
      continue;
    }
    const bool straight = sameSets(sides->one, rows.sums);
    auto itsRows = piecesLike(rows, straight ? sides->one : sides->other, ops);
    auto itsColumns = piecesLike(columns, straight ? sides->other : sides->one, ops);
    if (!itsRows) return tl::unexpected(itsRows.error());
    if (!itsColumns) return tl::unexpected(itsColumns.error());
    loop.steps.push_back({std::move(*itsRows), std::move(*itsColumns), {}});
  }
  loop.nextRows = std::move(rows.next);
  loop.nextColumns = std::move(columns.next);

  for (const SumSet& row : rows.sums) {
    for (const SumSet& column : columns.sums) {
      std::vector<int> both;
      std::ranges::set_intersection(row, column, std::back_inserter(both));
      if (both.size() != 1)
        return tl::unexpected(std::string("its products are not an outer product"));
      loop.sums.push_back(both.front());
    }
  }
  for (const int sum : loop.sums) {
    for (std::size_t k = 0; k < count; ++k) loop.steps[k].products.push_back(chains.at(sum)[k].op);
  }
  return loop;
}

}  // namespace tileloom::rewrite
