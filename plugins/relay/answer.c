/* Lines of a program: see answer.h. */
#include "answer.h"

#include <string.h>

static enum relay_line wrong(const char **why, const char *what)
{
    *why = what;
    return RELAY_WRONG;
}

static double percent_of(const struct json *v)
{
    if (v && v->type == JSON_INT)
        return (double)v->integer;
    return v && v->type == JSON_FLOAT ? v->number : -1;
}

static struct str text_member(const struct json *v, const char *name)
{
    const struct json *member = mgi_json_get(v, name);
    return member && member->type == JSON_STRING ? member->string : (struct str){ "", 0 };
}

static enum relay_line read_event(const struct json *v, struct relay_answer *out)
{
    out->has_progress = str_is(text_member(v, "event"), "progress");
    out->percent = percent_of(mgi_json_get(v, "percent"));
    out->detail = text_member(v, "detail");
    return RELAY_EVENT;
}

static bool status_of(struct str word, th_status *out)
{
    static const char *const words[] = { "OK", "INVALID_PICK", "TOOL_ERROR", "BREAKER_TRIP" };
    for (int i = TH_OK; i <= TH_BREAKER_TRIP; i++) {
        if (str_is(word, words[i])) {
            *out = (th_status)i;
            return true;
        }
    }
    return false;
}

/* What the program's own library says of an answer that it could not give. */
static uint32_t lost_of(struct str code)
{
    return str_is(code, "crash")        ? TH_LOST_CRASH
           : str_is(code, "bad_output") ? TH_LOST_BAD_OUTPUT
           : str_is(code, "too_large")  ? TH_LOST_TOO_LARGE
                                        : 0;
}

static enum relay_line read_result(const struct json *v, struct relay_answer *out, const char **why)
{
    const struct json *output = mgi_json_get(v, "output_json");
    const struct json *state = mgi_json_get(v, "ds_state");
    if (output && output->type != JSON_NULL && output->type != JSON_STRING)
        return wrong(why, "output_json is not a text");
    if (state && state->type != JSON_NULL && state->type != JSON_OBJECT)
        return wrong(why, "ds_state is not an object");
    if (output && output->type == JSON_STRING)
        out->output = output->string;
    if (state)
        out->state = *state;
    return RELAY_ANSWER;
}

static enum relay_line read_answer(const struct json *v, struct str request_id,
                                   struct relay_answer *out, const char **why)
{
    const struct json *ok = mgi_json_get(v, "ok"), *id = mgi_json_get(v, "request_id");
    const struct json *status = mgi_json_get(v, "status");
    if (!ok || ok->type != JSON_BOOL)
        return wrong(why, "it is neither an answer nor an event");
    if (!id || id->type != JSON_STRING)
        return wrong(why, "it does not repeat the request_id");
    if (!str_eq(id->string, request_id))
        return wrong(why, "it is the answer to another request");
    out->error = text_member(v, "error");
    out->status = TH_TOOL_ERROR;
    if (!status || status->type == JSON_NULL) /* a refusal: nothing ran */
        return ok->boolean ? wrong(why, "it has no status") : RELAY_ANSWER;
    if (status->type != JSON_STRING || !status_of(status->string, &out->status))
        return wrong(why, "its status is none of OK, INVALID_PICK, TOOL_ERROR, BREAKER_TRIP");
    if (ok->boolean != (out->status == TH_OK))
        return wrong(why, "its ok contradicts its status");
    out->trace = text_member(v, "trace");
    if (out->status == TH_TOOL_ERROR)
        out->lost = lost_of(text_member(v, "code"));
    return read_result(v, out, why);
}

enum relay_line relay_line_read(struct arena *arena, struct str line, struct str request_id,
                                struct relay_answer *out, const char **why)
{
    struct json v;
    struct json_error error;
    *out = (struct relay_answer){ .percent = -1, .state = { .type = JSON_NULL } };
    enum json_fault fault = mgi_json_parse(arena, line, NULL, &v, &error);
    if (fault == JSON_NOMEM)
        return wrong(why, "out of memory");
    if (fault != JSON_OK) {
        const char *text =
            mgi_arena_printf(arena, "it is no JSON: %s at byte %zu", error.message, error.offset);
        return wrong(why, text ? text : "it is no JSON");
    }
    if (v.type != JSON_OBJECT)
        return wrong(why, "it is not an object");
    if (mgi_json_get(&v, "event") && !mgi_json_get(&v, "ok"))
        return read_event(&v, out);
    return read_answer(&v, request_id, out, why);
}
