/* What went wrong, for a model: the sentence, what to change, and whether to try again. */
#include <string.h>

#include "render/render_int.h"

#define LINE_BYTES  600
#define FIELD_BYTES 200

static void show_problem(struct page *p, struct str where, struct str message)
{
    mgi_buf_puts(&p->unit, "  ");
    if (where.len) {
        mgi_clean_cut(&p->unit, where, FIELD_BYTES);
        mgi_buf_puts(&p->unit, ": ");
    }
    mgi_clean_cut(&p->unit, message, LINE_BYTES);
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
}

static void show_error_line(struct page *p, struct str code, struct str message)
{
    mgi_buf_puts(&p->unit, "error");
    if (code.len) {
        mgi_buf_putc(&p->unit, ' ');
        mgi_clean_name(&p->unit, code);
    }
    mgi_buf_puts(&p->unit, ": ");
    size_t label_len = p->unit.len;
    mgi_clean_cut(&p->unit, message, LINE_BYTES);
    if (!mgi_page_fits(p)) {
        p->unit.len = label_len;
        mgi_buf_puts(&p->unit, "its message does not fit here");
    }
    mgi_buf_putc(&p->unit, '\n');
    mgi_page_take_anyway(p);
}

static bool is_empty(const struct json *v)
{
    return v->type == JSON_NULL || (v->type == JSON_BOOL && !v->boolean) ||
           ((v->type == JSON_ARRAY || v->type == JSON_OBJECT) && v->count == 0);
}

/* Empty, or an object of what is empty. */
static bool says_nothing(const struct json *v)
{
    bool empty = is_empty(v);
    if (v->type == JSON_OBJECT) {
        empty = true;
        for (uint32_t i = 0; i < v->count && empty; i++)
            empty = is_empty(&v->members[i].value);
    }
    return empty;
}

/* What the sentence says already: how the only step went. Or what a program keeps. */
static bool is_for_programs(const struct json_member *m)
{
    return str_is(m->name, "invocation_id") ||
           (str_is(m->name, "observability") && list_at(&m->value, "events")->count < 2);
}

/* The members that a model has use for. */
static void show_details(struct page *p, const struct json *details)
{
    static const struct trim trim = { 300, 10 };
    struct json picked = *details;
    picked.count = 0;
    picked.members = mgi_arena_calloc(&p->arena, details->count, sizeof *picked.members);
    for (uint32_t i = 0; picked.members && i < details->count; i++)
        if (!says_nothing(&details->members[i].value) && !is_for_programs(&details->members[i]))
            picked.members[picked.count++] = details->members[i];
    if (picked.count == 0)
        return;
    (void)mgi_value_members(&p->unit, &picked, 2, &trim);
    (void)mgi_page_take(p);
}

static enum manglecp_status show_answer(struct page *p, const struct json *root)
{
    const struct json *payload = mgi_json_get(root, "payload");
    const struct json *details = mgi_json_get(payload, "details");
    const struct json *wait = mgi_json_get(payload, "retry_after_ms");
    if (!str_is(text_at(root, "type"), "error") || !payload)
        return MANGLECP_ERR_INVALID;
    show_error_line(p, text_at(payload, "code"), text_at(payload, "message"));
    if (details && details->type == JSON_OBJECT && details->count)
        show_details(p, details);
    if (p->arena.oom)
        return MANGLECP_ERR_NOMEM;
    if (wait && wait->type == JSON_INT)
        mgi_buf_printf(&p->text, "try again in %lld ms\n", (long long)wait->integer);
    return MANGLECP_OK;
}

enum manglecp_status manglecp_show_error(const char *json, size_t len,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len)
{
    struct page p;
    struct json root;
    enum manglecp_status status = mgi_page_open(&p, NULL, how, (struct str){ json, len }, &root);
    if (!status)
        status = show_answer(&p, &root);
    return mgi_page_close(&p, status, out, out_len);
}

/* One problem is the message: it is not told twice. */
static bool says_all(const manglecp_client *client)
{
    if (manglecp_problem_count(client) != 1)
        return false;
    const struct manglecp_problem *only = manglecp_problem(client, 0);
    struct str message = str_of(manglecp_message(client)), text = str_of(only->message);
    return mgi_str_starts(message, str_of(only->where)) && mgi_str_ends(message, text) &&
           message.len <= strlen(only->where) + text.len + 2;
}

/* Places in a message of the protocol, which the model has not written: the sentence names what is
 * wrong there. */
static bool is_told_by_sentence(const char *where)
{
    return strcmp(where, "/macro_id") == 0 || strcmp(where, "/intent/name") == 0;
}

/* The sentence about the only problem, or about all of them. */
static struct str sentence_of(const manglecp_client *client)
{
    bool alone = says_all(client) && is_told_by_sentence(manglecp_problem(client, 0)->where);
    return str_of(alone ? manglecp_problem(client, 0)->message : manglecp_message(client));
}

enum manglecp_status manglecp_show_failure(const manglecp_client *client,
                                           const struct manglecp_show *how, char **out,
                                           size_t *out_len)
{
    struct page p;
    const struct manglecp_error *error = manglecp_error(client);
    if (error->json[0])
        return manglecp_show_error(error->json, strlen(error->json), how, out, out_len);
    enum manglecp_status status = mgi_page_open(&p, NULL, how, (struct str){ 0 }, NULL);
    show_error_line(&p, (struct str){ 0 }, sentence_of(client));
    for (size_t i = says_all(client) ? 1 : 0; i < manglecp_problem_count(client); i++) {
        const struct manglecp_problem *problem = manglecp_problem(client, i);
        show_problem(&p, str_of(problem->where), str_of(problem->message));
    }
    return mgi_page_close(&p, status, out, out_len);
}
