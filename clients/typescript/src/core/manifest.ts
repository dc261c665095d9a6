// Reading a manifest (protocol.md 2.8), and what follows from it for a client.

import { compact, Shape } from "./shape.js";
import { PROTOCOL_VERSION, type IntentEntry, type Manifest, type PredicateSchema } from "./types.js";
import { plain, type JsonObject } from "./values.js";

const STATUSES = ["ready", "booting", "degraded", "draining"] as const;
const ARG_TYPES = ["string", "number", "boolean", "any"] as const;
const DIRECTIONS = ["both", "input", "output"] as const;

function readPredicate(s: Shape, of: JsonObject, path: string): PredicateSchema {
  const arity = s.integer(of, "arity", path, 0);
  const types = s.get(of, "arg_types") === undefined ? undefined : s.strings(of, "arg_types", path);
  const names = s.get(of, "arg_names") === undefined ? undefined : s.strings(of, "arg_names", path);
  if (types && types.length !== arity)
    s.fault(`${path}/arg_types`, `has ${types.length} entries for ${arity} arguments`);
  if (types?.some((t) => !ARG_TYPES.includes(t as "any")))
    s.fault(`${path}/arg_types`, `has a word that is none of ${ARG_TYPES.join(", ")}`);
  if (names && (names.length !== arity || new Set(names).size !== arity))
    s.fault(`${path}/arg_names`, `are not ${arity} different names`);
  return compact<PredicateSchema>({
    predicate: s.text(of, "predicate", path),
    arity,
    arg_types: types as PredicateSchema["arg_types"],
    arg_names: names,
    temporal: s.optionalBoolean(of, "temporal", path, false),
    description: s.optionalString(of, "description", path),
    direction: s.get(of, "direction") === undefined ? "both" : s.word(of, "direction", path, DIRECTIONS),
  });
}

function readIntent(s: Shape, of: JsonObject, path: string): IntentEntry {
  return {
    name: s.text(of, "name", path),
    description: s.string(of, "description", path),
    required_facts: s.strings(of, "required_facts", path),
    optional_facts: s.strings(of, "optional_facts", path),
  };
}

/** The payload of a manifest, or a ProtocolFaultError that lists everything that is wrong in it. */
export function readManifest(payload: JsonObject): Manifest {
  const s = new Shape();
  const root = plain(payload) as JsonObject;
  const protocol = s.object(root, "protocol", ""),
    domain = s.object(root, "domain", "");
  const profile = s.object(root, "facts_profile", ""),
    capabilities = s.object(root, "capabilities", "");
  const limits = s.object(root, "limits", ""),
    auth = s.object(root, "auth", "");
  const endpoints = s.optionalObject(root, "endpoints", "");
  if (s.string(protocol, "manglecp", "/protocol") !== PROTOCOL_VERSION)
    s.fault("/protocol/manglecp", `is not ${PROTOCOL_VERSION}`);
  const required = s.boolean(auth, "required", "/auth"),
    schemes = s.strings(auth, "schemes", "/auth");
  if (required && !schemes.length) s.fault("/auth/schemes", "names no way to log in, although that is required");
  const manifest = compact<Manifest>({
    server_name: s.text(root, "server_name", ""),
    server_version: s.text(root, "server_version", ""),
    protocol: {
      manglecp: PROTOCOL_VERSION,
      supported_versions:
        s.get(protocol, "supported_versions") === undefined
          ? [PROTOCOL_VERSION]
          : s.strings(protocol, "supported_versions", "/protocol"),
      conformance_level: s.integer(protocol, "conformance_level", "/protocol", 1),
    },
    status: s.word(root, "status", "", STATUSES),
    domain: compact<Manifest["domain"]>({
      id: s.text(domain, "id", "/domain"),
      description: s.string(domain, "description", "/domain"),
      categories: s.strings(domain, "categories", "/domain"),
      affinities: s.optionalObject(domain, "affinities", "/domain") as Manifest["domain"]["affinities"],
    }),
    endpoints: endpoints && {
      intent_eval: s.text(endpoints, "intent_eval", "/endpoints"),
      macro_invoke: s.text(endpoints, "macro_invoke", "/endpoints"),
    },
    intents: s.objects(root, "intents", "", (of, path) => readIntent(s, of, path)),
    facts_profile: compact<Manifest["facts_profile"]>({
      time_formats: s.strings(profile, "time_formats", "/facts_profile"),
      predicates:
        s.get(profile, "predicates") === undefined
          ? undefined
          : s.objects(profile, "predicates", "/facts_profile", (of, path) => readPredicate(s, of, path)),
      schema_uri: s.optionalString(profile, "schema_uri", "/facts_profile"),
    }),
    capabilities: {
      temporal: s.boolean(capabilities, "temporal", "/capabilities"),
      aggregation: s.optionalBoolean(capabilities, "aggregation", "/capabilities", true),
      named_args: s.optionalBoolean(capabilities, "named_args", "/capabilities", false),
      external_predicates: s.objects(capabilities, "external_predicates", "/capabilities", (of, path) => ({
        predicate: s.text(of, "predicate", path),
        arity: s.integer(of, "arity", path, 0),
        description: s.string(of, "description", path),
        deterministic: s.optionalBoolean(of, "deterministic", path, true),
      })),
    },
    limits: compact<Manifest["limits"]>({
      max_message_bytes: s.integer(limits, "max_message_bytes", "/limits", 1),
      max_facts_per_request: s.integer(limits, "max_facts_per_request", "/limits", 1),
      max_derived_facts: s.integer(limits, "max_derived_facts", "/limits", 1),
      max_intervals_per_atom: s.optionalInteger(limits, "max_intervals_per_atom", "/limits", 1),
      max_compute_ms: s.optionalInteger(limits, "max_compute_ms", "/limits", 1),
    }),
    auth: compact<Manifest["auth"]>({ required, schemes, token_url: s.optionalString(auth, "token_url", "/auth") }),
    extensions: s.optionalObject(root, "extensions", "") ?? {},
  });
  s.check("manifest", false);
  return manifest;
}

/** May a request be sent under this status? (P-READY-1, -6, -8) */
export function takesRequests(manifest: Manifest): boolean {
  return manifest.status === "ready" || manifest.status === "degraded";
}

export function intentEntry(manifest: Manifest, name: string): IntentEntry | undefined {
  return manifest.intents.find((intent) => intent.name === name);
}

export function predicateSchema(manifest: Manifest, predicate: string): PredicateSchema | undefined {
  return manifest.facts_profile.predicates?.find((schema) => schema.predicate === predicate);
}
