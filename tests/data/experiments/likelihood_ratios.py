#!/usr/bin/env python3
"""Writes likelihood_ratios.json: log-likelihood ratios of sequential tests, by numerical search.

The program in coordinator/experiments uses closed forms; this one maximises each likelihood over the
standard deviation by golden-section search, in exact decimal arithmetic where rounding would matter.

    python3 tests/data/experiments/likelihood_ratios.py > tests/data/experiments/likelihood_ratios.json
"""

import json
import random
from decimal import Decimal, getcontext

getcontext().prec = 40
GOLDEN = (Decimal(5).sqrt() - 1) / 2


def maximum(function, low, high):
    """The maximum of a function with one peak between two bounds."""
    a, b = low, high
    c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    at_c, at_d = function(c), function(d)
    for _ in range(110):
        if at_c > at_d:
            b, d, at_d = d, c, at_c
            c = b - GOLDEN * (b - a)
            at_c = function(c)
        else:
            a, c, at_c = c, d, at_d
            d = a + GOLDEN * (b - a)
            at_d = function(d)
    return function((a + b) / 2)


def moments(scores, prior_units, prior_variance):
    """The mean, and the variance of all units with those of the prior around the same mean."""
    n = len(scores)
    mean = sum(scores) / n
    squares = sum((x - mean) ** 2 for x in scores) + prior_units * prior_variance
    return mean, squares / (n + prior_units)


def likelihood(n, mean, variance, expected):
    """Log-likelihood of n units with these moments; expected(sigma) is the hypothesis."""
    def at(sigma):
        spread = variance + (mean - expected(sigma)) ** 2
        return -n * sigma.ln() - n * spread / (2 * sigma * sigma)
    return maximum(at, Decimal("0.01"), Decimal(2))


def main():
    random.seed(20261123)
    cases = []
    for n, prior, bias in [(20, "1/36", 0), (57, "1/36", 3), (400, "1/48", -2), (33, "1/8", 9),
                           (2000, "1/36", 1), (21, "1/27", -9)]:
        top, bottom = prior.split("/")
        prior_variance = Decimal(top) / Decimal(bottom)
        # Scores are multiples of 1/24 in a mirror.
        steps = [max(-12, min(12, round(random.gauss(bias / 4, 4)))) for _ in range(n)]
        scores = [Decimal(step) / 24 for step in steps]
        mean, variance = moments(scores, Decimal(10), prior_variance)
        for s0, s1 in [("0", "0.0072"), ("-0.0072", "0"), ("0.01", "0.08")]:
            h0, h1 = Decimal(s0), Decimal(s1)
            plain = [likelihood(n, mean, variance, lambda sigma, s=s: s) for s in (h0, h1)]
            normalized = [likelihood(n, mean, variance, lambda sigma, s=s: s * sigma)
                          for s in (h0, h1)]
            cases.append({
                "scores_in_24ths": steps, "prior_variance": float(prior_variance),
                "h0": float(h0), "h1": float(h1),
                "ratio": float(plain[1] - plain[0]),
                "normalized_ratio": float(normalized[1] - normalized[0])})
    print(json.dumps(cases))


main()
