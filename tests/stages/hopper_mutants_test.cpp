// SPDX-License-Identifier: GPL-3.0-or-later
// Mutants of the rungs that use Hopper's agents: every wait, arrival, fence, box, descriptor and
// barrier of their own sources is left out or changed in turn, and each must end in a fault, a
// deadlock or a wrong result. Those that survive are listed below with the reason, which
// docs/emulator.md repeats.
//
// A stage is compiled once more as a member of a thread whose words ask before they do anything
// whether they are the ones to be changed. Which words a stage has, and in which lines, is learnt
// from running it, so that nothing has to be told here when a stage changes.
#include <fmt/format.h>

#include <QtTest>
#include <map>
#include <set>

#include "kernels/device/hopper.cuh"
#include "kernels/device/pipeline.cuh"
#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "tests/support/coverage.h"
#include "tests/support/planted.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {
namespace {

// A word in a line of a stage, and what is done to it.
struct Mutation {
  std::string word;
  int line = 0;
  std::string change;
  auto operator<=>(const Mutation&) const = default;
};

// The mutation at work, and all that are possible, as they were met.
const Mutation* atWork = nullptr;
std::set<Mutation>* met = nullptr;

// Whether this word is to be changed so now.
bool changed(const char* word, int line, const char* change) {
  if (met != nullptr) met->insert({word, line, change});
  return atWork != nullptr && atWork->line == line && atWork->word == word &&
         atWork->change == change;
}

class MutantThread : public emulator::HopperThread {
 protected:
  using Halves = emulator::HalfPointer;
  using Barriers = emulator::BarrierPointer;
  using Map = emulator::TensorMap;

 public:
  using HopperThread::HopperThread;

 protected:
  void start(const Barriers& bar, uint count, int line = __builtin_LINE()) const {
    if (changed("start", line, "left out")) return;
    if (changed("start", line, "one arrival more")) ++count;
    HopperThread::start(bar, count, line);
  }
  void publish_barriers(int line = __builtin_LINE()) const {
    if (!changed("publish_barriers", line, "left out")) HopperThread::publish_barriers(line);
  }
  void expect(const Barriers& bar, uint bytes, int line = __builtin_LINE()) const {
    if (changed("expect", line, "left out")) return;
    if (changed("expect", line, "16 bytes more")) bytes += 16;
    if (changed("expect", line, "16 bytes fewer")) bytes -= 16;
    if (changed("expect", line, "half of the bytes")) bytes /= 2;
    if (changed("expect", line, "no bytes")) bytes = 0;
    if (changed("expect", line, "at the next barrier"))
      return HopperThread::expect(bar + 1, bytes, line);
    if (changed("expect", line, "twice")) HopperThread::expect(bar, 0, line);
    HopperThread::expect(bar, bytes, line);
  }
  void wait(const Barriers& bar, uint parity, int line = __builtin_LINE()) const {
    if (changed("wait", line, "left out")) return;
    if (changed("wait", line, "the other parity")) parity ^= 1;
    if (changed("wait", line, "always for parity 0")) parity = 0;
    if (changed("wait", line, "always for parity 1")) parity = 1;
    if (changed("wait", line, "at the next barrier"))
      return HopperThread::wait(bar + 1, parity, line);
    HopperThread::wait(bar, parity, line);
  }
  void load_box(const Halves& to, const Map& from, uint x, uint y, const Barriers& bar,
                int line = __builtin_LINE()) const {
    const auto load = [&](const Halves& at, uint column, uint row, int barrier) {
      HopperThread::load_box(at, from, column, row, bar + barrier, line);
    };
    if (changed("load_box", line, "left out")) return;
    if (changed("load_box", line, "twice")) load(to, x, y, 0);
    if (changed("load_box", line, "8 columns further")) return load(to, x + 8, y, 0);
    if (changed("load_box", line, "a row further")) return load(to, x, y + 1, 0);
    if (changed("load_box", line, "column and row exchanged")) return load(to, y, x, 0);
    if (changed("load_box", line, "8 elements beside")) return load(to + 8, x, y, 0);
    if (changed("load_box", line, "8 rows beside")) return load(to + 4 * SWIZZLE, x, y, 0);
    if (changed("load_box", line, "on the next barrier")) return load(to, x, y, 1);
    load(to, x, y, 0);
  }
  std::uint64_t operand(Halves p, uint lead, uint stride, uint swizzle,
                        int line = __builtin_LINE()) const {
    if (changed("operand", line, "16 elements further")) p += 16;
    if (changed("operand", line, "8 rows further")) p += 4 * SWIZZLE;
    if (changed("operand", line, "twice the lead")) lead *= 2;
    if (changed("operand", line, "twice the stride")) stride *= 2;
    if (changed("operand", line, "half the stride")) stride /= 2;
    if (changed("operand", line, "half the swizzle")) swizzle /= 2;
    if (changed("operand", line, "twice the swizzle")) swizzle *= 2;
    if (changed("operand", line, "no swizzle")) swizzle = 0;
    return HopperThread::operand(p, lead, stride, swizzle);
  }
  void fence_async(int line = __builtin_LINE()) const {
    if (changed("fence_async", line, "left out")) return;
    if (changed("fence_async", line, "left out by a warp") && threadIdx.x / 32 == 0) return;
    HopperThread::fence_async(line);
  }
  void fence_products(int line = __builtin_LINE()) const {
    if (changed("fence_products", line, "left out")) return;
    if (changed("fence_products", line, "left out by a lane") && threadIdx.x == 37) return;
    HopperThread::fence_products(line);
  }
  void multiply_add_group(const emulator::Registers& acc, uint columns, std::uint64_t a,
                          std::uint64_t b, int line = __builtin_LINE()) const {
    if (changed("multiply_add_group", line, "left out")) return;
    if (changed("multiply_add_group", line, "left out by a warp") && threadIdx.x / 32 == 2) return;
    if (changed("multiply_add_group", line, "left out by a lane") && threadIdx.x == 37) return;
    if (changed("multiply_add_group", line, "twice"))
      HopperThread::multiply_add_group(acc, columns, a, b, line);
    if (changed("multiply_add_group", line, "operands exchanged")) std::swap(a, b);
    HopperThread::multiply_add_group(acc, columns, a, b, line);
  }
  void commit_products(int line = __builtin_LINE()) const {
    if (changed("commit_products", line, "left out")) return;
    if (changed("commit_products", line, "left out by a lane") && threadIdx.x == 37) return;
    HopperThread::commit_products(line);
  }
  void wait_products(uint newest, int line = __builtin_LINE()) const {
    if (changed("wait_products", line, "left out")) return;
    if (changed("wait_products", line, "left out by a lane") && threadIdx.x == 37) return;
    if (changed("wait_products", line, "for one group less")) ++newest;
    HopperThread::wait_products(newest, line);
  }
  void __syncthreads(int line = __builtin_LINE()) {
    if (!changed("__syncthreads", line, "left out")) HopperThread::__syncthreads(line);
  }
  bool hasK(uint k, int line = __builtin_LINE()) const {
    if (changed("HAS_K", line, "always")) return true;
    if (changed("HAS_K", line, "never")) return false;
    if (changed("HAS_K", line, "a K tile earlier")) return HopperThread::hasK(k + BK);
    return HopperThread::hasK(k);
  }
  bool mmaStep(uint k, uint count, int line = __builtin_LINE()) {
    return HopperThread::mmaStep(k,
                                 changed("MMA_STEPS", line, "one step fewer") ? count - 16 : count);
  }

  // T4 multiplies as the rungs before it, and C leaves as there.
  void load_matrices(const emulator::Fragments& r, const Halves& p,
                     int line = __builtin_LINE()) const {
    if (changed("load_matrices", line, "left out")) return;
    HopperThread::load_matrices(r, changed("load_matrices", line, "8 elements beside") ? p + 8 : p,
                                line);
  }
  void load_matrices_turned(const emulator::Fragments& r, const Halves& p,
                            int line = __builtin_LINE()) const {
    if (changed("load_matrices_turned", line, "left out")) return;
    if (changed("load_matrices_turned", line, "not turned"))
      return HopperThread::load_matrices(r, p, line);
    HopperThread::load_matrices_turned(r, p, line);
  }
  void multiply_add(const emulator::Registers& acc, const emulator::Fragments& a,
                    const emulator::Fragments& b, int line = __builtin_LINE()) const {
    if (changed("multiply_add", line, "left out")) return;
    if (changed("multiply_add", line, "twice")) HopperThread::multiply_add(acc, a, b, line);
    HopperThread::multiply_add(acc, a, b, line);
  }
  void store2(const Halves& p, const emulator::HalfPair& pair, int line = __builtin_LINE()) const {
    if (changed("store2", line, "left out")) return;
    HopperThread::store2(changed("store2", line, "beside") ? p + 2 : p, pair, line);
  }
  emulator::HalfChunk load8(const Halves& p, int line = __builtin_LINE()) const {
    return HopperThread::load8(changed("load8", line, "beside") ? p + 8 : p, line);
  }
  void store8(const Halves& p, const emulator::HalfChunk& chunk,
              int line = __builtin_LINE()) const {
    if (changed("store8", line, "left out")) return;
    HopperThread::store8(changed("store8", line, "beside") ? p + 8 : p, chunk, line);
  }
};

// The stages as they are, but for their thread. (The words are looked up in it first.)
#undef TENSOR_KERNEL
#define TENSOR_KERNEL(kernel_name, threads)                                       \
  struct kernel_name final : MutantThread {                                       \
    using MutantThread::MutantThread;                                             \
    void operator()(uint M, uint N, uint K, TENSOR A, TENSOR B, gmem<element> C); \
  };                                                                              \
  inline void kernel_name::operator()

namespace mutants {
#include "kernels/stages/multistage.cuh"
#include "kernels/stages/overlapped.cuh"
#include "kernels/stages/tma.cuh"
#include "kernels/stages/wgmma.cuh"
}  // namespace mutants

struct Case {
  TileShape tile;
  Problem problem;
};
struct Subject {
  const char* stage;
  void (*enter)(emulator::Block& block, unsigned thread);
  std::vector<Case> cases;  // a mutant has to be found in one of them
};

// Tiles of several panels and steps, and blocks that reach over the edges of C. Of a ring, first
// fewer K tiles than it has stages, with two products down the rows of a warpgroup and a second row
// of blocks, which finds most of them soon; then K tiles enough that each stage comes round twice.
const std::vector<Subject>& subjects() {
  using enum Knob;
  static const TileShape ring = {{BM, 128},     {BN, 64},    {BK, 48},  {CONSUMERS, 2},
                                 {SWIZZLE, 32}, {STAGES, 3}, {GROUP, 2}};
  static const std::vector<Case> ofRings = {{ring.with(CONSUMERS, 1), {136, 72, 88}},
                                            {ring, {72, 72, 296}}};
  static const std::vector<Subject> all = {
      {"tma",
       emulator::enterHopperKernel<mutants::tma>,
       {{{{BM, 32}, {BN, 64}, {BK, 64}, {WM, 16}, {WN, 32}, {SWIZZLE, 64}}, {40, 72, 200}}}},
      {"wgmma",
       emulator::enterHopperKernel<mutants::wgmma>,
       {{{{BM, 128}, {BN, 64}, {BK, 64}, {CONSUMERS, 1}, {SWIZZLE, 64}}, {72, 72, 200}}}},
      {"multistage", emulator::enterHopperKernel<mutants::multistage>, ofRings},
      {"overlapped", emulator::enterHopperKernel<mutants::overlapped>, ofRings},
  };
  return all;
}

// A mutant that is as good as the stage. `nth`: of the lines in which the stage has this word.
struct Survivor {
  const char* stage;
  const char* word;
  int nth;
  const char* change;
  const char* why;
};
constexpr const char* kNoLead =
    "the hardware does not read the lead of an operand whose rows lie along k and are swizzled: no "
    "row is longer than a panel";
constexpr const char* kOneGroup =
    "the block's warps are one warpgroup: when one of them has waited for a group of products, all "
    "four have read";
constexpr Survivor kSurvivors[] = {
    {"wgmma", "__syncthreads", 2, "left out", kOneGroup},
    {"wgmma", "operand", 2, "twice the lead", kNoLead},
    {"multistage", "operand", 2, "twice the lead", kNoLead},
    {"overlapped", "operand", 2, "twice the lead", kNoLead},
};

}  // namespace

using test::q;

class HopperMutantsTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  // A product of operands of +1 and -1, whose sums are exact: what is wrong with it, as a fault or
  // as a wrong element.
  std::string flawOf(const Subject& subject) {
    for (const Case& its : subject.cases) {
      if (auto flaw = flawOf(subject, its); !flaw.empty()) return flaw;
    }
    return {};
  }
  std::string flawOf(const Subject& subject, const Case& its) {
    Stage stage = test::stage(subject.stage);
    stage.enter = subject.enter;
    const Problem& p = its.problem;
    const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
    test::Random random(test::seed());
    std::vector<std::uint16_t> a(m * k), b(k * n), c(m * n, 0x7FFF);
    for (auto* matrix : {&a, &b}) {
      for (std::uint16_t& element : *matrix)
        element = halfBits(Arithmetic::Bf16, random.oneIn(2) ? 1.0f : -1.0f);
    }
    emulator::HalfGemm gemm;
    gemm.stage = &stage;
    gemm.tile = its.tile;
    gemm.problem = p;
    gemm.a = a, gemm.b = b, gemm.c = c;
    const auto faults = emulator::runGemm(workspace_, gemm, [](const auto&) {});
    if (!faults.empty()) return describe(faults.kept.front());
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        int sum = 0;
        for (std::size_t x = 0; x < k; ++x) sum += a[i * k + x] == b[x * n + j] ? 1 : -1;
        const std::uint16_t expected = halfBits(Arithmetic::Bf16, static_cast<float>(sum));
        if (c[i * n + j] != expected)
          return fmt::format("C[{}][{}] is {:#06x} and should be {:#06x}", i, j, c[i * n + j],
                             expected);
      }
    }
    return {};
  }

  // The proof by provenance, of the same.
  std::string coverageFlawOf(const Subject& subject) {
    Stage stage = test::stage(subject.stage);
    stage.enter = subject.enter;
    for (const Case& its : subject.cases) {
      if (auto flaw = test::coverageFlaw(workspace_, stage, its.tile, its.problem); !flaw.empty())
        return flaw;
    }
    return {};
  }

  static const Survivor* survivor(const Subject& subject, const Mutation& mutation, int nth) {
    for (const Survivor& s : kSurvivors) {
      if (std::string_view(subject.stage) == s.stage && mutation.word == s.word && nth == s.nth &&
          mutation.change == s.change)
        return &s;
    }
    return nullptr;
  }

 private slots:
  void cleanup() { atWork = nullptr, met = nullptr; }

  void everyMutantIsFound_data() {
    QTest::addColumn<int>("subject");
    for (int i = 0; i < static_cast<int>(subjects().size()); ++i)
      QTest::newRow(subjects()[std::size_t(i)].stage) << i;
  }
  void everyMutantIsFound() {
    QFETCH(int, subject);
    const Subject& its = subjects()[std::size_t(subject)];
    for (const Case& each : its.cases) QVERIFY(isLegal(test::stage(its.stage), each.tile));
    std::set<Mutation> mutations;
    met = &mutations;
    QCOMPARE(q(flawOf(its)), QString());  // unchanged
    met = nullptr;
    QCOMPARE(q(coverageFlawOf(its)), QString());

    std::map<std::string, std::map<int, int>> nth;  // of a word's lines
    for (const Mutation& mutation : mutations)
      nth[mutation.word].emplace(mutation.line, nth[mutation.word].size() + 1);
    std::size_t survivors = 0;
    for (const Mutation& mutation : mutations) {
      const int number = nth[mutation.word][mutation.line];
      const std::string text =
          fmt::format("{} {} (line {}): {}", mutation.word, number, mutation.line, mutation.change);
      atWork = &mutation;
      const std::string flaw = flawOf(its);
      // Where numbers alone have told, provenance has to tell, too.
      if (flaw.starts_with("C[")) {
        const std::string proof = coverageFlawOf(its);
        if (proof.empty()) QTest::qFail(("no proof finds: " + text).c_str(), __FILE__, __LINE__);
        qInfo("%s: %s", text.c_str(), proof.c_str());
      }
      atWork = nullptr;
      const Survivor* known = survivor(its, mutation, number);
      survivors += known != nullptr ? 1 : 0;
      if (known == nullptr && flaw.empty())
        QTest::qFail(("survives: " + text).c_str(), __FILE__, __LINE__);
      if (known != nullptr && !flaw.empty())
        QTest::qFail((text + " is listed as a survivor, but: " + flaw).c_str(), __FILE__, __LINE__);
      qInfo("%s: %s", text.c_str(),
            flaw.empty() ? known != nullptr ? known->why : "SURVIVES" : flaw.c_str());
    }
    qInfo("%s: %zu mutants, %zu survive", its.stage, mutations.size(), survivors);
    // Every word of the stage has been met, and every survivor that is listed.
    QVERIFY(mutations.size() > 40);
    QCOMPARE(survivors,
             static_cast<std::size_t>(std::ranges::count_if(kSurvivors, [&](const Survivor& s) {
               return std::string_view(s.stage) == its.stage;
             })));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::HopperMutantsTest, Nothing)
#include "hopper_mutants_test.moc"
