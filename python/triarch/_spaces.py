"""Spaces that behave like Gymnasium's, for environments without it."""

import numpy as np


class _Space:
    def __init__(self, shape, dtype):
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self._random = np.random.default_rng()

    def seed(self, seed=None):
        self._random = np.random.default_rng(seed)
        return [seed]

    def __contains__(self, value):
        return self.contains(value)


class Discrete(_Space):
    """The whole numbers below n."""

    def __init__(self, n):
        super().__init__((), np.int64)
        self.n = n
        self.start = 0

    def sample(self, mask=None):
        """Returns a random number; with a mask [n], one where it is 1 (0 if there is none)."""
        if mask is None:
            return np.int64(self._random.integers(self.n))
        allowed = np.flatnonzero(mask)
        return np.int64(self._random.choice(allowed)) if len(allowed) else np.int64(0)

    def contains(self, value):
        return np.ndim(value) == 0 and 0 <= int(value) < self.n

    def __eq__(self, other):
        return isinstance(other, Discrete) and self.n == other.n

    def __repr__(self):
        return f"Discrete({self.n})"


class Box(_Space):
    """Arrays of one shape, with numbers from low to high."""

    def __init__(self, low, high, shape, dtype):
        super().__init__(tuple(shape), dtype)
        self.low = np.full(shape, low, dtype)
        self.high = np.full(shape, high, dtype)

    def sample(self):
        return self._random.integers(self.low, self.high, endpoint=True).astype(self.dtype)

    def contains(self, value):
        return (isinstance(value, np.ndarray) and value.shape == self.shape
                and value.dtype == self.dtype
                and bool(((value >= self.low) & (value <= self.high)).all()))

    def __eq__(self, other):
        return (isinstance(other, Box) and self.shape == other.shape and self.dtype == other.dtype
                and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

    def __repr__(self):
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class Dict(_Space):
    """Values by name, each of its own space."""

    def __init__(self, spaces):
        super().__init__(None, object)
        self.spaces = dict(spaces)

    def seed(self, seed=None):
        for space in self.spaces.values():
            space.seed(seed)
        return [seed]

    def sample(self):
        return {name: space.sample() for name, space in self.spaces.items()}

    def contains(self, value):
        return (isinstance(value, dict) and value.keys() == self.spaces.keys()
                and all(space.contains(value[name]) for name, space in self.spaces.items()))

    def __getitem__(self, name):
        return self.spaces[name]

    def __eq__(self, other):
        return isinstance(other, Dict) and self.spaces == other.spaces

    def __repr__(self):
        return f"Dict({self.spaces})"
