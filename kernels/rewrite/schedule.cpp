// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "kernels/rewrite/copy_run.h"
#include "kernels/rewrite/issue.h"
#include "kernels/rewrite/reuse.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

// The turn as slots: a multiply-add each, with the instructions that come before it.
class Slots {
 public:
  explicit Slots(std::size_t count) : before_(count) {}

  void put(int at, Op op) {
    const int last = static_cast<int>(before_.size()) - 1;
    before_[static_cast<std::size_t>(std::clamp(at, 0, last))].push_back(std::move(op));
  }

  std::vector<Op> join(std::vector<Op> products) && {
    std::vector<Op> all;
    for (std::size_t i = 0; i < products.size(); ++i) {
      std::ranges::move(before_[i], std::back_inserter(all));
      all.push_back(std::move(products[i]));
    }
    return all;
  }

 private:
  std::vector<std::vector<Op>> before_;
};

sass::Control issuedAtOnce() {
  return {.stall = 1, .yield = false, .writeScoreboard = -1, .readScoreboard = -1};
}

// Every operand that names general registers names others.
template <class Number>
Op withRegisters(const Op& op, const Number& number) {
  sass::Decoded code = op.code;
  for (sass::DecodedOperand& operand : code.operands)
    if (namesRegisters(operand)) operand.number = number(operand);
  return Op::of(std::move(code), op.at);
}

std::vector<int> registersOf(const std::vector<LoadedWords>& pieces) {
  std::vector<int> registers;
  for (const LoadedWords& piece : pieces)
    for (int word = 0; word < piece.count; ++word) registers.push_back(piece.first + word);
  return registers;
}

// A load of a fragment into the set of registers that the plan has for it.
Op fragmentLoad(const Op& load, int first, int scoreboard) {
  sass::Decoded code = load.code;
  code.operands.front().number = first;
  code.control = issuedAtOnce();
  code.control.writeScoreboard = scoreboard;
  return Op::of(std::move(code), load.at);
}

// Loads in the order in which the multiply-adds of the next dot index need them: they begin with
// the first two words of the outer operand and then need all of the inner one.
struct LoadOrder {
  bool columns = false;
  std::size_t piece = 0;
};
std::vector<LoadOrder> loadOrder(const Step& step, bool columnsOutside) {
  const std::vector<Piece>& outer = columnsOutside ? step.columns : step.rows;
  const std::vector<Piece>& inner = columnsOutside ? step.rows : step.columns;
  const std::size_t first = pieceOfWord(outer)[1] + 1;
  std::vector<LoadOrder> order;
  for (std::size_t i = 0; i < first; ++i) order.push_back({columnsOutside, i});
  for (std::size_t i = 0; i < inner.size(); ++i) order.push_back({!columnsOutside, i});
  for (std::size_t i = first; i < outer.size(); ++i) order.push_back({columnsOutside, i});
  return order;
}

// The multiply-adds of a dot index as the untouched loop has them.
std::vector<Product> asCompiled(const Step& step, std::size_t columns) {
  std::vector<std::size_t> order(step.products.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&step](std::size_t i) { return step.products[i]; });
  std::vector<Product> products;
  for (const std::size_t i : order) products.push_back({i / columns, i % columns});
  return products;
}

// Without blocks: as the untouched loop has them, or line by line, whichever loses least with the
// registers that the fragments have now.
OrderedProducts bestPlain(const OuterProduct& outer, const Step& step,
                          const sass::RegisterFile& before) {
  OrderedProducts best = takeOrder(outer, asCompiled(step, outer.columns.size()), before);
  for (const bool columnsOutside : {false, true}) {
    OrderedProducts lines = takeOrder(outer, thereAndBack(outer, columnsOutside), before);
    if (lines.lost < best.lost) best = std::move(lines);
  }
  return best;
}

// For each instruction of the untouched turn, how many multiply-adds stand before it.
std::vector<int> placesOf(const LoopCode& loop) {
  std::vector<int> places;
  int before = 0;
  for (const Op& op : loop.turn) {
    places.push_back(before);
    if (multiplyAddOf(op.code)) ++before;
  }
  return places;
}

// The multiply-adds of all dot indices, in order.
std::vector<Op> productsOf(const LoopCode& loop, const ProductLoop& products,
                           const RegisterPlan& plan, const ProductOrder& how, bool ordered) {
  const auto pattern = std::ranges::find_if(
      loop.turn, [](const Op& op) { return multiplyAddOf(op.code).has_value(); });
  std::vector<Op> all;
  sass::RegisterFile registers;
  for (std::size_t k = 0; k < products.steps.size(); ++k) {
    const FragmentSet& set = plan.sets[k % plan.sets.size()];
    const OuterProduct outer{registersOf(set.rows), registersOf(set.columns), products.sums};
    const OrderedProducts best = ordered ? orderProducts(outer, how, registers)
                                         : bestPlain(outer, products.steps[k], registers);
    registers = best.registers;
    for (const Product& product : best.products) {
      sass::Decoded code = pattern->code;
      code.control = issuedAtOnce();
      const int sum = outer.sumAt(product.row, product.column);
      const std::array<int, 4> numbers = {sum, outer.rows[product.row],
                                          outer.columns[product.column], sum};
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        code.operands[i].number = numbers[i];
        code.operands[i].reuse = false;
      }
      const std::size_t its = product.row * products.columns() + product.column;
      all.push_back(Op::of(std::move(code), loop.turn[products.steps[k].products[its]].at));
    }
  }
  return all;
}

// Of one piece of a dot index, the earliest of its multiply-adds by `places`, which say where each
// instruction of the untouched turn stands.
int firstUseOf(const Step& step, const LoadOrder& which, std::size_t columns,
               std::span<const int> places) {
  int first = places[step.products.front()];
  bool any = false;
  const std::vector<std::size_t> pieces = pieceOfWord(which.columns ? step.columns : step.rows);
  for (std::size_t i = 0; i < step.products.size(); ++i) {
    if (pieces[which.columns ? i % columns : i / columns] != which.piece) continue;
    const int its = places[step.products[i]];
    first = any ? std::min(first, its) : its;
    any = true;
  }
  return first;
}

// The other instructions, in their order, in three parts: those that ask for the next K tile, those
// that store it, up to the barrier, and those behind it.
struct Parts {
  std::vector<Op> fetch, store, behind;
};

bool isBarrier(const Op& op) {
  return op.code.effect() == Effect::Barrier;
}

}  // namespace

tl::expected<std::vector<Op>, std::string> scheduleTurn(
    const LoopCode& loop, const ProductLoop& products, const RegisterPlan& plan,
    const Spacing& spacing, std::span<const int> scoreboards, const Changes& changes) {
  const int scoreboard = scoreboards.front();
  if (std::ranges::none_of(loop.turn, isBarrier))
    return tl::unexpected(std::string("a turn has no barrier"));
  const auto perStep = static_cast<int>(products.rows() * products.columns());
  const auto steps = static_cast<int>(products.steps.size());
  const int total = perStep * steps;
  std::vector<Op> multiplyAdds = productsOf(loop, products, plan, spacing.order, changes.order);
  Slots slots(multiplyAdds.size());

  // Loads of fragments that this turn needs itself.
  std::vector<bool> isLoad(loop.turn.size(), false);
  sass::RegisterUse addresses;  // that they read
  std::vector<bool> loadedAt(static_cast<std::size_t>(total), false);
  const auto order = loadOrder(products.steps[0], spacing.order.columnsOutside);
  const int gaps = std::max(1, static_cast<int>(order.size()) - 1);
  const int distance =
      std::clamp((perStep - spacing.firstLoad - spacing.beforeUse) / gaps, 1, spacing.load);
  const std::vector<int> places = placesOf(loop);
  std::map<std::size_t, int> numbers;  // of multiply-adds by their place in the untouched kernel
  for (std::size_t i = 0; i < multiplyAdds.size(); ++i)
    numbers[multiplyAdds[i].at] = static_cast<int>(i);
  std::vector<int> newPlaces;
  for (const Op& op : loop.turn) {
    const auto found = numbers.find(op.at);
    newPlaces.push_back(found == numbers.end() ? 0 : found->second);
  }
  int lastLoad = 0;
  for (int k = 0; k + 1 < steps; ++k) {
    const Step& step = products.steps[static_cast<std::size_t>(k) + 1];
    const FragmentSet& set = plan.sets[static_cast<std::size_t>(k + 1) % plan.sets.size()];
    for (std::size_t n = 0; n < order.size(); ++n) {
      const auto [columns, piece] = order[n];
      const std::size_t load = (columns ? step.columns : step.rows)[piece].load;
      const int first = (columns ? set.columns : set.rows)[piece].first;
      isLoad[load] = true;
      addresses = united(addresses, loop.turn[load].reads);
      int at = k * perStep + spacing.firstLoad + static_cast<int>(n) * distance;
      if (!changes.loads) {
        // As far ahead of its first use as it was, and within the dot index before it, from which
        // on its set is free.
        const int use = firstUseOf(step, order[n], products.columns(), newPlaces);
        const int ahead = firstUseOf(step, order[n], products.columns(), places) - places[load];
        at = std::clamp(use - ahead, k * perStep, (k + 1) * perStep - 1);
      }
      lastLoad = std::max(lastLoad, at);
      slots.put(at, fragmentLoad(loop.turn[load], first, scoreboard));
      loadedAt[static_cast<std::size_t>(at)] = true;
    }
  }

  std::map<std::size_t, int> next;  // loads for the next turn, and where they go
  for (std::size_t i = 0; i < products.nextRows.size(); ++i)
    next[products.nextRows[i]] = plan.sets[0].rows[i].first;
  for (std::size_t i = 0; i < products.nextColumns.size(); ++i)
    next[products.nextColumns[i]] = plan.sets[0].columns[i].first;

  Parts parts;
  bool stored = false, passed = false;
  for (std::size_t i = 0; i < loop.turn.size(); ++i) {
    const Op& op = loop.turn[i];
    if (isLoad[i] || multiplyAddOf(op.code)) continue;
    stored |= op.code.effect() == Effect::SharedStore || isBarrier(op);
    std::vector<Op>& part = passed ? parts.behind : stored ? parts.store : parts.fetch;
    if (const auto load = next.find(i); load != next.end()) {
      if (!passed) {
        return tl::unexpected(
            std::string("it loads the first fragments of the next turn before the barrier"));
      }
      part.push_back(fragmentLoad(op, load->second, scoreboard));
      continue;
    }
    Op moved = withRegisters(op, [&plan](const sass::DecodedOperand& operand) {
      const auto to = plan.moved.find(operand.number);
      return to == plan.moved.end() ? operand.number : to->second;
    });
    moved.code.control.wait = 0;
    moved.code.control.yield = false;
    part.push_back(std::move(moved));
    if (isBarrier(op)) {
      if (passed) return tl::unexpected(std::string("a turn has more than one barrier"));
      passed = true;
    }
  }

  // Between two others pass at least as many cycles as between them before.
  // Set 0 is free for the next turn when the last dot index begins, which uses set 1.
  const int lastStep = (steps - 1) * perStep;
  // The first place from `at` on where no load stands between the copies of a run.
  const auto startOf = [&loadedAt](const CopyRun& run, int at) {
    const int last = static_cast<int>(loadedAt.size()) - 1;
    for (int slot = at + 1; slot <= std::min(at + run.length() + kCopyDistance, last); ++slot)
      if (loadedAt[static_cast<std::size_t>(slot)]) at = slot;
    return at;
  };
  const auto put = [&](std::vector<Op>& part, int at, int gap) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      CopyRun run = copyRunAt(part, i, gap);
      if (!run.empty()) {
        // As wide as everything else stands, if it need not wait for that.
        CopyRun close = copyRunAt(part, i, 1);
        const int from = startOf(run, at);
        at = startOf(close, at);
        if (from != at) run = std::move(close);
        for (const int offset : run.offsets) {
          part[i].code.control.stall = 1;
          slots.put(at + offset, std::move(part[i]));
          ++i;
        }
        at += run.length() + std::max(kCopyDistance, gap);
      }
      if (i == part.size()) break;
      Op& op = part[i];
      if (loadedWordsOf(op.code)) at = std::max(at, lastStep);
      if (overlap(op.writes, addresses)) at = std::max(at, lastLoad + 1);
      const int stall = op.code.control.stall;
      op.code.control.stall = 1;
      slots.put(at, std::move(op));
      at += std::max(stall, gap);
    }
    return at;
  };
  const auto lengthOf = [](const std::vector<Op>& part, int gap) {
    int length = 0;
    for (const Op& op : part) length += std::max(op.code.control.stall, gap);
    return length;
  };
  int barrierAt = lastStep + spacing.barrier;
  if (!changes.barrier) {
    const auto its = std::ranges::find_if(loop.turn, isBarrier) - loop.turn.begin();
    barrierAt = places[static_cast<std::size_t>(its)];
  }
  int gap = spacing.other;
  while (gap > 1 &&
         spacing.fetch + lengthOf(parts.fetch, gap) + lengthOf(parts.store, gap) > barrierAt)
    --gap;
  // The barrier itself is the last of its part.
  const int barrierGap = std::max(parts.store.back().code.control.stall, gap);
  const int storeFrom = barrierAt - lengthOf(parts.store, gap) + barrierGap;
  const int fetched = put(parts.fetch, spacing.fetch, gap);
  const int storeAt =
      std::max({storeFrom, fetched, lastLoad - lengthOf(parts.store, gap) + barrierGap + 1});
  const int behindFrom = put(parts.store, storeAt, gap) - barrierGap + kBarrierDelay;
  int behindGap = changes.barrier ? spacing.afterBarrier : 1;
  while (behindGap > 1 &&
         behindFrom + lengthOf(parts.behind, behindGap) > total - spacing.beforeUse)
    --behindGap;
  if (behindFrom + lengthOf(parts.behind, behindGap) > total) {
    return tl::unexpected(
        fmt::format("{} multiply-adds per turn leave no room for its other instructions", total));
  }
  put(parts.behind, behindFrom, behindGap);
  std::vector<Op> turn = std::move(slots).join(std::move(multiplyAdds));
  setReuse(turn);
  // Loads close to their use are awaited one by one.
  std::size_t loads = 0;
  for (Op& op : turn) {
    if (!changes.loads && loadedWordsOf(op.code))
      op.code.control.writeScoreboard = scoreboards[loads++ % scoreboards.size()];
  }
  return turn;
}

}  // namespace tileloom::rewrite
