#!/usr/bin/env python3
"""Random questions about DP-SGD from the box of practice: does every one have an answer, how soon, in how much memory?

    tests/bench/practice_box.py build/release/experiments/cli/epsilary [points] [seed]

q 1e-5..0.5, sigma 0.5..20, T 1..1e6, half of the questions epsilon at delta 1e-30..1e-3, half delta at eps 0.05..10, at
six digits; every quantity logarithmically uniform. Nothing is asserted: it prints what is slow, wide or has no answer,
and quantiles.
"""
import json
import math
import os
import random
import resource
import subprocess
import sys
import time

IDS = ["vandijk2022-composed", "vandijk2022-poisson", "epsilary-lower-dp-sgd"]
PATIENCE = 30  # seconds


def question(draw):
    def between(low, high):
        return math.exp(draw.uniform(math.log(low), math.log(high)))

    words = ["--q", "%.5g" % between(1e-5, 0.5), "--sigma", "%.5g" % between(0.5, 20),
             "--T", str(round(between(1, 1e6)))]
    if draw.random() < 0.5:
        return words + ["--delta", "%.5g" % between(1e-30, 1e-3)]
    return words + ["--eps", "%.5g" % between(0.05, 10)]


def ask(program, bound, words):
    """Status, CPU seconds, megabytes."""
    command = [program, "eval", bound, *words, "-f", "json", "-j", "1"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE)))
    out = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    if os.WIFSIGNALED(status):
        return ("hangs" if seconds > PATIENCE - 1 else "crashes"), seconds, memory
    try:
        return json.loads(out)["rows"][0]["status"], seconds, memory
    except (ValueError, KeyError, IndexError):
        return "crashes", seconds, memory


def main():
    program, points = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    counts, seconds, memory = {}, [], []
    started = time.time()
    for i in range(points):
        words, bound = question(draw), IDS[i % len(IDS)]
        status, used, size = ask(program, bound, words)
        counts[status] = counts.get(status, 0) + 1
        seconds.append(used)
        memory.append(size)
        if used > 2 or size > 1000 or status not in ("ok", "wide", "vacuous"):
            print(f"{status} {used:.2f} s {size:.0f} MB: {bound} {' '.join(words)}", flush=True)
    seconds.sort()

    def quantile(share):
        return seconds[min(points - 1, int(share * points))]

    print(f"{points} points in {time.time() - started:.0f} s:", ", ".join(f"{n} {s}" for s, n in sorted(counts.items())))
    print(f"CPU seconds: median {quantile(0.5):.2f}, 90% {quantile(0.9):.2f}, 99% {quantile(0.99):.2f}, "
          f"most {seconds[-1]:.2f}; memory at most {max(memory):.0f} MB")


if __name__ == "__main__":
    main()
