// SPDX-License-Identifier: GPL-3.0-or-later
// The machine code of the tile in the window and of the one that it is compared with: from the
// worker where it can compile and disassemble, recorded otherwise. Asks only while somebody looks.
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>

#include "app/services/lab.h"
#include "viz/code/sass_facts.h"

namespace tileloom {

class Listings : public QObject {
  Q_OBJECT
 public:
  explicit Listings(Lab& lab, QObject* parent = nullptr);

  // The tile, legal, that the window shows; the baseline may be nullptr: none.
  void choose(const Stage* stage, const TileShape& tile);
  void watch(const Stage* stage, const TileShape& tile);
  // Whether the view is looked at.
  void setWanted(bool wanted);

  SassSide now() const { return sideOf(m_now); }
  SassSide baseline() const { return sideOf(m_baseline); }

 signals:
  void changed();

 private:
  using Facts = std::shared_ptr<const SassFacts>;
  struct Wish {
    const Stage* stage = nullptr;
    TileShape tile;
    QString tag;
    quint64 asked = 0;  // number of the request that is under way; 0: none
    QString trouble;    // that the worker had with this very tile
  };

  void set(Wish& wish, const Stage* stage, const TileShape& tile);
  bool canAsk() const;
  void ask();
  void askFor(Wish& wish);
  void take(quint64 id, const sass::MachineCode& code);
  void takeFailure(quint64 id, const Error& error);
  SassSide sideOf(const Wish& wish) const;
  Facts find(const Wish& wish) const;  // live, or else recorded

  Lab& m_lab;
  Wish m_now, m_baseline;
  QString m_missing;         // why no listing can be made here
  std::deque<Facts> m_live;  // the latest last
  mutable std::deque<Facts> m_recorded;
  QTimer m_settle;
  bool m_wanted = false;
};

}  // namespace tileloom
