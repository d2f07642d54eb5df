// SPDX-License-Identifier: GPL-3.0-or-later
// Export kinds of a lecture: the valid combinations of options and files, and the errors of the
// others.
#include "app/lecture/export_kinds.h"

#include <QtTest>
#include <set>

#include "tests/support/test_class.h"

namespace tileloom::lecture {

class ExportKindsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyKindHasWordsAndAName() {
    std::set<std::string_view> names;
    for (const ExportKindRow& row : exportKinds()) {
      QVERIFY(names.insert(row.name).second);
      QVERIFY(exportKindNamed(row.name) == &row && &rowOf(row.kind) == &row);
      QVERIFY(!titleOf(row).isEmpty() && !whatOf(row).isEmpty() && !whatOf(row).endsWith('.'));
      QVERIFY(row.width >= 640 && row.width * 9 == row.height * 16);
    }
    QVERIFY(exportKindNamed("powerpoint") == nullptr);
  }

  // Without a kind, the file name decides.
  void theFileDecides() {
    const auto kindOf = [](const char* out) { return exportChoice({{}, out, {}})->kind; };
    QVERIFY(kindOf("a.pdf") == ExportKind::Slides);
    QVERIFY(kindOf("a.PDF") == ExportKind::Slides);
    QVERIFY(kindOf("a.html") == ExportKind::Html);
    QVERIFY(kindOf("a.mp4") == ExportKind::Film && kindOf("a.gif") == ExportKind::Film);
    QVERIFY(kindOf("steps") == ExportKind::Pictures);
  }

  // Slides have none, a handout has them unless they are refused, a web page on request.
  void notesStandWhereTheyBelong() {
    const auto notes = [](ExportKind kind, const char* out, std::optional<bool> asked) {
      return exportChoice({kind, out, asked})->notes;
    };
    QVERIFY(!notes(ExportKind::Slides, "a.pdf", {}));
    QVERIFY(notes(ExportKind::Handout, "a.pdf", {}));
    QVERIFY(!notes(ExportKind::Handout, "a.pdf", false));
    QVERIFY(!notes(ExportKind::Html, "a.html", {}));
    QVERIFY(notes(ExportKind::Html, "a.html", true));
  }

  void whatDoesNotGoTogetherIsRefused_data() {
    QTest::addColumn<int>("kind");  // -1: none
    QTest::addColumn<QString>("out");
    QTest::addColumn<int>("notes");  // -1: not given
    QTest::addColumn<QStringList>("says");
    const auto row = [](const char* name, int kind, const char* out, int notes, QStringList says) {
      QTest::newRow(name) << kind << QString(out) << notes << says;
    };
    row("no such file", -1, "a.doc", -1, {"a.doc", ".pdf", "folder"});
    row("a handout as a page", int(ExportKind::Handout), "a.html", -1,
        {"\"handout\"", "NAME.pdf", "a.html"});
    row("a film as a folder", int(ExportKind::Film), "film", -1, {"NAME.mp4 or NAME.gif"});
    row("pictures as a file", int(ExportKind::Pictures), "a.png", -1, {"folder", "a.png"});
    row("slides with notes", -1, "a.pdf", 1, {"\"slides\"", "--notes", "--kind handout"});
    row("slides without", -1, "a.pdf", 0, {"\"slides\"", "--no-notes"});
    row("a film with notes", -1, "a.mp4", 1, {"\"film\"", "--kind html"});
  }
  void whatDoesNotGoTogetherIsRefused() {
    QFETCH(const int, kind);
    QFETCH(const QString, out);
    QFETCH(const int, notes);
    QFETCH(const QStringList, says);
    ExportAsked asked{{}, out, {}};
    if (kind >= 0) asked.kind = static_cast<ExportKind>(kind);
    if (notes >= 0) asked.notes = notes == 1;
    const auto choice = exportChoice(asked);
    QVERIFY(!choice);
    for (const QString& word : says)
      QVERIFY2(choice.error().contains(word), qPrintable(choice.error()));
    QVERIFY(!choice.error().endsWith('.'));
  }
};

}  // namespace tileloom::lecture

TILELOOM_TEST(tileloom::lecture::ExportKindsTest, EventLoop)
#include "export_kinds_test.moc"
