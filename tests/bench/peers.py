#!/usr/bin/env python3
"""The same questions to other accountants and to us, in one run: CPU time, their value, our bracket, the ratio of times.

    python3 -m venv venv && venv/bin/pip install dp-accounting prv-accountant opacus autodp
    PYTHONPATH=build/release/python venv/bin/python tests/bench/peers.py

What is not installed is skipped with a word. CPU time of this process, the least of three runs, imports excluded; our
interpreter's thread and the worker are both counted.
"""

import math
import time
import warnings

import epsilary as ep
from epsilary import compat

warnings.filterwarnings("ignore")
RUNS = 3


def timed(ask):
    best, value = math.inf, None
    for _ in range(RUNS):
        before = time.process_time()
        value = ask()
        best = min(best, time.process_time() - before)
        if best > 20:
            break
    return best, value


def subsampled(rate, sigma, steps, delta):
    """T steps of the Poisson-sampled Gaussian: everybody's question."""
    words = f"q={rate} sigma={sigma} T={steps} delta={delta}"
    run = [(sigma, rate, steps)]
    ours = timed(lambda: compat.bracket(run, delta=delta))
    theirs = []

    def add(name, ask):
        try:
            theirs.append((name, *timed(ask)))
        except Exception as fault:
            theirs.append((name, None, f"{type(fault).__name__}: {fault}"))

    for source in (compat._their_dp_accounting, compat._their_opacus, compat._their_prv):
        try:
            for name, ask in source(compat.steps(run), delta, None):
                add(name, lambda ask=ask: float(ask()))
        except ImportError as missing:
            skipped.add(str(missing.name or missing))
    try:
        from autodp import mechanism_zoo, transformer_zoo

        def by_autodp():
            step = mechanism_zoo.GaussianMechanism(sigma=sigma)
            step.neighboring = "add_remove"
            step = transformer_zoo.AmplificationBySampling(PoissonSampling=True)(step, rate, improved_bound_flag=True)
            return float(transformer_zoo.Composition()([step], [steps]).get_approxDP(delta))
        add("autodp RDP", by_autodp)
    except ImportError:
        skipped.add("autodp")
    return words, ours, theirs


def own_pair(eps0, steps, delta):
    """T randomised responses."""
    words = f"randomised response eps0={eps0} T={steps} delta={delta}"
    p = 1 / (1 + math.exp(-eps0))
    ours = timed(lambda: ep.compose([p, 1 - p], [1 - p, p], times=steps, delta=delta))
    theirs = []
    try:
        from dp_accounting.pld import privacy_loss_distribution as distributions

        def by_pld():
            pld = distributions.from_randomized_response(2 * (1 - p), 2, value_discretization_interval=1e-4)
            return float(pld.self_compose(steps).get_epsilon_for_delta(delta))
        theirs.append(("dp_accounting PLD", *timed(by_pld)))
    except ImportError:
        skipped.add("dp_accounting")
    return words, ours, theirs


skipped = set()

if __name__ == "__main__":
    print("| question | accountant | epsilon | CPU s | times ours | who is right |\n|---|---|---|---|---|---|")
    for words, (seconds, bracket), theirs in (
            subsampled(0.01, 1.1, 10_000, 1e-5), subsampled(0.001, 1.0, 100_000, 1e-6),
            subsampled(0.02, 0.7, 500, 1e-12), own_pair(0.1, 1_000, 1e-6)):
        print(f"| {words} | **epsilary** | [{bracket.lower}, {bracket.upper}] | {seconds:.3f} | 1 | proved |")
        for name, spent, value in theirs:
            if spent is None:
                print(f"| | {name} | - | - | - | {value[:80]} |")
                continue
            verdict = compat.judge(value, bracket) if math.isfinite(value) else "no number"
            print(f"| | {name} | {value:.6g} | {spent:.3f} | {spent / seconds:.2g} | {verdict} |")
    if skipped:
        print("\nskipped, not installed: " + ", ".join(sorted(skipped)))
