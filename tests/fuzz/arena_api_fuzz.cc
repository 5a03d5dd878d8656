// Fuzzes the APIs of the arena with a list of requests: each is answered once, or waits for its
// turn, in valid JSON, and no answer shows a secret.

// A line of the text is a request: the method, the target, who asks, other headers, and the body:
//
//   POST /api/v2/join key - {"game": "tri-d"}
//   GET /api/v2/turn?wait=3 1 stream
//   wait 5
//
// A digit is the token of that join, `key` the key of the first account, and `$` in a target the
// last table, and `operator` an operator's token. A line that is none of these is the whole body of
// a move by whoever is on turn.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arena/api/test_arena.h"
#include "core/base/text.h"
#include "tests/fuzz/fuzz.h"

namespace triarch::arena {
namespace {

constexpr size_t kLinesMax = 40;

class Fuzzed {
 public:
  explicit Fuzzed(std::string_view text) {
    for (const std::string_view line : Split(text, '\n')) {
      if (++lines_ > kLinesMax) break;
      Do(line);
    }
    Pass(kWaitMaxMs);
    for (const auto& exchange : waiting_) CHECK(exchange->is_gone());
    for (const auto& stream : streams_) {
      for (const std::string& sent : stream->sent) CheckNoSecret(sent);
    }
    for (const auto& [id, events] : events_.tables()) {
      const Table* const table = arena_.session->Find(id);
      CHECK(table == nullptr || Describe(events_.Rebuilt(id)) == Describe(*table));
    }
  }

 private:
  // Returns the next word and cuts it off.
  static std::string_view Cut(std::string_view& text) {
    const size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    text = blank == std::string_view::npos ? "" : text.substr(blank + 1);
    return word;
  }

  void Do(std::string_view line) {
    const std::string whole(line);
    const std::string method(Cut(line));
    if (method == "wait") return Pass(ParseInt64(line).value_or(1) % 60'000);
    if (method == "bot") {
      if (arena_.bots.turn_count() > 0) arena_.bots.Play(0);
      return Pass(0);
    }
    if (method.empty() || method[0] < 'A' || method[0] > 'Z') return Play(whole);
    const std::string_view target = Cut(line);
    const std::string_view who = Cut(line);
    const std::string_view headers = Cut(line);
    Ask(method, target, SecretOf(who), headers, std::string(line));
  }

  std::string SecretOf(std::string_view who) const {
    if (who == "key") return key_;
    const std::optional<int64_t> number = ParseInt64(who);
    const bool is_token = number && *number >= 0 && *number < static_cast<int64_t>(tokens_.size());
    return is_token ? tokens_[static_cast<size_t>(*number)] : std::string(who);
  }

  void Ask(const std::string& method, std::string_view target, const std::string& secret,
           std::string_view headers, std::string body) {
    std::string whole;
    for (const char c : target) whole += c == '$' ? table_ : std::string(1, c);
    const size_t question = whole.find('?');
    WebRequest request = TestRequest(method, whole.substr(0, question));
    if (question != std::string::npos) request.query = whole.substr(question + 1);
    if (!secret.empty() && secret != "-") request.authorization = "Bearer " + secret;
    if (headers.starts_with("stream")) {
      request.accept = "text/event-stream";
      request.last_event_id = headers.substr(6);
    }
    request.is_upgrade = headers == "socket" && method == "GET";
    request.body = std::move(body);
    const auto exchange = arena_.Send(std::move(request));
    if (headers == "gone") exchange->Leave();
    waiting_.push_back(exchange);
    Pass(0);
    Learn(*exchange);
  }

  void Play(const std::string& body) {
    for (const std::string& token : tokens_) {
      const Session::Seated seated = arena_.session->FindToken(token);
      if (seated.table == nullptr || seated.table->stage() != Table::Stage::kPlaying) continue;
      if (seated.table->state().to_move() != seated.holder.seat) continue;
      return Ask("POST", "/api/v2/move", token, "", body);
    }
  }

  // Takes tokens, keys and tables from an answer.
  void Learn(const TestExchange& exchange) {
    const std::string& path = exchange.request().path;
    if (exchange.status() / 100 != 2 || exchange.request().method != "POST") return;
    const ApiJson json = exchange.json();
    if (path == "/api/v2/join" || path == "/api/v2/rematch") {
      tokens_.push_back(json.at("token"));
      table_ = json.at("table");
    } else if (path == "/api/v1/join") {
      tokens_.push_back(json.at("player_token"));
      table_ = json.at("game_id");
    } else if (path == "/api/v2/players" && key_.empty()) {
      key_ = json.at("key");
    }
  }

  void Pass(int64_t ms) {
    arena_.Pass(std::max<int64_t>(ms, 0));
    std::erase_if(waiting_, [this](const auto& exchange) {
      if (!exchange->is_answered()) {
        CHECK(exchange->request().query.find("wait") != std::string::npos);
        return false;
      }
      Check(*exchange);
      return true;
    });
  }

  void Check(const TestExchange& exchange) {
    if (exchange.stream) return streams_.push_back(exchange.stream);
    CHECK(exchange.status() >= 200 && exchange.status() < 500);
    const std::string text = exchange.text();
    CheckNoSecret(text);
    if (exchange.answer->content_type != "application/json") return;
    const ApiJson json = ApiJson::parse(text, nullptr, /*allow_exceptions=*/false);
    CHECK(!json.is_discarded());
    CHECK(exchange.status() < 400 || !json.at("detail").is_null());
  }

  void CheckNoSecret(const std::string& text) const {
    for (const auto& [name, player] : arena_.store.players()) {
      CHECK(text.find(player.owner) == std::string::npos);
      CHECK(text.find(player.key_hash) == std::string::npos);
    }
    arena_.session->Visit([&](const Table& table) {
      for (size_t i = 0; i < table.seat_count(); ++i) {
        const std::optional<Occupant>& occupant = table.occupant(SeatAt(i));
        if (!occupant || occupant->token_hash.empty()) continue;
        CHECK(text.find(occupant->token_hash) == std::string::npos);
      }
    });
  }

  TestStore events_;
  TestArena arena_{events_};
  std::vector<std::shared_ptr<TestExchange>> waiting_;
  std::vector<std::shared_ptr<TestStream>> streams_;
  size_t lines_ = 0;
  std::vector<std::string> tokens_;
  std::string key_;
  std::string table_ = "none";
};

}  // namespace
}  // namespace triarch::arena

FUZZ_TEXT(text) { triarch::arena::Fuzzed fuzzed(text); }
