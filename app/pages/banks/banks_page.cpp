// SPDX-License-Identifier: GPL-3.0-or-later
// Which banks or sectors the latest access touches, beside those of the baseline during a
// comparison.
#include "app/pages/banks/banks_picture.h"
#include "app/pages/page.h"
#include "app/pages/scene_page.h"
#include "app/pages/two_sides.h"
#include "app/services/services.h"
#include "kernels/emulator/trace.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/placement.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/memory/bank_view.h"

namespace tileloom {
namespace {

constexpr int kLetters = 64, kLines = 15;  // of the picture of one side

class BanksPage : public ScenePage {
 public:
  BanksPage(const PageRow& row, PageContext& context)
      : ScenePage(row, context, kLetters, kLines), m_banks(new BankView), m_baseline(new BankView) {
    m_banks->setObjectName(QStringLiteral("banks"));
    m_baseline->setObjectName(QStringLiteral("baselineBanks"));
    for (BankView* view : {m_banks, m_baseline}) view->setToolTip(toQString(runs::kArbitration));
    auto* pair = makeTwoSides(m_baseline, m_banks, context);
    setWidget(scrolled(pair));
  }

  void showScene(const Scene& scene) override { m_banks->setScene(scene); }
  void showBaseline(const Scene& scene) override { m_baseline->setScene(scene); }

  std::optional<QRectF> placeOf(const MarkTarget& target) const override {
    const auto place = m_banks->placeOf(target);
    if (!place) return std::nullopt;
    return within(*widget(), *m_banks, *place);
  }

  // The lane whose first word is there, and the bank.
  std::vector<MarkTarget> targetsAt(const QPointF& pixel) const override {
    std::vector<MarkTarget> found;
    for (const auto thing : {MarkTarget::Thing::Lane, MarkTarget::Thing::Bank}) {
      for (std::uint32_t number = 0; number < emulator::kWarpSize; ++number) {
        MarkTarget target;
        target.thing = thing;
        target.number = number;
        target.page = row().id;
        const auto place = placeOf(target);
        if (place && place->contains(pixel)) found.push_back(std::move(target));
      }
    }
    return found;
  }

 protected:
  Picture picture(bool baseline) const override {
    const BankView& view = *(baseline ? m_baseline : m_banks);
    return {row().paintScene, view.size(), 1, Theme::of(view.palette()), view.font()};
  }

 private:
  BankView* m_banks;
  BankView* m_baseline;
};

}  // namespace

const PageRow& banks_page() {
  static constexpr PageRow row{
      .id = "banks",
      .place = PagePlace::Below,
      .title = QT_TRANSLATE_NOOP("tileloom::Page", "Memory access"),
      .menu = QT_TRANSLATE_NOOP("tileloom::Page", "Memory access: sectors and ban&ks"),
      .key = Qt::Key_B,
      .tip =
          QT_TRANSLATE_NOOP("tileloom::Page",
                            "Which sectors of global memory or banks of shared memory the latest "
                            "access touches, wavefront by wavefront, and its bank conflicts"),
      .exported = QT_TRANSLATE_NOOP("tileloom::Page", "Memory access: sectors and &banks…"),
      .make = makePage<BanksPage, banks_page>,
      .showsBothSides = true,
      .moves = true,
      .earlierMenu = "Shared memory ban&ks",
      .exportKey = Qt::Key_E,
      .pictureHeight = 420,
      .paintScene = paintBanksPicture,
  };
  return row;
}

}  // namespace tileloom
