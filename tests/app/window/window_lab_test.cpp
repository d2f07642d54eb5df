// SPDX-License-Identifier: GPL-3.0-or-later
// Measuring in the window: charts, ladder, tile parameters and the worker's buttons.
#include <signal.h>

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScopeGuard>
#include <QSpinBox>
#include <QTabWidget>
#include <QUndoStack>
#include <QtTest>
#include <algorithm>
#include <cerrno>

#include "app/window/application.h"
#include "app/window/main_window.h"
#include "kernels/analysis/recording.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/surroundings.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"
#include "viz/base/text/library_text.h"
#include "viz/charts/history/history_charts.h"
#include "viz/charts/ladder/ladder_chart.h"
#include "viz/code/loop/loop_view.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"
#include "viz/panels/facts_panel.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/parameter_panel.h"
#include "viz/panels/parameter_slider.h"

namespace tileloom {

using test::clickAt;
using test::q;
using test::stage;
using test::Surroundings;

// Time passes slowly for this fake: rounds follow each other for seconds, and agree badly.
constexpr const char* kSlow = "jitter=0.3,rate=naive:4,slow-stage=naive:5";
constexpr int kNoPassing = 500;  // ms; a stop that lasted this long is a point of the history

class WindowLabTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  struct Open {
    explicit Open(LabSetup setup) : window(std::move(setup)) {
      window.resize(1600, 1000);
      window.show();
      ready =
          QTest::qWaitForWindowActive(&window) &&
          QTest::qWaitFor([this] { return window.explorer().scene().ready(); }, test::kPatience);
      window.view<LoomView>()->setFocus();
    }
    Lab& lab() { return window.lab(); }
    Explorer& explorer() { return window.explorer(); }
    const std::vector<HistoryPoint>& history() { return lab().history(); }
    const HistoryPoint& now() { return history().at(std::size_t(lab().current())); }
    bool isDone() { return now().gflops.known() && !now().measuring; }
    template <class Widget>
    Widget& part(const char* name) {
      return *window.findChild<Widget*>(name);
    }
    QString text(const char* label) { return part<QLabel>(label).text(); }
    const Fact& speed() { return window.view<FactsPanel>()->facts().at(0); }

    void key(Qt::Key code) {
      QWidget* focus = QApplication::focusWidget();
      QTest::keyClick(focus != nullptr ? focus : &window, code);
    }
    void typeParameter(Parameter parameter, int value) {
      QSpinBox* box = window.view<ParameterPanel>()->spinBox(parameter);
      box->setFocus();
      box->selectAll();
      QTest::keyClicks(box, QString::number(value));
      QTest::keyClick(box, Qt::Key_Return);
    }
    void typeSize(const QString& text) {
      auto& field = part<QLineEdit>("size");
      field.setFocus();
      field.selectAll();
      QTest::keyClicks(&field, text);
      QTest::keyClick(&field, Qt::Key_Return);
    }
    // The menu entry whose text begins like this.
    QAction* action(const char* words) {
      for (QAction* a : window.findChildren<QAction*>()) {
        if (a->text().remove('&').startsWith(words)) return a;
      }
      return nullptr;
    }

    MainWindow window;
    bool ready = false;
  };

  LabSetup measuring() const { return {Surroundings::worker(), m_around->historyPath(), true}; }
  static LabSetup recordedOnly() { return {{}, {}, false}; }

  static bool isGone(qint64 process) {
    return ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
  }

  // Answers the next file dialog with a name, and a message after it with its button; `said` is the
  // text of the message.
  static void answerDialogs(const QString& file, QString* said = nullptr) {
    auto* timer = new QTimer(qApp);
    connect(timer, &QTimer::timeout, timer, [timer, file, said, named = false]() mutable {
      QWidget* modal = QApplication::activeModalWidget();
      if (auto* message = qobject_cast<QMessageBox*>(modal)) {
        if (said != nullptr) *said = message->text();
        timer->deleteLater();
        message->accept();
      } else if (auto* dialog = qobject_cast<QFileDialog*>(modal); dialog != nullptr && !named) {
        named = true;
        if (said == nullptr) timer->deleteLater();
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(file);
        QMetaObject::invokeMethod(dialog, "accept");
      }
    });
    timer->start(20);
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void keysChangeTheTab() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    w.key(Qt::Key_C);
    QVERIFY(w.window.view<HistoryCharts>()->isVisible() && !w.window.view<BankView>()->isVisible());
    w.key(Qt::Key_L);
    QVERIFY(w.window.view<LadderChart>()->isVisible() &&
            !w.window.view<HistoryCharts>()->isVisible());
    w.key(Qt::Key_B);
    QVERIFY(w.window.view<BankView>()->isVisible() && !w.window.view<LadderChart>()->isVisible());
    // A letter typed into a field is not a shortcut.
    auto& field = w.part<QLineEdit>("size");
    field.setFocus();
    w.key(Qt::Key_C);
    QVERIFY(field.text().contains('c') && w.window.view<BankView>()->isVisible());
  }

  void everyMoveOfAParameterIsAPoint() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    w.key(Qt::Key_C);
    QCOMPARE(w.history().size(), std::size_t{1});
    QTest::qWait(kNoPassing);
    w.typeParameter(Parameter::BK, 8);
    QCOMPARE(w.history().size(), std::size_t{2});
    QCOMPARE(w.now().tile[Parameter::BK], 8);
    QTest::qWait(kNoPassing);

    ParameterSlider* slider = w.window.view<ParameterPanel>()->slider(Parameter::TM);
    const auto target = std::ranges::find_if(slider->marks(), [slider](const auto& mark) {
      return mark.legal && mark.value != slider->value();
    });
    QVERIFY(target != slider->marks().end());
    const auto at = [slider](int v) { return QPoint(qRound(slider->positionOf(v)), 8); };
    const int value = target->value;
    QTest::mousePress(slider, Qt::LeftButton, {}, at(slider->value()));
    QTest::mouseMove(slider, at(value));
    QTest::mouseRelease(slider, Qt::LeftButton, {}, at(value));
    QCOMPARE(w.history().size(), std::size_t{3});
    QCOMPARE(w.now().tile[Parameter::TM], value);
    QTest::qWait(kNoPassing);
    w.typeParameter(Parameter::BM, 96);  // no tile, no point
    QCOMPARE(w.history().size(), std::size_t{3});
    QVERIFY(std::ranges::equal(w.window.view<HistoryCharts>()->points(), w.history()));
    QCOMPARE(w.window.view<HistoryCharts>()->current(), 2);
  }

  // Moves in one arithmetic share a scale; those in another are counted, not drawn.
  void otherFormatsAreNotDrawn() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    HistoryCharts& charts = *w.window.view<HistoryCharts>();
    auto& elements = w.part<QComboBox>("elements");
    auto& hidden = w.part<QLabel>("hiddenMoves");
    w.key(Qt::Key_C);
    QTRY_VERIFY(charts.isVisible());
    QVERIFY(!hidden.isVisible() && !elements.isVisible());
    w.typeSize("4096");
    QTest::qWait(kNoPassing);
    const std::size_t fp32 = charts.points().size();

    w.explorer().setStage(stage("mmaring"));
    QTest::qWait(kNoPassing);
    QCOMPARE(charts.points().size(), std::size_t{1});
    QCOMPARE(charts.current(), 0);
    QVERIFY(charts.points()[0].format == Format::Bf16);
    QVERIFY(charts.points()[0].gflops.known());
    QVERIFY(hidden.isVisible() && elements.isVisible());
    QVERIFY2(w.text("hiddenMoves").contains("another format than bf16"),
             qPrintable(w.text("hiddenMoves")));
    const HistoryPoint bf16 = w.now();

    // The user chooses the other format, and undoes it.
    elements.setFocus();
    QTest::keyClick(&elements, Qt::Key_Down);
    QVERIFY(w.explorer().format() == Format::Fp16);
    QTest::qWait(kNoPassing);
    QCOMPARE(w.history().size(), fp32 + 2);
    QCOMPARE(charts.points().size(), std::size_t{1});
    QVERIFY(w.now().format == Format::Fp16 && w.now().tile == bf16.tile);
    QVERIFY(w.now().gflops != bf16.gflops);
    QTRY_VERIFY(w.explorer().scene().recording->trace.format == Format::Fp16);
    w.window.undoStack().undo();
    QVERIFY(w.explorer().format() == Format::Bf16);
    QCOMPARE(elements.currentText(), QStringLiteral("bf16"));
    w.window.undoStack().redo();
    QCOMPARE(elements.currentText(), QStringLiteral("fp16"));

    w.explorer().setStage(stage("warptiled"));
    QTest::qWait(kNoPassing);
    QVERIFY(!elements.isVisible());
    QVERIFY(charts.points().size() > fp32);
    for (const HistoryPoint& p : charts.points()) QVERIFY(p.format == Format::Fp32);
    QVERIFY(w.explorer().halves() == Format::Fp16);  // for the next tensor rung
  }

  void aClickOnAPointBringsItsTileBack_data() {
    QTest::addColumn<int>("panel");
    QTest::newRow("speed") << 0;
    QTest::newRow("share") << 1;
    QTest::newRow("registers") << 2;
    QTest::newRow("occupancy") << 3;
  }
  void aClickOnAPointBringsItsTileBack() {
    QFETCH(int, panel);
    Open w(recordedOnly());
    QVERIFY(w.ready);
    const HistoryPoint first = w.now();  // the default warp tile, which is recorded
    QVERIFY(first.gflops.known() && first.registers > 0);
    QTest::qWait(kNoPassing);
    w.typeParameter(Parameter::BK, 8);
    QTest::qWait(kNoPassing);
    w.explorer().setStage(stage("naive"));
    QTest::qWait(kNoPassing);
    w.typeSize("512");
    QCOMPARE(w.history().size(), std::size_t{4});
    QTest::qWait(kNoPassing);

    HistoryCharts& charts = *w.window.view<HistoryCharts>();
    w.key(Qt::Key_C);
    QTRY_VERIFY(charts.isVisible());
    QCoreApplication::processEvents();
    const auto mark = charts.markAt(kHistoryPanels[std::size_t(panel)], 0);
    QVERIFY(mark && charts.rect().contains(mark->toPoint()));
    clickAt(charts, *mark);
    QVERIFY(&w.explorer().stage() == first.rung());
    QVERIFY(w.explorer().tile() == first.tile && w.explorer().problem() == first.problem);
    QVERIFY(w.window.view<ParameterPanel>()->tile() == first.tile);
    QCOMPARE(w.window.view<LadderList>()->currentRow(), first.rung()->rung - 1);
    QCOMPARE(w.part<QLineEdit>("size").text(), q(toString(first.problem)));
    QCOMPARE(w.history().size(), std::size_t{5});  // a move of its own, without stops in between
    QVERIFY(w.now().tile == first.tile && w.now().gflops == first.gflops);
    QCOMPARE(charts.current(), 4);
    QTRY_VERIFY(!w.explorer().scene().stale &&
                w.explorer().scene().recording->trace.tile == first.tile);
  }

  void aClickOnABarPicksTheRung() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    w.key(Qt::Key_L);
    LadderChart& chart = *w.window.view<LadderChart>();
    QTRY_VERIFY(chart.isVisible());
    QCOMPARE(chart.bars().size(), everyStage().size());
    for (const char* id : {"naive", "vectorized", "shared"}) {
      const auto bar = chart.barRect(stage(id).rung - 1);
      QVERIFY(bar && chart.rect().contains(bar->center().toPoint()));
      clickAt(chart, bar->center());
      QVERIFY2(&w.explorer().stage() == &stage(id), id);
      QCOMPARE(w.window.view<LadderList>()->currentRow(), stage(id).rung - 1);
    }
  }

  void theRungsHaveBars() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    LadderList& list = *w.window.view<LadderList>();
    QCOMPARE(list.bars().size(), everyStage().size());
    for (const Stage& s : stages()) {
      const LadderBar& bar = list.bars()[std::size_t(s.rung - 1)];
      QVERIFY(bar.rung() == &s);
      if (!runs::hasRecordedRuns(s)) continue;
      const auto* run = runs::recordedRun(standardSubject(s), w.explorer().problem());
      QVERIFY(run != nullptr);
      QVERIFY(bar.ratio == run->ratio && bar.freshness == Freshness::Recorded);
    }
    const QImage with = list.viewport()->grab().toImage();
    w.typeSize("1111");  // at which nothing is recorded
    for (const LadderBar& bar : list.bars()) QVERIFY(!bar.ratio.known());
    const QImage without = list.viewport()->grab().toImage();
    int compared = 0;
    for (int row = 0; row < list.count(); ++row) {
      if (!runs::hasRecordedRuns(*everyStage()[std::size_t(row)])) continue;
      const QRect place = list.visualItemRect(list.item(row));
      if (!list.viewport()->rect().contains(place)) continue;  // it is scrolled out of sight
      ++compared;
      QVERIFY2(with.copy(place) != without.copy(place), qPrintable(QString::number(row)));
    }
    QVERIFY(compared > list.count() / 2);
    w.typeSize("2048");
    QVERIFY(list.viewport()->grab().toImage() == with);
    TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  void withoutAGpuAllIsRecorded() {
    Open w(measuring());
    QVERIFY(w.ready);
    QTRY_VERIFY(w.lab().client().info().has_value());
    QVERIFY2(w.text("workerStatus").contains("speeds are recorded"),
             qPrintable(w.text("workerStatus")));
    QVERIFY(w.part<QLabel>("workerStatus").isVisible());
    QVERIFY(!w.part<QLabel>("trouble").isVisible());
    QVERIFY(!w.part<QAbstractButton>("startWorker").isVisible());
    w.key(Qt::Key_L);
    QVERIFY(w.window.view<LadderChart>()->isVisible());
    QVERIFY(!w.part<QAbstractButton>("measureLadder").isVisible());
    QVERIFY2(w.speed().note.startsWith("recorded"), qPrintable(w.speed().note));
    w.typeSize("1111");
    QCOMPARE(w.speed().note, QString("not recorded"));
    QVERIFY(!QFile::exists(m_around->history()));
  }

  void withAGpuItIsMeasured() {
    m_around->fakeGpu("jitter=0,rate=warptiled:20000,rate=cublas:40000,registers=64");
    Open w(measuring());
    QVERIFY(w.ready);
    w.typeSize("128");
    QTRY_VERIFY(w.lab().canMeasure() && w.isDone());
    QVERIFY2(w.text("workerStatus").startsWith("Live on Fake H100"),
             qPrintable(w.text("workerStatus")));
    QCOMPARE(w.speed().value, QString("20,000"));
    QVERIFY2(w.speed().note.startsWith("live"), qPrintable(w.speed().note));
    QCOMPARE(w.window.view<FactsPanel>()->facts().at(1).value, QString("50.0"));
    w.key(Qt::Key_M);  // again
    QVERIFY(w.now().measuring);
    QTRY_VERIFY(w.isDone());
    const auto kept = runs::readRuns(m_around->historyPath());
    QVERIFY(kept && kept->runs.size() >= 2);

    w.key(Qt::Key_L);
    auto& button = w.part<QAbstractButton>("measureLadder");
    QTRY_VERIFY(button.isVisible());
    QTest::mouseClick(&button, Qt::LeftButton);
    const auto isLive = [](const LadderBar& bar) {
      return bar.freshness == Freshness::Live && bar.ratio.known();
    };
    QTRY_VERIFY(std::ranges::all_of(w.window.view<LadderChart>()->bars(), isLive));
    // Rungs of both ladders were measured.
    const auto& all = w.window.view<LadderList>()->bars();
    QCOMPARE(all.size(), everyStage().size());
    QTRY_VERIFY(std::ranges::all_of(all, isLive));
    QVERIFY(w.window.view<LadderChart>()->source().startsWith("live on Fake H100"));
  }

  // A share of cuBLAS is the median of the rounds' shares, which is not always the quotient of both
  // median speeds: the figures beside it say so.
  void aShareThatIsNoQuotientSaysWhatItIs() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    w.typeSize("2048x2048x2048");
    int differ = 0;
    for (const Stage& s : stages()) {
      if (!runs::hasRecordedRuns(s)) continue;
      w.explorer().setStage(s);
      QTRY_VERIFY(w.now().rung() == &s && w.isDone());
      const HistoryPoint& p = w.now();
      QVERIFY(p.ratio.known() && p.cublas.known());
      const Fact& share = w.window.view<FactsPanel>()->facts().at(1);
      QCOMPARE(share.value, QString::number(100 * p.ratio.median, 'f', 1));
      QVERIFY2(share.note.contains("median of rounds"), qPrintable(share.note));
      QVERIFY2(share.tip.contains(figures::ratioMeaning()), qPrintable(share.tip));
      const double quotient = 100 * p.gflops.median / p.cublas.median;
      differ += QString::number(quotient, 'f', 1) != share.value;
    }
    QVERIFY(differ > 0);  // as rung 8 at 2048
  }

  void aWrongResultIsSaid() {
    m_around->fakeGpu("jitter=0,wrong=17");
    Open w(measuring());
    QVERIFY(w.ready);
    w.typeSize("128");
    QTRY_VERIFY(w.part<QLabel>("trouble").isVisible());
    QVERIFY2(w.text("trouble").contains("wrong"), qPrintable(w.text("trouble")));
    QVERIFY(w.speed().trouble);
    QCOMPARE(w.speed().value, QString("–"));
    QVERIFY(!w.part<QAbstractButton>("startWorker").isVisible());
  }

  void aWorkerThatGivesUpCanBeStartedAgain() {
    const QString flag = m_around->path("now it may");
    const QString script =
        QStringLiteral("[ -e '%1' ] && exec '%2' worker; echo no card in the slot >&2; exit 4")
            .arg(flag, QStringLiteral(TILELOOM_PROGRAM));
    m_around->fakeGpu("jitter=0");
    Open w({{"/bin/sh", "-c", script}, m_around->historyPath(), true});
    QVERIFY(w.ready);
    auto& again = w.part<QAbstractButton>("startWorker");
    QTRY_VERIFY(again.isVisible());
    QVERIFY2(w.text("trouble").contains("no card in the slot"), qPrintable(w.text("trouble")));
    QVERIFY2(w.text("trouble").contains(again.text()), "it names another button");
    QVERIFY(w.text("workerStatus").contains("recorded"));

    QTest::mouseClick(&again, Qt::LeftButton);
    QVERIFY(!again.isVisible());
    QTRY_VERIFY(again.isVisible());  // in vain

    QVERIFY(Surroundings::write(flag, "x"));
    w.typeSize("128");
    QTest::mouseClick(&again, Qt::LeftButton);
    QTRY_VERIFY(w.lab().canMeasure() && w.isDone());
    QVERIFY(!again.isVisible());
    QVERIFY(w.text("workerStatus").startsWith("Live on Fake H100"));
    QVERIFY(w.now().freshness == Freshness::Live);
  }

  void chartsAreExported_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("charts as a picture") << "The charts"
                                         << "c.png" << QByteArray("\211PNG");
    QTest::newRow("charts as data") << "The charts"
                                    << "c.csv" << QByteArray("");
    QTest::newRow("ladder as a drawing") << "The ladder chart"
                                         << "l.svg" << QByteArray("<?xml");
    QTest::newRow("ladder as data") << "The ladder chart"
                                    << "l.json" << QByteArray("{");
  }
  void chartsAreExported() {
    QFETCH(QString, words);
    QFETCH(QString, name);
    QFETCH(QByteArray, start);
    Open w(recordedOnly());
    QVERIFY(w.ready);
    QAction* action = w.action(qPrintable(words));
    QVERIFY(action != nullptr);
    const QString file = m_around->path(name);
    answerDialogs(file);
    action->trigger();
    const QByteArray bytes = Surroundings::read(file);
    QVERIFY2(bytes.size() > 100 && bytes.startsWith(start), bytes.left(80).constData());
    if (name.endsWith("csv") || name.endsWith("json")) QVERIFY(bytes.contains("warptiled"));
  }

  void anExportThatFailsIsSaid() {
    Open w(recordedOnly());
    QVERIFY(w.ready);
    for (const char* words : {"The charts", "The ladder chart"}) {
      QString said;
      answerDialogs(m_around->path("c.gif"), &said);
      w.action(words)->trigger();
      QVERIFY2(said.contains(".png"), qPrintable(said));
      QVERIFY(!QFile::exists(m_around->path("c.gif")));
    }
  }

  void runsComeAndGo() {
    m_around->fakeGpu("jitter=0");
    const QString file = m_around->path("runs.jsonl");
    {
      Open w(measuring());
      QVERIFY(w.ready);
      w.typeSize("128");
      QTRY_VERIFY(w.lab().canMeasure() && w.isDone());
      answerDialogs(file);
      w.action("Export runs")->trigger();
    }
    const auto sent = runs::readRuns(file.toStdString());
    QVERIFY(sent && !sent->runs.empty());
    QVERIFY(QFile::remove(m_around->history()));
    Open w({{}, m_around->historyPath(), false});
    QVERIFY(w.ready);
    QCOMPARE(w.history().size(), std::size_t{1});
    QString said;
    answerDialogs(file, &said);
    w.action("Import runs")->trigger();
    QVERIFY2(said.startsWith(QString::number(sent->runs.size())), qPrintable(said));
    QCOMPARE(w.history().size(), 1 + sent->runs.size());
    QVERIFY(w.now().rung() == &w.explorer().stage());  // the present tile stays the present one
    QVERIFY(std::ranges::equal(w.window.view<HistoryCharts>()->points(), w.history()));
  }

  // All versions of the rewritten loop, of a kernel that is a fixture of the rewriter's tests.
  void theRewrittenLoopIsMeasuredHere() {
    const QByteArray gpu =
        "sms=1,registers=200,static=24832,memory=256M,jitter=0,rate=rewritten:100,clock=1500,"
        "polls=0,cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin";
    m_around->fakeGpu(gpu);
    // The fake compiler's small kernel is not this rung: the recorded listing is shown.
    qputenv("TILELOOM_NVDISASM", m_around->path("no such tool").toUtf8());
    const auto unset = qScopeGuard([] { qunsetenv("TILELOOM_NVDISASM"); });
    Open w(measuring());
    QVERIFY(w.ready);
    w.typeSize("128");
    w.explorer().setStage(stage("rewritten"));
    QTest::keyClick(w.window.view<LoomView>(), Qt::Key_A, Qt::ShiftModifier);
    QCOMPARE(w.window.currentPage(), std::string_view("loop"));
    LoopView& view = *w.window.view<LoopView>();
    QTRY_VERIFY(view.data().ready() && view.data().times);
    QVERIFY(view.data().times->recorded);
    auto* button = w.window.findChild<QPushButton*>("loopMeasure");
    QTRY_VERIFY(button->isVisible() && button->isEnabled());
    // In the smallest window, too, the button has its place in the line of the boxes.
    w.window.resize(1280, 720);
    const auto* box = w.window.findChild<QCheckBox*>("loopPairs");
    QTRY_VERIFY(button->x() > box->geometry().right() &&
                button->geometry().contains(QPoint(button->x(), box->geometry().center().y())));
    QVERIFY(button->parentWidget()->rect().contains(button->geometry()));
    QTRY_COMPARE(w.window.findChild<QLabel*>("mainLoop")->text(), "main loop rewritten");
    button->click();
    QVERIFY(!button->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(!view.data().times->recorded, 20'000);
    QCOMPARE(view.data().times->device, std::string("Fake H100"));
    QVERIFY(button->isEnabled());
    QVERIFY(!w.window.findChild<QLabel*>("loopTrouble")->isVisible());
  }

  void closedWhileTheWorkerIsBusy_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::newRow("measures") << QByteArray(kSlow);
    QTest::newRow("hangs") << QByteArray("hang=launch");
  }
  void closedWhileTheWorkerIsBusy() {
    QFETCH(QByteArray, behaviour);
    m_around->fakeGpu(behaviour);
    auto w = std::make_unique<Open>(measuring());
    QVERIFY(w->ready);
    w->explorer().setStage(stage("naive"));
    w->typeSize("128");
    const bool measures = behaviour == kSlow;
    QTRY_VERIFY(measures ? w->now().gflops.known() && w->now().measuring
                         : w->lab().canMeasure() && w->lab().client().busy());
    if (!measures) QTest::qWait(1000);  // it is in the launch
    const qint64 process = w->lab().client().processId();
    QVERIFY(process > 0 && !isGone(process));
    w->window.close();
    w.reset();
    QTRY_VERIFY(isGone(process));
    const auto kept = runs::readRuns(m_around->historyPath());
    QVERIFY(kept && kept->complaints.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowLabTest, Window)
#include "window_lab_test.moc"
