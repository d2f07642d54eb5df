// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the user, above the ladder; not visible while none is open.
#pragma once

#include <QListWidget>

#include "app/services/choice/own_kernels.h"

namespace tileloom {

class OwnList : public QListWidget {
  Q_OBJECT
 public:
  explicit OwnList(const OwnKernels& kernels, QWidget* parent = nullptr);

  void setCurrent(const Stage& stage);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void picked(const tileloom::Stage* stage);

 private:
  void fill();

  const OwnKernels& m_kernels;
  const Stage* m_current = nullptr;
};

// Where the kernel is from, how it is launched, and whether its result is right: some sentences.
QString ownParagraph(const own::OwnKernel& kernel);
// What a later version costs, beside the earlier one: "registers 40 → 38, …", one clause.
QString changeText(const own::OwnKernel& before, const own::OwnKernel& now);
// "all 98,304 elements of C are right", one clause.
QString checkedText(const own::ProductCheck& check);

}  // namespace tileloom
