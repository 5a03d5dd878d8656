// Defines the C ABI between Triarch and a plugin bot.

#ifndef TRIARCH_BOTS_SDK_TRIARCH_BOT_H_
#define TRIARCH_BOTS_SDK_TRIARCH_BOT_H_

/* The C ABI between Triarch and a plugin bot: a shared library in any language that can export one
 * C function. A bot needs only this header and links to nothing.
 *
 * The bot exports
 *     const triarch_bot *triarch_bot_entry(uint32_t abi_version);
 * and receives a triarch_host with the rules of one game as functions. Positions are opaque; moves,
 * seats, cells and pieces are plain integers. No exception may cross these functions in either
 * direction.
 *
 * Threads: one instance (the result of `create`) is used by one thread at a time, but not always by
 * the same thread. Several instances may be used concurrently. Host functions may be called from
 * any thread, provided that no position is changed while another thread uses it.
 *
 * Ownership: the creator of an object destroys it. The bot destroys positions from start, parse and
 * copy with host->destroy. The host owns everything that a triarch_turn points to, and only for the
 * duration of the call. Strings supplied by the bot (its name, options) must live as long as the
 * library.
 *
 * Versions: an incompatible change raises TRIARCH_ABI_VERSION, and a host rejects bots with another
 * version. New fields are appended to the structs, and `size` gives the length of the other side's
 * struct: access a field newer than version 1.0 only if `size` includes it.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRIARCH_ABI_VERSION 1u

#define TRIARCH_SEATS_MAX 3
/* Larger than the number of legal moves in any position of any game. */
#define TRIARCH_MOVES_MAX 2048
#define TRIARCH_PIECES_MAX 96
/* Enough for the text of any position, including the terminating NUL. */
#define TRIARCH_TEXT_MAX 512
/* Maximum length of a principal variation. */
#define TRIARCH_PV_MAX 32

#if defined(_WIN32)
#define TRIARCH_EXPORT __declspec(dllexport)
#else
#define TRIARCH_EXPORT __attribute__((visibility("default")))
#endif

/* ---- Values. */

/* A valid position of the host's game, without history. */
typedef struct triarch_position triarch_position;

/* A move in one position. It may be compared, stored and returned; its bits are opaque. */
typedef uint32_t triarch_move;

/* 0, 1, 2 in turn order. */
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
  uint8_t cell;  /* the game's cell number, below host->cells */
  uint8_t type;  /* enum triarch_piece_type */
  uint8_t owner; /* a seat, or TRIARCH_SEATS_MAX for an ownerless piece */
} triarch_piece;

/* ---- Provided by the host: the rules of one game. */

typedef struct triarch_turn triarch_turn;

typedef struct triarch_host {
  uint32_t size;        /* of this struct */
  uint32_t abi_version; /* TRIARCH_ABI_VERSION of the host */
  const char *game;     /* "triumvirate", "three-way" or "tri-d" */
  uint32_t seats;       /* 2 or 3 */
  uint32_t cells;       /* number of cells */

  /* Return a named start ("" is the default) and the position described by a text (3PF, HexFEN,
   * TFEN). On failure they return NULL and write a message of at most error_size bytes to `error`
   * unless that is NULL. */
  triarch_position *(*start)(const char *name, char *error, size_t error_size);
  triarch_position *(*parse)(const char *text, char *error, size_t error_size);
  triarch_position *(*copy)(const triarch_position *position);
  /* Copies a position quickly. To try a move, assign the position to one of your own and play
   * there. */
  void (*assign)(triarch_position *to, const triarch_position *from);
  void (*destroy)(triarch_position *position);

  /* Writes the legal moves to `moves`, which has room for TRIARCH_MOVES_MAX, and returns their
   * number, which is 0 once the game is over. The order is deterministic. */
  size_t (*legal_moves)(const triarch_position *position, triarch_move *moves);
  /* Plays a legal move with all its consequences: eliminations, skipped seats. */
  void (*play)(triarch_position *position, triarch_move move);

  triarch_seat (*to_move)(const triarch_position *position);
  int (*is_in)(const triarch_position *position, triarch_seat seat);    /* not eliminated */
  int (*in_check)(const triarch_position *position, triarch_seat seat); /* its king is attacked */
  /* Returns whether the position alone (without repetition or claims) ends the game. If so,
   * places[s] is the place of seat s: 1 is the best, and tied seats share a place. */
  int (*outcome)(const triarch_position *position, uint32_t places[TRIARCH_SEATS_MAX]);
  /* Equal for positions that count as repeated and, except for collisions, for no others. Before
   * you play a move stored under a hash, check that it is legal: positions that count as repeated
   * may have different moves (in Tri-D, two boards of one colour may have swapped places, and a
   * board move names its board). */
  uint64_t (*hash)(const triarch_position *position);

  /* Writes the pieces on the board to `pieces`, which has room for TRIARCH_PIECES_MAX, by cell. */
  size_t (*pieces)(const triarch_position *position, triarch_piece *pieces);
  /* The host's evaluation: scores[s] in hundredths of a pawn, from seat s's point of view. */
  void (*evaluate)(const triarch_position *position, int32_t scores[TRIARCH_SEATS_MAX]);
  /* Returns the expected gain of a capture or promotion, in the same unit; 0 for a quiet move. */
  int32_t (*capture_gain)(const triarch_position *position, triarch_move move);

  /* Write texts, truncated to `size` bytes including the NUL, and return the full length. */
  size_t (*text)(const triarch_position *position, char *text, size_t size);
  size_t (*move_text)(const triarch_position *position, triarch_move move, char *text, size_t size);
  size_t (*cell_text)(const triarch_position *position, uint32_t cell, char *text, size_t size);
  /* Parses a legal move. Returns 1, or 0 and writes `error`. */
  int (*parse_move)(const triarch_position *position, const char *text, triarch_move *move,
                    char *error, size_t error_size);

  /* ---- Call these only within choose_move and policy, with their turn. */

  /* Returns whether to answer now because the time is up or the game was abandoned. Cheap; call it
   * about every thousand nodes. A bot that exceeds the margin after that forfeits. */
  int (*should_stop)(const triarch_turn *turn);
  /* Returns how many times a position with this hash has occurred in the game since the last
   * capture or pawn move, including the current position. */
  uint32_t (*occurrences)(const triarch_turn *turn, uint64_t hash);
} triarch_host;

/* The request for a move. */
struct triarch_turn {
  uint32_t size; /* of this struct */
  const triarch_position *position;
  const triarch_move *moves; /* the legal moves, at least one */
  size_t move_count;
  uint64_t nodes;        /* maximum to search; 0 means no limit */
  uint32_t depth;        /* maximum in plies; 0 means no limit */
  int64_t milliseconds;  /* until the answer is expected; -1 means no limit */
  int can_claim_draw;    /* whether TRIARCH_CLAIM_DRAW would be granted */
  const void *host_data; /* private to the host */
};

/* ---- Provided by the bot. */

enum triarch_answer_kind { TRIARCH_PLAY = 0, TRIARCH_RESIGN = 1, TRIARCH_CLAIM_DRAW = 2 };

/* Zero-initialized by the host. */
typedef struct triarch_answer {
  uint32_t kind; /* enum triarch_answer_kind */
  triarch_move move;
  uint64_t nodes; /* nodes searched */
  /* Each seat's expected share of the points, from 0 to 1; the shares add up to 1. */
  int has_shares;
  double shares[TRIARCH_SEATS_MAX];
  /* The expected line, beginning with `move`; may be empty. */
  uint32_t pv_length;
  triarch_move pv[TRIARCH_PV_MAX];
} triarch_answer;

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

  /* Creates a player of host->game; `host` outlives it. values[i] is the value of options[i]. On
   * failure returns NULL and writes the reason to `error`. */
  void *(*create)(const triarch_host *host, const char *const *values, char *error,
                  size_t error_size);
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
