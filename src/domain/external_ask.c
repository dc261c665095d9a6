/* Asking an action, or an index of texts, for facts, while rules are evaluated.
 *
 * The action is given an object of the arguments at '+', by the names that its Decl gives them, and
 * answers {"rows": [{...}, ...]}: for each fact the other arguments, by name. */
#include <stdio.h>

#include "base/time.h"
#include "domain/domain_int.h"
#include "base/utf8.h"
#include "protocol/fact.h"

#define WHY_BYTES 200 /* of a reason that rules are told */

struct asking {
    struct mangle_query *query;
    const struct domain_external *external;
    struct arena arena;
    mangle_value *outputs; /* of one row */
    struct json why;       /* what stands for "$why" in rows of `otherwise`; else JSON_NULL */
};

static bool fail_asking(struct asking *a, const char *why)
{
    snprintf(a->query->error, sizeof a->query->error, "%s", why);
    return false;
}

static bool write_input(struct asking *a, const struct mangle_request *request, struct str *out)
{
    const struct domain_external *e = a->external;
    struct buf text = { 0 };
    struct json_writer w;
    size_t next = 0;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < e->arity; i++)
        if (e->columns[i].input) {
            mgi_jw_key_str(&w, e->columns[i].name);
            mgi_value_to_json(&w, a->query->values, request->inputs[next++]);
        }
    mgi_jw_end_object(&w);
    *out = text.oom ? (struct str){ 0 } : mgi_arena_str(&a->arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return out->ptr != NULL;
}

/* Only a limit or memory ends the evaluation here; *why is what is wrong with the row. */
static bool take_row(struct asking *a, size_t request, const struct json *row, const char **why)
{
    const struct domain_external *e = a->external;
    size_t n = 0;
    for (uint32_t i = 0; i < e->arity; i++) {
        const char *issue = NULL;
        if (e->columns[i].input)
            continue;
        const struct json *v =
            row->type == JSON_OBJECT ? mgi_json_get(row, e->columns[i].name.ptr) : NULL;
        if (!v) {
            *why = mgi_arena_printf(&a->arena, "a row of its answer has no \"%.*s\"",
                                    STR_ARG(e->columns[i].name));
            return false;
        }
        if (a->why.type == JSON_STRING && v->type == JSON_STRING && str_is(v->string, "$why"))
            v = &a->why;
        a->outputs[n++] = mgi_value_from_json(a->query->values, v, e->columns[i].is_name, false,
                                              &a->arena, &issue, why);
        if (issue)
            return false;
    }
    return mangle_query_emit(a->query, request, a->outputs);
}

static bool take_rows(struct asking *a, size_t request, const struct json *rows)
{
    const char *why = NULL;
    for (size_t i = 0; i < rows->count; i++)
        if (!take_row(a, request, &rows->items[i], &why))
            return fail_asking(a, why ? why : "the evaluation has ended");
    return true;
}

/* What domain.yaml says in place of an action that has failed. */
static bool take_otherwise(struct asking *a, const char *why)
{
    const struct domain_external *e = a->external;
    if (!e->may_fail)
        return fail_asking(a, why);
    a->why =
        (struct json){ .type = JSON_STRING, .string = mgi_utf8_prefix(str_of(why), WHY_BYTES) };
    for (size_t i = 0; i < a->query->count; i++)
        if (!take_rows(a, i, &e->otherwise))
            return false;
    return true;
}

static bool nobody_waits(void *context)
{
    int64_t left_ns;
    return !mangle_query_goes_on(((struct asking *)context)->query, &left_ns);
}

/* Its own patience, or what is left of the evaluation's time: a little more, so that it is this
 * which has run out. */
static int64_t patience_ms(struct asking *a)
{
    int64_t left_ns;
    (void)mangle_query_goes_on(a->query, &left_ns);
    int64_t left_ms = left_ns / NS_PER_MS + 2;
    return left_ms < a->external->timeout_ms ? left_ms : a->external->timeout_ms;
}

/* Of the action, or of who plays it. */
static bool ask_somebody(struct asking *a, const struct action_question *question,
                         struct json *outputs, const char **why)
{
    const struct domain_external *e = a->external;
    const struct external_player *player = a->query->host;
    if (player)
        return player->answer(player->context, e, question, &a->arena, outputs, why);
    *why = "nobody runs actions here";
    return e->ask && e->action && e->ask(e->program, question, &a->arena, outputs, why);
}

static bool has_rows(const struct json *output)
{
    const struct json *rows = mgi_json_get(output, "rows");
    return rows && rows->type == JSON_ARRAY;
}

static bool ask_all(struct asking *a)
{
    const struct domain_external *e = a->external;
    size_t count = a->query->count;
    struct str *inputs = mgi_arena_calloc(&a->arena, count + 1, sizeof *inputs);
    struct json *outputs = mgi_arena_calloc(&a->arena, count + 1, sizeof *outputs);
    const char *why = "out of memory";
    a->outputs = mgi_arena_calloc(&a->arena, e->arity + 1, sizeof *a->outputs);
    if (!inputs || !outputs || !a->outputs)
        return fail_asking(a, why);
    for (size_t i = 0; i < count; i++)
        if (!write_input(a, &a->query->requests[i], &inputs[i]))
            return fail_asking(a, why);
    const struct action_question question = { .action = e->action,
                                              .inputs = inputs,
                                              .count = count,
                                              .timeout_ms = patience_ms(a),
                                              .is_over = nobody_waits,
                                              .context = a,
                                              .kept = e->kept };
    if (!ask_somebody(a, &question, outputs, &why))
        return take_otherwise(a, why);
    for (size_t i = 0; i < count; i++)
        if (!has_rows(&outputs[i]))
            return take_otherwise(a, "its answer has no list \"rows\"");
    for (size_t i = 0; i < count; i++)
        if (!take_rows(a, i, mgi_json_get(&outputs[i], "rows")))
            return false;
    return true;
}

static struct str empty_input(const struct domain_external *e, struct arena *arena)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 0);
    mgi_jw_begin_object(&w);
    for (uint32_t i = 0; i < e->arity; i++)
        if (e->columns[i].input) {
            mgi_jw_key_str(&w, e->columns[i].name);
            if (e->columns[i].is_number)
                mgi_jw_int(&w, 0);
            else
                mgi_jw_cstring(&w, "");
        }
    mgi_jw_end_object(&w);
    struct str kept = text.oom ? (struct str){ 0 } : mgi_arena_str(arena, mgi_buf_view(&text));
    mgi_buf_fini(&text);
    return kept;
}

bool mgi_external_try(const struct domain_external *e, struct arena *arena, const char **why)
{
    struct str input = empty_input(e, arena);
    struct json output = { 0 };
    const struct action_question question = { .action = e->action,
                                              .inputs = &input,
                                              .count = 1,
                                              .timeout_ms = e->timeout_ms,
                                              .kept = e->kept };
    *why = input.ptr ? "nobody runs actions here" : "out of memory";
    return input.ptr && e->ask && e->action && e->ask(e->program, &question, arena, &output, why);
}

static bool answer_search(struct mangle_query *query)
{
    const struct domain_external *e = query->context;
    if (e->index)
        return mgi_search_answer(e->index, query);
    snprintf(query->error, sizeof query->error, "its index is not made yet");
    return false;
}

static bool answer_query(struct mangle_query *query)
{
    struct asking a = { .query = query, .external = query->context };
    mgi_arena_init(&a.arena, 0);
    bool good = ask_all(&a);
    mgi_arena_fini(&a.arena);
    return good;
}

size_t mgi_external_callbacks(const struct snapshot *s, struct arena *arena,
                              struct mangle_external **out)
{
    size_t count = 0;
    *out = mgi_arena_calloc(arena, s->external_count + 1, sizeof **out);
    for (size_t i = 0; *out && i < s->external_count; i++) {
        struct domain_external *e = &s->externals[i];
        if ((e->aid.len == 0 && e->search.over.len == 0) || e->pred == MANGLE_NO_PRED)
            continue;
        /* Not told to be deterministic: while a domain is loaded nobody runs actions, and what is
         * searched is not complete. */
        (*out)[count++] =
            (struct mangle_external){ .name = e->name.ptr,
                                      .arity = e->arity,
                                      .query = e->aid.len > 0 ? answer_query : answer_search,
                                      .context = e };
    }
    return count;
}
