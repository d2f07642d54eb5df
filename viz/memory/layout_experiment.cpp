// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/layout_experiment.h"

#include <QCoreApplication>
#include <QLocale>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/words.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

using analysis::ArrayLayout;
using analysis::LayoutForm;
using analysis::SharedCount;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Layout)
 public:
  static QString number(std::uint64_t n) { return QString::fromStdString(grouped(n)); }

  static QString rows(const analysis::ArrayShape& shape, std::uint32_t pitch, std::uint32_t parts) {
    if (parts > 2) {
      return tr("%1 rows of %2 words of %3 elements, %4 words from one row to the next")
          .arg(number(shape.rows), number(shape.length), number(parts), number(pitch));
    }
    return (parts > 1 ? tr("%1 rows of %2 words of two elements, %3 words from one row to the next")
                      : tr("%1 rows of %2 words, %3 words from one row to the next"))
        .arg(number(shape.rows), number(shape.length), number(pitch));
  }

  static QString chunks(const analysis::Swizzle& s, const analysis::ArrayShape& shape) {
    return tr("%1, their number XORed with %2")
        .arg(counted(1 << s.base, tr("Chunks of 1 word"), tr("Chunks of %1 words")),
             QString::fromStdString(swizzleSource(s, shape)));
  }
};

int blocksOf(const emulator::Trace& trace, const BlockLoad& load, std::uint32_t bytes) {
  const int registers =
      load.registers ? *load.registers : expectedRegisters(*trace.rung(), trace.tile);
  return analysis::occupancy(load.arch,
                             {static_cast<int>(trace.threads), registers, static_cast<int>(bytes)})
      .blocks;
}

// The layout of the array, as a sentence.
QString lies(const LayoutExperiment& e) {
  const ArrayLayout& layout = e.cost.layout;
  if (layout.form == LayoutForm::Swizzled)
    return Words::tr("%1.").arg(Words::chunks(layout.swizzle, e.shape));
  const std::uint32_t pitch = analysis::wordsTaken(layout, e.shape) / std::max(1u, e.shape.rows);
  const QString rows = Words::rows(e.shape, pitch, e.recording->trace.arrays[e.array].parts);
  if (!e.shape.inRows()) {
    return layout.form == LayoutForm::Recorded
               ? Words::tr("%1 words in the order that the kernel gives them.")
                     .arg(Words::number(e.shape.words()))
               : Words::tr("%1 instead of the kernel's own order.").arg(rows);
  }
  return pitch == e.shape.pitch
             ? Words::tr("%1, as now.").arg(rows)
             : Words::tr("%1 instead of %2.").arg(rows, Words::number(e.shape.pitch));
}

}  // namespace

std::uint32_t experimentArray(const Scene& scene, const std::string& name) {
  if (!scene.ready()) return 0;
  const auto& arrays = scene.recording->trace.arrays;
  for (std::uint32_t i = emulator::kFirstShared; i < arrays.size(); ++i) {
    if (arrays[i].name == name) return i;
  }
  if (scene.access && emulator::isShared(scene.access->instruction.kind))
    return scene.access->instruction.array;
  return arrays.size() > emulator::kFirstShared ? emulator::kFirstShared : 0;
}

LayoutExperiment layoutExperiment(const Scene& scene, const analysis::SharedUse& use,
                                  const LayoutChoice& choice, const BlockLoad& load) {
  LayoutExperiment e;
  e.recording = scene.recording;
  if (!scene.ready()) {
    e.whyNone = Words::tr("Nothing is recorded yet.");
    return e;
  }
  e.array = experimentArray(scene, choice.array);
  if (e.array == 0) {
    e.whyNone = Words::tr(
        "This rung keeps nothing in shared memory, so there is no array to lay out. Rungs from 3 "
        "on have one.");
    return e;
  }
  const auto& trace = scene.recording->trace;
  e.name = QString::fromStdString(trace.arrays[e.array].name);
  const auto shape = analysis::arrayShape(trace, e.array);
  if (!shape) {
    e.whyNone = Words::tr("No other layout can be calculated: %1.")
                    .arg(QString::fromStdString(shape.error()));
    return e;
  }
  e.shape = *shape;
  e.cost = analysis::layoutCost(use, e.array, e.shape, choice.layout, load.arch);
  if (analysis::whyNoLayout(choice.layout, e.shape).empty()) {
    e.other.layout.emplace(trace.arrays, e.array, e.shape, choice.layout);
  } else {
    e.other.whyNot = experimentVerdict(e);
  }
  e.recorded.title = Words::tr("Recorded");
  e.other.title = Words::tr("Calculated");
  e.blocksKnown = load.registers.has_value();
  e.blocksBefore = blocksOf(trace, load, trace.sharedBytes);
  e.blocksAfter = blocksOf(trace, load, e.cost.bytes);
  return e;
}

QString experimentQuestion(const LayoutExperiment& e) {
  const ArrayLayout& layout = e.cost.layout;
  QString question;
  switch (layout.form) {
    case LayoutForm::Recorded:
      return Words::tr("%1 as it is: choose another layout to compare.").arg(e.name);
    case LayoutForm::Plain:
      question = Words::tr("What if %1 had plain rows, without padding words?").arg(e.name);
      break;
    case LayoutForm::Padded:
      question =
          counted(layout.pad, Words::tr("What if each row of %2 had 1 padding word at its end?"),
                  Words::tr("What if each row of %2 had %1 padding words at its end?"))
              .arg(e.name);
      break;
    case LayoutForm::Swizzled:
      question =
          Words::tr("What if %1 were swizzled by Swizzle<%2>?").arg(e.name, shortLayout(layout));
      break;
  }
  return Words::tr("%1 Recorded accesses, other addresses.").arg(question);
}

bool isTrouble(const LayoutExperiment& e) {
  return !e.cost.possible();
}

QString experimentVerdict(const LayoutExperiment& e) {
  if (!e.cost.possible())
    return Words::tr("Not possible: %1.").arg(QString::fromStdString(e.cost.whyNot));
  const SharedCount before = e.cost.sum(false), after = e.cost.sum(true);
  const auto bytes = [&] {
    const std::uint32_t now = e.recording->trace.sharedBytes;
    return now == e.cost.bytes
               ? Words::tr("%1 bytes of shared memory per block, as now").arg(Words::number(now))
               : Words::tr("%1 bytes of shared memory per block instead of %2")
                     .arg(Words::number(e.cost.bytes), Words::number(now));
  };
  const auto blocks = [&] {
    const QString bound = e.blocksKnown ? QString() : QStringLiteral("≤ ");
    return e.blocksBefore == e.blocksAfter
               ? Words::tr("%1%2 blocks per SM, as now").arg(bound).arg(e.blocksAfter)
               : Words::tr("%1%2 blocks per SM instead of %1%3")
                     .arg(bound)
                     .arg(e.blocksAfter)
                     .arg(e.blocksBefore);
  };
  const QString wavefronts =
      before == after
          ? Words::tr("One K tile takes %1 wavefronts as now, %2 of them by bank conflicts")
                .arg(Words::number(after.wavefronts), Words::number(after.conflicts))
          : Words::tr(
                "One K tile takes %1 wavefronts instead of %2, %3 of them by bank conflicts "
                "instead of %4")
                .arg(Words::number(after.wavefronts), Words::number(before.wavefronts),
                     Words::number(after.conflicts), Words::number(before.conflicts));
  return Words::tr("%1 %2; %3; %4.").arg(lies(e), wavefronts, bytes(), blocks());
}

QString accessNote(const Scene& scene, const LayoutExperiment& e) {
  if (!e.ready() || !scene.access || scene.access->instruction.array == e.array) return {};
  return Words::tr(
             "The shown access is of %1, not of %2: click a line of the table to go to one of %2.")
      .arg(QString::fromStdString(scene.access->array), e.name);
}

QString experimentFootnote() {
  return Words::tr(
      "A calculation: recorded accesses of one K tile of this block, with other addresses. The "
      "instructions that would compute swizzled addresses are not counted.");
}

QString shortLayout(const ArrayLayout& layout) {
  switch (layout.form) {
    case LayoutForm::Recorded:
      return Words::tr("recorded");
    case LayoutForm::Plain:
      return Words::tr("plain");
    case LayoutForm::Padded:
      return counted(layout.pad, Words::tr("1 word per row"), Words::tr("%1 words per row"));
    case LayoutForm::Swizzled:
      break;
  }
  const analysis::Swizzle& s = layout.swizzle;
  return QStringLiteral("%1,%2,%3").arg(s.bits).arg(s.base).arg(s.shift);
}

}  // namespace tileloom
