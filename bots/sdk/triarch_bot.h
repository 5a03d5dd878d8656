// The C ABI between Triarch and a plugin bot.

#ifndef TRIARCH_BOTS_SDK_TRIARCH_BOT_H_
#define TRIARCH_BOTS_SDK_TRIARCH_BOT_H_

/* The C ABI between Triarch and a plugin bot: a shared library in any language that can export one
 * C function. This header is all that a bot needs; nothing has to be linked.
 *
 * The bot exports
 *     const triarch_bot *triarch_bot_entry(uint32_t abi_version);
 * and the host hands it a triarch_host, the rules of one game as functions. Positions are opaque;
 * moves, seats, cells and pieces are plain integers. Nothing may be thrown across these functions,
 * in either direction.
 *
 * Threads: one instance (what `create` returned) is used by one thread at a time, though not always
 * by the same; several instances are used at once. Host functions may be called from any thread,
 * for as long as no two use one position that either changes.
 *
 * Ownership: whoever makes a thing destroys it: positions from start, parse and copy by
 * host->destroy. What a triarch_turn points to is the host's and ends with the call. Strings that
 * the bot gives (its name, options) live as long as the library.
 *
 * Versions: a change that an old bot would not survive raises TRIARCH_ABI_VERSION; a host refuses a
 * bot of another one. New fields are added at the end of the structs, and `size` says how long the
 * other side's is: look at a field that is newer than version 1.0 only if `size` reaches it.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRIARCH_ABI_VERSION 1u

#define TRIARCH_SEATS_MAX 3
/* No position of any game has as many legal moves. */
#define TRIARCH_MOVES_MAX 2048
#define TRIARCH_PIECES_MAX 96
/* Enough for every position's text, with its end. */
#define TRIARCH_TEXT_MAX 512
/* Of a principal variation. */
#define TRIARCH_PV_MAX 32

#if defined(_WIN32)
#define TRIARCH_EXPORT __declspec(dllexport)
#else
#define TRIARCH_EXPORT __attribute__((visibility("default")))
#endif

/* ---- Values. */

/* A position of the host's game: regular, without history. */
typedef struct triarch_position triarch_position;

/* A move of one position: compare it, keep it, hand it back; its bits are the game's own. */
typedef uint32_t triarch_move;

/* 0, 1, 2 in the order of play. */
typedef uint32_t triarch_seat;

enum triarch_piece_type {
  TRIARCH_PAWN = 0,
  TRIARCH_KNIGHT = 1,
  TRIARCH_BISHOP = 2,
  TRIARCH_ROOK = 3,
  TRIARCH_QUEEN = 4,
  TRIARCH_KING = 5
};

typedef struct triarch_piece {
  uint8_t cell;  /* the game's number of it, below host->cells */
  uint8_t type;  /* enum triarch_piece_type */
  uint8_t owner; /* a seat, or TRIARCH_SEATS_MAX: nobody's any more */
} triarch_piece;

/* ---- What the host gives: the rules of one game. */

typedef struct triarch_turn triarch_turn;

typedef struct triarch_host {
  uint32_t size;        /* of this struct */
  uint32_t abi_version; /* TRIARCH_ABI_VERSION of the host */
  const char *game;     /* "triumvirate", "three-way" or "tri-d" */
  uint32_t seats;       /* 2 or 3 */
  uint32_t cells;       /* cells have numbers below this */

  /* A named start ("" is the usual one), or the position of a text (3PF, HexFEN, TFEN). NULL if
   * there is none; then `error`, if it is not NULL, says why in at most error_size bytes. */
  triarch_position *(*start)(const char *name, char *error, size_t error_size);
  triarch_position *(*parse)(const char *text, char *error, size_t error_size);
  triarch_position *(*copy)(const triarch_position *position);
  /* The fast way to try a move: assign to a position of your own, and play there. */
  void (*assign)(triarch_position *to, const triarch_position *from);
  void (*destroy)(triarch_position *position);

  /* Writes the legal moves to `moves`, which has room for TRIARCH_MOVES_MAX, and returns how many;
   * 0 once the game is over. The order is always the same. */
  size_t (*legal_moves)(const triarch_position *position, triarch_move *moves);
  /* Plays a legal move with all that the turn brings: eliminations, skipped seats. */
  void (*play)(triarch_position *position, triarch_move move);

  triarch_seat (*to_move)(const triarch_position *position);
  int (*is_in)(const triarch_position *position, triarch_seat seat);    /* not eliminated */
  int (*in_check)(const triarch_position *position, triarch_seat seat); /* its king is attacked */
  /* Whether the game is over by what the position shows (no repetition, no claims); then places[s]
   * is seat s's place, 1 the best, shared places alike. */
  int (*outcome)(const triarch_position *position, uint32_t places[TRIARCH_SEATS_MAX]);
  /* Equal for positions that count as repeated and, but for accidents, for no others. A move that
   * you remember by it must be found among the legal moves before it is played: positions that
   * count as repeated may have others (in Tri-D, two boards of one colour may have changed places,
   * and a move of a board says which). */
  uint64_t (*hash)(const triarch_position *position);

  /* Writes the pieces on the board to `pieces`, which has room for TRIARCH_PIECES_MAX, by cell. */
  size_t (*pieces)(const triarch_position *position, triarch_piece *pieces);
  /* The host's own evaluation: scores[s] in hundredths of a pawn, from seat s's side. */
  void (*evaluate)(const triarch_position *position, int32_t scores[TRIARCH_SEATS_MAX]);
  /* What a capture or promotion is expected to gain, in the same unit; 0 for a quiet move. */
  int32_t (*capture_gain)(const triarch_position *position, triarch_move move);

  /* Texts, cut at `size` bytes with their end; they return the whole length. */
  size_t (*text)(const triarch_position *position, char *text, size_t size);
  size_t (*move_text)(const triarch_position *position, triarch_move move, char *text, size_t size);
  size_t (*cell_text)(const triarch_position *position, uint32_t cell, char *text, size_t size);
  /* The legal move that a text means: 1, or 0 and `error`. */
  int (*parse_move)(const triarch_position *position, const char *text, triarch_move *move,
                    char *error, size_t error_size);

  /* ---- Within choose_move and policy, of their turn. */

  /* Whether to answer now: the time is up, or the game was abandoned. Cheap; ask every thousand
   * nodes or so. Whoever answers later than the margin after this forfeits. */
  int (*should_stop)(const triarch_turn *turn);
  /* How often a position of that hash has occurred in the game since the last capture or pawn
   * move, the one on the board included. */
  uint32_t (*occurrences)(const triarch_turn *turn, uint64_t hash);
} triarch_host;

/* What a bot is asked. */
struct triarch_turn {
  uint32_t size; /* of this struct */
  const triarch_position *position;
  const triarch_move *moves; /* the legal moves, at least one */
  size_t move_count;
  uint64_t nodes;        /* to search at most; 0: no limit */
  uint32_t depth;        /* in plies at most; 0: no limit */
  int64_t milliseconds;  /* until the answer is expected; -1: no limit */
  int can_claim_draw;    /* whether TRIARCH_CLAIM_DRAW would be granted */
  const void *host_data; /* the host's own */
};

/* ---- What the bot gives. */

enum triarch_answer_kind { TRIARCH_PLAY = 0, TRIARCH_RESIGN = 1, TRIARCH_CLAIM_DRAW = 2 };

/* All zero when the bot gets it. */
typedef struct triarch_answer {
  uint32_t kind; /* enum triarch_answer_kind */
  triarch_move move;
  uint64_t nodes; /* searched for it */
  /* The share of the points that each seat is expected to get, 0 to 1, together 1. */
  int has_shares;
  double shares[TRIARCH_SEATS_MAX];
  /* The line that is expected, beginning with `move`; may be empty. */
  uint32_t pv_length;
  triarch_move pv[TRIARCH_PV_MAX];
} triarch_answer;

typedef struct triarch_option {
  const char *name;          /* "depth": a key of the bot in the tournament file */
  const char *description;   /* with the values that it takes */
  const char *default_value; /* what `create` gets when it is not given */
} triarch_option;

typedef struct triarch_bot {
  uint32_t size;        /* sizeof(triarch_bot) */
  uint32_t abi_version; /* TRIARCH_ABI_VERSION */
  const char *name;
  const char *version;
  const char *const *games; /* "triumvirate", …, then NULL */
  const triarch_option *options;
  size_t option_count;

  /* A player of host->game; `host` outlives it. values[i] is the value of options[i]. NULL if it
   * cannot be made; then `error` says why. */
  void *(*create)(const triarch_host *host, const char *const *values, char *error,
                  size_t error_size);
  /* A new game begins: forget the last one. All randomness must come from `seed`, so that games can
   * be repeated. Returns 0, or anything else for a fault, which forfeits. */
  int (*new_game)(void *self, triarch_seat seat, uint64_t seed);
  /* It is this player's turn. Returns 0, or anything else for a fault, which forfeits. */
  int (*choose_move)(void *self, const triarch_turn *turn, triarch_answer *answer);
  /* For self-play data: shares[i] is how good turn->moves[i] is thought to be, each 0 or more,
   * together 1. Returns 0, or anything else for a fault. May be NULL. */
  int (*policy)(void *self, const triarch_turn *turn, float *shares);
  void (*destroy)(void *self);
} triarch_bot;

/* The one function that a bot exports. NULL if it does not know that version. */
TRIARCH_EXPORT const triarch_bot *triarch_bot_entry(uint32_t abi_version);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif  // TRIARCH_BOTS_SDK_TRIARCH_BOT_H_
