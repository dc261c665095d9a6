/* Payload and answer of a policy: see policy_answer.h. */
#include "select/policy_answer.h"

#include <inttypes.h>

#include "base/utf8.h"

#define REMARK_BYTES 200 /* of standard error, in a failure */

void mgi_policy_payload(struct buf *out, const struct select_view *view, const struct menu *menu,
                        const struct json *inputs, enum control_mode mode)
{
    struct json_writer w;
    struct buf goal = { 0 };
    mgi_goal_context(&goal, view);
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "goal_digest", mgi_buf_view(&goal));
    mgi_jw_member_str(&w, "state_digest", view->state_digest);
    mgi_jw_member_cstr(&w, "control_mode", mgi_control_mode_name(mode));
    if (inputs->type == JSON_OBJECT) {
        mgi_jw_key(&w, "inputs");
        mgi_jw_value(&w, inputs);
    }
    mgi_jw_key(&w, "menu");
    mgi_menu_write(&w, menu);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
    out->oom |= goal.oom;
    mgi_buf_fini(&goal);
}

/* ---- failures ------------------------------------------------------------------------------- */

/* The last line of standard error says most: of a Python traceback it is the exception. */
static struct str last_line(struct str err)
{
    err = mgi_str_trim(err, " \t\r\n");
    for (size_t i = err.len; i > 0; i--)
        if (err.ptr[i - 1] == '\n')
            return (struct str){ err.ptr + i, err.len - i };
    return err;
}

/* `what`, and what the process said of it. NULL: memory. */
static const char *with_remark(struct arena *into, const char *what, struct str err)
{
    struct buf shown = { 0 };
    struct str line = mgi_utf8_prefix(last_line(err), REMARK_BYTES);
    if (!what || line.len == 0)
        return what;
    mgi_utf8_show(&shown, line);
    const char *text =
        shown.oom ? NULL : mgi_arena_printf(into, "%s: %s", what, shown.ptr ? shown.ptr : "");
    mgi_buf_fini(&shown);
    return text;
}

/* How it ended, if that was a failure; "" if not. NULL: memory. */
static const char *exit_failure(struct arena *into, const struct policy_answer *a)
{
    switch (a->exit) {
    case POLICY_EXITED:
        return a->status == 0 ? "" : mgi_arena_printf(into, "exit code %" PRId64, a->status);
    case POLICY_SIGNALLED:
        return mgi_arena_printf(into, "ended by signal %" PRId64, a->status);
    case POLICY_NOT_STARTED:
        return mgi_arena_printf(into, "not started: %s", strerror((int)a->status));
    case POLICY_TIMED_OUT:
        return mgi_arena_printf(into, "no answer within %" PRId64 " ms", a->status);
    case POLICY_TOO_MUCH:
        break;
    }
    return mgi_arena_printf(into, "more than %" PRId64 " bytes of output", a->status);
}

/* What is wrong with the selection; "" if nothing is. NULL: memory. */
static const char *selection_failure(struct arena *into, const struct menu *menu,
                                     const struct selection *s)
{
    char sid[SID_CHARS + 1];
    if (mgi_str_trim(s->raw, " \t\r\n").len == 0)
        return "empty output";
    if (s->kind == SELECTION_INVALID)
        return mgi_arena_printf(into, "not a selection: %s", s->fault);
    if (s->kind != SELECTION_PICK || mgi_menu_find(menu, s->sid))
        return "";
    mgi_sid_print(s->sid, sid);
    return mgi_arena_printf(into, "%s is not in the menu", sid);
}

bool mgi_policy_judge(struct arena *into, const struct menu *menu,
                      const struct policy_answer *answer, struct selection *out,
                      const char **failure)
{
    const char *why = exit_failure(into, answer);
    if (!why)
        return false;
    if (!*why && (!mgi_selection_parse(into, answer->out, out) ||
                  !(why = selection_failure(into, menu, out))))
        return false;
    *failure = NULL;
    if (!*why)
        return true;
    *failure = with_remark(into, why, answer->err);
    if (!*failure)
        return false;
    struct str raw = answer->out;
    *out = mgi_selection_invalid(*failure);
    out->raw = raw.len > SELECTION_MAX_BYTES ? (struct str){ raw.ptr, SELECTION_RAW_BYTES } : raw;
    return true;
}

bool mgi_policy_replace(struct arena *into, const char *failure, const struct selection *fallback,
                        struct selection *out)
{
    const char *raw =
        mgi_arena_printf(into, "[policy_failure] %s\n%.*s", failure, STR_ARG(fallback->raw));
    if (!raw)
        return false;
    *out = *fallback;
    out->raw = str_of(raw);
    return true;
}
