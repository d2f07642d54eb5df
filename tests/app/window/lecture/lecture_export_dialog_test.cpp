// SPDX-License-Identifier: GPL-3.0-or-later
// Lecture › Export through its dialog: the same choices as on the command line, written by a
// separate process.
#include "app/window/lecture/lecture_export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>
#include <set>

#include "tests/support/patience.h"
#include "tests/support/test_class.h"

namespace tileloom {

using lecture::exportKinds;

class LectureExportDialogTest : public QObject {
  Q_OBJECT

  struct Open {
    explicit Open(QString program = TILELOOM_PROGRAM)
        : dialog({{{"ladder", "The ladder", 40}, {"bank-conflicts", "Bank conflicts", 14}},
                  1,
                  Look::Dark,
                  std::move(program)}) {
      dialog.show();
    }
    template <class T>
    T& field(const char* name) {
      return *dialog.findChild<T*>(QLatin1String(name));
    }
    void choose(lecture::ExportKind kind) {
      for (std::size_t i = 0; i < exportKinds().size(); ++i)
        if (exportKinds()[i].kind == kind) field<QComboBox>("kind").setCurrentIndex(int(i));
    }
    void name(const QString& file) { field<QLineEdit>("file").setText(file); }
    QPushButton& button() { return field<QPushButton>("export"); }
    bool done() {
      return QTest::qWaitFor([this] { return !dialog.running(); }, 4 * test::kPatience);
    }
    LectureExportDialog dialog;
  };

 private slots:
  void itHasTheKindsOfTheCommandLine() {
    Open open;
    auto& kinds = open.field<QComboBox>("kind");
    QCOMPARE(kinds.count(), int(exportKinds().size()));
    for (const lecture::ExportKindRow& row : exportKinds()) {
      open.choose(row.kind);
      const QStringList words = open.dialog.arguments();
      QCOMPARE(words.mid(0, 3), QStringList({"lecture", "export", "bank-conflicts"}));
      const QString name = QString::fromLatin1(row.name.data(), qsizetype(row.name.size()));
      QCOMPARE(words[words.indexOf("--kind") + 1], name);
      QCOMPARE(words[words.indexOf("--size") + 1], QString("%1x%2").arg(row.width).arg(row.height));
      QCOMPARE(words[words.indexOf("--theme") + 1], QString("light"));
      QCOMPARE(open.field<QCheckBox>("notes").isEnabled(), row.notes != lecture::NotesIn::Never);
      QVERIFY(!words.contains("--notes"));  // a file may go to the audience
      // The proposed file name matches the kind.
      const auto choice = lecture::exportChoice({row.kind, words[words.indexOf("--out") + 1], {}});
      QVERIFY2(choice, choice ? "" : qPrintable(choice.error()));
    }
  }

  // Every theme is one that the command line takes.
  void themesAreThoseOfTheCommandLine() {
    Open open;
    auto& themes = open.field<QComboBox>("theme");
    QCOMPARE(themes.count(), int(kLookNames.size()));
    std::set<QString> names;
    for (int i = 0; i < themes.count(); ++i) {
      themes.setCurrentIndex(i);
      const QStringList words = open.dialog.arguments();
      const QString name = words[words.indexOf("--theme") + 1];
      QVERIFY2(lookNamed(name.toStdString()) && names.insert(name).second, qPrintable(name));
    }
  }

  // Another lecture or kind changes the proposed name. A chosen name is that of its lecture and
  // kind: other kinds keep its stem and never its file, other lectures its folder.
  void theFilesNameFollows() {
    using lecture::ExportKind;
    Open open;
    auto& file = open.field<QLineEdit>("file");
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QDir there(QFileInfo(documents).isDir() ? documents : QDir::homePath());
    QCOMPARE(file.text(), there.filePath("bank-conflicts.pdf"));
    open.field<QComboBox>("lecture").setCurrentIndex(0);
    QCOMPARE(file.text(), there.filePath("ladder.pdf"));
    open.choose(ExportKind::Handout);
    QCOMPARE(file.text(), there.filePath("ladder-handout.pdf"));
    open.choose(ExportKind::Slides);
    open.name("/tmp/mine.pdf");
    open.choose(ExportKind::Html);
    QCOMPARE(file.text(), QString("/tmp/mine.html"));
    open.choose(ExportKind::Handout);
    QCOMPARE(file.text(), QString("/tmp/mine-handout.pdf"));
    open.choose(ExportKind::Pictures);
    QCOMPARE(file.text(), QString("/tmp/mine"));
    open.choose(ExportKind::Slides);
    QCOMPARE(file.text(), QString("/tmp/mine.pdf"));
    open.field<QComboBox>("lecture").setCurrentIndex(1);
    QCOMPARE(file.text(), QString("/tmp/bank-conflicts.pdf"));
  }

  // The lecture of a file is written beside it.
  void ownLecturesStayTogether() {
    const QTemporaryDir folder;
    const QString own = folder.filePath("talk.lecture.json");
    QFile made(own);
    QVERIFY(made.open(QIODevice::WriteOnly));
    const LectureExportDialog dialog({{{own, "Mine", 3}}, 0, Look::Dark, TILELOOM_PROGRAM});
    QCOMPARE(dialog.findChild<QLineEdit*>("file")->text(), folder.filePath("talk.pdf"));
  }

  void nothingIsReplacedUnasked() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("slides.pdf");
    QFile old(out);
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("mine") == 4);
    old.close();
    Open open;
    open.name(out);
    QString asked;
    const auto answer = [&asked](const char* button) {
      QTimer::singleShot(0, qApp, [&asked, button] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) qFatal("there is no question");
        asked = box->text();
        for (QAbstractButton* each : box->buttons())
          if (each->text().remove(u'&') == QLatin1String(button)) return each->click();
        qFatal("there is no such button");
      });
    };
    answer("Cancel");
    open.button().click();
    QVERIFY(!open.dialog.running());
    QVERIFY2(asked.contains("slides.pdf"), qPrintable(asked));
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("mine"));
    answer("Replace");
    open.button().click();
    QVERIFY(open.dialog.running());
    open.field<QPushButton>("close").click();
    QVERIFY(open.done());
  }

  void whatCannotBeIsSaidAtOnce() {
    const QTemporaryDir folder;
    Open open;
    open.name(folder.filePath("a.pdf"));
    QVERIFY(open.button().isEnabled());
    QCOMPARE(open.dialog.message(), QString("14 steps"));
    const auto refused = [&](const char* word) {
      return !open.button().isEnabled() && open.dialog.message().contains(word);
    };
    open.field<QLineEdit>("steps").setText("3-99");
    QVERIFY2(refused("1 to 14"), qPrintable(open.dialog.message()));
    open.field<QLineEdit>("steps").setText("3, 5-6");
    QCOMPARE(open.dialog.message(), QString("3 steps"));
    open.name(folder.filePath("a.html"));
    QVERIFY2(refused("NAME.pdf"), qPrintable(open.dialog.message()));
    open.name(QString());
    QVERIFY2(refused("no name"), qPrintable(open.dialog.message()));
    open.name("/proc/no/a.pdf");
    QVERIFY2(refused("/proc/no"), qPrintable(open.dialog.message()));
  }

  void slidesAreWritten() {
    const QTemporaryDir folder;
    const QString out = folder.filePath("some slides.pdf");
    Open open;
    open.name(out);
    open.field<QLineEdit>("steps").setText("1, 2");
    open.button().click();
    QVERIFY(open.dialog.running() && !open.button().isEnabled());
    // The window responds while the other process works.
    QVERIFY(open.field<QProgressBar>("progress").isVisible());
    QVERIFY(open.done());
    QCOMPARE(open.dialog.message(), "written: " + out);
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("/Count 2"));
  }

  // No file is left, and the dialog allows another try.
  void itCanBeCancelled() {
    const QTemporaryDir folder;
    Open open;
    open.choose(lecture::ExportKind::Pictures);
    open.name(folder.filePath("pictures"));
    open.button().click();
    QVERIFY(QTest::qWaitFor([&] { return open.field<QProgressBar>("progress").maximum() > 0; },
                            2 * test::kPatience));
    open.field<QPushButton>("close").click();
    QVERIFY(open.done());
    QVERIFY2(open.dialog.message().contains("cancelled"), qPrintable(open.dialog.message()));
    QVERIFY(QDir(folder.path()).isEmpty());
    QVERIFY(open.dialog.isVisible() && open.button().isEnabled());
  }

  void aProblemIsOneSentence() {
    const QTemporaryDir folder;
    {
      Open open;  // a window that small does not hold every step
      open.name(folder.filePath("a.pdf"));
      open.field<QSpinBox>("width").setValue(640);
      open.field<QSpinBox>("height").setValue(480);
      open.button().click();
      QVERIFY(open.done());
      QVERIFY2(open.dialog.message().contains("choose a larger"),
               qPrintable(open.dialog.message()));
    }
    Open open("/no/such/program");
    open.name(folder.filePath("a.pdf"));
    open.button().click();
    QVERIFY(open.done());
    QVERIFY2(open.dialog.message().contains("cannot be started"),
             qPrintable(open.dialog.message()));
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  // Closing the window during an export does not wait for its end.
  void itEndsWithItsDialog() {
    const QTemporaryDir folder;
    {
      Open open;
      open.name(folder.filePath("a.pdf"));
      open.button().click();
      QVERIFY(open.dialog.running());
    }
    QVERIFY(QDir(folder.path()).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LectureExportDialogTest, Window)
#include "lecture_export_dialog_test.moc"
