"""TOON lines to value part by part, for documents too large to hold in memory.

Neither the whole text nor the whole value is needed: members of the containers that are open are
read while their lines come. Blocks of members are passed to the decoder of whole documents.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, NamedTuple, NoReturn, TypeAlias

from toon.codec.decoder import Decoder
from toon.codec.header import Header, find_colon
from toon.codec.lines import END
from toon.codec.text import MAX_DEPTH
from toon.errors import ToonDecodeError

BLOCK_LINES: Final = 4096  # read at once

NewDecoder = Callable[[str], Decoder]


class Opened(NamedTuple):
    """The beginning of an object or array in a TOON document, up to CLOSED; the root has no key."""

    key: str | None
    is_array: bool


class Whole(NamedTuple):
    """The only part of a TOON document that is not split: its whole value."""

    value: Any


#: A part of a document; a list or dict holds members of the container opened last.
Part: TypeAlias = Opened | Whole | list[Any] | dict[str, Any] | None
CLOSED: Final = None


def array_elements(parts: Iterator[Part], refuse: Callable[[], NoReturn]) -> Iterator[Any]:
    """Yield the elements of a TOON document's root array as its parts come.

    Call ``refuse``, which raises, if the root is no array.
    """
    root = next(parts)
    if isinstance(root, Opened) and root.is_array:
        for part in parts:
            yield from part or ()
    elif isinstance(root, Whole) and isinstance(root.value, list):
        yield from root.value
    else:
        refuse()


class Document:
    """A TOON document that is read in parts, as its lines come.

    A field with more lines than are read at once is a container of its own, unless it lies in an
    array. An element of an array is never split.

    Attributes:
        decoder: the decoder of the lines of open containers, and of the lines ahead.
        stop: the end of the members to be read next, among the decoder's contents.
    """

    def __init__(self, lines: Iterable[str], new_decoder: NewDecoder) -> None:
        self._lines = (line.removesuffix("\n") for line in lines)
        self._new_decoder = new_decoder
        self._ahead: list[str] = []  # lines read, but not used yet
        self._used = 0  # of those ahead, by the members to be read next
        self._before = 0  # lines used up
        self._parents: list[tuple[str, int]] = []  # the lines of open containers, their numbers
        self._at_end = False
        self.stop = 0

    def text(self) -> str:
        """Return the TOON text of the members read last, with the lines that open their parents."""
        return "\n".join([*self._opening_lines(), *self._ahead[: self._used]])

    def find_line(self, number: int) -> int:
        """Convert a line number in :meth:`text` to the line number in the whole TOON document."""
        opening = len(self._opening_lines())
        if number > opening:
            return number - opening + self._before
        return self._parents[number - 1][1]

    def refuse_root(self) -> NoReturn:
        """Raise ToonDecodeError because the root of the TOON document is no array."""
        self.decoder.fail_at("not-an-array", 1, 1)

    def parts(self) -> Iterator[Part]:
        """Yield a TOON document's objects and arrays as they open and close, and their members.

        An error is raised when its line is reached.
        """
        self._read(BLOCK_LINES)
        while len(self.decoder.contents) < 2 and not self._at_end:  # the others are comments
            if self.decoder.contents or self.decoder.comments:
                self._read(len(self._ahead))
            else:  # nothing but blank lines, which need not be read again
                self._used = len(self._ahead)
                self._use()
        decoder, header = self.decoder, None
        first = decoder.contents[0] if decoder.contents and not decoder.depths[0] else ""
        with self._place_errors():
            header = decoder.root_header() if first else None
        if header and header.end == len(first):  # its members are on the lines below it
            yield from self._array_parts(header, 0)
            with self._place_errors():
                self.decoder.complete(None, "object" if header.keyed else "array")
        elif first[:1] not in ("", "[") and (len(decoder.contents) > 1 or find_colon(first) >= 0):
            yield Opened(None, is_array=False)
            yield from self._field_parts(0)
            yield CLOSED
        else:
            self._used = len(self._ahead)
            yield Whole(decoder.document())

    # -- lines -----------------------------------------------------------------------------

    def _read(self, count: int) -> None:
        """Take ``count`` more lines of a TOON document; make a decoder of all that are unused."""
        new = list(islice(self._lines, max(count, 0)))
        self._at_end = self._at_end or len(new) < count
        self._ahead += new
        with self._place_errors():
            self.decoder = self._new_decoder("\n".join([*self._opening_lines(), *self._ahead]))
        self.decoder.pos = len(self._parents)

    def _opening_lines(self) -> list[str]:
        """Return the TOON lines that open the current containers; the decoder gets them first."""
        return [line for line, _ in self._parents] or [""] * (self._before > 0)

    def _take(self, depth: int, *, in_array: bool) -> bool:
        """Set ``stop`` after the last whole member at ``depth`` among the TOON lines ahead.

        Return whether it is the last of its container. ``stop`` stays before a first member that is
        longer than what is ahead.
        """
        decoder, first = self.decoder, self.decoder.pos
        depths = decoder.depths
        self.stop, is_last = len(depths) - 1, self._at_end
        if min(depths[first:-1], default=depth) < depth:
            self.stop = next(at for at in range(first, len(depths)) if depths[at] < depth)
            is_last = True
        elif not is_last and (depths[first] == depth or not decoder.strict):
            self.stop = first  # read leniently, a block that starts too deep must stay whole
            if depths[first] <= depth:  # the last line that starts a member
                for at in range(len(depths) - 2, first, -1):
                    # Whether a blank line in an array is an error depends on the lines around it.
                    if depths[at] == depth and not (in_array and decoder.find_blank(at - 1, at)):
                        self.stop = at
                        break
        self._used = len(self._ahead)
        if self.stop < len(decoder.contents):
            self._used = decoder.numbers[self.stop] - 1 - len(self._opening_lines())
        return is_last

    def _cut(self) -> None:
        """Drop the TOON lines after the members to be read next from the decoder."""
        del self.decoder.contents[self.stop :]
        self.decoder.depths[self.stop :] = [END]

    def _use(self) -> None:
        """Forget the TOON lines that were read, and fill up the lines ahead."""
        self._before += self._used
        self._ahead = self._ahead[self._used :]
        self._read(BLOCK_LINES - len(self._ahead))

    def _enter(self) -> None:
        """Make the next TOON line one that opens a container: it stays before the lines ahead."""
        at = self.decoder.numbers[self.decoder.pos] - 1 - len(self._opening_lines())
        self._used = at + 1
        opening = self._ahead[at], self._before + self._used
        self._parents.append(opening)
        self._use()

    @contextmanager
    def _place_errors(self) -> Iterator[None]:
        """Give a ToonDecodeError of the ``with`` block its line number in the whole document."""
        try:
            yield
        except ToonDecodeError as error:
            if error.line is not None:
                error.line = self.find_line(error.line)
            raise

    # -- containers ------------------------------------------------------------------------

    def _array_parts(self, header: Header, depth: int) -> Iterator[Part]:
        """Yield the parts of the array or table whose header is on the next line, at ``depth``."""
        yield Opened(header.key, is_array=not header.keyed)
        self._enter()
        known: dict[str, Any] = {}
        total, is_last, has_comments = 0, False, False
        while not is_last:
            is_last = self._take(depth + 1, in_array=True)
            decoder, first = self.decoder, self.decoder.pos
            if self.stop == first and not is_last:
                self._read(len(self._ahead))
                continue
            count = decoder.depths[first : self.stop].count(depth + 1)
            if not is_last:
                self._cut()
            with self._place_errors():
                decoder.pos = first - 1
                value = decoder.headed_value(header._replace(length=count), depth)
                if header.keyed:
                    if not known.keys().isdisjoint(value):
                        for at in range(len(self._parents), self.stop):
                            content = decoder.contents[at]
                            key = decoder.key(content[: find_colon(content)].rstrip(" "), at)
                            if key in known:
                                decoder.refuse_duplicate(key, at)
                    known.update(dict.fromkeys(value))
            total += len(value)
            yield value
            if not is_last:
                has_comments |= bool(decoder.comments)
                self._use()
        decoder, at = self.decoder, len(self._parents) - 1
        if has_comments:  # in an earlier block, whose lines are gone
            decoder.comments.append(decoder.numbers[at] + 1)
        problem = "entry-count" if header.keyed else "row-count" if header.fields else "item-count"
        with self._place_errors():
            decoder.check_count(problem, header, total, at)
        yield CLOSED

    def _field_parts(self, depth: int) -> Iterator[Part]:
        """Yield the fields of a TOON document's object at ``depth`` in parts.

        A part is a dict of the fields read since the part before. A field too long to be held whole
        is yielded in parts of its own.
        """
        known: dict[str, Any] = {}
        is_last = False
        while not is_last:
            is_last = self._take(depth, in_array=False)
            if self.stop > self.decoder.pos:
                count = len(known)
                if not is_last:
                    self._cut()
                with self._place_errors():
                    self.decoder.fields(depth, known)
                new = dict(islice(reversed(known.items()), len(known) - count))
                known.update(dict.fromkeys(new))  # only the keys are kept
                yield dict(reversed(new.items()))
                if not is_last:
                    self._use()
            elif not is_last:
                yield from self._long_field_parts(depth, known)

    def _long_field_parts(self, depth: int, known: dict[str, Any]) -> Iterator[Part]:
        """Yield the parts of a TOON field that is longer than the lines ahead.

        Yield nothing, but read more lines, if it cannot be split yet.
        """
        decoder, at = self.decoder, self.decoder.pos
        if len(decoder.contents) < at + 2:  # the others are comments
            self._read(len(self._ahead))
            return
        content = decoder.contents[at]
        with self._place_errors():
            header = decoder.field_header(content, at)
            key = None
            if header and header.end == len(content):
                key = header.key
            elif header is None and find_colon(content) == len(content) - 1 and depth < MAX_DEPTH:
                key = decoder.key(content[:-1].rstrip(" "), at)
            if key is None:
                decoder.fields(depth)  # this finds the error: nothing can be below such a line
            elif key in known:
                decoder.refuse_duplicate(key, at)
            decoder.pos = at + 1
            decoder.opens(depth + 1)
            decoder.pos = at
        if key is None:
            self._read(len(self._ahead))
            return
        known[key] = None
        if header:
            yield from self._array_parts(header, depth)
        else:
            yield Opened(key, is_array=False)
            self._enter()
            yield from self._field_parts(depth + 1)
            yield CLOSED
        self._parents.pop()
        self._use()
