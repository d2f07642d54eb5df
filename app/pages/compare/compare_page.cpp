// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between the baseline and the present tile, and the button that opens the examples.
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/pages/compare/examples_dialog.h"
#include "app/pages/compare/pair_line.h"
#include "app/pages/page.h"
#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/compare/difference_table.h"

namespace tileloom {
namespace {

class ComparePage : public Page {
 public:
  ComparePage(const PageRow& row, PageContext& context) : Page(row, context) {
    auto* page = new QWidget;
    setWidget(scrolled(page));
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeButtons(*page));
    auto* look = new PairLine(comparison(), PairLine::Closing::Never);
    look->setObjectName(QStringLiteral("look"));
    column->addWidget(look);
    m_table = new DifferenceTable;
    m_table->setHint(
        tr("Pin the present tile (P), then change a tile parameter or pick another rung: both are "
           "shown side by side at the same K tile and k, and this table lists what differs. Or "
           "open one of the examples."));
    column->addWidget(m_table, 1);
    connect(&comparison(), &Comparison::differencesChanged, this,
            [this] { m_table->setDifferences(comparison().differences()); });
  }

  QString whyEmpty(const QString& file) const override {
    if (!m_table->rows().empty()) return {};
    return tr("\"%1\" is not written, since nothing is compared: pin a baseline first (P), or "
              "render with --beside")
        .arg(file);
  }

  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    painterOf(painter).fillRect(QRectF(QPointF(0, 0), sheet.size), sheet.theme.ground);
    paintDifferences(painterOf(painter), m_table->rows(), comparison().titles(), sheet.size,
                     sheet.theme, Fonts::of(sheet.font));
  }

 private:
  QWidget* makeButtons(QWidget& page) {
    Explorer& explorer = services().explorer;
    auto* buttons = new FlowRow;
    FlowLayout* row = &buttons->flow();
    row->setContentsMargins(8, 5, 8, 3);
    row->setSpacing(6);
    const auto button = [&](const QString& name, const char* id, auto press) {
      auto* b = new QPushButton(name);
      b->setObjectName(QLatin1String(id));
      b->setFocusPolicy(Qt::TabFocus);
      connect(b, &QPushButton::clicked, this, press);
      row->addWidget(b);
      return b;
    };
    button(tr("Pin this tile"), "pin", [&explorer] { explorer.pinThis(); });
    button(tr("Examples…"), "showExamples",
           [this, &page] { (new ExamplesDialog(comparison(), page.window()))->show(); });
    auto* swap = button(tr("Swap"), "swap", [&explorer] { explorer.swapWithPinned(); });
    auto* stop =
        button(tr("Stop comparing"), "stopComparing", [&explorer] { explorer.pin(std::nullopt); });
    for (QPushButton* b : {swap, stop}) {
      b->hide();
      connect(&explorer, &Explorer::baselineChanged, b,
              [b, &explorer] { b->setVisible(explorer.pinned().has_value()); });
    }
    return buttons;
  }

  DifferenceTable* m_table = nullptr;
};

}  // namespace

const PageRow& compare_page() {
  static constexpr PageRow row{
      .id = "compare",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Compare"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "C&ompare"),
      .key = Qt::Key_D,
      .tip = QT_TRANSLATE_NOOP("tileloom::Page",
                               "The present tile beside a baseline, and what differs"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "The &differences…"),
      .make = makePage<ComparePage, compare_page>,
      .saysWhatAPairTeaches = true,
      .showsBothSides = true,
  };
  return row;
}

}  // namespace tileloom
