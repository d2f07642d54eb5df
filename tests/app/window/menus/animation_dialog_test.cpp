// SPDX-License-Identifier: GPL-3.0-or-later
// File › Export › Animation, used through its dialog.
#include "app/window/menus/animation_dialog.h"
#include "app/pages/loom/loom_picture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>

#include "app/window/common/actions.h"
#include "tests/app/fake_ffmpeg.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::FakeFfmpeg;
using test::OpenWindow;

class AnimationDialogTest : public QObject {
  Q_OBJECT

  // The window with the dialog open.
  struct Open : OpenWindow {
    Open() {
      for (const NamedAction& a : actionsOf(*window.menuBar())) {
        if (a.name == "File › Export › Animation") a.action->trigger();
      }
      dialog = window.findChild<AnimationDialog*>();
    }
    template <class Widget>
    Widget& part(const char* name) {
      return *dialog->findChild<Widget*>(name);
    }
    void choose(const char* box, const char* data) {
      auto& combo = part<QComboBox>(box);
      combo.setCurrentIndex(combo.findData(QString(data)));
    }
    void set(const char* box, int value) { part<QSpinBox>(box).setValue(value); }
    void file(const QString& name) { part<QLineEdit>("file").setText(name); }
    QPushButton& button(const char* name) { return part<QPushButton>(name); }
    bool written() {
      QTest::mouseClick(&button("export"), Qt::LeftButton);
      return QTest::qWaitFor([this] { return !dialog->running(); }, test::kPatience);
    }
    QPointer<AnimationDialog> dialog;
  };

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<FakeFfmpeg> ffmpeg_;

  QString path(const QString& name) const { return folder_->filePath(name); }
  QStringList files() const {
    return QDir(folder_->path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    ffmpeg_ = std::make_unique<FakeFfmpeg>(FakeFfmpeg::kSucceeds);
  }
  void cleanup() { ffmpeg_.reset(); }

  // The proposal can be written at once: the first K tile, as large as the loom, as a video.
  void opensReady() {
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    QVERIFY(w.button("export").isEnabled());
    QVERIFY2(w.dialog->message().contains("120 frames, 10.0 s"), qPrintable(w.dialog->message()));
    QCOMPARE(w.part<QSpinBox>("width").value(), w.window.view<LoomView>()->width());
    QCOMPARE(w.part<QSpinBox>("height").value(), w.window.view<LoomView>()->height());
    QVERIFY(w.part<QLineEdit>("file").text().endsWith("TN4.mp4"));
    w.choose("format", "gif");
    QVERIFY(w.part<QLineEdit>("file").text().endsWith("TN4.gif"));
    w.choose("format", "frames");
    QVERIFY(w.part<QLineEdit>("file").text().endsWith("TN4"));
    // Until the rate is set, the animation lasts about ten seconds for every choice.
    w.choose("every", "k");
    QVERIFY2(w.dialog->message().contains("18 frames, 9.0 s"), qPrintable(w.dialog->message()));
    w.set("fps", 10);
    QVERIFY2(w.dialog->message().contains("18 frames, 1.8 s"), qPrintable(w.dialog->message()));
    w.choose("every", "even");
    QVERIFY2(w.dialog->message().contains("120 frames, 12.0 s"), qPrintable(w.dialog->message()));
  }

  void writes_data() {
    QTest::addColumn<QString>("view");
    for (const char* view : {"loom", "banks", "path", "timeline", "window"})
      QTest::newRow(view) << view;
  }
  void writes() {
    QFETCH(QString, view);
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    const auto before = w.scene().moment.index;
    w.choose("view", qPrintable(view));
    w.choose("format", "frames");
    w.choose("every", "k");
    w.set("from", 30);
    w.set("to", 700);
    w.file(path("film"));
    QVERIFY(w.button("export").isEnabled());
    QVERIFY(w.written());
    QVERIFY2(w.dialog->message().startsWith("written: "), qPrintable(w.dialog->message()));
    const QStringList names = QDir(path("film")).entryList(QDir::Files);
    QVERIFY(names.size() > 3);
    const QImage first(path("film/" + names.first())), last(path("film/" + names.last()));
    QVERIFY(first != last);
    QCOMPARE(first.size(), last.size());
    if (view == "loom")
      QCOMPARE(first.size(), w.window.view<LoomView>()->size());  // caption included
    if (view == "window") QCOMPARE(first.width(), w.window.width());
    // The window has restored its instant.
    QTRY_COMPARE(w.scene().moment.index, before);
    QCOMPARE(files(), QStringList{"film"});
    QTest::mouseClick(&w.button("close"), Qt::LeftButton);
    QTRY_VERIFY(w.dialog == nullptr);
  }

  // A picture of any shape shows the whole level: A on the left and B above.
  void theLoomIsFittedToThePicture() {
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    w.choose("format", "frames");
    w.part<QCheckBox>("caption").setChecked(false);
    w.set("from", 100);
    w.set("to", 100);
    for (const QSize size : {QSize(900, 600), QSize(500, 800)}) {
      w.set("width", size.width());
      w.set("height", size.height());
      const QString film = QStringLiteral("film%1").arg(size.width());
      w.file(path(film));
      QVERIFY(w.written());
      // Painted from the recording alone, it is fitted.
      Picture fitted;
      fitted.paint = paintLoomPicture;
      fitted.size = size;
      fitted.theme = Theme::of(w.window.palette());
      fitted.font = w.window.view<LoomView>()->font();
      const QString alone = path("alone.png");
      QCOMPARE(writePicture(fitted, w.scene(), alone), QString());
      const QImage frame(path(film + "/frame_00000.png"));
      QCOMPARE(frame.size(), size);
      w.explorer().setIndex(100);
      QCOMPARE(writePicture(fitted, w.scene(), alone), QString());
      QCOMPARE(frame.convertToFormat(QImage::Format_RGB32),
               QImage(alone).convertToFormat(QImage::Format_RGB32));
    }
  }

  // Animated pages are offered; a page that is empty for this kernel is not.
  void everyPageThatMovesIsOffered() {
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    auto& views = w.part<QComboBox>("view");
    for (const char* view : {"loom", "banks", "path", "timeline", "source", "window"})
      QVERIFY2(views.findData(QString(view)) >= 0, view);
    for (const char* view : {"ring", "fragments", "ladder"})
      QVERIFY2(views.findData(QString(view)) < 0, view);
  }

  void theLoomIsFilmedAsOnTheScreen() {
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    QTest::mouseClick(&w.button("close"), Qt::LeftButton);
    w.window.view<LoomView>()->zoomTo(LoomView::Level::Warp, false);
    w.explorer().setIndex(100);
    QImage seen(w.window.view<LoomView>()->size(), QImage::Format_RGB32);
    w.window.view<LoomView>()->render(&seen);
    QTRY_VERIFY(w.dialog == nullptr);
    for (const NamedAction& a : actionsOf(*w.window.menuBar())) {
      if (a.name == "File › Export › Animation") a.action->trigger();
    }
    w.dialog = w.window.findChild<AnimationDialog*>();
    w.choose("format", "frames");
    w.part<QCheckBox>("caption").setChecked(false);
    w.set("from", 100);
    w.set("to", 100);
    w.file(path("film"));
    QVERIFY(w.written());
    QCOMPARE(QImage(path("film/frame_00000.png")).convertToFormat(QImage::Format_RGB32), seen);
  }

  void cancelled() {
    ffmpeg_.reset();
    ffmpeg_ = std::make_unique<FakeFfmpeg>(FakeFfmpeg::kHangs);
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    w.file(path("a.mp4"));
    QTest::mouseClick(&w.button("export"), Qt::LeftButton);
    QVERIFY(w.dialog->running());
    auto& bar = *w.dialog->findChild<QProgressBar*>();
    // The event loop turns while frames are painted.
    QTRY_VERIFY(bar.value() > 0);
    QVERIFY2(w.dialog->message().contains(" of 120 frames, "), qPrintable(w.dialog->message()));
    QVERIFY(!w.button("export").isEnabled());
    QVERIFY(!files().isEmpty());
    QTest::mouseClick(&w.button("close"), Qt::LeftButton);  // it says Cancel
    QVERIFY(!w.dialog->running());
    QVERIFY2(w.dialog->message().contains("cancelled"), qPrintable(w.dialog->message()));
    QCOMPARE(files(), QStringList());
    QVERIFY(w.button("export").isEnabled());
  }

  void failures() {
    ffmpeg_.reset();
    ffmpeg_ = std::make_unique<FakeFfmpeg>(FakeFfmpeg::kFails);
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    w.choose("every", "k");
    w.file(path("a.mp4"));
    QVERIFY(w.written());
    QVERIFY2(w.dialog->message().contains("Unknown encoder"), qPrintable(w.dialog->message()));
    w.file(path("no/a.mp4"));  // a typing error is reported at once
    QVERIFY(!w.button("export").isEnabled());
    QVERIFY2(w.dialog->message().contains("cannot write"), qPrintable(w.dialog->message()));
    QCOMPARE(files(), QStringList());
  }

  void whatIsWrongIsSaidAtOnce() {
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    const auto wrong = [&w](const char* says) {
      return !w.button("export").isEnabled() && w.dialog->message().contains(says);
    };
    w.set("from", 50);
    w.set("to", 40);
    QVERIFY2(wrong("after the last"), qPrintable(w.dialog->message()));
    w.set("to", 60);
    QVERIFY(w.button("export").isEnabled());
    w.file(path("a.avi"));
    QVERIFY2(wrong(".mp4"), qPrintable(w.dialog->message()));
    w.file(path("a.gif"));
    QVERIFY2(wrong("end it in .mp4"), qPrintable(w.dialog->message()));
    w.choose("format", "gif");
    w.set("fps", 60);
    QVERIFY2(wrong("50"), qPrintable(w.dialog->message()));
    w.set("fps", 50);
    QVERIFY(w.button("export").isEnabled());
    w.set("height", 120);
    w.set("width", 120);
    QVERIFY(w.written());
    QVERIFY2(w.dialog->message().contains("caption takes"), qPrintable(w.dialog->message()));
  }

  void withoutFfmpegItIsAFolder() {
    ffmpeg_.reset();
    ffmpeg_ = std::make_unique<FakeFfmpeg>("");
    Open w;
    QVERIFY(w.ready() && w.dialog != nullptr);
    QCOMPARE(w.part<QComboBox>("format").currentData().toString(), QString("frames"));
    w.choose("format", "mp4");
    QVERIFY2(w.dialog->message().contains("install"), qPrintable(w.dialog->message()));
    QVERIFY(!w.button("export").isEnabled());
  }

  // Closing everything during an export.
  void theWindowMayGo() {
    {
      Open w;
      QVERIFY(w.ready() && w.dialog != nullptr);
      w.choose("view", "window");
      w.choose("every", "instruction");
      w.choose("format", "frames");
      w.file(path("film"));
      QTest::mouseClick(&w.button("export"), Qt::LeftButton);
      QTest::qWait(100);
      QVERIFY(w.dialog->running());
    }
    QCOMPARE(files(), QStringList());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AnimationDialogTest, Window)
#include "animation_dialog_test.moc"
