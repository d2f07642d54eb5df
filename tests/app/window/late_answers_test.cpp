// SPDX-License-Identifier: GPL-3.0-or-later
// The final state of the window depends on the requests, not on the time of the answers: lecture
// steps and sessions on every page are shown with answers that arrive late, in any order, and after
// the next question. The pictures equal those of a machine that answers at once, pixel by pixel.
//
// A usual run has a few of them, the same every time. TILELOOM_SEEDS=20 checks all, with 20 seeds;
// TILELOOM_TEST_SEED names the first one (and QTEST_FUNCTION_TIMEOUT has to allow more than Qt
// Test's five minutes).
#include <QDir>
#include <numeric>
#include <span>

#include "app/lecture/lecture_files.h"
#include "app/session/page_ids.h"
#include "app/session/session_text.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/sight.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/main_window.h"
#include "app/window/quiet.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"
#include "tests/app/late_answers.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using lecture::Entry;
using test::LateAnswers;
using test::Random;
using test::Surroundings;

class LateAnswersTest : public QObject {
  Q_OBJECT

  static constexpr QSize kWindow{1280, 720};
  static constexpr std::uint32_t kUsualSeed = 2026;
  // Pictures of a usual run, of each kind.
  static std::size_t few() { return test::briefly() ? 1 : 2; }

  using Begin = std::function<void(MainWindow&)>;
  // The source of answers for the lab of a window with this seed; 0: answers at once.
  using Setup = std::function<LabSetup(std::uint32_t)>;
  static LabSetup withoutWorker(std::uint32_t) { return {{}, {}, false}; }

  // One request: its name and action.
  struct Visit {
    QString name;
    std::function<void(MainWindow&)> go;
  };

  // The state of a window: its pixels, and the place of each widget.
  struct Shown {
    QImage image;
    std::map<QString, QRect> places;  // by path; only visible ones
  };

  static QString nameOf(const QWidget& widget) {
    const QString name = widget.objectName();
    return QString::fromLatin1(widget.metaObject()->className()) +
           (name.isEmpty() ? QString() : u'#' + name);
  }

  static void addPlaces(const MainWindow& window, const QWidget& widget, const QString& path,
                        std::map<QString, QRect>& places) {
    int number = 0;
    for (QObject* child : widget.children()) {
      const auto* part = qobject_cast<const QWidget*>(child);
      if (part == nullptr || part->isWindow()) continue;
      const QString name = QStringLiteral("%1/%2:%3").arg(path).arg(++number).arg(nameOf(*part));
      if (!part->isVisible()) continue;
      places[name] = QRect(part->mapTo(&window, QPoint()), part->size());
      addPlaces(window, *part, name, places);
    }
  }

  static Shown shownBy(MainWindow& window) {
    Shown shown{windowImage(window, 1), {}};
    addPlaces(window, window, {}, shown.places);
    return shown;
  }

  // Empty, or the first pixel that differs and the innermost widget there, and the first widget at
  // another place.
  static QString difference(const MainWindow& window, const Shown& wanted, const Shown& shown) {
    QString text;
    const QImage &a = wanted.image, &b = shown.image;
    if (a.size() != b.size())
      text = QStringLiteral("the window is %1 x %2; ").arg(b.width()).arg(b.height());
    int pixels = 0;
    QRect where;
    QPoint first(-1, -1);
    for (int y = 0; y < std::min(a.height(), b.height()); ++y) {
      for (int x = 0; x < std::min(a.width(), b.width()); ++x) {
        if (a.pixel(x, y) == b.pixel(x, y)) continue;
        if (++pixels == 1) first = {x, y};
        where |= QRect(x, y, 1, 1);
      }
    }
    if (pixels > 0) {
      QStringList path;
      const QWidget* at = window.childAt(first);
      for (; at != nullptr && at != &window; at = at->parentWidget()) path.prepend(nameOf(*at));
      text += QStringLiteral("%1 pixels differ within (%2, %3) %4 x %5, first in %6; ")
                  .arg(pixels)
                  .arg(where.x())
                  .arg(where.y())
                  .arg(where.width())
                  .arg(where.height())
                  .arg(path.join(u'/'));
    }
    if (text.isEmpty()) return {};
    for (const auto& [path, place] : shown.places) {
      const auto there = wanted.places.find(path);
      if (there != wanted.places.end() && there->second == place) continue;
      const auto text_of = [](const QRect& r) {
        return QStringLiteral("(%1, %2) %3 x %4")
            .arg(r.x())
            .arg(r.y())
            .arg(r.width())
            .arg(r.height());
      };
      text += QStringLiteral("%1 is at %2 and not at %3")
                  .arg(path, text_of(place),
                       there != wanted.places.end() ? text_of(there->second)
                                                    : QStringLiteral("no place"));
      break;
    }
    return text;
  }

  // A path through the visits: states that are checked, and requests before them that are not
  // waited for.
  struct Step {
    std::size_t visit = 0;
    std::optional<std::size_t> passed;
    int stay = 0;  // ms, at what is passed
  };
  // Measurements depend on the length of a visit: with `mostStay` 0 every stay is 0 ms.
  static std::vector<Step> wayThrough(std::vector<std::size_t> some, std::size_t all,
                                      std::uint32_t seed, int mostStay) {
    Random random(seed);
    const auto below = [&](std::size_t count) {
      return static_cast<std::size_t>(random.integer(0, static_cast<int>(count) - 1));
    };
    for (std::size_t k = some.size(); k > 1; --k) std::swap(some[k - 1], some[below(k)]);
    std::vector<Step> way;
    for (const std::size_t visit : some) {
      Step& step = way.emplace_back();
      step.visit = visit;
      if (random.oneIn(2)) continue;
      step.passed = below(all);
      step.stay = random.oneIn(2) ? 0 : random.integer(0, mostStay);
    }
    return way;
  }

  static std::unique_ptr<MainWindow> openWindow(LabSetup setup, const Begin& begin) {
    auto window = std::make_unique<MainWindow>(std::move(setup));
    window->resize(kWindow);
    window->sight().setLook(Look::Dark);
    window->sight().setReducedMotion(true);  // nothing follows the clock
    window->show();
    begin(*window);
    window->resize(kWindow);
    return window;
  }

  // The worker has answered, too.
  static void awaitQuiet(MainWindow& window) {
    const WorkerClient& client = window.lab().client();
    do {
      QTRY_VERIFY(!client.busy());
      QVERIFY(waitUntilQuiet(window, test::kPatience));
    } while (client.busy());
  }

  static void settle(MainWindow& window) {
    awaitQuiet(window);
    if (window.size() == kWindow || QTest::currentTestFailed()) return;
    window.resize(kWindow);  // it had to grow for a while
    awaitQuiet(window);
  }

  // Follows this path; the state after each step goes to `look`.
  static void go(LabSetup setup, const Begin& begin, const std::vector<Visit>& visits,
                 const std::vector<Step>& way,
                 const std::function<void(std::size_t, MainWindow&)>& look) {
    const auto window = openWindow(std::move(setup), begin);
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (way[i].passed) {
        visits[*way[i].passed].go(*window);
        QTest::qWait(way[i].stay);
      }
      visits[way[i].visit].go(*window);
      settle(*window);
      if (QTest::currentTestFailed()) return;
      look(i, *window);
    }
  }

  // Follows the same path twice, and reports differences caused by late answers.
  static QStringList differences(const Setup& setup, const Begin& begin,
                                 const std::vector<Visit>& visits, const std::vector<Step>& way,
                                 std::uint32_t seed) {
    std::vector<Shown> wanted;
    go(setup(0), begin, visits, way,
       [&](std::size_t, MainWindow& window) { wanted.push_back(shownBy(window)); });
    if (QTest::currentTestFailed()) return {};
    QStringList wrong;
    LateAnswers late;
    late.begin(seed);
    go(setup(seed), begin, visits, way, [&](std::size_t i, MainWindow& window) {
      const Shown shown = shownBy(window);
      const QString text = difference(window, wanted[i], shown);
      if (text.isEmpty()) return;
      const QString visit = visits[way[i].visit].name;
      const QString name = QStringLiteral("late-%1-%2-%3")
                               .arg(QString::fromUtf8(QTest::currentTestFunction()),
                                    QString::fromUtf8(QTest::currentDataTag()), visit);
      QDir().mkpath(TILELOOM_ACTUAL_DIR);
      wanted[i].image.save(QDir(TILELOOM_ACTUAL_DIR).filePath(name + "-wanted.png"));
      shown.image.save(QDir(TILELOOM_ACTUAL_DIR).filePath(name + "-shown.png"));
      wrong += QStringLiteral("%1%2, seed %3: %4")
                   .arg(visit, way[i].passed ? QStringLiteral(", %1 ms after %2")
                                                   .arg(way[i].stay)
                                                   .arg(visits[*way[i].passed].name)
                                             : QString())
                   .arg(seed)
                   .arg(text);
    });
    late.end();
    return wrong;
  }

  // All of them, or some.
  static std::vector<std::size_t> someOf(std::size_t all, std::size_t some, std::uint32_t seed) {
    std::vector<std::size_t> order(all);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (thorough() || all <= some) return order;
    const std::size_t begin = seed * some % all;
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(begin), order.end());
    order.resize(some);
    return order;
  }

  static bool thorough() {
    return qEnvironmentVariableIntValue("TILELOOM_SEEDS") > 0 ||
           !qEnvironmentVariableIsEmpty("TILELOOM_TEST_SEED");
  }

  static std::uint32_t firstSeed() {
    return qEnvironmentVariableIsEmpty("TILELOOM_TEST_SEED") ? kUsualSeed : test::seed();
  }

  void look(const Setup& setup, const Begin& begin, const std::vector<Visit>& visits,
            std::size_t some, int mostStay = 120) {
    QStringList wrong;
    const int seeds = std::max(1, qEnvironmentVariableIntValue("TILELOOM_SEEDS"));
    for (int i = 0; i < seeds; ++i) {
      const std::uint32_t seed = firstSeed() + static_cast<std::uint32_t>(i);
      const auto way = wayThrough(someOf(visits.size(), some, seed), visits.size(), seed, mostStay);
      wrong += differences(setup, begin, visits, way, seed);
      if (QTest::currentTestFailed()) return;
    }
    if (!wrong.isEmpty())
      QFAIL(qPrintable(QStringLiteral("%1 pictures differ, which %2 has:\n%3")
                           .arg(wrong.size())
                           .arg(QStringLiteral(TILELOOM_ACTUAL_DIR), wrong.join(u'\n'))));
  }

  struct Kernel {
    std::string_view stage, pinned;
  };
  static std::vector<Visit> sessionsOf(std::span<const Kernel> kernels, const Problem& problem,
                                       std::span<const std::string_view> tabs) {
    std::vector<Visit> visits;
    for (const std::string_view tab : tabs) {
      for (const Kernel& kernel : kernels) {
        Session session;
        session.state.stage = stage(kernel.stage);
        session.state.tile = session.state.stage->standardTile();
        session.state.problem = problem;
        session.state.row = session.state.column = problem.m / 6;
        session.state.warp = 2;
        session.state.index = 60;
        session.tab = tab;
        if (!kernel.pinned.empty()) session.state.pinned = standardSubject(*stage(kernel.pinned));
        const std::string link = sessionLink(session);
        visits.push_back({QStringLiteral("%1 of %2").arg(test::q(tab), test::q(kernel.stage)),
                          [link](MainWindow& w) {
                            const auto read = parseLink(link);
                            QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
                            w.restore(*read);
                          }});
      }
    }
    return visits;
  }

 private slots:
  void initTestCase() { QApplication::setCursorFlashTime(0); }

  void stepsOfLectures_data() {
    QTest::addColumn<int>("steps");
    for (const Entry& entry : lecture::allLectures()) {
      if (entry.lecture && (thorough() || entry.id == "warp-tiling"))
        QTest::newRow(entry.id.c_str()) << int(entry.lecture->steps.size());
    }
  }

  void stepsOfLectures() {
    QFETCH(const int, steps);
    const auto read = lecture::lectureNamed(QTest::currentDataTag());
    QVERIFY(read.has_value());
    std::vector<Visit> visits;
    for (int i = 0; i < steps; ++i) {
      visits.push_back({QStringLiteral("step %1").arg(i + 1),
                        [i](MainWindow& w) { w.lecture().goTo(static_cast<std::size_t>(i)); }});
    }
    look(
        withoutWorker,
        [&](MainWindow& w) { w.lecture().open(*read, 0, LectureMode::Manner::Picture); }, visits,
        few());
  }

  void sessionsOnEveryPage() {
    constexpr Kernel kKernels[] = {
        {"warptiled", ""}, {"rewritten", ""}, {"vectorized", "warptiled"}, {"stored", ""}};
    look(
        withoutWorker, [](MainWindow&) {}, sessionsOf(kKernels, {4096, 4096, 4096}, kTabIds),
        few());
  }

  // A second process compiles, disassembles and measures, and its answers come late as well.
  void sessionsWithAWorker() {
    Surroundings around;
    Surroundings::fakeGpu("jitter=0,polls=0,registers=96");
    const QString tool = around.path("nvdisasm");
    QVERIFY(Surroundings::write(tool,
                                "#!/bin/sh\ncat '" TILELOOM_FIXTURES "/naive.life-ranges.txt'\n"));
    QFile::setPermissions(tool, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("TILELOOM_NVDISASM", tool.toUtf8());
    const auto setup = [](std::uint32_t seed) {
      QStringList command = Surroundings::worker();
      if (seed != 0)
        command =
            QStringList{QStringLiteral(TILELOOM_LATE_WORKER), QString::number(seed)} + command;
      return LabSetup{command, {}, true};
    };
    constexpr Kernel kKernels[] = {{"warptiled", ""}, {"vectorized", "warptiled"}, {"mmaring", ""}};
    look(
        setup, [](MainWindow&) {}, sessionsOf(kKernels, {256, 256, 256}, kTabIds), few(), 0);
    qputenv("TILELOOM_NVDISASM", "none");
  }

 private:
  static const Stage* stage(std::string_view id) { return *stageNamed(id); }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LateAnswersTest, Window)
#include "late_answers_test.moc"
