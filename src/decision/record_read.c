/* A line of a decision log, read back. Whatever is wrong with it makes it a damaged line: a log may
 * have been cut, mended by hand, or written by something else. */
#include <string.h>

#include "base/time.h"
#include "decision/record.h"

struct line_reader {
    struct arena *arena;
    const struct json *root;
    const char *fault; /* the first; NULL: none */
};

static void fault(struct line_reader *r, const char *what)
{
    if (!r->fault)
        r->fault = what;
}

static const struct json *typed(const struct json *object, const char *name, enum json_type type)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == type ? v : NULL;
}

static struct str text_member(const struct json *object, const char *name)
{
    const struct json *v = typed(object, name, JSON_STRING);
    return v ? v->string : (struct str){ "", 0 };
}

static size_t count_member(const struct json *object, const char *name)
{
    const struct json *v = typed(object, name, JSON_INT);
    return v && v->integer > 0 ? (size_t)v->integer : 0;
}

static bool read_instant(struct str text, int64_t *out)
{
    return mgi_time_parse(text, 0, out) == TIME_OK;
}

static const struct str *read_texts(struct line_reader *r, const struct json *list, size_t *count)
{
    *count = 0;
    struct str *out = mgi_arena_calloc(r->arena, (list ? list->count : 0) + (size_t)1, sizeof *out);
    if (!out)
        fault(r, "memory ran out");
    for (uint32_t i = 0; out && list && i < list->count; i++) {
        if (list->items[i].type == JSON_STRING)
            out[(*count)++] = list->items[i].string;
        else
            fault(r, "a list of texts holds something else");
    }
    return out;
}

static void read_principal(struct line_reader *r, struct principal *out)
{
    static const char *const kinds[] = { "anonymous", "local", "known" };
    const struct json *who = typed(r->root, "principal", JSON_OBJECT);
    struct str kind = text_member(who, "kind");
    int k = 0;
    if (!who)
        return; /* refused before anybody was known */
    while (k < 3 && !str_is(kind, kinds[k]))
        k++;
    if (k == 3)
        fault(r, "the principal is of no kind that there is");
    out->kind = k < 3 ? (enum principal_kind)k : PRINCIPAL_ANONYMOUS;
    out->identity = text_member(who, "identity");
    out->permissions = read_texts(r, typed(who, "permissions", JSON_ARRAY), &out->permission_count);
    out->automated = str_is(text_member(who, "trust"), "automated");
    out->auto_confirm =
        read_texts(r, typed(who, "auto_confirm", JSON_ARRAY), &out->auto_confirm_count);
    out->expires_ns = INT64_MAX;
}

static void read_asked(struct decision *out)
{
    const struct json *facts = mgi_json_get(out->asked, "facts");
    out->has_facts = !mgi_json_get(out->asked, "too_large");
    if (facts && facts->type == JSON_ARRAY) {
        out->fact_count = facts->count;
    } else if (facts && typed(facts, "sha256", JSON_STRING)) {
        out->has_facts = false;
        out->fact_count = count_member(facts, "count");
    }
}

static void read_decided(struct line_reader *r, struct decision *out)
{
    const struct json *root = r->root;
    out->id = text_member(root, "id");
    out->snapshot = text_member(root, "snapshot");
    out->intent = text_member(root, "intent");
    out->tool = text_member(root, "tool");
    out->asked = typed(root, "asked", JSON_OBJECT);
    out->outcome = typed(root, "outcome", JSON_OBJECT);
    out->masked = count_member(root, "masked");
    out->masked_inputs = count_member(root, "masked_inputs");
    const struct json *extension_fault = typed(root, "extension_fault", JSON_BOOL);
    out->extension_fault = extension_fault && extension_fault->boolean;
    if (!read_instant(text_member(root, "time"), &out->at_ns))
        fault(r, "it has no time");
    struct str eval_time = text_member(root, "eval_time");
    out->has_eval_time = eval_time.len > 0;
    if (out->has_eval_time && !read_instant(eval_time, &out->eval_ns))
        fault(r, "eval_time is no time");
    if (!out->outcome)
        fault(r, "it has no outcome");
    else
        out->code = text_member(out->outcome, "code");
    if (out->outcome && out->code.len == 0)
        fault(r, "its outcome has no code");
    read_principal(r, &out->who);
    if (out->asked)
        read_asked(out);
}

bool mgi_decision_read(struct arena *arena, struct str line, struct decision *out, const char **why)
{
    struct json_options options = { .max_depth = JSON_MAX_DEPTH };
    struct json *root = mgi_arena_calloc(arena, 1, sizeof *root);
    struct line_reader r = { .arena = arena, .root = root };
    *out = (struct decision){ .kind = DECISION_INTENT };
    enum json_fault parsed = root ? mgi_json_parse(arena, line, &options, root, NULL) : JSON_NOMEM;
    if (parsed != JSON_OK || root->type != JSON_OBJECT) {
        *why = parsed == JSON_NOMEM ? "memory ran out"
               : parsed == JSON_OK  ? "it is no JSON object"
                                    : "it is no JSON: cut off, or written over";
        return false;
    }
    const struct json *version = typed(root, "decision", JSON_INT);
    struct str kind = text_member(root, "kind");
    if (!version || version->integer != 1)
        fault(&r, "it is no decision of version 1");
    else if (str_is(kind, "lost"))
        out->kind = DECISION_LOST;
    else if (str_is(kind, "invocation"))
        out->kind = DECISION_INVOCATION;
    else if (str_is(kind, "consent"))
        out->kind = DECISION_CONSENT;
    else if (!str_is(kind, "intent"))
        fault(&r, "its kind is unknown");
    if (!r.fault && out->kind == DECISION_LOST)
        out->lost = count_member(root, "records");
    else if (!r.fault)
        read_decided(&r, out);
    *why = r.fault;
    return !r.fault;
}
