// SPDX-License-Identifier: GPL-3.0-or-later
// A few K tiles of the timeline around the present instant, with a row for each kind of lane. It
// follows the instant; a click or a drag goes to another one, a double click opens the whole
// timeline.
#pragma once

#include <QPixmap>
#include <map>
#include <optional>

#include "viz/base/widgets/painted_view.h"
#include "viz/timeline/timeline_geometry.h"

namespace tileloom {

class TimelineStrip : public PaintedView {
  Q_OBJECT
 public:
  explicit TimelineStrip(QWidget* parent = nullptr);

  void setData(TimelineData data);
  const TimelineData& data() const { return m_data; }
  // While playing, the instant stays in its place and time scrolls, unless animations are off.
  void setPlaying(bool playing) { m_playing = playing; }
  void setStill(bool still) { m_still = still; }
  // Which of two sides it shows during a comparison: "Now"; empty: there is one.
  void setSide(const QString& side);
  // Condensed or Fewest.
  void setRows(TimelineRows rows);
  TimelineRows rows() const { return m_rows; }
  // Pixels.
  int heightOf(TimelineRows rows) const;

  // Moves the instant to its usual place: pictures do not depend on earlier instants.
  void centre();

  double from() const { return m_from; }  // the first cycle that is shown
  double length() const;                  // the number of shown cycles
  // The present layout of the picture.
  TimelineGeometry picture() const;

  QSize sizeHint() const override { return {600, heightOf(m_rows)}; }
  QSize minimumSizeHint() const override { return {200, heightOf(m_rows)}; }

 signals:
  void sought(double cycle);  // by the user
  void opened();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void restyle() override;
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  void forgetPicture();
  void follow();
  void limit();
  void seek(double x);
  const TimelineGeometry& frame() const;
  TimelineGeometry geometry(const QRectF& canvas, double names, double from, double to) const;
  double perCycle() const;  // pixels
  const QPixmap& piece(int number) const;
  void paintPiece(QPainter& painter, int number) const;
  // Predicted values are in italics.
  QFont leaning() const;
  // The words at the end of the axis, and their place.
  struct End {
    QString words;
    QRectF plate;
  };
  End endOfAxis() const;

  TimelineData m_data;
  QString m_side;
  TimelineRows m_rows = TimelineRows::Condensed;
  double m_from = 0;
  bool m_playing = false, m_still = false, m_seeking = false;
  // The places of names and rows, independent of time.
  mutable std::optional<TimelineGeometry> m_frame;
  // Pictures of stretches of time, each kPiece pixels wide and without words: scrolling does not
  // repaint them.
  mutable std::map<int, QPixmap> m_pieces;
};

}  // namespace tileloom
