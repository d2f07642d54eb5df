// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/code/sass_facts.h"

#include <QCoreApplication>
#include <QStringList>

#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/tile/build_target.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Sass)
};

// What a tensor core or ldmatrix instruction does; empty: another instruction.
QString deedOf(const sass::Instruction& i) {
  switch (classOf(i)) {
    case sass::Class::Hmma:
      if (const int all = multiplyAddsOf(i); all > 0)
        return Words::tr("%1 multiply-adds of the warp on a tensor core")
            .arg(figures::grouped(all));
      return Words::tr("a tensor core instruction of the warp");
    case sass::Class::Hgmma:
      if (const int all = multiplyAddsOf(i); all > 0)
        return Words::tr("%1 multiply-adds of the warpgroup; its tensor cores read shared memory")
            .arg(figures::grouped(4 * all));
      return Words::tr(
          "a tensor core instruction of the warpgroup; its tensor cores read shared memory");
    case sass::Class::Ldsm:
      // "LDSM.16.M88.4", "LDSM.16.MT88.4"
      return i.opcode.find(".MT") != std::string::npos
                 ? Words::tr("8 × 8 matrices from shared memory, each transposed")
                 : Words::tr("8 × 8 matrices from shared memory");
    default:
      return {};
  }
}

}  // namespace

std::shared_ptr<const SassFacts> SassFacts::of(sass::MachineCode code) {
  auto facts = std::make_shared<SassFacts>();
  facts->code = std::move(code);
  const sass::Listing& listing = facts->code.listing;
  facts->loop = sass::mainLoop(listing);
  facts->inLoop = sass::mixOf(listing, facts->loop.range);
  const sass::PairedLoads paired = analysis::pairedLoads(facts->code);
  facts->cost = sass::loopCost(listing, facts->loop.range, paired);
  facts->lost = sass::lostCycles(listing, facts->loop.range, paired);
  return facts;
}

sass::Lost SassFacts::lostAt(int index) const {
  return inside(index) ? lost[static_cast<std::size_t>(index - loopBegin())] : sass::Lost();
}

Freshness SassFacts::freshness() const {
  if (!code.recorded) return Freshness::Live;
  return code.stale() ? Freshness::Stale : Freshness::Recorded;
}

QString SassFacts::origin() const {
  QStringList parts;
  switch (freshness()) {
    case Freshness::Live:
      parts += Words::tr("live");
      break;
    case Freshness::Recorded:
      parts += Words::tr("recorded %1").arg(toQString(code.when));
      break;
    case Freshness::Stale:
      parts +=
          Words::tr("stale: recorded %1, the source has changed since").arg(toQString(code.when));
      break;
  }
  parts += toQString(code.arch);
  if (code.rung()->formats.size() > 1) parts += toQString(rowOf(code.format).name);
  parts += code.rung()->isRung() ? toQString(compilerText(*code.rung(), code.nvrtc))
                                 : toQString(code.rung()->file);
  if (code.rewritten) parts += Words::tr("main loop rewritten");
  if (!code.whyNotRewritten.empty())
    parts += Words::tr("main loop as compiled, because %1").arg(toQString(code.whyNotRewritten));
  parts += code.readByThisProgram() ? Words::tr("read by Tileloom") : toQString(code.tool);
  return parts.join(QStringLiteral(" · "));
}

QString describeInstruction(const SassFacts& facts, int index) {
  if (index < 0 || index >= facts.size()) return {};
  const sass::Instruction& i = facts.at(index);
  QStringList parts;
  const QString address = QStringLiteral("0x%1").arg(i.address, 4, 16, QLatin1Char('0'));
  const QString text = QString::fromStdString(i.text());
  parts += facts.inside(index) && !facts.loop.whole
               ? Words::tr("%1, in the loop: %2").arg(address, text)
               : Words::tr("%1: %2").arg(address, text);
  if (const QString deed = deedOf(i); !deed.isEmpty()) parts += deed;
  if (i.line > 0) parts += Words::tr("from line %1").arg(i.line);
  if (i.live) parts += Words::tr("%1 registers live").arg(*i.live);
  const sass::Lost lost = facts.lostAt(index);
  if (lost.banks > 0)
    parts += counted(lost.banks, Words::tr("1 cycle lost to register banks, predicted"),
                     Words::tr("%1 cycles lost to register banks, predicted"));
  if (lost.loads > 0)
    parts += counted(lost.loads, Words::tr("1 cycle lost to paired shared loads, predicted"),
                     Words::tr("%1 cycles lost to paired shared loads, predicted"));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace tileloom
