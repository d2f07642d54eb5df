// SPDX-License-Identifier: GPL-3.0-or-later
// No message makes the worker read or write files outside its cache, or run a command. The worker
// lives in folders of its own; beside them are baits, which hostile messages often request.
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "kernels/tile/constraints.h"
#include "tests/support/test_class.h"
#include "tests/worker/raw_worker.h"

namespace tileloom::test {
namespace {

constexpr const char* kSecret = "tell-nobody-4711";

// Reports every event in some folders, even if nothing remains.
class Guard {
 public:
  Guard() : fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { close(fd_); }

  bool watch(const QString& folder) {
    const int number = inotify_add_watch(fd_, folder.toUtf8().constData(), IN_ALL_EVENTS);
    names_[number] = folder;
    return number >= 0;
  }
  QStringList events() {
    QStringList all;
    alignas(inotify_event) char block[65536];
    for (ssize_t n = read(fd_, block, sizeof block); n > 0; n = read(fd_, block, sizeof block)) {
      for (ssize_t at = 0; at < n;) {
        const auto* event = reinterpret_cast<const inotify_event*>(block + at);
        all += QStringLiteral("%1/%2: %3")
                   .arg(names_[event->wd], event->len > 0 ? event->name : "")
                   .arg(event->mask, 0, 16);
        at += static_cast<ssize_t>(sizeof *event + event->len);
      }
    }
    return all;
  }

 private:
  int fd_;
  std::map<int, QString> names_;
};

struct Sandbox {
  QTemporaryDir root;
  QStringList folders = {"bait", "cache", "config", "data", "home", "run", "state", "tmp", "work"};

  Sandbox() {
    for (const QString& folder : folders) QDir(root.path()).mkpath(folder);
    put("bait/secret.txt", kSecret);
    put("bait/evil.cuh", "#define BLOCKSIZE 1\n");
    put("bait/tool.sh", "#!/bin/sh\ntouch \"$0.ran\"\n");
    QFile::setPermissions(at("bait/tool.sh"), QFile::ReadOwner | QFile::ExeOwner);
  }
  QString at(const QString& path) const { return root.filePath(path); }
  void put(const QString& path, const char* text) const {
    QFile file(at(path));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) qFatal("no sandbox");
  }
  QStringList files() const {
    QStringList all;
    QDirIterator it(root.path(), QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                    QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const QFileInfo info(it.next());
      if (!info.isDir() || info.isSymLink())
        all += QDir(root.path()).relativeFilePath(it.filePath());
    }
    all.sort();
    return all;
  }
  // The cache is left to its three places in turn: TILELOOM_CACHE, XDG_CACHE_HOME, HOME.
  QProcessEnvironment environment(int place) const {
    QProcessEnvironment e = RawWorker::environment();
    const std::pair<const char*, const char*> variables[] = {
        {"HOME", "home"},          {"TMPDIR", "tmp"},           {"XDG_CONFIG_HOME", "config"},
        {"XDG_DATA_HOME", "data"}, {"XDG_STATE_HOME", "state"}, {"XDG_RUNTIME_DIR", "run"}};
    for (const auto& [variable, folder] : variables) e.insert(variable, at(folder));
    e.remove("TILELOOM_CACHE");
    e.remove("XDG_CACHE_HOME");
    if (place < 2) e.insert(place == 0 ? "TILELOOM_CACHE" : "XDG_CACHE_HOME", at("cache"));
    return e;
  }
};

std::vector<std::string> hostileTexts(const Sandbox& box) {
  std::vector<std::string> texts = {"",
                                    ".",
                                    "..",
                                    "../bait/secret.txt",
                                    "../../../../../../etc/passwd",
                                    "~/evil",
                                    "$HOME/evil",
                                    "${HOME}/evil",
                                    "/proc/self/environ",
                                    "/dev/stdin",
                                    "%s%s%n",
                                    "{}{0}",
                                    "-include",
                                    "-DBLOCKSIZE=1",
                                    "naive.cuh",
                                    "naive\n#include \"../bait/evil.cuh\"",
                                    std::string("naive\0../bait", 13),
                                    "\xf0\x9f\xa7\xb5",
                                    std::string(3000, 'A')};
  const std::string bait = box.at("bait").toStdString(), evil = box.at("work/evil").toStdString();
  for (const char* before : {"", "file://", "-I", "-include ", "--pre-include=", "@", "#include \"",
                             "naive/../../..", "sm_90 --pre-include="}) {
    texts.push_back(before + bait + "/secret.txt");
  }
  for (const std::string& command : {"touch " + evil, bait + "/tool.sh"}) {
    texts.push_back(command);
    texts.push_back("$(" + command + ")");
    texts.push_back("`" + command + "`");
    texts.push_back("naive; " + command + " #");
    texts.push_back("sm_90 && " + command);
    texts.push_back("| " + command);
    texts.push_back("\"; " + command + "; \"");
    texts.push_back("'; " + command + "; '");
    texts.push_back("\n" + command + "\n");
  }
  return texts;
}

// Members that mean something elsewhere, and nothing here.
json extras(const json& value) {
  json all = json::object();
  for (const char* key :
       {"file", "path", "source", "cache", "TILELOOM_CACHE", "command", "args", "env", "cwd",
        "options", "include", "headers", "log", "output", "library", "nvrtc", "record", "limit"}) {
    all[key] = value;
  }
  return all;
}

}  // namespace

class HarmlessTest : public QObject {
  Q_OBJECT

  static json compilation() {
    const Stage& s = stage("naive");
    return worker::toJson(worker::CompileRequest{{standardSubject(s), defaultArchitecture()}});
  }

  // Every place of a request that can hold a text, holding this one.
  static std::vector<json> attempts(const std::string& text) {
    const json good = quick("naive");
    std::vector<json> all;
    const auto add = [&](const char* method, const json& params) {
      all.push_back({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
    };
    for (json value : {json(text), json{text, text}, json{{"path", text}}}) {
      for (const char* key : {"stage", "tile", "arch"}) {
        json params = compilation();
        params[key] = value;
        add("compile", params);
      }
      for (const char* key : {"stage", "tile", "m", "n", "k", "device", "min_rounds", "spread",
                              "budget_ms", "limit_ms"}) {
        json params = good;
        params[key] = value;
        add("measure", params);
      }
      json params = compilation();
      params["tile"]["BLOCKSIZE"] = value;
      add("compile", params);
      add("cancel", {{"id", value}});
      add("compile", value);
    }
    json params = compilation();
    params["tile"].erase("BLOCKSIZE");
    params["tile"][text] = 32;
    add("compile", params);
    all.push_back({{"jsonrpc", "2.0"}, {"method", text}, {"params", good}});
    all.push_back({{"jsonrpc", text}, {"method", "hello"}});
    return all;
  }

 private slots:
  void theGuardHearsOfAReader() {
    const Sandbox box;
    Guard guard;
    QVERIFY(guard.watch(box.at("bait")));
    QVERIFY(guard.events().isEmpty());
    QFile file(box.at("bait/secret.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!guard.events().isEmpty());
  }

  void hostileMessages_data() {
    QTest::addColumn<int>("place");
    QTest::addColumn<QString>("cache");
    QTest::newRow("TILELOOM_CACHE") << 0 << "cache";
    QTest::newRow("XDG_CACHE_HOME") << 1 << "cache/tileloom/kernels";
    QTest::newRow("HOME") << 2 << "home/.cache/tileloom/kernels";
  }
  void hostileMessages() {
    QFETCH(int, place);
    QFETCH(QString, cache);
    const Sandbox box;
    const QStringList before = box.files();
    QCOMPARE(before.size(), 3);
    Guard guard;
    for (const QString& folder : box.folders) {
      if (!cache.startsWith(folder)) QVERIFY(guard.watch(box.at(folder)));
    }
    RawWorker w(box.environment(place), box.at("work"));
    int id = 0;
    const auto check = [&](const json& answer, const json& message) {
      QVERIFY2(answer.contains("result") || answer.contains("error"), message.dump().c_str());
      QVERIFY2(answer.dump().find(kSecret) == std::string::npos, message.dump().c_str());
    };
    for (const std::string& text : hostileTexts(box)) {
      for (json message : attempts(text)) {
        message["id"] = ++id;
        w.say(message.dump());
        const json answer = w.answer(id);
        check(answer, message);
        // None of this is a request, except one that cancels nothing.
        QCOMPARE(answer.contains("result"), message["method"] == "cancel");
        if (QTest::currentTestFailed()) return;
      }
      w.say(request(text, text, {{"file", text}}));
      check(w.answer(text), text);
      w.say(text.find('\n') == std::string::npos && text.size() > 2 ? text : "?");  // as it is
      check(w.answer(nullptr), text);
      // In unknown members it does no harm.
      for (const char* method : {"compile", "hello"}) {
        for (const json& value : {json(text), json{"-include", text}, json{{"file", text}}}) {
          json message = {{"jsonrpc", "2.0"}, {"id", ++id}, {"method", method}};
          message.update(extras(value));
          message["params"] = compilation();
          message["params"].update(extras(value));
          message["params"]["tile"].update(extras(value));
          w.say(message.dump());
          const json answer = w.answer(id);
          check(answer, message);
          QVERIFY2(answer.contains("result"), answer.dump().c_str());
        }
      }
    }
    json params = quick("naive");
    params.update(extras(json(box.at("work/evil").toStdString())));
    w.say(request("last", "measure", params));
    const json answer = w.answer("last");
    QVERIFY2(answer.contains("result"), answer.dump().c_str());
    QVERIFY(runs::fromJson(answer["result"]).has_value());
    QCOMPARE(w.endInput(), 0);
    QVERIFY2(w.odd().isEmpty(), w.odd().constData());
    QVERIFY2(w.errors().isEmpty(), w.errors().constData());

    const QStringList events = guard.events();
    QVERIFY2(events.isEmpty(), qPrintable(events.join('\n')));
    // Two kernels have been compiled: the stage and the check of its result.
    QStringList kept;
    const QRegularExpression kernel("^" + cache + "/[0-9a-f]{16}\\.kernel$");
    for (const QString& file : box.files()) {
      if (!before.contains(file)) kept += file;
    }
    QCOMPARE(kept.size(), 2);
    for (const QString& file : kept) QVERIFY2(kernel.match(file).hasMatch(), qPrintable(file));
    QVERIFY(before.size() + kept.size() == box.files().size());  // and the baits are still there
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::HarmlessTest, EventLoop)
#include "harmless_test.moc"
