"""What a run has written and the browser has not got yet."""

from __future__ import annotations

from functools import wraps

from streamlit.runtime.forward_msg_queue import ForwardMsgQueue


def keep_order() -> None:
    """Sends everything that was written before a fragment reruns.

    Streamlit drops what the same fragment wrote and was not sent yet, and still sends what other
    fragments wrote after it. The browser is then told to write at a place that does not exist
    ("Bad delta path index"), and draws nothing more. Sent in full, it is what a faster connection
    would have got. ``tests/pages/test_delivery.py`` says when this is not needed any more.
    """
    clear = ForwardMsgQueue.clear

    @wraps(clear)
    def kept(
        queue: ForwardMsgQueue,
        retain_lifecycle_msgs: bool = False,
        fragment_ids_this_run: list[str] | None = None,
    ) -> None:
        no_fragment = None if fragment_ids_this_run is None else list[str]()
        clear(queue, retain_lifecycle_msgs, no_fragment)

    ForwardMsgQueue.clear = kept  # type: ignore[method-assign, assignment]
