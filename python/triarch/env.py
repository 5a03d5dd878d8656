"""The AEC interface of PettingZoo. Needs numpy; PettingZoo and Gymnasium are used if installed.

    from triarch.env import env

    game = env("three-way", render_mode="ansi")
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        if termination or truncation:
            action = None
        else:
            action = game.action_space(agent).sample(observation["action_mask"])
        game.step(action)

Agents are the seats: "white", "black", … An agent dies when its seat is eliminated, or when the game
ends. It then has its whole reward: 1 for the first place, -1 for the last, 0 between them; seats that
share places share rewards.

An observation is {"observation": planes, "action_mask": legal policy indices}, both in the view of the
agent (docs/selfplay-data.md): uint8 [planes, cells] of 0 and 1, and int8 [policy_size]. Only the agent
to move has actions. infos[agent]["legal"] of the agent to move has the legal actions as an array.
"""

import ctypes
from typing import Optional

import numpy as np

from . import _library, vector
from ._library import IllegalMoveError, TriarchError, check, quick, scratch
from .games import TERMINATIONS, find_game

try:
    from pettingzoo import AECEnv as _Base
except ImportError:
    _Base = object

try:
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError:
    from ._spaces import Box, Dict, Discrete

RENDER_MODES = ("human", "ansi", "svg")
_batch_step = quick.triarch_batch_step


class AecEnv(_Base):
    """A game as an AEC environment. Options as for triarch.State; render_mode is "human" (prints the
    board), "ansi" (text) or "svg"."""

    def __init__(self, game: str = "tri-d", *, render_mode: Optional[str] = None, position=None,
                 start: Optional[str] = None, material_draws: bool = False, plies_max: int = 0):
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise TriarchError(f"render_mode {render_mode!r}; expected one of "
                               f"{', '.join(map(repr, RENDER_MODES))}")
        self.game = find_game(game)
        self.metadata = {"name": f"{game.replace('-', '_')}_v0",
                         "render_modes": list(RENDER_MODES), "is_parallelizable": False,
                         "render_fps": 2}
        self.render_mode = render_mode
        self.possible_agents = [name.lower() for name in self.game.seat_names]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents = []
        shape = (len(self.game.plane_names), self.game.cells)
        self.observation_spaces = {agent: Dict({
            "observation": Box(0, 1, shape, np.uint8),
            "action_mask": Box(0, 1, (self.game.policy_size,), np.int8),
        }) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.game.policy_size)
                              for agent in self.possible_agents}
        self._games = vector.Env(game, 1, planes="bytes", position=position, start=start,
                                 material_draws=material_draws, plies_max=plies_max, resets=False)
        self._action = np.zeros(1, np.uint16)
        self._read_action = memoryview(self._action)
        self._step_arguments = (self._games._batch, self._action.ctypes.data, self._games._at)
        # Reading a memoryview takes a fraction of the time of reading an array.
        arrays = self._games._arrays
        self._seat, self._ended, self._offsets, self._earned = (
            memoryview(arrays[name].reshape(-1))
            for name in ("seat", "ended", "legal_offsets", "rewards"))
        self._legal = arrays["legal"]
        self._planes = arrays["planes"][0]
        self._position = (ctypes.c_uint64 * (_library.STATE_BYTES // 8))()
        self._position_at = ctypes.addressof(self._position)
        self._skip_agent_selection = None

    # --- spaces ---

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    # --- the life of a game ---

    def reset(self, seed=None, options=None):
        """Begins a new game. The rules have no chance, so `seed` changes nothing."""
        self._games.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._rewarded = False
        self._select(self.possible_agents[self._seat[0]])

    def _select(self, agent):
        self.agent_selection = agent
        # NumPy takes indices of this type directly.
        self._actions = self._legal[:self._offsets[1]].astype(np.intp)
        self.infos[agent] = {"legal": self._actions}

    def step(self, action):
        """Plays the policy index of the agent to move; None for a dead agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise TriarchError(f"{agent} is alive; expected an action, not None")
        if not 0 <= action < self.game.policy_size:
            raise IllegalMoveError(
                f"action {action}; expected a policy index below {self.game.policy_size}")
        self._read_action[0] = int(action)
        status = _batch_step(*self._step_arguments, scratch.error_at)
        if status:
            check(status)
        self.infos[agent] = {}
        self._cumulative_rewards[agent] = 0.0
        # An agent's reward stays until the next step.
        if self._rewarded:
            for other in self.agents:
                self.rewards[other] = 0.0
        self._rewarded = any(self._earned)
        if self._ended[0] or self._rewarded:
            self._settle()
        else:
            self._select(self.possible_agents[self._seat[0]])
        if self.render_mode == "human":
            self.render()

    def _settle(self):
        """Gives rewards, lets eliminated agents die and selects the next."""
        for agent in self.agents:
            self.rewards[agent] = self._earned[self._seat_of[agent]]
            self._cumulative_rewards[agent] += self.rewards[agent]
        if self._ended[0]:
            word = TERMINATIONS[self._ended[0] - 1]
            for agent in self.agents:
                self.terminations[agent] = word != "ply_limit"
                self.truncations[agent] = word == "ply_limit"
                self.infos[agent] = {"termination": word}
            self.agent_selection = self.agents[0]
        else:
            quick.triarch_batch_get(self._games._batch, 0, self._position_at)
            for agent in self.agents:
                if not quick.triarch_is_in(self._position_at, self._seat_of[agent]):
                    self.terminations[agent] = True
            self._select(self.possible_agents[self._seat[0]])
        self._deads_step_first()

    def _deads_step_first(self):
        """Selects a dead agent, if there is one, and remembers whose turn it is after that."""
        dead = next((agent for agent in self.agents
                     if self.terminations[agent] or self.truncations[agent]), None)
        if dead is not None:
            self._skip_agent_selection = self.agent_selection
            self.agent_selection = dead
        return self.agent_selection

    def _was_dead_step(self, action):
        """Removes the dead agent and selects the next."""
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        for values in (self.terminations, self.truncations, self.rewards,
                       self._cumulative_rewards, self.infos):
            del values[agent]
        self.agents.remove(agent)
        dead = next((other for other in self.agents
                     if self.terminations[other] or self.truncations[other]), None)
        if dead is not None:
            if self._skip_agent_selection is None:
                self._skip_agent_selection = self.agent_selection
            self.agent_selection = dead
        else:
            if self._skip_agent_selection in self.agents:
                self.agent_selection = self._skip_agent_selection
            self._skip_agent_selection = None
        for other in self.agents:
            self.rewards[other] = 0.0

    # --- what an agent sees ---

    def last(self, observe=True):
        """Returns observation, reward since its last action, termination, truncation and info of
        the selected agent."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def observe(self, agent):
        seat = self._seat_of[agent]
        mask = np.zeros(self.game.policy_size, np.int8)
        mover = self._seat[0]
        if seat != mover:
            planes = view(self.game.name, self._planes, mover, seat)
            return {"observation": planes, "action_mask": mask}
        if not self._ended[0]:
            mask[self._actions] = 1
        return {"observation": self._planes.copy(), "action_mask": mask}

    def state(self):
        """Returns the planes in the view of the seat to move."""
        return self._planes.copy()

    @property
    def state_space(self):
        return Box(0, 1, (len(self.game.plane_names), self.game.cells), np.uint8)

    def agent_iter(self, max_iter=2**63):
        """Yields the selected agent until none is left, or `max_iter` times."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def render(self):
        """Draws the position as render_mode says."""
        if self.render_mode is None:
            return None
        state = self._games.state(0)
        if self.render_mode == "svg":
            return state.to_svg()
        if self.render_mode == "ansi":
            return state.to_board()
        print(state.to_board(colored=True))
        return None

    def close(self):
        """Does nothing: there is no window, and the games are freed with the environment."""

    def __str__(self):
        return self.metadata["name"]

    def __repr__(self):
        return str(self)


def view(game: str, planes: np.ndarray, mover: int, seat: int) -> np.ndarray:
    """Returns planes [P, C] in the mover's view as another seat sees them: the board rotated and the
    seats' planes in that seat's order."""
    from .data import rotation
    names = find_game(game).plane_names
    seats = find_game(game).seats
    # Both views are of the same board: back from the mover's, and to the seat's.
    cells = rotation(game, seat).cells[np.argsort(rotation(game, mover).cells)]
    words = ("own", "next", "last") if seats == 3 else ("own", "other")
    shown = np.zeros_like(planes)
    shift = (mover - seat) % seats
    for number, name in enumerate(names):
        target = name
        for k, word in enumerate(words):
            if word in name.split():
                target = " ".join(words[(k + shift) % seats] if part == word else part
                                  for part in name.split())
                break
        if game == "tri-d" and name.startswith("board on") and shift:
            side, pin = name[-3], int(name[-1])
            target = f"board on {side}L{7 - pin}"
        if target in names:
            shown[names.index(target), cells] = planes[number]
    return shown


def env(game: str = "tri-d", **options) -> AecEnv:
    """Returns an AEC environment of a game. Options as for AecEnv."""
    return AecEnv(game, **options)


raw_env = env
