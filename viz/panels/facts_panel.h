// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about a tile in large numbers: those from its tile parameters, and those counted in its
// trace.
#pragma once

#include <QPainter>
#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"
#include "viz/base/scene.h"
#include "viz/base/text/kernel_facts.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

// The subject of a fact, most important first.
enum class FactGroup { Speed, Occupancy, Work, Memory };
inline constexpr int kFactGroups = 4;

struct Fact {
  QString value;
  QString unit;  // under the number
  QString note;  // below the unit, smaller still
  bool trouble = false;
  FactGroup group = FactGroup::Speed;
  bool headline = false;  // one of the few large ones
  QString tip = {};       // its meaning, its formula, and the origin of the number
};

// The facts of a recording, in reading order, with those of the kernel if it was compiled or
// recorded.
std::vector<Fact> factsOf(const analysis::Recording& recording,
                          const std::optional<KernelFacts>& kernel = std::nullopt);

// The note of a fact, with the mark of trouble, elided to the place.
void paintFactNote(QPainter& painter, const QRectF& place, const Fact& fact, const Theme& theme,
                   const Fonts& fonts);

// The few most important facts, large, side by side.
class FactsPanel : public PaintedView {
  Q_OBJECT
 public:
  explicit FactsPanel(QWidget* parent = nullptr);
  void setRecording(std::shared_ptr<const analysis::Recording> recording);
  // The kernel of the tile that the recording shows. std::nullopt: unknown, or not yet known.
  void setKernel(const std::optional<KernelFacts>& kernel);
  // Measured facts, in contrast to those counted in the trace. They are shown first. A counted
  // occupancy is beside the theoretical one, which stays the headline: a tile that was not counted
  // would seem to have more.
  void setMeasured(std::vector<Fact> facts);
  // Where the measured facts come from, in a line above them: "recorded on H100, 2048³".
  void setOrigin(const QString& origin);
  const QString& origin() const { return m_origin; }
  // The facts are of another tile than the parameters show: dimmed.
  void setStale(bool stale);
  // All facts, including those that are shown elsewhere.
  const std::vector<Fact>& facts() const { return m_facts; }

  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void factsChanged();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();
  double originHeight() const;
  double rowHeight() const;     // of a headline
  int across(int width) const;  // headlines beside each other
  QFont numberFont() const;
  QRectF cell(int headline) const;
  std::vector<const Fact*> headlines() const;

  std::shared_ptr<const analysis::Recording> m_recording;
  std::optional<KernelFacts> m_kernel;
  std::vector<Fact> m_measured;
  std::vector<Fact> m_facts;
  QString m_origin;
  bool m_stale = false;
};

}  // namespace tileloom
