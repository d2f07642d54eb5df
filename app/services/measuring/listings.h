// SPDX-License-Identifier: GPL-3.0-or-later
// The SASS of the tile in the window and of the baseline, and where their warps wait: from the
// worker if it can make them, recorded otherwise. Requests them only while a view shows them.
#pragma once

#include <QObject>
#include <QTimer>
#include <deque>
#include <set>

#include "app/services/measuring/lab.h"
#include "kernels/tile/subject.h"
#include "viz/code/sass_facts.h"
#include "viz/code/stall_facts.h"

namespace tileloom {

namespace own {
class OwnKernel;
}

class Listings : public QObject {
  Q_OBJECT
 public:
  explicit Listings(Lab& lab, QObject* parent = nullptr);

  // What the window shows, with a legal tile; a baseline without a kernel: none.
  void choose(const Subject& place, const Problem& problem);
  void watch(const Subject& place);
  // Whether a view that shows them is visible.
  void setWanted(const QObject* view, bool wanted);
  // Where the warps of this tile wait, if it is known already: at this size, or recorded at
  // another. nullptr: it is not.
  std::shared_ptr<const StallFacts> stallsOf(const Subject& place, const Problem& problem) const;

  // Whether notes may advise to install a missing tool: not before an audience.
  void setAdvising(bool advising);

  SassSide now() const { return sideOf(m_now); }
  SassSide baseline() const { return sideOf(m_baseline); }

 signals:
  void changed();

 private:
  using Facts = std::shared_ptr<const SassFacts>;
  struct Wish {
    Subject place;
    QString tag;
    Problem problem;         // at which it is sampled
    bool asked = false;      // a request is in progress
    bool sampling = false;   // likewise
    QString trouble;         // reported by the worker for exactly this tile
    bool unsampled = false;  // it cannot be sampled here
  };

  void set(Wish& wish, const Subject& place, const Problem& problem);
  bool canAsk() const;
  void ask();
  void askFor(Wish& wish);
  void take(Wish& wish, const Result<sass::MachineCode>& code);
  void takeSamples(Wish& wish, const Result<runs::StallSamples>& samples);
  void forgetListing(Wish& wish);  // its request
  void forgetSamples(Wish& wish);
  void askForSamples(Wish& wish);
  SassSide sideOf(const Wish& wish) const;
  // Live, or else recorded.
  Facts find(const Subject& place) const;
  Facts ownFacts(const Subject& place, const own::OwnKernel& kernel) const;
  QString whyNone(const Subject& place, const QString& why) const;

  Lab& m_lab;
  Wish m_now, m_baseline;
  QString m_missing;                // why no listing can be made here
  std::deque<Facts> m_live;         // the latest last
  mutable std::deque<Facts> m_own;  // of kernels that are not rungs
  mutable std::deque<Facts> m_recorded;
  using Stalls = std::shared_ptr<const StallFacts>;
  std::deque<Stalls> m_sampled;          // live ones, the latest last
  mutable std::deque<Stalls> m_shipped;  // recorded ones that were requested
  QTimer m_settle;
  bool m_advising = true;
  std::set<const QObject*> m_viewers;
};

}  // namespace tileloom
