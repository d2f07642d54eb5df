// SPDX-License-Identifier: GPL-3.0-or-later
// Where the values of a chart were measured: a device is named once, with its first and last day.
#include "viz/base/text/sources_text.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom {

class SourcesTextTest : public QObject {
  Q_OBJECT

 private slots:
  void nothingIsSaidOfNothing() { QCOMPARE(figures::Sources().text(), ""); }

  void daysOfADeviceStandTogether() {
    figures::Sources sources;
    sources.add(Freshness::Recorded, "NVIDIA H100", "2026-11-23T10:00:00Z");
    QCOMPARE(sources.text(), "recorded on NVIDIA H100, 2026-11-23");
    sources.add(Freshness::Recorded, "NVIDIA H100", "2026-11-23T12:00:00Z");
    QCOMPARE(sources.text(), "recorded on NVIDIA H100, 2026-11-23");
    sources.add(Freshness::Recorded, "NVIDIA H100", "2026-11-27T10:00:00Z");
    sources.add(Freshness::Recorded, "NVIDIA H100", "2026-11-21T10:00:00Z");
    QCOMPARE(sources.text(), "recorded on NVIDIA H100, 2026-11-21 to 2026-11-27");
  }

  void devicesAndLiveValuesStandApart() {
    figures::Sources sources;
    sources.add(Freshness::Recorded, "NVIDIA H100", "2026-11-21T10:00:00Z");
    sources.add(Freshness::Live, "NVIDIA H100", "2026-11-27T10:00:00Z");
    sources.add(Freshness::Recorded, "NVIDIA H200", "2026-11-22T10:00:00Z");
    sources.add(Freshness::Recorded, "NVIDIA H100", "2026-11-24T10:00:00Z");
    QCOMPARE(sources.text(),
             "recorded on NVIDIA H100, 2026-11-21 to 2026-11-24; live on NVIDIA H100, 2026-11-27; "
             "recorded on NVIDIA H200, 2026-11-22");
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SourcesTextTest, Nothing)
#include "sources_text_test.moc"
