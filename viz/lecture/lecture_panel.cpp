// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/lecture/lecture_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "viz/base/text/labels.h"
#include "viz/base/theme.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {
namespace {

// Factors of the usual font size. An audience gets the largest type with which the step fits.
constexpr double kLearning = 1.1, kLargest = 1.9, kSmallest = 1.0, kSteps = 0.1;
constexpr double kHeadline = 1.4;  // of the text

// Wraps at this width: a button does not wrap its text.
QString wrapped(const QString& text, const QFont& font, int width) {
  const QFontMetrics metrics(font);
  QStringList lines;
  QString line;
  for (const QString& word : text.split(u' ')) {
    const QString longer = line.isEmpty() ? word : line + u' ' + word;
    if (!line.isEmpty() && metrics.horizontalAdvance(longer) > width) {
      lines += line;
      line = word;
    } else {
      line = longer;
    }
  }
  lines += line;
  return lines.join(u'\n');
}

void say(QLabel& label, const QString& text) {
  label.setText(text);
  label.setVisible(!text.isEmpty());
}

}  // namespace

LecturePanel::LecturePanel(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("lecture"));
  setAccessibleName(tr("Lecture"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 10);
  column->setSpacing(0);
  auto* content = new QWidget;
  auto* words = new QVBoxLayout(content);
  words->setContentsMargins(22, 18, 18, 8);
  words->setSpacing(12);
  const auto prose = [this](const char* name) {
    auto* label = new Prose(this);
    label->setObjectName(QLatin1String(name));
    return label;
  };
  auto* head = new QHBoxLayout;
  m_where = new ElidedLabel;
  m_where->setObjectName(QStringLiteral("lectureWhere"));
  setInk(*m_where, Ink::Soft);
  head->addWidget(m_where, 1);
  m_edit = new QToolButton;
  m_edit->setObjectName(QStringLiteral("lectureEdit"));
  m_edit->setAutoRaise(true);
  m_edit->setText(tr("Edit"));
  m_edit->setToolTip(tr("Edit this step: text, marks, question and what the window shows"));
  connect(m_edit, &QToolButton::clicked, this, &LecturePanel::editAsked);
  head->addWidget(m_edit);
  auto* close = new QToolButton;
  close->setObjectName(QStringLiteral("lectureClose"));
  close->setAutoRaise(true);
  close->setText(QStringLiteral("×"));
  close->setToolTip(tr("End the lecture and restore the window"));
  close->setAccessibleName(tr("End the lecture"));
  connect(close, &QToolButton::clicked, this, &LecturePanel::closeAsked);
  head->addWidget(close);
  words->addLayout(head);
  m_trouble = prose("lectureTrouble");
  setInk(*m_trouble, Ink::Trouble);
  words->addWidget(m_trouble);
  m_headline = prose("lectureHeadline");
  words->addWidget(m_headline);
  m_text = prose("lectureText");
  words->addWidget(m_text);

  m_question = new QWidget;
  auto* question = new QVBoxLayout(m_question);
  question->setContentsMargins(0, 6, 0, 0);
  question->setSpacing(8);
  m_asks = prose("lectureAsks");
  question->addWidget(m_asks);
  m_choices = new QVBoxLayout;
  m_choices->setSpacing(4);
  question->addLayout(m_choices);
  m_number = new QLineEdit;
  m_number->setObjectName(QStringLiteral("lectureNumber"));
  m_number->setMaxLength(24);
  m_number->setPlaceholderText(tr("a number, then Enter"));
  m_number->setAccessibleName(tr("Your answer, a number"));
  connect(m_number, &QLineEdit::returnPressed, this, [this] {
    emit typed(m_number->text());
    m_number->selectAll();  // the next try replaces it
  });
  question->addWidget(m_number);
  m_reply = prose("lectureReply");
  question->addWidget(m_reply);
  m_hint = prose("lectureHint");
  setInk(*m_hint, Ink::Soft);
  question->addWidget(m_hint);
  m_answer = prose("lectureAnswer");
  question->addWidget(m_answer);
  m_helps = new QWidget;
  auto* helps = new QHBoxLayout(m_helps);
  helps->setContentsMargins(0, 0, 0, 0);
  m_askHint = button("lectureAskHint", tr("Hint"));
  connect(m_askHint, &QPushButton::clicked, this, &LecturePanel::hintAsked);
  m_askAnswer = button("lectureAskAnswer", tr("Answer"));
  connect(m_askAnswer, &QPushButton::clicked, this, &LecturePanel::answerAsked);
  m_askSolution = button("lectureAskSolution", tr("Show me"));
  m_askSolution->setToolTip(tr("Sets a tile that solves the task"));
  connect(m_askSolution, &QPushButton::clicked, this, &LecturePanel::solutionAsked);
  for (QPushButton* help : {m_askHint, m_askAnswer, m_askSolution}) helps->addWidget(help);
  helps->addStretch(1);
  question->addWidget(m_helps);
  words->addWidget(m_question);

  m_left = prose("lectureLeft");
  words->addWidget(m_left);
  m_back = button("lectureBack", tr("Back to this step"));
  connect(m_back, &QPushButton::clicked, this, &LecturePanel::backAsked);
  words->addWidget(m_back, 0, Qt::AlignLeft);
  m_onward = button("lectureOnward", {});
  connect(m_onward, &QPushButton::clicked, this, &LecturePanel::onwardAsked);
  words->addWidget(m_onward, 0, Qt::AlignLeft);
  words->addStretch(1);
  m_scroll = new QScrollArea;
  m_scroll->setWidget(content);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  column->addWidget(m_scroll, 1);

  m_buttons = new QWidget;
  m_row = new QGridLayout(m_buttons);
  m_row->setContentsMargins(22, 8, 18, 4);
  m_row->setColumnStretch(1, 1);
  m_previous = button("lecturePrevious", tr("‹ Back"));
  connect(m_previous, &QPushButton::clicked, this, &LecturePanel::previousAsked);
  m_contents = button("lectureContents", tr("Contents"));
  connect(m_contents, &QPushButton::clicked, this, &LecturePanel::contentsAsked);
  m_next = button("lectureNext", tr("Next ›"));
  connect(m_next, &QPushButton::clicked, this, &LecturePanel::nextAsked);
  m_row->addWidget(m_previous, 0, 0);
  m_row->addWidget(m_next, 0, 2);
  placeContents();
  column->addWidget(m_buttons);
  m_keys = new Prose(this);
  m_keys->setContentsMargins(22, 0, 18, 0);
  setInk(*m_keys, Ink::Soft);
  column->addWidget(m_keys);
  setManner(Manner::Learning);
  setSlide({});
}

QPushButton* LecturePanel::button(const char* name, const QString& text) {
  auto* made = new QPushButton(text);
  made->setObjectName(QLatin1String(name));
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

QSize LecturePanel::sizeHint() const {
  return {fontMetrics().averageCharWidth() * 46, 400};
}

// Between the other buttons, or below them where that is too narrow.
void LecturePanel::placeContents() {
  const int all = m_previous->sizeHint().width() + m_contents->sizeHint().width() +
                  m_next->sizeHint().width() + 2 * m_row->horizontalSpacing();
  const QMargins edges = m_row->contentsMargins();
  const bool below = all > width() - edges.left() - edges.right();
  m_row->removeWidget(m_contents);
  if (below) {
    m_row->addWidget(m_contents, 1, 0, 1, 3);
  } else {
    m_row->addWidget(m_contents, 0, 1, Qt::AlignHCenter);
  }
}

QSize LecturePanel::minimumSizeHint() const {
  return {220, 200};
}

void LecturePanel::setManner(Manner manner) {
  m_manner = manner;
  const bool presenting = manner != Manner::Learning;
  m_buttons->setVisible(!presenting);
  m_keys->setVisible(manner == Manner::Presenting);
  findChild<QToolButton*>(QStringLiteral("lectureClose"))->setVisible(!presenting);
  setSlide(LectureSlide(m_slide));
}

void LecturePanel::setSlide(const LectureSlide& slide) {
  const bool another = slide.number != m_slide.number || slide.lecture != m_slide.lecture;
  m_slide = slide;
  const bool presenting = m_manner != Manner::Learning;
  m_where->setText(slide.count == 0
                       ? QString()
                       : tr("%1 of %2 · %3").arg(slide.number).arg(slide.count).arg(slide.lecture));
  m_edit->setVisible(slide.editable && !presenting);
  m_keys->setText(slide.keys);
  say(*m_trouble, slide.trouble);
  m_headline->setText(slide.headline);
  m_text->setText(slide.text);
  m_question->setVisible(!slide.asks.isEmpty());
  say(*m_asks, slide.asks);
  m_number->setVisible(slide.number_asked && !presenting);
  if (another) m_number->clear();
  m_number->setReadOnly(slide.done);
  say(*m_reply, presenting && !slide.task ? QString() : slide.reply);
  say(*m_hint, slide.hinted ? tr("Hint: %1").arg(slide.hint) : QString());
  say(*m_answer, slide.revealed || slide.done ? slide.answer : QString());
  // The solution of a task can be shown after its answer, too.
  const bool open = !slide.done && (!slide.revealed || slide.task);
  m_helps->setVisible(open && !presenting);
  m_askHint->setVisible(!slide.hint.isEmpty() && !slide.hinted && !slide.revealed);
  m_askAnswer->setVisible(!slide.revealed);
  m_askSolution->setVisible(slide.task);
  // A task requires changing the tile parameters.
  const QString left =
      !slide.left  ? QString()
      : presenting ? tr("You have left the lecture. F5 goes back to step %1.").arg(slide.number)
      : slide.task ? QString()
                   : tr("The window no longer shows this step.");
  say(*m_left, left);
  m_back->setVisible(slide.left && !presenting);
  m_onward->setText(tr("Begin \"%1\"").arg(slide.onward).replace(u'&', QLatin1String("&&")));
  m_onward->setVisible(!slide.onward.isEmpty() && !presenting);
  m_previous->setEnabled(slide.number > 1);
  m_next->setText(slide.number < slide.count ? tr("Next ›") : tr("End"));
  if (another) m_scroll->ensureVisible(0, 0);
  scaleFonts();
  update();
}

void LecturePanel::showChoices() {
  const auto wanted = static_cast<std::size_t>(m_slide.choices.size());
  while (m_choiceButtons.size() < wanted) {
    const auto number = static_cast<int>(m_choiceButtons.size());
    auto* choice = button("lectureChoice", {});
    choice->setObjectName(QStringLiteral("lectureChoice%1").arg(number));
    choice->setStyleSheet(QStringLiteral("text-align: left; padding: 5px 10px;"));
    connect(choice, &QPushButton::clicked, this, [this, number] { emit chosen(number); });
    m_choices->addWidget(choice);
    m_choiceButtons.push_back(choice);
  }
  const bool over = m_slide.done || m_slide.revealed;
  for (std::size_t i = 0; i < m_choiceButtons.size(); ++i) {
    QPushButton& choice = *m_choiceButtons[i];
    choice.setVisible(i < wanted);
    if (i >= wanted) continue;
    const auto number = static_cast<int>(i);
    const bool right = over && number == m_slide.right;
    const bool wrong = number == m_slide.chosen && !right;
    // A sign and bold type, not colour alone.
    const QString sign = right ? QStringLiteral("✓ ") : wrong ? QStringLiteral("✗ ") : QString();
    choice.setEnabled(!over || right);
    QFont font = m_text->font();
    font.setBold(right);
    choice.setFont(font);
    choice.setText(wrapped(sign + m_slide.choices[number], font, m_scroll->width() - 70)
                       .replace(u'&', QLatin1String("&&")));
  }
}

void LecturePanel::scaleFonts() {
  if (m_manner == Manner::Learning) return scaleFonts(kLearning);
  for (double by = kLargest; by > kSmallest; by -= kSteps) {
    scaleFonts(by);
    if (fits()) return;
  }
  scaleFonts(kSmallest);
}

// Whether the step fits without scrolling. Layouts cache sizes until Qt delivers a change: the
// cached sizes are those of the fonts tried before.
bool LecturePanel::fits() const {
  m_choices->invalidate();
  for (QWidget* inner : {m_helps, m_question}) {
    inner->layout()->invalidate();
    inner->updateGeometry();
  }
  QLayout* all = m_scroll->widget()->layout();
  all->invalidate();
  return all->totalHeightForWidth(m_scroll->width()) <= m_scroll->height();
}

void LecturePanel::scaleFonts(double by) {
  scaleFont(*m_headline, font(), by * kHeadline, true);
  scaleFont(*m_text, font(), by);
  scaleFont(*m_asks, font(), by, true);
  for (QWidget* widget :
       std::initializer_list<QWidget*>{m_reply, m_hint, m_answer, m_left, m_number})
    scaleFont(*widget, font(), by);
  scaleFont(*m_where, font(), 1.0);
  scaleFont(*m_keys, font(), 0.85);
  showChoices();
}

void LecturePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // A style sheet keeps its first colours.
  if (event->type() == QEvent::PaletteChange) {
    for (QPushButton* choice : m_choiceButtons) {
      const QString sheet = choice->styleSheet();
      choice->setStyleSheet({});
      choice->setStyleSheet(sheet);
    }
  }
  if (event->type() != QEvent::FontChange) return;
  scaleFonts();
  placeContents();
  updateGeometry();
}

void LecturePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  scaleFonts();
  placeContents();
  update();
}

// The progress of the lecture at the bottom, and a hairline beside the views.
void LecturePanel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(palette());
  painter.fillRect(rect(), theme.panel);
  painter.setPen(hairline(theme.line));
  painter.drawLine(rect().topRight(), rect().bottomRight());
  if (m_slide.count == 0) return;
  const QRectF bar(0, height() - 4, width() - 1, 4);
  painter.fillRect(bar, theme.well);
  painter.fillRect(QRectF(bar.topLeft(), QSizeF(bar.width() * m_slide.number / m_slide.count, 4)),
                   theme.accent);
}

}  // namespace tileloom
