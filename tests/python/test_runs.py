"""Protocols that run: simulate, audit, train."""

import pickle
import random
import struct
import subprocess

import pytest

import epsilary as ep
from conftest import PROGRAM

SMALL = """id = "small"
source = "a test"
network = "13722"
clients = "60"
algorithm = "cldp-sgd"
per_round = "20"
clip = "coordinate"
limit = "0.01"
eps0 = "2"
delta = "1e-5"
rate = "0.3"
seeds = "1"
rounds = "4"
every = "2"
[[accountant]]
bound = "girgis2021-thm1-privacy"
"""


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """Sixty images and twenty, of blots that tell their digit."""
    folder = tmp_path_factory.mktemp("digits")
    chance = random.Random(1)
    for name, count in (("train", 60), ("t10k", 20)):
        labels = [i % 10 for i in range(count)]
        images = b"".join(bytes(255 if (i // 28) // 3 == label else chance.randrange(60) for i in range(784))
                          for label in labels)
        (folder / f"{name}-images-idx3-ubyte").write_bytes(struct.pack(">4I", 2051, count, 28, 28) + images)
        (folder / f"{name}-labels-idx1-ubyte").write_bytes(struct.pack(">2I", 2049, count) + bytes(labels))
    return folder


def test_a_simulation_is_that_of_the_command_line(command_line):
    s = ep.simulate("checkin-fixed", runs=100, seed=7, n=500, m=100)
    there = command_line("simulate", "checkin-fixed", "--runs", 100, "--seed", 7, "--n", 500, "--m", 100)
    assert s.to_dict()["rows"] == there["rows"]
    assert [r["simulated"] for r in s.rows] == [r["simulated"] for r in there["rows"]]
    assert s.agrees and s.runs == 100 and s.where["n"] == "500" and s.confidence == "0.99"
    assert {"what", "statement", "stated", "simulated", "low", "high", "agrees"} <= set(s.rows[0])
    assert "balle2020-prop3.4" in repr(s) and "<table" in s._repr_html_()
    assert s.to_dict() == ep.simulate("checkin-fixed", runs="100", seed=7, n=500, m=100, threads=1).to_dict()
    assert pickle.loads(pickle.dumps(s)).rows == s.rows


def test_an_audit_is_that_of_the_command_line(command_line):
    a = ep.audit("shuffle", eps0=3, n=20, delta="0.01", runs=2000)
    there = command_line("audit", "shuffle", "--eps0", 3, "--n", 20, "--delta", "0.01", "--runs", 2000)
    assert a.to_dict()["rows"] == there["rows"] and str(a.measured) == there["rows"][0]["measured"]
    assert 0 < a.measured <= a.attained <= a.upper and a.agrees
    assert any(u["bound"] == "feldman2021-clones" and u["below"] for u in a.uppers)
    assert ep.audit("shuffle", eps0=3, n=20, delta="0.01", runs=2000, seed=2).measured != a.measured


def test_runs_are_refused_in_words():
    with pytest.raises(ep.UsageError, match="unknown protocol"):
        ep.simulate("no-such")
    for seed in (-1, 2**64, 1.5, True):
        with pytest.raises(ep.UsageError, match="seed"):
            ep.audit("shuffle", seed=seed)
    with pytest.raises(ep.UsageError):
        ep.simulate("checkin-fixed", runs=0)
    with pytest.raises(ep.UsageError):
        ep.simulate("checkin-fixed", runs=100, confidence=2)


def test_a_training_is_that_of_the_command_line(digits, tmp_path):
    seen = []
    t = ep.train(SMALL, data=digits, progress=lambda done, all: seen.append((done, all)))
    (tmp_path / "small.toml").write_text(SMALL)
    done = subprocess.run([PROGRAM, "train", tmp_path / "small.toml", "--data", digits, "-f", "csv"],
                          capture_output=True, text=True, check=True)
    lines = [line.split(",") for line in done.stdout.splitlines() if not line.startswith("#")]
    assert [list(row.values()) for row in t.rows] == lines[1:] and list(t.rows[0]) == lines[0]
    assert t.spec == "small" and "60 and 20 images" in t.origin and (not seen or seen[-1][1] == 4)
    assert ep.train(tmp_path / "small.toml", data=digits, journal=tmp_path / "j", threads=1).rows == t.rows
    assert ep.train(tmp_path / "small.toml", data=digits, journal=tmp_path / "j").rows == t.rows  # nothing left to do


def test_a_training_as_a_frame(digits):
    pytest.importorskip("pandas")
    frame = ep.train(SMALL, data=digits, seeds=2).to_pandas()
    assert (frame.seeds == 2).all() and frame.accuracy.between(0, 100).all()
    assert set(frame.bound) == {"training", "girgis2021-thm1-privacy"} and sorted(set(frame["T"])) == [2, 4]


def test_trainings_are_listed_and_refused_in_words(digits):
    assert "girgis2021-mnist-coordinate" in {t.id for t in ep.trainings()}
    assert all(t.caption and t.rounds > 0 for t in ep.trainings()) and "seeds" in repr(ep.trainings())
    with pytest.raises(ep.UsageError, match="did you mean girgis2021-mnist-coordinate"):
        ep.train("girgis2021-mnist-cordinate", data=digits)
    with pytest.raises(ep.CouldNotError, match="not a folder") as refusal:
        ep.train("girgis2021-mnist-sgd", data="no/such/folder")
    assert "fetch-mnist" in str(refusal.value)
    with pytest.raises(ep.UsageError, match="seeds"):
        ep.train(SMALL, data=digits, seeds=0)
