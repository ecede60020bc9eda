"""Ctrl-C, forks, memory and the start: in processes of their own."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest


def python(code, **more):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **more)


@pytest.mark.parametrize("call", [
    'ep.sweep("kairouz2015-optimal", eps0="0.001:1:100000", T=60, delta=1e-6)',
    # One number that takes long: the work is stopped inside it.
    'ep.evaluate("epsilary-checkin-supremum", eps0=3, m=10**6, p0=0.5, delta=1e-9, digits=9, patience=1000)',
    'ep.solve("vandijk2022-poisson", "sigma", 1, n=10**6, batch=999, T=99999, delta=1e-9, digits=9, patience=1000)',
])
def test_ctrl_c_stops_a_long_call(call):
    p = python(f"""
        import epsilary as ep
        print("begun", flush=True)
        try:
            {call}
            print("done")
        except KeyboardInterrupt:
            print("stopped", bool(ep.evaluate("feldman2021-clones", eps0=1, n=100, delta=1e-3)))
    """)
    assert p.stdout.readline() == "begun\n"
    time.sleep(0.2)
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    assert out == "stopped True\n", err


def test_a_sweep_that_was_stopped_goes_on_from_its_journal(tmp_path):
    code = f"""
        import epsilary as ep
        print("begun", flush=True)
        try:
            t = ep.sweep("kairouz2015-optimal", eps0="0.001:1:6000", T=60, delta=1e-6, threads=1,
                         journal={str(tmp_path / "j.sqlite")!r})
            print(len(t), t[5999].value)
        except KeyboardInterrupt:
            print("stopped")
    """
    p = python(code)
    p.stdout.readline()
    time.sleep(0.5)
    p.send_signal(signal.SIGINT)
    first = p.communicate(timeout=60)[0]
    assert (tmp_path / "j.sqlite").stat().st_size > 0
    out, err = python(code).communicate(timeout=120)
    assert out.splitlines()[1].startswith("6000 "), err
    assert first in ("stopped\n", out.splitlines()[1] + "\n")


def test_a_fork_can_ask_too():
    out, err = python("""
        import multiprocessing
        import epsilary as ep

        def ask(n):
            return str(ep.evaluate("feldman2021-clones", eps0=1, n=n, delta=1e-6).value)

        ask(1000)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(ask, [1000, 2000]) == [ask(1000), ask(2000)]
            print("well")
    """).communicate(timeout=60)
    assert out == "well\n", err


def test_nothing_is_kept_of_a_hundred_thousand_calls():
    out, err = python("""
        import resource
        import threading
        import epsilary as ep

        def ask(count):
            for i in range(count):
                ep.evaluate("balle2020-thm3.2", eps0="0.5", m=1000, p0="0.1", delta="1e-6", precision="double").value

        def calls(count):
            ask(count // 4)
            thread = threading.Thread(target=ask, args=(count // 2,))  # by another way into the library
            thread.start()
            thread.join()
            for i in range(count // 10):
                try:
                    ep.evaluate("balle2020-thm3.2", eps0="x", m=1000, p0="0.1", delta="1e-6")
                except ep.UsageError:
                    pass
            grid = [0.5] * (count - count // 4 - count // 2 - count // 10)
            ep.evaluate("balle2020-thm3.2", eps0=grid, m=1000, p0="0.1", delta="1e-6", precision="double").values
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        calls(4000)
        before = calls(4000)
        print(max(calls(20000) for _ in range(5)) - before)
    """).communicate(timeout=300)
    assert int(out) < 4000, (out, err)  # kB


def test_import_brings_in_no_numpy():
    out, err = python("""
        import sys
        import epsilary as ep
        assert float(ep.evaluate("balle2020-thm5.1", eps0=1, n=1000, delta=1e-6)) > 0
        ep.bounds(); ep.tightness("dp-sgd", n=1000, batch=10, sigma=2, T=5, delta=1e-6)
        print([m for m in ("numpy", "pandas", "matplotlib", "dp_accounting", "tqdm") if m in sys.modules])
    """).communicate(timeout=60)
    assert out == "[]\n", err
