// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/memory/fragment_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"
#include "viz/memory/bank_picture.h"

namespace tileloom {
namespace {

using analysis::Operand;
using analysis::WarpOperands;
using Value = WarpOperands::Value;
using emulator::kWarpSize;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Fragments)
};

// The number of a value's register among those of its instruction.
QString registerName(const Value& v) {
  constexpr char kLetters[] = {'a', 'b', 'c', 'r'};
  return QStringLiteral("%1%2")
      .arg(QLatin1Char(kLetters[static_cast<std::size_t>(v.operand)]))
      .arg(v.reg);
}

// "A[3][18–19]" of neighbours, "B[18–19][5]" of elements below each other: the first and the last
// element of a register, `apart` elements apart.
QString pairText(const std::optional<analysis::Element>& lower,
                 const std::optional<analysis::Element>& upper, std::int64_t apart) {
  if (!lower && !upper) return QStringLiteral("–");
  if (!lower || !upper) return describeElement(lower ? *lower : *upper);
  const QChar name = u"ABC"[static_cast<int>(lower->matrix)];
  const bool one = lower->matrix == upper->matrix;
  if (one && lower->row == upper->row && lower->column + apart == upper->column)
    return QStringLiteral("%1[%2][%3–%4]")
        .arg(name)
        .arg(lower->row)
        .arg(lower->column)
        .arg(upper->column);
  if (one && lower->column == upper->column && lower->row + apart == upper->row)
    return QStringLiteral("%1[%2–%3][%4]")
        .arg(name)
        .arg(lower->row)
        .arg(upper->row)
        .arg(lower->column);
  return QStringLiteral("%1 %2").arg(describeElement(*lower), describeElement(*upper));
}

std::vector<FragmentPicture::Column> columnsOf(const WarpOperands& operands) {
  std::vector<FragmentPicture::Column> columns;
  if (operands.load) {
    columns.emplace_back();
    columns.back().operand = Operand::Matrix;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      columns.back().texts[lane] = QStringLiteral("%1[%2]")
                                       .arg(QString::fromStdString(operands.array))
                                       .arg(operands.named[lane]);
  }
  for (const Operand operand : {Operand::A, Operand::B, Operand::C, Operand::Matrix}) {
    for (std::size_t i = 0; i < operands.values.size(); ++i) {
      const Value& v = operands.values[i];
      if (v.operand != operand) continue;
      const QString name = registerName(v);
      auto column = std::ranges::find_if(
          columns, [&name](const FragmentPicture::Column& c) { return c.name == name; });
      if (column == columns.end()) {
        columns.push_back({operand, name, {}, {}});
        column = columns.end() - 1;
      }
      column->held[v.lane][v.part] = i;
    }
  }
  std::ranges::stable_sort(columns, [](const auto& x, const auto& y) {
    return x.operand != y.operand ? x.operand < y.operand : x.name < y.name;
  });
  for (FragmentPicture::Column& column : columns) {
    if (column.name.isEmpty()) continue;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const auto element = [&](std::size_t half) -> std::optional<analysis::Element> {
        const auto& at = column.held[lane][half];
        return at ? operands.values[*at].element : std::nullopt;
      };
      column.texts[lane] = column.held[lane][3] ? pairText(element(0), element(3), 3)
                                                : pairText(element(0), element(1), 1);
    }
  }
  return columns;
}

// The shown instruction of a scene; std::nullopt: its warp executes none.
std::optional<std::uint32_t> shownInstruction(const Scene& scene) {
  return analysis::nearestTensor(*scene.recording, scene.moment.warp, scene.moment.index);
}

// Names the shown instruction, which need not be the current one.
QString whichText(const Scene& scene, std::uint32_t index, const QString& latest,
                  const QString& next) {
  const QString moment = describeMoment(scene.recording->moment(scene.moment.warp, index));
  if (index == scene.moment.index) return moment;
  return (index < scene.moment.index ? latest : next).arg(moment);
}

QStringList wordsOf(const MmaRow& mma) {
  return {Words::tr("C += A · B, %1 multiply-adds in one mma of the warp.")
              .arg(figures::grouped(mma.products())),
          mma.elementsPerRegister() == 2
              ? Words::tr("A cell says which lane holds the element, and in which half of which "
                          "32-bit register: a0.lo, a0.hi. Each sum of C has a register.")
          : mma.elementsPerRegister() == 1
              ? Words::tr("A cell says which lane holds the element, and in which 32-bit register. "
                          "Each sum of C has a register.")
              : Words::tr("A cell says which lane holds the element, and in which part of which "
                          "32-bit register. Each sum of C has a register."),
          Words::tr("Hover a lane or an element to find it in all views.")};
}

}  // namespace

QString registerText(const Value& v) {
  if (v.parts == 1) return registerName(v);
  if (v.parts == 2)
    return registerName(v) + (v.part == 0 ? QStringLiteral(".lo") : QStringLiteral(".hi"));
  return (v.parts == 4 ? QStringLiteral("%1.b%2") : QStringLiteral("%1.%2"))
      .arg(registerName(v))
      .arg(v.part);
}

QString cellText(const Value& v) {
  return QStringLiteral("%1 %2").arg(v.lane).arg(registerText(v));
}

QString describeValue(const FragmentPicture& picture, std::size_t value) {
  const Value& v = picture.operands.values[value];
  const QString what =
      v.element ? describeElement(*v.element) : Words::tr("a value of an unknown element");
  if (v.operand == Operand::C)
    return Words::tr("%1, summed by lane %2 in its register %3")
        .arg(what)
        .arg(v.lane)
        .arg(registerName(v));
  QString text;
  if (v.parts == 1) {
    text = Words::tr("%1, held by lane %2 in its register %3")
               .arg(what)
               .arg(v.lane)
               .arg(registerName(v));
  } else if (v.parts > 2) {
    text = (v.parts == 4 ? Words::tr("%1, held by lane %2 in byte %4 of its register %3")
                         : Words::tr("%1, held by lane %2 in half byte %4 of its register %3"))
               .arg(what)
               .arg(v.lane)
               .arg(registerName(v))
               .arg(v.part);
  } else {
    text = (v.part == 0 ? Words::tr("%1, held by lane %2 in the lower half of its register %3")
                        : Words::tr("%1, held by lane %2 in the upper half of its register %3"))
               .arg(what)
               .arg(v.lane)
               .arg(registerName(v));
  }
  if (v.operand == Operand::Matrix) {
    const std::uint32_t namer = v.matrix * emulator::kMatrixEdge + v.row;
    text += Words::tr(", read from %1[%2], in the row that lane %3 addresses")
                .arg(QString::fromStdString(picture.operands.array))
                .arg(picture.operands.named[namer] + v.column)
                .arg(namer);
  }
  return text;
}

ChosenFragment chosenFragment(const FragmentPicture& picture, const Selection& selection) {
  ChosenFragment chosen;
  if (selection.thread && *selection.thread / kWarpSize == picture.operands.warp)
    chosen.lane = *selection.thread % kWarpSize;
  if (selection.element &&
      std::ranges::any_of(picture.operands.values,
                          [&selection](const Value& v) { return v.element == selection.element; }))
    chosen.element = selection.element;
  return chosen;
}

QString fragmentNote(const FragmentPicture& picture, const ChosenFragment& chosen) {
  const WarpOperands& operands = picture.operands;
  if (chosen.element) {
    QStringList held;
    for (std::size_t i = 0; i < operands.values.size(); ++i) {
      const Value& v = operands.values[i];
      if (v.element == chosen.element && (!chosen.lane || *chosen.lane == v.lane))
        held += describeValue(picture, i);
    }
    if (!held.isEmpty()) return held.first();
  }
  if (chosen.lane) {
    QStringList parts;
    for (const FragmentPicture::Column& column : picture.columns) {
      const QString& text = column.texts[*chosen.lane];
      parts += column.name.isEmpty() ? Words::tr("row at %1").arg(text)
                                     : QStringLiteral("%1 %2").arg(column.name, text);
    }
    return Words::tr("lane %1: %2").arg(*chosen.lane).arg(parts.join(QStringLiteral(" · ")));
  }
  if (!operands.load)
    return Words::tr(
        "a cell says which lane holds the element and in which half of which register "
        "· elements as recorded");
  return operands.turned ? Words::tr(
                               "a row is 16 bytes that one lane addresses · a cell says which lane "
                               "receives the element · transposed: two of a column each")
                         : Words::tr(
                               "a row is 16 bytes that one lane addresses · a cell says which lane "
                               "receives the element · not transposed: two of a row each");
}

bool sameFragments(const Scene& one, const Scene& other) {
  if (one.recording != other.recording || !one.ready()) return false;
  if (one.moment.warp != other.moment.warp) return false;
  return one.moment.index == other.moment.index;
}

FragmentPicture fragmentPicture(const Scene& scene, const QRectF& whole, const Fonts& fonts) {
  FragmentPicture picture;
  const BankFrame frame = BankFrame::of(whole, fonts);
  picture.header = frame.header;
  picture.footer = frame.footer;
  picture.canvas = frame.canvas.adjusted(0, 3, 0, -3);
  picture.title = Words::tr("Fragments");
  if (!scene.ready()) {
    picture.whyNone = Words::tr("Nothing is recorded yet.");
    return picture;
  }
  const auto& trace = scene.recording->trace;
  if (trace.features().warpgroupMma) {
    const auto product =
        analysis::groupProduct(*scene.recording, scene.moment.warp, scene.moment.index);
    if (!product) {
      picture.whyNone = Words::tr("This warp issues no wgmma in the recording.");
      return picture;
    }
    picture.title = QStringLiteral("wgmma.m64n%1k16").arg(product->columns);
    picture.what = whichText(scene, product->index, Words::tr("latest wgmma: %1"),
                             Words::tr("next wgmma: %1"));
    picture.group = groupPicture(scene, *product, picture.canvas, fonts);
    return picture;
  }
  if (!trace.features().warpMma) {
    picture.whyNone = Words::tr(
        "This rung multiplies lane by lane, without tensor cores: the thread level of the loom "
        "(key 4) shows the fragments of a lane.");
    return picture;
  }
  const auto index = shownInstruction(scene);
  if (!index) {
    picture.whyNone = Words::tr("This warp executes no tensor instruction in the recording.");
    return picture;
  }
  picture.operands = analysis::warpOperands(*scene.recording, scene.moment.warp, *index);
  const WarpOperands& operands = picture.operands;
  picture.columns = columnsOf(operands);
  picture.title = operands.load
                      ? operands.turned ? Words::tr("ldmatrix.x4.trans") : Words::tr("ldmatrix.x4")
                      : QStringLiteral("mma.%1").arg(toQString(operands.mma->shape));
  picture.what = whichText(scene, *index, Words::tr("latest tensor instruction: %1"),
                           Words::tr("next tensor instruction: %1"));
  if (!operands.load) picture.words = wordsOf(*operands.mma);

  const QFontMetricsF small(fonts.small);
  FragmentInput input;
  input.canvas = picture.canvas;
  input.text = small.height();
  input.lane = small.horizontalAdvance(QStringLiteral("31"));
  input.full = small.horizontalAdvance(QStringLiteral("31 a3.lo"));
  input.names = small.horizontalAdvance(QStringLiteral("c0, c1")) + 10;
  input.rowName = small.horizontalAdvance(QStringLiteral("lane 31: %1[%2]")
                                              .arg(QString::fromStdString(operands.array))
                                              .arg(*std::ranges::max_element(operands.named))) +
                  12;
  const double pad = 1.2 * small.horizontalAdvance(QStringLiteral("00"));
  input.column = small.horizontalAdvance(Words::tr("lane")) + pad;
  for (const FragmentPicture::Column& column : picture.columns) {
    double width = small.horizontalAdvance(column.name);
    // The longest number is the widest, or nearly.
    const auto longest = std::ranges::max_element(column.texts, {}, &QString::size);
    width = std::max(width, small.horizontalAdvance(*longest));
    input.columns.push_back(width + pad);
  }
  picture.geometry = FragmentGeometry(input, operands);
  return picture;
}

}  // namespace tileloom
