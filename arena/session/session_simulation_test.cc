// Simulates sessions on a store that fails, alone and two on one store.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arena/session/session.h"
#include "arena/session/test_parts.h"
#include "arena/table/test_table.h"
#include "core/base/random.h"

// Two sessions share a store that fails, and restart. A failing test prints its seed.
namespace triarch::arena {
namespace {

using Fate = TestLog::Fate;
using Kind = Event::Kind;
using Stage = Table::Stage;

constexpr uint64_t kSeeds = 14;
constexpr uint64_t kRandomSeeds = 3;
constexpr int kSteps = 8'000;
constexpr int kRoundsMax = 4'000;  // until all games have ended

// What a client has asked for, and what became of it. Each leaves a trace in the store that no
// other leaves.
struct Errand {
  enum class Type : uint8_t { kJoin, kMove, kMiss, kResign, kOther };
  enum class State : uint8_t { kOpen, kAccepted, kMissed, kRefused, kFailed };
  Type type = Type::kOther;
  std::string trace = {};  // a name, a message, an illegal move, or a token
  State state = State::kOpen;
  int replies = 0;
  size_t session = 0;
  int life = 0;  // of the session
  // Of a move, which is also granted if it has been played already, perhaps by the table itself.
  std::string table = {};
  std::string move = {};
  int64_t ply = 0;
};

class World {
 public:
  explicit World(uint64_t seed) : random_(seed) {
    for (size_t i = 0; i < kSessions; ++i) Start(i);
  }

  void Run() {
    for (int i = 0; i < kSteps && !Failed(); ++i) Step();
    Settle();
    PlayToTheEnd();
    CheckErrands();
  }

  size_t table_count() const { return store_.tables().size(); }
  size_t errand_count() const { return errands_.size(); }
  std::map<Errand::State, int> Count(Errand::Type type) const {
    std::map<Errand::State, int> counts;
    for (const auto& errand : errands_) {
      if (errand->type == type) ++counts[errand->state];
    }
    return counts;
  }

 private:
  static constexpr size_t kSessions = 2;
  struct Node {
    std::unique_ptr<TestLog> log;
    std::unique_ptr<TestBots> bots;
    std::map<std::string, int64_t> seen;  // the number of events of each table
    std::unique_ptr<Session> session;
    int64_t skew_ms = 0;  // of its clock; grows by jumps
    int life = 0;
  };
  // A seat that a client has, and the last move that it has tried.
  struct Player {
    std::string token;
    std::string table;
    std::string message = {};  // of the last move; empty if it need not be tried again
    std::string move = {};
    int64_t ply = 0;
  };

  static bool Failed() { return testing::Test::HasFailure(); }
  uint32_t Below(size_t bound) { return random_.Below(static_cast<uint32_t>(bound)); }
  bool Chance(uint32_t one_in) { return Below(one_in) == 0; }

  void Start(size_t number) {
    Node& node = nodes_[number];
    node.session = nullptr;
    node.log = std::make_unique<TestLog>(store_);
    node.bots = std::make_unique<TestBots>();
    node.seen.clear();
    ++node.life;
    node.skew_ms = Below(600);
    node.session = std::make_unique<Session>(
        Session::Options{
            .tables_max = 60, .kept_ms = 60'000, .house_bots = {"random"}, .is_alone = false},
        Session::Parts{.log = node.log.get(),
                       .house_bots = node.bots.get(),
                       .now_ms = [this, number] { return now_ms_ + nodes_[number].skew_ms; },
                       .random = [this] { return TestBytes(random_); },
                       .rating = [](std::string_view, std::string_view) { return 0.0; },
                       .changed =
                           [this, number](const Table& table, int64_t first,
                                          const std::vector<Event>& events) {
                             Changed(nodes_[number], table, first, events);
                           }});
    for (const auto& [id, json] : store_.tables()) Take(node, id);
  }

  // Restores a table, unless it ended long ago.
  void Take(Node& node, const std::string& id) {
    const Table table = store_.Rebuilt(id);
    if (table.is_over() && table.ended_ms() < now_ms_ - 30'000) return;
    node.seen[id] = table.event_count();
    ASSERT_TRUE(node.session->Restore(id, store_.Events(id)).ok());
  }

  // Changes come in order, without gaps, and as they are stored.
  void Changed(Node& node, const Table& table, int64_t first, const std::vector<Event>& events) {
    // It may have been read from the store without a change.
    int64_t& seen = node.seen.try_emplace(table.id(), first).first->second;
    if (first == 0) {
      EXPECT_TRUE(opened_.insert(table.id()).second);
      seen = 0;
    }
    EXPECT_EQ(first, seen);
    seen += static_cast<int64_t>(events.size());
    EXPECT_EQ(table.event_count(), seen);
    const std::vector<Event> stored = store_.Events(table.id(), first);
    ASSERT_GE(stored.size(), events.size());
    EXPECT_TRUE(std::equal(events.begin(), events.end(), stored.begin()));
  }

  // ---- The scheduler.

  void Step() {
    const size_t number = Below(kSessions);
    Node& node = nodes_[number];
    switch (Below(14)) {
      case 0:
      case 1:
      case 2:
        if (node.log->task_count() > 0) node.log->Perform(AnyFate());
        return;
      case 3:
      case 4:
      case 5:
        if (node.log->answer_count() > 0) node.log->Answer();
        return;
      case 6:
      case 7:
        return PlayBot(node);
      case 8:
        now_ms_ += Below(50);
        if (Chance(200)) node.skew_ms += Below(3'000);
        return node.session->Tick();
      case 9:
        return Chance(2) ? Hear(node) : MoveLease(number);
      case 10:
        if (Chance(60)) Restart(number);
        return;
      case 11:
        return Chance(3) ? Join(number) : Other(number);
      default:
        return Move(number);
    }
  }

  Fate AnyFate() {
    if (!Chance(12)) return Fate::kDone;
    return Chance(2) ? Fate::kLostAnswer : Fate::kNotDone;
  }

  void PlayBot(Node& node) {
    const size_t count = node.bots->turn_count();
    if (count == 0) return;
    const size_t turn = Below(count);
    const size_t moves = node.bots->turn(turn).moves;
    node.bots->Play(Chance(50) ? std::nullopt : std::optional<size_t>(Below(moves)), turn);
  }

  std::string AnyTable() {
    auto found = store_.tables().begin();
    if (found == store_.tables().end()) return "nowhere";
    std::advance(found, Below(store_.tables().size()));
    return found->first;
  }
  void Hear(Node& node) {
    const std::string id = AnyTable();
    if (Chance(3)) return node.session->Refresh(id);
    if (id != "nowhere") node.session->Heard(id, std::ssize(store_.tables().at(id)));
  }

  // Lets a session run a table. The one that ran it may not learn of this.
  void MoveLease(size_t number) {
    const std::string id = AnyTable();
    if (id == "nowhere") return;
    nodes_[number].session->Lead({.taken = {id}, .lost = {}});
    if (Chance(2)) nodes_[1 - number].session->Lead({.taken = {}, .lost = {id}});
  }

  // Appends under way may still be stored, but their answers are lost.
  void Restart(size_t number) {
    TestLog& log = *nodes_[number].log;
    for (size_t left = Below(log.task_count() + 1); left > 0; --left) log.Perform();
    now_ms_ += Chance(2) ? Below(1'000) : Below(1'000'000);
    Start(number);
  }

  // ---- The clients.

  Errand& NewErrand(Errand::Type type, std::string trace, size_t session) {
    errands_.push_back(std::make_unique<Errand>(Errand{.type = type,
                                                       .trace = std::move(trace),
                                                       .session = session,
                                                       .life = nodes_[session].life}));
    return *errands_.back();
  }
  static void Answered(Errand& errand, const Reply& reply) {
    ++errand.replies;
    EXPECT_EQ(errand.replies, 1);
    EXPECT_EQ(reply.table == nullptr, !reply.error.ok());
    if (!reply.error.ok()) {
      errand.state = Errand::State::kFailed;
    } else if (!reply.refusal) {
      errand.state = Errand::State::kAccepted;
    } else {
      const bool is_missed =
          reply.refusal->why == Refused::kIllegalMove && reply.refusal->attempts_left > 0;
      errand.state = is_missed ? Errand::State::kMissed : Errand::State::kRefused;
    }
  }
  std::string NewTrace() { return "trace-" + std::to_string(++traces_) + "-"; }

  void Join(size_t number) {
    JoinAsk ask;
    ask.settings = {.game = Chance(2) ? "tri-d" : "triumvirate",
                    .is_rated = Chance(3),
                    .is_private = Chance(6),
                    .fill_ms = 300,
                    .move_ms = 2'000};
    if (Chance(4)) ask.settings.house_bots[Seat::kSecond] = "random";
    if (Chance(5)) ask.table = AnyTable();
    if (Chance(2)) ask.wishes = {SeatAt(Below(3))};
    ask.occupant = {.name = NewTrace(), .is_claimed = !Chance(4)};
    Errand& errand = NewErrand(Errand::Type::kJoin, ask.occupant.name, number);
    nodes_[number].session->Join(std::move(ask), [this, &errand](const Reply& reply) {
      Answered(errand, reply);
      if (reply.ok()) players_.push_back({.token = reply.token, .table = reply.table->id()});
    });
  }

  // Returns a player, and asks the session to look where it might have fallen behind.
  Player* AnyPlayer(Node& node) {
    if (players_.empty()) return nullptr;
    // The last ones are at tables that are not over.
    const size_t recent = std::min<size_t>(players_.size(), 30);
    Player& player = players_[players_.size() - 1 - Below(recent)];
    if (Chance(4)) node.session->Refresh(player.table);
    return &player;
  }

  void Move(size_t number) {
    Node& node = nodes_[number];
    Player* const player = AnyPlayer(node);
    if (player == nullptr) return;
    if (player->message.empty() || !Chance(3)) {
      const Session::Seated seated = node.session->FindToken(player->token);
      if (seated.table == nullptr || seated.table->stage() != Stage::kPlaying) return;
      if (seated.table->state().to_move() != seated.holder.seat && !Chance(10)) return;
      const AnyState::Moves moves = seated.table->moves();
      player->message = NewTrace();
      player->move = seated.table->state().MoveToTpgn(moves, Below(moves.size()));
      player->ply = seated.table->plies();
      if (Chance(20)) return Miss(number, *player);
    }
    MoveRequest request{.texts = {player->move}, .ply = player->ply, .message = player->message};
    Errand& errand = NewErrand(Errand::Type::kMove, player->message, number);
    errand.table = player->table;
    errand.move = player->move;
    errand.ply = player->ply;
    node.session->Request(
        player->table,
        As(player->token,
           [request](const Table& table, const Table::Holder& holder, int64_t now_ms) {
             return table.Move(holder, request, now_ms);
           }),
        [&errand](const Reply& reply) { Answered(errand, reply); });
  }

  void Miss(size_t number, Player& player) {
    const std::string text = std::exchange(player.message, "");
    Errand& errand = NewErrand(Errand::Type::kMiss, text, number);
    nodes_[number].session->Request(
        player.table,
        As(player.token,
           [text](const Table& table, const Table::Holder& holder, int64_t now_ms) {
             return table.Move(holder, {.texts = {text}}, now_ms);
           }),
        [&errand](const Reply& reply) { Answered(errand, reply); });
  }

  void Other(size_t number) {
    Node& node = nodes_[number];
    Player* const player = AnyPlayer(node);
    if (player == nullptr) return;
    const uint32_t what = Below(12);
    Errand& errand = NewErrand(Errand::Type::kOther, "", number);
    const auto reply_to = [&errand](const Reply& reply) { Answered(errand, reply); };
    if (what == 0) return node.session->Fill(player->table, reply_to);
    node.session->Request(
        player->table,
        As(player->token,
           [what](const Table& table, const Table::Holder& holder, int64_t now_ms) {
             if (what == 1) return table.Resign(holder, now_ms);
             return what < 6 ? table.ClaimDraw(holder, now_ms) : table.WantRematch(holder, now_ms);
           }),
        reply_to);
  }

  // ---- The end.

  void Settle() {
    bool is_settled = false;
    while (!is_settled && !Failed()) {
      is_settled = true;
      for (Node& node : nodes_) {
        if (node.log->task_count() + node.log->answer_count() > 0) is_settled = false;
        node.log->Settle();
      }
    }
  }

  // Without faults, both sessions agree with the store, and all games end, although no player does
  // anything.
  void PlayToTheEnd() {
    for (int round = 0; round < kRoundsMax && !Failed(); ++round) {
      Settle();
      int open = 0;
      for (const auto& [id, json] : store_.tables()) {
        if (is_over_.contains(id)) continue;
        ++open;
        for (Node& node : nodes_) {
          node.session->Heard(id, std::ssize(json));
          node.session->Refresh(id);
        }
        nodes_[0].session->Lead({.taken = {id}, .lost = {}});
      }
      Settle();
      if (round % 50 == 0) CompareAll();
      if (open == 0) return;
      NoteEnds();
      for (Node& node : nodes_) {
        node.session->Tick();
        for (size_t turns = node.bots->turn_count(); turns > 0; --turns) PlayBot(node);
      }
      now_ms_ += 700;
    }
    if (!Failed()) ADD_FAILURE() << "a game does not end";
  }

  void NoteEnds() {
    for (const auto& [id, json] : store_.tables()) {
      for (const Node& node : nodes_) {
        const Table* const table = node.session->Find(id);
        if (table != nullptr && table->is_over()) is_over_.insert(id);
      }
      // Both have forgotten it.
      if (is_over_.contains(id) || nodes_[0].session->Find(id) || nodes_[1].session->Find(id)) {
        continue;
      }
      if (store_.Rebuilt(id).is_over()) is_over_.insert(id);
    }
  }

  void CompareAll() {
    for (const auto& [id, json] : store_.tables()) {
      const Table stored = store_.Rebuilt(id);
      for (const Node& node : nodes_) {
        const Table* const table = node.session->Find(id);
        if (table == nullptr) {
          EXPECT_TRUE(stored.is_over()) << id;
        } else if (!is_over_.contains(id)) {
          EXPECT_EQ(Describe(*table), Describe(stored));
        }
      }
    }
  }

  // Counts the traces of errands in the store.
  std::map<std::string, int> Traces() const {
    std::map<std::string, int> traces;
    for (const auto& [id, json] : store_.tables()) {
      for (const Event& event : store_.Events(id)) {
        if (event.kind == Kind::kJoined) ++traces[event.occupant.name];
        if (event.kind == Kind::kMoved && !event.message.empty()) ++traces[event.message];
        if (event.kind == Kind::kMissed) ++traces[event.move.substr(1, event.move.size() - 2)];
      }
    }
    return traces;
  }

  bool HasPlayed(const Errand& errand) const {
    int64_t ply = 0;
    for (const Event& event : store_.Events(errand.table)) {
      if (event.kind == Kind::kMoved && ply++ == errand.ply) return event.move == errand.move;
    }
    return false;
  }

  void CheckErrands() {
    if (Failed()) return;
    const std::map<std::string, int> traces = Traces();
    std::map<std::string, std::vector<const Errand*>> by_trace;
    for (const auto& errand : errands_) {
      const bool is_lost = errand->life != nodes_[errand->session].life;
      EXPECT_EQ(errand->replies, errand->state == Errand::State::kOpen ? 0 : 1);
      EXPECT_TRUE(is_lost || errand->replies == 1) << "no reply to " << errand->trace;
      if (!errand->trace.empty()) by_trace[errand->trace].push_back(errand.get());
    }
    for (const auto& [trace, errands] : by_trace) {
      const auto found = traces.find(trace);
      const int count = found == traces.end() ? 0 : found->second;
      bool is_granted = false;
      bool is_doubtful = false;
      for (const Errand* const errand : errands) {
        const bool is_miss = errand->type == Errand::Type::kMiss;
        is_granted |=
            errand->state == (is_miss ? Errand::State::kMissed : Errand::State::kAccepted);
        if (errand->type == Errand::Type::kMove && errand->state == Errand::State::kAccepted) {
          EXPECT_TRUE(HasPlayed(*errand)) << trace;
          is_granted = false;
          is_doubtful = true;
        }
        is_doubtful |=
            errand->state == Errand::State::kOpen || errand->state == Errand::State::kFailed;
      }
      EXPECT_LE(count, is_granted || is_doubtful ? 1 : 0) << trace;
      EXPECT_GE(count, is_granted ? 1 : 0) << trace;
    }
  }

  Random random_;
  int64_t now_ms_ = kTestTime;
  TestStore store_;
  std::vector<std::unique_ptr<Errand>> errands_;
  std::vector<Player> players_;
  std::set<std::string> opened_;   // ids of tables, by either session
  std::set<std::string> is_over_;  // at the end
  int64_t traces_ = 0;
  std::array<Node, kSessions> nodes_;  // declared last, because it uses all other members
};

void Simulate(uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  World world(seed);
  world.Run();
  if (testing::Test::HasFailure()) return;
  using State = Errand::State;
  std::map<State, int> joins = world.Count(Errand::Type::kJoin);
  std::map<State, int> moves = world.Count(Errand::Type::kMove);
  EXPECT_GT(joins[State::kAccepted], 10);
  EXPECT_GT(moves[State::kAccepted], 20);
  std::printf("seed %llu: %d tables, %d requests; joins %d/%d/%d/%d, moves %d/%d/%d/%d\n",
              static_cast<unsigned long long>(seed), static_cast<int>(world.table_count()),
              static_cast<int>(world.errand_count()), joins[State::kAccepted],
              joins[State::kRefused], joins[State::kFailed], joins[State::kOpen],
              moves[State::kAccepted], moves[State::kRefused], moves[State::kFailed],
              moves[State::kOpen]);
}

TEST(SessionSimulation, LosesAndDoublesNothing) {
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) Simulate(seed);
}

TEST(SessionSimulation, LosesAndDoublesNothingWithRandomSeeds) {
  for (uint64_t i = 0; i < kRandomSeeds && !HasFailure(); ++i) Simulate(std::random_device()());
}

}  // namespace
}  // namespace triarch::arena
