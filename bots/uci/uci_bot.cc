#include "bots/uci/uci_bot.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bots/uci/uci_words.h"
#include "core/base/check.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/play/time_control.h"

namespace triarch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int64_t kNumberMax = 1'000'000'000'000;  // for `go`: milliseconds, nodes, plies
constexpr std::string_view kEmpty = "<empty>";     // UCI's representation of an empty text

// Option names in UCI are case-insensitive.
bool IsSameName(std::string_view a, std::string_view b) {
  return absl::EqualsIgnoreCase(absl::string_view(a.data(), a.size()),
                                absl::string_view(b.data(), b.size()));
}

std::string Lines(std::string_view prefix, std::string_view text) {
  std::string lines;
  for (const std::string_view line : Split(Trim(text), '\n')) {
    lines += prefix;
    lines += line;
    lines += '\n';
  }
  return lines;
}

}  // namespace

UciBot::UciBot(BotSpec spec, std::function<void(std::string_view)> write)
    : write_(std::move(write)),
      bot_(FindBot(spec.bot).value()),
      spec_(std::move(spec)),
      game_(AllGames().front()) {
  CHECK(CheckBot(spec_).ok());
  CHECK(SetPosition("startpos").ok());
}

UciBot::~UciBot() { StopSearch(); }

void UciBot::Write(std::string_view lines) {
  MutexLock lock(&write_mutex_);
  write_(lines);
}

void UciBot::WriteError(std::string_view what) {
  std::string line(what);
  std::replace(line.begin(), line.end(), '\n', ' ');
  Write("info string error: " + line + "\n");
}

bool UciBot::TakeLine(std::string_view line) {
  const std::vector<std::string_view> words = WordsOf(Trim(line));
  if (words.empty()) return true;
  const std::string_view first = words[0];
  absl::Status status;
  if (first == "uci") {
    TellWho();
  } else if (first == "isready") {
    Write("readyok\n");
  } else if (first == "setoption") {
    status = is_searching_ ? absl::FailedPreconditionError("setoption: a search is running")
                           : SetOption(words);
  } else if (first == "ucinewgame") {
    seat_.reset();
  } else if (first == "position") {
    const std::string_view text = Trim(line);
    status = SetPosition(Trim(text.substr(first.size())));
  } else if (first == "go") {
    status = Go(words);
  } else if (first == "stop") {
    stop_ = true;
    stop_.notify_all();
  } else if (first == "debug" && words.size() == 2 && (words[1] == "on" || words[1] == "off")) {
    is_debug_ = words[1] == "on";
  } else if (first == "quit") {
    StopSearch();
    return false;
  } else {
    status = absl::InvalidArgumentError("unknown line " + Quote(Trim(line)));
  }
  if (!status.ok()) WriteError(std::string(status.message()));
  return true;
}

void UciBot::Finish() {
  // After the end of the input, nothing can stop an infinite search.
  if (is_infinite_) TakeLine("stop");
  if (search_.joinable()) search_.join();
}

void UciBot::StopSearch() {
  stop_ = true;
  stop_.notify_all();
  if (search_.joinable()) search_.join();
}

// ---- Identification and options.

void UciBot::TellWho() {
  std::string lines = "id name triarch " + spec_.bot + "\nid author the authors of Triarch\n";
  lines += "option name " + std::string(kVariantOption) + " type combo default " +
           std::string(game_->name);
  for (const GameInfo* const game : AllGames()) lines += " var " + std::string(game->name);
  lines += "\noption name " + std::string(kSeedOption) + " type string default 0\n";
  for (const BotOption& option : bot_->options) lines += OptionLine(option);
  Write(lines + "uciok\n");
}

std::string UciBot::OptionLine(const BotOption& option) const {
  const auto own = spec_.options.find(std::string(option.name));
  std::string line = "option name " + std::string(option.name);
  if (option.type == BotOption::Type::kWhole) {
    // 0 means that the option is not set and the default applies.
    line += absl::StrFormat(" type spin default %s min 0 max %d",
                            own == spec_.options.end() ? "0" : own->second,
                            static_cast<int64_t>(option.high));
  } else {
    line += " type string default ";
    line += own == spec_.options.end() ? std::string(kEmpty) : own->second;
  }
  return line + "\n";
}

absl::Status UciBot::SetOption(const std::vector<std::string_view>& words) {
  const auto value_word = std::find(words.begin(), words.end(), "value");
  const auto text = [](auto begin, auto end) {
    std::string joined;
    for (; begin != end; ++begin) {
      if (!joined.empty()) joined += ' ';
      joined += *begin;
    }
    return joined;
  };
  if (words.size() < 3 || words[1] != "name" || value_word <= words.begin() + 2) {
    return absl::InvalidArgumentError("setoption: expected setoption name NAME value VALUE");
  }
  const std::string name = text(words.begin() + 2, value_word);
  std::string value;
  if (value_word != words.end()) value = text(value_word + 1, words.end());
  if (value == kEmpty) value.clear();
  return SetValue(name, value);
}

absl::Status UciBot::SetValue(std::string_view name, const std::string& value) {
  if (IsSameName(name, kVariantOption)) {
    ASSIGN_OR_RETURN(game_, FindGame(value.empty() ? " " : std::string_view(value)));
    player_.reset();
    state_.reset();
    return SetPosition("startpos");
  }
  if (IsSameName(name, kSeedOption)) {
    const std::optional<uint64_t> seed = ParseUint64(value);
    if (!seed) {
      return absl::InvalidArgumentError("option Seed: " + Quote(value) +
                                        " is not a whole number from 0 to 2^64 - 1");
    }
    seed_ = *seed;
    return absl::OkStatus();
  }
  for (const BotOption& option : bot_->options) {
    if (!IsSameName(option.name, name)) continue;
    BotSpec changed = spec_;
    const std::string own(option.name);
    if (value.empty() || (option.type == BotOption::Type::kWhole && value == "0")) {
      changed.options.erase(own);
    } else {
      changed.options[own] = value;
    }
    RETURN_IF_ERROR(CheckBot(changed));
    spec_ = std::move(changed);
    player_.reset();
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("there is no option " + Quote(name));
}

// ---- The position.

absl::StatusOr<AnyState> UciBot::ReadStart(std::string_view text) const {
  if (text == "startpos") return AnyState::Start(game_->name, "", kRulesOnly);
  if (!text.starts_with("fen ")) {
    return absl::InvalidArgumentError("expected startpos or fen TEXT, not " + Quote(text));
  }
  ASSIGN_OR_RETURN(AnyState state, AnyState::Parse(game_->name, Trim(text.substr(4)), kRulesOnly));
  state.JudgeTurn();
  return state;
}

absl::Status UciBot::SetPosition(std::string_view text) {
  constexpr std::string_view kMoves = " moves";
  const auto about = [](std::string_view what, const absl::Status& status) {
    return absl::InvalidArgumentError("position: " + std::string(what) +
                                      std::string(status.message()));
  };
  if (state_ && text == position_text_) return absl::OkStatus();
  std::string_view moves;
  // A game usually grows by moves: play only the new ones.
  if (state_ && text.starts_with(position_text_ + " ")) {
    moves = text.substr(position_text_.size());
    if (position_text_.find(kMoves) == std::string::npos && moves.starts_with(kMoves)) {
      moves.remove_prefix(kMoves.size());
    }
  } else {
    const size_t at = text.find(kMoves);
    const std::string_view start = Trim(text.substr(0, at));
    if (at != std::string_view::npos) moves = text.substr(at + kMoves.size());
    state_.reset();
    absl::StatusOr<AnyState> state = ReadStart(start);
    if (!state.ok()) return about("", state.status());
    state_ = *std::move(state);
  }
  position_text_.clear();
  for (const std::string_view move : WordsOf(moves)) {
    const absl::Status played = state_->Play(move);
    if (played.ok()) continue;
    state_.reset();
    return about("move " + Quote(move) + ": ", played);
  }
  position_text_ = text;
  return absl::OkStatus();
}

// ---- The search.

UciBot::Asked UciBot::ReadLimits(const std::vector<std::string_view>& words) {
  Asked asked{.is_explained = is_debug_};
  TimeControl control;
  ClockSpec clock;
  const char letter = game_->seat_letters[Index(state_->to_move())];
  const std::string time = letter + std::string("time");
  const std::string increment = letter + std::string("inc");
  for (size_t i = 1; i < words.size() && words[i] != "legal"; ++i) {
    const std::string_view word = words[i];
    if (word == "infinite") asked.is_infinite = true;
    if (word == "claimable") asked.can_claim = true;
    const bool is_known = word == "nodes" || word == "depth" || word == "movetime" ||
                          word == "movestogo" || word == time || word == increment;
    if (!is_known) continue;
    const std::optional<int64_t> number =
        i + 1 < words.size() ? ParseInt64(words[i + 1]) : std::nullopt;
    if (!number || *number > kNumberMax) {
      WriteError("go: " + std::string(word) + ": expected a whole number");
      continue;
    }
    ++i;
    if (word == "nodes") asked.limits.nodes = std::max(*number, int64_t{1});
    if (word == "depth") asked.limits.depth = std::max(*number, int64_t{1});
    if (word == "movetime") control.movetime_ms = std::max(*number, int64_t{0});
    if (word == time) control.clock.emplace();
    if (word == time) clock.base_ms = std::max(*number, int64_t{0});
    if (word == increment) clock.increment_ms = std::max(*number, int64_t{0});
    if (word == "movestogo") clock.moves = std::max(*number, int64_t{0});
  }
  if (control.clock) control.clock = clock;
  if (asked.is_infinite) {
    asked.limits.nodes = std::numeric_limits<int64_t>::max();
    asked.limits.depth.reset();
  } else {
    asked.limits.deadline =
        GameClock(PerSeat<TimeControl>{{control}}).Deadline(Seat::kFirst, Clock::now());
  }
  asked.limits.stop = &stop_;
  return asked;
}

absl::Status UciBot::PreparePlayer() {
  if (player_ == nullptr) {
    ASSIGN_OR_RETURN(player_, MakePlayer(*game_, spec_));
    seat_.reset();
  }
  const Seat seat = state_->to_move();
  if (seat_ != seat) player_->NewGame(seat, seed_);
  seat_ = seat;
  return absl::OkStatus();
}

// Answers `go perft 1`.
absl::Status UciBot::ListMoves(const std::vector<std::string_view>& words) {
  if (words.size() != 3 || words[2] != "1") {
    return absl::InvalidArgumentError("go perft: expected go perft 1");
  }
  if (!state_) return absl::FailedPreconditionError("go perft: no position");
  const AnyState::Moves moves = state_->LegalMoves();
  std::string lines;
  for (size_t i = 0; i < moves.size(); ++i) lines += state_->MoveToString(moves, i) + ": 1\n";
  Write(lines + absl::StrFormat("\nNodes searched: %d\n\n", moves.size()));
  return absl::OkStatus();
}

absl::Status UciBot::Go(const std::vector<std::string_view>& words) {
  if (words.size() > 1 && words[1] == "perft") return ListMoves(words);
  if (is_searching_) return absl::FailedPreconditionError("go: a search is running");
  if (search_.joinable()) search_.join();
  const auto has_no_answer = [&](std::string_view why) {
    WriteError("go: " + std::string(why));
    Write("bestmove (none)\n");
    return absl::OkStatus();
  };
  if (!state_) return has_no_answer("no position");
  if (state_->outcome()) return has_no_answer("the game is over");
  stop_ = false;
  const Asked asked = ReadLimits(words);
  if (const absl::Status made = PreparePlayer(); !made.ok()) {
    return has_no_answer(std::string(made.message()));
  }
  is_infinite_ = asked.is_infinite;
  is_searching_ = true;
  search_ = std::thread([this, state = *state_, asked] { Search(state, asked); });
  return absl::OkStatus();
}

void UciBot::Search(const AnyState& state, const Asked& asked) {
  std::string lines;
  // No exception may escape from a thread.
  try {
    lines = Answer(state, asked);
  } catch (const std::exception& error) {
    lines = "info string error: " + Quote(error.what()) + "\nbestmove (none)\n";
  }
  // UCI: the answer to `go infinite` waits for `stop`.
  while (asked.is_infinite && !stop_) stop_.wait(false);
  is_searching_ = false;
  Write(lines);
}

std::string UciBot::Answer(const AnyState& state, const Asked& asked) {
  const AnyState::Moves moves = state.LegalMoves();
  SearchInfo search_info{.wants_policy = false};
  SearchLimits limits = asked.limits;
  if (asked.is_explained) limits.search_info = &search_info;
  const Clock::time_point begin = Clock::now();
  const Decision decision = player_->Choose(state, moves, limits);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin);
  const std::string move = state.MoveToString(moves, decision.move);

  std::string lines;
  if (!search_info.explanation.empty()) lines += Lines("info string ", search_info.explanation);
  lines += "info";
  if (search_info.depth > 0) lines += absl::StrFormat(" depth %d", search_info.depth);
  lines += absl::StrFormat(" nodes %d time %d", decision.nodes, took.count());
  if (decision.eval) {
    lines += " score shares";
    for (size_t i = 0; i < game_->seats; ++i) {
      lines += absl::StrFormat(" %.4f", (*decision.eval)[SeatAt(i)]);
    }
  }
  const bool has_line = !search_info.line.empty();
  lines += " pv " + (has_line ? absl::StrJoin(search_info.line, " ") : move) + "\nbestmove ";
  if (decision.kind == Decision::Kind::kResign) return lines + "resign\n";
  const bool is_claim = decision.kind == Decision::Kind::kClaimDraw && asked.can_claim;
  return lines + (is_claim ? "claim" : move) + "\n";
}

}  // namespace triarch
