// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/last_session.h"

#include <QTemporaryDir>
#include <QtTest>

#include "app/session/session_text.h"
#include "tests/support/test_class.h"

namespace tileloom {
class LastSessionTest : public QObject {
  Q_OBJECT
 private slots:
  void theNextStartHasTheRungAndThePage() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("settings.json").toStdString();
    Session session;
    session.state.stage = *stageNamed("vectorized");
    session.state.tile = session.state.stage->standardTile();
    session.tab = "timeline";
    Settings settings(file);
    QVERIFY(!keptSession(settings));
    keepSession(session, settings);
    const auto kept = keptSession(Settings(file));
    QVERIFY(kept.has_value());
    QVERIFY(*kept == session);
  }

  void whatIsNoSessionCountsAsNone() {
    const QTemporaryDir folder;
    Settings settings(folder.filePath("settings.json").toStdString());
    settings.set("sessions/last", QStringLiteral("{\"stage\": \"no-such-rung\"}"));
    QVERIFY(!keptSession(settings));
    settings.set("sessions/last", QStringLiteral("no json"));
    QVERIFY(!keptSession(settings));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LastSessionTest, Nothing)
#include "last_session_test.moc"
