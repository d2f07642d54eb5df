// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/own_list.h"

#include <QFontMetrics>

#include "kernels/own/resolved_launch.h"
#include "kernels/tile/derived.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr int kMostRows = 4;  // without scrolling

QString sidesText(const executor::Extent3& sides) {
  QString text = QString::number(sides[0]);
  for (std::size_t i = 1; i < sides.size(); ++i)
    if (sides[i] > 1 || (i == 1 && sides[2] > 1)) text += QStringLiteral(" × %1").arg(sides[i]);
  return text;
}

QString layoutText(own::Layout layout) {
  return layout == own::Layout::Row ? OwnList::tr("by rows") : OwnList::tr("by columns");
}

}  // namespace

QString checkedText(const own::ProductCheck& check) {
  if (!check.whyNot.empty())
    return OwnList::tr("the result was not checked: %1").arg(toQString(check.whyNot));
  const QString all = figures::grouped(check.elements);
  if (check.wrong == 0)
    return OwnList::tr("all %1 elements of %2 are right").arg(all, toQString(check.result));
  QString text = OwnList::tr(
                     "%1 of %2 elements of %3 are wrong, the first one in row %4, column "
                     "%5: it is %6 instead of %7")
                     .arg(figures::grouped(check.wrong), all, toQString(check.result))
                     .arg(check.row)
                     .arg(check.column)
                     .arg(check.got)
                     .arg(check.wanted);
  if (!check.rightWith.empty())
    text += OwnList::tr("; with %1 it would be right").arg(toQString(check.rightWith));
  return text;
}

QString changeText(const own::OwnKernel& before, const own::OwnKernel& now) {
  QStringList changes;
  const auto add = [&](const QString& what, std::uint64_t from, std::uint64_t to) {
    if (from != to)
      changes += OwnList::tr("%1 %2 → %3").arg(what, figures::grouped(from), figures::grouped(to));
  };
  const auto registersOf = [](const own::OwnKernel& kernel) {
    return static_cast<std::uint64_t>(std::max(0, kernel.image().info.registers));
  };
  const auto sharedOf = [](const own::OwnKernel& kernel) {
    return static_cast<std::uint64_t>(derive(kernel.stage(), {}).sharedBytes);
  };
  const analysis::Totals &a = before.totals(), &b = now.totals();
  add(OwnList::tr("registers"), registersOf(before), registersOf(now));
  add(OwnList::tr("shared bytes"), sharedOf(before), sharedOf(now));
  add(OwnList::tr("instructions"), before.image().words.size(), now.image().words.size());
  add(OwnList::tr("wavefronts of loads"), a.sharedLoadWavefronts, b.sharedLoadWavefronts);
  add(OwnList::tr("of them conflicts"), a.sharedLoadConflicts, b.sharedLoadConflicts);
  add(OwnList::tr("wavefronts of stores"), a.sharedStoreWavefronts, b.sharedStoreWavefronts);
  add(OwnList::tr("sectors of loads"), a.globalLoadSectors + a.asyncSectors,
      b.globalLoadSectors + b.asyncSectors);
  add(OwnList::tr("sectors of stores"), a.globalStoreSectors, b.globalStoreSectors);
  const QString counted = changes.isEmpty() ? OwnList::tr("the counts are the same")
                                            : changes.join(QStringLiteral(", "));
  return OwnList::tr("%1; %2").arg(counted, checkedText(now.check()));
}

QString ownParagraph(const own::OwnKernel& kernel) {
  const own::OwnInput& input = kernel.input();
  QString text = OwnList::tr("%1 of %2, compiled for sm_%3 and executed here.")
                     .arg(toQString(kernel.stage().title), toQString(input.file))
                     .arg(input.module->capability);
  if (const auto launch = own::resolved(input.launch, {})) {
    QStringList matrices;
    for (const own::MatrixPlace& each : launch->matrices)
      matrices += OwnList::tr("%1 %2 %3")
                      .arg(toQString(each.name), toQString(each.type), layoutText(each.layout));
    text += OwnList::tr(" Its launch file has %1: %2 blocks of %3 threads; %4.")
                .arg(figures::sizeText(kernel.usualProblem()), sidesText(launch->launch.grid),
                     sidesText(launch->launch.block), matrices.join(QStringLiteral(", ")));
  }
  text += OwnList::tr(" At this size, %1.").arg(checkedText(kernel.check()));
  return text;
}

OwnList::OwnList(const OwnKernels& kernels, QWidget* parent)
    : QListWidget(parent), m_kernels(kernels) {
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Your kernels"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setTextElideMode(Qt::ElideRight);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  constexpr int kIndent = 9;  // as the names of rungs
  setViewportMargins(kIndent, 0, 0, 0);
  hide();
  connect(&kernels, &OwnKernels::listChanged, this, &OwnList::fill);
  const auto pick = [this](int row) {
    if (row < 0 || row >= static_cast<int>(m_kernels.all().size())) return;
    const Stage& stage = m_kernels.all()[static_cast<std::size_t>(row)]->stage();
    if (&stage != m_current) emit picked(&stage);
  };
  connect(this, &QListWidget::currentRowChanged, this, pick);
  connect(this, &QListWidget::itemClicked, this,
          [this, pick](QListWidgetItem* item) { pick(row(item)); });
}

void OwnList::fill() {
  const QSignalBlocker quiet(this);
  clear();
  for (const OwnKernels::Kernel& kernel : m_kernels.all()) {
    auto* item = new QListWidgetItem(
        QStringLiteral("%1  ·  %2")
            .arg(toQString(kernel->stage().title), toQString(kernel->input().file)),
        this);
    const QString checked = checkedText(kernel->check());
    item->setToolTip(tr("%1: %2.").arg(toQString(kernel->input().path), checked));
  }
  setVisible(count() > 0);
  if (m_current != nullptr) setCurrent(*m_current);
  updateGeometry();
}

void OwnList::setCurrent(const Stage& stage) {
  m_current = &stage;
  const QSignalBlocker quiet(this);
  int found = -1;
  for (std::size_t i = 0; i < m_kernels.all().size(); ++i)
    if (&m_kernels.all()[i]->stage() == &stage) found = static_cast<int>(i);
  setCurrentRow(found);
  if (found < 0) clearSelection();
}

QSize OwnList::sizeHint() const {
  const int rows = std::min(kMostRows, std::max(1, count()));
  const int height = count() > 0 ? sizeHintForRow(0) : fontMetrics().height();
  return {QListWidget::sizeHint().width(), rows * height + 2};
}

}  // namespace tileloom
