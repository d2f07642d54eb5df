// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages that consist of one chart have in common: they paint, measure and write it alike.
#pragma once

#include "app/pages/page.h"
#include "viz/charts/chart_export.h"

namespace tileloom {

// Chart has sizeHint() and paintTo(painter, size), and an overload of writeChart() accepts it.
template <class Chart>
class ChartPage : public Page {
 public:
  ChartPage(const PageRow& row, PageContext& context) : Page(row, context), m_chart(new Chart) {}

  QSizeF naturalSize(const QSizeF& screen) const override {
    return screen.expandedTo(m_chart->sizeHint());
  }
  void paintTo(QCPPainter& painter, const Sheet& sheet) const override {
    m_chart->paintTo(painter, sheet.size.toSize());
  }
  QString write(const QString& file, const Sheet& sheet, bool) const override {
    return writeChart(*m_chart, file,
                      {sheet.size.toSize(), sheet.scale, {}, sheet.caption, sheet.text});
  }

 protected:
  Chart& chart() const { return *m_chart; }

 private:
  Chart* m_chart;  // owned by the page's widget, into which the derived class puts it
};

}  // namespace tileloom
