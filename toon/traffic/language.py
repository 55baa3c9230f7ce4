"""The vocabulary of logs: the keys and marks of results, calls, messages, models and times.

Agents, gateways and tracers write the same few things with other spellings. :mod:`.keys` compares
keys without case, ``_`` and ``-``; a path has dots. A new spelling is a word here.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from toon.traffic.keys import (
    ITEMS,
    LONGEST,
    Path,
    at,
    beginning,
    chosen,
    keys_of,
    paths_of,
    plain,
    words_of,
)  # fmt: skip

# Results ------------------------------------------------------------------------------------------

#: Keys of what an object is, and the keys among them that name the speaker.
SPEAKERS: Final = words_of("role from author.role info.role role.label sender")
MARKS: Final = words_of(
    "type kind pt partkind messagetype contenttype $type blocktype event object"
)
_BY: Final = (
    r"(?:on|custom|local|mcp|code|bash|text|computer|editor|shell|apply|patch|execution|call|use"
    r"|tool|function)*"
)
#: Values of a mark that tell a result. An event's marks name what was run.
_RESULT: Final = re.compile(
    rf"{_BY}(?:tool|function|shell|patch|mcp|call){_BY}(?:results?|outputs?|response|return)"
    r"(?:item|content|message|event|block|part|info)?"
    r"|commandexecution"
    r"|(?:on)?(?:tool|function)(?:message|messagechunk|callexecutionevent|executionresultmessage"
    r"|executioncomplete|executionend|end|completed|callcompleted|callend)"
)
_OF_CALL: Final = re.compile(r"(?:tool|function|mcp).{0,20}(?:call|use|invo)")
#: Speakers that are tools. An ambiguous one counts only beside the id of a call.
TOOLS: Final = frozenset(words_of("tool function toolmessage ipython observation"))
WITH_ID: Final = frozenset(
    words_of("tool function toolcall tooluse toolinvocation mcpcall mcptoolcall dynamictool")
)

#: Keys of a call's id, the surest first. ``id`` counts where a mark or a key tells a call.
CALL_IDS: Final = words_of("toolcallid tooluseid callid toolcallrequestid sourcecallid")
NESTED_IDS: Final = words_of(
    "additionalkwargs.toolcallid toolcallmetadata.toolcallid toolcall.id origin.id"
)
SURE_IDS: Final = frozenset(["toolcallid", "tooluseid", "sourcecallid"])
#: Keys whose object, or list of objects, is a result.
HELD: Final = frozenset(
    words_of(
        "functionresponse toolresult toolresults toolcallresult aitool actiongroupinvocationoutput"
    )
)
#: Keys of objects that map the ids of calls to results.
MAPS: Final = frozenset(["toolcallresults"])
#: Keys of calls, or of lists of calls, which may hold their results.
CALLS: Final = frozenset(
    words_of(
        """
    toolcall toolcalls toolinvocation toolinvocations functioncall functioncalls tooluse tooluses
    toolcallstates usedtools toolrequests
        """
    )
)

#: Paths to a tool's answer in a result; the first present counts.
CONTENTS: Final = paths_of(
    """
    state.output state.error output.value output toolresult.value toolresult.error toolresult
    observation.content observation.output result response content.stdout content.parts content
    blocks run.result function.output data.output json.response tooloutput toolresponse toolreturn
    aggregatedoutput observation observations outputs stdout return value text error
    """
)
#: Paths to an answer that make a call, or an object with a call's id, a result.
TELLING: Final = frozenset(
    words_of(
        """
    state.output state.error output.value output result response content run.result toolresult
    function.output data.output tooloutput toolresponse toolreturn aggregatedoutput content.parts
    content.stdout observation observation.content observation.output
        """
    )
)
_NAMES: Final = paths_of(
    """
    toolname functionname toolcallname name tool toolid call.name origin.toolname origin author.name
    additionalkwargs.name toolcallmetadata.functionname function.name function toolcall.name
    rawitem.name action.tool
    """
)
ARGUMENTS: Final = words_of("arguments args input parameters toolinput rawinput toolargs")
_IDS: Final = paths_of(" ".join((*CALL_IDS, *NESTED_IDS)))
_CALLED: Final = paths_of(" ".join(("id", "toolid", *CALL_IDS)))
SERVER: Final = "servername"
_HOLDERS: Final = words_of("function value toolcall invocation")

#: Keys of repeated results, of views for people and of schemas; none of these are walked.
PASSED: Final = frozenset(
    words_of(
        """
    tooluseresult resultdisplay returndisplay detailedcontent resultdetails preview inputschema
    jsonschema toolconfig functiondeclarations logprobs embedding replacementhistory
    structuredcontent artifact rawoutput tools functions usage
        """
    )
)


#: Keys that are not walked beside another key, which repeats them (parts, SWE-agent's steps) or
#: is described by them (a schema).
AGAIN: Final = {"parts": "toolinvocations", "trajectory": "history", "type": "properties"}

#: Keys of n8n that repeat the runs of tools, and of all runs by node.
STEPS: Final = "intermediatesteps"
RUNS: Final = "rundata"

#: Keys that only agents' logs have. An object with one is no payload.
SPOKEN: Final = frozenset(
    words_of(
        """
    toolcalls toolcallid tooluseid tooluse functioncall functioncalls toolresults functionresponse
    toolresult toolresponse tooloutput toolinvocations chatmessages toolinvocation toolcallresults
    tooloutputs llmrequest chathistory toolname toolinput toolargs mcptoolcall intermediatesteps
    agentthoughts extractedcontent
        """
    )
)


@lru_cache(4096)
def names_call(mark: str) -> bool:
    """Return whether a text, such as a ``type`` in a log, names a tool's call or its answer."""
    spelled = plain(mark)
    return is_result(mark) or (_OF_CALL.search(spelled) is not None and len(spelled) <= LONGEST)


@lru_cache(4096)
def is_result(mark: str) -> bool:
    """Return whether a text, such as a ``type`` in a log, names the result of a tool."""
    return len(mark) <= LONGEST and _RESULT.fullmatch(plain(mark)) is not None


def call_id(value: dict[str, Any]) -> str | None:
    """Return the id of a tool's call, such as ``tool_call_id``, in a log's JSON object, or None."""
    return next(_texts(value, _IDS), None)


def name_of(value: dict[str, Any]) -> str | None:
    """Return the tool's name, such as ``tool_name``, in a log's JSON object, or None."""
    return next(_texts(value, _NAMES), None)


def _texts(value: dict[str, Any], paths: tuple[Path, ...]) -> Iterator[str]:
    for path in beginning(value, paths):
        found: Any = value
        for step in path:
            found = found.get(keys_of(found).get(step, "")) if isinstance(found, dict) else None
        if isinstance(found, str) and found:
            yield found


def called(value: dict[str, Any]) -> tuple[list[str], str] | None:
    """Return the call's ids and the tool's name in a log's JSON object; None if it is no call."""
    held = (value[key] for key in chosen(value, _HOLDERS))
    inner = next((each for each in held if isinstance(each, dict)), value)
    inner = inner["value"] if isinstance(inner.get("value"), dict) else inner
    name = name_of(inner) or (name_of(value) if inner is not value else None)
    ids = list(_texts(value, _CALLED))
    if name is None or not ids:
        return None
    server = at(value, SERVER)
    return ids, f"mcp__{server}__{name}" if isinstance(server, str) else name


# Messages -----------------------------------------------------------------------------------------

ROLES: Final = frozenset(
    ["system", "developer", "user", "assistant", "tool", "function", "model", "toolresult"]
)
_ROLES: Final = tuple((path.partition(".")[0], path) for path in SPEAKERS[:5] if path != "from")
#: Speakers that a key other than the role names; a conversation has people and models.
_PEOPLE: Final = frozenset(words_of("user human usermessage usermessageevent"))
_MODELS: Final = frozenset(
    words_of(
        """
    assistant ai gpt model gemini qwen bot chatgpt agent assistantmessage aimessage claude
    textmessage
        """
    )
)
#: Keys of which a message has at least one beside its role.
SAID: Final = frozenset(words_of("content toolcalls parts toolinvocations blocks items"))
_OF_RESPONSES: Final = re.compile(r"\w+call(?:output|result)?")
MESSAGES_IN: Final = words_of("message content rawitem")
_DEEPEST: Final = 20

#: Keys of a request's prompt, which may be a conversation.
PROMPTS: Final = words_of("messages contents input")
ASKED: Final = (*PROMPTS, "prompt", "inputs")


def is_message(value: Any, depth: int = 0) -> bool:
    """Return whether a value is a chat's message, or an item like one: a tool's call or result."""
    if not isinstance(value, dict):
        return False
    keys = keys_of(value)
    for first, path in _ROLES:
        if first in keys:
            role = at(value, path)
            if isinstance(role, str) and plain(role) in ROLES | TOOLS:
                return not SAID.isdisjoint(keys)
    kind = value.get(keys.get("type", ""))
    kind = plain(kind) if isinstance(kind, str) else ""
    if kind == "mcpcall" or (kind and "callid" in keys and _OF_RESPONSES.fullmatch(kind)):
        return kind != "mcpcall" or "output" in keys
    if kind == "constructor" and isinstance(value.get("kwargs"), dict):
        return "content" in value["kwargs"]  # LangChain, serialized
    if kind in ("tool", "toolmessage") and "content" in keys:
        return "toolcallid" in keys
    if kind in ("human", "ai", "tool", "humanmessage", "aimessage"):
        return "content" in keys or isinstance(value.get("data"), dict)
    inner = (value[keys[key]] for key in MESSAGES_IN if key in keys)
    return depth < _DEEPEST and any(is_message(each, depth + 1) for each in inner)


def is_conversation(value: Any) -> bool:
    """Return whether a value is a list of a chat's messages, or a map of them by id."""
    if isinstance(value, dict):
        value = list(value.values()) if len(value) <= 1_000_000 else []
    if not isinstance(value, list):
        return False
    if any(map(is_message, value)):
        return True
    seen = set[str]()
    for each in value[:ITEMS]:
        for path in ("from", "sender", "type", "author", "from.role"):
            who = at(each, path)
            if isinstance(who, str) and (
                at(each, "value") or at(each, "content") or at(each, "text")
            ):
                seen.add(plain(who))
    return not seen.isdisjoint(_PEOPLE) and not seen.isdisjoint(_MODELS)


# Models, times and conversations ------------------------------------------------------------------

#: Keys of a record's model; the first present counts.
MODELS: Final = words_of(
    "model modelid modelname requestmodel genairequestmodel modelversion modelslug"
)
ABOUT_MODEL: Final = words_of(
    "request body params message response info metadata responsemetadata requestbody usage"
)
#: Keys of a record's conversation; the first present counts.
CONVERSATIONS: Final = words_of("conversationid sessionid threadid mcpsessionid")
#: Paths to the folder that a record's session works in.
PROJECTS: Final = words_of(
    "cwd payload.cwd data.context.cwd path.cwd info.path.cwd directory info.directory workingdir"
)
#: Keys of a record's time; the first readable counts.
TIMES: Final = words_of(
    """
    timestamp @timestamp time ts datetime date created createdat createtime starteddatetime
    starttime starttimeunixnano timeunixnano starttimestamp startedat requestcreatedat
    timeiso8601 timelocal requesttimeepoch requesttime
    """
)
#: Paths to a call's usage, the surest first.
USAGES: Final = words_of(
    "usagedetails usage usagemetadata usageobject tokenusage modelsusage metrics tokens"
)
#: Keys that wrap a request, an answer or both; the answer first.
WRAPPERS: Final = words_of(
    """
    response body message responsebody output outputbodyjson result fullresponse payload data
    outputs kwargs spandata info request requestbody params proxyserverrequest modelparameters
    optionalparams invocationparams input inputs inputbodyjson metadata extra fullrequest log
    """
)
#: Types of a session's first records, and the keys there of its parent's id or its own.
SESSIONS: Final = frozenset(words_of("session sessionmeta sessionstart"))
ROOTS: Final = words_of("forkedfromid parentthreadid parentsessionid parentsession sessionid id")

# Objects by their keys alone: a log has few kinds of these ---------------------------------------


class Outline(NamedTuple):
    """Facts about a log's JSON object that its keys tell: what it may be, which members to walk."""

    keys: dict[str, str]
    members: tuple[tuple[str, str], ...]
    speakers: tuple[str, ...]
    marks: tuple[str, ...]
    may_be: bool
    may_look: bool
    may_call: bool
    may_say: bool
    may_tell: bool
    may_bill: bool
    is_given: bool


_LOOKED: Final = frozenset([*TIMES, *MODELS, *ABOUT_MODEL, "uuid", "provider"])
_GIVEN: Final = frozenset(ARGUMENTS)
_CALLING: Final = frozenset(["id", "toolid", *CALL_IDS])
_BILLING: Final = frozenset([*USAGES, *WRAPPERS, *MESSAGES_IN])
_SAYING: Final = frozenset(["type", *MESSAGES_IN, *(path.partition(".")[0] for path in SPEAKERS)])
_TOLD_BY: Final = frozenset([
    *CALL_IDS, *(path.partition(".")[0] for path in NESTED_IDS), "observation", "observations",
    "toolname", "tool", "output",
])  # fmt: skip


def _outline(names: tuple[str, ...]) -> Outline:
    keys = keys_of(dict.fromkeys(names))
    again = {said for key, said in AGAIN.items() if key in keys}
    members = ((name, plain(name)) for name in names)
    speakers = tuple(path for path in SPEAKERS if path.partition(".")[0] in keys)
    marks = tuple(keys[mark] for mark in MARKS if mark in keys)
    may_tell = not _TOLD_BY.isdisjoint(keys)
    return Outline(
        keys,
        tuple(each for each in members if each[1] not in PASSED and each[1] not in again),
        speakers,
        marks,
        bool(speakers or marks or may_tell),
        not _LOOKED.isdisjoint(keys),
        not _CALLING.isdisjoint(keys),
        not _SAYING.isdisjoint(keys),
        may_tell,
        not _BILLING.isdisjoint(keys),
        not _GIVEN.isdisjoint(keys),
    )


_known_outline = lru_cache(1 << 12)(_outline)


def outline_of(value: dict[str, Any]) -> Outline:
    """Return the Outline of a JSON object in a log from its keys alone; values are not read."""
    return (_known_outline if len(value) < 64 else _outline)(tuple(value))
