// SPDX-License-Identifier: GPL-3.0-or-later
// Connects the row of the tuner's controls with the tuner: what is searched, how far it is, and
// which tile is known to be the best here.
#pragma once

#include <QObject>
#include <functional>

#include "app/services/measuring/tuner.h"

namespace tileloom {

class TunerRow;
struct Services;

class TunerControls : public QObject {
  Q_OBJECT
 public:
  TunerControls(Services& services, TunerRow& row, QObject* parent = nullptr);

  // show() does nothing while this returns false: what is not visible is not counted.
  void setShown(std::function<bool()> shown) { m_shown = std::move(shown); }
  void show();

 private:
  void start(double budgetSeconds, Tuner::Begin begin);

  Services& m_services;
  TunerRow& m_row;
  std::function<bool()> m_shown = [] { return true; };
};

}  // namespace tileloom
