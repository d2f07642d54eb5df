// SPDX-License-Identifier: GPL-3.0-or-later
// An access pattern of one's own: a formula for the addresses of a warp, with its banks or sectors.
#include <algorithm>

#include "app/pages/page.h"
#include "app/session/session.h"
#include "viz/base/text/text.h"
#include "viz/memory/pattern_sheet.h"
#include "viz/memory/pattern_view.h"
#include "viz/memory/pattern_words.h"
#include "viz/panels/pattern_panel.h"

namespace tileloom {
namespace {

class AccessPage : public Page {
 public:
  AccessPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_panel(new PatternPanel) {
    m_panel->setObjectName(QStringLiteral("patternPanel"));
    setWidget(scrolled(m_panel));
  }

  void save(Session& session) const override { session.pattern = m_panel->choice(); }
  void restore(const Session& session) override { m_panel->choose(session.pattern); }
  void resetView() override { restore(Session()); }

  int heightWanted() const override { return m_panel->sizeHint().height(); }
  QWidget* focusTarget() const override { return m_panel->view(); }

  Caption caption(Caption usual) const override {
    usual.title = tr("Access pattern");
    usual.shown = m_panel->shown() ? patternVerdict(m_panel->shown()->pattern) : QString();
    return usual;
  }

  QSizeF naturalSize(const QSizeF& screen) const override {
    const double width = std::max(screen.width(), leastWidth());
    return {width, leastHeight(width, m_panel->font())};
  }
  bool knowsHeight() const override { return true; }
  double leastWidth() const override { return patternWidth(Fonts::of(m_panel->font()), true); }
  double leastHeight(double width, const QFont& font) const override {
    return m_panel->shown() ? patternSheet(*m_panel->shown(), {width, 0}, Fonts::of(font)).height
                            : 0;
  }
  QString whyEmpty(const QString& file) const override {
    return m_panel->shown() ? Page::whyEmpty(file) : m_panel->trouble();
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    if (m_panel->shown())
      paintPatternSheet(painterOf(painter), *m_panel->shown(), sheet.size, sheet.theme,
                        Fonts::of(sheet.font));
  }

 private:
  PatternPanel* m_panel;
};

}  // namespace

const PageRow& access_page() {
  static constexpr PageRow row{
      .id = "access",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Pattern"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Access pattern of &your own"),
      .key = Qt::SHIFT | Qt::Key_M,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "Which banks or sectors a formula for the addresses of a warp "
                               "touches, without a kernel"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "An access &pattern of your own…"),
      .make = makePage<AccessPage, access_page>,
      .hidesSourceStrip = true,
      .whyAlone = QT_TRANSLATE_NOOP("tileloom::Page",
                                    "The baseline is not shown: the pattern is not of a kernel."),
  };
  return row;
}

}  // namespace tileloom
