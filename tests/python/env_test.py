#!/usr/bin/env python3
"""Checks that triarch.env keeps PettingZoo's AEC contract. PettingZoo itself is not needed."""

import contextlib
import io
import random
import unittest

import numpy as np

import triarch
from triarch.env import env


def play(game, seed, observe=True):
    """Plays a random game. Yields what each turn shows and does."""
    game.reset(seed=seed)
    for number, agent in enumerate(game.possible_agents):
        game.action_space(agent).seed(seed + number)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last(observe)
        action = None
        if not (termination or truncation):
            action = game.action_space(agent).sample(observation["action_mask"])
        yield agent, observation, reward, termination, truncation, info, action
        game.step(action)


class EnvTest(unittest.TestCase):
    def test_every_agent_dies_once_with_its_whole_reward(self):
        for name in triarch.GAMES:
            game = env(name)
            early = 0
            for seed in range(8):
                total = dict.fromkeys(game.possible_agents, 0.0)
                died = []
                for agent, _, reward, termination, truncation, info, _ in play(game, seed):
                    self.assertEqual(agent, game.agent_selection)
                    total[agent] += reward
                    if termination or truncation:
                        died.append(agent)
                        if "termination" not in info:
                            early += 1
                self.assertEqual(sorted(died), sorted(game.possible_agents))
                self.assertEqual(game.agents, [])
                self.assertAlmostEqual(sum(total.values()), 0)
                state = game._games.state(0)
                self.assertEqual([total[agent] for agent in game.possible_agents],
                                 [2 * points - 1 for points in state.outcome.points])
            if name != "tri-d":
                self.assertGreater(early, 0, "no seat was eliminated before the end")

    def test_dicts_hold_the_living_agents(self):
        game = env("three-way")
        for _ in play(game, 1):
            for values in (game.rewards, game._cumulative_rewards, game.terminations,
                           game.truncations, game.infos):
                self.assertEqual(sorted(values), sorted(game.agents))
            self.assertEqual(game.num_agents, len(game.agents))
            self.assertIn(game.agent_selection, game.agents)
        self.assertEqual(game.max_num_agents, 3)

    def test_spaces_contain_observations_and_actions(self):
        for name in triarch.GAMES:
            game = env(name)
            for agent in game.possible_agents:
                self.assertIs(game.observation_space(agent), game.observation_space(agent))
                self.assertIs(game.action_space(agent), game.action_space(agent))
            for number, (agent, observation, *_, action) in enumerate(play(game, 2)):
                if number % 20 and game.agents == game.possible_agents:
                    continue
                for other in game.agents:
                    seen = game.observe(other)
                    self.assertTrue(game.observation_space(other).contains(seen))
                    self.assertEqual(bool(seen["action_mask"].any()),
                                     other == agent and action is not None)
                if action is not None:
                    self.assertTrue(game.action_space(agent).contains(action))
                np.testing.assert_array_equal(np.flatnonzero(observation["action_mask"]),
                                              game.infos[agent].get("legal", []))

    def test_an_agent_sees_its_own_pieces(self):
        for name in triarch.GAMES:
            game = env(name)
            game.reset()
            names = game.game.plane_names
            first = game.observe(game.possible_agents[0])["observation"]
            game.step(int(game.infos[game.agent_selection]["legal"][0]))
            for agent in game.possible_agents:
                planes = game.observe(agent)["observation"]
                own = planes[[names.index(f"own {piece}") for piece in ("king", "queen", "rook")]]
                self.assertEqual(own.sum(), 4)
                # What a seat sees off turn is what it would see on turn, for all planes that
                # do not depend on the turn.
                self.assertEqual(planes.shape, first.shape)
            seat = game.possible_agents[1]
            again = triarch.vector.Env(name, 1, planes="bytes")
            again.reset()
            again.set_state(0, game._games.state(0))
            np.testing.assert_array_equal(game.observe(seat)["observation"],
                                          again.observe().planes[0])

    def test_views_of_all_seats_agree(self):
        from triarch.env import view
        choose = random.Random(2)
        for name in triarch.GAMES:
            state = triarch.State(name)
            seats = triarch.find_game(name).seats
            for _ in range(60):
                if state.is_over:
                    break
                state.play(choose.choice(state.legal_moves()))
                look = triarch.vector.Env(name, 1, planes="bytes", view="fixed")
                look.set_state(0, state)
                fixed = look.observe().planes[0].copy()
                turn = triarch.vector.Env(name, 1, planes="bytes")
                turn.set_state(0, state)
                planes = turn.observe().planes[0].copy()
                np.testing.assert_array_equal(view(name, planes, state.to_move, 0), fixed)
                for seat in range(seats):
                    np.testing.assert_array_equal(
                        view(name, view(name, planes, state.to_move, seat), seat, 0), fixed)

    def test_the_same_seed_gives_the_same_game(self):
        for name in triarch.GAMES:
            a, b = env(name), env(name)
            for x, y in zip(play(a, 5), play(b, 5), strict=True):
                self.assertEqual(x[0], y[0])
                self.assertEqual(x[2:5], y[2:5])
                self.assertEqual(x[6], y[6])
                np.testing.assert_array_equal(x[1]["observation"], y[1]["observation"])

    def test_observations_stay_as_they_are(self):
        game = env("tri-d")
        kept = [(observation, observation["observation"].copy())
                for _, observation, *_ in play(game, 3)]
        for observation, copy in kept:
            np.testing.assert_array_equal(observation["observation"], copy)

    def test_refuses_wrong_actions(self):
        game = env("tri-d")
        game.reset()
        agent = game.agent_selection
        for action in (0, -1, 10**9, None):
            with self.assertRaises(triarch.TriarchError):
                game.step(action)
        self.assertEqual(game.agent_selection, agent)
        for *_, action in play(game, 1):
            if action is None:
                with self.assertRaisesRegex(ValueError, "only valid action is None"):
                    game.step(3)
                break

    def test_max_iter_stops_the_iteration(self):
        game = env("tri-d")
        game.reset()
        turns = 0
        for agent in game.agent_iter(max_iter=5):
            turns += 1
            game.step(int(game.infos[agent]["legal"][0]))
        self.assertEqual(turns, 5)

    def test_long_games_are_truncated(self):
        game = env("tri-d", plies_max=4)
        seen = [(termination, truncation)
                for _, _, _, termination, truncation, _, _ in play(game, 1)]
        self.assertEqual(seen, [(False, False)] * 4 + [(False, True)] * 2)

    def test_renders(self):
        self.assertIsNone(env("tri-d").render_mode)
        game = env("tri-d", render_mode="ansi")
        game.reset()
        self.assertIsInstance(game.render(), str)
        game = env("tri-d", render_mode="svg")
        game.reset()
        self.assertTrue(game.render().startswith("<svg"))
        game = env("tri-d", render_mode="human")
        game.reset()
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertIsNone(game.render())
        self.assertGreater(len(output.getvalue()), 500)
        with self.assertRaisesRegex(triarch.TriarchError, "render_mode 'film'"):
            env("tri-d", render_mode="film")
        self.assertEqual(str(game), "tri_d_v0")
        self.assertIs(game.unwrapped, game)
        game.close()

    def test_a_closed_environment_begins_anew(self):
        game = env("tri-d")
        game.reset()
        game.close()
        self.assertEqual(len(list(play(game, 1))), len(list(play(game, 1))))


if __name__ == "__main__":
    unittest.main()
