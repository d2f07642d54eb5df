// SPDX-License-Identifier: GPL-3.0-or-later
// Figures for papers: every page as SVG and PDF without pixels, with outlines or embedded fonts,
// named colours, and of bounded size. A few rungs, which show each look of the pages; all of them
// with TILELOOM_TEST_ALL=1.
#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

#include "app/pages/loom/loom_picture.h"
#include "app/pages/page.h"
#include "app/services/choice/explorer.h"
#include "app/session/page_ids.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/main_window.h"
#include "kernels/tile/stage.h"
#include "tests/app/open_window.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class PaperFiguresTest : public QObject {
  Q_OBJECT

  static constexpr qsizetype kMostBytes = 3'000'000;
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  static qsizetype countOf(const QByteArray& text, const char* pattern) {
    qsizetype count = 0;
    const QRegularExpression wanted((QString::fromLatin1(pattern)));
    for (auto it = wanted.globalMatch(QString::fromLatin1(text)); it.hasNext(); it.next()) ++count;
    return count;
  }

  // Empty, or what is wrong with the file.
  static QString wrongSvg(const QByteArray& svg, bool pixels) {
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) reader.readNext();
    if (reader.hasError()) return reader.errorString();
    const qsizetype images = svg.count("<image");
    if (images > 0 && !pixels) return QString("%1 pictures of pixels").arg(images);
    if ((images == 0) != svg.contains("This file has no raster images"))
      return QStringLiteral("says something else of its pictures");
    if (svg.contains("<text") || svg.contains("font-family")) return QStringLiteral("needs a font");
    if (countOf(svg, "(fill|stroke|stop-color)=\"(#|rgb|[a-z]+\\()") > countOf(svg, "=\"url\\("))
      return QStringLiteral("has a colour without a name");
    if (!svg.contains("<desc>") || !svg.contains("Colours: ")) return QStringLiteral("no legend");
    // Each name that is used is in the style sheet.
    const QString sheet = QString::fromUtf8(svg.mid(0, svg.indexOf("</style>")));
    static const QRegularExpression used("class=\"([^\"]+)\"");
    QSet<QString> names;
    for (auto it = used.globalMatch(QString::fromUtf8(svg)); it.hasNext();) {
      for (const QString& name : it.next().captured(1).split(' ')) names.insert(name);
    }
    for (const QString& name : names) {
      if (!sheet.contains('.' + name + '{')) return name + " is in no style sheet";
    }
    return svg.size() > kMostBytes ? QString("%1 bytes").arg(svg.size()) : QString();
  }

  static QString wrongPdf(const QByteArray& pdf, bool pixels) {
    const qsizetype images = pdf.count("/Subtype /Image");
    if (images > 0 && !pixels) return QString("%1 pictures of pixels").arg(images);
    if (pdf.contains("/DCTDecode")) return QStringLiteral("JPEG loses");
    if ((images == 0) != pdf.contains("This file has no raster images"))
      return QStringLiteral("says something else of its pictures");
    const qsizetype fonts = countOf(pdf, "/Type /FontDescriptor");
    if (fonts == 0) return QStringLiteral("no font");
    if (countOf(pdf, "/FontFile[23]? ") != fonts) return QStringLiteral("a font is not embedded");
    if (!pdf.contains("<dc:description>") || !pdf.contains("Colours: A #"))
      return QStringLiteral("no legend");
    return pdf.size() > kMostBytes ? QString("%1 bytes").arg(pdf.size()) : QString();
  }

  static std::vector<const Stage*> rungs() {
    if (qEnvironmentVariableIsSet("TILELOOM_TEST_ALL"))
      return {everyStage().begin(), everyStage().end()};
    return {&test::stage("naive"), &test::stage("rewritten"),
            tensorStages().size() > 3 ? &tensorStages()[3] : &tensorStages().back()};
  }

 private slots:
  void everyPage() {
    OpenWindow w;
    QVERIFY(w.ready());
    QSet<QByteArray> seen;
    for (const Stage* stage : rungs()) {
      ViewState state = w.explorer().state();
      state.stage = stage;
      state.tile = stage->standardTile();
      w.explorer().setState(state);
      QVERIFY(w.settled());
      w.explorer().setIndex(static_cast<int>(openingIndex(w.recording())));
      for (const std::string_view id : kPageIds) {
        const QByteArray name(id.data(), static_cast<qsizetype>(id.size()));
        const ViewExport how{{}, 1, QDate(2026, 2, 3)};
        // Some pages say why a rung has nothing for them.
        if (!writeView(w.window, id, path("a.svg"), how).isEmpty()) continue;
        QCOMPARE(writeView(w.window, id, path("a.pdf"), how), QString());
        const QByteArray what = QByteArray(stage->id.data()) + ' ' + name + ": ";
        QCOMPARE(what + wrongSvg(contents(path("a.svg")), false).toUtf8(), what);
        QCOMPARE(what + wrongPdf(contents(path("a.pdf")), false).toUtf8(), what);
        seen.insert(name);
      }
    }
    // A comparison needs a baseline; all others have been seen.
    for (const std::string_view id : kPageIds) {
      const QByteArray name(id.data(), static_cast<qsizetype>(id.size()));
      QVERIFY2(seen.contains(name) || name == "compare", name);
    }
  }

  // Buttons and a ribbon are pixels there, without loss, and the file says so.
  void theWholeWindow() {
    OpenWindow w;
    QVERIFY(w.ready());
    for (const char* name : {"w.svg", "w.pdf"})
      QCOMPARE(writeView(w.window, kWindowId, path(name), {{}, 1, {}}), QString());
    QCOMPARE(wrongSvg(contents(path("w.svg")), true), QString());
    QCOMPARE(wrongPdf(contents(path("w.pdf")), true), QString());
    // The cloth and the slabs are none of them.
    static const QRegularExpression sizes("<image[^>]* width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
    for (auto it = sizes.globalMatch(QString::fromUtf8(contents(path("w.svg")))); it.hasNext();)
      QVERIFY(it.next().captured(2).toDouble() < 40);
  }

  // The loom at every level, where cells are few and large or many and small.
  void everyLevelOfTheLoom() {
    const auto recording = test::recorded({.stage = "warptiled"});
    for (const LoomLevel level :
         {LoomLevel::Grid, LoomLevel::Block, LoomLevel::Warp, LoomLevel::Thread}) {
      Picture picture;
      picture.paint = paintLoomPicture;
      picture.theme = Theme::make(Look::Dark);
      picture.zoom = level;
      const Scene scene = makeScene(recording, 0, recording->trace.length(0) / 2);
      for (const char* name : {"l.svg", "l.pdf"})
        QCOMPARE(writePicture(picture, scene, path(name)), QString());
      QCOMPARE(wrongSvg(contents(path("l.svg")), false), QString());
      QCOMPARE(wrongPdf(contents(path("l.pdf")), false), QString());
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PaperFiguresTest, Window)
#include "paper_figures_test.moc"
