// SPDX-License-Identifier: GPL-3.0-or-later
// What warps wait for at the lines of a kernel, and which of them have no work.
#include "kernels/timeline/wait_places.h"

#include <QtTest>
#include <bit>

#include "kernels/emulator/run.h"
#include "kernels/timeline/program.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

class WaitPlacesTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  WaitPlaces placesOf(std::string_view id) {
    emulator::TraceRequest request;
    request.subject() = standardSubject(test::stage(id));
    request.problem = {4096, 4096, 4096};
    request.kTiles = tilesWanted(*request.rung(), request.tile);
    request.operands = false;
    return waitPlaces(emulator::traceBlock(workspace_, request));
  }
  // The lines of a stage that begin with this text.
  static std::vector<int> linesWith(std::string_view id, const QString& word) {
    const QStringList lines = test::q(std::string(sourceText(test::stage(id)))).split('\n');
    std::vector<int> found;
    for (int i = 0; i < lines.size(); ++i) {
      if (lines[i].trimmed().startsWith(word)) found.push_back(i + 1);
    }
    return found;
  }

 private slots:
  void eachWordSaysWhatItWaitsFor() {
    for (const char* id :
         {"specialised", "consumers", "persistent", "cluster", "stored", "hopper"}) {
      const WaitPlaces places = placesOf(id);
      const std::pair<const char*, const char*> words[] = {
          {"wait(full", "for a stage to be filled"},
          {"wait(empty", "for an empty stage"},
          {"wait_products(", "for its wgmma"}};
      for (const auto& [word, says] : words) {
        const auto lines = linesWith(id, word);
        QVERIFY2(!lines.empty(), id);
        for (const int line : lines) {
          const WaitPlace* place = places.at(line);
          QVERIFY2(place != nullptr, qPrintable(QStringLiteral("%1: line %2").arg(id).arg(line)));
          QCOMPARE(test::q(std::string(waitText(*place))), QString(says));
        }
      }
    }
    const WaitPlaces v1 = placesOf("multistage");
    for (const int line : linesWith("multistage", "__syncthreads()"))
      QCOMPARE(test::q(std::string(waitText(*v1.at(line)))), QString("for other warps"));
  }

  // Three of the four warps of a producer's warpgroup: without a cluster they end at once, in
  // clusters they wait for the others.
  void whoHasNothingToDo() {
    struct Expected {
      const char* id;
      int multiply, bring, idle;
      const char* at;  // where the idle ones wait
    };
    const Expected all[] = {
        {"multistage", 8, 0, 0, nullptr},       {"specialised", 4, 1, 0, nullptr},
        {"consumers", 8, 1, 3, nullptr},        {"persistent", 8, 1, 3, nullptr},
        {"cluster", 8, 1, 3, "meet_cluster()"}, {"stored", 8, 1, 3, "meet_cluster()"},
        {"hopper", 8, 1, 3, "meet_cluster()"}};
    for (const Expected& e : all) {
      const WaitPlaces places = placesOf(e.id);
      QCOMPARE(std::popcount(places.multiply), e.multiply);
      QCOMPARE(std::popcount(places.bring), e.bring);
      QCOMPARE(std::popcount(places.idle), e.idle);
      const int last = e.at != nullptr ? linesWith(e.id, e.at).back() : 0;
      QCOMPARE(int(places.idleLine), last);
      if (e.idle > 0) QCOMPARE(test::q(idleText(places)), QString("producer warps 9 to 11"));
    }
  }

  // Lines that are not recorded, such as a counter, belong to the role around them.
  void linesBetweenBelongToTheRoleAbove() {
    const WaitPlaces places = placesOf("consumers");
    const int empty = linesWith("consumers", "wait(empty").front(),
              full = linesWith("consumers", "wait(full").front();
    const auto turns = linesWith("consumers", "slot = slot == STAGES - 1");
    QCOMPARE(turns.size(), std::size_t{2});
    QVERIFY(empty < turns[0] && turns[0] < full && full < turns[1]);
    QCOMPARE(places.workersOf(turns[0]), places.bring);
    QCOMPARE(places.workersOf(turns[1]) & places.bring, 0u);
    QCOMPARE(places.workersOf(1), places.multiply | places.bring);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::WaitPlacesTest, EventLoop)
#include "wait_places_test.moc"
