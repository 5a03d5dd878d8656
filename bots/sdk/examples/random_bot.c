/* A complete plugin bot in C that plays random legal moves. Build it alone with
 *   cc -shared -fPIC -O2 -I capi -I bots/sdk -o random_bot.so bots/sdk/examples/random_bot.c
 * and enter it as {name: mine, library: ./random_bot.so}. */
#include <stdlib.h>

#include "triarch_bot.h"

typedef struct random_bot {
  uint64_t state; /* of the generator */
} random_bot;

static void *create(triarch_game game, const char *const *values, char *error,
                    size_t error_size) {
  (void)game, (void)values, (void)error, (void)error_size;
  return calloc(1, sizeof(random_bot));
}

static int new_game(void *self, triarch_seat seat, uint64_t seed) {
  (void)seat;
  ((random_bot *)self)->state = seed;
  return 0;
}

/* splitmix64 */
static uint64_t next_random(random_bot *bot) {
  uint64_t z = (bot->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static int choose_move(void *self, const triarch_turn *turn, triarch_answer *answer) {
  answer->move = turn->moves[next_random(self) % turn->move_count];
  return 0;
}

static int policy(void *self, const triarch_turn *turn, float *shares) {
  (void)self;
  for (size_t i = 0; i < turn->move_count; ++i) shares[i] = 1.0f / (float)turn->move_count;
  return 0;
}

const triarch_bot *triarch_bot_entry(uint32_t abi_version) {
  static const char *const games[] = {"triumvirate", "three-way", "tri-d", NULL};
  static const triarch_bot bot = {.size = sizeof(triarch_bot),
                                  .abi_version = TRIARCH_ABI_VERSION,
                                  .name = "random-c",
                                  .version = "1.0",
                                  .games = games,
                                  .create = create,
                                  .new_game = new_game,
                                  .choose_move = choose_move,
                                  .policy = policy,
                                  .destroy = free};
  return abi_version == TRIARCH_ABI_VERSION ? &bot : NULL;
}
