// SPDX-License-Identifier: GPL-3.0-or-later
// A window in which a copy of a lecture that ships is edited, with hands for the editor's fields.
#pragma once

#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <nlohmann/json.hpp>

#include "app/window/lecture/lecture_editing.h"
#include "app/window/lecture/lecture_editor_panel.h"
#include "app/window/lecture/lecture_menu.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "viz/lecture/lecture_panel.h"

namespace tileloom::test {

struct EditedWindow : OpenWindow {
  using Json = LectureEditor::Json;

  explicit EditedWindow(const Surroundings& around, const char* name = "bank-conflicts",
                        std::size_t step = 0, const QSize& size = {1600, 1000})
      : OpenWindow(size), file(around.path("mine.lecture.json")) {
    window.sight().setReducedMotion(true);
    wrong = of().editCopy(name, file, step);
  }
  LectureEditing& of() { return window.lectureMenu().editing(); }
  LectureEditor& editor() { return of().editor(); }
  template <class T>
  T& the(const char* name) {
    T* found = of().dock().findChild<T*>(QLatin1String(name));
    if (found == nullptr) qFatal("there is no %s", name);
    return *found;
  }
  void press(const char* name) { the<QPushButton>(name).click(); }
  void line(const char* name, const QString& text) {
    auto& field = the<QLineEdit>(name);
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
  }
  void block(const char* name, const QString& text) {
    the<QPlainTextEdit>(name).setPlainText(text);
  }
  void choose(const char* name, int index) {
    auto& combo = the<QComboBox>(name);
    combo.setCurrentIndex(index);
    emit combo.activated(index);
  }
  Json at(const std::string& pointer) {
    const Json* value = editor().draft().find(editor().chosen(), pointer);
    return value == nullptr ? Json() : *value;
  }
  bool arrived() {
    return QTest::qWaitFor([this] { return window.lecture().settled(); }, kPatience);
  }
  const LectureSlide& slide() { return window.findChild<LecturePanel*>()->slide(); }
  QString file, wrong;
};

// Presses these buttons of the boxes to come, one after the other.
inline void answer(QStringList buttons, QStringList* said = nullptr) {
  QTimer::singleShot(0, qApp, [buttons, said]() mutable {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) qFatal("there is no box");
    if (said != nullptr) *said += box->text();
    const QString wanted = buttons.takeFirst();
    if (!buttons.isEmpty()) answer(buttons, said);
    for (QAbstractButton* button : box->buttons())
      if (button->text().remove(u'&') == wanted) return button->click();
    qFatal("there is no button %s", qPrintable(wanted));
  });
}

inline LectureEditor::Json jsonOf(const QString& file) {
  return LectureEditor::Json::parse(Surroundings::read(file).toStdString());
}

}  // namespace tileloom::test
