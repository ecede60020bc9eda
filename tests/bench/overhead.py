#!/usr/bin/env python3
"""A million closed forms in double: from numpy, against the C++ sweep of the command line on the same grid, one thread,
CPU time, the least of several runs in turn.

    PYTHONPATH=build/release/python python3 tests/bench/overhead.py build/release/experiments/cli/epsilary
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy

import epsilary as ep

RUNS = 3


def child_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_sweep(program, id, folder):
    out = os.path.join(folder, "out.csv")
    before = child_seconds()
    subprocess.run([program, "sweep", "--bounds", id, "--n", "1000:1000000:1000", "--eps0", "0.05:1:1000", "--delta",
                    "1e-6", "--precision", "double", "-j", "1", "-o", out], check=True, capture_output=True)
    seconds = child_seconds() - before
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    return seconds


def by_numpy(id):
    n, eps0 = numpy.linspace(1000, 1000000, 1000).round(), numpy.linspace(0.05, 1, 1000)
    before = time.process_time()
    table = ep.evaluate(id, n=n, eps0=eps0, delta=1e-6, precision="double", threads=1)
    values, status = table.values, table.status
    assert values.shape == (1000, 1000) and status.shape == values.shape
    return time.process_time() - before


def elementwise(id):
    random = numpy.random.default_rng(7)
    n, eps0 = random.integers(1000, 10**6, 10**6), random.uniform(0.05, 1, 10**6)
    before = time.process_time()
    ep.evaluate(id, n=n.astype(float), eps0=eps0, delta=1e-6, precision="double", threads=1, elementwise=True).values
    return time.process_time() - before


if __name__ == "__main__":
    program = sys.argv[1]
    print(f"{'statement':<22}{'sweep (C++)':>12}{'numpy':>9}{'ratio':>7}{'all different':>15}   seconds of CPU for 10^6")
    with tempfile.TemporaryDirectory() as folder:
        for id in ("balle2020-thm5.1", "erlingsson2019-thm7"):
            times = [(by_sweep(program, id, folder), by_numpy(id), elementwise(id)) for _ in range(RUNS)]
            sweep, grid, different = (min(t[k] for t in times) for k in range(3))
            print(f"{id:<22}{sweep:>12.2f}{grid:>9.2f}{grid / sweep:>7.2f}{different:>15.2f}")
