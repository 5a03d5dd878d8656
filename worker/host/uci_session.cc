#include "worker/host/uci_session.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "bots/uci/uci_words.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

// Splits an option line by keyword. Texts may contain spaces: "name Move Overhead type spin".
std::map<std::string, std::vector<std::string>> KeywordsOf(std::string_view line) {
  constexpr std::array<std::string_view, 6> kKeywords = {"name", "type", "default",
                                                         "min",  "max",  "var"};
  std::map<std::string, std::vector<std::string>> found;
  std::string* text = nullptr;
  for (const std::string_view word : WordsOf(line)) {
    if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end()) {
      text = &found[std::string(word)].emplace_back();
    } else if (text != nullptr) {
      if (!text->empty()) *text += ' ';
      *text += word;
    }
  }
  return found;
}

std::string FirstOf(const std::map<std::string, std::vector<std::string>>& keywords,
                    const std::string& keyword) {
  const auto found = keywords.find(keyword);
  return found == keywords.end() ? std::string() : found->second.front();
}

std::string SetOption(const std::string& name, const std::string& value) {
  return "setoption name " + name + " value " + value + "\n";
}

}  // namespace

// ---- Sending.

std::string UciSession::Begin() {
  waiting_ = Waiting::kUciOk;
  bytes_ = 0;
  return "uci\n";
}

bool UciSession::Offers(const std::string& name, std::string_view type) const {
  const auto option = options_.find(name);
  return option != options_.end() && option->second.type == type;
}

absl::Status UciSession::UnknownOption(const std::map<std::string, Option>& options,
                                       const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [own, option] : options) names.push_back(own);
  return absl::InvalidArgumentError(
      absl::StrFormat("it has no option %s; expected %s", Quote(name),
                      names.empty() ? "none" : "one of " + absl::StrJoin(names, ", ")));
}

absl::Status UciSession::CheckOption(const std::string& name, const std::string& value) const {
  const auto fault = [&](const std::string& message) {
    return absl::InvalidArgumentError(absl::StrFormat("option %s: %s", name, message));
  };
  const auto found = options_.find(name);
  if (found == options_.end()) return UnknownOption(options_, name);
  const Option& option = found->second;
  if (option.type == "check" && value != "true" && value != "false") {
    return fault(Quote(value) + "; expected true or false");
  }
  if (option.type == "combo" &&
      std::find(option.values.begin(), option.values.end(), value) == option.values.end()) {
    return fault(Quote(value) + "; expected one of " + absl::StrJoin(option.values, ", "));
  }
  if (option.type == "spin") {
    const std::optional<int64_t> number = ParseInt64(value);
    if (!number || (option.min && *number < *option.min) || (option.max && *number > *option.max)) {
      return fault(absl::StrFormat("%s; expected a whole number from %d to %d", Quote(value),
                                   option.min.value_or(INT64_MIN), option.max.value_or(INT64_MAX)));
    }
  }
  if (value.find('\n') != std::string::npos) return fault("it contains a line break");
  return absl::OkStatus();
}

absl::StatusOr<std::string> UciSession::SetOptions(
    const std::map<std::string, std::string>& options) {
  const auto variant = options_.find(kVariantOption);
  if (variant == options_.end()) {
    return absl::InvalidArgumentError(
        "it has no option UCI_Variant, which lists the games it plays");
  }
  const std::string game(game_.name);
  const std::vector<std::string>& games = variant->second.values;
  if (std::find(games.begin(), games.end(), game) == games.end()) {
    return absl::InvalidArgumentError(
        absl::StrFormat("it does not play %s, only %s", game,
                        games.empty() ? "nothing" : absl::StrJoin(games, ", ")));
  }
  std::string lines = SetOption(kVariantOption, game);
  wants_legal_moves_ = Offers(kLegalMovesOption, "check");
  if (wants_legal_moves_) lines += SetOption(kLegalMovesOption, "true");
  wants_seed_ = options_.contains(kSeedOption) && !options.contains(kSeedOption);
  for (const auto& [name, value] : options) {
    RETURN_IF_ERROR(CheckOption(name, value));
    lines += SetOption(name, value);
  }
  waiting_ = Waiting::kReadyOk;
  bytes_ = 0;
  return lines + "isready\n";
}

std::string UciSession::NewGame(uint64_t seed) {
  waiting_ = Waiting::kReadyOk;
  bytes_ = 0;
  return (wants_seed_ ? SetOption(kSeedOption, std::to_string(seed)) : std::string()) +
         "ucinewgame\nisready\n";
}

void UciSession::Go(const SearchLimits& limits, std::string_view legal, std::string* to) {
  const TurnContext& context = *limits.context;
  std::string& lines = *to;
  lines = "position ";
  lines += context.position;
  lines += "\ngo seat ";
  lines += game_.seat_letters[Index(context.seat)];
  const auto add = [&lines](std::string_view word, int64_t number) {
    lines += ' ';
    lines += word;
    lines += ' ';
    lines += std::to_string(number);
  };
  for (size_t i = 0; i < game_.seats; ++i) {
    const Seat seat = SeatAt(i);
    if (!context.clocks[seat]) continue;
    const std::string letter(1, game_.seat_letters[i]);
    add(letter + "time", context.clocks[seat]->count());
    add(letter + "inc", context.increments[seat].count());
  }
  if (context.moves_to_go > 0) add("movestogo", context.moves_to_go);
  if (context.move_time) add("movetime", context.move_time->count());
  if (limits.nodes) add("nodes", *limits.nodes);
  if (limits.depth) add("depth", *limits.depth);
  if (context.can_claim) lines += " claimable";
  if (wants_legal_moves_) {
    lines += " legal";
    lines += legal;
  }
  lines += '\n';
  waiting_ = Waiting::kBestMove;
  bytes_ = 0;
  info_ = Info();
  wants_explanation_ = limits.search_info != nullptr && limits.search_info->wants_explanation;
}

// ---- Receiving.

absl::Status UciSession::Receive(std::string_view bytes) {
  bytes_ += bytes.size();
  if (bytes_ > kBytesPerAnswerMax) {
    return absl::ResourceExhaustedError("it wrote more than 1 MiB without an answer");
  }
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (line_.size() + piece.size() > kLineBytesMax) {
      return absl::ResourceExhaustedError("it wrote a line of more than 64 KiB");
    }
    if (end == std::string_view::npos) {
      line_ += piece;
      return absl::OkStatus();
    }
    // Most lines arrive in one piece and need no copy.
    if (line_.empty()) {
      RETURN_IF_ERROR(TakeLine(piece));
    } else {
      line_ += piece;
      const std::string line = std::exchange(line_, std::string());
      RETURN_IF_ERROR(TakeLine(line));
    }
    bytes.remove_prefix(end + 1);
  }
  return absl::OkStatus();
}

absl::Status UciSession::TakeLine(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::string_view rest = line;
  const std::string_view first = TakeWord(&rest);
  if (first == "bestmove") return TakeBestMove(rest);
  if (first == "info") {
    ParseInfo(rest);
  } else if (first == "uciok" && waiting_ == Waiting::kUciOk) {
    waiting_ = Waiting::kNothing;
  } else if (first == "readyok" && waiting_ == Waiting::kReadyOk) {
    waiting_ = Waiting::kNothing;
  } else if (waiting_ == Waiting::kUciOk && first == "option") {
    TakeOption(line);
  } else if (waiting_ == Waiting::kUciOk && first == "id" && TakeWord(&rest) == "name") {
    const std::string_view begin = TakeWord(&rest);
    if (!begin.empty()) name_ = line.substr(static_cast<size_t>(begin.data() - line.data()));
  }
  return absl::OkStatus();
}

absl::Status UciSession::TakeBestMove(std::string_view rest) {
  if (waiting_ != Waiting::kBestMove) {
    return absl::InvalidArgumentError("it wrote bestmove without being asked");
  }
  const std::string_view move = TakeWord(&rest);
  if (move.empty()) return absl::InvalidArgumentError("it wrote bestmove without a move");
  answer_ = move;
  waiting_ = Waiting::kNothing;
  return absl::OkStatus();
}

void UciSession::TakeOption(std::string_view line) {
  constexpr size_t kOptionsMax = 500;
  const auto keywords = KeywordsOf(line);
  const std::string name = FirstOf(keywords, "name");
  if (name.empty() || options_.size() >= kOptionsMax) return;
  Option option{.type = FirstOf(keywords, "type"), .default_value = FirstOf(keywords, "default")};
  option.min = ParseInt64(FirstOf(keywords, "min"));
  option.max = ParseInt64(FirstOf(keywords, "max"));
  if (const auto values = keywords.find("var"); values != keywords.end()) {
    option.values = values->second;
  }
  options_[name] = std::move(option);
}

// The last value counts. Invalid values are ignored. A line about another move than the best
// ("multipv 2") says nothing about the answer's continuation.
void UciSession::ParseInfo(std::string_view text) {
  if (waiting_ != Waiting::kBestMove) return;
  constexpr size_t kLineMovesMax = 64;
  constexpr size_t kExplanationBytesMax = 4096;  // it is cut again when it is recorded
  const std::vector<std::string_view> words = WordsOf(text);
  bool is_best = true;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto number = [&] {
      return i + 1 < words.size() ? ParseInt64(words[i + 1]) : std::nullopt;
    };
    if (words[i] == "string") {
      if (!wants_explanation_) return;
      text.remove_prefix(static_cast<size_t>(words[i].data() - text.data()) + words[i].size());
      info_.explanation = Trim(text).substr(0, kExplanationBytesMax);
      return;
    }
    if (words[i] == "pv") {
      if (!wants_explanation_ || !is_best) return;
      const auto line = std::span(words).subspan(i + 1);
      const size_t length = std::min(line.size(), kLineMovesMax);
      info_.line.assign(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(length));
      return;
    }
    if (words[i] == "nodes" && number().value_or(-1) >= 0) info_.nodes = *number();
    if (words[i] == "depth" && number().value_or(-1) >= 0) info_.depth = *number();
    if (words[i] == "multipv") is_best = number() == 1;
    if (words[i] == "shares") ParseShares(std::span(words).subspan(i + 1));
  }
}

void UciSession::Info::CopyTo(SearchInfo* info) const {
  info->depth = depth;
  info->line = line;
  info->explanation = explanation;
}

void UciSession::ParseShares(std::span<const std::string_view> words) {
  if (words.size() < game_.seats) return;
  PerSeat<double> shares{};
  for (size_t seat = 0; seat < game_.seats; ++seat) {
    const std::optional<double> share = ParseDouble(words[seat]);
    if (!share) return;
    shares[SeatAt(seat)] = *share;
  }
  info_.shares = shares;
}

}  // namespace triarch
