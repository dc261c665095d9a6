/* What a toolhost answers (toolhost.md 3.4 to 3.7), read with suspicion: a host may be broken, and
 * what a plugin puts into its output is anything at all. */
#include "actions/toolpool_int.h"

const struct json mgi_empty_output = { .type = JSON_OBJECT, .text = { "{}", 2 } };

#define DELTA_TYPE    "manglecp.state_delta" /* T-MCP-24 */
#define EVIDENCE_TYPE "manglecp.evidence"    /* T-MCP-32 */

const struct tool_code mgi_tool_codes[] = {
    { "tool_error", TOOL_ERROR, false },
    { "invalid_pick", TOOL_INVALID_PICK, false },
    { "tool_breaker", TOOL_BREAKER, false },
    { "breaker_open", TOOL_BREAKER, false },
    { "crash", TOOL_CRASH, true },
    { "timeout", TOOL_TIMEOUT, true },
    { "cancelled", TOOL_CANCELLED, true },
    { "bad_output", TOOL_BAD_OUTPUT, true }, /* it ran, and what it did cannot be read */
    { "too_large", TOOL_TOO_LARGE, true },
    { "unavailable", TOOL_UNAVAILABLE, false },
    { "lease_required", TOOL_LEASE, false },
    { "lease_rejected", TOOL_LEASE, false },
    { 0 },
};

static const struct json *text_member(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v : NULL;
}

static void map_code(const struct json *answer, bool result, struct tool_result *out)
{
    const struct json *code = text_member(answer, "code");
    out->outcome = result ? TOOL_ERROR : TOOL_REFUSED;
    for (const struct tool_code *c = mgi_tool_codes; code && c->code; c++)
        if (str_is(code->string, c->code)) {
            out->outcome = c->outcome;
            out->indeterminate = c->indeterminate;
        }
}

static bool read_output(struct arena *arena, const struct json *answer, struct tool_result *out)
{
    const struct json *text = text_member(answer, "output_json");
    return text && mgi_json_parse(arena, text->string, NULL, &out->output, NULL) == JSON_OK;
}

/* "0" to "7"; else -1. */
static int slot_of(struct str key)
{
    return key.len == 1 && key.ptr[0] >= '0' && key.ptr[0] < '0' + TOOL_SLOTS ? key.ptr[0] - '0'
                                                                              : -1;
}

/* What is no JSON is text instead, which is refused by who looks at it. */
static struct json parse_content(struct arena *arena, const struct json *content)
{
    struct json out;
    bool good = content && mgi_json_parse(arena, content->string, NULL, &out, NULL) == JSON_OK;
    return good ? out : (struct json){ .type = JSON_STRING };
}

/* Of several slots all, in their order: what is seen of a page need not fit one. */
static void take_evidence(struct arena *arena, const struct json *content, struct tool_result *out)
{
    if (!out->evidence)
        out->evidence = mgi_arena_calloc(arena, TOOL_SLOTS, sizeof *out->evidence);
    if (out->evidence) /* else who reads it says that memory is short */
        out->evidence[out->evidence_count] = parse_content(arena, content);
    out->evidence_count++;
}

/* Does the artifact carry facts, and no state? Then they are read. */
static bool take_facts(struct arena *arena, const struct json *artifact, struct tool_result *out)
{
    const struct json *type = text_member(artifact, "type");
    const struct json *content = text_member(artifact, "content_json");
    if (type && str_is(type->string, EVIDENCE_TYPE)) {
        take_evidence(arena, content, out);
        return true;
    }
    if (!type || !str_is(type->string, DELTA_TYPE))
        return false;
    if (content && out->state_delta.type == JSON_NULL)
        out->state_delta = parse_content(arena, content);
    return true;
}

/* What the call changed in the state. An artifact that carries facts is none of it: it is read, and
 * its slot emptied (T-MCP-24, T-MCP-32). */
static void read_state(struct arena *arena, const struct json *answer, struct tool_result *out,
                       unsigned *delta_slots)
{
    const struct json *state = mgi_json_get(answer, "ds_state");
    const struct json *slots = state ? mgi_json_get(state, "slots") : NULL;
    const struct json *removed = state ? mgi_json_get(state, "removed_slots") : NULL;
    for (uint32_t i = 0; removed && removed->type == JSON_ARRAY && i < removed->count; i++) {
        const struct json *slot = &removed->items[i];
        if (slot->type == JSON_INT && slot->integer >= 0 && slot->integer < TOOL_SLOTS)
            out->changes.removed |= (uint8_t)(1u << slot->integer);
    }
    for (uint32_t i = 0; slots && slots->type == JSON_OBJECT && i < slots->count; i++) {
        const struct json *artifact = &slots->members[i].value;
        int slot = slot_of(slots->members[i].name);
        if (slot < 0 || artifact->type != JSON_OBJECT || (*delta_slots & (1u << slot)))
            continue;
        if (!take_facts(arena, artifact, out)) {
            out->changes.artifact[slot] = artifact->text;
            continue;
        }
        *delta_slots |= 1u << slot;
        out->changes.removed |= (uint8_t)(1u << slot);
    }
}

static enum tool_answer read_result(struct arena *arena, const struct json *answer,
                                    const struct json *status, struct tool_result *out,
                                    unsigned *delta_slots)
{
    bool good = str_is(status->string, "OK");
    if (good)
        out->outcome = TOOL_OK;
    else
        map_code(answer, true, out);
    if (!read_output(arena, answer, out))
        return ANSWER_UNUSABLE;
    if (out->output.type != JSON_OBJECT) {
        out->output = mgi_empty_output;
        if (good) {
            out->outcome = TOOL_BAD_OUTPUT;
            out->indeterminate = true;
            out->error = STR_LIT("the output of the tool is not an object");
        }
    }
    if (out->outcome == TOOL_OK)
        read_state(arena, answer, out, delta_slots);
    return ANSWER_GOOD;
}

enum tool_answer mgi_tool_answer(struct arena *arena, struct str line, struct str request_id,
                                 struct tool_result *out, unsigned *delta_slots)
{
    struct json answer;
    *out = (struct tool_result){ .outcome = TOOL_CRASH, .output = mgi_empty_output };
    *delta_slots = 0;
    if (mgi_json_parse(arena, line, NULL, &answer, NULL) != JSON_OK || answer.type != JSON_OBJECT)
        return ANSWER_UNUSABLE;

    const struct json *error = text_member(&answer, "error");
    const struct json *id = text_member(&answer, "request_id");
    const struct json *duration = mgi_json_get(&answer, "duration_ms");
    const struct json *status = text_member(&answer, "status");
    const struct json *ok = mgi_json_get(&answer, "ok");
    if (error)
        out->error = error->string;
    if (!ok || ok->type != JSON_BOOL)
        return ANSWER_UNUSABLE;
    if (!id || !str_eq(id->string, request_id))
        return ANSWER_FOREIGN;
    if (duration && duration->type == JSON_INT && duration->integer >= 0)
        out->duration_ms = duration->integer;
    if (status)
        return read_result(arena, &answer, status, out, delta_slots);
    map_code(&answer, false, out);
    return ANSWER_GOOD;
}

bool mgi_progress_event(struct arena *arena, struct str line, struct str request_id,
                        double *percent, struct str *detail)
{
    struct json event;
    if (mgi_json_parse(arena, line, NULL, &event, NULL) != JSON_OK)
        return false;
    const struct json *name = text_member(&event, "event");
    const struct json *id = text_member(&event, "request_id");
    const struct json *how_far = mgi_json_get(&event, "percent");
    const struct json *words = text_member(&event, "detail");
    if (!name || !str_is(name->string, "progress") || !id || !str_eq(id->string, request_id))
        return false;
    *percent = -1;
    if (how_far && how_far->type == JSON_INT)
        *percent = (double)how_far->integer;
    else if (how_far && how_far->type == JSON_FLOAT)
        *percent = how_far->number;
    if (*percent > 100)
        *percent = 100;
    *detail = words ? words->string : STR_LIT("");
    return true;
}

struct str mgi_lease_answer(struct arena *arena, struct str line, const char **why)
{
    struct json answer;
    *why = "the host's answer about the lease is unusable";
    if (mgi_json_parse(arena, line, NULL, &answer, NULL) != JSON_OK)
        return (struct str){ 0 };
    const struct json *token = text_member(&answer, "token_id");
    const struct json *error = text_member(&answer, "error");
    if (token && token->string.len > 0)
        return token->string;
    if (error) {
        const char *text = mgi_arena_printf(arena, "no lease: %.*s", STR_ARG(error->string));
        *why = text ? text : *why;
    }
    return (struct str){ 0 };
}
