// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "kernels/rewrite/control.h"
#include "kernels/rewrite/equality.h"
#include "kernels/rewrite/reuse.h"
#include "kernels/sass/register_banks.h"

namespace tileloom::rewrite {
namespace {

// Scoreboards that only loads of fragments increment; these loads get new ones.
std::vector<int> freeScoreboards(const LoopCode& loop, const ProductLoop& products) {
  unsigned used = 0;
  for (std::size_t i = 0; i < loop.turn.size(); ++i) {
    if (products.loads(i)) continue;
    const sass::Control& control = loop.turn[i].code.control;
    for (const int its : {control.writeScoreboard, control.readScoreboard})
      if (its >= 0) used |= 1u << its;
    for (const sass::DecodedOperand& operand : loop.turn[i].code.operands)
      if (operand.kind == sass::OperandKind::Scoreboard) used |= 1u << operand.number;
  }
  std::vector<int> free;
  for (int scoreboard = 5; scoreboard >= 0; --scoreboard)
    if ((used >> scoreboard & 1) == 0) free.push_back(scoreboard);
  return free;
}

// If all six are in use: scoreboards that only show when operands have been read, and that no
// instruction names, become one.
void joinScoreboards(LoopCode& loop, const ProductLoop& products) {
  unsigned others = 0, reads = 0;
  for (std::size_t i = 0; i < loop.turn.size(); ++i) {
    if (products.loads(i)) continue;
    const sass::Control& control = loop.turn[i].code.control;
    if (control.writeScoreboard >= 0) others |= 1u << control.writeScoreboard;
    if (control.readScoreboard >= 0) reads |= 1u << control.readScoreboard;
    for (const sass::DecodedOperand& operand : loop.turn[i].code.operands)
      if (operand.kind == sass::OperandKind::Scoreboard) others |= 1u << operand.number;
  }
  reads &= ~others;
  for (Op& op : loop.turn) {
    int& its = op.code.control.readScoreboard;
    if (its >= 0 && (reads >> its & 1) != 0) its = std::countr_zero(reads);
  }
}

// The branch back to the first instruction of the new iteration, which has `slots` instructions
// including it.
Op jumpBack(const LoopCode& loop, std::size_t slots) {
  sass::Decoded code = loop.back().code;
  for (sass::DecodedOperand& operand : code.operands) {
    if (operand.kind == sass::OperandKind::Label)
      operand.value = static_cast<std::int64_t>((loop.end - slots) * sass::kCodeWordBytes);
  }
  code.control.wait = 0;
  return Op::of(std::move(code), loop.back().at);
}

// NOP, in one cycle.
sass::CodeWord noOperation() {
  sass::CodeWord word{0x7918, 0};
  sass::putControl(word, {.stall = 1});
  return word;
}

tl::expected<std::vector<Op>, std::string> decodedAgain(std::span<const sass::CodeWord> words,
                                                        std::size_t begin, std::size_t end) {
  std::vector<Op> ops;
  for (std::size_t i = begin; i < end; ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    auto code = sass::decode(words[i], address, kCapability);
    if (!code) return tl::unexpected(code.error());
    ops.push_back(Op::of(std::move(*code), i));
  }
  return ops;
}

int lostIn(const sass::Cubin& cubin, std::size_t begin, std::size_t end) {
  const auto listing = sass::listingOf(cubin);
  return listing ? sass::loopCost(*listing, {begin, end}, {}).lostToBanks : 0;
}

}  // namespace

tl::expected<Rewritten, std::string> rewriteMainLoop(std::span<const char> file,
                                                     const Request& request) {
  auto cubin = sass::readCubin(file);
  if (!cubin) return tl::unexpected(cubin.error());
  if (cubin->capability != kCapability) {
    return tl::unexpected(fmt::format(
        "it is compiled for compute capability {}.{}, but only the timing of {}.{} is known",
        cubin->capability / 10, cubin->capability % 10, kCapability / 10, kCapability % 10));
  }
  auto loop = loopCodeOf(*cubin);
  if (!loop) return tl::unexpected(loop.error());
  const auto products = productLoopOf(loop->turn);
  if (!products) return tl::unexpected(products.error());
  const LiveAround live = liveAround(*loop);
  const auto plan = planRegisters(*loop, *products, live, cubin->registers, request.registerLimit);
  if (!plan) return tl::unexpected(plan.error());
  std::vector<int> scoreboards = freeScoreboards(*loop, *products);
  if (scoreboards.empty()) {
    joinScoreboards(*loop, *products);
    scoreboards = freeScoreboards(*loop, *products);
  }
  if (scoreboards.empty())
    return tl::unexpected(
        std::string("all six scoreboards are in use even without loads of fragments"));
  auto turn = scheduleTurn(*loop, *products, *plan, request.spacing, scoreboards, request.changes);
  if (!turn) return tl::unexpected(turn.error());
  const std::size_t slots = turn->size() + 1;
  const std::size_t slotsBefore = loop->end - loop->begin;
  if (slots > slotsBefore) {
    return tl::unexpected(fmt::format(
        "the new loop has {} instructions, but there is room for only {}", slots, slotsBefore));
  }
  turn->push_back(jumpBack(*loop, slots));

  const std::span<const Op> kernel(loop->kernel);
  const auto before = kernel.first(loop->begin);
  const auto behind = kernel.subspan(loop->end);
  if (std::string why = setWaits(before, *turn, behind); !why.empty())
    return tl::unexpected(std::move(why));

  // The new iteration ends where the old one did; the free slots before it are filled with
  // instructions that do nothing, once.
  std::vector<sass::CodeWord> words = cubin->words;
  const std::size_t begin = loop->end - slots;
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(loop->begin),
            words.begin() + static_cast<std::ptrdiff_t>(begin), noOperation());
  for (std::size_t i = 0; i < slots; ++i) {
    sass::Decoded code = (*turn)[i].code;
    code.address = static_cast<std::uint32_t>((begin + i) * sass::kCodeWordBytes);
    const auto word = sass::encode(code);
    if (!word) return tl::unexpected(word.error());
    words[begin + i] = *word;
  }

  // The check covers what will run: the words themselves, decoded again.
  const auto result = decodedAgain(words, begin, loop->end);
  if (!result) return tl::unexpected(result.error());
  const auto old = kernel.subspan(loop->begin, slotsBefore);
  if (const std::string why = whyNotEqual(old, *result, live); !why.empty())
    return tl::unexpected("the new loop is not proved equal: " + why);
  if (const std::string why = whyTooEarly(before, *result, behind); !why.empty())
    return tl::unexpected("the new loop does not wait long enough: " + why);
  if (const std::string why = whyStale(*result); !why.empty())
    return tl::unexpected("the new loop reads old values: " + why);

  auto changed = sass::withCode(file, words, plan->perThread);
  if (!changed) return tl::unexpected(changed.error());
  Rewritten rewritten;
  rewritten.origins.resize(words.size());
  std::iota(rewritten.origins.begin(), rewritten.origins.end(), 0);
  std::fill(rewritten.origins.begin() + static_cast<std::ptrdiff_t>(loop->begin),
            rewritten.origins.begin() + static_cast<std::ptrdiff_t>(begin), -1);
  for (std::size_t i = 0; i < slots; ++i)
    rewritten.origins[begin + i] = static_cast<int>((*turn)[i].at);
  rewritten.registers = plan->perThread;
  rewritten.instructionsBefore = static_cast<int>(slotsBefore);
  rewritten.instructions = static_cast<int>(slots);
  rewritten.multiplyAdds =
      static_cast<int>(products->steps.size() * products->rows() * products->columns());
  rewritten.lostBefore = lostIn(*cubin, loop->begin, loop->end);
  sass::Cubin its = *cubin;
  its.words = std::move(words);
  rewritten.lost = lostIn(its, begin, loop->end);
  rewritten.cubin = std::move(*changed);
  return rewritten;
}

}  // namespace tileloom::rewrite
