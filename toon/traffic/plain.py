"""Records that are payloads, or hold one at the payload's path."""

from __future__ import annotations

from collections.abc import Iterator

from toon.traffic import har
from toon.traffic.json_stream import RawRecord
from toon.traffic.kinds import Origin
from toon.traffic.locate import find_group, find_time, find_value, locate, name_group, read_record
from toon.traffic.payload import Payload, Record


def read(record: RawRecord, origin: Origin) -> Iterator[Record]:
    """The payload of a JSON text that may name its own group and time.

    Of traffic in a HAR only the responses are kept, wherever it lies.

    Raises:
        TextError: The record cannot be read, or is a damaged HAR.
    """
    node = read_record(record.text).opened()
    payload = node if har.is_traffic(node.value) else locate(node, origin.payload_path or ())
    if har.is_traffic(payload.value):
        yield from har.responses(payload.value, record.number, origin)
        return
    har.refuse_traffic(record.text)
    group = origin.group
    if origin.group_path is not None:
        group = name_group(find_value(node.value, origin.group_path))
    elif not origin.whole:
        group = find_group(node.value) or group
    yield Payload(origin.name, record.number, group, payload.text, find_time(node.value))
