// SPDX-License-Identifier: GPL-3.0-or-later
// One tile on the virtual clock: its programs, made away from the GUI thread, and what the timeline
// shows of them. The page has one for the present tile and one for the baseline.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>

#include "app/services/timeline_service.h"
#include "kernels/sass/loop_size.h"
#include "viz/base/scene.h"
#include "viz/timeline/timeline_data.h"

namespace tileloom {

struct Services;

class TimelineSide : public QObject {
  Q_OBJECT
 public:
  explicit TimelineSide(Services& services) : m_services(services) {
    connect(&m_service, &TimelineService::answered, this, &TimelineSide::take);
  }

  // What is to be shown at this instant, with memory so many cycles slower. While the programs of
  // another tile are still being made, the last timeline stays; changed() tells when they are
  // there.
  const TimelineData& show(const Scene& scene, int delay);
  const TimelineData& data() const { return m_data; }
  bool pending() const { return m_service.pending(); }
  // Forgets what it shows.
  void clear();

  // The instruction of the scene's recording that is this one of the timeline's trace, or of a K
  // tile that the recording lacks its like in the last one that it has. std::nullopt: there is
  // none.
  std::optional<std::uint32_t> inRecording(const Scene& scene, std::uint32_t warp,
                                           std::uint32_t instruction) const;

 signals:
  void changed();

 private:
  // What the clock depends on beside the programs.
  struct Setting {
    int delay = 0;
    int blocks = 0;  // per SM; 0: not known
    sass::LoopSize loop;
    std::string arch;
    bool operator==(const Setting&) const = default;
  };

  void take(const TimelineService::Question& question, const TimelineService::Answer& program);
  Setting settingOf(const Scene& scene, int delay) const;
  TimelineData simulated(const Scene& scene, const Setting& setting);
  void placeNow(const Scene& scene);

  Services& m_services;
  TimelineService m_service;
  TimelineService::Question m_asked;                  // what m_program answers
  TimelineService::Answer m_program, m_shown;         // the latest; that of m_data
  Setting m_setting, m_usualSetting;                  // of m_data; of m_usual
  std::shared_ptr<const timeline::Timeline> m_usual;  // without the delay
  TimelineData m_data;
};

}  // namespace tileloom
