/* Bytes to envelope and back: gates 1 to 5 of protocol.md §1.3, in their order.
 *
 * A message is judged gate by gate, and within a gate all faults are reported. What the answer may
 * echo is decided here too: an id that cannot be used is never echoed (D-3). */
#include "protocol/envelope.h"

#include "base/utf8.h"
#include "protocol/judge.h"

#define ID_MAX_CHARS 256 /* P-ENV, D-3: longer ones may be refused, and are */

enum id_rule {
    ID_REQUIRED, /* a non-empty string */
    ID_OPTIONAL, /* a string or null */
    ID_IGNORED   /* a string, null or nothing; only echoed, if it can be */
};

static const struct message_row {
    const char *name;
    bool from_client;
    enum id_rule id;
} message_rows[] = {
    [MSG_UNKNOWN] = { "", false, ID_REQUIRED },
    [MSG_MANIFEST] = { "manifest", false, ID_OPTIONAL },
    [MSG_INTENT_REQUEST] = { "intent_request", true, ID_REQUIRED },
    [MSG_INTENT_RESPONSE] = { "intent_response", false, ID_REQUIRED },
    [MSG_INVOKE_REQUEST] = { "invoke_request", true, ID_REQUIRED },
    [MSG_INVOKE_RESPONSE] = { "invoke_response", false, ID_REQUIRED },
    [MSG_PROGRESS] = { "progress", false, ID_REQUIRED },
    [MSG_CANCEL] = { "cancel", true, ID_IGNORED },
    [MSG_AUTHENTICATE] = { "authenticate", true, ID_REQUIRED },
    [MSG_AUTHENTICATE_RESPONSE] = { "authenticate_response", false, ID_REQUIRED },
    [MSG_ERROR] = { "error", false, ID_OPTIONAL },
};

#define MESSAGE_TYPES (sizeof message_rows / sizeof *message_rows)

const char *mgi_message_type_name(enum message_type type)
{
    return message_rows[type].name;
}

enum message_type mgi_message_type(struct str name)
{
    for (size_t i = 1; i < MESSAGE_TYPES; i++)
        if (str_is(name, message_rows[i].name))
            return (enum message_type)i;
    return MSG_UNKNOWN;
}

/* ---- gates 1 and 2: size and text --------------------------------------------------------- */

static bool size_gate(struct arena *arena, struct str text, size_t max_bytes, struct wire_error *e)
{
    if (text.len <= max_bytes)
        return true;
    mgi_wire_error(e, arena, WIRE_MESSAGE_TOO_LARGE,
                   "The message has %zu bytes; this server takes %zu.", text.len, max_bytes);
    struct buf details = { 0 };
    mgi_buf_printf(&details, "{\"max_message_bytes\":%zu,\"actual_bytes\":%zu}", max_bytes,
                   text.len);
    mgi_wire_details(e, arena, &details);
    mgi_buf_fini(&details);
    return false;
}

static void reason_details(struct arena *arena, struct wire_error *e, const char *reason)
{
    struct buf details = { 0 };
    mgi_buf_printf(&details, "{\"reason\":\"%s\"}", reason);
    mgi_wire_details(e, arena, &details);
    mgi_buf_fini(&details);
}

static bool text_gate(struct arena *arena, struct str text, uint32_t max_depth, struct json *root,
                      struct wire_error *e)
{
    struct json_options options = { .max_depth = max_depth };
    struct json_error fault = { 0 };
    enum json_fault result = mgi_json_parse(arena, text, &options, root, &fault);
    if (result == JSON_OK)
        return true;
    if (result == JSON_NOMEM) {
        mgi_wire_error(e, arena, WIRE_INTERNAL_ERROR, "The server is short of memory.");
        return false;
    }
    mgi_wire_error(e, arena, WIRE_MALFORMED_MESSAGE,
                   "The message is not acceptable JSON: %s (line %u, column %u).", fault.message,
                   fault.line, fault.column);
    reason_details(arena, e, mgi_json_fault_reason(result));
    return false;
}

/* ---- gate 3: the four members -------------------------------------------------------------- */

static void check_id(struct shape *s, const struct json *id, enum id_rule rule,
                     struct envelope *out)
{
    bool absent = !id || id->type == JSON_NULL;
    if (absent && rule == ID_REQUIRED)
        mgi_shape_fault(s, "/id", "must be a non-empty string, and is missing");
    else if (!absent && id->type != JSON_STRING)
        mgi_shape_fault(s, "/id", "must be a string");
    else if (!absent && rule == ID_REQUIRED && id->string.len == 0)
        mgi_shape_fault(s, "/id", "must not be empty");
    else if (!absent && mgi_utf8_count(id->string) <= ID_MAX_CHARS &&
             (rule != ID_IGNORED || id->string.len > 0))
        out->id = id->string;
    else if (!absent && rule != ID_IGNORED)
        mgi_shape_fault(s, "/id", "must not be longer than %d characters", ID_MAX_CHARS);
}

/* ---- extensions ---------------------------------------------------------------------------- */

static bool is_key_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == ':' || c == '-';
}

static const char *key_fault(const struct json *v)
{
    if (v->type != JSON_STRING)
        return "must be a string";
    if (v->string.len == 0 || v->string.len > IDEMPOTENCY_KEY_MAX)
        return "must have 1 to 128 characters";
    for (size_t i = 0; i < v->string.len; i++)
        if (!is_key_char(v->string.ptr[i]))
            return "may only hold letters, digits and . _ : -";
    return NULL;
}

static bool is_lower_hex(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!((s.ptr[i] >= '0' && s.ptr[i] <= '9') || (s.ptr[i] >= 'a' && s.ptr[i] <= 'f')))
            return false;
    return true;
}

static bool is_zero(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] != '0')
            return false;
    return true;
}

/* 00-<trace id, 32 digits>-<parent id, 16>-<flags, 2>; ids of zeros are invalid. */
bool mgi_traceparent_is_valid(struct str t)
{
    if (t.len != 55 || t.ptr[2] != '-' || t.ptr[35] != '-' || t.ptr[52] != '-')
        return false;
    struct str version = { t.ptr, 2 }, trace = { t.ptr + 3, 32 }, parent = { t.ptr + 36, 16 },
               flags = { t.ptr + 53, 2 };
    return str_is(version, "00") && is_lower_hex(trace) && is_lower_hex(parent) &&
           is_lower_hex(flags) && !is_zero(trace) && !is_zero(parent);
}

static const char *why_not_fault(const struct json *v)
{
    if (v->type != JSON_ARRAY || v->count == 0 || v->count > WHY_NOT_MOST)
        return "must be a list of 1 to 4 names of tools";
    for (uint32_t i = 0; i < v->count; i++)
        if (v->items[i].type != JSON_STRING || v->items[i].string.len == 0 ||
            v->items[i].string.len > WHY_NOT_NAME_MAX)
            return "must hold names of tools, each of 1 to 64 bytes";
    return NULL;
}

static const char *key_only_fault(const struct json *extensions, const struct json *only)
{
    if (only->type != JSON_BOOL)
        return "must be true or false";
    if (!only->boolean)
        return NULL;
    if (!mgi_json_get(extensions, "x-idempotency-key"))
        return "asks what came of an x-idempotency-key, and there is none beside it";
    const struct json *dry = mgi_json_get(extensions, "x-dry-run");
    return dry && dry->type == JSON_BOOL && dry->boolean ? "has no place beside x-dry-run" : NULL;
}

/* What is asked of the one message that understands it. */
static void read_questions(const struct json *extensions, struct envelope *out)
{
    const struct json *dry = mgi_json_get(extensions, "x-dry-run");
    const struct json *only = mgi_json_get(extensions, "x-idempotency-only");
    const struct json *why = mgi_json_get(extensions, "x-why-not");
    if (dry && out->type == MSG_INVOKE_REQUEST) {
        out->dry_run = dry->type == JSON_BOOL && dry->boolean;
        out->dry_run_fault = dry->type == JSON_BOOL ? NULL : "must be true or false";
    }
    if (only && out->type == MSG_INVOKE_REQUEST) {
        out->key_only_fault = key_only_fault(extensions, only);
        out->key_only = !out->key_only_fault && only->boolean;
    }
    if (why && out->type == MSG_INTENT_REQUEST) {
        out->why_not_fault = why_not_fault(why);
        out->why_not = out->why_not_fault ? NULL : why;
    }
}

static void read_extensions(struct shape *s, struct envelope *out)
{
    const struct json *v = mgi_json_get(&out->root, "extensions");
    if (!v || v->type == JSON_NULL)
        return;
    if (v->type != JSON_OBJECT) {
        mgi_shape_fault(s, "/extensions", "must be an object");
        return;
    }
    out->extensions = v;
    read_questions(v, out);
    const struct json *key = mgi_json_get(v, "x-idempotency-key");
    const struct json *trace = mgi_json_get(v, "x-traceparent");
    if (key)
        out->key_fault = key_fault(key);
    if (key && !out->key_fault)
        out->idempotency_key = key->string;
    if (trace && trace->type == JSON_STRING && mgi_traceparent_is_valid(trace->string))
        out->traceparent = trace->string;
}

/* An empty string must not look like "no id" to whoever tests ptr. */
static struct str present(struct str s)
{
    return s.ptr ? s : STR_LIT("");
}

static bool envelope_gate(struct arena *arena, struct envelope *out, struct str *version,
                          struct wire_error *e)
{
    struct shape s;
    mgi_shape_init(&s, arena);
    if (out->root.type != JSON_OBJECT) {
        mgi_shape_fault(&s, "", "must be a JSON object with type, id, manglecp and payload");
    } else {
        const struct json *type = mgi_json_get(&out->root, "type");
        const struct json *named = mgi_json_get(&out->root, "manglecp");
        out->payload = mgi_json_get(&out->root, "payload");
        if (type && type->type == JSON_STRING) {
            out->type_text = present(type->string);
            out->type = mgi_message_type(out->type_text);
        } else {
            mgi_shape_fault(&s, "/type", "must be a string");
        }
        check_id(&s, mgi_json_get(&out->root, "id"), message_rows[out->type].id, out);
        if (named && named->type == JSON_STRING)
            *version = present(named->string);
        else
            mgi_shape_fault(&s, "/manglecp", "must be a string that names the protocol version");
        if (!out->payload || out->payload->type != JSON_OBJECT)
            mgi_shape_fault(&s, "/payload", "must be an object");
        read_extensions(&s, out);
    }
    bool failed = mgi_shape_failed_as(&s, e, "envelope", "envelope");
    mgi_shape_fini(&s);
    return !failed;
}

/* ---- gates 4 and 5: version and type ------------------------------------------------------- */

static bool version_gate(struct arena *arena, struct str version, struct wire_error *e)
{
    if (str_is(version, MANGLECP_PROTOCOL))
        return true;
    mgi_wire_error(e, arena, WIRE_UNSUPPORTED_VERSION,
                   "Version \"%s\" of the protocol is not spoken here; \"" MANGLECP_PROTOCOL
                   "\" is.",
                   mgi_show(arena, version, 60));
    struct buf details = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &details, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "requested_version", version);
    mgi_jw_key(&w, "supported_versions");
    mgi_jw_begin_array(&w);
    mgi_jw_cstring(&w, MANGLECP_PROTOCOL);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_wire_details(e, arena, &details);
    mgi_buf_fini(&details);
    return false;
}

static bool type_gate(struct arena *arena, const struct envelope *m, enum envelope_side side,
                      struct wire_error *e)
{
    bool wants_client = side == FROM_CLIENT;
    if (m->type != MSG_UNKNOWN && message_rows[m->type].from_client == wants_client)
        return true;
    mgi_wire_error(e, arena, WIRE_INVALID_TYPE, "\"%s\" is not a type of message that a %s sends.",
                   mgi_show(arena, m->type_text, 60), wants_client ? "client" : "server");
    struct buf details = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &details, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "type", m->type_text);
    mgi_jw_key(&w, "expected");
    mgi_jw_begin_array(&w);
    for (size_t i = 1; i < MESSAGE_TYPES; i++)
        if (message_rows[i].from_client == wants_client)
            mgi_jw_cstring(&w, message_rows[i].name);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
    mgi_wire_details(e, arena, &details);
    mgi_buf_fini(&details);
    return false;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* Finds a number that fits neither int64 nor a double (D-7). The caller leaves out the list of
 * facts, where such a number is a fault of its fact. Recursion is bounded by the parser's depth. */
static const struct json *huge_number(const struct json *v)
{
    if (v->type == JSON_HUGE)
        return v;
    const struct json *found = NULL;
    for (uint32_t i = 0; v->type == JSON_ARRAY && !found && i < v->count; i++)
        found = huge_number(&v->items[i]);
    for (uint32_t i = 0; v->type == JSON_OBJECT && !found && i < v->count; i++)
        found = huge_number(&v->members[i].value);
    return found;
}

static bool number_gate(struct arena *arena, const struct envelope *m, struct wire_error *e)
{
    const struct json *found = NULL;
    for (uint32_t i = 0; !found && i < m->payload->count; i++) {
        const struct json_member *member = &m->payload->members[i];
        if (m->type != MSG_INTENT_REQUEST || !str_is(member->name, "facts"))
            found = huge_number(&member->value);
    }
    if (!found)
        return true;
    mgi_wire_error(e, arena, WIRE_MALFORMED_MESSAGE,
                   "The number %s fits neither 64 bits nor a double.",
                   mgi_show(arena, found->text, 40));
    reason_details(arena, e, "number");
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool mgi_envelope_parse(struct arena *arena, struct str text, size_t max_bytes, uint32_t max_depth,
                        enum envelope_side side, struct envelope *out, struct wire_error *e)
{
    *out = (struct envelope){ .type = MSG_UNKNOWN };
    *e = (struct wire_error){ .retry_after_ms = -1 };
    struct str version = { 0 };

    return size_gate(arena, text, max_bytes ? max_bytes : ENVELOPE_MAX_BYTES_FLOOR, e) &&
           text_gate(arena, text, max_depth, &out->root, e) &&
           envelope_gate(arena, out, &version, e) && version_gate(arena, version, e) &&
           type_gate(arena, out, side, e) && number_gate(arena, out, e);
}

void mgi_envelope_begin(struct json_writer *w, enum message_type type, struct str id)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "type", mgi_message_type_name(type));
    mgi_jw_key(w, "id");
    if (id.ptr)
        mgi_jw_string(w, id);
    else
        mgi_jw_null(w);
    mgi_jw_member_cstr(w, "manglecp", MANGLECP_PROTOCOL);
    mgi_jw_key(w, "payload");
}

void mgi_envelope_end(struct json_writer *w)
{
    mgi_jw_end_object(w);
    mgi_judge_written(w->out);
}

void mgi_envelope_open(struct buf *out, enum message_type type, struct str id)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_envelope_begin(&w, type, id);
}

void mgi_envelope_close(struct buf *out, struct str extensions)
{
    if (extensions.len > 0)
        mgi_buf_puts(out, ",\"extensions\":");
    mgi_buf_str(out, extensions);
    mgi_buf_putc(out, '}');
    mgi_judge_written(out);
}

void mgi_envelope_error(struct buf *out, struct str id, const struct wire_error *e)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_envelope_begin(&w, MSG_ERROR, id);
    mgi_wire_error_write(&w, e);
    mgi_envelope_end(&w);
}
