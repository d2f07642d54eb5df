// SPDX-License-Identifier: GPL-3.0-or-later
// A page of the window, or the whole window, as frames of an animation: plays the window itself,
// and then restores its instant.
#pragma once

#include <QImage>
#include <QPointer>
#include <QWidget>
#include <vector>

#include "app/pages/page.h"

namespace tileloom {

class Window;

class ViewFrames {
 public:
  // `how.size` holds the caption, too; that of the window is its own. All frames are as large as
  // the first, whatever their captions say.
  ViewFrames(Window& window, std::string_view view, const std::vector<std::uint32_t>& indices,
             const ViewExport& how);
  ~ViewFrames();
  ViewFrames(const ViewFrames&) = delete;
  ViewFrames& operator=(const ViewFrames&) = delete;

  // Empty, or a sentence on why nothing can be painted at this size.
  const QString& problem() const { return m_problem; }
  // Pixels that the tallest caption takes at this width.
  double captionRoom() const { return m_room; }
  QImage at(std::uint32_t index);

 private:
  QPointer<const QWidget> m_frame;  // of the window
  Window& m_window;
  std::string_view m_view;
  ViewExport m_how;
  QString m_problem;
  QSizeF m_whole;    // of a page's frames
  int m_before = 0;  // the instruction that was shown
  double m_room = 0;
};

}  // namespace tileloom
