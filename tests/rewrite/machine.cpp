// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/rewrite/machine.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>

#include "kernels/rewrite/latency.h"

namespace tileloom::test {
namespace {

using rewrite::Op;
using rewrite::Place;
using sass::Effect;
using sass::OperandKind;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

bool isPredicate(const Place& place) {
  return place.file == Place::File::Predicate || place.file == Place::File::UniformPredicate;
}

bool isFixed(const Place& place) {
  return place.number >= (isPredicate(place) ? sass::kTruePredicate : sass::kZeroRegister);
}

// A number between 1 and 2, or a bit.
std::uint32_t numberOf(const Place& place, std::uint64_t hash) {
  if (isPredicate(place)) return hash & 1;
  return 0x3f800000u | static_cast<std::uint32_t>(hash & 0x7fffff);
}

std::uint32_t initial(const Place& place, std::uint64_t seed) {
  if (isFixed(place)) return isPredicate(place) ? 1 : 0;
  return numberOf(place, mixed(mixed(seed, static_cast<std::uint64_t>(place.file)),
                               static_cast<std::uint64_t>(place.number)));
}

std::optional<Place::File> fileOf(OperandKind kind) {
  switch (kind) {
    case OperandKind::Register:
    case OperandKind::Address:
    case OperandKind::GlobalAddress:
    case OperandKind::BarrierAddress:
      return Place::File::General;
    case OperandKind::UniformRegister:
    case OperandKind::UniformAddress:
    case OperandKind::MatrixDescriptor:
      return Place::File::Uniform;
    case OperandKind::Predicate:
      return Place::File::Predicate;
    case OperandKind::UniformPredicate:
      return Place::File::UniformPredicate;
    default:
      return std::nullopt;
  }
}

bool hasOrder(Effect effect) {
  return effect != Effect::None && effect != Effect::SharedLoad;
}

using Read = std::function<std::uint32_t(const Place&)>;

// The instruction and the values of its operands.
std::uint64_t hashOf(const Op& op, const Read& read) {
  std::uint64_t hash = 17;
  const auto add = [&hash](std::int64_t part) {
    hash = mixed(hash, static_cast<std::uint64_t>(part));
  };
  for (const char c : op.code.mnemonic()) add(c);
  add(op.code.shape);
  for (const sass::DecodedOperand& operand : op.code.operands) {
    add(operand.negated ? 1 : 0);
    if (operand.access == sass::Access::Write) continue;
    if (const auto file = fileOf(operand.kind)) {
      for (int i = 0; i < operand.registers; ++i) {
        const bool zero = isFixed({*file, operand.number});
        add(read({*file, zero ? operand.number : operand.number + i}));
      }
    } else if (operand.kind != OperandKind::Label) {
      add(operand.number);
    }
    add(operand.bank);
    add(operand.scale);
    add(operand.kind == OperandKind::Label ? 0 : operand.value);
    for (int i = 0; i < operand.uniformRegisters && operand.uniform >= 0; ++i)
      add(read({Place::File::Uniform, operand.uniform + (operand.uniform < 255 ? i : 0)}));
  }
  if (op.code.effect() == Effect::AsyncCommit) add(op.code.control.writeScoreboard);
  return hash;
}

struct Written {
  Place place;
  std::uint32_t value = 0;
};

// `read` returns what the instruction reads. `context` has what else its result depends on.
std::vector<Written> resultsOf(const Op& op, const Read& read, std::uint64_t context) {
  std::vector<Written> results;
  if (const auto product = rewrite::multiplyAddOf(op.code)) {
    const auto number = [&read](int reg) {
      return std::bit_cast<float>(read({Place::File::General, reg}));
    };
    const float sum =
        std::fma(number(product->factors[0]), number(product->factors[1]), number(product->addend));
    return {{{Place::File::General, product->result}, std::bit_cast<std::uint32_t>(sum)}};
  }
  const std::uint64_t hash = mixed(hashOf(op, read), context);
  std::uint64_t part = 0;
  for (const sass::DecodedOperand& operand : op.code.operands) {
    ++part;
    const auto file = fileOf(operand.kind);
    if (operand.access != sass::Access::Write || !file || isFixed({*file, operand.number}))
      continue;
    for (int i = 0; i < operand.registers; ++i) {
      const Place place{*file, operand.number + i};
      const std::uint64_t its = mixed(mixed(hash, part), static_cast<std::uint64_t>(i));
      if (!isFixed(place)) results.push_back({place, numberOf(place, its)});
    }
  }
  return results;
}

Place guardOf(const Op& op) {
  return {op.code.form->uniformGuard ? Place::File::UniformPredicate : Place::File::Predicate,
          op.code.guard.predicate};
}

// What the result of an instruction depends on besides its operands.
std::uint64_t contextOf(const Op& op, int barriers, std::size_t effects) {
  if (op.code.effect() == Effect::SharedLoad) return static_cast<std::uint64_t>(barriers) + 1;
  return hasOrder(op.code.effect()) ? effects + 1 : 0;
}

}  // namespace

std::uint32_t Outcome::valueOf(const Place& place) const {
  const auto found = values.find(place);
  return found == values.end() ? initial(place, seed) : found->second;
}

Outcome inOrder(std::span<const Op> code, std::uint64_t seed) {
  Outcome outcome;
  outcome.seed = seed;
  const Read read = [&outcome](const Place& place) { return outcome.valueOf(place); };
  int barriers = 0;
  std::size_t from = 0;
  for (const Op& op : code) {
    if (op.at < from) continue;
    const bool executed = (read(guardOf(op)) != 0) != op.code.guard.negated;
    if (op.code.effect() == Effect::Branch) {
      const std::size_t target = *op.code.target() / sass::kCodeWordBytes;
      if (target <= op.at) outcome.effects.push_back(executed ? 1 : 0);
      if (target > op.at && executed) from = target;
      continue;
    }
    if (!executed) continue;
    const std::uint64_t context = contextOf(op, barriers, outcome.effects.size());
    const auto results = resultsOf(op, read, context);
    if (hasOrder(op.code.effect())) outcome.effects.push_back(mixed(hashOf(op, read), context));
    if (op.code.effect() == Effect::Barrier) ++barriers;
    for (const Written& its : results) outcome.values[its.place] = its.value;
  }
  return outcome;
}

namespace {

class Warp {
 public:
  Warp(std::uint64_t seed, std::uint64_t timing) : random_(timing) { outcome_.seed = seed; }

  void issue(const Op& op) {
    const sass::Control& control = op.code.control;
    advance(std::max(now_, mayStart_));
    while (blocked(control.wait)) advance(now_ + 1);
    mayStart_ = now_ + std::max(1, control.stall);
    const bool executed = (value(guardOf(op)) != 0) != op.code.guard.negated;
    if (op.code.effect() == Effect::Branch) {
      outcome_.effects.push_back(executed ? 1 : 0);
      return;
    }
    if (!executed) return;
    if (op.code.base() == "DEPBAR") {
      while (blocked(1u << op.code.operands[0].number)) advance(now_ + 1);
      mayStart_ = now_ + std::max(1, control.stall);
    }
    const std::uint64_t context = contextOf(op, barriers_, outcome_.effects.size());
    const std::size_t effect = outcome_.effects.size();
    if (hasOrder(op.code.effect())) outcome_.effects.push_back(0);
    if (op.code.effect() == Effect::Barrier) {
      ++barriers_;
      if (lastShared_ > now_) outcome_.effects.push_back(0xbad);
    }
    const auto predicates = predicatesOf(op);
    if (takesLong(op)) {
      const std::string kind = kindOf(op);
      const long read = std::max(lastRead_[kind], now_ + some());
      const bool ordered = op.code.effect() == Effect::SharedLoad || op.code.base() == "LDC";
      long done = read + some();
      if (ordered) done = std::max(done, lastDone_[kind]);
      lastRead_[kind] = read;
      lastDone_[kind] = std::max(done, lastDone_[kind]);
      if (op.code.effect() == Effect::SharedLoad) lastShared_ = std::max(lastShared_, done);
      count(control.readScoreboard, read);
      count(control.writeScoreboard, done);
      events_.push_back({read, [this, op, predicates, context, effect, done] {
                           perform(op, predicates, context, effect, done);
                         }});
      return;
    }
    count(control.readScoreboard, now_ + 1);
    count(control.writeScoreboard, now_ + some());
    perform(op, predicates, context, effect, -1);
  }

  Outcome finish() {
    constexpr long kVeryLate = 1L << 40;
    advance(kVeryLate);
    return outcome_;
  }

 private:
  struct Event {
    long time = 0;
    std::function<void()> happens;
  };
  struct Count {
    int scoreboard = 0;
    long seen = 0, until = 0;
  };
  using Predicates = std::map<Place, std::uint32_t>;

  std::uint32_t value(const Place& place) const { return outcome_.valueOf(place); }

  // A short time or a very long one.
  long some() {
    random_ = mixed(random_, 1);
    const auto pick = static_cast<long>(random_ >> 8 & 0xffff);
    return (random_ & 3) == 0 ? 200 + pick % 4000 : (random_ & 3) == 1 ? 2 : 3 + pick % 60;
  }

  static bool takesLong(const Op& op) {
    static constexpr std::array<std::string_view, 5> kNames = {"LDC", "S2R", "MUFU", "F2I", "I2F"};
    const Effect effect = op.code.effect();
    return effect == Effect::SharedLoad || effect == Effect::SharedStore ||
           effect == Effect::GlobalLoad || effect == Effect::GlobalStore ||
           effect == Effect::AsyncCopy || effect == Effect::AsyncCommit ||
           std::ranges::find(kNames, op.code.base()) != kNames.end();
  }
  static std::string kindOf(const Op& op) {
    const Effect effect = op.code.effect();
    return effect == Effect::None ? std::string(op.code.base())
                                  : std::to_string(static_cast<int>(effect));
  }

  // Predicates are read when an instruction is issued.
  Predicates predicatesOf(const Op& op) const {
    Predicates read;
    for (const Place& place : rewrite::placesOf(op.reads))
      if (isPredicate(place)) read[place] = value(place);
    return read;
  }

  void count(int scoreboard, long until) {
    constexpr long kDelay = 2;  // until the increment is visible to others
    if (scoreboard >= 0) counts_.push_back({scoreboard, now_ + kDelay, until});
  }

  bool blocked(unsigned scoreboards) const {
    return std::ranges::any_of(counts_, [&](const Count& c) {
      return (scoreboards >> c.scoreboard & 1) != 0 && c.seen <= now_ && now_ < c.until;
    });
  }

  // All events until then, in order.
  void advance(long time) {
    for (;;) {
      const auto next = std::ranges::min_element(
          events_, [](const Event& a, const Event& b) { return a.time < b.time; });
      if (next == events_.end() || next->time > time) break;
      const Event event = std::move(*next);
      events_.erase(next);
      now_ = std::max(now_, event.time);
      event.happens();
    }
    now_ = std::max(now_, time);
  }

  // Reads the operands now. The result is ready at `done`; -1: after the instruction's latency.
  void perform(const Op& op, const Predicates& predicates, std::uint64_t context,
               std::size_t effect, long done) {
    const auto product = rewrite::multiplyAddOf(op.code);
    const Read read = [&](const Place& place) {
      const auto found = predicates.find(place);
      return found != predicates.end() ? found->second : value(place);
    };
    std::vector<Written> results;
    if (product) {
      results = {{{Place::File::General, product->result}, multiplyAdd(op)}};
    } else {
      results = resultsOf(op, read, context);
    }
    if (hasOrder(op.code.effect())) outcome_.effects[effect] = mixed(hashOf(op, read), context);
    const rewrite::Latencies after = rewrite::latenciesOf(op);
    for (const Written& its : results) {
      const int cycles = isPredicate(its.place)                   ? after.predicates
                         : its.place.file == Place::File::General ? after.registers
                                                                  : after.uniform;
      events_.push_back({done >= 0 ? done : now_ + cycles,
                         [this, its] { outcome_.values[its.place] = its.value; }});
    }
  }

  std::uint32_t multiplyAdd(const Op& op) {
    std::array<float, 3> sources{};
    for (std::size_t slot = 0; slot < sources.size(); ++slot) {
      const sass::DecodedOperand& operand = op.code.operands[slot + 1];
      Cached& cached = cache_[slot][static_cast<std::size_t>(operand.number % 2)];
      std::uint32_t its = value({Place::File::General, operand.number});
      if (cached.number == operand.number) its = cached.value;
      cached = operand.reuse ? Cached{operand.number, its} : Cached{};
      sources[slot] = std::bit_cast<float>(its);
    }
    return std::bit_cast<std::uint32_t>(std::fma(sources[0], sources[1], sources[2]));
  }

  struct Cached {
    int number = -1;
    std::uint32_t value = 0;
  };

  Outcome outcome_;
  std::uint64_t random_;
  long now_ = 0, mayStart_ = 0, lastShared_ = 0;
  int barriers_ = 0;
  std::vector<Event> events_;
  std::vector<Count> counts_;
  std::map<std::string, long> lastRead_, lastDone_;
  std::array<std::array<Cached, 2>, 3> cache_{};
};

}  // namespace

Outcome inTime(std::span<const Op> code, std::uint64_t seed, std::uint64_t timing) {
  Warp warp(seed, timing);
  for (const Op& op : code) warp.issue(op);
  return warp.finish();
}

}  // namespace tileloom::test
