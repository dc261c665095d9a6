"""What a server says, as Python objects. Each keeps the JSON it was read from in `raw`.

Reading is lenient where the protocol is (unknown members are ignored, D-4) and precise where the client
builds on something: a message that lacks it is a ProtocolError that lists everything that is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from . import _json, _time
from .errors import Fault, ProtocolError, shown
from .facts import FactObject, StateDelta, has_shape

VERSION = "2026-02-draft"
STATUSES = ("booting", "ready", "degraded", "draining")
JsonObject = Dict[str, Any]


class _Reader:
    """Takes members out of an object and collects what is wrong with them."""

    def __init__(self, what: str, value: Any, prefix: str = "") -> None:
        self.what = what
        self.prefix = prefix
        self.wrong: List[str] = []
        self.value: JsonObject = value if isinstance(value, dict) else {}
        if not isinstance(value, dict):
            self.wrong.append("it is no object")

    def take(self, name: str, kind: Any, default: Any = None, *, needed: bool = False) -> Any:
        value = self.value.get(name)
        if value is None:
            if needed:
                self.wrong.append(f"{self.prefix}{name} is missing")
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.wrong.append(f"{self.prefix}{name} is of the wrong type")
            return default
        return value

    def part(self, name: str) -> "_Reader":
        reader = _Reader(self.what, self.take(name, dict, {}, needed=True), f"{name}.")
        reader.wrong = self.wrong
        return reader

    def texts(self, name: str) -> Tuple[str, ...]:
        return tuple(item for item in self.take(name, list, []) if isinstance(item, str))

    def done(self) -> None:
        if self.wrong:
            raise ProtocolError(f"{self.what}: " + "; ".join(self.wrong))


# ---- the manifest --------------------------------------------------------------------------


@dataclass(frozen=True)
class PredicateSchema:
    """What a predicate looks like. `arg_names` None: there is no form with named arguments."""

    predicate: str
    arity: int
    arg_types: Optional[Tuple[str, ...]] = None
    arg_names: Optional[Tuple[str, ...]] = None
    temporal: bool = False
    description: str = ""
    direction: str = "both"


@dataclass(frozen=True)
class IntentInfo:
    """An intent that the server lists."""

    name: str
    description: str = ""
    required_facts: Tuple[str, ...] = ()
    optional_facts: Tuple[str, ...] = ()


@dataclass(frozen=True)
class Limits:
    max_message_bytes: int
    max_facts_per_request: int
    max_derived_facts: int
    max_intervals_per_atom: Optional[int] = None
    max_compute_ms: Optional[int] = None


@dataclass(frozen=True)
class Auth:
    required: bool
    schemes: Tuple[str, ...] = ()
    token_url: Optional[str] = None


@dataclass(frozen=True)
class Manifest:
    """What the server says of itself. `predicates` None: it publishes no list, and any name may pass."""

    server_name: str
    server_version: str
    status: str
    conformance_level: int
    domain_id: str
    domain_description: str
    intents: Tuple[IntentInfo, ...]
    predicates: Optional[Mapping[str, PredicateSchema]]
    time_formats: Tuple[str, ...]
    temporal: bool
    named_args: bool
    limits: Limits
    auth: Auth
    intent_endpoint: Optional[str]
    invoke_endpoint: Optional[str]
    extensions: JsonObject
    raw: JsonObject = field(repr=False)

    @staticmethod
    def read(payload: Any) -> "Manifest":
        r = _Reader("the manifest", payload)
        protocol, domain, auth = r.part("protocol"), r.part("domain"), r.part("auth")
        profile, capabilities, limits = r.part("facts_profile"), r.part("capabilities"), r.part("limits")
        endpoints = _Reader("endpoints", r.take("endpoints", dict, {}))
        spoken = protocol.take("manglecp", str, "", needed=True)
        if spoken != VERSION and VERSION not in protocol.texts("supported_versions"):
            r.wrong.append(f"it speaks {spoken!r} and not {VERSION}")
        status = r.take("status", str, "", needed=True)
        if status and status not in STATUSES:
            r.wrong.append(f"its status {status!r} is none of {', '.join(STATUSES)}")
        predicates = profile.take("predicates", list)
        manifest = Manifest(
            server_name=r.take("server_name", str, "", needed=True),
            server_version=r.take("server_version", str, ""),
            status=status,
            conformance_level=protocol.take("conformance_level", int, 1),
            domain_id=domain.take("id", str, ""),
            domain_description=domain.take("description", str, ""),
            intents=tuple(_read_intent(entry) for entry in r.take("intents", list, [])),
            predicates=(
                None if predicates is None else {p.predicate: p for p in map(_read_predicate, predicates)}
            ),
            time_formats=profile.texts("time_formats") or ("rfc3339",),
            temporal=capabilities.take("temporal", bool, False),
            named_args=capabilities.take("named_args", bool, False),
            limits=_read_limits(limits),
            auth=Auth(
                auth.take("required", bool, False, needed=True),
                auth.texts("schemes"),
                auth.take("token_url", str),
            ),
            intent_endpoint=endpoints.take("intent_eval", str),
            invoke_endpoint=endpoints.take("macro_invoke", str),
            extensions=r.take("extensions", dict, {}),
            raw=r.value,
        )
        r.wrong += endpoints.wrong
        r.done()
        return manifest

    def intent(self, name: str) -> Optional[IntentInfo]:
        return next((info for info in self.intents if info.name == name), None)

    def arg_names(self, pred: str) -> Optional[Sequence[str]]:
        schema = (self.predicates or {}).get(pred)
        return schema.arg_names if schema else None


def _read_intent(entry: Any) -> IntentInfo:
    r = _Reader("an intent of the manifest", entry)
    info = IntentInfo(
        r.take("name", str, "", needed=True),
        r.take("description", str, ""),
        r.texts("required_facts"),
        r.texts("optional_facts"),
    )
    r.done()
    return info


def _read_predicate(entry: Any) -> PredicateSchema:
    r = _Reader("a predicate of the manifest", entry)
    types, names = r.take("arg_types", list), r.take("arg_names", list)
    schema = PredicateSchema(
        r.take("predicate", str, "", needed=True),
        r.take("arity", int, 0, needed=True),
        None if types is None else tuple(map(str, types)),
        None if names is None else tuple(map(str, names)),
        r.take("temporal", bool, False),
        r.take("description", str, ""),
        r.take("direction", str, "both"),
    )
    for listed in (schema.arg_types, schema.arg_names):
        if listed is not None and len(listed) != schema.arity:
            r.wrong.append(f"{schema.predicate} has arity {schema.arity} and lists {len(listed)} arguments")
    r.done()
    return schema


def _read_limits(r: _Reader) -> Limits:
    return Limits(
        r.take("max_message_bytes", int, 16_777_216, needed=True),
        r.take("max_facts_per_request", int, 1, needed=True),
        r.take("max_derived_facts", int, 1, needed=True),
        r.take("max_intervals_per_atom", int),
        r.take("max_compute_ms", int),
    )


# ---- tools ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Safety:
    """What calling a tool means. `side_effects` is () for none (D-39)."""

    requires_user_confirmation: bool
    side_effects: Tuple[str, ...]
    reversible: bool = False
    idempotent: bool = False


@dataclass(frozen=True)
class ContextResource:
    uri: str
    relevance: str = ""
    priority: float = 0

    @property
    def url(self) -> str:
        """The URI with its scheme: a bare path is a file (P-CTX-3)."""
        scheme = self.uri.split(":", 1)[0]
        has_scheme = ":" in self.uri and scheme.isascii() and scheme[:1].isalpha() and "/" not in scheme
        return self.uri if has_scheme else f"file://{self.uri}"


@dataclass(frozen=True)
class Question:
    """What a user has to know before saying yes (P-CONF-3). The texts come from a server: they are data.
    `str(question)` is fit for a terminal.

    bound  [{"name", "value"}, ...] that rules of the server filled in beside `args`; without "value" where the
           caller may not see it. Only the server tells of them: empty before
    question  what the tool asks, which runs already, before it runs `action` with `inputs`; None: it is asked
           about the tool as a whole"""

    tool: str
    description: str
    side_effects: Tuple[str, ...]
    reversible: bool
    args: JsonObject
    macro_id: str
    bound: Tuple[JsonObject, ...] = ()
    question: Optional[str] = None
    action: str = ""
    inputs: JsonObject = field(default_factory=dict)

    def __str__(self) -> str:
        effects = ", ".join(self.side_effects) or "none"
        undone = "can" if self.reversible else "cannot"
        args = "".join(f"\n  {name} = {_json.encode(value).decode()}" for name, value in self.args.items())
        args += "".join(
            f"\n  {one.get('name')}"
            + (f" = {_json.encode(one['value']).decode()}" if "value" in one else "")
            + ", filled in by a rule"
            for one in self.bound
        )
        told = " ".join(
            f"{self.tool}: {self.description}".split()
        )  # on one line: it cannot pretend to be the next
        if self.question is not None:
            told += "\n  it has begun, and asks: " + " ".join(self.question.split())
            args += f"\n  it would run {' '.join(self.action.split())} with"
            args += "".join(f"\n  {name} = {_json.encode(value).decode()}" for name, value in self.inputs.items())
        return shown(f"{told}\n  effects: {effects}; it {undone} be undone{args}")


@dataclass(frozen=True)
class Origin:
    """The request that a tool came from, so that it can be asked again (P-CACHE-6, P-TOOL-18)."""

    intent: str
    params: JsonObject
    facts: Tuple[FactObject, ...]
    eval_time: Optional[str]  # None: the moment of asking
    constraints: JsonObject
    options: JsonObject
    unlisted: bool


@dataclass(frozen=True)
class Tool:
    """A macro-tool as it was offered. What its level does not show is None or empty."""

    macro_id: str
    name: str
    level: str
    description: str = ""
    input_schema: Optional[JsonObject] = None
    output_schema: Optional[JsonObject] = None
    instructions: str = ""
    skills: Tuple[JsonObject, ...] = ()
    resources: Tuple[ContextResource, ...] = ()
    safety: Optional[Safety] = None
    not_before: Optional[str] = None
    expires_at: Optional[str] = None
    metadata: JsonObject = field(default_factory=dict, compare=False)
    raw: JsonObject = field(default_factory=dict, repr=False, compare=False)
    origin: Optional[Origin] = field(default=None, repr=False, compare=False)

    @staticmethod
    def read(entry: Any, origin: Optional[Origin] = None) -> "Tool":
        r = _Reader("a tool", entry)
        context = _Reader("context_injection", r.take("context_injection", dict, {}))
        validity = _Reader("validity", r.take("validity", dict, {}))
        level = r.take("disclosure_level", str, "minimal")
        safety = r.take("safety", dict, needed=level == "full")
        tool = Tool(
            macro_id=r.take("macro_id", str, "", needed=True),
            name=r.take("name", str, "", needed=True),
            level=level,
            description=r.take("description", str, ""),
            input_schema=r.take("input_schema", dict, needed=level == "full"),
            output_schema=r.take("output_schema", dict),
            instructions=context.take("instructions", str, ""),
            skills=tuple(skill for skill in context.take("skills", list, []) if isinstance(skill, dict)),
            resources=_read_resources(context.take("context_resources", list, [])),
            safety=None if safety is None else _read_safety(safety),
            not_before=_read_instant(validity, "not_before"),
            expires_at=_read_instant(validity, "expires_at"),
            metadata=r.take("metadata", dict, {}),
            raw=r.value,
            origin=origin,
        )
        r.wrong += context.wrong + validity.wrong
        r.done()
        return tool

    @property
    def is_full(self) -> bool:
        return self.input_schema is not None and self.safety is not None

    @property
    def asks(self) -> bool:
        """Does the user have to agree? Unknown, and therefore False, below full."""
        return self.safety is not None and self.safety.requires_user_confirmation

    def expired(self, now_ns: int) -> bool:
        """Is `now_ns` at or after the end of its window (D-41)?"""
        return self.expires_at is not None and now_ns >= _time.parse(self.expires_at)

    def question(self, args: JsonObject) -> Question:
        safety = self.safety or Safety(True, ())
        return Question(
            self.name, self.description, safety.side_effects, safety.reversible, args, self.macro_id
        )


def _read_instant(r: _Reader, name: str) -> Optional[str]:
    text: Optional[str] = r.take(name, str)
    if text is not None:
        try:
            _time.parse(text)
        except ValueError as error:
            r.wrong.append(f"{name}: {error}")
            return None
    return text


def _read_safety(value: JsonObject) -> Safety:
    r = _Reader("safety", value)
    effects = r.texts("side_effects")
    safety = Safety(
        r.take("requires_user_confirmation", bool, True, needed=True),
        tuple(effect for effect in effects if effect != "none"),
        r.take("reversible", bool, False),
        r.take("idempotent", bool, False),
    )
    r.done()
    return safety


def _read_resources(entries: List[Any]) -> Tuple[ContextResource, ...]:
    found = []
    for entry in entries:
        r = _Reader("a context resource", entry)
        if isinstance(r.value.get("uri"), str):
            priority = r.value.get("priority", 0)
            found.append(
                ContextResource(
                    r.value["uri"], r.take("relevance", str, ""), priority if _json.is_number(priority) else 0
                )
            )
    return tuple(found)


@dataclass(frozen=True)
class Evaluation:
    """The answer to an intent. Iterating gives the tools, best first.

    proof_hints  with proofs=True: why each tool is there
    why_not      with why_not=[...]: why those tools are absent, and what would bring them (docs/client.md has its
                 members); None if nobody asked, or the server does not know of it"""

    tools: Tuple[Tool, ...]
    eval_time_used: str
    eval_duration_ms: Optional[int] = None
    required_skills: Tuple[JsonObject, ...] = ()
    proof_hints: Optional[JsonObject] = None
    diagnostics: JsonObject = field(default_factory=dict)
    raw: JsonObject = field(default_factory=dict, repr=False)
    why_not: Optional[Tuple[JsonObject, ...]] = None

    @staticmethod
    def read(payload: JsonObject, origin: Optional[Origin] = None, why_not: Any = None) -> "Evaluation":
        """`why_not`: what the envelope has of it."""
        r = _Reader("the answer to the intent", payload)
        evaluation = Evaluation(
            tuple(Tool.read(entry, origin) for entry in r.take("macro_tools", list, [], needed=True)),
            r.take("eval_time_used", str, "", needed=True),
            r.take("eval_duration_ms", int),
            tuple(skill for skill in r.take("required_skills", list, []) if isinstance(skill, dict)),
            r.take("proof_hints", dict),
            r.take("diagnostics", dict, {}),
            r.value,
            tuple(one for one in why_not if isinstance(one, dict)) if isinstance(why_not, list) else None,
        )
        r.done()
        return evaluation

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def find(self, name: str) -> Optional[Tool]:
        """The tool with this name or macro_id."""
        return next((tool for tool in self.tools if name in (tool.name, tool.macro_id)), None)

    def tool(self, name: str) -> Tool:
        """As find(); KeyError if it is not there."""
        found = self.find(name)
        if found is None:
            offered = ", ".join(tool.name for tool in self.tools) or "nothing"
            raise KeyError(f"{name} is not offered; {shown(offered)} is")
        return found

    def skill_text(self, skill_id: str) -> Optional[str]:
        """The text of a skill, sent inline or beside the tools (D-66)."""
        for tool in self.tools:
            for skill in tool.skills:
                if skill.get("skill_id") == skill_id and isinstance(skill.get("content"), str):
                    return str(skill["content"])
        for skill in self.required_skills:
            if skill.get("skill_id") == skill_id and isinstance(skill.get("content"), str):
                return str(skill["content"])
        return None


# ---- invocations ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """How far an invocation is. `percent` None: unknown. Arrives on stdio and WebSocket only."""

    status: str
    detail: Optional[str] = None
    percent: Optional[float] = None

    @staticmethod
    def read(payload: JsonObject) -> "Progress":
        detail, percent = payload.get("detail"), payload.get("percent")
        return Progress(
            str(payload.get("status", "running")),
            detail if isinstance(detail, str) else None,
            percent if _json.is_number(percent) else None,
        )


@dataclass(frozen=True)
class Attempt:
    """One invocation as it was sent: enough to ask for its outcome again. Plain data: `as_json` and
    `from_json` carry it over a restart of the program. A dry run has no key, and no outcome."""

    tool: Tool
    args: JsonObject
    key: str
    eval_time: Optional[str] = None
    confirmation_token: Optional[str] = field(default=None, repr=False)

    def as_json(self) -> JsonObject:
        return {
            "macro_id": self.tool.macro_id,
            "name": self.tool.name,
            "args": self.args,
            "key": self.key,
            "eval_time": self.eval_time,
            "confirmation_token": self.confirmation_token,
        }

    @staticmethod
    def from_json(value: JsonObject) -> "Attempt":
        tool = Tool(value["macro_id"], value["name"], "minimal")
        return Attempt(
            tool, value["args"], value["key"], value.get("eval_time"), value.get("confirmation_token")
        )


@dataclass(frozen=True)
class Suggestion:
    """An intent that the server suggests next, with the facts that belong to it."""

    name: str
    params: JsonObject
    description: str = ""
    continuation_facts: Tuple[FactObject, ...] = ()


@dataclass(frozen=True)
class Event:
    action: str
    status: str
    duration_ms: Optional[int] = None
    detail: Optional[str] = None


@dataclass(frozen=True)
class Result:
    """The outcome of an invocation.

    result            what the tool returned
    delta             what changed; `client.apply(result)` takes it into the working facts
    effects_complete  False: the server could not work out all that changed; `warnings` says why
    suggestions       what to ask next
    replayed          an earlier run with the same key is told again; nothing ran now
    output_faults     where the result breaks the tool's own output schema (P-INV-10)
    plan              of a dry run: what would be done (docs/client.md has its members); None: it was none"""

    result: JsonObject
    delta: StateDelta
    tool: Tool = field(repr=False)
    attempt: Attempt = field(repr=False)
    summary: str = ""
    events: Tuple[Event, ...] = ()
    duration_ms: Optional[int] = None
    suggestions: Tuple[Suggestion, ...] = ()
    continuation_facts: Tuple[FactObject, ...] = ()
    effects_complete: bool = True
    warnings: Tuple[str, ...] = ()
    replayed: bool = False
    output_faults: Tuple[Fault, ...] = ()
    raw: JsonObject = field(default_factory=dict, repr=False)
    plan: Optional[JsonObject] = None

    @staticmethod
    def read(
        payload: JsonObject,
        attempt: Attempt,
        replayed: bool,
        output_faults: Sequence[Fault],
        plan: Optional[JsonObject] = None,
    ) -> "Result":
        r = _Reader("the answer to the invocation", payload)
        observed = _Reader("observability", r.take("observability", dict, {}))
        following = _Reader("next", r.take("next", dict, {}))
        facts = tuple(f for f in following.take("continuation_facts", list, []) if has_shape(f))
        warnings = [w for w in observed.take("warnings", list, []) if isinstance(w, dict)]
        result = Result(
            result=r.take("result", dict, {}, needed=True),
            delta=StateDelta.read(r.value.get("state_delta")),
            tool=attempt.tool,
            attempt=attempt,
            summary=observed.take("summary", str, ""),
            events=tuple(_read_event(e) for e in observed.take("events", list, []) if isinstance(e, dict)),
            duration_ms=observed.take("duration_ms", int),
            suggestions=tuple(_read_suggestions(following.take("suggested_intents", list, []), facts)),
            continuation_facts=facts,
            effects_complete=r.take("effects_complete", bool, True),
            warnings=tuple(str(w.get("message", w.get("code", ""))) for w in warnings),
            replayed=replayed,
            output_faults=tuple(output_faults),
            raw=r.value,
            plan=plan,
        )
        r.done()
        return result

    def suggestion(self, name: str) -> Suggestion:
        """The suggestion of this intent; KeyError if there is none."""
        for suggestion in self.suggestions:
            if suggestion.name == name:
                return suggestion
        raise KeyError(f"{name} is not suggested")


def _read_event(value: JsonObject) -> Event:
    r = _Reader("an event", value)
    return Event(
        r.take("action", str, ""), r.take("status", str, ""), r.take("duration_ms", int), r.take("detail", str)
    )


def _read_suggestions(entries: List[Any], facts: Tuple[FactObject, ...]) -> Iterator[Suggestion]:
    for entry in entries:
        r = _Reader("a suggestion", entry)
        name, params = r.take("name", str, ""), r.take("params", dict, {})
        if name:
            yield Suggestion(name, params, r.take("description", str, ""), facts)


@dataclass(frozen=True)
class Identity:
    """Who the server takes the client for, once it has authenticated on a session transport."""

    identity: Optional[str]
    permissions: Tuple[str, ...] = ()
    trust_level: Optional[str] = None
    auto_confirm_effects: Tuple[str, ...] = ()

    @staticmethod
    def read(payload: JsonObject) -> "Identity":
        r = _Reader("the answer to authenticate", payload)
        if payload.get("status") != "authenticated":
            r.wrong.append("its status is not authenticated")
        found = Identity(
            r.take("identity", str),
            r.texts("permissions"),
            r.take("trust_level", str),
            r.texts("auto_confirm_effects"),
        )
        r.done()
        return found
