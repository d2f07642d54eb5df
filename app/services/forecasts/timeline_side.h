// SPDX-License-Identifier: GPL-3.0-or-later
// One tile on the virtual clock: what the timeline shows of it at the scene's moment, and which
// moment a time belongs to. The window has one for the present tile, which the page and the strip
// under the loom share; the page has another one for the baseline.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "app/services/forecasts/timeline_service.h"
#include "viz/base/scene.h"
#include "viz/timeline/timeline_data.h"

namespace tileloom {

class Lab;

class TimelineSide : public QObject {
  Q_OBJECT
 public:
  explicit TimelineSide(const Lab& lab);

  // Cycles added to the latency of memory, and the most cycles added to that, drawn for each K tile
  // of A and of B.
  int delay() const { return m_delay; }
  int varies() const { return m_varies; }
  void setLatency(int delay, int varies);

  // Shows the change between two tiles of C, for a persistent kernel. The recording of the scene
  // has one tile: while it multiplies, its instant is in the second tile, and after that in the
  // first (seam_places.h).
  bool betweenTiles() const { return m_betweenTiles; }
  void setBetweenTiles(bool between);

  // Timestamps opened by the user, for their tile; null: those that ship.
  const std::shared_ptr<const timeline::Measured>& stamps() const { return m_stamps; }
  void setStamps(std::shared_ptr<const timeline::Measured> stamps);

  // What to show at this instant. While another tile or latency is being simulated, the last
  // timeline stays, and if it is of another tile, so does its moment; changed() follows when the
  // new one is ready.
  const TimelineData& show(const Scene& scene);
  const TimelineData& data() const { return m_data; }
  bool pending() const { return m_service.pending(); }
  // Forgets what it shows.
  void clear();

  // The instruction of the scene's recording for this one of the timeline's trace; in a K tile that
  // the recording lacks, the same instruction in the last K tile that it has. std::nullopt: there
  // is none.
  std::optional<std::uint32_t> inRecording(const Scene& scene, std::uint32_t warp,
                                           std::uint32_t instruction) const;

  struct Instant {
    std::uint32_t index = 0;  // of the watched warp's instruction in the recording
    double passed = 0;        // of the time until its next one, 0 to 1
  };
  // The latest instruction of the watched warp issued at this time; for a K tile that the recording
  // lacks as above. std::nullopt: there is no timeline, or it is of another tile.
  std::optional<Instant> instantAt(const Scene& scene, double cycle);

 signals:
  void changed();

 private:
  using Question = TimelineService::Question;

  void take(const Question& question, const TimelineService::Answer& answer);
  const Question& questionOf(const Scene& scene);
  bool isOf(const Scene& scene) const;
  void place(const Scene& scene);
  const std::vector<double>& instants(std::uint32_t warp);
  std::uint32_t kTilesOfFirst() const { return m_program->kTiles / m_program->walks; }

  const Lab& m_lab;
  TimelineService m_service;
  int m_delay = 0, m_varies = 0;
  bool m_betweenTiles = false;
  std::shared_ptr<const timeline::Measured> m_stamps;
  // The question for a recording, until its kernel becomes known or the latency changes.
  std::optional<Question> m_question;
  std::weak_ptr<const analysis::Recording> m_asked;
  Question m_answered;  // what is shown
  std::shared_ptr<const timeline::BlockProgram> m_program;
  TimelineData m_data;
  std::vector<double> m_instants;  // of m_instantsOf in m_data's timeline
  std::optional<std::uint32_t> m_instantsOf;
};

}  // namespace tileloom
