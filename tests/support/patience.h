// SPDX-License-Identifier: GPL-3.0-or-later
// How long tests wait for an event. A wait ends with the event, so a long limit costs nothing in a
// test that passes, and a slow machine fails no test: with sanitizers and two tests at a time the
// five seconds of Qt Test were too short.
#pragma once

#include <QtTest>

namespace tileloom::test {

inline constexpr int kPatience = 150000;  // ms

}  // namespace tileloom::test

// The forms of Qt Test without a time wait for five seconds.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, tileloom::test::kPatience)
#define QTRY_VERIFY2(expression, message) \
  QTRY_VERIFY2_WITH_TIMEOUT(expression, message, tileloom::test::kPatience)
#define QTRY_COMPARE(actual, expected) \
  QTRY_COMPARE_WITH_TIMEOUT(actual, expected, tileloom::test::kPatience)
