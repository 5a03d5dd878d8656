#!/usr/bin/env python3
"""Tests triarch.State, alone and against the recorded perft tables."""

import copy
import pathlib
import pickle
import random
import subprocess
import sys
import unittest

import triarch

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
FOLDERS = {"triumvirate": "triumvirate", "three-way": "three_way", "tri-d": "tri_d"}
QUIET = {"triumvirate": "E2-E4", "three-way": "h5-h7", "tri-d": "b3W-b4N"}


def perft(state, depth):
    moves = state.legal_moves()
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        nodes += perft(state.play(move), depth - 1)
        state.undo()
    return nodes


class StateTest(unittest.TestCase):
    def test_counts_the_same_nodes(self):
        for game in triarch.GAMES:
            start = triarch.State(game)
            self.assertEqual(perft(start, 2), start.perft(2))
            self.assertEqual(start.ply, 0)

    def test_undo_restores_everything(self):
        for game in triarch.GAMES:
            for seed in range(3):
                choose = random.Random(seed)
                state = triarch.State(game, draws="claimed")
                seen = []
                while not state.is_over and state.ply < 300:
                    seen.append(state.copy())
                    if choose.random() < 0.01:
                        state.resign()
                    else:
                        state.play(choose.choice(state.legal_moves()))
                while seen:
                    state.undo()
                    before = seen.pop()
                    self.assertEqual(state, before)
                    self.assertEqual(state.fen, before.fen)
                with self.assertRaisesRegex(triarch.IllegalMoveError, "nothing to take back"):
                    state.undo()

    def test_a_move_is_a_text_or_an_object(self):
        for game, text in QUIET.items():
            state = triarch.State(game)
            moves = state.legal_moves()
            self.assertIn(text, moves)
            move = state.parse_move(text)
            self.assertIn(move, moves)
            self.assertEqual(str(move), text)
            self.assertEqual(move.in_form("canonical"), text)
            self.assertEqual(state.move_at_index(move.index), move)
            self.assertIn("from", move.to_json())
            first = triarch.State(game).play(text)
            self.assertEqual(first, triarch.State(game).play(move))
            self.assertEqual(first.last_move, text)
            # It keeps its text after the state has changed.
            state.play(move)
            self.assertEqual(str(move), text)
            with self.assertRaisesRegex(triarch.TriarchError, "unknown form 'x'"):
                move.in_form("x")

    def test_lists_the_moves_of_a_cell(self):
        state = triarch.State("triumvirate")
        self.assertEqual([str(move) for move in state.legal_moves("E2")], ["E2-E3", "E2-E4"])
        self.assertEqual(len(state.legal_moves("E4")), 0)
        with self.assertRaisesRegex(triarch.TriarchError, 'no cell "Z9"'):
            state.legal_moves("Z9")
        with self.assertRaisesRegex(triarch.TriarchError, 'no cell "QL1"'):
            state.legal_moves("QL1")
        state = triarch.State("tri-d", "QL1,KL1,QL6,KL6 3K/4/2pp/4|4/1k2/4/4|4/PP2/4/4|2/2|1p/2|2/P1|2/2 "
                                       "w - - 0 10")
        boards = [str(move) for move in state.legal_moves() if str(move).startswith("QL1-")]
        self.assertTrue(boards)
        self.assertEqual([str(move) for move in state.legal_moves("QL1")], boards)
        self.assertEqual(len(state.legal_moves("QL3")), 0)

    def test_refuses_illegal_moves_and_changes_nothing(self):
        for game in triarch.GAMES:
            state = triarch.State(game)
            before = state.copy()
            for move in ("nonsense", "E2-E9", 0, 2**32 - 1, None, 1.5):
                with self.assertRaises(triarch.IllegalMoveError):
                    state.play(move)
            self.assertEqual(state, before)
            self.assertEqual(state.ply, 0)

    def test_explains_invalid_positions(self):
        with self.assertRaises(triarch.TriarchError) as caught:
            triarch.State("triumvirate", "wKE1,bKI8,rKI12 q w-.b-.r- - aaa 0 1")
        self.assertEqual((caught.exception.code, caught.exception.field), ("BAD_ACTIVE", 2))
        with self.assertRaises(triarch.TriarchError) as caught:
            triarch.State("tri-d", '{"a": 1}')
        self.assertEqual((caught.exception.code, caught.exception.field), ("BAD_JSON", None))
        with self.assertRaisesRegex(triarch.TriarchError, "unknown game"):
            triarch.State("chess")
        with self.assertRaisesRegex(triarch.TriarchError, "start"):
            triarch.State("tri-d", start="nowhere")
        with self.assertRaisesRegex(triarch.TriarchError, "expected 'automatic' or 'claimed'"):
            triarch.State("tri-d", draws="never")

    def test_reads_what_it_writes(self):
        for game in triarch.GAMES:
            state = triarch.State(game).play(QUIET[game])
            self.assertEqual(triarch.State(game, state.fen).fen, state.fen)
            self.assertEqual(triarch.State(game, state.to_json()).fen, state.fen)
            self.assertIn(state.fen, repr(state))

    def test_draws_pictures(self):
        for game in triarch.GAMES:
            state = triarch.State(game).play(QUIET[game])
            self.assertTrue(state._repr_svg_().startswith("<svg"))
            players = [f"player {seat}" for seat in range(triarch.find_game(game).seats)]
            self.assertIn("player 1", state.to_svg(players=players))
            self.assertNotEqual(state.to_board(), state.to_board(colored=True))

    def test_describes_the_position(self):
        state = triarch.State("triumvirate").play("E2-E4")
        self.assertEqual(state.to_move, 1)
        self.assertIn(triarch.Piece("E4", "pawn", 0, 0), state.pieces())
        self.assertEqual(len(state.pieces()), 48)
        self.assertEqual(set(state.attackers("D3")), {"C2", "F1"})
        self.assertFalse(state.in_check())
        self.assertEqual(state.occurrences, 1)
        self.assertEqual(len(state.evaluate()), 3)
        self.assertEqual(state.halfmove_clock, 0)
        self.assertIsNone(state.ending(0))

    def test_games_end(self):
        state = triarch.State("three-way")
        self.assertIsNone(state.outcome)
        state.resign(2).resign()
        self.assertEqual(state.outcome, triarch.Outcome((2, 1, 3), (0.5, 1.0, 0.0), "resignation"))
        self.assertEqual(state.ending(2), "resignation")
        self.assertEqual(len(state.legal_moves()), 0)
        with self.assertRaisesRegex(triarch.IllegalMoveError, "the game is over"):
            state.resign()

    def test_claims_draws(self):
        for game in triarch.GAMES:
            state = triarch.State(game, draws="claimed")
            with self.assertRaises(triarch.IllegalMoveError):
                state.claim_draw()
            out = {}  # the last move of each seat's knight, while it is away
            while not state.can_claim_draw:
                self.assertLess(state.ply, 30)
                if state.to_move in out:
                    begin, end = out.pop(state.to_move).split("-")
                    state.play(f"{end}-{begin}")
                    continue
                knight = next(piece.cell for piece in state.pieces()
                              if piece.type == "knight" and piece.owner == state.to_move
                              and state.legal_moves(piece.cell))
                move = str(state.legal_moves(knight)[0])
                out[state.to_move] = move
                state.play(move)
            self.assertEqual(state.occurrences, 3)
            self.assertEqual(state.claim_draw().outcome.termination, "threefold_repetition")
            self.assertIsNone(state.undo().outcome)

    def test_copies_are_independent(self):
        state = triarch.State("tri-d")
        for other in (state.copy(), copy.copy(state), copy.deepcopy(state),
                      pickle.loads(pickle.dumps(state))):
            self.assertEqual(other, state)
            other.play(other.legal_moves()[0])
            self.assertNotEqual(other, state)
        self.assertNotEqual(triarch.State("tri-d"), triarch.State("three-way"))

    def test_cells_describe_the_board(self):
        for game in triarch.GAMES:
            cells = triarch.cells(game)
            self.assertEqual([cell["cell"] for cell in cells], list(range(len(cells))))
            for cell in cells:
                for other in cell["orthogonal"] + cell["diagonal"]:
                    back = cells[other]
                    self.assertIn(cell["cell"], back["orthogonal"] + back["diagonal"])
                for other in cell["knight"]:
                    self.assertIn(cell["cell"], cells[other]["knight"])
            turned = [cell["turned"] for cell in cells]
            self.assertEqual(sorted(turned), list(range(len(cells))))
        # A bishop's ray splits at the centre of Triumvirate's board.
        bishop = next(cell for cell in triarch.cells("triumvirate") if cell["name"] == "A1")["rays"]
        names = [cell["name"] for cell in triarch.cells("triumvirate")]
        self.assertEqual(len(bishop["bishop"]), 2)
        self.assertEqual([[names[i] for i in ray[:3]] for ray in bishop["bishop"]],
                         [["B2", "C3", "D4"]] * 2)

    def test_works_without_numpy(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                "import triarch\n"
                "s = triarch.State('tri-d'); s.play(s.legal_moves()[0])\n"
                "print(triarch.bot('greedy').choose(s) in s.legal_moves())")
        done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.stdout, done.stderr), ("True\n", ""))


class PerftTable(unittest.TestCase):
    def test_agrees(self):
        checked = 0
        for game, folder in FOLDERS.items():
            for line in (DATA / folder / "perft.tsv").read_text(encoding="utf-8").splitlines():
                name, position, *counts = line.split("\t")
                state = triarch.State(game, position)
                for depth, nodes in enumerate(counts, 1):
                    if nodes:
                        self.assertEqual(state.perft(depth), int(nodes), (game, name, depth))
                        checked += 1
        self.assertGreater(checked, 100)


if __name__ == "__main__":
    unittest.main()
