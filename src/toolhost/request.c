/* Requests: see request.h. */
#include "toolhost/request.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "toolhost/same_value.h"
#include "sys/digest.h"

enum { MAX_REQUEST_ID_BYTES = 128, MAX_RUN_ID_BYTES = 64 };

enum request_result mgi_refuse(struct arena *arena, struct refusal *refusal, enum refusal_code code,
                               const char *format, ...)
{
    struct buf text;
    mgi_buf_init(&text);
    va_list args;
    va_start(args, format);
    mgi_buf_vprintf(&text, format, args);
    va_end(args);
    struct str error = mgi_error_text(arena, mgi_buf_view(&text));
    bool oom = text.oom || !error.ptr;
    mgi_buf_fini(&text);
    if (oom)
        return REQUEST_NOMEM;
    *refusal = (struct refusal){ .code = code, .error = error };
    return REQUEST_REFUSED;
}

void mgi_request_fini(struct request *q)
{
    mgi_ds_patch_fini(&q->state);
}

const struct json *mgi_request_member(const struct json *root, const char *name)
{
    const struct json *v = mgi_json_get(root, name);
    return v && v->type != JSON_NULL ? v : NULL; /* T-JSON-7 */
}

/* ---- whom is it for ----------------------------------------------------------------------- */

static bool has_control(struct str s)
{
    for (size_t at = 0; at < s.len;) {
        uint32_t code = mgi_utf8_next(s, &at);
        if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
            return true;
    }
    return false;
}

static const char *request_id_fault(const struct json *v)
{
    if (v->type != JSON_STRING)
        return "not a string";
    if (v->string.len == 0 || v->string.len > MAX_REQUEST_ID_BYTES)
        return "not 1 to 128 bytes long";
    return has_control(v->string) ? "holds a control character" : NULL;
}

enum request_result mgi_request_open(struct arena *arena, struct str text, enum request_mode mode,
                                     struct request *q, struct refusal *refusal,
                                     struct json_error *error)
{
    *q = (struct request){ 0 };
    enum json_fault fault = mgi_json_parse(arena, text, NULL, &q->root, error);
    if (fault == JSON_NOMEM)
        return REQUEST_NOMEM;
    if (fault != JSON_OK)
        return mgi_refuse(arena, refusal, REFUSED_BAD_JSON, "invalid JSON%s",
                          mode == REQUEST_RUN ? " request on stdin" : "");
    if (q->root.type != JSON_OBJECT)
        return mgi_refuse(arena, refusal, REFUSED_BAD_REQUEST, "request must be a JSON object");

    const struct json *id = mgi_request_member(&q->root, "request_id");
    if (id && !request_id_fault(id))
        q->request_id = id->string;
    const struct json *aid = mgi_request_member(&q->root, "aid");
    if (aid && aid->type == JSON_STRING)
        q->aid = aid->string;
    if (mode == REQUEST_SERVE && q->aid.len == 0)
        return mgi_refuse(arena, refusal, REFUSED_MISSING_AID, "missing aid");
    return REQUEST_OK;
}

/* ---- input -------------------------------------------------------------------------------- */

bool mgi_input_digest(const struct json *v, uint8_t out[SHA256_BYTES])
{
    struct buf text;
    mgi_buf_init(&text);
    mgi_json_canonical(&text, v);
    bool ok = !text.oom && mgi_sha256(mgi_buf_view(&text).ptr, text.len, out);
    mgi_buf_fini(&text);
    return ok;
}

static bool is_blank(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!strchr(" \t\r\n", s.ptr[i]) || s.ptr[i] == '\0')
            return false;
    return true;
}

/* T-INP-3: the tool receives the string's content byte for byte. */
static enum request_result read_input_json(struct arena *arena, const struct json *member,
                                           struct json *value, struct refusal *refusal)
{
    struct json_error error;
    enum json_fault fault = mgi_json_parse(arena, member->string, NULL, value, &error);
    if (fault == JSON_NOMEM)
        return REQUEST_NOMEM;
    if (fault != JSON_OK)
        return mgi_refuse(arena, refusal, REFUSED_BAD_INPUT, "invalid input_json: %s (byte %zu)",
                          error.message, error.offset);
    if (value->type != JSON_OBJECT)
        return mgi_refuse(arena, refusal, REFUSED_BAD_INPUT,
                          "invalid input_json: not a JSON object");
    return REQUEST_OK;
}

static enum request_result read_input(struct arena *arena, struct request *q,
                                      struct refusal *refusal)
{
    const struct json *text = mgi_request_member(&q->root, "input_json");
    const struct json *inputs = mgi_request_member(&q->root, "inputs");
    if (text && text->type != JSON_STRING)
        return mgi_refuse(arena, refusal, REFUSED_BAD_INPUT, "invalid input_json: not a string");
    if (inputs && inputs->type != JSON_OBJECT)
        return mgi_refuse(arena, refusal, REFUSED_BAD_INPUT, "invalid inputs: not an object");
    if (text && is_blank(text->string))
        text = NULL; /* T-INP-2 */

    struct json value = { .type = JSON_OBJECT, .text = STR_LIT("{}") };
    q->input = value.text;
    if (text) {
        enum request_result rc = read_input_json(arena, text, &value, refusal);
        if (rc != REQUEST_OK)
            return rc;
        q->input = text->string;
    } else if (inputs) {
        value = *inputs;
        q->input = inputs->text; /* T-INP-4: the slice of the request */
    }
    q->input_value = value;
    if (!mgi_input_digest(&value, q->input_sha))
        return REQUEST_NOMEM;
    if (!text || !inputs)
        return REQUEST_OK;
    struct json other = *inputs;
    bool same;
    if (!mgi_same_value(arena, &value, &other, &same))
        return REQUEST_NOMEM;
    if (!same)
        return mgi_refuse(arena, refusal, REFUSED_INPUT_CONFLICT,
                          "conflicting inputs and input_json");
    return REQUEST_OK;
}

/* ---- the other members -------------------------------------------------------------------- */

/* A member that has a name, a type and a range, and what is wrong with the value at hand. */
struct member_rule {
    const char *name;
    const char *(*fault)(const struct json *v);
    enum refusal_code code;
    bool serve_only;
};

static const char *string_fault(const struct json *v)
{
    return v->type == JSON_STRING ? NULL : "not a string";
}

static const char *boolean_fault(const struct json *v)
{
    return v->type == JSON_BOOL ? NULL : "not a boolean";
}

static const char *timeout_fault(const struct json *v)
{
    bool good = v->type == JSON_INT && v->integer >= 1 && v->integer <= MAX_CALL_MS;
    return good ? NULL : "not an integer from 1 to 86400000";
}

static const char *step_fault(const struct json *v)
{
    return v->type == JSON_INT && v->integer >= 0 ? NULL : "not an integer of 0 or more";
}

static const char *run_id_fault(const struct json *v)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (v->type != JSON_STRING)
        return "not a string";
    if (v->string.len == 0 || v->string.len > MAX_RUN_ID_BYTES)
        return "not 1 to 64 characters long";
    for (size_t i = 0; i < v->string.len; i++)
        if (v->string.ptr[i] == '\0' || !strchr(allowed, v->string.ptr[i]))
            return "holds something else than letters, digits, '_' and '-'";
    return NULL;
}

/* In the order of step 4 of 1.3: the first fault is the one that is told. */
static const struct member_rule member_rules[] = {
    { "idempotency_key", string_fault, REFUSED_BAD_KEY, true },
    { "_lease_token", string_fault, REFUSED_BAD_REQUEST, true },
    { "timeout_ms", timeout_fault, REFUSED_BAD_REQUEST, false },
    { "request_id", request_id_fault, REFUSED_BAD_REQUEST, false },
    { "run_id", run_id_fault, REFUSED_BAD_REQUEST, false },
    { "step", step_fault, REFUSED_BAD_REQUEST, false },
    { "progress", boolean_fault, REFUSED_BAD_REQUEST, true },
};

static enum request_result check_members(struct arena *arena, enum request_mode mode,
                                         struct request *q, struct refusal *refusal)
{
    for (size_t i = 0; i < sizeof member_rules / sizeof *member_rules; i++) {
        const struct member_rule *rule = &member_rules[i];
        const struct json *v = mgi_request_member(&q->root, rule->name);
        if (!v || (rule->serve_only && mode == REQUEST_RUN))
            continue;
        const char *why = rule->fault(v);
        if (why)
            return mgi_refuse(arena, refusal, rule->code, "invalid %s: %s", rule->name, why);
    }
    return REQUEST_OK;
}

static void take_members(enum request_mode mode, struct request *q)
{
    const struct json *v = mgi_request_member(&q->root, "timeout_ms");
    q->timeout_ms = v ? v->integer : 0;
    v = mgi_request_member(&q->root, "run_id");
    q->run_id = v ? v->string : STR_LIT("");
    v = mgi_request_member(&q->root, "step");
    q->step = v ? v->integer : 0;
    if (mode == REQUEST_RUN)
        return; /* it has neither memory nor leases */
    v = mgi_request_member(&q->root, "idempotency_key");
    q->key = v ? v->string : STR_LIT("");
    v = mgi_request_member(&q->root, "_lease_token");
    q->token = v ? v->string : STR_LIT("");
    v = mgi_request_member(&q->root, "progress");
    q->progress = v && v->boolean;
}

static enum request_result read_ds_state(struct arena *arena, struct request *q,
                                         struct refusal *refusal)
{
    const struct json *v = mgi_request_member(&q->root, "ds_state");
    if (!v)
        return REQUEST_OK;
    struct str why;
    enum ds_result rc = mgi_ds_patch_read(arena, v, &q->state, &why);
    if (rc == DS_NOMEM)
        return REQUEST_NOMEM;
    if (rc != DS_OK)
        return mgi_refuse(arena, refusal, REFUSED_BAD_STATE, "invalid ds_state: %.*s",
                          STR_ARG(why));
    q->has_state = true;
    return REQUEST_OK;
}

/* T-REQ-3, T-REQ-4: with --run `aid` may be absent, but not something else. */
static enum request_result check_aid(struct arena *arena, enum request_mode mode, struct str aid,
                                     struct request *q, struct refusal *refusal)
{
    const struct json *v = mgi_request_member(&q->root, "aid");
    if (mode == REQUEST_SERVE || !v)
        return REQUEST_OK;
    if (v->type != JSON_STRING)
        return mgi_refuse(arena, refusal, REFUSED_BAD_REQUEST, "invalid aid: not a string");
    if (!str_eq(v->string, aid))
        return mgi_refuse(arena, refusal, REFUSED_BAD_REQUEST, "aid mismatch");
    return REQUEST_OK;
}

enum request_result mgi_request_read(struct arena *arena, enum request_mode mode, struct str aid,
                                     struct request *q, struct refusal *refusal)
{
    enum request_result rc = check_aid(arena, mode, aid, q, refusal);
    if (rc == REQUEST_OK)
        rc = read_input(arena, q, refusal);
    if (rc == REQUEST_OK)
        rc = check_members(arena, mode, q, refusal);
    if (rc == REQUEST_OK)
        rc = read_ds_state(arena, q, refusal);
    if (rc == REQUEST_OK)
        take_members(mode, q);
    return rc;
}
