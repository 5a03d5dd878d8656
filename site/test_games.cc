#include "site/test_games.h"

#include <optional>
#include <utility>

#include "core/any_state.h"
#include "core/base/random.h"
#include "core/record/played_game.h"

namespace triarch::site {
namespace {

constexpr int64_t kPlies = 240;  // of a game at most

}  // namespace

TournamentSpec SpecOfTest(const std::string& game, int64_t games) {
  TournamentSpec spec;
  spec.name = "test of " + game;
  spec.game = game;
  spec.bots = {{.name = "ann", .bot = "random", .options = {}},
               {.name = "<b>bob</b>", .bot = "paranoid", .options = {{"depth", "2"}}},
               {.name = "cid", .bot = "greedy", .options = {}},
               {.name = "dee", .bot = "random", .options = {}}};
  spec.games = games;
  spec.seed = 5;
  return spec;
}

GameRecord PlayTestGame(const TournamentSpec& spec, int64_t index) {
  GameSpec game;
  game.index = index;
  game.match = index / 6;
  game.game = spec.game;
  game.adjudication.plies_max = kPlies;
  const size_t seats = (*FindGame(spec.game))->seats;
  for (size_t i = 0; i < seats; ++i) {
    game.seats[SeatAt(i)] = spec.bots[(static_cast<size_t>(index) + i) % spec.bots.size()];
  }
  Random random(static_cast<uint64_t>(index) + 1);
  PlayedGame played = *PlayedGame::Begin(game);
  while (!played.state().outcome()) {
    const int64_t ply = played.record().plies;
    if (ply == 30 && index % 3 == 0 && played.state().is_in(Seat::kFirst)) {
      played.Leave(Seat::kFirst, Termination::kCrash);
    } else if (ply == 31 && index % 5 == 0 && played.state().is_in(Seat::kSecond)) {
      played.Leave(Seat::kSecond, Termination::kResignation);
    } else {
      const AnyState::Moves moves = played.state().LegalMoves();
      played.Play(moves, random.Below(static_cast<uint32_t>(moves.size())), std::nullopt);
      if (index == 7 && ply == 1) played.NoteFallback();
      if (index == 7 && ply == 2) {
        played.NoteInfo({.depth = 2, .line = "x y", .explanation = "<b>\n{best}"});
      }
    }
  }
  GameRecord record = std::move(played).TakeRecord();
  for (const RecordedEvent& event : record.events) {
    if (event.kind != RecordedEvent::Kind::kForfeit) continue;
    record.faults.push_back(
        {.seat = event.seat, .ply = 31, .why = event.why, .report = {.message = "it exited"}});
  }
  return record;
}

}  // namespace triarch::site
