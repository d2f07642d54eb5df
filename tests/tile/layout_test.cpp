// SPDX-License-Identifier: GPL-3.0-or-later
// The trace has the layouts that follow from the tile parameters.
#include "kernels/tile/layout.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;

class LayoutTest : public QObject {
  Q_OBJECT

 private slots:
  // Neighbouring rows of the transposed As are this number of banks apart in the trace.
  void banksAreThoseOfTheTrace_data() { test::addStageRows(); }
  void banksAreThoseOfTheTrace() {
    const Stage& stage = test::stageOfRow();
    QCOMPARE(banksToNextRow(stage, stage.standardTile()).has_value(),
             stage.spec(Parameter::PAD) != nullptr);
    if (stage.spec(Parameter::PAD) == nullptr) return;
    for (const int pad : {0, 4, 8, 20}) {
      const TileShape tile = stage.standardTile().with(Parameter::PAD, pad);
      const auto r = test::recorded({.stage = stage.id, .tile = tile});
      const auto filled = r->find(0, 0, 0);
      QVERIFY(filled.has_value());
      const auto first = r->wordOf(Element{Matrix::A, 0, 0}, 0, *filled);
      const auto next = r->wordOf(Element{Matrix::A, 0, 1}, 0, *filled);  // the next k
      QVERIFY(first && next);
      QCOMPARE(static_cast<int>((next->index - first->index) % 32), *banksToNextRow(stage, tile));
    }
  }

  // The first rows of a panel are adjacent: from an element to the one a panel further right there
  // are all rows of the tile.
  void panelsAreThoseOfTheTrace() {
    const Stage& stage = test::stage("swizzled");
    for (const int swizzle : {0, 32, 64, 128}) {
      const TileShape tile = stage.standardTile().with(Parameter::SWIZZLE, swizzle);
      const auto panels = panelsOf(stage, tile);
      QVERIFY(panels.has_value());
      if (swizzle == 0) {
        QVERIFY(panels->a == 0 && panels->b == 0);
        continue;
      }
      const int across = swizzle / 2;
      QCOMPARE(panels->a * across, tile[Parameter::BK]);
      QCOMPARE(panels->b * across, tile[Parameter::BN]);
      if (panels->b < 2) continue;
      const auto r = test::recorded({.stage = stage.id, .tile = tile});
      const auto filled = r->find(0, 0, 0);
      QVERIFY(filled.has_value());
      const auto first = r->wordOf(Element{Matrix::B, 0, 0}, 0, *filled);
      const auto next = r->wordOf(Element{Matrix::B, 0, across}, 0, *filled);
      QVERIFY(first && next);
      QCOMPARE(static_cast<int>(next->index - first->index), tile[Parameter::BK] * across);
    }
    QVERIFY(!panelsOf(test::stage("warptiled"), test::stage("warptiled").standardTile()));
  }

  void patches() {
    const Stage& stage = test::stage("rasterised");
    const auto patch = [&](int group) {
      return *patchOf(stage, stage.standardTile().with(Parameter::GROUP, group), 32);
    };
    QVERIFY((patch(1) == BlockPlace{1, 32}));
    QVERIFY((patch(8) == BlockPlace{8, 4}));
    QVERIFY((patch(24) == BlockPlace{24, 2}));  // the second column is not full
    QVERIFY((patch(32) == BlockPlace{32, 1}));
    const Stage& plain = test::stage("async");
    QVERIFY(!patchOf(plain, plain.standardTile(), 32));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LayoutTest, Nothing)
#include "layout_test.moc"
