// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/pattern_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <bit>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/own/access_cells.h"
#include "kernels/own/cute_text.h"
#include "viz/base/text/counted.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

QString said(const char* source) {
  return QCoreApplication::translate("tileloom::Pattern", source);
}

QString kindText(own::PatternKind kind) {
  switch (kind) {
    case own::PatternKind::Load:
      return said("Load");
    case own::PatternKind::Store:
      return said("Store");
    default:
      return toQString(own::kPatternKindNames[static_cast<std::size_t>(kind)]);
  }
}

// "0–7, 12"
QString bitsWords(std::uint32_t mask) {
  return toQString(own::bitsText(mask)).replace(u'-', u'–');
}

// "Banks 0–3 must each serve 8 words at once.", of the most crowded banks.
QString crowdText(const own::PatternAccess& access, std::uint32_t bytes) {
  std::uint32_t banks = 0, ways = 0;
  for (const own::BankConflict& c : own::bankConflicts(access, bytes)) {
    if (c.ways > ways) banks = 0;
    ways = std::max(ways, c.ways);
    if (c.ways == ways) banks |= 1u << c.bank;
  }
  if (ways == 0) return {};
  return std::has_single_bit(banks)
             ? said(" Bank %1 must serve %2 words at once.").arg(bitsWords(banks)).arg(ways)
             : said(" Banks %1 must each serve %2 words at once.").arg(bitsWords(banks)).arg(ways);
}

QString sharedVerdict(const own::AccessPattern& pattern, const own::PatternAccess& access) {
  const std::uint32_t all = access.cost.wavefronts();
  QString text = counted(all, said("1 wavefront"), said("%1 wavefronts"));
  if (access.extra() == 0) return text + said(", without a conflict.");
  text += said(", %1 without conflicts.").arg(access.ideal()) +
          crowdText(access, pattern.request.bytes);
  if (access.cost.conflicts() != access.extra())
    text +=
        said(" The counter of conflicts shows %1 for such a copy.").arg(access.cost.conflicts());
  return text;
}

QString globalVerdict(const own::PatternAccess& access) {
  const analysis::Coalescing& g = access.cost.global;
  return said(
             "1 request: %1 in %2, %3 would hold the %4 that lanes access. %5 % of the bytes of "
             "these sectors are used.")
      .arg(counted(g.sectors, said("1 sector"), said("%1 sectors")),
           counted(g.lines, said("1 line of 128 bytes"), said("%1 lines of 128 bytes")),
           QString::number(g.idealSectors()),
           counted(g.usefulBytes, said("1 byte"), said("%1 bytes")),
           QString::number(100 * g.usefulBytes / std::max(1u, g.fetchedBytes())));
}

QString elements(std::int64_t n) {
  return counted(n, said("1 element"), said("%1 elements"));
}

}  // namespace

QString swizzleInUnits(const analysis::Swizzle& bytes, std::uint32_t element) {
  QStringList forms;
  const auto add = [&](std::uint32_t unit, const QString& form) {
    const auto swizzle = own::inUnitsOf(bytes, 1, unit);
    if (swizzle) forms << form.arg(toQString(own::swizzleText(*swizzle)));
  };
  if (element != 1) add(element, said("%1 on elements"));
  if (element != 4) add(4, said("%1 on words"));
  add(1, said("%1 on bytes"));
  return forms.join(QStringLiteral(" = "));
}

QString patternWhat(const own::AccessPattern& pattern) {
  const own::PatternRequest& r = pattern.request;
  QStringList parts;
  parts << (pattern.shared() ? said("%1, shared memory") : said("%1, global memory"))
               .arg(kindText(r.kind))
        << counted(r.bytes, said("1 byte per lane"), said("%1 bytes per lane"))
        << counted(r.element, said("index in bytes"), said("index in elements of %1 bytes"));
  if (r.padding)
    parts << said("%1 of padding after each %2")
                 .arg(elements(r.padding->pad), QString::number(r.padding->row));
  if (pattern.swizzle) parts << swizzleInUnits(*pattern.swizzle, r.element);
  return parts.join(QStringLiteral(" · "));
}

QString patternVerdict(const own::AccessPattern& pattern) {
  const own::PatternAccess& access = pattern.accesses.front();
  if (access.mask == 0) return said("No lane is active.");
  return pattern.shared() ? sharedVerdict(pattern, access) : globalVerdict(access);
}

QString patternHint(const own::AccessPattern& pattern, const own::AccessHint& hint) {
  if (!hint.searched) return {};
  if (!hint.padding && !hint.swizzle)
    return said("Neither a padding of up to 128 bytes nor a swizzle removes the conflicts.");
  QString text;
  if (hint.padding)
    text = said("Padding of %1 after each %2 removes the conflicts.")
               .arg(elements(hint.padding->pad), elements(hint.padding->row));
  if (hint.swizzle) {
    const QString forms = swizzleInUnits(*hint.swizzle, pattern.request.element);
    text += hint.padding ? said(" So does %1.").arg(forms)
                         : said("%1 removes the conflicts.").arg(forms);
  }
  return text + said(" This was tried and counted for this access only.");
}

QString patternLane(const own::AccessPattern& pattern, std::uint32_t lane) {
  const own::PatternAccess& access = pattern.accesses.front();
  if ((access.mask >> lane & 1u) == 0) return said("Lane %1 is inactive.").arg(lane);
  const std::uint32_t words = std::max(1u, pattern.request.bytes / 4);
  const QString where =
      said("Lane %1: index %2, byte %3 (0x%4)")
          .arg(QString::number(lane), QString::number(access.index[lane]),
               QString::number(access.address[lane]), QString::number(access.address[lane], 16));
  if (!pattern.shared()) {
    const std::int64_t at = access.address[lane];
    return said("%1, sector %2 of the line at byte %3")
        .arg(where, QString::number(at % analysis::kLineBytes / analysis::kSectorBytes),
             QString::number(at / analysis::kLineBytes * analysis::kLineBytes));
  }
  std::uint32_t banks = 0, wavefronts = 0;
  for (std::uint32_t w = 0; w < words; ++w) {
    banks |= 1u << (access.cost.addresses[lane] + w) % analysis::kBanks;
    wavefronts |= 1u << access.cost.shared.servedIn[lane * analysis::kMostWidth + w] % 32;
  }
  QString served;
  for (std::uint32_t w = 0; w < 32; ++w) {
    if ((wavefronts >> w & 1u) == 0) continue;
    served += (served.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(w + 1);
  }
  return (words == 1 ? said("%1, bank %2, wavefront %3") : said("%1, banks %2, wavefront %3"))
      .arg(where, bitsWords(banks), served);
}

}  // namespace tileloom
