// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what of playing becomes a file, shows how far it is, and lets it be cancelled. It is given
// what to paint and knows no window.
#pragma once

#include <QElapsedTimer>

#include "app/export/animation.h"
#include "app/window/writing_dialog.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace tileloom {

// A picture that playing changes.
struct AnimatedPicture {
  QString id;       // of its page
  QString name;     // as the person reads it
  Picture picture;  // as it is on the screen
};

struct AnimationSource {
  std::shared_ptr<const analysis::Recording> recording;
  std::uint32_t warp = 0;
  Selection held;
  std::optional<Residency> residency;
  std::vector<AnimatedPicture> pictures;
  QSize window;
  CaptionFacts caption;
  // Paints the window's frames; called when they begin, and the result is dropped when they end.
  std::function<std::function<QImage(std::uint32_t)>(const std::vector<std::uint32_t>& indices,
                                                     bool caption)>
      windowFrames;
};

class AnimationDialog : public WritingDialog {
  Q_OBJECT
 public:
  explicit AnimationDialog(AnimationSource source, QWidget* parent = nullptr);
  ~AnimationDialog() override;

  bool running() const override { return m_writer != nullptr; }

 private:
  QWidget* makeForm();
  const Picture* picture() const;  // that is chosen; nullptr: the whole window
  AnimationFormat format() const;
  FrameRange range() const;
  std::vector<std::uint32_t> indices() const;
  std::function<QImage(std::uint32_t)> painter(const std::vector<std::uint32_t>& indices,
                                               QString& problem) const;
  void selectStep(FrameStep step);
  void takePace();
  void takeView();
  void takeFormat();
  void judge() override;
  void begin() override;
  void cancel() override;
  void browse() override;
  void showProgress(int done, int total);
  void ended(const QString& problem);

  AnimationSource m_source;
  std::unique_ptr<AnimationWriter> m_writer;
  QElapsedTimer m_clock;
  QComboBox *m_view = nullptr, *m_every = nullptr, *m_format = nullptr;
  QSpinBox *m_from = nullptr, *m_to = nullptr, *m_fps = nullptr, *m_width = nullptr,
           *m_height = nullptr;
  bool m_ownPace = false;  // the person has chosen it
  QCheckBox* m_caption = nullptr;
  QLineEdit* m_file = nullptr;
};

}  // namespace tileloom
