// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the tests of `tileloom loop`, and a compiler that returns a fixture for every
// kernel.
#pragma once

#include <QByteArray>
#include <QStringList>

#include "tests/app/surroundings.h"

namespace tileloom::test {

// A tile with blocks of four warps, as in the fixture. Three blocks share an SM.
inline QStringList loopLine(const QStringList& more = {}) {
  return QStringList{"loop", "rewritten", "--tile", "BM=128,BN=128,BK=32,WM=64,WN=64"} + more;
}

inline void fakeLoop(Surroundings& around, const QByteArray& more = {}) {
  around.fakeGpu(
      "sms=1,registers=200,static=150000,memory=64M,jitter=0,rate=rewritten:100,polls=0,"
      "cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin," +
      more);
}

}  // namespace tileloom::test
