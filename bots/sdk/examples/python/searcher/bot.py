"""Looks two plies ahead: plays the move after which the next player's best answer hurts least.

Copy bots/sdk/python/triarch_bot.py next to it.
"""

import triarch_bot


def worth(state, seat):
    """Returns how well a seat stands: its score above the others', or its place at the end."""
    if state.places:
        return 1e6 * (2 - state.places[seat])
    return len(state.scores) * state.scores[seat] - sum(state.scores)


def after_reply(state, seat):
    """Returns the worth for a seat after the move that is best for the player to move."""
    if state.places:
        return worth(state, seat)
    mover = state.seat
    return worth(max((child for _, child in state.children()), key=lambda s: worth(s, mover)), seat)


def choose(turn):
    seat = turn.state.seat
    children = turn.state.children()
    turn.random.shuffle(children)  # equal moves
    return max(children, key=lambda child: after_reply(child[1], seat))[0]


triarch_bot.run(choose, name="searcher-py 1.0")
