// A faulty bot for tests; its option `does` selects the fault.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "triarch_bot.h"

namespace {

struct OddBot {
  triarch_game game;
  std::string does;
  int games = 0;
  int turns = 0;  // in this game
};

bool Is(void* self, const char* what) { return static_cast<OddBot*>(self)->does == what; }

void* Create(triarch_game game, const char* const* values, char* error, size_t error_size) {
  if (std::strcmp(values[0], "not_be_made") == 0) {
    std::snprintf(error, error_size, "does: this one cannot be made");
    return nullptr;
  }
  if (std::strcmp(values[0], "not_be_made_silently") == 0) return nullptr;
  if (std::strcmp(values[0], "exit_in_create") == 0) std::exit(0);
  if (std::strcmp(values[0], "throw_in_create") == 0) throw 3;
  return new OddBot{game, values[0]};
}

int NewGame(void* self, triarch_seat, uint64_t) {
  OddBot& bot = *static_cast<OddBot*>(self);
  ++bot.games;
  bot.turns = 0;
  return bot.does == "fail_new_game" ? 7 : 0;
}

// Does something that no game survives, in the third turn of the bot's second game.
void Break(const OddBot& bot) {
  if (bot.games != 2 || bot.turns != 3) return;
  if (bot.does == "crash") std::raise(SIGSEGV);
  if (bot.does == "exit") std::_Exit(5);
  if (bot.does == "exit_with_0") std::exit(0);
  if (bot.does == "throw") throw 3;
  while (bot.does == "hang") std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

int ChooseMove(void* self, const triarch_turn* turn, triarch_answer* answer) {
  OddBot& bot = *static_cast<OddBot*>(self);
  ++bot.turns;
  answer->move = turn->moves[0];
  Break(bot);
  if (bot.does == "fail") return 3;
  if (bot.does == "answer_late") {
    while (!turn->should_stop(turn)) {
    }
  }
  if (bot.does == "think_70_ms" && turn->milliseconds >= 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(70));
  }
  if (bot.does == "play_illegally") answer->move = 0xffffffffu;
  if (bot.does == "answer_nonsense") answer->kind = 17;
  if (bot.does == "resign") answer->kind = TRIARCH_RESIGN;
  if (bot.does == "claim") answer->kind = TRIARCH_CLAIM_DRAW;
  if (bot.does == "tell_nonsense") {
    answer->has_shares = 1;
    for (double& share : answer->shares) share = 5;
    answer->nodes = UINT64_MAX;
  }
  if (bot.does == "tell") {
    answer->has_shares = 1;
    const uint32_t seats = triarch_get_game_info(bot.game)->seats;
    for (uint32_t i = 0; i < seats; ++i) answer->shares[i] = 1.0 / seats;
    answer->nodes = 11;
  }
  return 0;
}

int Policy(void* self, const triarch_turn* turn, float* shares) {
  for (size_t i = 0; i < turn->move_count; ++i) shares[i] = 0;
  shares[0] = Is(self, "tell_a_false_policy") ? 2.0f : 1.0f;
  return Is(self, "fail_policy") ? 1 : 0;
}

void Destroy(void* self) { delete static_cast<OddBot*>(self); }

constexpr const char* kGames[] = {"triumvirate", "three-way", "tri-d", nullptr};
constexpr triarch_option kOptions[] = {{"does", "what it does wrong (nothing)", "nothing"}};
constexpr triarch_bot kBot = {.size = sizeof(triarch_bot),
                              .abi_version = TRIARCH_ABI_VERSION,
                              .name = "odd",
                              .version = "0.1",
                              .games = kGames,
                              .options = kOptions,
                              .option_count = 1,
                              .create = Create,
                              .new_game = NewGame,
                              .choose_move = ChooseMove,
                              .policy = Policy,
                              .destroy = Destroy};

}  // namespace

const triarch_bot* triarch_bot_entry(uint32_t abi_version) {
  return abi_version == TRIARCH_ABI_VERSION ? &kBot : nullptr;
}
