// SPDX-License-Identifier: GPL-3.0-or-later
// A journal may come from anywhere: its contents are checked before they are shown or added up.
#include "kernels/tuning/journal.h"
#include "kernels/tile/subject.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include "kernels/tuning/best.h"
#include "kernels/tuning/tune_summary.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {
namespace {

using nlohmann::json;
using namespace tuning;

TuneHeader header() {
  TuneHeader h;
  h.when = "2026-11-21T03:25:00Z";
  h.stages = {&stage("warptiled")};
  h.problem = {512, 512, 512};
  h.device = {"Made-up GPU", "sm_90", "1.2.3", "13.0"};
  h.fingerprint = h.plan = "0123456789abcdef";
  h.shards = 1;
  h.candidates = 2;
  return h;
}

std::string lines(const TuneEvent& event) {
  return toLines(header(), standardSubject(*header().stages[0]), event);
}

TuneEvent timed(std::string failure) {
  if (!failure.empty()) return TimedEvent{0, 2, SearchPhase::Finals, 0.5, {}, std::move(failure)};
  return TimedEvent{0, 2, SearchPhase::Finals, 0.5, madeUpRun(), {}};
}

tl::expected<TuneLog, std::string> read(const std::string& events,
                                        const json& more = json::object()) {
  json first = json::parse(toJson(header()).dump());
  first.update(more);
  return parseJournal(first.dump() + "\n" + events, "tune.jsonl");
}

// An event with one member replaced.
std::string changed(const TuneEvent& event, const char* key, const json& value) {
  json line = json::parse(lines(event));
  line[key] = value;
  return line.dump() + "\n";
}

}  // namespace

class JournalTest : public QObject {
  Q_OBJECT
 private slots:
  void whatCannotBeShownIsRefused() {
    QVERIFY(read("").has_value());
    for (const char* key : {"when", "device", "arch", "driver", "nvrtc", "fingerprint", "plan"}) {
      QVERIFY(!read("", {{key, "a\x1b[2J"}}).has_value());
      QVERIFY(!read("", {{key, std::string(201, 'x')}}).has_value());
    }
  }

  // A failure is a sentence of a driver or a compiler, not a reason to start a new run.
  void failuresAreMadeFitToBeShown() {
    const std::string bad = "no\nway \xff\x1b[2J";
    QCOMPARE(q(std::get<TimedEvent>(read(lines(timed(bad)))->events[0]).failure),
             QString("no?way ??[2J"));
    const auto foreign = read(changed(timed("x"), "failure", "no\nway"));
    QVERIFY2(foreign.has_value(), foreign ? "" : foreign.error().c_str());
    QCOMPARE(q(std::get<TimedEvent>(foreign->events[0]).failure), QString("no?way"));
    QVERIFY(!read(changed(timed("x"), "failure", 7)).has_value());
  }

  // Sizes are computed from a tile.
  void tilesThatTheStageCannotHave() {
    const CompiledEvent event{0, 64, 0};
    const json good = json::parse(lines(event))["tile"];
    QVERIFY(read(changed(event, "tile", good)).has_value());
    for (const auto& [parameter, value] :
         {std::pair{"BLOCKSIZE", 32}, {"BM", 2147483647}, {"BM", 0}}) {
      json bad = good;
      bad[parameter] = value;
      QVERIFY(!read(changed(event, "tile", bad)).has_value());
    }
    json bad = good;
    bad.erase("BM");
    QVERIFY(!read(changed(event, "tile", bad)).has_value());
  }

  // A run of several rungs names them in the order of the ladder, and each event names its own.
  void runsOfSeveralRungs() {
    TuneHeader both = header();
    both.stages.push_back(&stage("padded"));
    const CompiledEvent event{0, 64, 0};
    const Subject tile = standardSubject(stage("padded"));
    const std::string line = toLines(both, tile, event);
    const auto parse = [&](const json& stages, const std::string& events) {
      json first = json::parse(toJson(both).dump());
      first["stages"] = stages;
      return parseJournal(first.dump() + "\n" + events, "tune.jsonl");
    };
    const auto log = parse({"warptiled", "padded"}, line);
    QVERIFY2(log.has_value(), log ? "" : log.error().c_str());
    QVERIFY(log->header.stages == both.stages);
    QVERIFY(log->tiles[0] == tile);
    for (const json& stages :
         {json{"padded", "warptiled"}, json{"warptiled", "warptiled"}, json{"warptiled", "mmaring"},
          json{"warptiled"}, json::array(), json{"warptiled", 9}, json{"nothing", "padded"},
          json("warptiled")}) {
      QVERIFY2(!parse(stages, "").has_value(), stages.dump().c_str());
    }
    json other = json::parse(line);
    for (const json& its : {json("tuned"), json(7), json(nullptr)}) {
      other["stage"] = its;
      QVERIFY(!parse({"warptiled", "padded"}, other.dump() + "\n").has_value());
    }
    QVERIFY(whyNotTogether(both, header()).find("stage warptiled, padded and not of warptiled") !=
            std::string::npos);
  }

  void predictionsAreOnePerCandidate() {
    const auto event = [](const json& gflops) {
      return changed(PredictedEvent{{1, 2}}, "gflops", gflops);
    };
    QVERIFY(read(event({1, 2})).has_value());
    QVERIFY(!read(event({1, 2, 3})).has_value());
    QVERIFY(!read(event(json::array()), {{"candidates", 0}}).has_value());
  }

  // Counts whose sum would not fit into a number.
  void roundsAreBounded() {
    QVERIFY(read(changed(timed({}), "rounds", 1'000'000)).has_value());
    QVERIFY(!read(changed(timed({}), "rounds", 2'000'000'000)).has_value());
  }

  // A driver's name of a device may hold any bytes.
  void theBestTileOfAnyDevice() {
    runs::RunRecord run = madeUpRun();
    run.device = "Ger\xe4t";
    const auto again = parseBest(tuning::toLine(BestTile{run, 2, 3}));
    QCOMPARE(again.size(), std::size_t{1});
    QCOMPARE(again[0].tied, std::size_t{2});
    QCOMPARE(again[0].shards, 3);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::JournalTest, Nothing)
#include "journal_test.moc"
