// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/svg_path.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <optional>

namespace tileloom {
namespace {

constexpr int kParts = 100;  // of a pixel

struct Place {
  long x = 0, y = 0;
  friend bool operator==(const Place&, const Place&) = default;
  friend Place operator-(Place a, Place b) { return {a.x - b.x, a.y - b.y}; }
};

long parts(double value) {
  constexpr double kMost = 1e7;
  return std::lround(std::clamp(value, -kMost, kMost) * kParts);
}

QByteArray text(long value) {
  QByteArray out;
  if (value < 0) out += '-';
  const long all = std::labs(value), whole = all / kParts, rest = all % kParts;
  if (whole != 0 || rest == 0) out += QByteArray::number(static_cast<qlonglong>(whole));
  if (rest == 0) return out;
  out += '.';
  out += static_cast<char>('0' + rest / 10);
  if (rest % 10 != 0) out += static_cast<char>('0' + rest % 10);
  return out;
}

class Writer {
 public:
  QByteArray written() {
    close();
    return out_;
  }

  void move(Place to) {
    close();
    start_ = at_ = to;
    waiting_ = true;
  }
  void line(Place to) {
    if (to == at_) {
      // A point with a round end is a dot.
      if (waiting_) begin();
      dot_ = dot_ || to == start_;
      return;
    }
    begin();
    flush();
    last_ = to;
  }
  void curve(Place one, Place other, Place to) {
    begin();
    flush();
    command('c', {one.x - at_.x, one.y - at_.y, other.x - at_.x, other.y - at_.y, to.x - at_.x,
                  to.y - at_.y});
    at_ = to;
  }

 private:
  void begin() {
    if (!waiting_) return;
    waiting_ = false;
    command('M', {start_.x, start_.y});
    drawn_ = true;
    dot_ = false;
    lines_ = 0;
  }
  // A line is written when the next element is known: a line back to the start is a "z".
  void flush() {
    if (!last_) return;
    const Place d = *last_ - at_;
    if (d.y == 0) {
      command('h', {d.x});
    } else if (d.x == 0) {
      command('v', {d.y});
    } else {
      command('l', {d.x, d.y});
    }
    at_ = *last_;
    last_.reset();
    ++lines_;
  }
  void close() {
    if (drawn_) {
      if (last_ && *last_ == start_ && lines_ > 0) {
        last_.reset();
        out_ += 'z';
        before_ = 'z';
      } else {
        flush();
        if (lines_ == 0 && dot_) command('h', {0});
        if (lines_ > 1 && at_ == start_) {
          out_ += 'z';
          before_ = 'z';
        }
      }
    }
    drawn_ = waiting_ = false;
  }
  void command(char letter, std::initializer_list<long> numbers) {
    bool first = letter != before_;
    if (first) out_ += letter;
    before_ = letter;
    for (const long number : numbers) {
      const QByteArray said = text(number);
      if (!first && said.front() != '-') out_ += ' ';
      out_ += said;
      first = false;
    }
  }

  QByteArray out_;
  Place start_, at_;
  std::optional<Place> last_;
  char before_ = 0;
  int lines_ = 0;
  bool waiting_ = false, drawn_ = false, dot_ = false;
};

}  // namespace

QByteArray svgNumber(double value) {
  return text(parts(value));
}

QByteArray svgPath(const QPainterPath& path) {
  Writer writer;
  const auto place = [&path](int i) {
    const QPainterPath::Element e = path.elementAt(i);
    return Place{parts(e.x), parts(e.y)};
  };
  for (int i = 0; i < path.elementCount(); ++i) {
    switch (path.elementAt(i).type) {
      case QPainterPath::MoveToElement:
        writer.move(place(i));
        break;
      case QPainterPath::LineToElement:
        writer.line(place(i));
        break;
      case QPainterPath::CurveToElement:
        writer.curve(place(i), place(i + 1), place(i + 2));
        i += 2;
        break;
      case QPainterPath::CurveToDataElement:
        break;
    }
  }
  return writer.written();
}

}  // namespace tileloom
