// SPDX-License-Identifier: GPL-3.0-or-later
// The sentence on the fault that a test has planted.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QtTest>

#include "kernels/emulator/fault.h"
#include "tests/support/planted.h"
#include "tests/support/text.h"

namespace tileloom::test {

// The first fault must be of this kind and in the planted line. Returns its sentence without that
// line. Lines are distances from the planted one, "line L-1", which are independent of the text
// above.
inline QString sentenceOf(const emulator::FaultLog& faults, emulator::FaultKind kind) {
  if (faults.empty()) {
    QTest::qFail("no fault", __FILE__, __LINE__);
    return {};
  }
  const emulator::Fault& fault = faults.kept.front();
  const QString text = q(describe(fault));
  if (fault.kind != kind || fault.line != plantedLine || plantedLine == 0)
    QTest::qFail(qPrintable(text), __FILE__, __LINE__);
  const QString end = QStringLiteral(", planted at tests/planted.cuh:%1").arg(plantedLine);
  const QString said = text.endsWith(end) ? text.chopped(end.size()) : text;
  static const QRegularExpression line("line (\\d+)");
  QString relative;
  qsizetype at = 0;
  for (auto match = line.globalMatch(said); match.hasNext();) {
    const auto m = match.next();
    const int distance = m.captured(1).toInt() - plantedLine;
    relative += said.mid(at, m.capturedStart() - at) +
                (distance == 0 ? QString("line L") : QString::asprintf("line L%+d", distance));
    at = m.capturedEnd();
  }
  return relative + said.mid(at);
}

}  // namespace tileloom::test
