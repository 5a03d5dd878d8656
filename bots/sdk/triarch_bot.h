// Defines the C ABI between Triarch and a plugin bot.

#ifndef TRIARCH_BOTS_SDK_TRIARCH_BOT_H_
#define TRIARCH_BOTS_SDK_TRIARCH_BOT_H_

/* The C ABI between Triarch and a plugin bot: a shared library in any language that can export one
 * C function. A bot needs only this header and triarch.h, and links to nothing: Triarch itself
 * provides the functions of triarch.h to the plugins that it loads.
 *
 * The bot exports
 *     const triarch_bot *triarch_bot_entry(uint32_t abi_version);
 * No exception may leave its functions.
 *
 * Threads: one instance (the result of `create`) is used by one thread at a time, but not always by
 * the same thread. Several instances may be used concurrently.
 *
 * Ownership: Triarch owns everything that a triarch_turn points to, and only for the duration of
 * the call. Strings supplied by the bot (its name, options) must live as long as the library.
 *
 * Versions: a host rejects bots with another TRIARCH_ABI_VERSION. New fields are appended to the
 * structs, and `size` gives the length of the other side's struct: access a field newer than
 * version 2.0 only if `size` includes it.
 */

#include "triarch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Provided by Triarch. */

typedef struct triarch_turn triarch_turn;

/* The request for a move. */
struct triarch_turn {
  uint32_t size;              /* of this struct */
  const triarch_state *state; /* the game so far; copy it to try moves */
  const triarch_move *moves;  /* the legal moves, at least one */
  size_t move_count;
  uint64_t nodes;       /* maximum to search; 0 means no limit */
  uint32_t depth;       /* maximum in plies; 0 means no limit */
  int64_t milliseconds; /* until the answer is expected; -1 means no limit */
  /* Returns whether to answer now because the time is up or the game was abandoned. Cheap; call it
   * about every thousand nodes, within choose_move and policy. A bot that exceeds the margin after
   * that forfeits. */
  int (*should_stop)(const triarch_turn *turn);
  const void *host_data; /* private to the host */
};

/* ---- Provided by the bot. */

typedef struct triarch_option {
  const char *name;          /* "depth": a key of the bot in the tournament file */
  const char *description;   /* including the valid values */
  const char *default_value; /* passed to `create` if the option is not set */
} triarch_option;

typedef struct triarch_bot {
  uint32_t size;        /* sizeof(triarch_bot) */
  uint32_t abi_version; /* TRIARCH_ABI_VERSION */
  const char *name;
  const char *version;
  const char *const *games; /* "triumvirate", …, then NULL */
  const triarch_option *options;
  size_t option_count;

  /* Creates a player of the game. values[i] is the value of options[i]. On failure returns NULL and
   * writes the reason to `error`. */
  void *(*create)(triarch_game game, const char *const *values, char *error, size_t error_size);
  /* Begins a new game and forgets the last one. All randomness must derive from `seed`, so that
   * games are reproducible. Returns 0; any other value is a fault, which forfeits the game. */
  int (*new_game)(void *self, triarch_seat seat, uint64_t seed);
  /* Chooses a move. Returns 0; any other value is a fault, which forfeits the game. */
  int (*choose_move)(void *self, const triarch_turn *turn, triarch_answer *answer);
  /* For self-play data: writes the bot's policy, where shares[i] belongs to turn->moves[i]. Shares
   * are non-negative and add up to 1. Returns 0; any other value is a fault. May be NULL. */
  int (*policy)(void *self, const triarch_turn *turn, float *shares);
  void (*destroy)(void *self);
} triarch_bot;

/* The only function that a bot exports. Returns NULL for an unsupported version. */
TRIARCH_EXPORT const triarch_bot *triarch_bot_entry(uint32_t abi_version);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif  // TRIARCH_BOTS_SDK_TRIARCH_BOT_H_
