#!/usr/bin/env python3
"""Tests triarch.vector against single states, and its planes against triarch.data."""

import unittest

import numpy as np

import triarch
from triarch import data, vector

N = 16


class VectorTest(unittest.TestCase):
    def test_agrees_with_single_states(self):
        for game in triarch.GAMES:
            env = vector.Env(game, N, planes="bytes", legal="mask", samples=True)
            batch = env.reset(seed=1)
            states = [env.state(i) for i in range(N)]
            start = triarch.State(game)
            total = np.zeros((N, env.game.seats))
            ended = 0
            for step in range(700):
                actions = env.sample()
                seats = batch.seat.copy()
                if step % 25 == 0:
                    self.compare(game, batch, states)
                batch = env.step(actions)
                total += batch.rewards
                for i, state in enumerate(states):
                    index = self.from_view(game, int(actions[i]), int(seats[i]))
                    state.play(state.move_at_index(index))
                    outcome = state.outcome
                    self.assertEqual(bool(batch.ended[i]), outcome is not None)
                    if outcome is None:
                        continue
                    ended += 1
                    self.assertEqual(vector.TERMINATIONS[batch.ended[i] - 1], outcome.termination)
                    self.assertEqual(tuple(batch.places[i]), outcome.places)
                    np.testing.assert_allclose(total[i], 2 * np.array(outcome.points) - 1)
                    total[i] = 0
                    states[i] = start.copy()
            self.assertGreater(ended, 0)

    @staticmethod
    def from_view(game, index, seat):
        return int(np.argsort(data.rotation(game, seat).policy)[index])

    def compare(self, game, batch, states):
        cells, state = batch.cells, batch.state
        for i, single in enumerate(states):
            seat = single.to_move
            self.assertEqual(batch.seat[i], seat)
            legal = batch.legal[batch.legal_offsets[i]:batch.legal_offsets[i + 1]]
            shown = data.rotation(game, seat).policy[[move.index for move in single.legal_moves()]]
            np.testing.assert_array_equal(legal, np.sort(shown))
            np.testing.assert_array_equal(np.flatnonzero(batch.legal_mask[i]), legal)
        planes = data.position_planes(game, cells, state)
        names = data.plane_names(game)
        self.assertEqual(names[:-1], triarch.find_game(game).plane_names)
        np.testing.assert_array_equal(planes[:, :-1], batch.planes)
        np.testing.assert_allclose(planes[:, -1, 0], batch.clock / 255, atol=1 / 255)

    def test_bits_are_the_bytes(self):
        for game in triarch.GAMES:
            a = vector.Env(game, N, planes="bytes", legal="mask")
            b = vector.Env(game, N, planes="bits", legal="bits", threads=2)
            x, y = a.reset(seed=3), b.reset(seed=3)
            for _ in range(50):
                np.testing.assert_array_equal(
                    np.unpackbits(y.planes, axis=2, bitorder="little"), x.planes)
                bits = np.unpackbits(y.legal_bits.view(np.uint8), axis=1, bitorder="little")
                np.testing.assert_array_equal(bits[:, :env_size(game)], x.legal_mask)
                actions = a.sample()
                np.testing.assert_array_equal(actions, b.sample())
                x, y = a.step(actions), b.step(actions)

    def test_an_impossible_action_changes_nothing(self):
        env = vector.Env("tri-d", N)
        before = env.reset()
        moves = before.legal.copy()
        actions = env.sample()
        actions[5] = 0
        with self.assertRaisesRegex(triarch.IllegalMoveError, "game 5: action 0 is neither"):
            env.step(actions)
        np.testing.assert_array_equal(env.observe().legal, moves)
        with self.assertRaisesRegex(triarch.TriarchError, r"shape \(3,\); expected \(16,\)"):
            env.step([1, 2, 3])

    def test_finished_games_may_stay(self):
        env = vector.Env("three-way", 2, resets=False)
        env.reset()
        env.step([vector.RESIGN + 0, vector.NONE])
        batch = env.step([vector.RESIGN + 1, vector.NONE])
        self.assertEqual(list(batch.ended), [1 + vector.TERMINATIONS.index("resignation"), 0])
        self.assertEqual(list(batch.rewards[0]), [0, 0, 1])
        self.assertEqual(env.sample()[0], vector.NONE)
        self.assertNotEqual(env.sample()[1], vector.NONE)

    def test_copies_states_in_and_out(self):
        env = vector.Env("triumvirate", 3)
        env.reset()
        state = triarch.State("triumvirate").play("E2-E4")
        env.set_state(1, state)
        self.assertEqual(env.state(1), state)
        self.assertEqual(list(env.observe().seat), [0, 1, 0])
        with self.assertRaisesRegex(triarch.TriarchError, "game 3; expected 0 to 2"):
            env.state(3)
        with self.assertRaisesRegex(triarch.TriarchError, "a state of tri-d"):
            env.set_state(0, triarch.State("tri-d"))

    def test_groups_rows_by_policy(self):
        env = vector.Env("tri-d", 4)
        env.reset()
        policies = [["new", "old"], ["old", "new"]] * 2
        groups = {policy: list(rows) for policy, rows in env.groups(policies)}
        self.assertEqual(groups, {"new": [0, 2], "old": [1, 3]})
        env.step(env.sample())
        groups = {policy: list(rows) for policy, rows in env.groups(policies)}
        self.assertEqual(groups, {"new": [1, 3], "old": [0, 2]})
        same = {policy: list(rows) for policy, rows in env.groups(["white", "black"])}
        self.assertEqual(same, {"black": [0, 1, 2, 3]})
        with self.assertRaisesRegex(triarch.TriarchError, "expected 2 policies"):
            next(env.groups(["a", "b", "c"]))

    def test_ends_long_games(self):
        env = vector.Env("tri-d", 2, plies_max=3)
        env.reset()
        for step in range(3):
            batch = env.step(env.sample())
            self.assertEqual(bool(batch.ended[0]), step == 2)

    def test_explains_bad_arguments(self):
        for arguments, text in (({"n": 0}, "n 0"), ({"planes": "floats"}, "planes 'floats'"),
                                ({"legal": "all"}, "legal 'all'"), ({"view": "x"}, "view 'x'"),
                                ({"position": "x"}, "field"), ({"threads": 5000}, "threads 5000")):
            with self.assertRaisesRegex(triarch.TriarchError, text):
                vector.Env("tri-d", **{"n": 2, **arguments})

    def test_a_closed_environment_refuses_calls(self):
        env = vector.Env("tri-d", 2)
        env.reset(seed=1)
        actions = env.sample()
        state = env.state(0)
        env.close()
        env.close()
        for call in (env.reset, env.observe, lambda: env.step(actions), lambda: env.state(0),
                     lambda: env.set_state(0, state)):
            with self.assertRaisesRegex(triarch.TriarchError, "the environment is closed"):
                call()

    def test_does_not_change_actions_into_others(self):
        env = vector.Env("tri-d", 2)
        env.reset(seed=1)
        legal = env.sample().astype(np.int64)
        for wrong, error in ((legal - 65536, "action -"), (legal + 65536, "action 6"),
                             ([-1, -1], "action -1"), (legal + 0.5, "float64; expected integers")):
            with self.assertRaisesRegex(triarch.TriarchError, error):
                env.step(wrong)
        self.assertEqual(env.step(legal.tolist()).plies.tolist(), [1, 1])

    def test_groups_follow_a_changed_list(self):
        env = vector.Env("tri-d", 4)
        env.reset()

        def found(policies):
            return [(policy, rows.tolist()) for policy, rows in env.groups(policies)]

        policies = ["a", "b"]
        self.assertEqual(found(policies), [("a", [0, 1, 2, 3])])
        policies[0] = "c"
        self.assertEqual(found(policies), [("c", [0, 1, 2, 3])])
        games = [["a", "b"] for _ in range(4)]
        found(games)
        games[1][0] = "b"
        self.assertEqual(found(games), [("a", [0, 2, 3]), ("b", [1])])

    def test_groups_take_numbers_and_arrays(self):
        env = vector.Env("tri-d", 2)  # as many games as seats
        env.reset()
        numbers = np.array([[1000, 2000], [1000, 2000]])
        for policies in (numbers, list(numbers), numbers.tolist()):
            (policy, rows), = env.groups(policies)
            self.assertEqual((policy, rows.tolist()), (1000, [0, 1]))
        with self.assertRaisesRegex(triarch.TriarchError, "expected 2 policies for each of 2"):
            list(env.groups([["a"], ["b"]]))


def env_size(game):
    return triarch.find_game(game).policy_size


if __name__ == "__main__":
    unittest.main()
