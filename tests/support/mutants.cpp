// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/mutants.h"

#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <map>

#include "kernels/tile/constraints.h"
#include "tests/support/coverage.h"
#include "tests/support/random.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

Stage stageOf(const MutantSubject& subject) {
  Stage its = stage(subject.stage);
  its.enter = subject.enter;
  return its;
}

// The first fault of a recording.
std::string flawOfRecording(emulator::Workspace& workspace, const Stage& stage,
                            const MutantCase& its) {
  emulator::TraceRequest request;
  request.subject() = usualSubject(stage, its.tile);
  request.problem = its.problem;
  request.walks = its.walks;
  request.operands = false;
  const emulator::Trace trace = emulator::traceBlock(workspace, request);
  if (!trace.faults.empty()) return describe(trace.faults.kept.front());
  return trace.walked == its.walks ? "" : "the block walks over fewer tiles";
}

// Multiplies operands of +1 and -1, whose sums are exact. Returns the fault or the wrong element.
std::string flawOf(emulator::Workspace& workspace, const Stage& stage, const MutantCase& its) {
  if (its.walks > 1) return flawOfRecording(workspace, stage, its);
  const Problem& p = its.problem;
  const auto m = std::size_t(p.m), n = std::size_t(p.n), k = std::size_t(p.k);
  Random random(seed());
  std::vector<std::uint16_t> a(m * k), b(k * n), c(m * n, 0x7FFF);
  for (auto* matrix : {&a, &b}) {
    for (std::uint16_t& element : *matrix)
      element = halfBits(Format::Bf16, random.oneIn(2) ? 1.0f : -1.0f);
  }
  emulator::HalfGemm gemm;
  gemm.subject() = usualSubject(stage, its.tile);
  gemm.problem = p;
  gemm.a = a, gemm.b = b, gemm.c = c;
  gemm.sms = its.sms;
  const auto faults = emulator::runGemm(workspace, gemm, [](const auto&) {});
  if (!faults.empty()) return describe(faults.kept.front());
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      int sum = 0;
      for (std::size_t x = 0; x < k; ++x) sum += a[i * k + x] == b[x * n + j] ? 1 : -1;
      const std::uint16_t expected = halfBits(Format::Bf16, static_cast<float>(sum));
      if (c[i * n + j] != expected)
        return fmt::format("C[{}][{}] is {:#06x} and should be {:#06x}", i, j, c[i * n + j],
                           expected);
    }
  }
  return {};
}

std::string flawOf(emulator::Workspace& workspace, const MutantSubject& subject) {
  const Stage stage = stageOf(subject);
  for (const MutantCase& its : subject.cases) {
    if (auto flaw = flawOf(workspace, stage, its); !flaw.empty()) return flaw;
  }
  return {};
}

// The proof by provenance of the same case.
std::string coverageFlawOf(emulator::Workspace& workspace, const MutantSubject& subject) {
  const Stage stage = stageOf(subject);
  for (const MutantCase& its : subject.cases) {
    if (its.walks > 1) continue;
    if (auto flaw = coverageFlaw(workspace, stage, its.tile, its.problem); !flaw.empty())
      return flaw;
  }
  return {};
}

const Survivor* survivorOf(std::span<const Survivor> survivors, const MutantSubject& subject,
                           const Mutation& mutation, int nth) {
  const auto found = std::ranges::find_if(survivors, [&](const Survivor& s) {
    return std::string_view(subject.stage) == s.stage && mutation.word == s.word && nth == s.nth &&
           mutation.change == s.change;
  });
  return found == survivors.end() ? nullptr : &*found;
}

void fail(const std::string& text) {
  QTest::qFail(text.c_str(), __FILE__, __LINE__);
}

}  // namespace

void judgeMutants(const MutantSubject& subject, std::span<const Survivor> survivors,
                  std::size_t atLeast, std::span<const std::string_view> numbersAlone) {
  emulator::Workspace workspace;
  for (const MutantCase& each : subject.cases) {
    const std::string why = explainTile(stage(subject.stage), each.tile);
    QVERIFY2(why.empty(), why.c_str());
  }
  std::set<Mutation> mutations;
  met = &mutations;
  const std::string unchanged = flawOf(workspace, subject);
  met = nullptr;
  QCOMPARE(q(unchanged), QString());
  QCOMPARE(q(coverageFlawOf(workspace, subject)), QString());

  std::map<std::string, std::map<int, int>> nth;  // of a word's lines
  for (const Mutation& mutation : mutations)
    nth[mutation.word].emplace(mutation.line, nth[mutation.word].size() + 1);
  std::size_t surviving = 0;
  for (const Mutation& mutation : mutations) {
    const int number = nth[mutation.word][mutation.line];
    const std::string text =
        fmt::format("{} {} (line {}): {}", mutation.word, number, mutation.line, mutation.change);
    atWork = &mutation;
    const std::string flaw = flawOf(workspace, subject);
    // If only the result was wrong, provenance must show it, too.
    if (flaw.starts_with("C[") &&
        std::ranges::find(numbersAlone, mutation.word) == numbersAlone.end()) {
      const std::string proof = coverageFlawOf(workspace, subject);
      if (proof.empty()) fail("no proof finds: " + text + ": " + flaw);
      qInfo("%s: %s", text.c_str(), proof.c_str());
    }
    atWork = nullptr;
    const Survivor* known = survivorOf(survivors, subject, mutation, number);
    surviving += known != nullptr ? 1 : 0;
    if (known == nullptr && flaw.empty()) fail("survives: " + text);
    if (known != nullptr && !flaw.empty()) fail(text + " is listed as a survivor, but: " + flaw);
    qInfo("%s: %s", text.c_str(),
          flaw.empty() ? known != nullptr ? known->why : "SURVIVES" : flaw.c_str());
  }
  qInfo("%s: %zu mutants, %zu survive", subject.stage, mutations.size(), surviving);
  // Every word of the stage and every listed survivor has occurred.
  QVERIFY(mutations.size() >= atLeast);
  QCOMPARE(surviving,
           static_cast<std::size_t>(std::ranges::count_if(survivors, [&](const Survivor& s) {
             return std::string_view(subject.stage) == s.stage;
           })));
}

}  // namespace tileloom::test
