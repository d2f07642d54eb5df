// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/stall_samples.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/model/why/stalls.h"
#include "kernels/runs/counters.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom::test {

using namespace runs;
using nlohmann::json;

class StallSamplesTest : public QObject {
  Q_OBJECT

  static StallSamples sample() {
    StallSamples s;
    s.subject() = standardSubject(stage("warptiled"));
    s.problem = {256, 512, 1024};
    s.when = "2026-11-23T18:50:00Z";
    s.device = "NVIDIA H200";
    s.arch = "sm_90";
    s.cuda = "13.0";
    s.fingerprint = fingerprintOf(*s.rung());
    s.log2Period = 12;
    s.dropped = 2;
    s.at.resize(2);
    s.at[0].address = 0x10;
    s.at[0].by[0] = 7;
    s.at[1].address = 0x40;
    s.at[1].by[kOtherReason] = 4294967295u;
    return s;
  }

 private slots:
  void thereAndBack() {
    const StallSamples s = sample();
    const auto back = stallSamplesFrom(json(toJson(s)));
    QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
    QVERIFY(*back == s);
    QCOMPARE(s.total(), std::uint64_t{7} + 4294967295u);
    QVERIFY(s.find(0x40) == &s.at[1] && s.find(0x20) == nullptr);
  }

  void formatsThereAndBack() {
    StallSamples s = sample();
    QVERIFY(!json(toJson(s)).contains("arithmetic"));
    s.subject() = standardSubject(stage("mmaring"));
    for (const Format format : s.rung()->formats) {
      s.format = format;
      const auto back = stallSamplesFrom(json(toJson(s)));
      QVERIFY2(back.has_value(), back ? "" : back.error().c_str());
      QVERIFY(*back == s);
    }
    json wrong(toJson(s));
    wrong["arithmetic"] = "fp32";
    const auto refused = stallSamplesFrom(wrong);
    QVERIFY(!refused && refused.error().find("one of bf16, fp16") != std::string::npos);
    wrong.erase("arithmetic");
    QVERIFY(stallSamplesFrom(wrong)->format == Format::Bf16);
  }

  void whatIsWrongIsNamed() {
    const json good(toJson(sample()));
    const auto refused = [&](const char* key, const json& value) {
      json bad = good;
      if (value.is_null()) {
        bad.erase(key);
      } else {
        bad[key] = value;
      }
      const auto back = stallSamplesFrom(bad);
      if (back) return std::string("taken");
      return back.error().find(key) != std::string::npos ? std::string() : back.error();
    };
    for (const auto& [key, value] : good.items()) {
      QCOMPARE(q(refused(key.c_str(), nullptr)), QString());
      QCOMPARE(q(refused(key.c_str(), json::array({json::array({1})}))), QString());
    }
    const auto row = [](std::int64_t address, std::int64_t first) {
      json r = json::array({address, first});
      while (r.size() < kStallReasons + 1) r.push_back(0);
      return r;
    };
    QCOMPARE(q(refused("at", json::array({row(0x20, 1), row(0x10, 1)}))), QString());  // disorder
    QCOMPARE(q(refused("at", json::array({row(0x20, 1), row(0x20, 1)}))), QString());
    QCOMPARE(q(refused("at", json::array({row(0x8, 1)}))),
             QString());  // no instruction begins there
    QCOMPARE(q(refused("at", json::array({row(0x10, -1)}))), QString());
    QCOMPARE(q(refused("at", json::array({row(0x10, 4294967296)}))), QString());
    QVERIFY(!stallSamplesFrom(json::array()));
  }

  void everyReasonHasItsName() {
    for (std::size_t i = 0; i < kOtherReason; ++i) {
      const auto counter = counterOfReason(i);
      QVERIFY(counter.has_value());
      QVERIFY(std::string(specOf(*counter).key).starts_with("stalled_"));
      QVERIFY(!model::stallName(i).empty());
    }
    QVERIFY(!counterOfReason(kOtherReason));
    QVERIFY(reasonNamed("smsp__pcsamp_warps_issue_stalled_barrier") == std::size_t{0});
    QVERIFY(counterOfReason(*reasonNamed("smsp__pcsamp_warps_issue_stalled_math_pipe_throttle")) ==
            Counter::StalledMathPipe);
    QVERIFY(counterOfReason(*reasonNamed("smsp__pcsamp_warps_issue_stalled_no_instructions")) ==
            Counter::StalledNoInstruction);
    QVERIFY(reasonNamed("smsp__pcsamp_warps_issue_stalled_drain") == kOtherReason);
    QVERIFY(!reasonNamed("smsp__pcsamp_warps_issue_stalled_barrier_not_issued"));
    QVERIFY(!reasonNamed("smsp__pcsamp_sample_count"));
  }

  // Each rung's default tile has been sampled, with the code that its listing shows.
  void whatShipsFitsTheListings() {
    std::vector<std::pair<const Stage*, int>> launches;
    for (const Stage* s : everyStage()) {
      const bool due = s->ladder == Ladder::Fp32 && mustBeRecorded(*s);
      if (!due && !hasRecordedSamples(*s)) continue;
      for (const int size : {2048, 4096}) launches.emplace_back(s, size);
    }
    for (const auto& [at, size] : launches) {
      const Stage& s = *at;
      const StallSamples* samples =
          recordedSamples(standardSubject(s), {size, size, size}, "sm_90");
      const auto listing = sass::recordedListing(standardSubject(s), "sm_90");
      if (samples == nullptr && listing && listing->stale())
        continue;  // both are to be recorded again
      QVERIFY2(samples != nullptr, s.id.data());
      QCOMPARE(samples->problem.m, size);
      QVERIFY(listing.has_value() && listing->listing.hasLines());
      // A launch of some tens of microseconds has fewer.
      QVERIFY2(samples->total() > (samples->log2Period > 8 ? 100'000u : 10'000u), s.id.data());
      QCOMPARE(samples->dropped, std::uint64_t{0});
      // After the end, which a listing leaves out, there are only samples of the instruction fetch:
      // less than a thousandth, or 2 % in launches of some tens of microseconds, of which the end
      // is a larger part.
      std::uint64_t beyond = 0;
      for (const SampledInstruction& each : samples->at) {
        if (listing->listing.at(each.address)) continue;
        QVERIFY2(each.address > listing->listing.instructions.back().address, s.id.data());
        beyond += each.total();
      }
      const std::uint64_t parts = s.ladder == Ladder::Fp32 ? 1000 : 50;
      QVERIFY2(beyond * parts < samples->total(), s.id.data());
      // The time is known by line, except for instructions without a line.
      const auto lines = model::stallsByLine(*samples, listing->listing);
      double known = 0, all = 0;
      for (const model::LineStalls& each : lines) {
        all += each.stalls.share;
        if (each.line > 0) known += each.stalls.share;
      }
      QVERIFY(std::abs(all - 1) < 1e-9);
      QVERIFY2(known > 0.9, s.id.data());
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::StallSamplesTest, Nothing)
#include "stall_samples_test.moc"
