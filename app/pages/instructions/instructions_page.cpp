// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the block's instructions, of one side or of both.
#include <algorithm>

#include "app/pages/page.h"
#include "app/services/services.h"
#include "viz/code/instruction_table.h"

namespace tileloom {
namespace {

class InstructionsPage : public Page {
 public:
  InstructionsPage(const PageRow& row, PageContext& context)
      : Page(row, context), m_table(new InstructionTable) {
    setWidget(m_table);
    Explorer& explorer = services().explorer;
    connect(m_table, &InstructionTable::asked, &explorer, &Explorer::goToInstruction);
    connect(m_table, &InstructionTable::askedInBaseline, &explorer,
            &Explorer::goToBaselineInstruction);
  }

  void showScene(const Scene& scene) override { m_table->setScene(scene); }
  void showBaseline(const Scene& scene) override { m_table->setBaseline(scene); }

  QSizeF naturalSize(const QSizeF& screen) const override {
    const QSizeF needed = m_table->pictureSize();
    return {std::max(needed.width(), screen.width()), needed.height()};
  }
  bool knowsWidth() const override { return true; }
  bool knowsHeight() const override { return true; }
  double leastWidth() const override { return m_table->pictureSize().width(); }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_table->paintTo(painterOf(painter), sheet.size);
  }

 private:
  InstructionTable* m_table;
};

}  // namespace

const PageRow& instructions_page() {
  static constexpr PageRow row{
      .id = "instructions",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Instructions"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "&Instructions"),
      .key = Qt::Key_I,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page", "What each instruction of the block costs"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &instructions…"),
      .make = makePage<InstructionsPage, instructions_page>,
      .showsBothSides = true,
  };
  return row;
}

}  // namespace tileloom
