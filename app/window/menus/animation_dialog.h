// SPDX-License-Identifier: GPL-3.0-or-later
// Dialog that exports playback as a file, with progress and cancel. It gets the views to paint and
// does not depend on a window.
#pragma once

#include <QElapsedTimer>

#include "app/export/animation.h"
#include "app/window/common/writing_dialog.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;

namespace tileloom {

// A view that changes during playback.
struct AnimatedView {
  QString id;    // of its page, or of the whole window
  QString name;  // as shown to the user
  QSizeF size;   // on the screen
};

// Paints the frame of an instruction.
using PaintFrame = std::function<QImage(std::uint32_t index)>;

struct AnimationSource {
  std::shared_ptr<const analysis::Recording> recording;
  std::uint32_t warp = 0;
  std::vector<AnimatedView> views;  // the first is proposed
  // Paints a view's frames of this size, its caption included; or why they cannot be painted.
  // Called when they begin, and the result is dropped when they end.
  std::function<tl::expected<PaintFrame, QString>(const AnimatedView& view,
                                                  const std::vector<std::uint32_t>& indices,
                                                  QSizeF size, bool caption)>
      frames;
};

class AnimationDialog : public WritingDialog {
  Q_OBJECT
 public:
  explicit AnimationDialog(AnimationSource source, QWidget* parent = nullptr);
  ~AnimationDialog() override;

  bool running() const override { return m_writer != nullptr; }

 private:
  QWidget* makeForm();
  const AnimatedView& view() const;  // the chosen one
  AnimationFormat format() const;
  FrameRange range() const;
  std::vector<std::uint32_t> indices() const;
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
  bool m_ownPace = false;  // the user has chosen it
  QCheckBox* m_caption = nullptr;
  QLineEdit* m_file = nullptr;
};

}  // namespace tileloom
