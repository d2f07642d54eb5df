// SPDX-License-Identifier: GPL-3.0-or-later
// Texts from files, links and workers are shown as plain text: nothing in them is formatted, loaded
// or followed. Each text names a picture on this disk; the kernel reports if it is opened.
#include <sys/inotify.h>
#include <unistd.h>

#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QToolTip>
#include <nlohmann/json.hpp>

#include "app/pages/page.h"
#include "app/session/session_text.h"
#include "app/window/common/settings.h"
#include "app/window/common/tell.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;
using test::Surroundings;

// Watches for opens of the file.
class Guard {
 public:
  explicit Guard(const QString& file) : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    ::inotify_add_watch(descriptor_, file.toLocal8Bit().constData(), IN_OPEN | IN_ACCESS);
  }
  ~Guard() { ::close(descriptor_); }
  bool heard() {
    char events[4096];
    return ::read(descriptor_, events, sizeof events) > 0;
  }

 private:
  int descriptor_;
};

class PlainTextWindowTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  QString picture() const { return m_around->path("picture.png"); }
  QString evil() const { return QStringLiteral("<img src=\"%1\"><h1>big</h1>").arg(picture()); }

  // Widgets with text that is not plain. The box "About Tileloom" has only its own text.
  static QStringList formatted() {
    QStringList found;
    for (const QWidget* widget : QApplication::allWidgets()) {
      const auto* label = qobject_cast<const QLabel*>(widget);
      if (label == nullptr || label->textFormat() == Qt::PlainText) continue;
      if (label->textFormat() == Qt::AutoText && !label->testAttribute(Qt::WA_WState_Polished))
        continue;  // not shown yet; its first polish makes it plain
      found += QString("%1 %2").arg(label->metaObject()->className(), label->text().left(60));
    }
    return found;
  }

  // Does `act`, which opens a box, and gives the box's text.
  template <class F>
  static QString boxOf(F&& act) {
    QString text;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr || !box->isVisible()) return;
      text = box->text();
      (void)box->grab();
      if (!formatted().isEmpty()) text = "FORMATTED " + formatted().join("; ");
      box->accept();
    });
    timer.start(20);
    act();
    return text;
  }

  static void showEveryPage(OpenWindow& w) {
    for (const std::string_view id : kTabIds) {
      w.window.showPage(id);
      QTest::qWait(20);
      (void)w.window.grab();
    }
  }

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    QImage image(8, 8, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(picture()));
  }

  // The guard detects a label that formats such a text; otherwise this test could not fail.
  void theGuardHears() {
    Guard guard(picture());
    QLabel label;
    label.setTextFormat(Qt::RichText);
    label.setText(evil());
    (void)label.grab();
    QVERIFY(guard.heard());
    QVERIFY(formatted().size() == 1);
  }

  void labelsTipsAndBoxes() {
    Guard guard(picture());
    {
      QLabel label(evil());
      label.show();
      (void)label.grab();
      QCOMPARE(label.textFormat(), Qt::PlainText);
      QToolTip::showText({10, 10}, evil(), &label);
      QVERIFY(QToolTip::isVisible());
      QCOMPARE(formatted(), QStringList());
      QToolTip::showText({30, 30}, evil() + " again", &label);
      QTest::qWait(50);
      QCOMPARE(formatted(), QStringList());
      QToolTip::hideText();
      QCOMPARE(boxOf([&] { tellProblem(label, "Title", evil()); }), evil());
      QCOMPARE(boxOf([&] { tellResult(label, "Title", evil()); }), evil());
    }
    QVERIFY(!guard.heard());
  }

  // Every text of a session, one after the other, and the box that refuses it.
  void sessions() {
    Guard guard(picture());
    OpenWindow w;
    QVERIFY(w.ready());
    const auto whole = nlohmann::json::parse(sessionText(w.window.session()));
    const std::string name = m_around->path("<b>view</b>.tileloom").toStdString();
    int refused = 0;
    for (const auto& [key, value] : whole.items()) {
      auto broken = whole;
      broken[key] = evil().toStdString();
      QVERIFY(Surroundings::write(QString::fromStdString(name),
                                  QByteArray::fromStdString(broken.dump())));
      Settings().set("sessions/recent", QStringList{QString::fromStdString(name)});
      // Opened from the list of recent ones.
      QAction* entry = nullptr;
      for (QMenu* menu : w.window.findChildren<QMenu*>()) {
        if (menu->title() != "Recen&t sessions") continue;
        emit menu->aboutToShow();
        entry = menu->actions().first();
      }
      QVERIFY(entry != nullptr);
      const QString said = boxOf([&] {
        QTimer closer;  // ends with this entry: a later one must not have its box closed
        closer.setSingleShot(true);
        closer.callOnTimeout([] {
          if (QWidget* box = QApplication::activeModalWidget()) box->close();
        });
        closer.start(3000);
        entry->trigger();
      });
      if (said.isEmpty()) continue;  // a text that this member may be
      QVERIFY2(!said.startsWith("FORMATTED"), qPrintable(said));
      QVERIFY(!said.contains('\n'));
      ++refused;
    }
    QVERIFY(refused >= 5);
    QVERIFY(!guard.heard());
  }

  // Runs in which every text is such a text, kept and shown on every page; and refused ones.
  void runs() {
    Guard guard(picture());
    const auto run = nlohmann::json::parse(toLine(test::madeUpRun()));
    QByteArray lines;
    for (const auto& [key, value] : run.items()) {
      if (!value.is_string()) continue;
      auto odd = run;
      odd[key] = evil().toStdString();
      lines += QByteArray::fromStdString(odd.dump()) + '\n';
    }
    auto all = run;
    for (const char* key : {"device", "driver", "cuda"}) all[key] = evil().toStdString();
    lines += QByteArray::fromStdString(all.dump()) + '\n';
    QVERIFY(Surroundings::write(m_around->history(), lines));
    QVERIFY(Surroundings::write(m_around->path("given.jsonl"), lines));
    QVERIFY(Surroundings::write(m_around->path("data/tileloom/ceilings.jsonl"), lines));
    QVERIFY(Surroundings::write(m_around->path("data/tileloom/rates.jsonl"), lines));
    MainWindow window({Surroundings::worker(), m_around->historyPath(), true});
    window.resize(1600, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    for (const std::string_view id : kTabIds) {
      window.showPage(id);
      QTest::qWait(20);
      (void)window.grab();
    }
    QCOMPARE(formatted(), QStringList());
    const auto done = window.lab().importRuns(m_around->path("given.jsonl").toStdString());
    QCOMPARE(boxOf([&] { tellResult(window, "Import", done ? *done : done.error()); }),
             done ? *done : done.error());
    QVERIFY(!guard.heard());
  }

  // A worker whose every text is such a text: hello, failures, and its last message.
  void workers() {
    Guard guard(picture());
    const std::string word = evil().toStdString();
    const nlohmann::json device = {{"index", 0},
                                   {"name", word},
                                   {"bus", word},
                                   {"major", 9},
                                   {"minor", 0},
                                   {"sms", 132},
                                   {"warps_per_sm", 64},
                                   {"blocks_per_sm", 32},
                                   {"registers_per_sm", 65536},
                                   {"shared_per_sm", 233472},
                                   {"shared_per_block", 232448},
                                   {"l2_bytes", 52428800},
                                   {"memory_bytes", 8e10},
                                   {"clock_mhz", 1980}};
    const nlohmann::json hello = {
        {"protocol", 1},       {"version", word},  {"nvrtc", word},  {"architectures", {90}},
        {"cublas", word},      {"cublaslt", word}, {"driver", word}, {"driver_version", word},
        {"devices", {device}}, {"missing", {word}}};
    QByteArray lines = QByteArray::fromStdString(worker::resultLine(1, hello));
    for (int id = 2; id < 60; ++id) {
      lines += '\n' + QByteArray::fromStdString(
                          worker::errorLine(id, worker::kGpuError, word, Trouble::Failed));
    }
    const QString file = m_around->path("lines");
    QVERIFY(Surroundings::write(file, lines + '\n'));
    MainWindow window({{TILELOOM_EVIL_WORKER, "says", file}, m_around->historyPath(), true});
    window.resize(1600, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(QTest::qWaitFor([&] { return window.lab().canMeasure(); }, test::kPatience));
    for (const std::string_view id : kTabIds) {
      window.showPage(id);
      QTest::qWait(100);
      (void)window.grab();
    }
    QTest::qWait(500);
    QCOMPARE(formatted(), QStringList());
    QVERIFY(!guard.heard());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PlainTextWindowTest, Window)
#include "plain_text_window_test.moc"
