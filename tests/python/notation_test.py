#!/usr/bin/env python3
"""Tests triarch.notation against the printed table and by converting back."""

import pathlib
import random
import unittest

import triarch
from triarch import notation

TABLE = pathlib.Path(__file__).resolve().parents[1] / "data" / "triumvirate" / "v4_published.tsv"


class NotationTest(unittest.TestCase):
    def test_agrees_with_the_printed_table(self):
        rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()
                if not line.startswith("#")]
        self.assertEqual(len(rows), 96)
        for row in rows:
            self.assertEqual(notation.to_v4(row[0]), row[-1], row)

    def test_converts_cells_both_ways(self):
        for table in notation.TABLES:
            names = set()
            for cell in triarch.cells("triumvirate"):
                name = notation.to_v4(cell["name"], table)
                names.add(name)
                self.assertEqual(notation.from_v4(name, table), cell["name"])
                parts = notation.describe(name, table)
                self.assertEqual(parts, notation.describe(cell["name"], table))
                self.assertEqual(parts.buried_level, parts.ring + parts.depth)
                self.assertEqual(notation.buried_level(cell["name"], table), parts.buried_level)
                self.assertEqual(name[0], "C" if parts.is_rosette else parts.sector)
            self.assertEqual(len(names), 96)
            self.assertEqual(sum(len(notation.sector(s, table)) for s in "WBR"), 96)
            self.assertEqual(sum(len(notation.ring(r, table)) for r in range(4)), 96)
        self.assertEqual(notation.sector("W")[0], "A1")
        self.assertEqual(notation.describe("A1").buried_class, "corner")

    def test_converts_pieces(self):
        for letter, name in notation.PIECES.items():
            self.assertEqual(notation.piece_to_v4(letter), name)
            self.assertEqual(notation.piece_from_v4(name), letter)
            self.assertEqual(notation.piece_from_v4(name[0]), letter)
        for bad in ("X", "king", ""):
            with self.assertRaisesRegex(triarch.TriarchError, "unknown piece"):
                notation.piece_to_v4(bad)
        with self.assertRaisesRegex(triarch.TriarchError, "unknown piece"):
            notation.piece_from_v4("Landlord")

    def test_converts_moves_and_positions_both_ways(self):
        choose = random.Random(4)
        promotions = 0
        for table in notation.TABLES:
            for _ in range(3):
                state = triarch.State("triumvirate")
                while not state.is_over:
                    moves = state.legal_moves()
                    for move in moves:
                        for form in ("canonical", "tpgn"):
                            text = move.in_form(form)
                            there = notation.move_to_v4(text, table)
                            self.assertEqual(notation.move_from_v4(there, table), text)
                            promotions += "=" in text
                    there = notation.position_to_v4(state.fen, table)
                    self.assertEqual(notation.position_from_v4(there, table), state.fen)
                    state.play(choose.choice(moves))
        self.assertGreater(promotions, 0)
        self.assertEqual(notation.move_to_v4("O-O"), "O-O")
        self.assertEqual(notation.move_to_v4("A1-A2=N").split("=")[1], "N")
        # Owners and kept targets stay.
        position = "wKE1,bP>rB6^b,bKI8,rKI12 w w-.b-.r- - aaa 0 1"
        self.assertEqual(notation.position_from_v4(notation.position_to_v4(position)), position)

    def test_explains_errors(self):
        for function, text in ((notation.to_v4, "A9"), (notation.to_v4, "Z1"),
                               (notation.from_v4, "W9/B9.9"), (notation.from_v4, "A1"),
                               (notation.move_from_v4, "W9/B3.0-W3/B3.0"),
                               (notation.position_to_v4, "wKE1"),
                               (notation.position_to_v4, "wXE1 w w-.b-.r- - aaa 0 1")):
            with self.assertRaises(triarch.TriarchError):
                function(text)
        with self.assertRaisesRegex(triarch.TriarchError, "unknown table 'x'"):
            notation.to_v4("A1", "x")
        with self.assertRaisesRegex(triarch.TriarchError, "in the client table it is"):
            only = {notation.to_v4(c["name"], "client") for c in triarch.cells("triumvirate")} - {
                notation.to_v4(c["name"]) for c in triarch.cells("triumvirate")}
            notation.from_v4(sorted(only)[0])


if __name__ == "__main__":
    unittest.main()
