// SPDX-License-Identifier: GPL-3.0-or-later
// The SASS view: what it says, what keys and mouse do, and that nothing is cut off.
#include "viz/code/sass_view.h"
#include "kernels/tile/subject.h"

#include <QApplication>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest>

#include "kernels/sass/recorded.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/parameters.h"
#include "tests/sass/fixtures.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class SassViewTest : public QObject {
  Q_OBJECT

  static SassSide sideOf(const char* id) {
    SassSide side;
    const Stage& s = stage(id);
    side.facts = SassFacts::of(*sass::recordedListing(standardSubject(s), "sm_90"));
    return side;
  }
  static void show(SassView& view, const QSize& size, const SassSide& side) {
    view.resize(size);
    view.setSide(side);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QCoreApplication::processEvents();
  }

 private slots:
  static bool isSeen(const SassView& view, int index) {
    const QRectF row = view.page()->rowOf(index);
    const int top = view.list()->verticalScrollBar()->value();
    return row.top() >= top && row.bottom() <= top + view.list()->viewport()->height();
  }

  // Without samples: at the loop's first multiply-add.
  void itOpensAtTheMultiplyAdds() {
    SassView view;
    for (const char* id : {"tuned", "naive"}) {
      show(view, {900, 420}, sideOf(id));
      const SassFacts& facts = *view.page()->facts();
      const int row = view.page()->openingRow();
      QVERIFY(facts.inside(row) && sass::classOf(facts.at(row)) == sass::Class::Ffma);
      QTRY_VERIFY(isSeen(view, row));
    }
  }

  // The scroll bar is updated after the view.
  void whicheverListingWasBefore() {
    SassView fresh, changed;
    show(fresh, {900, 420}, sideOf("tuned"));
    show(changed, {900, 420}, sideOf("naive"));
    changed.setSide(sideOf("tuned"));
    const int row = changed.page()->openingRow();
    QTRY_VERIFY(isSeen(changed, row));
    QTRY_COMPARE(changed.list()->verticalScrollBar()->value(),
                 fresh.list()->verticalScrollBar()->value());
  }

  // At any height when the listing came, until the user scrolls.
  void theOpeningRowStaysInTheMiddle() {
    SassView early, late;
    show(early, {900, 260}, sideOf("tuned"));
    early.resize(900, 420);
    show(late, {900, 420}, sideOf("tuned"));
    QTRY_COMPARE(early.list()->verticalScrollBar()->value(),
                 late.list()->verticalScrollBar()->value());
    QScrollBar& bar = *early.list()->verticalScrollBar();
    bar.triggerAction(QAbstractSlider::SliderToMinimum);
    early.resize(900, 400);
    QCoreApplication::processEvents();
    QCOMPARE(bar.value(), 0);
  }

  // A listing that was written by hand: register banks are not mentioned for HMMA.
  static SassSide tensorSide() {
    sass::MachineCode code;
    code.subject() = {&stage("mmaring"), stage("mmaring").standardTile(), Format::Bf16};
    code.arch = "sm_90";
    code.nvrtc = "13.0";
    code.tool = "nvdisasm 13.0.85";
    code.fingerprint = fingerprintOf(*code.rung());
    code.registers = 240;
    code.listing = *sass::parseListing(fixture("mmaring.by-hand.txt"));
    SassSide side;
    side.facts = SassFacts::of(std::move(code));
    return side;
  }

  void onTensorCores() {
    SassView view;
    const SassSide side = tensorSide();
    const SassFacts& facts = *side.facts;
    QVERIFY(!facts.banksKnown());
    show(view, {1200, 520}, side);
    QVERIFY(sass::classOf(facts.at(view.page()->openingRow())) == sass::Class::Hmma);
    const auto figures = sassFigures(facts);
    QStringList said;
    for (const SassFigure& figure : figures) {
      QVERIFY(!figure.predicted);
      said += figure.value + ' ' + figure.label;
    }
    QCOMPARE(said, (QStringList{"1.3 HMMA per LDSM", "27 % of instructions HMMA",
                                "546 multiply-adds per instruction of a warp",
                                "240 registers, 44 live"}));
    QStringList keys;
    for (const auto& key : view.summary()->layoutNow().keys) keys += key.text;
    QVERIFY2(keys.contains("H  HMMA 4 (tensor cores)"), qPrintable(keys.join('|')));
    QVERIFY2(keys.contains("M  LDSM 3 (matrices)"), qPrintable(keys.join('|')));
    QVERIFY2(keys.contains("G  LDG 1 (1 async)"), qPrintable(keys.join('|')));
    const QString words = view.summary()->accessibleDescription();
    QVERIFY2(words.contains("are not predicted for HMMA"), qPrintable(words));
    QVERIFY2(!words.contains("predicted by a rule") && !words.contains("FFMA"), qPrintable(words));
    for (const auto& stripe : view.summary()->layoutNow().ribbon.stripes)
      QVERIFY(stripe.lostToBanks.isEmpty());
    // The list has one column less than that of a rung whose lost cycles are predicted.
    const auto describe = [&](const char* opcode) {
      for (int i = 0; i < facts.size(); ++i) {
        if (facts.at(i).opcode == opcode) return describeInstruction(facts, i);
      }
      return QString();
    };
    QVERIFY(describe("HMMA.16816.F32.BF16").contains("2,048 multiply-adds of the warp"));
    QVERIFY(describe("LDSM.16.MT88.4").contains("each transposed"));
    QVERIFY(describe("LDSM.16.M88.4").contains("8 × 8 matrices from shared memory"));
    QVERIFY(!describe("LDSM.16.M88.4").contains("transposed"));
  }

  // Beside a rung of the other ladder both loops are drawn to one scale, of instructions.
  void besideTheOtherLadder() {
    SassSide now = tensorSide(), baseline = sideOf("tuned");
    now.scale = baseline.scale = std::max(now.facts->inLoop.total, baseline.facts->inLoop.total);
    SassView left, right;
    show(left, {600, 420}, baseline);
    show(right, {600, 420}, now);
    const RibbonGeometry &a = left.summary()->layoutNow().ribbon,
                         &b = right.summary()->layoutNow().ribbon;
    QCOMPARE(a.stripe, b.stripe);
    QVERIFY(b.stripes.size() < a.stripes.size());
  }

  void itOpensAtTheHottestInstruction() {
    const Stage& s = stage("warptiled");
    SassSide side = sideOf("warptiled");
    SassView view;
    show(view, {900, 420}, side);
    side.stalls = StallFacts::of(
        *runs::recordedSamples(standardSubject(s), {2048, 2048, 2048}, "sm_90"), *side.facts);
    view.setSide(side);  // the samples come later than the listing
    const int hot = view.page()->openingRow();
    QCOMPARE(side.stalls->byInstruction[std::size_t(hot)].share, side.stalls->most);
    QTRY_VERIFY(isSeen(view, hot));
    // The user's choice stays.
    SassView chosen;
    show(chosen, {900, 420}, sideOf("warptiled"));
    chosen.page()->moveCursor(0);
    chosen.setSide({chosen.side().facts, side.stalls, {}, 0, false});
    QCoreApplication::processEvents();
    QVERIFY(isSeen(chosen, 0));
    const int first = view.page()->firstAround(hot, 300);
    QVERIFY(first <= hot && hot < first + 12);
  }

  void samplesStandBesideTheirInstructions() {
    const Stage& s = stage("warptiled");
    SassSide side = sideOf("warptiled");
    SassView view;
    show(view, {900, 420}, side);
    const double without = view.page()->widthNeeded();
    side.stalls = StallFacts::of(
        *runs::recordedSamples(standardSubject(s), {2048, 2048, 2048}, "sm_90"), *side.facts);
    QVERIFY(side.stalls != nullptr);
    view.setSide(side);
    QVERIFY(view.page()->widthNeeded() > without);
    int most = 0;
    for (int i = 0; i < side.facts->size(); ++i) {
      if (side.stalls->byInstruction[std::size_t(i)].share == side.stalls->most) most = i;
    }
    view.page()->moveCursor(most);
    QVERIFY2(view.page()->accessibleDescription().contains("% of the samples"),
             qPrintable(view.page()->accessibleDescription()));
    QVERIFY(view.summary()->accessibleDescription().contains("sampled on NVIDIA H100"));
    // Samples of another kernel's code are never shown beside this one.
    const Stage& other = stage("padded");
    QVERIFY(
        StallFacts::of(*runs::recordedSamples(standardSubject(other), {2048, 2048, 2048}, "sm_90"),
                       *side.facts) == nullptr);
  }

  void keysWalkTheListing() {
    SassView view;
    show(view, {900, 420}, sideOf("tuned"));
    SassPage& page = *view.page();
    QVERIFY(page.wantsArrows());
    QSignalSpy moved(&page, &SassPage::cursorMoved);
    QTest::keyClick(&page, Qt::Key_Down);
    const int begin = page.facts()->loopBegin();
    QCOMPARE(page.cursor(), begin);  // where the loop begins
    QTest::keyClick(&page, Qt::Key_Down);
    QCOMPARE(page.cursor(), begin + 1);
    QVERIFY(page.accessibleDescription().startsWith("0x0c"));
    QVERIFY(page.accessibleDescription().contains("in the loop"));
    QTest::keyClick(&page, Qt::Key_PageDown);
    QVERIFY(page.cursor() > begin + 4);
    QTest::keyClick(&page, Qt::Key_End);
    QCOMPARE(page.cursor(), page.rows() - 1);
    QTest::keyClick(&page, Qt::Key_Down);
    QCOMPARE(page.cursor(), page.rows() - 1);
    const auto bottom = view.list()->verticalScrollBar();
    QVERIFY(bottom->value() > bottom->maximum() * 9 / 10);
    QTest::keyClick(&page, Qt::Key_Home);
    QTest::keyClick(&page, Qt::Key_Up);
    QCOMPARE(page.cursor(), 0);
    QVERIFY(moved.size() > 5);
  }

  void aStripeLeadsToItsInstruction() {
    SassView view;
    show(view, {900, 420}, sideOf("tuned"));
    const auto& stripe = view.summary()->layoutNow().ribbon.stripes[700];
    QTest::mouseClick(view.summary(), Qt::LeftButton, {}, stripe.cell.center().toPoint());
    QVERIFY(qAbs(view.page()->cursor() - stripe.index) <= 1);
    const QRectF row = view.page()->rowOf(view.page()->cursor());
    const int top = view.list()->verticalScrollBar()->value();
    QVERIFY(row.top() >= top && row.bottom() <= top + view.list()->viewport()->height());
  }

  void itSaysWhatItShows() {
    SassView view;
    show(view, {900, 420}, sideOf("tuned"));
    const QString words = view.summary()->accessibleDescription();
    for (const char* part :
         {"FFMA per LDS", "predicted by a rule", "FFMA 1,024", "recorded", "nvdisasm", "registers"})
      QVERIFY2(words.contains(part), qPrintable(words));
    QVERIFY(!view.summary()->accessibleName().isEmpty() &&
            !view.page()->accessibleName().isEmpty());
    view.setSide(sideOf("naive"));  // no shared memory
    QVERIFY(view.summary()->accessibleDescription().contains("FFMA per LDG"));
  }

  void withoutAListingItSaysWhy() {
    SassView view;
    SassSide side;
    side.note = "There is none. Install something.";
    show(view, {500, 300}, side);
    QVERIFY(view.summary()->accessibleDescription().contains("Install something"));
    QVERIFY(!view.list()->isVisible());
    QTest::keyClick(view.page(), Qt::Key_Down);  // harmless
    view.setSide(sideOf("naive"));
    QVERIFY(view.list()->isVisible());
  }

  // At any size and font the figures are inside, and the key is dropped before the ribbon.
  void nothingIsCutOff_data() {
    QTest::addColumn<QSizeF>("room");
    QTest::addColumn<int>("percent");
    for (const QSizeF& room :
         {QSizeF(330, 150), QSizeF(420, 190), QSizeF(700, 260), QSizeF(1300, 500)}) {
      for (const int percent : {100, 200, 300})
        QTest::addRow("%g x %g at %d", room.width(), room.height(), percent) << room << percent;
    }
  }
  void nothingIsCutOff() {
    QFETCH(QSizeF, room);
    QFETCH(int, percent);
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * percent / 100);
    const Fonts fonts = Fonts::of(font);
    const QRectF canvas(QPointF(0, 0), room);
    for (const char* id : {"naive", "shared", "tuned", "async"}) {
      const auto l = SassSummaryLayout::of(canvas, sideOf(id), fonts);
      QVERIFY(!l.cells.empty());
      for (const QRectF& cell : l.cells) QVERIFY(cell.right() <= canvas.right());
      for (std::size_t i = 1; i < l.cells.size(); ++i)
        QVERIFY(l.cells[i].left() > l.cells[i - 1].right());
      for (const auto& key : l.keys) {
        QVERIFY(canvas.contains(key.room));
        QVERIFY(key.room.top() >= l.ribbon.bottom());
      }
      QVERIFY(l.caption.top() >= l.cells.front().bottom());
      QVERIFY(l.ribbon.canvas.top() >= l.caption.bottom());
    }
  }

  void wideAndNarrow() {
    SassView view;
    show(view, {1200, 400}, sideOf("tuned"));
    QVERIFY(view.list()->x() > view.summary()->x() + 300);
    view.resize(420, 500);
    QCoreApplication::processEvents();
    QVERIFY(view.list()->y() > 100 && view.list()->x() == 0);
    QVERIFY(view.list()->height() > 150);
  }

  void asAPicture() {
    QImage image(900, 500, QImage::Format_RGB32);
    QPainter p(&image);
    const Theme theme = Theme::make(Look::Light);
    paintSass(p, {{sideOf("fragments"), "Baseline: fragments", 130}, {sideOf("tuned"), "Now", 190}},
              image.size(), theme, QApplication::font());
    p.end();
    const auto has = [&](const QRect& where, const QColor& color) {
      for (int y = where.top(); y < where.bottom(); ++y) {
        for (int x = where.left(); x < where.right(); ++x)
          if (image.pixel(x, y) == color.rgb()) return true;
      }
      return false;
    };
    const QRect left(0, 0, 450, 500), right(450, 0, 450, 500);
    for (const QRect& half : {left, right}) {
      QVERIFY(has(half, theme.warp(2)));  // FFMA
      QVERIFY(has(half, theme.trouble));  // lost cycles
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::SassViewTest, Widgets)
#include "sass_view_test.moc"
