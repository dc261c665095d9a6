/* Making a decision again: the intent as it was sent, by the clock that it was judged by, without
 * a limit of time. What the recorder would write of it is what is compared. */
#include "cli/manglecp_replay_judge.h"

#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"

const char *const mgi_replay_skip_text[REPLAY_SKIPS] = {
    [REPLAY_FINE] = "made again",
    [REPLAY_INVOCATION] = "invocations: nothing is executed again",
    [REPLAY_UNSEEN] = "refused before anything was looked at",
    [REPLAY_DIGEST] = "recorded without their facts",
    [REPLAY_EXTENSION] = "refused for a fault of an extension",
    [REPLAY_SIGNED] = "with facts that a server signed: its key is not known",
    [REPLAY_EXTERNAL] = "whose rules ask an action: none is run",
    [REPLAY_WORLD] = "ended by a timeout, a cancellation or a lack of memory",
};

static bool has_signature(const struct decision *d)
{
    const struct json *facts = d->asked ? mgi_json_get(d->asked, "facts") : NULL;
    for (uint32_t i = 0; facts && facts->type == JSON_ARRAY && i < facts->count; i++) {
        const struct json *fact = &facts->items[i];
        const struct json *source = fact->type == JSON_OBJECT ? mgi_json_get(fact, "source") : NULL;
        if (source && source->type == JSON_OBJECT && mgi_json_get(source, "signature"))
            return true;
    }
    return false;
}

enum replay_skip mgi_replay_skip(const struct decision *d)
{
    static const char *const of_the_world[] = { "evaluation_timeout", "cancelled", "internal_error",
                                                "rate_limited", "server_not_ready" };
    if (d->kind != DECISION_INTENT)
        return REPLAY_INVOCATION;
    for (size_t i = 0; i < sizeof of_the_world / sizeof *of_the_world; i++)
        if (str_is(d->code, of_the_world[i]))
            return REPLAY_WORLD;
    if (d->extension_fault)
        return REPLAY_EXTENSION;
    if (!d->asked || !d->has_eval_time)
        return REPLAY_UNSEEN;
    if (!d->has_facts)
        return REPLAY_DIGEST;
    return has_signature(d) ? REPLAY_SIGNED : REPLAY_FINE;
}

bool mgi_judge_init(struct judge *j, struct snapshot *snapshot, struct str key)
{
    *j = (struct judge){ .snapshot = snapshot,
                         .key = key,
                         .worker = mgi_intent_worker_new(),
                         .rule_count = mangle_program_rule_count(snapshot->program) };
    j->fired = mgi_calloc(j->rule_count + 1, sizeof *j->fired);
    return j->worker && j->fired;
}

void mgi_judge_fini(struct judge *j)
{
    mgi_intent_worker_free(j->worker);
    mgi_free(j->fired);
    *j = (struct judge){ .snapshot = NULL };
}

static atomic_bool was_asked; /* since a decision was begun; they are made one after the other */

bool mgi_judge_asks_nobody(const char *program, const struct action_question *question,
                           struct arena *arena, struct json *outputs, const char **why)
{
    (void)program;
    (void)question;
    (void)arena;
    (void)outputs;
    *why = "no action is run again";
    atomic_store(&was_asked, true);
    return false;
}

const struct json *mgi_judge_again(struct judge *j, const struct decision *d, struct arena *arena,
                                   bool *external)
{
    struct buf text = { 0 }, answer = { 0 };
    struct json_writer w;
    struct mask mask;
    struct wire_error e = { .retry_after_ms = -1 };
    struct intent_notes notes = { .fired = j->fired };
    struct intent_record record = { &w, &mask };
    struct intent_call call = { .snapshot = j->snapshot,
                                .who = &d->who,
                                .payload = d->asked,
                                .clock_ns = d->at_ns,
                                .notes = &notes,
                                .record = &record };
    atomic_store(&was_asked, false);
    memset(j->fired, 0, j->rule_count * sizeof *j->fired);
    mgi_json_writer_init(&w, &text, 0);
    mgi_mask_init(&mask, j->snapshot, arena, j->key);
    mgi_jw_begin_object(&w);
    (void)mgi_intent_evaluate(j->worker, &call, arena, &answer, &e);
    mgi_jw_end_object(&w);
    *external = atomic_load(&was_asked);
    struct json *root = mgi_arena_calloc(arena, 1, sizeof *root);
    bool ok =
        !*external && e.code != WIRE_INTERNAL_ERROR && root && mgi_json_take(arena, &text, root);
    mgi_buf_fini(&text);
    mgi_buf_fini(&answer);
    mgi_mask_fini(&mask);
    return ok ? mgi_json_get(root, "outcome") : NULL;
}

/* ---- differences --------------------------------------------------------------------------- */

static const struct json *list_of(const struct json *outcome, const char *name)
{
    static const struct json nothing = { .type = JSON_ARRAY };
    const struct json *v = mgi_json_get(outcome, name);
    return v && v->type == JSON_ARRAY ? v : &nothing;
}

static struct str member_text(const struct json *object, const char *name)
{
    const struct json *v = mgi_json_get(object, name);
    return v && v->type == JSON_STRING ? v->string : (struct str){ "", 0 };
}

static const struct json *entry_of(const struct json *list, struct str tool)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (str_eq(member_text(&list->items[i], "tool"), tool))
            return &list->items[i];
    return NULL;
}

static const char *why_gone(struct arena *arena, const struct json *after, struct str tool)
{
    const struct json *entry = entry_of(list_of(after, "prohibited"), tool);
    struct str code = member_text(after, "code");
    if (entry)
        return mgi_arena_printf(arena, "prohibited: %.*s", STR_ARG(member_text(entry, "reason")));
    entry = entry_of(list_of(after, "lost"), tool);
    if (entry)
        return mgi_arena_printf(arena, "lost: %.*s", STR_ARG(member_text(entry, "why")));
    if (!str_is(code, "ok"))
        return mgi_arena_printf(arena, "%.*s", STR_ARG(code));
    return "no rule brings it";
}

static bool same_member(const struct json *a, const struct json *b, const char *name)
{
    const struct json *x = mgi_json_get(a, name), *y = mgi_json_get(b, name);
    return x && y ? str_eq(x->text, y->text) : !x == !y;
}

/* "level full -> minimal, score 90 -> 10"; NULL: nothing. */
static const char *what_changed(struct arena *arena, const struct json *a, const struct json *b,
                                bool exact)
{
    static const char *const names[] = { "level",   "score",    "phase", "confirm",
                                         "expires", "macro_id", NULL };
    struct buf text = { 0 };
    for (const char *const *name = names; *name; name++) {
        const struct json *x = mgi_json_get(a, *name), *y = mgi_json_get(b, *name);
        struct str from = x ? x->text : STR_LIT("none"), to = y ? y->text : STR_LIT("none");
        bool counts = strcmp(*name, "macro_id") != 0 || (exact && !mgi_json_get(a, "keyed"));
        if (counts && !same_member(a, b, *name))
            mgi_buf_printf(&text, "%s%s %.*s -> %.*s", text.len > 0 ? ", " : "", *name,
                           STR_ARG(from), STR_ARG(to));
    }
    const char *what = text.len == 0 ? NULL : "something";
    struct str copy = { NULL, 0 };
    if (text.len > 0 && !text.oom)
        copy = mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return copy.ptr ? copy.ptr : what;
}

static void add_difference(struct outcome_difference *out, enum tool_change change,
                           const struct json *tool, const char *what)
{
    out->tools[out->count++] =
        (struct tool_difference){ change, member_text(tool, "tool"), what ? what : "" };
}

/* Up to the digest of the answer, which stands last. */
static struct str but_for_the_answer(const struct json *outcome)
{
    const struct json *answer = mgi_json_get(outcome, "answer");
    struct str text = outcome->text;
    if (answer)
        text.len = (size_t)(answer->text.ptr - text.ptr) - sizeof ",\"answer\":" + 1;
    else
        text.len--; /* the brace */
    return text;
}

/* One has a keyed digest, and who made the other one had no key. */
static bool lacks_a_key(const struct json *before, const struct json *after)
{
    struct str a = member_text(before, "answer"), b = member_text(after, "answer");
    return (a.len == 0) != (b.len == 0) && mgi_str_starts(a.len ? a : b, STR_LIT("hmac:"));
}

/* Ids that hide what rules bound are made with a key of the server's, and stand in the answer. */
static bool has_keyed_ids(const struct json *outcome)
{
    const struct json *tools = list_of(outcome, "tools");
    for (uint32_t i = 0; i < tools->count; i++)
        if (mgi_json_get(&tools->items[i], "keyed"))
            return true;
    return false;
}

/* Beside the tools; NULL: nothing. */
static const char *what_else(struct arena *arena, const struct json *before,
                             const struct json *after, bool exact, bool unkeyed)
{
    struct str a = member_text(before, "code"), b = member_text(after, "code");
    if (!str_eq(a, b))
        return mgi_arena_printf(arena, "%.*s -> %.*s", STR_ARG(a), STR_ARG(b));
    if (!same_member(before, after, "message") || !same_member(before, after, "details"))
        return "the message or the details of the error";
    if (!same_member(before, after, "prohibited") || !same_member(before, after, "lost"))
        return "why other tools are not there";
    if (exact && !unkeyed && !same_member(before, after, "answer"))
        return "the text of the answer";
    return exact && !same_member(before, after, "rules") ? "other rules fired" : NULL;
}

static void compare_tools(struct arena *arena, const struct json *before, const struct json *after,
                          bool exact, struct outcome_difference *out)
{
    const struct json *old = list_of(before, "tools"), *new = list_of(after, "tools");
    for (uint32_t i = 0; i < old->count; i++) {
        const struct json *was = &old->items[i];
        const struct json *is = entry_of(new, member_text(was, "tool"));
        const char *what = is ? what_changed(arena, was, is, exact)
                              : why_gone(arena, after, member_text(was, "tool"));
        if (what)
            add_difference(out, is ? TOOL_CHANGED : TOOL_HIDDEN, was, what);
    }
    for (uint32_t i = 0; i < new->count; i++)
        if (!entry_of(old, member_text(&new->items[i], "tool")))
            add_difference(out, TOOL_SHOWN, &new->items[i],
                           why_gone(arena, before, member_text(&new->items[i], "tool")));
}

bool mgi_judge_compare(struct arena *arena, const struct json *before, const struct json *after,
                       bool exact, struct outcome_difference *out)
{
    size_t room = (size_t)list_of(before, "tools")->count + list_of(after, "tools")->count;
    *out = (struct outcome_difference){ .tools = NULL };
    bool keyed_ids = has_keyed_ids(before);
    out->unkeyed = keyed_ids || lacks_a_key(before, after);
    if (str_eq(before->text, after->text) ||
        (out->unkeyed && str_eq(but_for_the_answer(before), but_for_the_answer(after))))
        return false;
    out->tools = mgi_arena_calloc(arena, room + 1, sizeof *out->tools);
    if (out->tools)
        compare_tools(arena, before, after, exact, out);
    out->what = what_else(arena, before, after, exact, out->unkeyed);
    if (exact && out->count == 0 && !out->what && !keyed_ids)
        out->what = "the form of the record";
    return !out->tools || out->count > 0 || out->what;
}
