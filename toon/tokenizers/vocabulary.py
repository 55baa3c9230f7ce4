"""OpenAI's vocabularies for tiktoken, without the network.

tiktoken downloads a vocabulary on first use, unless its cache has a file with the right SHA-256.
splintr carries the same vocabularies, so that file is written from them, byte for byte, once per
machine. tiktoken checks it again when it loads.
"""

from __future__ import annotations

import atexit
import base64
import functools
import hashlib
import os
import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from platformdirs import user_cache_path

from toon.files import write_file

if TYPE_CHECKING:
    from tiktoken import Encoding

_CACHE_VARIABLE: Final = "TIKTOKEN_CACHE_DIR"

# Held while the variable is changed for tiktoken, so that no other thread loads with that value.
_environment: Final = threading.Lock()


class VocabularyError(RuntimeError):
    """A vocabulary cannot be prepared on this machine."""


class Vocabulary(NamedTuple):
    """Where tiktoken downloads a vocabulary, and its file's SHA-256, as in ``tiktoken_ext``."""

    url: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The name tiktoken looks for in its cache."""
        return hashlib.sha1(self.url.encode(), usedforsecurity=False).hexdigest()


VOCABULARIES: Final = {
    "o200k_base": Vocabulary(
        "https://openaipublic.blob.core.windows.net/encodings/o200k_base.tiktoken",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    ),
    "cl100k_base": Vocabulary(
        "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    ),
}


def load(name: str) -> Encoding:
    """Return tiktoken's encoding ``name``, a key of ``VOCABULARIES``, from a verified file.

    Raises:
        VocabularyError: As for ``prepare``.
    """
    import tiktoken

    with _environment, _cache_folder(prepare(name)):
        return tiktoken.get_encoding(name)


def prepare(name: str) -> Path:
    """Return a folder that holds the verified vocabulary as the file that tiktoken looks for.

    The folders are tried in this order: ``$TIKTOKEN_CACHE_DIR``, the user's cache folder, and a
    private folder that is removed at exit. The first one that has the file or takes it is used.

    Raises:
        VocabularyError: Splintr's vocabulary is not tiktoken's, or no folder can be written to.
    """
    vocabulary = VOCABULARIES[name]
    contents = b""
    for folder in _folders():
        if _holds(folder / vocabulary.file_name, vocabulary.sha256):
            return folder
        contents = contents or _contents(name, vocabulary.sha256)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            write_file(folder / vocabulary.file_name, contents)
            return folder
    raise VocabularyError(f"No folder on this machine takes the {len(contents)} bytes of {name}")


def _folders() -> Iterator[Path]:
    if chosen := os.environ.get(_CACHE_VARIABLE):
        yield Path(chosen)
    yield user_cache_path("toon-token-lab", appauthor=False)
    with suppress(OSError):
        yield private_folder()


@functools.cache
def private_folder() -> Path:
    """Return a temporary folder of this process, removed at exit."""
    folder = tempfile.mkdtemp(prefix="toon-token-lab-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def _holds(path: Path, sha256: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    except OSError:
        return False


def _contents(name: str, sha256: str) -> bytes:
    import splintr

    tokenizer = splintr.Tokenizer.from_pretrained(name)
    special = set(tokenizer.special_tokens().values())
    lines = []
    for rank in range(tokenizer.vocab_size):
        if rank not in special:
            with suppress(ValueError):  # an unused id among the special tokens
                token = base64.b64encode(tokenizer.decode_token_bytes(rank))
                lines.append(b"%b %d\n" % (token, rank))
    contents = b"".join(lines)
    if hashlib.sha256(contents).hexdigest() != sha256:
        raise VocabularyError(
            f"splintr-rs {version('splintr-rs')} does not carry the {name} that"
            f" tiktoken {version('tiktoken')} uses: its SHA-256 is not {sha256}"
        )
    return contents


@contextmanager
def _cache_folder(folder: Path) -> Iterator[None]:
    """Point tiktoken's cache at a folder inside the block. The caller holds ``_environment``."""
    before = os.environ.get(_CACHE_VARIABLE)
    os.environ[_CACHE_VARIABLE] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_CACHE_VARIABLE]
        else:
            os.environ[_CACHE_VARIABLE] = before
