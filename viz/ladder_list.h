// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs of the ladder, to pick one.
#pragma once

#include <QListWidget>

#include "kernels/tile/stage.h"

namespace tileloom {

class LadderList : public QListWidget {
  Q_OBJECT
 public:
  explicit LadderList(std::span<const Stage> stages, QWidget* parent = nullptr);

  void setCurrent(const Stage& stage);

  QSize sizeHint() const override;

 signals:
  void picked(const tileloom::Stage* stage);

 private:
  std::span<const Stage> m_stages;
};

}  // namespace tileloom
