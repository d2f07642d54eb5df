// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces of tiles that a cluster computes: everything once, evenly, and clusters that share a
// tile agree on their parts of it.
#include "kernels/device/pieces.cuh"

#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <set>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom {
namespace {

struct Case {
  unsigned tiles = 0, rounds = 0, clusters = 0, split = 0;

  pieces of(unsigned cluster) const { return pieces{tiles, rounds, cluster, clusters, split}; }
  bool cuts() const {
    const unsigned rest = tiles % clusters;
    return split > 1 && rest != 0 && rest * 4 <= clusters * 3;
  }
  std::string text() const {
    return fmt::format("{} tiles of {} rounds, {} clusters, SPLIT = {}", tiles, rounds, clusters,
                       split);
  }
};

// All pieces of a cluster, in its order.
std::vector<piece> piecesOf(const Case& its, unsigned cluster) {
  const pieces all = its.of(cluster);
  std::vector<piece> list;
  for (piece at = all.at(0); at.first < at.end; at = all.at(at.number + 1)) {
    list.push_back(at);
    if (list.size() > its.tiles + 2) qFatal("endless: %s", its.text().c_str());
  }
  return list;
}

// Small ones of every kind, with all numbers of clusters around them, and some of an H100's size.
std::vector<Case> cases() {
  std::vector<Case> list;
  for (unsigned split = 1; split <= 4; ++split) {
    for (unsigned clusters = 1; clusters <= 9; ++clusters) {
      for (unsigned tiles = 1; tiles <= 3 * clusters; ++tiles) {
        for (const unsigned rounds : {1u, 2u, 3u, 4u, 7u, 16u})
          list.push_back({tiles, rounds, clusters, split});
      }
    }
  }
  test::Random random(test::seed());
  const auto number = [&](int from, int to) {
    return static_cast<unsigned>(random.integer(from, to));
  };
  for (int i = 0; i < 300; ++i)
    list.push_back({number(1, 600), number(1, 100), number(1, 132), number(1, 4)});
  return list;
}

// Whether the cluster with the beginning of a tile finds all the others, one after the other, by
// the kernel's search.
bool findsAllOthers(const Case& its) {
  std::vector<std::set<unsigned>> others(its.tiles);  // by tile: the clusters with the rest of it
  for (unsigned cluster = 0; cluster < its.clusters; ++cluster) {
    for (const piece& at : piecesOf(its, cluster)) {
      if (at.first != 0) others[at.tile].insert(cluster);
    }
  }
  for (unsigned cluster = 0; cluster < its.clusters; ++cluster) {
    const pieces all = its.of(cluster);
    for (const piece& at : piecesOf(its, cluster)) {
      if (at.first != 0) continue;
      std::set<unsigned> found;
      for (unsigned other = cluster + 1; at.end < its.rounds && all.share(at, other); ++other)
        found.insert(other);
      if (found != others[at.tile] || found.size() > its.split) return false;
    }
  }
  return true;
}

}  // namespace

class PiecesTest : public QObject {
  Q_OBJECT

 private slots:
  void everyRoundIsCoveredOnce() {
    for (const Case& its : cases()) {
      std::vector<int> covered(std::size_t{its.tiles} * its.rounds);
      for (unsigned cluster = 0; cluster < its.clusters; ++cluster) {
        unsigned number = 0;
        for (const piece& at : piecesOf(its, cluster)) {
          QVERIFY2(at.tile < its.tiles && at.end <= its.rounds, its.text().c_str());
          QVERIFY2(at.number == number++, its.text().c_str());
          for (unsigned round = at.first; round < at.end; ++round)
            ++covered[std::size_t{at.tile} * its.rounds + round];
        }
      }
      QVERIFY2(std::ranges::all_of(covered, [](int times) { return times == 1; }),
               its.text().c_str());
    }
  }

  // Tiles are cut where the last wave leaves a quarter of the clusters or more without one, and
  // nowhere else.
  void onlyTheLastWaveIsCut() {
    int cut = 0;
    for (const Case& its : cases()) {
      bool any = false;
      for (unsigned cluster = 0; cluster < its.clusters; ++cluster) {
        for (const piece& at : piecesOf(its, cluster)) {
          const bool whole = at.first == 0 && at.end == its.rounds;
          any |= !whole;
          if (at.tile < its.tiles / its.clusters * its.clusters) {
            QVERIFY2(whole, its.text().c_str());
            QVERIFY2(at.tile % its.clusters == cluster, its.text().c_str());
          }
        }
      }
      QVERIFY2(!any || its.cuts(), its.text().c_str());
      // Of as many rounds as clusters that could have one, no tile stays whole.
      if (its.cuts() && its.rounds >= its.split && its.tiles % its.clusters * 2 <= its.clusters)
        QVERIFY2(any, its.text().c_str());
      cut += any ? 1 : 0;
    }
    QVERIFY(cut > 100);
  }

  void whoAddsFindsAllOthers() {
    for (const Case& its : cases()) {
      if (its.rounds >= its.split) QVERIFY2(findsAllOthers(its), its.text().c_str());
    }
  }

  // Where there are fewer rounds than clusters that could share them, some have none.
  void whoAddsFindsAllOthersOfFewRounds() {
    std::string flaw;
    for (const Case& its : cases()) {
      if (its.rounds < its.split && flaw.empty() && !findsAllOthers(its)) flaw = its.text();
    }
    QVERIFY2(flaw.empty(), flaw.c_str());
  }

  // A cluster leaves the rest of one tile before it waits for the clusters with the rest of
  // another: there is no circular wait, and each has room for one piece that it leaves.
  void theRestComesFirst() {
    for (const Case& its : cases()) {
      for (unsigned cluster = 0; cluster < its.clusters; ++cluster) {
        const std::vector<piece> list = piecesOf(its, cluster);
        const auto ofLastWave = [&](const piece& at) {
          return at.tile >= its.tiles / its.clusters * its.clusters;
        };
        QVERIFY2(std::ranges::count_if(list, ofLastWave) <= 2, its.text().c_str());
        QVERIFY2(std::ranges::is_sorted(list, {}, &piece::tile), its.text().c_str());
        const auto rest = std::ranges::find_if(list, [](const piece& at) { return at.first != 0; });
        if (rest == list.end()) continue;
        QVERIFY2(std::ranges::count_if(list, [](const piece& at) { return at.first != 0; }) == 1,
                 its.text().c_str());
        QVERIFY2(std::all_of(list.begin(), rest, [&](const piece& at) { return !ofLastWave(at); }),
                 its.text().c_str());
        // Where its own stretch continues after it, the rest reaches to the end of its tile.
        QVERIFY2(rest + 1 == list.end() || rest->end == its.rounds, its.text().c_str());
      }
    }
  }

  // In a split wave, all clusters with a part of it have the same number of rounds, or one more.
  void allEndTogether() {
    for (const Case& its : cases()) {
      if (!its.cuts()) continue;
      unsigned least = its.tiles * its.rounds, most = 0, all = 0, sharing = 0;
      for (unsigned cluster = 0; cluster < its.clusters; ++cluster) {
        unsigned load = 0;
        for (const piece& at : piecesOf(its, cluster)) {
          if (at.tile >= its.tiles / its.clusters * its.clusters) load += at.end - at.first;
        }
        all += load;
        if (load == 0) continue;
        ++sharing;
        least = std::min(least, load);
        most = std::max(most, load);
      }
      const unsigned rest = its.tiles % its.clusters;
      QVERIFY2(all == rest * its.rounds, its.text().c_str());
      QVERIFY2(most - least <= 1, its.text().c_str());
      QVERIFY2(most <= its.rounds, its.text().c_str());
      QCOMPARE(sharing, std::min(rest * std::min(its.split, its.rounds), its.clusters));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PiecesTest, Nothing)
#include "pieces_test.moc"
