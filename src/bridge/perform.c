/* The three tools, over the client library. What a model reads is written by manglecp_show_*(). */
#include "bridge/perform.h"

#include <string.h>

#include "base/alloc.h"

#define FULL_OF_FACTS  "What changed was not taken up, since too many facts are known"
#define TOO_MANY_FACTS "this work holds too many facts: forget some, or begin new work\n"
#define NOT_TAKEN_UP   "What changed could not be taken up as facts.\n"
#define MORE_TOKENS    8000 /* of what a model asks for again, because it was cut */

struct doing {
    manglecp_client *client;
    struct bridge_work *work;
    const struct ask *ask;
    struct arena *arena; /* of the call */
    int64_t now_ns;
    const struct crew_job *job;
    struct performed *out;
};

void mgi_performed_fini(struct performed *p)
{
    mgi_buf_fini(&p->text);
    mgi_buf_fini(&p->structured);
    mgi_tell_fini(&p->tell);
}

void mgi_perform_nothing(const char *why, struct performed *out)
{
    mgi_buf_puts(&out->text, why[0] ? why : "out of memory");
    out->is_error = true;
}

/* ---- texts for the model ------------------------------------------------------------------- */

static struct manglecp_show how_of(const struct doing *d)
{
    return (struct manglecp_show){
        .max_tokens = d->ask->again || d->ask->kind == ASK_STATE ? MORE_TOKENS : 0,
        .again = d->ask->again || d->ask->direct || d->ask->show != SHOW_NOTHING,
        .about = d->ask->kind == ASK_RUN ? d->ask->tool : d->ask->intent,
        .now_ns = d->now_ns,
        .to_see_more = d->ask->direct ? NULL : "state {\"show\":\"tools\"}",
        .to_read_skill = d->ask->direct ? NULL : "state {\"skill\":NAME}",
        .leave_suggestions_out = d->ask->direct,
    };
}

/* Takes over `text`, which one of the manglecp_show_*() has made. */
static void add_shown(struct doing *d, enum manglecp_status status, char *text, size_t len)
{
    if (status == MANGLECP_ERR_INVALID)
        mgi_buf_puts(&d->out->text, "the server's answer cannot be read\n");
    else if (status)
        d->out->text.oom = true;
    else
        mgi_buf_append(&d->out->text, text, len);
    d->out->is_error = d->out->is_error || status == MANGLECP_ERR_INVALID;
    manglecp_free(text);
}

static void say_wrong(struct doing *d, const char *text)
{
    mgi_buf_puts(&d->out->text, text);
    d->out->is_error = true;
}

/* What became of a question, for the client's log. */
static void tell_consent(struct doing *d)
{
    static const char *const words[] = { [CREW_NOT_ASKED] = NULL,
                                         [CREW_AGREED] = "agreed",
                                         [CREW_REFUSED] = "refused",
                                         [CREW_UNANSWERED] = "not answered",
                                         [CREW_CROWDED] = "not asked: too many questions are open",
                                         [CREW_NOBODY] = "not asked: this client cannot" };
    const char *word = d->job ? words[d->job->answer] : NULL;
    if (word)
        mgi_tell_one(&d->out->tell, MCP_NOTICE, d->ask->tool, "consent", str_of(word));
}

/* Why there was no consent, where that is what failed (X-BRIDGE-6). */
static void say_consent(struct doing *d)
{
    switch (d->job ? d->job->answer : CREW_NOBODY) {
    case CREW_REFUSED:
        mgi_buf_puts(&d->out->text, "refused by the user\n");
        break;
    case CREW_UNANSWERED:
        mgi_buf_puts(&d->out->text, "not answered by the user\n");
        break;
    case CREW_CROWDED:
        mgi_buf_puts(
            &d->out->text,
            "This needs the user's consent, and too many questions to users are open already: "
            "run it again when they are answered.\n");
        break;
    default:
        mgi_buf_puts(&d->out->text, "This needs the user's consent, and this MCP client cannot ask "
                                    "(elicitation). A person can run it with manglecp invoke.\n");
        if (d->job)
            mgi_buf_str(&d->out->text, mgi_buf_view(&d->job->question));
    }
    if (d->job && d->job->within)
        mgi_buf_puts(&d->out->text, "\nWhat it had done before is done.\n");
}

static void say_failure(struct doing *d, enum manglecp_status status)
{
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len;
    d->out->is_error = true;
    if (status == MANGLECP_ERR_NOMEM) {
        d->out->text.oom = true;
        return;
    }
    if (status == MANGLECP_ERR_CONSENT) {
        say_consent(d);
        return;
    }
    mgi_tell_answer(&d->out->tell, d->ask->kind == ASK_RUN ? d->ask->tool : NULL,
                    str_of(manglecp_error(d->client)->json));
    enum manglecp_status shown = manglecp_show_failure(d->client, &how, &text, &len);
    add_shown(d, shown, text, len);
}

/* ---- beside the text ----------------------------------------------------------------------- */

static void begin_structured(struct doing *d, struct json_writer *w)
{
    mgi_buf_clear(&d->out->structured);
    mgi_json_writer_init(w, &d->out->structured, 0);
    mgi_jw_begin_object(w);
    if (d->work && !d->ask->direct)
        mgi_jw_member_cstr(w, "work", d->work->handle);
}

static void structure_tools(struct doing *d)
{
    struct json_writer w;
    begin_structured(d, &w);
    mgi_jw_key(&w, "tools");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; d->work->tools && i < manglecp_tools_count(d->work->tools); i++)
        mgi_jw_cstring(&w, manglecp_tools_get(d->work->tools, i)->name);
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
}

/* The value alone: what else there is means nothing to who called a tool like any other. */
static void structure_value(struct doing *d, const manglecp_result *result)
{
    mgi_buf_clear(&d->out->structured);
    mgi_buf_puts(&d->out->structured, manglecp_result_value(result));
}

static void structure_whole(struct doing *d, const manglecp_result *result)
{
    struct json_writer w;
    const char *plan = manglecp_result_plan(result);
    begin_structured(d, &w);
    mgi_jw_key(&w, plan ? "plan" : "result");
    mgi_jw_raw(&w, str_of(plan ? plan : manglecp_result_value(result)));
    mgi_jw_key(&w, "suggestions");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < manglecp_result_suggestion_count(result); i++) {
        const struct manglecp_suggestion *s = manglecp_result_suggestion(result, i);
        mgi_jw_begin_object(&w);
        mgi_jw_member_cstr(&w, "intent", s->name);
        mgi_jw_key(&w, "params");
        mgi_jw_raw(&w, str_of(s->params));
        mgi_jw_end_object(&w);
    }
    mgi_jw_end_array(&w);
    mgi_jw_end_object(&w);
}

static void structure_result(struct doing *d, const manglecp_result *result)
{
    if (d->ask->direct)
        structure_value(d, result);
    else
        structure_whole(d, result);
    if (d->out->structured.len > STRUCTURED_BYTES) { /* the text has what there is room for */
        mgi_buf_clear(&d->out->structured);
        d->out->too_large = true;
    }
}

/* ---- working facts ------------------------------------------------------------------------- */

static const struct json *manifest_of(struct doing *d)
{
    size_t len;
    const char *text = manglecp_manifest(d->client, &len);
    struct json *v = mgi_arena_alloc(d->arena, sizeof *v);
    struct str kept = mgi_arena_str(d->arena, (struct str){ text, len });
    if (!v || !kept.ptr || mgi_json_parse(d->arena, kept, NULL, v, NULL) != JSON_OK)
        return NULL;
    return mgi_json_get(v, "payload");
}

/* As they are now, to come back to: NULL, and out->text.oom, when memory is short. */
static manglecp_facts *copy_facts(struct doing *d)
{
    char *json = manglecp_facts_json(d->work->facts, NULL);
    manglecp_facts *copy = json ? manglecp_facts_new() : NULL;
    if (copy && manglecp_facts_add(copy, json)) {
        manglecp_facts_free(copy);
        copy = NULL;
    }
    manglecp_free(json);
    if (!copy)
        d->out->text.oom = true;
    return copy;
}

/* What the model knows, into the work. False: it was told what is wrong. */
static bool add_facts(struct doing *d)
{
    struct buf json = { 0 }, faults = { 0 };
    const struct json *manifest = manifest_of(d);
    bool good = mgi_facts_from(&json, d->ask->facts, manifest, d->now_ns, &faults);
    if (faults.len > 0 && d->ask->intent) /* a server is not asked then, and would have told it */
        mgi_say_unknown_intent(str_of(d->ask->intent), manifest, &faults);
    if (!good && faults.len > 0)
        say_wrong(d, faults.ptr);
    else if (!good)
        d->out->text.oom = true;
    else if (!mgi_works_reserve(d->work, json.len)) {
        say_wrong(d, TOO_MANY_FACTS);
        good = false;
    } else {
        enum manglecp_status status = manglecp_facts_add(d->work->facts, json.ptr);
        good = status == MANGLECP_OK && manglecp_facts_count(d->work->facts) <= WORK_FACTS;
        if (status == MANGLECP_ERR_NOMEM)
            d->out->text.oom = true;
        else if (status == MANGLECP_OK && !good)
            say_wrong(d, TOO_MANY_FACTS);
        else if (!good)
            say_wrong(d, "facts: a predicate is a name in lower case, args a list of values\n");
    }
    mgi_buf_fini(&json);
    mgi_buf_fini(&faults);
    return good;
}

static bool is_named(const struct json *list, struct str pred)
{
    if (list->type == JSON_STRING)
        return str_eq(list->string, pred);
    for (uint32_t i = 0; i < list->count; i++)
        if (str_eq(list->items[i].string, pred))
            return true;
    return false;
}

/* Takes facts of the predicates out of the work; how many there were. Nothing, and out->text.oom:
 * memory is short. */
static size_t forget_facts(struct doing *d, const struct json *list)
{
    struct json all;
    struct buf text = { 0 };
    struct json_writer w;
    size_t forgotten = 0;
    char *json = manglecp_facts_json(d->work->facts, NULL);
    manglecp_facts *kept = json ? manglecp_facts_new() : NULL;
    if (kept && mgi_json_parse(d->arena, str_of(json), NULL, &all, NULL) == JSON_OK) {
        mgi_json_writer_init(&w, &text, 0);
        mgi_jw_begin_array(&w);
        for (uint32_t i = 0; i < all.count; i++) {
            const struct json *pred = mgi_json_get(&all.items[i], "pred");
            if (pred && is_named(list, pred->string))
                forgotten++;
            else
                mgi_jw_value(&w, &all.items[i]);
        }
        mgi_jw_end_array(&w);
    }
    if (!kept || text.len == 0 || text.oom || manglecp_facts_add(kept, text.ptr)) {
        manglecp_facts_free(kept);
        d->out->text.oom = true;
        forgotten = 0;
    } else {
        manglecp_facts_free(d->work->facts);
        d->work->facts = kept;
        d->work->fact_bytes = text.len;
    }
    mgi_buf_fini(&text);
    manglecp_free(json);
    return forgotten;
}

/* ---- intents ------------------------------------------------------------------------------- */

static void show_manifest(struct doing *d)
{
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len, json_len;
    const char *json = manglecp_manifest(d->client, &json_len);
    how.about = NULL;
    enum manglecp_status status =
        manglecp_show_manifest(d->work ? d->work->shown : NULL, json, json_len, &how, &text, &len);
    add_shown(d, status, text, len);
}

static void show_tools(struct doing *d)
{
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len, json_len;
    const char *json = manglecp_tools_json(d->work->tools, &json_len);
    how.about = d->work->intent;
    enum manglecp_status status =
        manglecp_show_tools(d->work->shown, json, json_len, &how, &text, &len);
    add_shown(d, status, text, len);
}

/* A copy, also of NULL. False: memory. */
static bool keep_text(char **into, const char *text)
{
    *into = text ? mgi_alloc(strlen(text) + 1) : NULL;
    if (*into)
        memcpy(*into, text, strlen(text) + 1);
    return *into || !text;
}

/* From now on the work is about `intent`, which brought `tools`. */
static void take_tools(struct doing *d, const struct manglecp_intent *intent, manglecp_tools *tools)
{
    char *name, *params = NULL, *more = NULL;
    struct bridge_work *work = d->work;
    if (!keep_text(&name, intent->name) || !keep_text(&params, intent->params_json) ||
        !keep_text(&more, intent->more_facts)) {
        mgi_free(name);
        mgi_free(params);
        mgi_free(more);
        manglecp_tools_free(tools);
        d->out->text.oom = true;
        return;
    }
    mgi_free(work->intent);
    mgi_free(work->params);
    mgi_free(work->more_facts);
    manglecp_tools_free(work->tools);
    work->intent = name;
    work->params = params;
    work->more_facts = more;
    work->tools = tools;
    if (d->ask->kind == ASK_INTENT &&
        d->ask->work.len == 0) /* where it fails, it is not kept: see bridge.c */
        mgi_buf_printf(&d->out->text, "work: %s\n", work->handle);
    show_tools(d);
    structure_tools(d);
}

static bool evaluate(struct doing *d, const struct manglecp_intent *intent)
{
    manglecp_tools *tools;
    enum manglecp_status status = manglecp_evaluate(d->client, intent, d->work->facts, &tools);
    if (status)
        say_failure(d, status);
    else
        take_tools(d, intent, tools);
    return !status;
}

/* With the facts that the model brought, without those that it takes back; where that fails, the
 * work is as before. */
static void intend(struct doing *d, const struct manglecp_intent *intent)
{
    const struct json *forget = d->ask->kind == ASK_INTENT ? d->ask->forget : NULL;
    if (!d->ask->facts && !forget) {
        (void)evaluate(d, intent);
        return;
    }
    manglecp_facts *before = copy_facts(d);
    size_t bytes = d->work->fact_bytes;
    if (!before)
        return;
    if (forget)
        (void)forget_facts(d, forget);
    if ((!d->ask->facts || add_facts(d)) && evaluate(d, intent)) {
        manglecp_facts_free(before);
        return;
    }
    manglecp_facts_free(d->work->facts);
    d->work->facts = before;
    d->work->fact_bytes = bytes;
}

static void do_intent(struct doing *d)
{
    if (!d->ask->intent) {
        show_manifest(d);
        return;
    }
    struct manglecp_intent intent = { .name = d->ask->intent, .params_json = d->ask->params };
    intend(d, &intent);
}

/* ---- results ------------------------------------------------------------------------------- */

static void take_result(struct doing *d, manglecp_result *result)
{
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len, json_len;
    const char *json = manglecp_result_json(result, &json_len);
    enum manglecp_status status =
        manglecp_show_result(d->work->shown, json, json_len, &how, &text, &len);
    add_shown(d, status, text, len);
    mgi_tell_answer(&d->out->tell, d->ask->tool, (struct str){ json, json_len });
    structure_result(d, result);
    if (manglecp_result_plan(result)) { /* nothing has happened */
        manglecp_result_free(result);
        return;
    }
    manglecp_result_free(d->work->result);
    d->work->result = result;
    if (!mgi_works_reserve(d->work, strlen(manglecp_result_delta(result))))
        mgi_buf_puts(&d->out->text, d->ask->direct ? FULL_OF_FACTS ".\n"
                                                   : FULL_OF_FACTS
                                        ": forget some, or begin new work.\n");
    else if (manglecp_learn(d->client, d->work->facts, result, NULL))
        mgi_buf_puts(&d->out->text, NOT_TAKEN_UP);
}

/* What had happened before it failed has happened (D-50). */
static void learn_from_failure(struct doing *d)
{
    const struct manglecp_error *error = manglecp_error(d->client);
    struct str text = mgi_arena_str(d->arena, str_of(error->json[0] ? error->details : ""));
    struct json details;
    size_t retracted = 0, asserted = 0;
    if (text.len == 0 || mgi_json_parse(d->arena, text, NULL, &details, NULL) != JSON_OK)
        return;
    const struct json *delta = mgi_json_get(&details, "state_delta");
    struct str kept = delta ? mgi_arena_str(d->arena, delta->text) : (struct str){ 0 };
    if (kept.len == 0)
        return;
    if (!mgi_works_reserve(d->work, kept.len) ||
        manglecp_facts_apply(d->work->facts, kept.ptr, &retracted, &asserted))
        mgi_buf_puts(&d->out->text, NOT_TAKEN_UP);
    else if (retracted + asserted > 0)
        mgi_buf_puts(&d->out->text, "What had changed by then is kept as facts.\n");
}

static void fail_to_run(struct doing *d, enum manglecp_status status)
{
    say_failure(d, status);
    if (status == MANGLECP_ERR_ANSWER || status == MANGLECP_ERR_INDETERMINATE)
        learn_from_failure(d);
}

/* ---- the working state --------------------------------------------------------------------- */

/* The place of the suggestion that is meant; `count`: there is none. */
static size_t find_suggestion(const struct ask *ask, const manglecp_result *result, size_t count)
{
    size_t i = 0;
    if (!ask->follow.name)
        return (uint64_t)ask->follow.number <= count ? (size_t)ask->follow.number - 1 : count;
    while (i < count && strcmp(manglecp_result_suggestion(result, i)->name, ask->follow.name) != 0)
        i++;
    return i;
}

/* False: there is no such suggestion, and that was told. */
static bool can_follow(struct doing *d, size_t *suggestion)
{
    const manglecp_result *result = d->work->result;
    size_t count = result ? manglecp_result_suggestion_count(result) : 0;
    *suggestion = find_suggestion(d->ask, result, count);
    if (*suggestion < count)
        return true;
    mgi_buf_printf(&d->out->text, "there is no such suggestion: the last run made %zu%s\n", count,
                   d->ask->forget ? "; nothing was forgotten" : "");
    d->out->is_error = true;
    return false;
}

static void follow(struct doing *d, size_t suggestion)
{
    struct manglecp_intent intent = { 0 };
    manglecp_follow(d->work->result, suggestion, &intent);
    intend(d, &intent);
}

static void tell_why(struct doing *d)
{
    const char *names[] = { d->ask->why, NULL };
    struct manglecp_intent intent = { .name = d->work->intent,
                                      .params_json = d->work->params,
                                      .more_facts = d->work->more_facts,
                                      .proofs = true };
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len, json_len;
    manglecp_tools *tools;
    if (!d->work->tools) {
        say_wrong(d, "nothing was intended in this work yet\n");
        return;
    }
    if (!manglecp_tools_find(d->work->tools, d->ask->why))
        intent.why_not = names;
    enum manglecp_status status = manglecp_evaluate(d->client, &intent, d->work->facts, &tools);
    if (status) {
        say_failure(d, status);
        return;
    }
    const char *json = manglecp_tools_json(tools, &json_len);
    status = manglecp_show_why(json, json_len, d->ask->why, &how, &text, &len);
    add_shown(d, status, text, len);
    manglecp_tools_free(tools);
}

static void read_skill(struct doing *d)
{
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len;
    enum manglecp_status status =
        manglecp_show_skill(d->work->shown, d->ask->skill, &how, &text, &len);
    if (status == MANGLECP_ERR_GONE)
        say_wrong(d, "no skill of that name came with the tools of this work\n");
    else
        add_shown(d, status, text, len);
}

static void show_facts(struct doing *d)
{
    struct manglecp_show how = how_of(d);
    char *text, *json = manglecp_facts_json(d->work->facts, NULL);
    size_t len;
    if (!json) {
        d->out->text.oom = true;
        return;
    }
    how.about = NULL;
    enum manglecp_status status = manglecp_show_facts(json, strlen(json), NULL, &how, &text, &len);
    add_shown(d, status, text, len);
    manglecp_free(json);
}

static void show_suggestions(struct doing *d)
{
    struct manglecp_show how = how_of(d);
    char *text;
    size_t len, json_len;
    if (!d->work->result) {
        say_wrong(d, "nothing was run in this work yet\n");
        return;
    }
    if (manglecp_result_suggestion_count(d->work->result) == 0) {
        mgi_buf_puts(&d->out->text, "the last run made no suggestion\n");
        return;
    }
    const char *json = manglecp_result_json(d->work->result, &json_len);
    enum manglecp_status status =
        manglecp_show_result(d->work->shown, json, json_len, &how, &text, &len);
    add_shown(d, status, text, len);
}

static void show(struct doing *d, enum ask_show what)
{
    switch (what) {
    case SHOW_FACTS:
        show_facts(d);
        break;
    case SHOW_TOOLS:
        if (d->work->tools)
            show_tools(d);
        else
            say_wrong(d, "nothing was intended in this work yet\n");
        break;
    case SHOW_SUGGESTIONS:
        show_suggestions(d);
        break;
    case SHOW_INTENTS:
        show_manifest(d);
        break;
    case SHOW_NOTHING:
        break;
    }
}

/* In this order, whatever of it was asked for; nothing asked for: the facts. */
static void do_state(struct doing *d)
{
    const struct ask *ask = d->ask;
    bool follows = ask->follow.number || ask->follow.name;
    bool nothing = !ask->forget && !follows && !ask->why && !ask->skill && !ask->again;
    size_t suggestion = 0;
    bool changes = !follows || can_follow(d, &suggestion); /* all that was said of it, or nothing */
    if (ask->again)
        manglecp_shown_forget(d->work->shown);
    if (ask->forget && changes)
        mgi_buf_printf(&d->out->text, "forgot %zu facts\n", forget_facts(d, ask->forget));
    if (follows && changes)
        follow(d, suggestion);
    if (ask->why)
        tell_why(d);
    if (ask->skill)
        read_skill(d);
    if (ask->show == SHOW_NOTHING && nothing)
        show(d, SHOW_FACTS);
    else if (ask->show == SHOW_NOTHING && ask->again && !follows && d->work->tools)
        show_tools(d);
    else
        show(d, ask->show);
    if (d->out->structured.len == 0) {
        struct json_writer w;
        begin_structured(d, &w);
        mgi_jw_end_object(&w);
    }
}

/* ---- running ------------------------------------------------------------------------------- */

static void do_run(struct doing *d)
{
    if (!d->work->tools) {
        say_wrong(d, "nothing is offered in this work yet: declare an intent first\n");
        return;
    }
    struct manglecp_invocation call = { .tools = d->work->tools,
                                        .tool = d->ask->tool,
                                        .args_json = d->ask->args,
                                        .facts = d->work->facts,
                                        .dry_run = d->ask->dry_run };
    manglecp_result *result;
    enum manglecp_status status = manglecp_invoke(d->client, &call, &result);
    tell_consent(d);
    if (status)
        fail_to_run(d, status);
    else
        take_result(d, result);
}

void mgi_perform(manglecp_client *client, struct bridge_work *work, const struct ask *ask,
                 struct arena *arena, int64_t now_ns, const struct crew_job *job,
                 struct performed *out)
{
    struct doing d = { client, work, ask, arena, now_ns, job, out };
    switch (ask->kind) {
    case ASK_INTENT:
        do_intent(&d);
        break;
    case ASK_RUN:
        do_run(&d);
        break;
    case ASK_STATE:
        do_state(&d);
        break;
    case ASK_KINDS:
        break;
    }
}
