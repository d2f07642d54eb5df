// SPDX-License-Identifier: GPL-3.0-or-later
// Lays widgets out like the words of a text: one that does not fit into a line begins the next.
#pragma once

#include <QLayout>
#include <QWidget>
#include <memory>
#include <vector>

namespace tileloom {

class FlowLayout : public QLayout {
 public:
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override;
  int count() const override;
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  // All in one line.
  QSize sizeHint() const override;
  // The widest of them alone.
  QSize minimumSize() const override;
  void setGeometry(const QRect& place) override;

 private:
  enum class Move { Nothing, Items };
  // Lays the items out within the width of `place`; returns their height.
  int lay(const QRect& place, Move move) const;

  std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

// A widget with such lines that requests the height of its present width. Layouts and scroll areas
// above it would take a height-for-width as the preferred height of everything beside it.
class FlowRow : public QWidget {
  Q_OBJECT
 public:
  explicit FlowRow(QWidget* parent = nullptr);
  FlowLayout& flow() const { return *m_flow; }

  bool hasHeightForWidth() const override { return false; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  FlowLayout* m_flow;
};

}  // namespace tileloom
