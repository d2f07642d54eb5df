// SPDX-License-Identifier: GPL-3.0-or-later
// Every option of every command, with words of any length and any bytes: one short sentence or an
// answer, and JSON that can be read.
#include <fcntl.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

#include "app/command_line.h"
#include "app/commands/common/command.h"
#include "kernels/base/environment.h"
#include "tests/app/commands/help_text.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::app {

class AnyWordsTest : public QObject {
  Q_OBJECT

  struct Said {
    int status = -1;
    QByteArray out, err;
  };

  QTemporaryDir m_folder;

  // Standard output or standard error, kept in a file for a while.
  class Kept {
   public:
    Kept(int stream, const QString& file) : stream_(stream), before_(::dup(stream)), file_(file) {
      std::fflush(nullptr);
      const int to = ::open(file.toLocal8Bit().constData(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      ::dup2(to, stream);
      ::close(to);
    }
    QByteArray end() {
      std::fflush(nullptr);
      ::dup2(before_, stream_);
      ::close(before_);
      QFile kept(file_);
      return kept.open(QIODevice::ReadOnly) ? kept.readAll() : QByteArray();
    }

   private:
    int stream_, before_;
    QString file_;
  };

  // In this process: a process for each word would take minutes.
  Said say(const std::vector<std::string>& words) const {
    std::vector<const char*> argv = {"tileloom"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    Kept out(STDOUT_FILENO, m_folder.filePath("out")), err(STDERR_FILENO, m_folder.filePath("err"));
    Said said;
    said.status = runCommandLine(int(argv.size()), argv.data());
    said.out = out.end();
    said.err = err.end();
    return said;
  }

  QStringList commandsOf(std::vector<std::string> words) const {
    words.emplace_back("--help");
    return test::commandsInHelp(say(words).out);
  }

  static std::vector<std::string> split(const char* words) {
    std::vector<std::string> all;
    for (const QString& word : QString(words).split(' ')) all.push_back(word.toStdString());
    return all;
  }
  static bool isGood(const Said& said) {
    if (said.status < 0 || said.status > 3 || said.err.contains("internal error")) return false;
    for (const QByteArray& line : said.err.split('\n')) {
      if (line.size() > 600) return false;
    }
    return QString::fromUtf8(said.err).toUtf8() == said.err;
  }

  // Each command with the words that it needs, and such as make its work short. The worker is left
  // out: it has no option with a value, and reads standard input.
  static constexpr const char* kTried[] = {"stages",
                                           "explain naive",
                                           "trace naive --size 64",
                                           "timeline naive --size 256",
                                           "occupancy --threads 128 --registers 32",
                                           "predict naive --size 256",
                                           "kernel nothing.cubin",
                                           "copy naive x/x.cu",
                                           "model judge",
                                           "model fit --runs none",
                                           "model causes",
                                           "devices",
                                           "compile naive",
                                           "run naive",
                                           "ladder",
                                           "record x",
                                           "runs list",
                                           "runs import x",
                                           "runs export x",
                                           "sass naive --recorded",
                                           "sass x/x.cubin",
                                           "bench trace",
                                           "fidelity",
                                           "ceilings",
                                           "roofline naive",
                                           "tune naive --size 64",
                                           "tune merge x",
                                           "tune show x",
                                           "why naive --size 256",
                                           "layout padded",
                                           "stalls",
                                           "microcases --shipped",
                                           "loop naive",
                                           "glossary TMA",
                                           "access lane"};

 private slots:
  // No GPU, no compiler, and no files of the user.
  void initTestCase() {
    for (const Variable& each : variables()) qputenv(each.name.data(), "none");
    qputenv(kCacheVariable, m_folder.filePath("cache").toUtf8());
    qputenv("XDG_DATA_HOME", m_folder.filePath("data").toUtf8());
    QVERIFY(QDir::setCurrent(m_folder.path()));  // where files of odd names are made
  }

  void everyCommandIsTried() {
    QStringList commands;
    for (const QString& name : commandsOf({})) {
      const QStringList inner = commandsOf({name.toStdString()});
      if (inner.isEmpty()) commands << name;
      for (const QString& each : inner) commands << name + ' ' + each;
    }
    QVERIFY(commands.size() >= 20);
    for (const QString& command : commands) {
      const bool tried = std::ranges::any_of(kTried, [&](const char* words) {
        return (QString(words) + ' ').startsWith(command + ' ');
      });
      QVERIFY2(tried || command == "worker",
               qPrintable(command + ": add a line to kTried in any_words_test.cpp"));
    }
  }

  void everyOption_data() {
    QTest::addColumn<QString>("command");
    for (const char* command : kTried) QTest::newRow(command) << QString(command);
  }
  void everyOption() {
    QFETCH(QString, command);
    std::vector<std::string> words = split(qPrintable(command));
    std::vector<std::string> help = words;
    help.emplace_back("--help");
    const QString said = QString::fromUtf8(say(help).out);
    // "  --size MxNxK   …": options with a value.
    static const QRegularExpression kOption("^  (?:-\\w,)?(--[a-z-]+) [A-Z|a-z_\\[\\]=.,]+",
                                            QRegularExpression::MultilineOption);
    int options = 0;
    for (auto it = kOption.globalMatch(said); it.hasNext();) {
      const std::string option = it.next().captured(1).toStdString();
      if (option == "--help") continue;
      ++options;
      for (const std::string& value :
           {std::string(6000, 'w'), std::string("\xff\xc0\x80/x"), std::string("9\n\x1b[31m")}) {
        if (test::briefly() && value.size() < 1000) continue;
        std::vector<std::string> all = words;
        if (const auto given = std::ranges::find(all, option); given != all.end())
          all.erase(given, given + 2);
        all.push_back(option);
        all.push_back(value);
        const Said answer = say(all);
        QVERIFY2(isGood(answer),
                 (QByteArray::fromStdString(option) + ": " + answer.err.left(900)).constData());
      }
    }
    QVERIFY2(options > 0, qPrintable(said));
    // And instead of its last word.
    words.back() = std::string(6000, 'w');
    QVERIFY(isGood(say(words)));
    words.back() = "\xff\xc0\x80";
    QVERIFY(isGood(say(words)));
  }

  // Variables of any bytes reach JSON, too.
  void everyVariable_data() {
    QTest::addColumn<int>("variable");
    for (std::size_t i = 0; i < variables().size(); ++i)
      QTest::newRow(variables()[i].name.data()) << int(i);
  }
  void everyVariable() {
    QFETCH(int, variable);
    const char* const name = variables()[std::size_t(variable)].name.data();
    const QByteArray before = qgetenv(name);
    for (const QByteArray& value :
         {QByteArray("\xff"), QByteArray("\xff/\xfe"), QByteArray(6000, 'x')}) {
      qputenv(name, value);
      for (const char* command : {"devices --json", "compile naive --json", "sass naive"}) {
        const Said answer = say(split(command));
        QVERIFY2(isGood(answer), (QByteArray(command) + ": " + answer.err.left(900)).constData());
        if (std::string_view(command) != "devices --json") continue;
        const QJsonDocument json = QJsonDocument::fromJson(answer.out);
        QVERIFY2(json.isObject(), answer.out.left(500).constData());
      }
    }
    qputenv(name, before);
  }
};

}  // namespace tileloom::app

TILELOOM_TEST(tileloom::app::AnyWordsTest, EventLoop)
#include "any_words_test.moc"
