// SPDX-License-Identifier: GPL-3.0-or-later
// SASS, one listing or two.
#include <algorithm>

#include "app/pages/page.h"
#include "app/pages/two_sides.h"
#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/code/sass_view.h"

namespace tileloom {
namespace {

class SassTab : public Page {
 public:
  SassTab(const PageRow& row, PageContext& context)
      : Page(row, context), m_now(new SassView), m_baseline(new SassView) {
    m_now->setObjectName(QStringLiteral("sass"));
    m_baseline->setObjectName(QStringLiteral("baselineSass"));
    m_pair = new SideBySide(m_baseline, m_now);
    setWidget(scrolled(m_pair));
    connect(&comparison(), &Comparison::titlesChanged, m_pair, &SideBySide::setTitles);
    Listings& listings = services().listings;
    Explorer& explorer = services().explorer;
    connect(&listings, &Listings::changed, this, &SassTab::refresh);
    connect(&explorer, &Explorer::choiceChanged, this, [&](bool legal) {
      if (legal) listings.choose(presentPlace(explorer), explorer.problem());
    });
    connect(&explorer, &Explorer::baselineChanged, this,
            [&] { listings.watch(explorer.pinned().value_or(Subject{})); });
    listings.choose(presentPlace(explorer), explorer.problem());
  }

  // The tab may be hidden, and then no listing was requested.
  void prepare() override { refresh(); }

  // Nothing in this picture comes from the trace.
  Caption caption(Caption usual) const override {
    const SassSide side = services().listings.now();
    if (!side.facts) return usual;
    usual.origin = side.facts->origin();
    usual.shown = loopWords(*side.facts);
    const SassSide baseline = services().listings.baseline();
    if (m_pair->comparing() && baseline.facts)
      usual.shown = ofBoth(loopWords(*baseline.facts), usual.shown);
    return usual;
  }

  QString whyEmpty(const QString& file) const override {
    if (m_now->side().facts != nullptr) return {};
    return tr("\"%1\" is not written: %2").arg(file, m_now->side().note);
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    paintSass(painterOf(painter), sides(false), sheet.size, sheet.theme, sheet.font);
  }

  QString write(const QString& file, const Sheet& sheet, bool asOnScreen) const override {
    const auto shown = sides(asOnScreen);
    return writeSheet(
        sheet,
        [&](QCPPainter& p) { paintSass(painterOf(p), shown, sheet.size, sheet.theme, sheet.font); },
        file);
  }

 protected:
  void cameToFront() override { services().listings.setWanted(this, true); }
  void leftFront() override { services().listings.setWanted(this, false); }

 private:
  static QString loopWords(const SassFacts& facts) {
    if (!facts.banksKnown()) {
      const sass::Mix& mix = facts.inLoop;
      return tr("SASS: main loop of %1 instructions, %2 %3, %4 LDSM")
          .arg(mix.total)
          .arg(mix.tensorProducts())
          .arg(toQString(name(mix.tensorProduct())))
          .arg(mix.of(sass::Class::Ldsm));
    }
    return tr("SASS: main loop of %1 instructions, %2 FFMA, %3 LDS; %4 cycles lost to register "
              "banks and %5 to paired loads, predicted by rules")
        .arg(facts.inLoop.total)
        .arg(facts.cost.ffmas)
        .arg(facts.inLoop.of(sass::Class::Lds))
        .arg(facts.cost.lostToBanks)
        .arg(facts.cost.lostToLoads);
  }

  void refresh() override {
    SassSide now = services().listings.now(), baseline = services().listings.baseline();
    // Both loops have one scale: the longer one looks longer.
    const auto length = [](const SassSide& side) {
      return side.facts ? side.facts->inLoop.total : 0;
    };
    now.scale = baseline.scale = std::max(length(now), length(baseline));
    m_now->setSide(now);
    m_baseline->setSide(baseline);
  }

  std::vector<SassPictureSide> sides(bool asOnScreen) const {
    std::vector<SassPictureSide> made;
    const auto add = [&](const SassView& view, const QString& title) {
      const SassSide& side = view.side();
      made.push_back({side, title, asOnScreen ? std::optional(view.firstRow()) : std::nullopt});
    };
    const auto& titles = comparison().titles();
    const bool comparing = m_pair->comparing();
    if (comparing) add(*m_baseline, tr("Baseline: %1").arg(titles.first));
    add(*m_now, comparing ? tr("Now: %1").arg(titles.second) : QString());
    return made;
  }

  SassView* m_now;
  SassView* m_baseline;
  SideBySide* m_pair;
};

}  // namespace

const PageRow& sass_page() {
  static constexpr PageRow row{
      .id = "sass",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "SASS"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Machin&e code"),
      .key = Qt::Key_A,
      .tip = QT_TRANSLATE_NOOP(
          "tileloom::Page",
          "The machine code, its main loop as a ribbon, and what the loop is made of"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &machine code…"),
      .make = makePage<SassTab, sass_page>,
      .hidesSourceStrip = true,  // the listing needs the room more
      .showsBothSides = true,
  };
  return row;
}

}  // namespace tileloom
