"""The columns that VibeMCP's own tools send, as projections for anybody's data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Preset:
    """The label of one tool's output and its columns; None for a detail, which has all keys."""

    label: str
    columns: tuple[str, ...] | None


def _preset(label: str, columns: str) -> Preset:
    return Preset(label, tuple(columns.split()))


#: name -> preset: ``encode(value, name=preset.label, columns=preset.columns)``.
PRESETS: Final[dict[str, Preset]] = {
    "gmail-messages": _preset("messages", "id subject from date snippet"),
    "outlook-messages": _preset("messages", "id subject from receivedDateTime isRead preview"),
    "outlook-search": _preset("messages", "id subject from receivedDateTime preview"),
    "google-events": _preset("events", "id summary start end location organizer"),
    "outlook-events": _preset("events", "id subject start end location organizer"),
    "google-calendars": _preset("calendars", "id summary primary timeZone"),
    "outlook-calendars": _preset("calendars", "id name isDefaultCalendar canEdit"),
    "labels": _preset("labels", "id name type"),
    "folders": _preset("folders", "id displayName totalItemCount unreadItemCount"),
    "threads": _preset("threads", "id snippet"),
    "thread-messages": _preset("thread_messages", "id from subject date snippet"),
    "categories": _preset("categories", "id displayName color"),
    "contacts": _preset("contacts", "email name"),
    "unified-results": _preset("unified_results", "_account _provider subject from date"),
    "unread-messages": _preset("unread_messages", "_account _provider subject from"),
    "message": Preset("message", None),
    "label": Preset("label", None),
}
