// SPDX-License-Identifier: GPL-3.0-or-later
// Tiles of the rungs with wgmma, as rows of a test.
#pragma once

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"

namespace tileloom::test {

struct GroupTile {
  const char* name = "";
  std::string_view stage;
  int bm = 128, bn = 128, bk = 64, consumers = 1, swizzle = 128;
  Problem problem{1024, 1024, 1024};
};

inline constexpr GroupTile kGroupTiles[] = {
    {"T5 128x128x64", "wgmma", 128, 128, 64, 1, 128},
    {"T5 64x64x16, swizzle 32", "wgmma", 64, 64, 16, 1, 32},
    {"T6 128x96x64, swizzle 64", "multistage", 128, 96, 64, 2, 64},
    {"T7 128x256x64", "overlapped", 128, 256, 64, 2, 128},
    {"T7 256x192x64", "overlapped", 256, 192, 64, 2, 128},
    {"T7 over the edge", "overlapped", 128, 256, 64, 2, 128, {104, 200, 72}},
};

inline RecordingPointer recordedTile(const GroupTile& tile) {
  const TileShape shape = stage(tile.stage)
                              .standardTile()
                              .with(Parameter::BM, tile.bm)
                              .with(Parameter::BN, tile.bn)
                              .with(Parameter::BK, tile.bk)
                              .with(Parameter::CONSUMERS, tile.consumers)
                              .with(Parameter::SWIZZLE, tile.swizzle);
  return recorded({.stage = tile.stage, .tile = shape, .problem = tile.problem});
}

inline void addGroupTiles() {
  QTest::addColumn<int>("tile");
  for (int i = 0; i < static_cast<int>(std::size(kGroupTiles)); ++i)
    QTest::newRow(kGroupTiles[i].name) << i;
}

// The tile of a test's row that addGroupTiles() has added.
inline const GroupTile& groupTileOfRow() {
  QFETCH(int, tile);
  return kGroupTiles[tile];
}

}  // namespace tileloom::test
