"""The kinds of logs in which tools wrap what was sent to a model, and how each is recognised.

A kind is recognised by patterns of :func:`toon.traffic.keys.told`. Where the keys come from:

- types or fixtures in the maker's repository, looked up: OpenHands, SWE-agent, tau-bench, AutoGen,
  Semantic Kernel, LlamaIndex, Haystack, smolagents, Inspect, Continue, Flowise, Qwen Code,
  LangGraph, Pydantic AI, LiteLLM, Roo Code; promptfoo (its usage alone); what the docstrings
  of :mod:`.runs` and :mod:`.spans` name;
- files and public reports that people sent: Gemini CLI, Claude Code, Codex, Copilot, ChatGPT,
  LibreChat, opencode, goose, pi, OpenAI's Agents SDK for JavaScript, Cloudflare;
- programs that read such files, in their tests and documents: claude.ai, LM Studio, Open WebUI,
  n8n, Amp, Droid, Bedrock;
- general knowledge: Helicone, ATIF, the results of promptfoo.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from toon.traffic.envelopes import collection, gateway, mcp, runs, spans, tap
from toon.traffic.envelopes.sessions import read_requests, read_session
from toon.traffic.keys import told
from toon.traffic.kinds import Envelope, Reader
from toon.traffic.locate import Node
from toon.traffic.tools import inside
from toon.traffic.walker import speaks


def _session(name: str, label: str, kept: str, *patterns: str, passed: str = "") -> Envelope:
    read = partial(read_session, passed=frozenset(passed.split()))
    answered = "what tools answered, by tool"
    return Envelope(name, label, answered, kept, _NOTHING, recognises=told(*patterns), read=read)


def _requests(name: str, label: str, kept: str, recognises: Callable[[Any], bool]) -> Envelope:
    answered = "what tools answered in requests, by tool"
    read = read_requests
    return Envelope(name, label, answered, kept, _NOTHING, recognises=recognises, read=read)


def _traces(
    name: str, label: str, kept: str, recognises: Callable[[Any], bool], read: Reader, where: str
) -> Envelope:
    records = f"results of tools{where}"
    nothing = f"no {records} in it"
    return Envelope(
        name, label, f"{records}, by tool", kept, nothing, recognises=recognises, read=read
    )


def _bedrock(value: Any) -> bool:
    is_log = told("schematype=modelinvocationlog")
    if not isinstance(value, dict):
        return False
    around = inside(Node(value, ""), ("message", "@message", "log"), "ModelInvocationLog")
    return is_log(value) or any(is_log(each.value) for each in around)


_NOTHING: Final = "no tool result in it"
_SPANS: Final = " in its spans"
#: The first that recognises one of a file's first records reads them all: the general ones, which
#: recognise messages and calls wherever they lie, stand last.
ENVELOPES: Final[tuple[Envelope, ...]] = (
    tap.KIND,
    collection.KIND,
    _session(
        "gemini-cli", "session of Gemini CLI or Qwen Code",
        "~/.gemini/tmp and ~/.qwen/projects, in the folders called chats",
        "sessionid projecthash", "type=user|assistant|toolresult sessionid message.parts",
    ),
    _session(
        "claude_code", "Claude Code session", "~/.claude/projects, a folder for each project",
        "type=user|assistant sessionid message.role message.content", passed="progress",
    ),
    _session(
        "codex", "Codex session", "~/.codex/sessions, a folder for each day",
        "type=sessionmeta|responseitem|turncontext|eventmsg|compacted payload timestamp",
        "recordtype=state", "type=threadstarted threadid", "type=itemcompleted item.type",
        passed="eventmsg compacted",
    ),
    _session(
        "copilot", "session of GitHub Copilot",
        "chatSessions in the storage of VS Code's workspaces; ~/.copilot/session-state",
        "requests.message requests.response requesterusername|responderusername|initiallocation",
        "type=sessionstart|usermessage|assistantmessage|toolexecutionstart data parentid",
    ),
    _session(
        "opencode", "session of opencode", "opencode export; its storage of parts",
        "messages.info.role messages.parts", "type=tool callid state.status",
        "role=user|assistant sessionid modelid|agent|model time.created",
    ),
    _session(
        "chatgpt", "ChatGPT export", "conversations.json of “Export data”", "mapping createtime"
    ),
    _session(
        "claude-ai", "claude.ai export", "conversations.json of “Export data”", "chatmessages uuid"
    ),
    _session(
        "langgraph", "LangGraph state", "what get_state and get_state_history give, as JSON",
        "values.messages next|config|checkpoint|checkpointid",
    ),
    _session(
        "open-webui", "Open WebUI export", "“Export chats” in its settings",
        "chat.history.messages", "chat.messages id",
    ),
    _session(
        "librechat", "LibreChat export", "“Export conversation” as JSON",
        "conversationid messages.messageid",
    ),
    _session(
        "lm-studio", "LM Studio conversation", "~/.lmstudio/conversations", "messages.versions"
    ),
    _session(
        "continue", "Continue session", "~/.continue/sessions",
        "history.message history.contextitems",
    ),
    _session(
        "goose", "goose session", "goose session export; its older sessions as JSON Lines",
        "role content.type=toolrequest|toolresponse", "workingdir messagecount",
        "conversation.content.type=toolrequest|toolresponse",
    ),
    _session(
        "agent-session", "session of pi or Droid", "~/.pi/agent/sessions; ~/.factory/sessions",
        "type=session version|cwd", "type=sessionstart cwd|title",
        "type=message message.role=toolresult",
    ),
    _session("amp", "Amp thread", "amp threads export", "messages.content.run.status"),
    _session(
        "autogen", "AutoGen messages", "the state or the messages that your program saves",
        "type=toolcallrequestevent|toolcallexecutionevent source",
        "type=functionexecutionresultmessage content",
        "messages.type=toolcallrequestevent|toolcallexecutionevent",
        "agentstates type=teamstate", "type=assistantagentstate",
    ),
    _session(
        "semantic-kernel", "Semantic Kernel chat history", "the history as JSON",
        "items.$type=functionresultcontent|functioncallcontent",
        "items.contenttype=functionresult|functioncall",
        "messages.items.$type|messages.items.contenttype",
    ),
    _session(
        "llamaindex", "LlamaIndex messages", "the chat store or memory as JSON",
        "blocks.blocktype role", "messages.blocks.blocktype",
        "store classname=simplechatstore", "chatstore.store",
    ),
    _session(
        "haystack", "Haystack messages", "the messages of a pipeline or an agent as JSON",
        "role content.toolcallresult", "messages.content.toolcallresult",
    ),
    _session(
        "smolagents", "smolagents memory", "agent.memory.get_full_steps() as JSON",
        "toolcalls observations", "steps.toolcalls steps.observations",
    ),
    _session(
        "openhands", "OpenHands events", "the events of a conversation, or its trajectory",
        "source=agent|user|environment observation|action cause|args|extras|timestamp id",
        "history.source history.observation",
    ),
    _session(
        "swe-agent", "SWE-agent trajectory", "the .traj files of its runs",
        "trajectory.action trajectory.observation",
    ),
    _session(
        "tau-bench", "tau-bench results", "the JSON files of its results",
        "traj.role taskid reward|info|trial", "simulations.messages.role",
    ),
    _session(
        "atif", "trajectory of Harbor or Terminal-Bench", "trajectory.json, in the format ATIF",
        "schemaversion steps.source",
    ),
    _session(
        "promptfoo", "promptfoo results",
        "promptfoo eval -o results.json or .jsonl; promptfoo export eval",
        "results.results.testcase results.results.prompt", "results.testcase results.prompt",
        "testcase prompt promptidx|promptid response|vars",
    ),
    _session(
        "inspect", "Inspect log", "logs of inspect eval, .eval or .json",
        "messages.role target|scores|epoch", "samples.messages.role eval", "eval.taskid status",
    ),
    _session(
        "n8n", "n8n execution", "an execution's data as JSON",
        "data.resultdata.rundata", "resultdata.rundata", "executiondata.resultdata.rundata",
    ),
    _session(
        "flowise", "Flowise messages", "“Export messages”",
        "usedtools.tool chatid|role|type|question",
    ),
    _session(
        "agents-js", "run of OpenAI's Agents SDK for JavaScript",
        "result.history, or a state of a run as JSON", "type=functioncallresult callid",
        "generateditems.rawitem", "originalinput modelresponses",
    ),
    _requests(
        "bedrock", "Amazon Bedrock invocation log",
        "the bucket or log group of Bedrock's model invocation logging", _bedrock,
    ),
    _requests(
        "helicone", "Helicone export", "npx @helicone/export --include-body",
        told("requestid requestcreatedat requestmodel|requestpath|responsebody|requestbody"),
    ),
    _requests(
        "litellm", "LiteLLM log", "the callbacks of the proxy, or its table LiteLLM_SpendLogs",
        told("calltype starttime responsecost|spend"),
    ),
    _requests(
        "cloudflare", "Cloudflare AI Gateway log", "the Logpush job of the gateway",
        told("gateway provider requestbody|responsebody"),
    ),
    _traces(
        "langfuse", "Langfuse observations",
        "Langfuse's export to blob storage, or the export of a table of observations",
        runs.LANGFUSE.recognises, runs.LANGFUSE.read, "",
    ),
    _traces(
        "langsmith", "LangSmith runs", "LangSmith's bulk export, or the runs that its client lists",
        runs.LANGSMITH.recognises, runs.LANGSMITH.read, "",
    ),
    _traces(
        "openai-agents", "trace of OpenAI's Agents SDK",
        "what a trace processor of your program writes",
        runs.OPENAI_AGENTS.recognises, runs.OPENAI_AGENTS.read, _SPANS,
    ),
    Envelope(
        "pydantic-ai", "Pydantic AI message history", "what tools returned, by tool",
        "what all_messages_json gives, or your program keeps of it", "no tools returned in it",
        recognises=told(
            "kind=request|response parts.partkind", "messages.parts.partkind",
            "allmessages.parts.partkind", "newmessages.parts.partkind",
            "messagehistory.parts.partkind",
        ), read=read_session,
    ),
    _traces(
        "openinference", "OpenInference trace",
        "the spans that Phoenix or Arize exports, as JSON, CSV or Parquet",
        spans.is_openinference, spans.read, _SPANS,
    ),
    _traces(
        "mlflow", "MLflow trace",
        "what mlflow traces get and search_traces write, or the traces of a run's artifacts",
        spans.is_mlflow, spans.read, _SPANS,
    ),
    _traces(
        "otel", "OpenTelemetry trace",
        "the file exporter of a collector, the console exporter, an export of Jaeger or Logfire",
        spans.is_trace, spans.read, _SPANS,
    ),
    gateway.KIND,
    mcp.KIND,
    Envelope(
        "chat", "chat-completion log", "what tools answered, by tool",
        "the JSON Lines or JSON that your program, gateway or batch job writes of its requests",
        _NOTHING, recognises=speaks, read=read_requests,
    ),
)  # fmt: skip
