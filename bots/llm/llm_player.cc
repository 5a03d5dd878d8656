#include "bots/llm/llm_player.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "bots/llm/answer.h"
#include "bots/llm/prompt.h"

namespace triarch::llm {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kFirstWait{250};  // before the second request; doubles each time
constexpr milliseconds kLook{20};
constexpr size_t kWhyBytesMax = 300;
constexpr size_t kExplanationBytesMax = 2000;

constexpr int kRequestTimeout = 408;
constexpr int kTooEarly = 425;
constexpr int kTooManyRequests = 429;

bool IsDone(int status) { return status >= 200 && status < 300; }

// Returns whether a later attempt may succeed.
bool IsPassing(int status) {
  return status == kRequestTimeout || status == kTooEarly || status == kTooManyRequests ||
         status >= 500;
}

std::string WhyNot(const HttpReply& reply) {
  std::string why = "HTTP " + std::to_string(reply.status);
  if (reply.status >= 300 && reply.status < 400) return why + ": redirections are not followed";
  const std::string told = ReadChatError(reply.body);
  return told.empty() ? why : why + ": " + told;
}

// Returns false if the game was abandoned in the meantime.
bool Wait(Clock::time_point until, const std::atomic<bool>& stop) {
  while (!stop.load(std::memory_order_relaxed)) {
    const auto left = until - Clock::now();
    if (left <= Clock::duration::zero()) return true;
    std::this_thread::sleep_for(std::min<Clock::duration>(left, kLook));
  }
  return false;
}

Decision DecisionOf(const Answer& answer) {
  Decision decision{.move = answer.move, .eval = std::nullopt};
  if (answer.kind == Answer::Kind::kResign) decision.kind = Decision::Kind::kResign;
  if (answer.kind == Answer::Kind::kClaimDraw) decision.kind = Decision::Kind::kClaimDraw;
  return decision;
}

}  // namespace

LlmPlayer::LlmPlayer(Settings settings, Environment environment, std::unique_ptr<HttpClient> client,
                     std::function<void(const std::string&)> log)
    : settings_(std::move(settings)),
      environment_(std::move(environment)),
      client_(std::move(client)),
      log_(std::move(log)) {}

void LlmPlayer::NewGame(Seat /*seat*/, uint64_t seed) { random_ = Random(seed); }

Decision LlmPlayer::Choose(const AnyState& state, const AnyState::Moves& moves,
                           const SearchLimits& limits) {
  TimePoint end = Clock::now() + settings_.timeout * (settings_.retries + 1);
  if (limits.deadline) end = std::min(end, *limits.deadline);
  std::vector<Message> messages = AskForMove(state, moves, limits.context, settings_.notation);
  milliseconds wait = kFirstWait;
  for (int64_t retries = settings_.retries;; --retries) {
    Reply reply = Ask(messages, end, limits.stop);
    if (reply.why.empty()) {
      const absl::StatusOr<Answer> answer =
          ReadAnswer(reply.text, state, moves, settings_.notation);
      if (answer.ok()) {
        if (limits.search_info != nullptr) {
          limits.search_info->explanation = reply.text.substr(0, kExplanationBytesMax);
        }
        return DecisionOf(*answer);
      }
      reply.why = std::string(answer.status().message());
      for (Message& message : AskAgain(reply.text, reply.why)) {
        messages.push_back(std::move(message));
      }
      reply.wait = milliseconds(0);  // the server works, so no wait is needed
    }
    const TimePoint next = Clock::now() + reply.wait.value_or(wait);
    wait *= 2;
    if (!reply.is_final && retries > 0 && next < end && Wait(next, *limits.stop)) continue;
    const bool is_abandoned = limits.stop->load(std::memory_order_relaxed);
    if (!is_abandoned && log_)
      log_("playing a fallback move: " + reply.why.substr(0, kWhyBytesMax));
    return {.move = random_.Below(static_cast<uint32_t>(moves.size())),
            .is_fallback = true,
            .eval = std::nullopt};
  }
}

LlmPlayer::Reply LlmPlayer::Ask(const std::vector<Message>& messages, TimePoint end,
                                const std::atomic<bool>* stop) {
  const absl::StatusOr<HttpReply> reply =
      client_->Post({.url = environment_.url + "/chat/completions",
                     .key = environment_.key,
                     .body = WriteChat(environment_.model, settings_, messages),
                     .end = std::min(end, Clock::now() + settings_.timeout),
                     .stop = stop});
  Reply result;
  if (!reply.ok()) {
    result.why = WithoutKey(std::string(reply.status().message()));
    result.is_final = absl::IsCancelled(reply.status());
  } else if (!IsDone(reply->status)) {
    result.why = WithoutKey(WhyNot(*reply));
    result.is_final = !IsPassing(reply->status);
    result.wait = reply->retry_after;
  } else if (const absl::StatusOr<std::string> text = ReadChat(reply->body); text.ok()) {
    result.text = WithoutKey(*text);
  } else {
    result.why = WithoutKey(std::string(text.status().message()));
  }
  return result;
}

// Some servers echo the key.
std::string LlmPlayer::WithoutKey(std::string text) const {
  const std::string& key = environment_.key;
  for (size_t at = 0; !key.empty() && (at = text.find(key, at)) != std::string::npos;) {
    text.replace(at, key.size(), "***");
    at += 3;
  }
  return text;
}

}  // namespace triarch::llm
