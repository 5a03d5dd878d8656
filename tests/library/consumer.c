/* A program of a user of libtriarch: counts nodes, plays a game with two searchers and prints how it
 * ended. Plain C. */
#include <stdio.h>
#include <stdlib.h>

#include <triarch.h>

static void fail(const triarch_error *error) {
  fprintf(stderr, "error: %s\n", error->message);
  exit(1);
}

static triarch_search *make(triarch_game game, const char *bot) {
  triarch_search *search;
  triarch_error error;
  if (triarch_search_create(game, bot, NULL, &search, &error) != TRIARCH_OK) fail(&error);
  triarch_search_new_game(search, 1);
  return search;
}

int main(void) {
  triarch_game game;
  triarch_position position;
  triarch_state state;
  triarch_error error;
  triarch_outcome outcome;
  triarch_search *bots[2];
  if (triarch_abi_version() != TRIARCH_ABI_VERSION) return 2;
  if (triarch_find_game("tri-d", &game, &error) != TRIARCH_OK) fail(&error);
  if (triarch_start(game, NULL, &position, &error) != TRIARCH_OK) fail(&error);
  printf("perft 3: %llu\n", (unsigned long long)triarch_perft(&position, 3));

  triarch_state_begin(&state, &position, 0);
  bots[0] = make(game, "random");
  bots[1] = make(game, "greedy");
  while (!triarch_state_get_outcome(&state, &outcome)) {
    triarch_answer answer;
    triarch_search *bot = bots[triarch_to_move(&state.position)];
    if (triarch_search_choose(bot, &state, NULL, &answer, NULL, &error) != TRIARCH_OK ||
        triarch_state_play(&state, answer.move, &error) != TRIARCH_OK) {
      fail(&error);
    }
  }
  printf("places %u-%u, %s\n", outcome.places[0], outcome.places[1],
         triarch_termination_name(outcome.termination));
  triarch_search_destroy(bots[0]);
  triarch_search_destroy(bots[1]);
  return 0;
}
