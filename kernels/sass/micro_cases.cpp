// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/micro_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "kernels/sass/micro_code.h"

namespace tileloom::sass {
namespace {

using namespace micro;
using Make = std::function<Decoded(int slot)>;

constexpr int kSlots = static_cast<int>(MicroCase::kSlots);

// The use of registers in the cases.
constexpr int kCachedEven = 26, kCachedOdd = 27;  // and the two after them
constexpr int kLoaded = 32;                       // 16 registers, which shared loads write
constexpr int kFactors = 48;                      // 8 even and 8 odd ones, only read
constexpr int kSums = 64;                         // 24 even and 24 odd ones

int evenSum(int i) {
  return kSums + 2 * (i % 24);
}
int oddSum(int i) {
  return evenSum(i) + 1;
}
int anySum(int i) {  // of alternating banks
  return i % 2 == 0 ? evenSum(i / 2) : oddSum(i / 2);
}
int evenFactor(int i) {
  return kFactors + 2 * (i % 8);
}
int oddFactor(int i) {
  return evenFactor(i) + 1;
}

// sum += a * b
Decoded add(int sum, int a, int b, unsigned kept) {
  return ffma(sum, a, b, sum, kept);
}
constexpr unsigned kKeepBoth = kKeepA | kKeepB;

// The usual multiply-adds between other instructions.
Decoded oneRead(int i) {
  return add(anySum(i), kCachedEven, kCachedOdd, kKeepBoth);
}
Decoded oneReadEven(int i) {
  return add(evenSum(i), kCachedEven, kCachedOdd, kKeepBoth);
}
// One of each bank.
Decoded twoReads(int i) {
  return add(anySum(i), kCachedEven, i % 2 == 0 ? oddFactor(i / 2) : evenFactor(i / 2), kKeepA);
}
Decoded noRead(int i) {
  return ffma(anySum(i), kZeroRegister, kZeroRegister, kZeroRegister);
}

class List {
 public:
  std::vector<MicroCase> cases;

  void add(std::string name, const Make& make, LaneAddresses addresses = LaneAddresses::Own) {
    MicroCase made{std::move(name), addresses, {}};
    for (int i = 0; i < kSlots; ++i) made.code.push_back(make(i));
    cases.push_back(std::move(made));
  }
};

void addBanks(List& list) {
  const auto bank = [&](const char* name, const Make& make) {
    list.add(fmt::format("banks/{}", name), make);
  };
  const auto pick = [](bool even, int i) { return even ? evenSum(i) : oddSum(i); };
  bank("one", oneRead);
  bank("one-even", oneReadEven);
  bank("none", noRead);
  bank("even-even", [](int i) { return add(evenSum(i), kCachedEven, evenFactor(i), kKeepA); });
  bank("odd-even", [](int i) { return add(evenSum(i), kCachedEven, oddFactor(i), kKeepA); });
  bank("even-even-by-a", [](int i) { return add(evenSum(i), evenFactor(i), kCachedEven, kKeepB); });
  for (const int k : {1, 2, 3, 4, 8, 16})
    list.add(fmt::format("banks/bursts-of-{}", k), [=](int i) {
      const bool even = i / k % 2 == 0;
      return add(pick(even, i), kCachedEven, even ? evenFactor(i) : oddFactor(i), kKeepA);
    });
  for (const int k : {1, 2, 3, 7}) {
    list.add(fmt::format("banks/{}-of-each-then-even-even", k), [=](int i) {
      return add(evenSum(i), kCachedEven, i % (k + 1) == k ? evenFactor(i) : oddFactor(i), kKeepA);
    });
    list.add(fmt::format("banks/{}-odd-then-even-even", k), [=](int i) {
      return i % (k + 1) == k ? add(evenSum(i), kCachedEven, evenFactor(i), kKeepA)
                              : add(oddSum(i), kCachedEven, kCachedEven, kKeepBoth);
    });
  }
  bank("three", [](int i) { return add(anySum(i), evenFactor(i), oddFactor(i), 0); });
  bank("three-even", [](int i) { return add(evenSum(i), evenFactor(i), evenFactor(i + 5), 0); });
  bank("three-then-one", [](int i) {
    return i % 2 == 0 ? add(anySum(i), evenFactor(i), oddFactor(i), 0)
                      : add(oddSum(i), kCachedEven, kCachedEven, kKeepBoth);
  });
  bank("even-odd-even-then-odd", [](int i) {
    return i % 2 == 0 ? add(evenSum(i), evenFactor(i), oddFactor(i), 0)
                      : add(oddSum(i), kCachedEven, kCachedEven, kKeepBoth);
  });
  bank("even-even-odd-then-odd", [](int i) {
    return i % 2 == 0 ? add(oddSum(i), evenFactor(i), evenFactor(i + 5), 0)
                      : add(oddSum(i + 7), kCachedEven, kCachedEven, kKeepBoth);
  });
  bank("three-even-then-two-odd", [](int i) {
    return i % 3 == 0 ? add(evenSum(i), evenFactor(i), evenFactor(i + 5), 0)
                      : add(oddSum(i), kCachedEven, kCachedEven, kKeepBoth);
  });
  bank("three-even-then-three-odd", [](int i) {
    return i % 2 == 0 ? add(evenSum(i), evenFactor(i), evenFactor(i + 5), 0)
                      : add(oddSum(i), oddFactor(i), oddFactor(i + 5), 0);
  });
  // What stays in the operand cache.
  bank("kept-of-both-banks",
       [](int i) { return add(evenSum(i), kCachedEven + i % 2, oddFactor(i), kKeepA); });
  bank("kept-of-one-bank",
       [](int i) { return add(evenSum(i), kCachedEven + 2 * (i % 2), oddFactor(i), kKeepA); });
  bank("kept-only-even", [](int i) {
    return add(evenSum(i), kCachedEven + i % 2, oddFactor(i), i % 2 == 0 ? kKeepA : 0);
  });
  bank("kept-none", [](int i) { return add(evenSum(i), kCachedEven + i % 2, oddFactor(i), 0); });
  bank("kept-each-second",
       [](int i) { return add(evenSum(i), kCachedEven, oddFactor(i), i % 2 == 0 ? kKeepA : 0); });
  bank("kept-two-of-four", [](int i) {
    return add(evenSum(i), kCachedEven + i % 2, oddFactor(i), i % 4 < 2 ? kKeepA : 0);
  });
  bank("kept-both-alternating", [](int i) {
    return add(anySum(i), kCachedEven + i % 2, kCachedEven + 2 + i % 2, kKeepBoth);
  });
  bank("kept-in-another-slot", [](int i) {
    return i % 2 == 0 ? add(evenSum(i), kCachedEven, oddFactor(i), kKeepA)
                      : add(evenSum(i), oddFactor(i), kCachedEven, 0);
  });
  const auto block = [](int i, unsigned kept) {
    constexpr std::array<std::pair<int, int>, 4> kOrder = {
        {{26, 28}, {26, 29}, {27, 29}, {27, 28}}};
    const auto [a, b] = kOrder[static_cast<std::size_t>(i % 4)];
    return add(anySum(i), a, b, kept);
  };
  bank("block-2x2", [&](int i) { return block(i, kKeepBoth); });
  bank("block-2x2-not-kept", [&](int i) { return block(i, 0); });
  bank("same-twice-even", [](int i) { return add(evenSum(i), evenFactor(i), evenFactor(i), 0); });
  bank("same-twice-odd", [](int i) { return add(oddSum(i), evenFactor(i), evenFactor(i), 0); });
  bank("zero-even-even", [](int i) { return add(evenSum(i), kZeroRegister, evenFactor(i), 0); });
  const auto walk = [](int i) { return kFactors + i % 8; };
  bank("walk-other-bank", [&](int i) {
    return add(i % 2 == 0 ? oddSum(i) : evenSum(i), kCachedEven, walk(i), kKeepA);
  });
  bank("walk-same-bank", [&](int i) {
    return add(i % 2 == 0 ? evenSum(i) : oddSum(i), kCachedEven, walk(i), kKeepA);
  });
  bank("walk-even", [&](int i) { return add(evenSum(i), kCachedEven, walk(i), kKeepA); });
  bank("writes-even",
       [](int i) { return ffma(evenSum(i + 9), kCachedEven, kCachedOdd, evenSum(i), kKeepBoth); });
  bank("writes-odd",
       [](int i) { return ffma(oddSum(i + 9), kCachedEven, kCachedOdd, evenSum(i), kKeepBoth); });
  // Two of a bank through the slots b and c (bc), a and b (ab), a and c (ac), alternately.
  const auto pair = [](int i, char which, bool even) {
    const auto sum = [=](int j) { return even ? evenSum(j) : oddSum(j); };
    const auto factor = [=](int j) { return even ? evenFactor(j) : oddFactor(j); };
    switch (which) {
      case 'B':  // b and c
        return ffma(sum(i), kZeroRegister, factor(i), sum(i));
      case 'A':  // a and b
        return ffma(sum(i), factor(i), factor(i + 3), kZeroRegister);
      default:  // a and c
        return ffma(sum(i), factor(i), kZeroRegister, sum(i));
    }
  };
  for (const std::string_view order : {"BB", "AA", "CC", "BA", "AB", "BC", "CB", "AC", "CA", "ABC",
                                       "BBA", "BAA", "BBAA", "BBCC", "AACC"}) {
    const int n = static_cast<int>(order.size());
    list.add(fmt::format("latch/even-{}", order),
             [=](int i) { return pair(i, order[static_cast<std::size_t>(i % n)], true); });
    // The same, with an FFMA that reads one odd register between two groups.
    list.add(fmt::format("latch/even-{}-then-odd", order), [=](int i) {
      const int at = i % (n + 1);
      return at == n ? ffma(oddSum(i), kZeroRegister, kZeroRegister, oddSum(i))
                     : pair(i, order[static_cast<std::size_t>(at)], true);
    });
    list.add(fmt::format("latch/{}-of-banks-by-turns", order), [=](int i) {
      return pair(i, order[static_cast<std::size_t>(i % n)], i / n % 2 == 0);
    });
  }
}

struct Base {
  const char* name;
  Decoded (*make)(int);
};
constexpr Base kOne{"one-read", oneRead}, kOneEven{"one-read-even", oneReadEven},
    kTwo{"two-reads", twoReads}, kNone{"no-read", noRead};

int loadedQuad(int i) {
  return kLoaded + 4 * (i % 4);
}
Decoded load(int bytes, int i) {
  return sharedLoad(bytes, loadedQuad(i));
}

using enum LaneAddresses;

void each(List& list, int bytes, LaneAddresses lanes, int k, const Base& base) {
  list.add(
      fmt::format("lds.{}/{}/each-{}/{}", 8 * bytes, name(lanes), k, base.name),
      [=](int i) { return i % k == k - 1 ? load(bytes, i / k) : base.make(i); }, lanes);
}

// One load in every n slots.
void addSpacings(List& list, int bytes) {
  for (const LaneAddresses lanes : {One, Pairs1, Pairs2, Pairs4, Xor, Own})
    for (const int k : {4, 8, 11, 12, 13, 16, 17, 20, 24, 32, 64, 128}) {
      if (bytes == 8 && (lanes == One || lanes == Pairs2 || lanes == Pairs4) && k != 16) continue;
      each(list, bytes, lanes, k, kOne);
    }
  for (const Base& base : {kOneEven, kTwo, kNone})
    for (const int k : {4, 8, 11, 12, 13, 16, 17, 20, 24, 32, 64, 128})
      each(list, bytes, Pairs1, k, base);
  for (const Base& base : {kOne, kTwo})
    for (const int k : {5, 6, 7, 9, 10, 14, 15, 18, 19, 22, 28, 36, 40, 48, 56, 96})
      each(list, bytes, Pairs1, k, base);
  for (const LaneAddresses lanes : {Xor, Own})
    for (const Base& base : {kOneEven, kTwo, kNone})
      for (const int k : {8, 16, 64}) each(list, bytes, lanes, k, base);
}

// Several loads close together.
void addGroups(List& list, int bytes) {
  for (const LaneAddresses lanes : {Pairs1, Xor})
    for (const Base& base : {kOne, kTwo})
      for (const int count : {2, 4, 6})
        for (const int gap : {1, 2, 3, 4, 6, 8}) {
          if (lanes == Xor && count != 4) continue;
          list.add(
              fmt::format("lds.{}/{}/{}-at-{}-per-64/{}", 8 * bytes, name(lanes), count, gap,
                          base.name),
              [=](int i) {
                const int at = i % 64;
                return at % gap == 0 && at / gap < count ? load(bytes, at / gap) : base.make(i);
              },
              lanes);
        }
  for (const int count : {1, 2, 3, 4})
    for (const int k : {28, 32, 40, 48, 64, 96, 128})
      list.add(
          fmt::format("lds.{}/pairs-1/{}-at-once-each-{}/one-read", 8 * bytes, count, k),
          [=](int i) { return i % k < count ? load(bytes, i % k) : oneRead(i); }, Pairs1);
}

// When a slot that writes no register helps a load: this many slots after it.
void addHoles(List& list, int bytes) {
  // One load per iteration, before the instructions that close the loop.
  for (int at = 0; at < 256; at += at < 208 ? 16 : 4)
    list.add(
        fmt::format("lds.{}/pairs-1/only-{}/one-read", 8 * bytes, at),
        [=](int i) { return i == at ? load(bytes, 0) : oneRead(i); }, Pairs1);
  constexpr int kLoad = 8;  // of 64
  const auto addIdle = [&](const std::string& what, const std::function<bool(int)>& isIdle) {
    list.add(
        fmt::format("lds.{}/pairs-1/each-64+{}/one-read", 8 * bytes, what),
        [=](int i) {
          const int after = i % 64 - kLoad;
          if (after == 0) return load(bytes, i / 64);
          return isIdle(after) ? uniformAdd() : oneRead(i);
        },
        Pairs1);
  };
  for (const int idle : {1, 2, 3})
    for (int from = -4; from <= 48; from += idle == 1 && from >= 12 && from < 38 ? 1 : 4) {
      if (from == 0) continue;  // the place of the load
      addIdle(fmt::format("{}-idle-at-{}", idle, from),
              [=](int after) { return after >= from && after < from + idle; });
    }
  for (const int first : {16, 20, 24, 28})
    for (const int gap : {2, 3, 4, 6, 8})
      addIdle(fmt::format("idle-at-{}-and-{}", first, first + gap),
              [=](int after) { return after == first || after == first + gap; });
}

struct Kind {
  const char* name;
  std::function<Decoded(int)> make;
};

// Which instructions help a load: one kind in each eighth or fourth slot.
void addKinds(List& list, int bytes) {
  const std::vector<Kind> kinds = {
      {"uiadd", [](int) { return uniformAdd(); }},
      {"nop", [](int) { return nothing(); }},
      {"sts", [](int) { return sharedStore(4, kFactors); }},
      {"off-lds", [](int) { return mayNotExecute(sharedLoad(4, kLoaded)); }},
      {"off-ffma", [](int i) { return mayNotExecute(oneRead(i)); }},
      {"mov", [](int i) { return move(kLoaded + i / 8 % 16, kFactors); }},
      {"mov-same", [](int i) { return move(kLoaded + i / 16 % 8 * 2, kFactors); }},
      {"ffma-to-rz",
       [](int i) { return ffma(kZeroRegister, kCachedEven, kCachedOdd, anySum(i), kKeepBoth); }},
      {"ffma-stall-2", [](int i) { return stalled(oneRead(i), 2); }},
      {"ffma-kept-lost", [](int i) { return add(anySum(i), kCachedEven, kCachedOdd, 0); }},
      {"three-even",
       [](int i) { return ffma(evenSum(i), evenFactor(i), evenFactor(i + 1), evenSum(i)); }},
  };
  for (const Kind& kind : kinds)
    for (const LaneAddresses lanes : {Pairs1, Xor})
      for (const auto& [k, often] : {std::pair{16, 8}, {16, 4}, {64, 8}})
        list.add(
            fmt::format("lds.{}/{}/each-{}+{}-each-{}/one-read", 8 * bytes, name(lanes), k,
                        kind.name, often),
            [bytes, &kind, k = k, often = often](int i) {
              if (i % k == k - 1) return load(bytes, i / k);
              return i % often == 2 ? kind.make(i) : oneRead(i);
            },
            lanes);
  // The order in which the banks are written.
  for (const int k : {2, 4, 8, 16})
    for (const int every : {16, 64})
      list.add(
          fmt::format("lds.{}/pairs-1/each-{}/writes-{}-even-{}-odd", 8 * bytes, every, k, k),
          [=](int i) {
            if (i % every == every - 1) return load(bytes, i / every);
            return add(i / k % 2 == 0 ? evenSum(i) : oddSum(i), kCachedEven, kCachedOdd, kKeepBoth);
          },
          Pairs1);
  list.add(
      fmt::format("lds.{}/pairs-1/each-16-to-rz/one-read", 8 * bytes),
      [=](int i) { return i % 16 == 15 ? sharedLoad(bytes, kZeroRegister) : oneRead(i); }, Pairs1);
}

// Loads whose result is used: this many in each 128 slots, the last one this many slots before the
// multiply-add that waits for all of them.
void addUsed(List& list) {
  constexpr int kStep = 128, kUsual = 20;
  for (const LaneAddresses lanes : {Pairs1, Xor})
    for (const Base& base : {kOne, kTwo})
      for (const int count : {1, 6})
        for (const int before : {4, 8, 16, 24, 32, 48, 64}) {
          const int apart = count == 1 ? 1 : std::min(kUsual, (kStep - 2 - before) / (count - 1));
          list.add(
              fmt::format("used.128/{}/{}-before-{}/{}", name(lanes), count, before, base.name),
              [=](int i) {
                const int left = kStep - i % kStep;  // until the use
                if (left >= before && (left - before) % apart == 0 &&
                    (left - before) / apart < count)
                  return load(16, (left - before) / apart);
                if (left < kStep) return base.make(i);
                Decoded use = add(anySum(i), kCachedEven, kLoaded, kKeepA);
                use.control.wait = 1 << kLoads;
                return use;
              },
              lanes);
        }
}

void addNarrow(List& list) {
  for (const LaneAddresses lanes : {One, Pairs1, Own})
    for (const int k : {4, 8, 16, 64}) each(list, 4, lanes, k, kOne);
  for (const LaneAddresses lanes : {Pairs1, Own})
    for (const int k : {4, 8, 16, 64}) each(list, 4, lanes, k, kOneEven);
  for (const LaneAddresses lanes : {Pairs1, Own})
    for (const int bytes : {4, 8, 16})
      list.add(
          fmt::format("sts.{}/{}/each-16/one-read", 8 * bytes, name(lanes)),
          [=](int i) { return i % 16 == 15 ? sharedStore(bytes, kFactors) : oneRead(i); }, lanes);
}

void addOthers(List& list) {
  for (const Base& base : {kOne, kTwo}) {
    const auto others = [&](const char* what, const Make& make) {
      list.add(fmt::format("others/{}/{}", what, base.name), make);
    };
    others("mov-each-8",
           [=](int i) { return i % 8 == 7 ? move(kLoaded + i / 8 % 16, kFactors) : base.make(i); });
    others("uiadd-each-8", [=](int i) { return i % 8 == 7 ? uniformAdd() : base.make(i); });
    others("uiadd-each-2", [=](int i) { return i % 2 == 1 ? uniformAdd() : base.make(i / 2); });
    others("nop-each-8", [=](int i) { return i % 8 == 7 ? nothing() : base.make(i); });
  }
  const auto besideMoves = [&](const char* what, int often, int (*source)(int)) {
    list.add(fmt::format("others/{}", what), [=](int i) {
      return i % often == often - 1 ? move(kLoaded + 2 * (i / often % 8), source(i))
                                    : add(evenSum(i), kCachedEven, evenFactor(i), kKeepA);
    });
  };
  besideMoves("mov-even-each-2/two-even", 2, evenFactor);
  besideMoves("mov-odd-each-2/two-even", 2, oddFactor);
  besideMoves("mov-odd-each-4/two-even", 4, oddFactor);
  list.add("others/dependent-at-4",
           [](int i) { return add(kSums + i % 4, kCachedEven, kCachedOdd, kKeepBoth); });
}

}  // namespace

std::vector<MicroCase> microCases() {
  List list;
  addBanks(list);
  for (const int bytes : {8, 16}) {
    addSpacings(list, bytes);
    addGroups(list, bytes);
    addHoles(list, bytes);
    addKinds(list, bytes);
  }
  addUsed(list);
  addNarrow(list);
  addOthers(list);
  return std::move(list.cases);
}

}  // namespace tileloom::sass
