#include "cli/tournament/fault_text.h"

#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "cli/files.h"
#include "core/any_state.h"
#include "core/base/random.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/record/game_steps.h"
#include "core/record/tpgn.h"
#include "nlohmann/json.hpp"

namespace triarch {
namespace {

// A line "label   value"; nothing without a value.
std::string FactLine(std::string_view label, std::string_view value) {
  if (value.empty()) return "";
  return absl::StrFormat("%-12s %s\n", std::string(label), std::string(value));
}

std::string FaultSection(std::string_view heading, std::string_view text) {
  if (text.empty()) return "";
  return "\n" + std::string(heading) + "\n" + std::string(text) +
         (text.ends_with('\n') ? "" : "\n");
}

std::string LegalMovesText(const AnyState& state) {
  const AnyState::Moves moves = state.LegalMoves();
  std::string text;
  for (size_t i = 0; i < moves.size(); ++i)
    text += (i > 0 ? " " : "") + state.MoveToString(moves, i);
  return text;
}

// Returns the number of the event by which the fault's seat forfeited.
absl::StatusOr<size_t> ForfeitOf(const GameRecord& record, const GameFault& fault) {
  for (size_t i = 0; i < record.events.size(); ++i) {
    const RecordedEvent& event = record.events[i];
    if (event.kind == RecordedEvent::Kind::kForfeit && event.seat == fault.seat) return i;
  }
  return absl::DataLossError("the game has no such forfeit");
}

absl::StatusOr<GameRecord> ReadRecord(std::string_view tpgn) {
  const std::optional<absl::StatusOr<TpgnGame>> game = TpgnReader(tpgn).Next();
  if (!game) return absl::DataLossError("the game has no text");
  RETURN_IF_ERROR(game->status());
  return ReplayTpgn(**game);
}

absl::StatusOr<std::string> TpgnOf(Store& store, int64_t tournament, int64_t index) {
  std::string text;
  const auto keep = [&text](const GameSummary&, std::string_view tpgn) {
    text = tpgn;
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(store.VisitTpgn(tournament, {.bot = {}, .first = index, .last = index}, keep));
  return text;
}

// Returns a bot's name as a part of a file's name.
std::string FileName(std::string_view bot) {
  std::string name;
  for (const char c : bot) {
    const bool is_plain = IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          c == '-' || c == '_' || c == '.';
    name += is_plain ? c : '_';
  }
  return name;
}

// Returns the name of the file for a report.
std::string FaultFileName(const TournamentSpec& spec, const GameInfo& game,
                          const StoredFault& fault) {
  return absl::StrFormat("%d.%d-%s-%s.txt", fault.match + 1, fault.index + 1,
                         FileName(spec.bots[static_cast<size_t>(fault.bot)].name),
                         game.seat_name(fault.fault.seat));
}

// Returns the names of bots with faults from the objects in an array of the report.
std::vector<std::string> FaultyBots(const nlohmann::json& bots) {
  std::vector<std::string> faulty;
  for (const nlohmann::json& bot : bots) {
    const nlohmann::json faults = bot.value("faults", nlohmann::json(0));
    int64_t count = faults.is_number() ? faults.get<int64_t>() : 0;
    if (faults.is_object()) {
      for (const nlohmann::json& of_kind : faults) count += of_kind.get<int64_t>();
    }
    if (count > 0) faulty.push_back(bot.value("name", ""));
  }
  return faulty;
}

}  // namespace

std::string HowToSeeFaults(const std::string& json, const std::string& where) {
  const auto report = nlohmann::json::parse(json, nullptr, /*allow_exceptions=*/false);
  std::vector<std::string> faulty;
  for (const char* const key : {"bots", "sides", "variants"}) {
    if (report.is_object() && report.contains(key)) faulty = FaultyBots(report[key]);
    if (!faulty.empty()) break;
  }
  if (faulty.empty()) return "";
  if (where.empty()) return "Use --db FILE or --faults DIR to keep reports on the faults\n";
  constexpr size_t kNamedMax = 3;
  if (faulty.size() > kNamedMax) return "faults: triarch games " + where + " --faults\n";
  std::string text;
  for (const std::string& bot : faulty) {
    text += "faults: triarch games " + where + " --faults --bot " + ShellWord(bot) + "\n";
  }
  return text;
}

std::string ReportSections(const FaultReport& report) {
  return FaultSection("Its standard error:", Printable(report.errors)) +
         FaultSection(
             "What it was sent (>) and what it answered (<), in seconds since the game began:",
             Printable(report.protocol));
}

absl::StatusOr<std::string> FaultText(const StoredFault& stored, const GameRecord& record) {
  const GameFault& fault = stored.fault;
  const FaultReport& report = fault.report;
  ASSIGN_OR_RETURN(const GameSteps steps, PlaySteps(record));
  ASSIGN_OR_RETURN(const size_t event, ForfeitOf(record, fault));
  const AnyState& state = steps.at(event);
  const std::string& own = record.time_controls[fault.seat];
  std::string text =
      absl::StrFormat("# %s: %s in game %d.%d, %s, ply %d\n\n", record.bots[fault.seat],
                      std::string(ToString(fault.why)), stored.match + 1, stored.index + 1,
                      state.info().seat_name(fault.seat), fault.ply);
  text += FactLine("what", Printable(report.message));
  text += FactLine("answer", Printable(report.answer));
  text += FactLine("exit status", Printable(report.exit_status));
  text += FactLine("limits", own.empty() ? record.time_control : own);
  text += FactLine(
      "seed", absl::StrFormat("%d (the game's %d)", DeriveSeed(record.seed, Index(fault.seat) + 1),
                              record.seed));
  text += FactLine("position", state.ToString());
  if (!state.outcome() && state.to_move() == fault.seat)
    text += FactLine("legal moves", LegalMovesText(state));
  return text + ReportSections(report);
}

absl::StatusOr<int64_t> WriteFaultFiles(Store& store, int64_t tournament, const std::string& dir) {
  ASSIGN_OR_RETURN(const StoredTournament stored, store.Tournament(tournament));
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(stored.spec.game));
  int64_t count = 0;
  const auto write = [&](const StoredFault& fault) -> absl::Status {
    ASSIGN_OR_RETURN(const std::string tpgn, TpgnOf(store, tournament, fault.index));
    ASSIGN_OR_RETURN(const GameRecord record, ReadRecord(tpgn));
    ASSIGN_OR_RETURN(std::string text, FaultText(fault, record));
    text += FaultSection("The game:", Printable(tpgn));
    const std::string path = dir + "/" + FaultFileName(stored.spec, *game, fault);
    ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path, kFaultFile));
    RETURN_IF_ERROR(file.Write(text));
    ++count;
    return file.Commit();
  };
  RETURN_IF_ERROR(store.VisitFaults(tournament, {}, write));
  return count;
}

absl::Status CheckFaultFolder(Store& store, int64_t tournament, const std::string& dir) {
  ASSIGN_OR_RETURN(const StoredTournament stored, store.Tournament(tournament));
  ASSIGN_OR_RETURN(const GameInfo* const game, FindGame(stored.spec.game));
  std::set<std::string> own;
  RETURN_IF_ERROR(store.VisitFaults(tournament, {}, [&](const StoredFault& fault) {
    own.insert(FaultFileName(stored.spec, *game, fault));
    return absl::OkStatus();
  }));
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(dir, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) || own.contains(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("--faults: %s holds files of something else, such as %s; expected a new "
                        "folder",
                        Quote(dir, 200), Quote(name)));
  }
  return absl::OkStatus();
}

}  // namespace triarch
