// SPDX-License-Identifier: GPL-3.0-or-later
// Links of documents have targets, every document is found from README.md, and every picture is
// used.
#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "tests/docs/documents.h"
#include "tests/support/test_class.h"

namespace tileloom {

class LinksTest : public QObject {
  Q_OBJECT

  const QString m_root = QStringLiteral(TILELOOM_SOURCE_DIR "/");

 private slots:
  void everyLinkLeadsSomewhere_data() {
    QTest::addColumn<QString>("path");
    for (const QString& path : test::documents()) QTest::newRow(qPrintable(path)) << path;
  }

  void everyLinkLeadsSomewhere() {
    QFETCH(QString, path);
    QStringList broken;
    for (const test::Link& link : test::linksOf(path)) {
      if (link.file.isEmpty()) continue;  // another site
      if (link.target.startsWith('/') || !QFileInfo::exists(m_root + link.file))
        broken += QStringLiteral("%1: there is no %2").arg(link.target, link.file);
      else if (!link.anchor.isEmpty() && !test::anchorsOf(link.file).contains(link.anchor))
        broken += QStringLiteral("%1: %2 has no such heading").arg(link.target, link.file);
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // Within two links, so that every reader can find it.
  void everyDocumentIsFoundFromTheReadme() {
    QSet<QString> found{QStringLiteral("README.md")};
    for (int links = 0; links < 2; ++links) {
      for (const QString& from : QSet<QString>(found)) {
        if (!from.endsWith(QStringLiteral(".md"))) continue;
        for (const test::Link& link : test::linksOf(from)) found += link.file;
      }
    }
    QStringList lost;
    for (const QString& path : test::documents())
      if (!found.contains(path)) lost += path;
    QVERIFY2(lost.isEmpty(), qPrintable("more than two links from README.md: " + lost.join(' ')));
  }

  void everyPictureIsUsed() {
    QSet<QString> used;
    for (const QString& path : test::documents())
      for (const test::Link& link : test::linksOf(path)) used += link.file;
    QStringList orphans;
    for (const QString& name : QDir(m_root + "docs/images").entryList(QDir::Files))
      if (!used.contains("docs/images/" + name)) orphans += name;
    QVERIFY2(orphans.isEmpty(), qPrintable("no document shows " + orphans.join(' ')));
  }

  // A document that a source names exists under that name.
  void sourcesNameDocumentsThatExist() {
    static const QRegularExpression kDocument(QStringLiteral("\\bdocs/[\\w/-]+\\.md\\b"));
    // Recordings are keyed by the text of these folders, so these keep the older names.
    const QSet<QString> older{QStringLiteral("docs/timeline.md")};
    QStringList missing;
    for (const char* folder : {"app", "kernels", "viz", "tests", "scripts", "measurements"}) {
      for (const QString& path : filesIn(QString::fromLatin1(folder))) {
        for (auto at = kDocument.globalMatch(test::textOf(path)); at.hasNext();) {
          const QString name = at.next().captured();
          if (!QFileInfo::exists(m_root + name) && !older.contains(name))
            missing += QStringLiteral("%1: there is no %2").arg(path, name);
        }
      }
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
  }

 private:
  QStringList filesIn(const QString& folder) const {
    QStringList files;
    const QDir dir(m_root + folder);
    for (const QString& name :
         dir.entryList({"*.h", "*.cpp", "*.cuh", "*.cu", "*.sh", "*.cmake"}, QDir::Files))
      files += folder + '/' + name;
    for (const QString& inner : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      files += filesIn(folder + '/' + inner);
    return files;
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LinksTest, Nothing)
#include "links_test.moc"
