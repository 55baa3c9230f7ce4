"""What can go wrong with an endpoint: each fault with its sentence and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Fault:
    """A kind of failure.

    Attributes:
        sentence: What is said, with names in braces for what is filled in.
        ends: Whether every other prompt would fail as well, so that the run ends.
        again: Whether the same prompt may succeed later.
        billed: Whether the request may have been billed all the same.
    """

    sentence: str
    ends: bool = False
    again: bool = False
    billed: bool = False


ADDRESS: Final = Fault("{where} is no address: it starts with http:// or https://.", ends=True)
NAMELESS: Final = Fault("No model is named.", ends=True)
BAD_KEY: Final = Fault("The key holds a character that no key has: copy it again.", ends=True)
UNREACHABLE: Final = Fault("{where} cannot be reached: {detail}.", ends=True, again=True)
NO_API: Final = Fault(
    "{where} answers, but not as an endpoint of chat completions does: {detail}. "
    "The URL mostly ends in /v1.",
    ends=True,
)
ELSEWHERE: Final = Fault(
    "{where} points to another address, and nothing is sent there: enter that one.", ends=True
)
REFUSED_KEY: Final = Fault("{where} refuses the key: {detail}.", ends=True)
NO_KEY: Final = Fault("{where} asks for a key: {detail}.", ends=True)
NO_CREDIT: Final = Fault("{where} says that the account is used up: {detail}.", ends=True)
NO_MODEL: Final = Fault("{where} has no model {model}: {detail}.", ends=True)
REJECTED: Final = Fault("{where} rejects the request: {detail}.", ends=True)
ADAPTED: Final = Fault("{model} takes other parameters: it is asked with those.", again=True)
CONTEXT: Final = Fault("The prompt is longer than the model reads: {detail}.")
TIMEOUT: Final = Fault(
    "No whole answer came within {seconds} s; it may have been billed.", again=True, billed=True
)
BUSY: Final = Fault("{where} takes no more requests for now (429): {detail}.", again=True)
SERVER: Final = Fault("{where} failed ({detail}).", again=True, billed=True)
CUT: Final = Fault(
    "The answer was cut off on its way; it may have been billed.", again=True, billed=True
)
NONSENSE: Final = Fault("The endpoint sent no chat completion: {detail}.", billed=True)
TOO_LONG: Final = Fault("The endpoint sent more than {limit}, and it was not read on.", billed=True)


class Failed(RuntimeError):
    """No answer came. The text is one sentence, without the key.

    Attributes:
        fault: What kind it is of.
        wait: Seconds after which the endpoint wants to be asked again; None: it does not say.
    """

    def __init__(self, fault: Fault, wait: float | None = None, **facts: object) -> None:
        super().__init__(fault.sentence.format(**facts))
        self.fault = fault
        self.wait = wait
