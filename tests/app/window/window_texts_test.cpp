// SPDX-License-Identifier: GPL-3.0-or-later
// Every page of every rung of both ladders, in windows from 1280 x 720 to 3840 x 2160 with text
// from 100 to 300 %: no text is printed over another one, none is cut, and none is elided to an
// unreadable rest or a wrong number; and no button or field is cut. Scrolled content is not cut.
//
// Each run checks some rungs in some of these cases. TILELOOM_TEST_TEXTS=1 checks each rung in
// three cases (a minute), TILELOOM_TEST_TEXTS=waits,ring only these pages, and TILELOOM_TEST_ALL=1
// everything.
#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "app/pages/page.h"
#include "app/window/quiet.h"
#include "tests/app/open_window.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/viz/painted_texts.h"
#include "viz/loom/loom_view.h"

namespace tileloom {

using test::OpenWindow;
using test::PaintedText;
using test::Sighted;

class WindowTextsTest : public QObject {
  Q_OBJECT

  static constexpr std::array<QSize, 4> kSizes = {QSize(1280, 720), QSize(1366, 768),
                                                  QSize(1920, 1080), QSize(3840, 2160)};
  static constexpr std::array<int, 4> kPercents = {100, 150, 200, 300};
  static constexpr int kCases = kSizes.size() * kPercents.size();
  // Tolerance for letters in pixels: hinting moves their edges.
  static constexpr double kSlack = 1.5;
  // The share of a text below which a fill over it hides nothing, and above which it hides all.
  static constexpr double kTouched = 0.12, kHidden = 0.95;

  struct Finding {
    QString kind;    // "cut ParameterPanel/ParameterSlider "#""
    QString detail;  // the text and where it is
  };

  static QString nameOf(const QWidget* widget) {
    const auto own = [](const QWidget* w) {
      return QString(w->metaObject()->className()).remove("tileloom::");
    };
    QString name = own(widget);
    if (!widget->objectName().isEmpty()) name += "#" + widget->objectName();
    for (const QWidget* up = widget->parentWidget(); up != nullptr; up = up->parentWidget()) {
      if (QString(up->metaObject()->className()).startsWith("tileloom::"))
        return own(up) + "/" + name;
    }
    return name;
  }
  static QString box(const QRectF& r) {
    return QString("%1 × %2 at %3, %4")
        .arg(std::round(r.width()))
        .arg(std::round(r.height()))
        .arg(std::round(r.x()))
        .arg(std::round(r.y()));
  }
  static Finding finding(const char* kind, const PaintedText& text, const QString& more) {
    static const QRegularExpression digits("[\\d.,]+");
    QString words = text.text;
    return {QString("%1 %2 \"%3\"").arg(kind, nameOf(text.widget), words.replace(digits, "#")),
            QString("\"%1\" %2 %3").arg(text.text, box(text.ink), more)};
  }

  // Too short to be read, or a number that may be wrong.
  static bool isStump(const QString& text) {
    constexpr auto kLeast = 4;  // letters
    if (!text.endsWith(u'…')) return false;
    const QString stem = text.chopped(1);
    return (!stem.isEmpty() && stem.back().isDigit()) ||
           std::ranges::count_if(stem, [](QChar c) { return c.isLetterOrNumber(); }) < kLeast;
  }

  static bool overprints(const PaintedText& text, const QRectF& ink, const PaintedText& before,
                         const QRectF& inkBefore) {
    if (text.text == before.text) return false;  // twice in one place: a halo
    const QRectF both = test::overlapOf(text, before) & ink & inkBefore;
    const double least = 1 + 0.09 * std::min(text.line, before.line);
    return both.width() > least && both.height() > least;
  }

  static std::vector<Finding> findingsIn(QWidget& window) {
    test::TextRecorder recorder(window.size());
    recorder.record(window);
    std::vector<Finding> findings;
    std::map<const QWidget*, Sighted> sights;
    std::vector<std::pair<const PaintedText*, QRectF>> seen;
    for (const PaintedText& text : recorder.texts()) {
      if (text.hidden > kHidden) continue;
      auto found = sights.find(text.widget);
      if (found == sights.end())
        found = sights.emplace(text.widget, test::sightOf(*text.widget, window)).first;
      const Sighted& sight = found->second;
      // A painter that omits invisible parts draws nothing there.
      if (!text.clip.isNull() && !text.clip.intersects(text.ink)) continue;
      const QRectF room = text.clip.isNull() ? sight.place : sight.place & text.clip;
      const QRectF ink = text.ink & room;
      const bool none = ink.isEmpty();
      const bool across = ink.width() < text.ink.width() - kSlack;
      const bool down = ink.height() < text.ink.height() - kSlack;
      // A field shows the part of its text that its cursor is in.
      const bool typed = qobject_cast<const QLineEdit*>(text.widget) != nullptr;
      if ((across && !typed && !sight.scrollsAcross && !(none && sight.scrollsDown)) ||
          (down && !sight.scrollsDown && !(none && sight.scrollsAcross)))
        findings.push_back(finding("cut", text, "leaves " + box(room)));
      if (none) continue;
      if (text.hidden > kTouched)
        findings.push_back(finding("covered", text, QString("by %1 %").arg(100 * text.hidden)));
      if (isStump(text.text)) findings.push_back(finding("stump", text, {}));
      for (const auto& [before, inkBefore] : seen) {
        if (!overprints(text, ink, *before, inkBefore)) continue;
        findings.push_back(finding("overprint", text,
                                   QString("over \"%1\" %2 of %3")
                                       .arg(before->text, box(inkBefore), nameOf(before->widget))));
      }
      seen.emplace_back(&text, ink);
    }
    return findings;
  }

  // Buttons and fields that are lower than their text, or exceed their parent.
  static std::vector<Finding> cutControls(QWidget& window) {
    std::vector<Finding> findings;
    for (QWidget* each : window.findChildren<QWidget*>()) {
      const bool control = qobject_cast<QAbstractButton*>(each) || qobject_cast<QComboBox*>(each) ||
                           qobject_cast<QAbstractSpinBox*>(each) || qobject_cast<QLineEdit*>(each);
      if (!control || !each->isVisible() || each->window() != &window) continue;
      // A part of another one.
      if (qobject_cast<QAbstractSpinBox*>(each->parentWidget()) ||
          qobject_cast<QComboBox*>(each->parentWidget()))
        continue;
      const Sighted sight = test::sightOf(*each, window);
      if (sight.place.isEmpty() && (sight.scrollsAcross || sight.scrollsDown)) continue;
      const QRectF whole(each->mapTo(&window, QPoint(0, 0)), each->size());
      const bool across = sight.place.width() < whole.width() && !sight.scrollsAcross;
      const bool down = sight.place.height() < whole.height() && !sight.scrollsDown;
      const bool low = each->height() < each->minimumSizeHint().height();
      if (!across && !down && !low) continue;
      findings.push_back({QString("cut control %1").arg(nameOf(each)),
                          QString("%1, of which %2 is seen; it needs a height of %3")
                              .arg(box(whole), box(sight.place))
                              .arg(each->minimumSizeHint().height())});
    }
    return findings;
  }

  static std::vector<Finding> allFindings(QWidget& window) {
    auto findings = findingsIn(window);
    for (Finding& each : cutControls(window)) findings.push_back(std::move(each));
    return findings;
  }

  // What layouts would do a moment later.
  static void settle(QWidget& window) {
    for (int i = 0; i < 4; ++i) {
      QCoreApplication::sendPostedEvents(&window, QEvent::LayoutRequest);
      QCoreApplication::processEvents();
    }
  }

  // A window of this size with text of this size.
  static void arrange(OpenWindow& w, int which) {
    const auto at = static_cast<std::size_t>(which);
    const QSize size = kSizes[at % kSizes.size()];
    w.window.sight().setTextSize(kPercents[at / kSizes.size()]);
    // Wide panels shrink step by step.
    for (int step = 0; step < 8 && (step == 0 || w.window.size() != size); ++step) {
      w.window.resize(size);
      settle(w.window);
    }
  }

  static void show(OpenWindow& w, const Stage& stage) {
    ViewState state = w.explorer().state();
    state.stage = &stage;
    state.tile = stage.standardTile();
    w.explorer().setState(state);
    QVERIFY(w.settled());
    w.explorer().setIndex(static_cast<int>(openingIndex(w.recording())));
  }

  static void show(OpenWindow& w, std::string_view page) {
    w.window.showPage(page);
    w.window.page(page)->prepare();
    settle(w.window);
  }

  // Changes one of the page's switches: a level, a form, a kind of table. The choice stays, and is
  // checked again with the next rung.
  static bool turnSwitch(OpenWindow& w, std::string_view page, int which) {
    const QWidget* widget = w.window.page(page)->widget();
    std::vector<QWidget*> switches;
    for (QWidget* each : widget->findChildren<QWidget*>()) {
      const auto* button = qobject_cast<QAbstractButton*>(each);
      const auto* box = qobject_cast<QComboBox*>(each);
      if (!each->isVisible() || !each->isEnabled()) continue;
      if ((button && button->isCheckable() && !button->isChecked()) || (box && box->count() > 1))
        switches.push_back(each);
    }
    if (switches.empty()) return false;
    const auto at = static_cast<std::size_t>(which);
    QWidget* chosen = switches[at % switches.size()];
    if (auto* button = qobject_cast<QAbstractButton*>(chosen)) {
      button->click();
    } else if (auto* box = qobject_cast<QComboBox*>(chosen)) {
      box->setCurrentIndex((box->currentIndex() + 1 + which % (box->count() - 1)) % box->count());
      emit box->activated(box->currentIndex());
    }
    return true;
  }

  struct Kind {
    QString first;
    int times = 0;
    std::set<QString> cases;
  };
  std::map<QString, Kind> kinds_;
  int turn_ = 0;

  void look(OpenWindow& w, std::string_view page, const QString& id, int which) {
    show(w, page);
    auto findings = allFindings(w.window);
    // An answer that came after the layouts may not have its room yet.
    if (!findings.empty() && waitUntilQuiet(w.window, 60'000)) {
      settle(w.window);
      findings = allFindings(w.window);
    }
    const QSize size = kSizes[static_cast<std::size_t>(which) % kSizes.size()];
    if (w.window.width() > size.width() || w.window.height() > size.height())
      findings.push_back({"a window of at least this size",
                          QString("%1 × %2").arg(w.window.width()).arg(w.window.height())});
    const QString at = QString("%1x%2@%3")
                           .arg(size.width())
                           .arg(size.height())
                           .arg(kPercents[static_cast<std::size_t>(which) / kSizes.size()]);
    for (const Finding& each : findings) {
      Kind& kind = kinds_[each.kind];
      if (kind.times++ == 0)
        kind.first = QString("%1 %2 %3: %4").arg(id, test::q(page), at, each.detail);
      kind.cases.insert(at);
    }
  }

  // Which rungs in which cases.
  struct Plan {
    std::vector<std::pair<const Stage*, int>> looks;
    QStringList pages;       // empty: all
    bool alternate = false;  // half of the pages in each case: each in two texts of each size
  };

  static Plan plan() {
    Plan plan;
    const auto stages = everyStage();
    const auto count = static_cast<int>(stages.size());
    const QString texts = qEnvironmentVariable("TILELOOM_TEST_TEXTS");
    if (!texts.isEmpty() && texts != "1") plan.pages = texts.split(u',');
    const bool all = qEnvironmentVariableIsSet("TILELOOM_TEST_ALL");
    if (!all && texts.isEmpty()) {
      // Each case once; the rungs are spread over both ladders.
      plan.alternate = true;
      for (int which = 0; which < kCases; which += test::briefly() ? 3 : 1)
        plan.looks.emplace_back(
            stages[static_cast<std::size_t>(which * 7 % kCases * count / kCases)], which);
      return plan;
    }
    for (int turn = 0; turn < count; ++turn) {
      for (int i = 0; i < (all ? kCases : 3); ++i)
        plan.looks.emplace_back(stages[static_cast<std::size_t>(turn)],
                                all ? i : (turn * 3 + i * 5) % kCases);
    }
    return plan;
  }

 private slots:
  void cleanup() { QApplication::setPalette(Theme::make(Look::Dark).palette()); }

  // The text of a page, the size of the window and the rung decide the layout; themes do not (see
  // below), and alternate.
  void nothingIsOverprintedCutOrElided() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.window.setUpdatesEnabled(false);  // texts are written down, and no pixel is painted
    const Plan plan = this->plan();
    const Stage* shown = nullptr;
    int turn = 0;
    for (const auto& [stage, which] : plan.looks) {
      if (stage != shown) show(w, *stage);
      shown = stage;
      w.window.findChild<LoomView*>()->zoomTo(
          static_cast<LoomLevel>((turn + turn / 4 + turn / 16) % 4), false);
      w.window.sight().setLook(static_cast<Look>(turn++ % 3));
      arrange(w, which);
      int number = which / static_cast<int>(kSizes.size()) + which;
      for (const std::string_view page : kTabIds) {
        // The page of access patterns, which came later, leaves the other pages' cases as they are.
        if (plan.alternate && page != "access" && number++ % 2 != 0) continue;
        if (plan.pages.isEmpty() || plan.pages.contains(test::q(page)))
          look(w, page, test::q(stage->id), which);
        else
          continue;
        if (turnSwitch(w, page, turn_++)) look(w, page, test::q(stage->id) + "'", which);
      }
    }
    w.window.setUpdatesEnabled(true);
    w.window.sight().setTextSize(kUsualText);
    for (const auto& [kind, of] : kinds_) {
      const QStringList cases(of.cases.begin(), of.cases.end());
      std::fprintf(stderr, "%5d × %s\n        %s\n        %s\n", of.times, qPrintable(kind),
                   qPrintable(of.first), qPrintable(cases.join(' ')));
    }
    QVERIFY2(kinds_.empty(), qPrintable(QString("%1 kinds, see above").arg(kinds_.size())));
  }

  // So that each place is right in all themes if it is in one.
  void themesMoveNoText() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.sight().setReducedMotion(true);
    w.window.setUpdatesEnabled(false);
    arrange(w, 0);
    for (const std::string_view page : {"banks", "timeline", "waits", "tuning", "ladder"}) {
      std::vector<PaintedText> first;
      show(w, page);
      QVERIFY(waitUntilQuiet(w.window, 60'000));
      for (const Look each : {Look::Dark, Look::Light, Look::Contrast}) {
        w.window.sight().setLook(each);
        show(w, page);
        test::TextRecorder recorder(w.window.size());
        recorder.record(w.window);
        if (each == Look::Dark) {
          first = recorder.texts();
          QVERIFY(first.size() > 50);
          continue;
        }
        QCOMPARE(recorder.texts().size(), first.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
          const PaintedText& text = recorder.texts()[i];
          QCOMPARE(text.text, first[i].text);
          QVERIFY2(text.ink == first[i].ink, qPrintable(test::q(page) + ": " + text.text));
        }
      }
    }
    w.window.setUpdatesEnabled(true);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowTextsTest, Window)
#include "window_texts_test.moc"
