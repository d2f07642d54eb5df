// SPDX-License-Identifier: GPL-3.0-or-later
// Every option of the table goes to a session file, a link and a command line, and back.
#include "app/session/options.h"

#include <QProcess>
#include <QtTest>
#include <nlohmann/json.hpp>
#include <set>

#include "app/session/session_text.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

#include "app/commands/common/command.h"
#include "app/render/render_options.h"
#include "app/render/render_request.h"
#include "app/session/session.h"

namespace tileloom::test {
namespace {

using app::RenderOptions;
using app::RenderRequest;
using nlohmann::json;

// A session file with only this in it.
json fileWith(const Option& option, const json& value) {
  const std::string name(option.name);
  // FP32 rungs have no choice of an arithmetic.
  json file = {{"schema", kSessionSchema},
               {"stage", name == "arithmetic" ? "mmaring" : "warptiled"}};
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) {
    file[name] = value;
  } else {
    file[name.substr(0, dot)][name.substr(dot + 1)] = value;
  }
  return file;
}

tl::expected<Session, std::string> usual() {
  return parseSession(R"({"schema": "tileloom.session/1", "stage": "warptiled"})");
}

tl::expected<Session, std::string> example(const Option& option) {
  return parseSession(fileWith(option, json::parse(option.example)).dump());
}

// As `tileloom` reads a line that a user has pasted.
tl::expected<RenderRequest, std::string> understood(const QStringList& words) {
  const app::RootCommand root("tileloom", "", "0");
  const app::Command command = root.command().addCommand("render");
  RenderOptions options;
  app::addRenderOptions(command, options);
  std::vector<std::string> said;
  for (const QString& word : words) said.push_back(word.toStdString());
  std::vector<const char*> pointers;
  for (const std::string& word : said) pointers.push_back(word.c_str());
  const app::WordsRead read =
      root.read(static_cast<int>(pointers.size()), pointers.data(), [] { return std::string(); });
  if (read.misuse) return tl::unexpected(read.misuse->text);
  return app::understand(options);
}

// With all options that existed when sessions became a table. Later ones are not written as long as
// they have their default.
constexpr const char* kFile = R"json({
  "schema": "tileloom.session/1",
  "stage": "warptiled",
  "tile": {
    "BM": 128,
    "BN": 128,
    "BK": 8,
    "WM": 64,
    "WN": 64,
    "WNITER": 4,
    "TM": 8,
    "TN": 4
  },
  "size": "1024x512x256",
  "row": 640,
  "column": 128,
  "warp": 3,
  "instruction": 40,
  "held": {
    "thread": 100
  },
  "tiles": {
    "vectorized": {
      "BM": 64,
      "BN": 64,
      "BK": 16,
      "TM": 4,
      "TN": 4
    }
  },
  "tab": "instructions",
  "zoom": "thread",
  "theme": "contrast",
  "text": 175,
  "ladder panel": false,
  "tile panel": false,
  "pace": "8 s per K tile",
  "baseline": "warptiled:BM=128,BN=128,BK=16,WM=64,WN=64,WNITER=2,TM=8,TN=4",
  "roofline": "l2",
  "tuning": {
    "form": "lines",
    "others": "best",
    "axes": "BM,BK",
    "device": "H100",
    "beside": "H200"
  }
}
)json";
constexpr const char* kLink =
    "tileloom:AAACRHjaXVHBasMwDP2VobPZEi_NhiGXwGCjJIcR6NlN1NbgxMV229DSf5-UpLDtYluS39N"
    "70g22OqA1A4KCi_bHaCx2qqyKVL6Lsp6vdZHmYlMVeSY29Xx-NR_fhRRNVbyLpi4yENA6e-oHUAyBA9o"
    "O1A3iwaOmV5okdwFmCNGf2mgc_csSAVZ3Hfqnox7QgtppG1CAd263SLISOL6Ayvl7aA_Ya8qzTOtc_xw"
    "wBGJ7SelfMFfGpInMxlUqR7nKOXtEJAFywke9_-OU6lFvKfNLWeAkjpFEv63oSS0Z07oheh0iVwnK5so"
    "1KPJaVovpsl4eTTUVGoozAZuK5dNdP26eHpXuM9U_-5wKTH_GNjpPprpHM1rD1I1ZyoWNe2VLrzszngY"
    "z7BmhR-YhAG2QVG8xmI6dfMokobjDs2mnOJ3infM9j5wmzyNwZNwznnARiJiHBupVwJUGzzuYV3v_AX4"
    "DqpY";
constexpr const char* kLine =
    "tileloom render window --stage warptiled --tile "
    "BM=128,BN=128,BK=8,WM=64,WN=64,WNITER=4,TM=8,TN=4 --size 1024x512x256 --block "
    "1,2 --warp 3 --step 40 --lane 4 --beside "
    "warptiled:BM=128,BN=128,BK=16,WM=64,WN=64,WNITER=2,TM=8,TN=4 --zoom thread "
    "--tab instructions --theme contrast --level l2 --form lines --axes BM,BK "
    "--others best --on \"H100\" --and-on \"H200\" --text 175 --without ladder "
    "--without tile --out view.png";

}  // namespace

class OptionsTest : public QObject {
  Q_OBJECT

  static void rows() {
    QTest::addColumn<const Option*>("option");
    for (const Option& option : options())
      QTest::newRow(std::string(option.name).c_str()) << &option;
  }

 private slots:
  void aFileAndALinkKeepIt_data() { rows(); }
  void aFileAndALinkKeepIt() {
    QFETCH(const Option*, option);
    const auto s = example(*option);
    QVERIFY2(s.has_value(), s ? "" : s.error().c_str());
    QVERIFY(!option->equal(*s, *usual()));
    QVERIFY(!(*s == *usual()));
    for (const auto& again : {parseSession(sessionText(*s)), parseLink(sessionLink(*s))}) {
      QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
      QVERIFY(option->equal(*again, *s));
      QVERIFY(*again == *s);
    }
  }

  void aCommandLineSaysIt_data() { rows(); }
  void aCommandLineSaysIt() {
    QFETCH(const Option*, option);
    const auto s = example(*option);
    QVERIFY2(s.has_value(), s ? "" : s.error().c_str());
    const std::string line = commandLineOf(*s, Extent{0, 0});
    if (option->words.empty()) {
      QCOMPARE(line, commandLineOf(*usual(), Extent{0, 0}));
      return;
    }
    QVERIFY2(q(line).contains(q(option->words) + ' '), line.c_str());
    const auto request = understood(QProcess::splitCommand(q(line)));
    QVERIFY2(request.has_value(), request ? "" : request.error().c_str());
    QVERIFY(option->equal(request->session, *s));
    QCOMPARE(commandLineOf(request->session, Extent{0, 0}), line);
  }

  void aWrongValueInAFileIsNamed_data() { rows(); }
  void aWrongValueInAFileIsNamed() {
    QFETCH(const Option*, option);
    const auto s = parseSession(fileWith(*option, json::array({7})).dump());
    QVERIFY(!s.has_value());
    QVERIFY2(q(s.error()).contains('"' + q(option->name) + '"'), s.error().c_str());
    QVERIFY(!q(s.error()).contains('\n') && !q(s.error()).endsWith('.'));
  }

  void aWrongValueOnTheCommandLineIsNamed_data() {
    QTest::addColumn<const Option*>("option");
    for (const Option& option : options()) {
      if (!option.words.empty()) QTest::newRow(std::string(option.name).c_str()) << &option;
    }
  }
  void aWrongValueOnTheCommandLineIsNamed() {
    QFETCH(const Option*, option);
    const auto request =
        understood({"tileloom", "render", "window", q(option->words), "?!", "--out", "view.png"});
    // Only the window knows which devices there are.
    QCOMPARE(request.has_value(), option->kind == Option::Kind::Text);
    if (request) return;
    const QString why = q(request.error());
    QVERIFY2(why.contains("?!") || why.contains(q(option->words)), qPrintable(why));
    QVERIFY(!why.contains('\n') && !why.endsWith('.'));
  }

  // A session could not be read again, or not even be written.
  void aDeviceThatCannotBeKept() {
    for (const Option& option : options()) {
      if (option.kind != Option::Kind::Text) continue;
      for (const std::string& text :
           {std::string("a\x1b[2J"), std::string("Ger\xe4t"), std::string(2001, 'x')}) {
        Session session = *usual();
        const QString why = q(option.take(text, session));
        QVERIFY(!why.isEmpty() && why.size() < 600 && !why.contains('\x1b'));
        QVERIFY(session == *usual());
      }
    }
  }

  // One choice for all 16-bit rungs: an FP32 rung keeps it, and has none of its own.
  void aFormatThatTheRungLacks() {
    const auto of = [](const char* stage, const char* format) {
      return parseSession(
          json{{"schema", kSessionSchema}, {"stage", stage}, {"arithmetic", format}}.dump());
    };
    const auto kept = of("warptiled", "fp16");
    QVERIFY(kept && kept->state.halves == Format::Fp16);
    QVERIFY(kept->state.format() == Format::Fp32);
    QVERIFY(parseSession(sessionText(*kept))->state.halves == Format::Fp16);
    QVERIFY(!q(commandLineOf(*kept, Extent{0, 0})).contains("--arithmetic"));
    QVERIFY(of("mma", "fp16")->state.format() == Format::Fp16);
    QVERIFY(!q(sessionText(*of("mma", "bf16"))).contains("arithmetic"));
    const auto wrong = of("mma", "fp32");
    QVERIFY(!wrong);
    QCOMPARE(q(wrong.error()), QStringLiteral("mma does not support fp32: choose bf16 or fp16"));
    const auto refused = understood({"tileloom", "render", "loom", "--stage", "warptiled",
                                     "--arithmetic", "bf16", "--out", "view.png"});
    QVERIFY(!refused);
    QCOMPARE(q(refused.error()), QStringLiteral("warptiled does not support bf16: choose fp32"));
  }

  // What was saved, sent or noted stays readable, and is still written in the same order.
  void whatIsWrittenStaysAsItIs() {
    const auto s = parseSession(kFile);
    QVERIFY2(s.has_value(), s ? "" : s.error().c_str());
    QCOMPARE(sessionText(*s), std::string(kFile));
    QCOMPARE(commandLineOf(*s, Extent{1, 2}), std::string(kLine));
    const auto linked = parseLink(kLink);
    QVERIFY2(linked.has_value(), linked ? "" : linked.error().c_str());
    // The link is older than the paces: it names a speed, which is skipped.
    Session before = *s;
    before.pace = kUsualPace;
    QVERIFY(*linked == before);
  }

  void noNameIsTakenTwice() {
    std::set<std::string_view> names, words;
    for (const Option& option : options()) {
      QVERIFY2(names.insert(option.name).second, std::string(option.name).c_str());
      if (!option.words.empty() && option.kind != Option::Kind::Switch)
        QVERIFY2(words.insert(option.words).second, std::string(option.words).c_str());
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::OptionsTest, EventLoop)
#include "options_test.moc"
