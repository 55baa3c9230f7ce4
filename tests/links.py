"""Documents and links of a state, as the browser's ``keeper`` writes them."""

import base64
import json
import zlib

from toon.playground.state import VERSION, State


def write_state(state: State) -> str:
    """The document; ``read_state`` gives the state back."""
    return json.dumps(
        {
            "tokenLab": VERSION,
            "side": state.side,
            "text": state.text,
            "name": state.name,
            "options": state.options,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def write_link(state: State) -> str:
    """What stands after the path in a link: ``#s=`` and the packed document."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(write_state(state).encode()) + packer.flush()
    return f"#s={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read_link(address: str) -> str:
    """The document in a link; "" where there is none."""
    packed = base64.urlsafe_b64decode(f"{address.partition('#s=')[2]}==")
    return zlib.decompress(packed, -zlib.MAX_WBITS).decode() if packed else ""
