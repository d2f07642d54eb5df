// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_film.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/export/write_animation.h"
#include "app/render/lecture_stage.h"
#include "app/window/lecture/lecture_mode.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureFilm)
};

int framesOf(const std::vector<Shot>& shots) {
  int frames = 0;
  for (const Shot& shot : shots) frames += shot.frames;
  return frames;
}

constexpr double kLettersPerSecond = 16, kLeastSeconds = 4, kMostSeconds = 30;
// The words come first, and the loom plays while a reader reads them again.
constexpr double kBeforePlaying = 3, kPlaying = 8;

// Paints one frame after the other: a frame depends on those before it.
class Film {
 public:
  Film(LectureStage& stage, const std::vector<Shot>& shots, int fps)
      : m_stage(stage), m_shots(shots), m_fps(fps) {}

  QImage next() {
    while (m_frame == m_shots[m_shot].frames) {
      ++m_shot;
      m_frame = 0;
    }
    const Shot& shot = m_shots[m_shot];
    const int frame = m_frame++;
    switch (shot.kind) {
      case Shot::Kind::Pass:
        if (frame == 0) m_stage.pass(shot.step);
        m_image = m_stage.passed(LectureMode::kPassMs * (frame + 1) / shot.frames);
        break;
      case Shot::Kind::Still:
        if (m_shot == 0) m_image = m_stage.at(shot.step);
        break;
      case Shot::Kind::Play:
        if (frame == 0) m_plays = true;
        if (!m_plays) break;
        m_plays = m_stage.play(1.0 / m_fps);
        m_image = m_stage.picture();
        break;
    }
    return m_image;
  }

 private:
  LectureStage& m_stage;
  const std::vector<Shot>& m_shots;
  int m_fps;
  std::size_t m_shot = 0;
  int m_frame = 0;
  bool m_plays = false;
  QImage m_image;
};

}  // namespace

int filmFps(AnimationFormat format) {
  return format == AnimationFormat::Gif ? 5 : 25;
}

QString whyNotFilmed(AnimationFormat format, const std::vector<Shot>& shots, const QSize& size) {
  if (format != AnimationFormat::Gif) return {};
  constexpr double kGiB = 1 << 30, kMost = 2 * kGiB;
  const double bytes = 4.0 * size.width() * size.height() * framesOf(shots);
  if (bytes <= kMost) return {};
  return Words::tr(
             "a GIF of these steps needs %1 GiB of memory, more than the 2 that it may use: write "
             "an .mp4, name fewer --steps, or choose a smaller --size")
      .arg(bytes / kGiB, 0, 'f', 1);
}

std::vector<Shot> shotsOf(const Lecture& lecture, const std::vector<std::size_t>& steps, int fps) {
  std::vector<Shot> shots;
  const auto frames = [fps](double seconds) {
    return std::max(1, static_cast<int>(seconds * fps + 0.5));
  };
  for (const std::size_t number : steps) {
    const Step& step = lecture.steps[number];
    if (!shots.empty())
      shots.push_back({Shot::Kind::Pass, number, frames(LectureMode::kPassMs / 1000.0)});
    const double letters = static_cast<double>(step.headline.size() + step.text.size());
    const double reading = std::clamp(letters / kLettersPerSecond, kLeastSeconds, kMostSeconds);
    if (!step.plays) {
      shots.push_back({Shot::Kind::Still, number, frames(reading)});
      continue;
    }
    shots.push_back({Shot::Kind::Still, number, frames(kBeforePlaying)});
    shots.push_back(
        {Shot::Kind::Play, number, frames(std::max(reading - kBeforePlaying, kPlaying))});
  }
  return shots;
}

QString writeFilm(LectureStage& stage, const std::vector<Shot>& shots, int fps,
                  const AnimationTarget& target, const Interruptions& interruptions,
                  const std::function<void(std::size_t done, std::size_t all)>& progress) {
  Film film(stage, shots, fps);
  AnimationSetup setup;
  setup.indices.resize(static_cast<std::size_t>(framesOf(shots)));
  setup.fps = fps;
  setup.target = target;
  const std::size_t frames = setup.indices.size();
  std::size_t painted = 0;
  setup.paint = [&](std::uint32_t) {
    QImage frame = film.next();
    if (progress) progress(++painted, frames);
    return frame;
  };
  const QString wrong = writeAnimation(std::move(setup), interruptions);
  return wrong.isEmpty() ? stage.problem() : wrong;
}

}  // namespace tileloom::lecture
