// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a kernel's SASS: the summary of its main loop and the list of all instructions, side by
// side if there is room, else one above the other.
#pragma once

#include <QWidget>
#include <optional>

#include "viz/code/sass_page.h"
#include "viz/code/sass_summary.h"

class QBoxLayout;
class QScrollArea;

namespace tileloom {

class SassView : public QWidget {
  Q_OBJECT
 public:
  explicit SassView(QWidget* parent = nullptr);

  void setSide(const SassSide& side);
  const SassSide& side() const { return m_side; }
  SassSummary* summary() const { return m_summary; }
  SassPage* page() const { return m_page; }
  QScrollArea* list() const { return m_list; }
  int firstRow() const;  // the first visible one
  // The size of the narrow form, also while the wide one is shown: otherwise the view could never
  // become narrow.
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void arrange();
  void reveal(int index);

  SassSide m_side;
  QBoxLayout* m_layout;
  SassSummary* m_summary;
  QScrollArea* m_list;
  SassPage* m_page;
  QWidget* m_head;
  int m_awaited = -1;  // row that stays in the middle; -1: the user has scrolled
};

// The view as a picture: one side, or two side by side under their titles.
struct SassPictureSide {
  SassSide side;
  QString title;
  std::optional<int> first;  // row; std::nullopt: the opening row is in the middle
};
void paintSass(QPainter& p, const std::vector<SassPictureSide>& sides, const QSizeF& size,
               const Theme& theme, const QFont& font);

}  // namespace tileloom
