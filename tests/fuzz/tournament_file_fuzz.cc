// Fuzzes tournament files: an error is one line; an accepted spec survives a round trip as JSON.

#include "spec/spec_json.h"
#include "spec/tournament_file.h"
#include "tests/fuzz/fuzz.h"

namespace {

// Bots and files always exist; only the text is fuzzed.
const triarch::TournamentHooks& Hooks() {
  static const auto* const kHooks = new triarch::TournamentHooks{
      .check_bot = [](std::string_view, const triarch::BotSpec&) { return absl::OkStatus(); },
      .digest_bot = [](const triarch::BotSpec&) -> absl::StatusOr<std::string> {
        return std::string(64, 'a');
      },
      .find_bundle = [](const std::string&,
                        const std::string&) -> absl::StatusOr<triarch::FoundBundle> {
        return triarch::FoundBundle{.manifest = {.name = "mine",
                                                 .version = "1",
                                                 .type = "process",
                                                 .command = {"bot"},
                                                 .games = {"triumvirate"}},
                                    .digest = std::string(64, 'b'),
                                    .dir = ""};
      },
      .read_file = [](const std::string&) -> absl::StatusOr<std::string> {
        return std::string("1. E2-E4 D7-D6 I11-I10 *\n");
      },
      .declared_option = [](std::string_view, const triarch::BotSpec&,
                            const std::string&) -> absl::StatusOr<triarch::DeclaredOption> {
        return triarch::DeclaredOption{.default_value = 1, .min = 0, .max = 5};
      }};
  return *kHooks;
}

}  // namespace

FUZZ_TEXT(text) {
  const absl::StatusOr<triarch::TournamentSpec> spec =
      triarch::ParseTournamentFile(text, "fuzz.yaml", Hooks());
  if (!spec.ok()) {
    const std::string message(spec.status().message());
    CHECK(message.starts_with("fuzz.yaml:"));
    CHECK(message.find('\n') == std::string::npos);
    return;
  }
  // Compares as JSON, in which invalid UTF-8 has been replaced already.
  const std::string json = triarch::SpecToJson(*spec);
  const absl::StatusOr<triarch::TournamentSpec> again = triarch::SpecFromJson(json);
  CHECK(again.ok());
  CHECK(triarch::SpecToJson(*again) == json);
}
