// SPDX-License-Identifier: GPL-3.0-or-later
// docs/views.md has a section for each page, in the order of the tabs, that begins with the page's
// own words.
#include <QRegularExpression>
#include <QTest>

#include "app/glossary/glossary.h"
#include "app/pages/page.h"
#include "tests/support/test_class.h"

namespace tileloom {

class ViewsDocumentTest : public QObject {
  Q_OBJECT

 private slots:
  void everyPageHasItsSection() {
    QFile file(QStringLiteral(TILELOOM_SOURCE_DIR "/docs/views.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString document = QString::fromUtf8(file.readAll());
    qsizetype last = -1;
    for (const PageRow* row : pageRows()) {
      const QString heading = QStringLiteral("\n## %1\n\n").arg(pageTitle(*row));
      const qsizetype at = document.indexOf(heading);
      QVERIFY2(at > last, qPrintable("docs/views.md lacks, at its place, the heading" + heading));
      last = at;
      const QString begins = firstWords(*row);
      const QString section = document.mid(at + heading.size(), 2 * begins.size());
      QVERIFY2(section.simplified().startsWith(begins),
               qPrintable(QStringLiteral("the section %1 of docs/views.md must begin with: %2")
                              .arg(pageTitle(*row), begins)));
    }
  }

 private:
  // "What each line of the kernel costs. Key: S."; for the loom, which has no tab, the words of the
  // glossary.
  static QString firstWords(const PageRow& row) {
    if (row.place == PagePlace::Loom)
      return QString::fromStdString(termsLike("loom").front()->means);
    return QStringLiteral("%1. Key: %2.")
        .arg(QString::fromUtf8(row.tip), keyOf(row).toString(QKeySequence::PortableText));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ViewsDocumentTest, Nothing)
#include "views_document_test.moc"
