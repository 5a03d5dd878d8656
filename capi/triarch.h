// Defines the C ABI of libtriarch: the rules of the three games, batches of games, and searchers.

#ifndef TRIARCH_CAPI_TRIARCH_H_
#define TRIARCH_CAPI_TRIARCH_H_

/* The rules of Triumvirate, Three-Way Chess and Tri-D chess, and the bundled searchers, for
 * programs in any language. Plugin bots call the same functions (triarch_bot.h).
 *
 * Values: positions and states are plain bytes without pointers. Copy them with memcpy or by
 * assignment and keep them as long as you like; compare them with triarch_equal and
 * triarch_state_equal. Their content belongs to this version of the library. Functions other than
 * those that fill one in require one that the library has filled in.
 *
 * Errors: functions that can fail return a triarch_status and fill in a triarch_error unless that
 * is NULL. On failure they change nothing else. No exception crosses these functions, and none of
 * them ends the process. What a comment requires is not checked.
 *
 * Texts are UTF-8. Functions that write one return its full length, write at most `size` bytes
 * including the terminating NUL, and truncate a longer text.
 *
 * Threads: functions may run on any number of threads, provided that no object is changed while
 * another thread uses it. A search and a batch are used by one thread at a time, except that any
 * thread may call triarch_search_stop.
 *
 * Versions: an incompatible change raises TRIARCH_ABI_VERSION. Structs with a `size` may grow at
 * their end: set it to sizeof the struct.
 *
 * Paragraphs (§) refer to the rules of the games, docs/rules. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRIARCH_ABI_VERSION 2u

#define TRIARCH_SEATS_MAX 3
#define TRIARCH_CELLS_MAX 96
#define TRIARCH_PIECES_MAX 96
/* Larger than the number of legal moves in any position of any game. */
#define TRIARCH_MOVES_MAX 2048
/* Enough for the text of any position, and of any move or cell, with the NUL. */
#define TRIARCH_TEXT_MAX 512
#define TRIARCH_MOVE_TEXT_MAX 32
/* Maximum length of a principal variation. */
#define TRIARCH_PV_MAX 32

#if defined(_WIN32)
#define TRIARCH_EXPORT __declspec(dllexport)
#else
#define TRIARCH_EXPORT __attribute__((visibility("default")))
#endif

/* Return TRIARCH_ABI_VERSION and the version ("0.1.0") of the library. */
TRIARCH_EXPORT uint32_t triarch_abi_version(void);
TRIARCH_EXPORT const char *triarch_version(void);

/* ---- Values. */

typedef enum triarch_status {
  TRIARCH_OK = 0,
  TRIARCH_INVALID_ARGUMENT = 1, /* a name, a text or a value that cannot be used */
  TRIARCH_ILLEGAL = 2,          /* the rules do not allow it now */
  TRIARCH_FAILED = 3            /* the machine or the bot failed: out of memory, no threads */
} triarch_status;

typedef struct triarch_error {
  char code[32];     /* of an invalid position, as the rules name it: "BAD_CELL"; otherwise "" */
  int32_t field;     /* of the position's text, from 1; 0 if none */
  char message[476]; /* for people */
} triarch_error;

/* enum triarch_game_number */
typedef uint32_t triarch_game;

enum triarch_game_number { TRIARCH_TRIUMVIRATE = 1, TRIARCH_THREE_WAY = 2, TRIARCH_TRI_D = 3 };

/* 0, 1, 2 in turn order. */
typedef uint32_t triarch_seat;

/* A move in one position. It may be compared, stored and returned; its bits are opaque. */
typedef uint32_t triarch_move;

enum triarch_piece_type {
  TRIARCH_PAWN = 0,
  TRIARCH_KNIGHT = 1,
  TRIARCH_BISHOP = 2,
  TRIARCH_ROOK = 3,
  TRIARCH_QUEEN = 4,
  TRIARCH_KING = 5
};

typedef struct triarch_piece {
  uint8_t cell;  /* the game's cell number */
  uint8_t type;  /* enum triarch_piece_type */
  uint8_t owner; /* the seat that moves it */
  uint8_t color; /* the seat whose colour it has: the owner's, unless it was inherited */
} triarch_piece;

/* A valid position without history: the board, the seat to move and the rights. */
typedef struct triarch_position {
  uint64_t words[32];
} triarch_position;

/* A game in progress: a position and its history, for repetition, claims and how seats left. */
typedef struct triarch_state {
  triarch_position position; /* pass &state.position to the functions that read positions */
  uint64_t history[256];
} triarch_state;

/* Why a game ended or how a seat left it; see triarch_termination_name. */
typedef enum triarch_termination {
  TRIARCH_CHECKMATE = 0,
  TRIARCH_STALEMATE = 1,
  TRIARCH_INSUFFICIENT_MATERIAL = 2,
  TRIARCH_THREEFOLD_REPETITION = 3,
  TRIARCH_SEVENTY_FIVE_MOVES = 4,
  TRIARCH_CLOCK_LIMIT = 5,
  TRIARCH_FIFTY_MOVES = 6,
  TRIARCH_KING_CAPTURE = 7,
  TRIARCH_RESIGNATION = 8,
  TRIARCH_TIME_FORFEIT = 9,
  TRIARCH_ILLEGAL_MOVE = 10,
  TRIARCH_CRASH = 11,
  TRIARCH_ADJUDICATION = 12,
  TRIARCH_MATERIAL_ADJUDICATION = 13,
  TRIARCH_PLY_LIMIT = 14,
  TRIARCH_ABANDONED = 15
} triarch_termination;

typedef struct triarch_outcome {
  uint32_t places[TRIARCH_SEATS_MAX]; /* 1 is best; tied seats share a place; 0 for no such seat */
  double points[TRIARCH_SEATS_MAX];   /* 1, 1/2, 0 for three seats, 1, 0 for two; ties share */
  uint32_t termination;               /* triarch_termination */
} triarch_outcome;

/* ---- Games. */

typedef struct triarch_game_info {
  const char *name;     /* "triumvirate", "three-way", "tri-d" */
  const char *notation; /* the text form of its positions: "3PF", "HexFEN", "TFEN" */
  uint32_t seats;       /* 2 or 3 */
  uint32_t cells;       /* 64 or 96 */
  uint32_t policy_size; /* policy indices are below it (docs/selfplay-data.md) */
  uint32_t planes;      /* of an observation */
  const char *seat_names[TRIARCH_SEATS_MAX]; /* "White" */
  char seat_letters[TRIARCH_SEATS_MAX];      /* 'w' */
  const char *const *starts;                 /* the named starts, the default first, then NULL */
  const char *const *move_forms;             /* "canonical", "tpgn", …, then NULL */
  const char *const *plane_names;            /* by plane, then NULL */
} triarch_game_info;

/* Finds a game by name. */
TRIARCH_EXPORT triarch_status triarch_find_game(const char *name, triarch_game *game,
                                                triarch_error *error);
/* Returns NULL for an unknown game. The result is valid for the lifetime of the process. */
TRIARCH_EXPORT const triarch_game_info *triarch_get_game_info(triarch_game game);
/* Returns "checkmate", "time_forfeit", …; NULL for an unknown number. */
TRIARCH_EXPORT const char *triarch_termination_name(uint32_t termination);

/* ---- Positions. */

/* Set up a named start (NULL or "" is the default), and the position that a text (3PF, HexFEN,
 * TFEN) or a JSON object describes. */
TRIARCH_EXPORT triarch_status triarch_start(triarch_game game, const char *name,
                                            triarch_position *position, triarch_error *error);
TRIARCH_EXPORT triarch_status triarch_parse(triarch_game game, const char *text,
                                            triarch_position *position, triarch_error *error);
TRIARCH_EXPORT int triarch_equal(const triarch_position *a, const triarch_position *b);
TRIARCH_EXPORT triarch_game triarch_game_of(const triarch_position *position);

/* Writes the legal moves to `moves`, which has room for TRIARCH_MOVES_MAX, and returns their
 * number, which is 0 once the position ends the game. The order is deterministic. */
TRIARCH_EXPORT size_t triarch_legal_moves(const triarch_position *position, triarch_move *moves);
/* The same for the moves that start at a cell, by number. */
TRIARCH_EXPORT size_t triarch_legal_moves_from(const triarch_position *position, uint32_t cell,
                                               triarch_move *moves);
TRIARCH_EXPORT size_t triarch_count_legal_moves(const triarch_position *position);
/* Plays a move with all its consequences: eliminations, inheritance, skipped seats. Requires: the
 * move is legal. */
TRIARCH_EXPORT void triarch_play(triarch_position *position, triarch_move move);
/* Plays a legal move and returns the legal moves that follow, at less cost than the two calls. */
TRIARCH_EXPORT size_t triarch_play_and_list(triarch_position *position, triarch_move move,
                                            triarch_move *moves);
/* Returns the number of sequences of `depth` legal moves. */
TRIARCH_EXPORT uint64_t triarch_perft(const triarch_position *position, uint32_t depth);

TRIARCH_EXPORT triarch_seat triarch_to_move(const triarch_position *position);
/* Returns whether the seat has not been eliminated. */
TRIARCH_EXPORT int triarch_is_in(const triarch_position *position, triarch_seat seat);
/* Returns whether the seat's king is attacked. */
TRIARCH_EXPORT int triarch_in_check(const triarch_position *position, triarch_seat seat);
/* Returns whether the position alone, without repetition or claims, ends the game, and how. */
TRIARCH_EXPORT int triarch_get_outcome(const triarch_position *position, triarch_outcome *outcome);
/* Equal for positions that count as repeated and, except for collisions, for no others. Before you
 * play a move stored under a hash, check that it is legal: positions that count as repeated may
 * have different moves (in Tri-D, two boards of one colour may have swapped places). */
TRIARCH_EXPORT uint64_t triarch_hash(const triarch_position *position);
/* Returns the plies since the last irreversible move, and the number of the next move (from 1). */
TRIARCH_EXPORT uint32_t triarch_halfmove_clock(const triarch_position *position);
TRIARCH_EXPORT uint32_t triarch_move_number(const triarch_position *position);

/* Writes the pieces to `pieces`, which has room for TRIARCH_PIECES_MAX, by cell; returns their
 * number. */
TRIARCH_EXPORT size_t triarch_pieces(const triarch_position *position, triarch_piece *pieces);
/* Writes the cells of the pieces of all seats that attack a cell, whether or not they are pinned,
 * to `cells`, which has room for TRIARCH_PIECES_MAX; returns their number. */
TRIARCH_EXPORT size_t triarch_attackers(const triarch_position *position, uint32_t cell,
                                        uint8_t *cells);
/* The evaluation of the bundled searchers: scores[s] in hundredths of a pawn, from seat s's point
 * of view. */
TRIARCH_EXPORT void triarch_evaluate(const triarch_position *position,
                                     int32_t scores[TRIARCH_SEATS_MAX]);
/* Returns the expected gain of a capture or promotion, in the same unit; 0 for a quiet move. */
TRIARCH_EXPORT int32_t triarch_capture_gain(const triarch_position *position, triarch_move move);

/* ---- Texts. */

TRIARCH_EXPORT size_t triarch_text(const triarch_position *position, char *text, size_t size);
TRIARCH_EXPORT size_t triarch_json(const triarch_position *position, char *text, size_t size);
/* Writes the canonical text of a move ("E2-E4"). Requires: the move is legal. */
TRIARCH_EXPORT size_t triarch_move_text(const triarch_position *position, triarch_move move,
                                        char *text, size_t size);
/* Writes the move in one of the game's move_forms, by index. */
TRIARCH_EXPORT size_t triarch_move_in_form(const triarch_position *position, triarch_move move,
                                           uint32_t form, char *text, size_t size);
TRIARCH_EXPORT size_t triarch_move_json(const triarch_position *position, triarch_move move,
                                        char *text, size_t size);
/* Reads a legal move in any of the game's forms. The error says why a move is not legal. */
TRIARCH_EXPORT triarch_status triarch_parse_move(const triarch_position *position, const char *text,
                                                 triarch_move *move, triarch_error *error);
/* Writes the name of a cell; "" if the number is not a cell's. In Tri-D, the cells of an attack
 * board are named after its pin. */
TRIARCH_EXPORT size_t triarch_cell_text(const triarch_position *position, uint32_t cell, char *text,
                                        size_t size);
TRIARCH_EXPORT triarch_status triarch_find_cell(const triarch_position *position, const char *name,
                                                uint32_t *cell, triarch_error *error);
/* Writes the geometry of the board as a JSON object, as `triarch cells --json` prints it: for each
 * cell its name, coordinates, colour, neighbours, rays, knight's targets and promotions. In Tri-D
 * it is that of the boards' present places. */
TRIARCH_EXPORT size_t triarch_cells_json(const triarch_position *position, char *text, size_t size);

/* What pictures show beside the position. Zero-initialise it. */
typedef struct triarch_picture {
  uint32_t size;     /* of this struct */
  int has_last_move; /* whether to mark `last_move` */
  triarch_move last_move;
  int has_cell_names;                     /* SVG: names all cells */
  int is_colored;                         /* boards for terminals: ANSI escapes */
  const char *players[TRIARCH_SEATS_MAX]; /* SVG: the names of the players, or NULL */
} triarch_picture;

/* Draw an SVG picture, and a board for terminals. `picture` may be NULL. */
TRIARCH_EXPORT size_t triarch_svg(const triarch_position *position, const triarch_picture *picture,
                                  char *text, size_t size);
TRIARCH_EXPORT size_t triarch_board(const triarch_position *position,
                                    const triarch_picture *picture, char *text, size_t size);

/* ---- States: games in progress, with the draws and endings that depend on history. */

enum triarch_state_flags {
  /* Threefold repetition and move-count draws end the game only when claimed. */
  TRIARCH_DRAWS_CLAIMED = 1,
  /* Three-Way: insufficient material is a draw (§5.7). */
  TRIARCH_MATERIAL_DRAWS = 2
};

/* Begins a game at a position. */
TRIARCH_EXPORT void triarch_state_begin(triarch_state *state, const triarch_position *position,
                                        uint32_t flags);
/* Returns whether the positions and the histories are equal. */
TRIARCH_EXPORT int triarch_state_equal(const triarch_state *a, const triarch_state *b);
/* As for positions, but 0 if the game is over for any reason. */
TRIARCH_EXPORT size_t triarch_state_legal_moves(const triarch_state *state, triarch_move *moves);
/* Plays a move, resigns for a seat that is still in, and claims a draw for the seat to move. Return
 * TRIARCH_ILLEGAL if that is not possible. */
TRIARCH_EXPORT triarch_status triarch_state_play(triarch_state *state, triarch_move move,
                                                 triarch_error *error);
TRIARCH_EXPORT triarch_status triarch_state_resign(triarch_state *state, triarch_seat seat,
                                                   triarch_error *error);
TRIARCH_EXPORT triarch_status triarch_state_claim_draw(triarch_state *state, triarch_error *error);
/* Returns whether a claim would be granted. */
TRIARCH_EXPORT int triarch_state_can_claim_draw(const triarch_state *state);
/* Returns whether the game is over, and how it ended. */
TRIARCH_EXPORT int triarch_state_get_outcome(const triarch_state *state, triarch_outcome *outcome);
/* Returns the triarch_termination with which a seat left the game, or -1 if it has not. */
TRIARCH_EXPORT int triarch_state_ending(const triarch_state *state, triarch_seat seat);
/* Returns how often a position with this hash has occurred since the last irreversible move,
 * including now. Goes back 240 plies; a draw may be claimed earlier than that in every game. */
TRIARCH_EXPORT uint32_t triarch_state_occurrences(const triarch_state *state, uint64_t hash);
/* Returns whether a move has been played, and the last one. */
TRIARCH_EXPORT int triarch_state_last_move(const triarch_state *state, triarch_move *move);

/* ---- Samples and observations (docs/selfplay-data.md). */

/* Bytes of a sample's `state`. */
#define TRIARCH_SAMPLE_STATE 16

/* Writes the sample of a position: info->cells bytes and TRIARCH_SAMPLE_STATE bytes. */
TRIARCH_EXPORT void triarch_sample(const triarch_position *position, uint8_t *cells,
                                   uint8_t *state);
/* Returns the policy index of a legal move, and finds the legal move with a policy index. */
TRIARCH_EXPORT uint32_t triarch_policy_index(const triarch_position *position, triarch_move move);
TRIARCH_EXPORT triarch_status triarch_move_at_index(const triarch_position *position,
                                                    uint32_t index, triarch_move *move,
                                                    triarch_error *error);

/* ---- Batches: many games of one kind, played in step. */

typedef struct triarch_batch triarch_batch;

enum triarch_batch_flags {
  /* Beside the flags of states. By default, planes and policy indices are in the mover's view: the
   * board is rotated so that the seat to move is seat 0. With this flag they are seat 0's. */
  TRIARCH_FIXED_VIEW = 16,
  /* Finished games stay finished, without legal moves, until triarch_batch_set. By default the step
   * that ends a game also begins the next one. */
  TRIARCH_NO_RESET = 32
};

typedef struct triarch_batch_options {
  uint32_t size;    /* of this struct */
  uint32_t flags;   /* triarch_state_flags and triarch_batch_flags */
  uint32_t threads; /* that a step uses, at least 1 */
  uint32_t
      plies_max; /* after which a game is a draw between the seats still in; 0 means no limit */
} triarch_batch_options;

/* Where a step writes, each for N games: row by row, without gaps. Members that are NULL are not
 * computed. */
typedef struct triarch_batch_arrays {
  uint32_t size;           /* of this struct */
  uint8_t *seat;           /* [N] the seat to move */
  uint32_t *legal_offsets; /* [N + 1] where each game's moves begin in `legal` */
  uint16_t *legal;         /* the policy indices of the legal moves, ascending in each game; room
                              for N · TRIARCH_MOVES_MAX; requires legal_offsets */
  uint64_t *legal_bits;    /* [N, ceil(policy_size / 64)] bit i % 64 of word i / 64 is index i */
  uint8_t *legal_mask;     /* [N, policy_size] 0 or 1 */
  uint8_t *planes;         /* [N, planes, cells] 0 or 1 */
  uint8_t *plane_bits;     /* [N, planes, cells / 8] bit c % 8 of byte c / 8 is cell c */
  uint8_t *clock;  /* [N] halfmove clock as a share of the plies that make a draw: 0 to 255 */
  uint8_t *cells;  /* [N, cells] sample bytes, always in seat 0's view */
  uint8_t *state;  /* [N, 16] likewise */
  float *rewards;  /* [N, seats] what the step earned each seat. A seat gets its reward when
                      its place is certain: 2 · points - 1, so 1 for the first place, -1
                      for the last */
  uint8_t *ended;  /* [N] 0, or 1 + triarch_termination if the step ended the game */
  uint8_t *places; /* [N, seats] of a game that the step ended; otherwise 0 */
  uint32_t *plies; /* [N] played in the game so far */
} triarch_batch_arrays;

/* Actions beside policy indices. */
enum triarch_batch_action {
  TRIARCH_ACTION_RESIGN = 0xff00, /* plus a seat, which must be in the game */
  TRIARCH_ACTION_NONE = 0xffff    /* leaves the game as it is */
};

/* Creates `count` games that begin at a position. `options` may be NULL. */
TRIARCH_EXPORT triarch_status triarch_batch_create(const triarch_position *start, size_t count,
                                                   const triarch_batch_options *options,
                                                   triarch_batch **batch, triarch_error *error);
TRIARCH_EXPORT void triarch_batch_destroy(triarch_batch *batch);
/* Begins all games anew. */
TRIARCH_EXPORT void triarch_batch_reset(triarch_batch *batch);
/* Plays actions[i], a policy index in the batch's view, in game i, and writes the results. If any
 * action is not possible, returns TRIARCH_ILLEGAL, names the first such game and plays nothing.
 * Allocates no memory. */
TRIARCH_EXPORT triarch_status triarch_batch_step(triarch_batch *batch, const uint16_t *actions,
                                                 const triarch_batch_arrays *arrays,
                                                 triarch_error *error);
/* Writes the present state of all games; rewards, ended and places are 0. */
TRIARCH_EXPORT triarch_status triarch_batch_observe(triarch_batch *batch,
                                                    const triarch_batch_arrays *arrays,
                                                    triarch_error *error);
/* Copy the state of a game out and in. Require: number < count, and the batch's game. A state that
 * was set counts its plies from 0. */
TRIARCH_EXPORT void triarch_batch_get(const triarch_batch *batch, size_t number,
                                      triarch_state *state);
TRIARCH_EXPORT void triarch_batch_set(triarch_batch *batch, size_t number,
                                      const triarch_state *state);

/* ---- Searches: the bundled searchers random, greedy, smart, paranoid, maxn and mcts. */

typedef struct triarch_search triarch_search;

/* Zero-initialise it; 0 means no limit. */
typedef struct triarch_limits {
  uint32_t size; /* of this struct */
  uint32_t depth;
  uint64_t nodes;
  int64_t milliseconds;
} triarch_limits;

enum triarch_answer_kind { TRIARCH_PLAY = 0, TRIARCH_RESIGN = 1, TRIARCH_CLAIM_DRAW = 2 };

/* A bot's answer to a turn. Zero-initialised before the bot fills it in. */
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

/* Returns the names of the searchers, then NULL. */
TRIARCH_EXPORT const char *const *triarch_searchers(void);
/* Creates a searcher of a game. `options` holds names and values by turns, then NULL, as the bot
 * takes them in a tournament file: {"nodes", "300", NULL}. NULL means no options. */
TRIARCH_EXPORT triarch_status triarch_search_create(triarch_game game, const char *bot,
                                                    const char *const *options,
                                                    triarch_search **search, triarch_error *error);
TRIARCH_EXPORT void triarch_search_destroy(triarch_search *search);
/* Forgets the last game. All randomness derives from the seed; that of a search for which this is
 * never called derives from 0. */
TRIARCH_EXPORT void triarch_search_new_game(triarch_search *search, uint64_t seed);
/* Chooses an answer for the seat to move. A search plays one seat of a game at a time: asked for
 * another seat, it begins a new game with the same seed. `limits` may be NULL: the bot's own
 * options limit it. If `policy` is not NULL, it has room for the legal moves of the state, in their
 * order, and gets the searcher's distribution over them (all 0 if it has none). */
TRIARCH_EXPORT triarch_status triarch_search_choose(triarch_search *search,
                                                    const triarch_state *state,
                                                    const triarch_limits *limits,
                                                    triarch_answer *answer, float *policy,
                                                    triarch_error *error);
/* Makes a running triarch_search_choose answer soon, and the next one if none is running. */
TRIARCH_EXPORT void triarch_search_stop(triarch_search *search);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif  // TRIARCH_CAPI_TRIARCH_H_
