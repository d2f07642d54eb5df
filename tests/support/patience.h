// SPDX-License-Identifier: GPL-3.0-or-later
// How long tests wait for something that has to come. A wait ends when it has come, so that long
// patience costs nothing in a test that passes, and a slow machine fails none: with sanitizers and
// two tests at a time the five seconds of Qt Test have run out.
#pragma once

#include <QtTest>

namespace tileloom::test {

inline constexpr int kPatience = 150000;  // ms

}  // namespace tileloom::test

// Qt Test's own forms without a time wait for five seconds.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, tileloom::test::kPatience)
#define QTRY_VERIFY2(expression, message) \
  QTRY_VERIFY2_WITH_TIMEOUT(expression, message, tileloom::test::kPatience)
#define QTRY_COMPARE(actual, expected) \
  QTRY_COMPARE_WITH_TIMEOUT(actual, expected, tileloom::test::kPatience)
