"""What goes wrong, as exceptions: each says what is wrong (its first line) and what to do about it (`next`)."""

class EpsilaryError(Exception):
    """A refusal. `what` says what is wrong, `next` what to do, `parameter` names the argument at fault."""

    def __init__(self, what, next="", parameter=""):
        self.what, self.next, self.parameter = what, next, parameter
        super().__init__(what, next, parameter)

    def __str__(self):
        return self.what + (f"\n  next: {self.next}" if self.next else "")


class CouldNotError(EpsilaryError, OSError):
    """A file, a program or memory was not to be had."""

    # OSError would make an errno of the arguments.
    def __new__(cls, *args):
        return OSError.__new__(cls)

    __str__ = EpsilaryError.__str__


class UsageError(EpsilaryError, ValueError):
    """What was asked makes no sense: an unknown name, a missing parameter, a text that is no number."""


class OutsideError(EpsilaryError, ArithmeticError):
    """A hypothesis of the statement fails there, so that it says nothing."""


class UnresolvedError(EpsilaryError, ArithmeticError):
    """No number was proved with the work allowed."""


class CheckFailed(EpsilaryError, AssertionError):
    """A claim of the ledger is not what its verdict says."""


_kinds = {1: CouldNotError, 2: UsageError, 3: OutsideError, 4: CheckFailed, 5: UnresolvedError}


def in_python(text):
    """A sentence of the command line as a caller of functions reads it."""
    if "--" not in text and "epsilary" not in text:
        return text
    import re

    text = re.sub(r"see: epsilary (\w+) --help", r"see: help(epsilary.\1)", text)
    text = re.sub(r"(see|for example): epsilary list params", "see: epsilary.parameters()", text)
    text = re.sub(r"see: epsilary list (figures|claims|protocols)", r"see: epsilary.\1()", text)
    text = re.sub(r"see: epsilary list", "see: epsilary.bounds()", text)
    text = re.sub(r"see: epsilary show (\S+)", r"see: epsilary.bound('\1')", text)
    text = re.sub(r"--(\w+) ([^\s,;)]+)", lambda m: f"{keyword(m[1])}={literal(m[2])}", text)
    return re.sub(r"--(\w+)\b", lambda m: keyword(m[1]), text)


def keyword(key):
    """A parameter's key as an argument: lambda is a word of Python."""
    return "lambda_" if key == "lambda" else key


def literal(text):
    try:
        float(text)
        return text
    except ValueError:
        return repr(text)


def of(problem, what, next, parameter):
    if problem == 130:
        return KeyboardInterrupt(what)
    return _kinds.get(problem, EpsilaryError)(in_python(what), in_python(next), parameter)


def raise_for(problem):
    """Raises what a call of the library found wrong with its whole answer."""
    if problem is not None:
        raise of(*problem)
