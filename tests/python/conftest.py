"""Run by ctest ("python: ..."), which says where the package, the program and the sources are; by hand:
PYTHONPATH=build/release/python EPSILARY=build/release/experiments/cli/epsilary pytest tests/python
"""

import json
import os
import pathlib
import subprocess

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("EPSILARY", str(SOURCE / "build/release/experiments/cli/epsilary"))


@pytest.fixture(scope="session")
def source():
    return SOURCE


@pytest.fixture(scope="session")
def command_line():
    """Runs the command line and reads its JSON."""

    def run(*arguments, code=0):
        done = subprocess.run([PROGRAM, *map(str, arguments), "-f", "json"], capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return json.loads(done.stdout)

    return run
