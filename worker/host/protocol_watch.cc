#include "worker/host/protocol_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "bots/uci/uci_words.h"
#include "core/base/text.h"
#include "core/record/claim_bounds.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;

bool IsOfHandshake(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {
      "id", "option", "uciok", "readyok", "copyprotection", "registration", ""};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

// Returns what a `go` line says about the limits: "wtime 900 btime 12".
std::string_view LimitsOf(std::string_view go) {
  constexpr std::string_view kFirst = "go seat w ";
  go = go.substr(0, std::min(go.find(" claimable"), go.find(" legal")));
  return go.substr(std::min(kFirst.size(), go.size()));
}

// Returns the words after `word`, as many as there are up to `count`.
std::vector<std::string_view> After(const std::vector<std::string_view>& words,
                                    std::string_view word, size_t count) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return {};
  const auto left = static_cast<size_t>(words.end() - found - 1);
  return {found + 1, found + 1 + static_cast<std::ptrdiff_t>(std::min(count, left))};
}

}  // namespace

std::string ProtocolWatch::Where(std::string_view detail) const {
  std::string text = absl::StrFormat("game %d, ", game_number_);
  if (ply_ > 0) text += absl::StrFormat("ply %d, ", ply_);
  text += game_.seat_name(seat_);
  if (!detail.empty()) text += ": " + std::string(detail);
  return text;
}

std::string ProtocolWatch::LastLines() const {
  std::string text = "sent " + Quote(sent_);
  if (!received_.empty()) text += ", last received " + Quote(received_);
  return text;
}

void ProtocolWatch::Warn(const std::string& what, std::string_view detail) {
  report_.Add({.is_fault = false, .what = what, .first = Where(detail)});
}

void ProtocolWatch::Take(Transcript::Stream stream, std::string_view line) {
  switch (stream) {
    case Transcript::Stream::kSent:
      return TakeSent(line);
    case Transcript::Stream::kOutput:
      return TakeOutput(line);
    case Transcript::Stream::kErrors:
      return Warn("a line on standard error", Quote(line));
  }
}

void ProtocolWatch::TakeSent(std::string_view line) {
  sent_ = line;
  const std::vector<std::string_view> words = WordsOf(line);
  if (words.empty()) return;
  if (words[0] == "stop") stopped_ = Clock::now();
  if (words[0] == "uci") is_asked_ = false;  // a new process
  if (words[0] != "go") return;
  is_asked_ = true;
  limits_ = LimitsOf(line);
  stopped_.reset();
  pv_.clear();
  const auto nodes = After(words, "nodes", 1);
  nodes_ = nodes.empty() ? std::nullopt : ParseInt64(nodes[0]);
  can_claim_ = std::find(words.begin(), words.end(), "claimable") != words.end();
}

void ProtocolWatch::TakeOutput(std::string_view line) {
  received_ = line;
  std::string_view rest = line;
  const std::string_view first = TakeWord(&rest);
  if (first == "bestmove") return TakeBestMove(line);
  if (first == "info") return TakeInfo(line);
  if (!IsOfHandshake(first)) {
    Warn("a line on standard output that is not part of the protocol", Quote(line));
  }
}

void ProtocolWatch::TakeInfo(std::string_view line) {
  const std::vector<std::string_view> words = WordsOf(line);
  if (words.size() > 1 && words[1] == "string") return;
  if (!is_asked_) return Warn("an info line outside its turn, which is ignored", Quote(line));
  if (const auto pv = After(words, "pv", 1); !pv.empty()) pv_ = pv[0];
  const auto nodes = After(words, "nodes", 1);
  const std::optional<int64_t> count = nodes.empty() ? std::nullopt : ParseInt64(nodes[0]);
  if (!nodes.empty() && !count) Warn("an info line with nodes that are no number", Quote(line));
  if (count && nodes_ && *count > *nodes_ + *nodes_ / 10) {
    Warn("it reports more nodes than the limit",
         absl::StrFormat("%d instead of %d", *count, *nodes_));
  }
  const auto given = After(words, "shares", game_.seats);
  if (given.empty()) return;
  PerSeat<double> shares{};
  double sum = 0;
  bool are_numbers = given.size() == game_.seats;
  for (size_t i = 0; are_numbers && i < game_.seats; ++i) {
    const std::optional<double> share = ParseDouble(given[i]);
    are_numbers = share.has_value();
    sum += shares[SeatAt(i)] = share.value_or(0);
  }
  constexpr double kTolerance = 1e-2;
  if (!are_numbers || !AreShares(shares, game_.seats) || std::abs(sum - 1) > kTolerance) {
    Warn(absl::StrFormat("its shares are not %d numbers from 0 to 1 that add up to 1", game_.seats),
         Quote(line));
  }
}

void ProtocolWatch::TakeBestMove(std::string_view line) {
  if (!std::exchange(is_asked_, false)) return;  // ProcessPlayer reports this fault
  std::string_view rest = line;
  TakeWord(&rest);
  const std::string_view move = TakeWord(&rest);
  if (move == "claim" && !can_claim_) {
    report_.Add({.what = "it claimed a draw that it may not claim", .first = Where()});
  } else if (!pv_.empty() && move != "resign" && move != "claim" && move != pv_) {
    Warn("its principal variation does not begin with its move",
         absl::StrFormat("pv %s, bestmove %s", pv_, move));
  }
  if (!stopped_) return;
  const auto late = std::chrono::duration_cast<milliseconds>(Clock::now() - *stopped_);
  if (late <= margin_) return;
  report_.Add({.what = "a late answer after `stop`, which loses the game",
               .first = Where(absl::StrFormat("%d ms after it, with %s; allowed are %d ms",
                                              late.count(), limits_, margin_.count())),
               .worst_ms = late.count()});
}

}  // namespace triarch
