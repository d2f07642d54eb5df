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
#include "kernels/rewrite/load_places.h"
#include "kernels/rewrite/product_order.h"
#include "kernels/rewrite/reuse.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

// The iteration as slots: one multiply-add each, with the instructions that come before it.
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

// Renames the registers of every operand that names general registers.
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

// With the registers that the plan has for temporary values of other instructions.
Op withMoved(const Op& op, const RegisterPlan& plan) {
  return withRegisters(op, [&plan](const sass::DecodedOperand& operand) {
    const auto to = plan.moved.find(operand.number);
    return to == plan.moved.end() ? operand.number : to->second;
  });
}

// A load of a fragment into the set of registers that the plan has for it.
Op fragmentLoad(const Op& load, const RegisterPlan& plan, int first, int scoreboard) {
  sass::Decoded code = withMoved(load, plan).code;
  code.operands.front().number = first;
  code.control = issuedAtOnce();
  code.control.writeScoreboard = scoreboard;
  return Op::of(std::move(code), load.at);
}

// Loads in the order in which the multiply-adds of the next k need them: they begin with the first
// two words of the outer operand and then need all of the inner one.
struct LoadOrder {
  bool columns = false;
  std::size_t piece = 0;
};
std::vector<LoadOrder> loadOrder(const Step& step, bool columnsOutside) {
  const std::vector<Piece>& outer = columnsOutside ? step.columns : step.rows;
  const std::vector<Piece>& inner = columnsOutside ? step.rows : step.columns;
  const std::vector<std::size_t> pieces = pieceOfWord(outer);
  const std::size_t first = pieces[std::min<std::size_t>(1, pieces.size() - 1)] + 1;
  std::vector<LoadOrder> order;
  for (std::size_t i = 0; i < first; ++i) order.push_back({columnsOutside, i});
  for (std::size_t i = 0; i < inner.size(); ++i) order.push_back({!columnsOutside, i});
  for (std::size_t i = first; i < outer.size(); ++i) order.push_back({columnsOutside, i});
  return order;
}

// The multiply-adds of a k as in the untouched loop.
std::vector<Product> asCompiled(const Step& step, std::size_t columns) {
  std::vector<std::size_t> order(step.products.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&step](std::size_t i) { return step.products[i]; });
  std::vector<Product> products;
  for (const std::size_t i : order) products.push_back({i / columns, i % columns});
  return products;
}

// Without blocks: as in the untouched loop, or line by line, whichever loses least with the new
// registers of the fragments.
OrderedProducts bestPlain(const OuterProduct& outer, const Step& step,
                          const sass::RegisterFile& before) {
  OrderedProducts best = takeOrder(outer, asCompiled(step, outer.columns.size()), before);
  for (const bool columnsOutside : {false, true}) {
    OrderedProducts lines = takeOrder(outer, thereAndBack(outer, columnsOutside), before);
    if (lines.lost < best.lost) best = std::move(lines);
  }
  return best;
}

// For each instruction of the untouched iteration, the number of multiply-adds before it.
std::vector<int> placesOf(const LoopCode& loop) {
  std::vector<int> places;
  int before = 0;
  for (const Op& op : loop.turn) {
    places.push_back(before);
    if (multiplyAddOf(op.code)) ++before;
  }
  return places;
}

// The multiply-adds of all k, in order.
std::vector<Op> productsOf(const LoopCode& loop, const ProductLoop& products,
                           const RegisterPlan& plan, const ProductOrder& how, bool ordered) {
  const auto pattern = std::ranges::find_if(
      loop.turn, [](const Op& op) { return multiplyAddOf(op.code).has_value(); });
  std::vector<Op> all;
  sass::RegisterFile registers;
  for (std::size_t k = 0; k < products.steps.size(); ++k) {
    const FragmentSet& set = plan.sets[k % plan.sets.size()];
    const OuterProduct outer{registersOf(set.rows), registersOf(set.columns), products.sums};
    // Blocks of two by two need even numbers of rows and columns.
    const bool even = outer.rows.size() % 2 == 0 && outer.columns.size() % 2 == 0;
    const OrderedProducts best = ordered && even ? orderProducts(outer, how, registers)
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

// The earliest multiply-add of one piece at a k by `places`, which has the place of each
// instruction of the untouched iteration.
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

// The other instructions, in their order, in three parts: those that prefetch the next K tile,
// those that store it, up to the barrier, and those after it.
struct Parts {
  std::vector<Op> fetch, store, behind;
};

bool isBarrier(const Op& op) {
  return op.code.effect() == Effect::Barrier;
}

// The parts of an iteration.
struct Material {
  std::vector<Op> multiplyAdds;
  int perStep = 0;  // of them per k
  // For each k but the last one: the loads for the next one, in the order in which it needs them,
  // and their places if they stay as far ahead of their use as the assembler has set them.
  std::vector<std::vector<Op>> loads;
  std::vector<std::vector<int>> compiledPlaces;
  sass::RegisterUse addresses;  // that these loads read
  Parts parts;
  int compiledBarrier = 0;  // its place in the untouched iteration

  int steps() const { return static_cast<int>(loads.size()) + 1; }
  int total() const { return static_cast<int>(multiplyAdds.size()); }
};

// Whether registers allow the two to be exchanged.
bool areIndependent(const Op& a, const Op& b) {
  return !overlap(a.writes, b.reads) && !overlap(a.reads, b.writes) && !overlap(a.writes, b.writes);
}

// The addresses of fragments are advanced when the last load has used them. If the assembler does
// that before it stores the next K tile, stores and barrier have to wait for it. Here it is done
// after the barrier instead, if nothing in between needs the new addresses.
Material withLateSteps(Material its) {
  std::vector<Op> sunk;
  for (std::vector<Op>* part : {&its.parts.store, &its.parts.fetch}) {
    for (std::size_t i = part->size(); i-- > 0;) {
      const Op& op = (*part)[i];
      const auto free = [&op](const Op& other) { return areIndependent(op, other); };
      const bool passes =
          std::all_of(part->begin() + static_cast<std::ptrdiff_t>(i) + 1, part->end(), free) &&
          (part == &its.parts.store || std::ranges::all_of(its.parts.store, free));
      if (!isArithmetic(op) || !overlap(op.writes, its.addresses) || !passes) continue;
      sunk.insert(sunk.begin(), op);
      part->erase(part->begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  its.parts.behind.insert(its.parts.behind.begin(), sunk.begin(), sunk.end());
  return its;
}

tl::expected<Material, std::string> materialOf(const LoopCode& loop, const ProductLoop& products,
                                               const RegisterPlan& plan, const Spacing& spacing,
                                               int scoreboard, const Changes& changes) {
  Material its;
  its.multiplyAdds = productsOf(loop, products, plan, spacing.order, changes.order);
  its.perStep = static_cast<int>(products.rows() * products.columns());

  const std::vector<int> places = placesOf(loop);
  std::map<std::size_t, int> numbers;  // of multiply-adds by their place in the untouched kernel
  for (std::size_t i = 0; i < its.multiplyAdds.size(); ++i)
    numbers[its.multiplyAdds[i].at] = static_cast<int>(i);
  std::vector<int> newPlaces;
  for (const Op& op : loop.turn) {
    const auto found = numbers.find(op.at);
    newPlaces.push_back(found == numbers.end() ? 0 : found->second);
  }
  std::vector<bool> isLoad(loop.turn.size(), false);
  const auto order = loadOrder(products.steps[0], spacing.order.columnsOutside);
  for (std::size_t k = 1; k < products.steps.size(); ++k) {
    const Step& step = products.steps[k];
    const FragmentSet& set = plan.sets[k % plan.sets.size()];
    its.loads.emplace_back();
    its.compiledPlaces.emplace_back();
    for (const LoadOrder& which : order) {
      const std::size_t load = (which.columns ? step.columns : step.rows)[which.piece].load;
      const int first = (which.columns ? set.columns : set.rows)[which.piece].first;
      isLoad[load] = true;
      its.loads.back().push_back(fragmentLoad(loop.turn[load], plan, first, scoreboard));
      its.addresses = united(its.addresses, its.loads.back().back().reads);
      // The place within the previous k from which on its set is free.
      const int use = firstUseOf(step, which, products.columns(), newPlaces);
      const int ahead = firstUseOf(step, which, products.columns(), places) - places[load];
      const int end = static_cast<int>(k) * its.perStep;
      its.compiledPlaces.back().push_back(std::clamp(use - ahead, end - its.perStep, end - 1));
    }
  }

  std::map<std::size_t, int> next;  // loads for the next iteration, and their destination
  for (std::size_t i = 0; i < products.nextRows.size(); ++i)
    next[products.nextRows[i]] = plan.sets[0].rows[i].first;
  for (std::size_t i = 0; i < products.nextColumns.size(); ++i)
    next[products.nextColumns[i]] = plan.sets[0].columns[i].first;
  bool stored = false, passed = false;
  for (std::size_t i = 0; i < loop.turn.size(); ++i) {
    const Op& op = loop.turn[i];
    if (isLoad[i] || multiplyAddOf(op.code)) continue;
    stored |= op.code.effect() == Effect::SharedStore || isBarrier(op);
    std::vector<Op>& part = passed ? its.parts.behind : stored ? its.parts.store : its.parts.fetch;
    if (const auto load = next.find(i); load != next.end()) {
      if (!passed) {
        return tl::unexpected(
            std::string("it loads the first fragments of the next iteration before the barrier"));
      }
      part.push_back(fragmentLoad(op, plan, load->second, scoreboard));
      continue;
    }
    Op moved = withMoved(op, plan);
    moved.code.control.wait = 0;
    moved.code.control.yield = false;
    part.push_back(std::move(moved));
    if (isBarrier(op)) {
      if (passed) return tl::unexpected(std::string("an iteration has more than one barrier"));
      passed = true;
      its.compiledBarrier = places[i];
    }
  }
  return its;
}

// Multiply-adds that a part takes with this distance between its instructions.
int lengthOf(const std::vector<Op>& part, int gap) {
  int length = 0;
  for (const Op& op : part) length += std::max(op.code.control.stall, gap);
  return length;
}

// The place at which the first copies of a part would begin without other constraints, and where
// they leave most room for the loads around them.
CopyWindow windowOf(const Material& its, int at, int gap, const Spacing& spacing) {
  for (std::size_t i = 0; i < its.parts.fetch.size(); ++i) {
    const CopyRun close = copyRunAt(its.parts.fetch, i, 1);
    if (!close.empty())
      return bestWindow(at, close.length() + kCopyDistance, its.perStep, its.total(), spacing);
    at += std::max(its.parts.fetch[i].code.control.stall, gap);
  }
  return {};
}

// `apart`: loads make room for copies; otherwise copies wait until there is some.
tl::expected<std::vector<Op>, std::string> arrange(Material its, const Spacing& spacing,
                                                   const Changes& changes, bool apart) {
  const int total = its.total();
  const int lastStep = total - its.perStep;
  int barrierAt = changes.barrier ? lastStep + spacing.barrier : its.compiledBarrier;
  int gap = spacing.other;
  while (gap > 1 &&
         spacing.fetch + lengthOf(its.parts.fetch, gap) + lengthOf(its.parts.store, gap) >
             barrierAt)
    --gap;

  Slots slots(its.multiplyAdds.size());
  std::vector<bool> loadedAt(its.multiplyAdds.size(), false);
  const CopyWindow window = apart ? windowOf(its, spacing.fetch, gap, spacing) : CopyWindow{};
  int lastLoad = 0;
  for (std::size_t k = 0; k < its.loads.size(); ++k) {
    const std::vector<int> even = placesOfLoads(static_cast<int>(k) * its.perStep, its.perStep,
                                                its.loads[k].size(), spacing, window);
    const std::vector<int>& places = changes.loads ? even : its.compiledPlaces[k];
    for (std::size_t n = 0; n < places.size(); ++n) {
      lastLoad = std::max(lastLoad, places[n]);
      loadedAt[static_cast<std::size_t>(places[n])] = true;
      slots.put(places[n], std::move(its.loads[k][n]));
    }
  }

  // The first place from `at` on where no load is between the copies of a run.
  const auto startOf = [&loadedAt](const CopyRun& run, int at) {
    const int last = static_cast<int>(loadedAt.size()) - 1;
    for (int slot = at + 1; slot <= std::min(at + run.length() + kCopyDistance, last); ++slot)
      if (loadedAt[static_cast<std::size_t>(slot)]) at = slot;
    return at;
  };
  // Between two other instructions there are at least as many cycles as before.
  const auto put = [&](std::vector<Op>& part, int at, int distance) {
    for (std::size_t i = 0; i < part.size();) {
      if (CopyRun run = copyRunAt(part, i, distance); !run.empty()) {
        // As wide as the others, if it need not wait for that.
        CopyRun close = copyRunAt(part, i, 1);
        if (apart) at = std::max(at, window.from);
        const int from = startOf(run, at);
        at = startOf(close, at);
        if (from != at) run = std::move(close);
        for (const int offset : run.offsets) {
          part[i].code.control.stall = 1;
          slots.put(at + offset, std::move(part[i]));
          ++i;
        }
        at += run.length() + std::max(kCopyDistance, distance);
        continue;
      }
      Op& op = part[i++];
      // Set 0 is free for the next iteration when the last k begins, which uses set 1.
      if (loadedWordsOf(op.code)) at = std::max(at, lastStep);
      if (overlap(op.writes, its.addresses)) at = std::max(at, lastLoad + 1);
      const int stall = op.code.control.stall;
      op.code.control.stall = 1;
      slots.put(at, std::move(op));
      at += std::max(stall, distance);
    }
    return at;
  };
  const int storeLength = lengthOf(its.parts.store, gap);
  // The barrier itself is the last of its part.
  const int barrierGap = std::max(its.parts.store.back().code.control.stall, gap);
  const int storeFrom = barrierAt - storeLength + barrierGap;
  const int fetched = put(its.parts.fetch, spacing.fetch, gap);
  const int storeAt = std::max({storeFrom, fetched, lastLoad - storeLength + barrierGap + 1});
  const int behindFrom = put(its.parts.store, storeAt, gap) - barrierGap + kBarrierDelay;
  int behindGap = changes.barrier ? spacing.afterBarrier : 1;
  while (behindGap > 1 &&
         behindFrom + lengthOf(its.parts.behind, behindGap) > total - spacing.beforeUse)
    --behindGap;
  if (behindFrom + lengthOf(its.parts.behind, behindGap) > total) {
    return tl::unexpected(fmt::format(
        "{} multiply-adds per iteration leave no room for the other instructions", total));
  }
  put(its.parts.behind, behindFrom, behindGap);
  return std::move(slots).join(std::move(its.multiplyAdds));
}

}  // namespace

tl::expected<std::vector<Op>, std::string> scheduleTurn(
    const LoopCode& loop, const ProductLoop& products, const RegisterPlan& plan,
    const Spacing& spacing, std::span<const int> scoreboards, const Changes& changes) {
  if (std::ranges::none_of(loop.turn, isBarrier))
    return tl::unexpected(std::string("an iteration has no barrier"));
  const auto material = materialOf(loop, products, plan, spacing, scoreboards.front(), changes);
  if (!material) return tl::unexpected(material.error());
  // Nothing precedes an early barrier that can follow it: addresses are advanced late. If there is
  // no room, loads give way to copies.
  tl::expected<std::vector<Op>, std::string> turn = tl::unexpected(std::string());
  for (const bool late : {true, false}) {
    for (const bool apart : {false, true}) {
      const bool allowed = (!late || changes.barrier) && (!apart || changes.loads);
      if (turn || !allowed) continue;
      turn = arrange(late ? withLateSteps(*material) : *material, spacing, changes, apart);
    }
  }
  if (!turn) return turn;
  setReuse(*turn);
  // Loads close to their use are awaited one by one.
  std::size_t loads = 0;
  for (Op& op : *turn) {
    if (!changes.loads && loadedWordsOf(op.code))
      op.code.control.writeScoreboard = scoreboards[loads++ % scoreboards.size()];
  }
  return turn;
}

}  // namespace tileloom::rewrite
