/* Answers: see answer.h. */
#include "toolhost/answer.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/json.h"
#include "base/utf8.h"

struct code_row {
    const char *word;
    int exit_code;
};

static const struct code_row refusal_rows[] = { [REFUSED_NOT] = { "", 0 },
#define X(name, word, exit_code) [name] = { (word), (exit_code) },
                                                REFUSAL_CODES(X)
#undef X
};

static const char *const outcome_words[] = {
#define X(name, word) [name] = (word),
    OUTCOME_CODES(X)
#undef X
};

const char *mgi_refusal_word(enum refusal_code code)
{
    return refusal_rows[code].word;
}

const char *mgi_outcome_word(enum outcome_code code)
{
    return outcome_words[code];
}

int mgi_refusal_exit(enum refusal_code code)
{
    return refusal_rows[code].exit_code;
}

int mgi_outcome_exit(enum outcome_code code)
{
    switch (code) {
    case OUTCOME_CRASH:
        return 6;
    case OUTCOME_TIMEOUT:
    case OUTCOME_CANCELLED:
        return 7;
    case OUTCOME_UNAVAILABLE:
    case OUTCOME_BREAKER_OPEN:
        return 1;
    default:
        return 0; /* the tool function returned */
    }
}

/* ---- making outcomes ---------------------------------------------------------------------- */

struct outcome mgi_outcome_failed(struct arena *arena, enum outcome_code code, const char *format,
                                  ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    struct str error = mgi_error_text(arena, str_of(text));
    if (!error.ptr)
        error = str_of(outcome_words[code]);
    th_status status = code == OUTCOME_BREAKER_OPEN ? TH_BREAKER_TRIP : TH_TOOL_ERROR;
    return (struct outcome){ status, code, STR_LIT("{}"), error };
}

struct str mgi_error_text(struct arena *arena, struct str s)
{
    static const char replacement[] = "\xef\xbf\xbd";
    size_t limit = s.len < MAX_ERROR_BYTES ? s.len : MAX_ERROR_BYTES;
    char *text = mgi_arena_alloc(arena, 3 * limit + 4);
    if (!text)
        return (struct str){ NULL, 0 };
    size_t len = 0;
    for (size_t at = 0; at < s.len;) {
        size_t from = at;
        bool good = mgi_utf8_next(s, &at) != UINT32_MAX;
        size_t add = good ? at - from : sizeof replacement - 1;
        if (len + add > MAX_ERROR_BYTES)
            break;
        memcpy(text + len, good ? s.ptr + from : replacement, add);
        len += add;
    }
    text[len] = '\0';
    return (struct str){ text, len };
}

/* DS_NOMEM-like answers do not exist here: an output that cannot be checked for lack of memory is
 * treated like one that is too large. */
static bool output_fault(struct arena *arena, struct str output, uint64_t lost,
                         struct outcome *failed)
{
    uint64_t size = lost ? lost : output.len;
    if (size > MAX_OUTPUT_BYTES) {
        *failed = mgi_outcome_failed(arena, OUTCOME_TOO_LARGE,
                                     "tool output too large: %llu bytes (limit %d)",
                                     (unsigned long long)size, MAX_OUTPUT_BYTES);
        return true;
    }
    if (!mgi_utf8_valid(output, NULL)) {
        *failed = mgi_outcome_failed(arena, OUTCOME_BAD_OUTPUT, "tool output is not valid UTF-8");
        return true;
    }
    struct arena_mark mark = mgi_arena_mark(arena);
    struct json value;
    enum json_fault fault = mgi_json_parse(arena, output, NULL, &value, NULL);
    mgi_arena_rewind(arena, mark);
    if (fault == JSON_OK)
        return false;
    *failed = mgi_outcome_failed(arena, OUTCOME_BAD_OUTPUT,
                                 fault == JSON_NOMEM ? "tool output needs too much memory"
                                                     : "tool returned invalid JSON output");
    return true;
}

struct outcome mgi_outcome_of_tool(struct arena *arena, int32_t status, struct str output,
                                   uint64_t lost, struct str error)
{
    static const enum outcome_code codes[] = {
        [TH_OK] = OUTCOME_OK,
        [TH_INVALID_PICK] = OUTCOME_INVALID_PICK,
        [TH_TOOL_ERROR] = OUTCOME_TOOL_ERROR,
        [TH_BREAKER_TRIP] = OUTCOME_TOOL_BREAKER,
    };
    if (status < TH_OK || status > TH_BREAKER_TRIP)
        return mgi_outcome_failed(arena, OUTCOME_BAD_OUTPUT, "tool returned unknown status %d",
                                  (int)status);
    if (output.len == 0 && lost == 0)
        output = STR_LIT("{}");
    struct outcome o;
    if (output_fault(arena, output, lost, &o))
        return o;
    o = (struct outcome){ (th_status)status, codes[status], output, STR_LIT("") };
    if (status != TH_OK)
        o.error = mgi_error_text(arena, error);
    if (status != TH_OK && o.error.len == 0)
        o.error = STR_LIT("tool failed without a message");
    return o;
}

/* ---- writing ------------------------------------------------------------------------------ */

const char *mgi_status_word(th_status status)
{
    static const char *const words[] = {
        [TH_OK] = "OK",
        [TH_INVALID_PICK] = "INVALID_PICK",
        [TH_TOOL_ERROR] = "TOOL_ERROR",
        [TH_BREAKER_TRIP] = "BREAKER_TRIP",
    };
    return words[status];
}

void mgi_answer_close(struct json_writer *w, const struct answer_extras *x, const char *code)
{
    if (x->request_id.len) {
        mgi_jw_member_str(w, "request_id", x->request_id);
        mgi_jw_member_int(w, "duration_ms", x->duration_ms);
        mgi_jw_member_cstr(w, "ds_digest", x->ds_digest);
        if (code)
            mgi_jw_member_cstr(w, "code", code);
    }
    mgi_jw_end_object(w);
    mgi_buf_putc(w->out, '\n');
}

void mgi_answer_refusal(struct buf *out, const struct refusal *r, const struct answer_extras *x)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "ok", false);
    mgi_jw_member_str(&w, "error", r->error);
    if (r->code == REFUSED_LEASE_REQUIRED) {
        mgi_jw_member_int(&w, "tier", r->tier);
        mgi_jw_member_str(&w, "aid", r->aid);
    }
    if (r->reason.len)
        mgi_jw_member_str(&w, "reason", r->reason);
    mgi_answer_close(&w, x, refusal_rows[r->code].word);
}

void mgi_answer_result(struct buf *out, const struct outcome *o, bool hit,
                       const struct answer_state *state, const struct answer_extras *x)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "ok", o->status == TH_OK); /* T-RSP-1 */
    mgi_jw_member_cstr(&w, "status", mgi_status_word(o->status));
    mgi_jw_member_str(&w, "output_json", o->output);
    mgi_jw_member_str(&w, "error", o->error);
    if (hit)
        mgi_jw_member_bool(&w, "idempotent_hit", true);
    mgi_jw_key(&w, "ds_state");
    if (state->full)
        mgi_ds_write_full(&w, state->state);
    else
        mgi_ds_write_delta(&w, state->state, state->changed);
    mgi_answer_close(&w, x, o->status == TH_OK ? NULL : outcome_words[o->code]);
}
