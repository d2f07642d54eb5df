// SPDX-License-Identifier: GPL-3.0-or-later
// Base of dialogs that write a file, which takes a while: a form, one sentence on the result or the
// error, the progress, and a button that cancels the export or closes the dialog.
#pragma once

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace tileloom {

class WritingDialog : public QDialog {
  Q_OBJECT
 public:
  virtual bool running() const = 0;
  QString message() const;

 public slots:
  void reject() override;  // cancels a running export, or closes

 protected:
  using QDialog::QDialog;

  // Says what the fields would write, or why they cannot; called after each change.
  virtual void judge() = 0;
  virtual void begin() = 0;
  virtual void cancel() = 0;
  virtual void browse() = 0;

  // Fields of a form; each has this name.
  static QComboBox* addChoice(QFormLayout& form, const QString& label, const char* name);
  QSpinBox* makeNumber(const char* name, int least, int most);
  // A row of several fields, which has no buddy of its own.
  static void addRow(QFormLayout& form, const QString& label, QWidget* first, QLayout* fields);
  static QLayout* beside(QWidget* a, const QString& words, QWidget* b);
  QLineEdit* addFile(QFormLayout& form);

  // Puts the form above sentence, progress and buttons; at least so many letters wide.
  void place(QWidget* form, int letters);
  bool placed() const { return m_close != nullptr; }

  void say(const QString& text, bool trouble);
  // The sentence, and whether the file can be written.
  void offer(const QString& problem, const QString& text);
  void showRunning(int all);  // 0: it is not known yet
  void showDone(int done, int all);
  void showEnded(const QString& problem, const QString& file);

 private:
  QWidget* m_form = nullptr;
  QLabel* m_message = nullptr;
  QProgressBar* m_progress = nullptr;
  QPushButton *m_export = nullptr, *m_close = nullptr;
};

}  // namespace tileloom
