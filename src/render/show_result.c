/* An answer to an invocation, for a model: the server's sentence, the result, what changed
 * (counted, and told where it is little), and what is suggested. The result is written with ever
 * smaller limits until it fits, and what was left out is said at the place. */
#include "render/render_int.h"

#define TOLD       12  /* facts are told one by one, if they are so few */
#define RICH       4   /* members of a result that says enough without the sentence */
#define GROUPS     3   /* predicates that are counted, at most */
#define FACT_BYTES 80  /* of an argument */
#define LINE_BYTES 600 /* of a sentence */
#define CUT_BYTES  30  /* of the first one, where it does not fit */

static const struct trim trims[] = { { 4000, 60 }, { 1200, 30 }, { 400, 15 },
                                     { 160, 8 },   { 80, 4 },    { 40, 2 } };

/* ---- the result
 * ---------------------------------------------------------------------------------- */

static void show_value(struct page *p, const struct json *value)
{
    const size_t count = sizeof trims / sizeof trims[0];
    for (size_t i = 0; i < count; i++) {
        mgi_buf_clear(&p->unit);
        bool whole = mgi_value_members(&p->unit, value, 2, &trims[i]);
        p->nomem |= p->unit.oom;
        if (mgi_page_fits(p)) {
            p->cut |= !whole;
            mgi_page_take_anyway(p);
            return;
        }
    }
    mgi_page_drop(p);
    mgi_buf_printf(&p->text, "the result does not fit here: %u members\n", value->count);
}

/* The value of a result that is no object. */
static void show_result_value(struct page *p, const struct json *value)
{
    if (!value || value->type == JSON_NULL)
        return;
    if (value->type == JSON_OBJECT) {
        show_value(p, value);
        return;
    }
    mgi_buf_puts(&p->unit, "  ");
    mgi_value_put(&p->unit, value, trims[1].text);
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
}

/* ---- what changed
 * -------------------------------------------------------------------------------- */

static void put_counts(struct page *p, const struct json *facts)
{
    size_t count;
    uint32_t rest = facts->count;
    const struct group *groups = mgi_group_facts(&p->arena, facts, &count);
    for (size_t i = 0; groups && i < count && i < GROUPS; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : ": ");
        mgi_clean_name(&p->unit, groups[i].pred);
        mgi_buf_printf(&p->unit, " %u", groups[i].count);
        rest -= groups[i].count;
    }
    if (rest && count > GROUPS)
        mgi_buf_printf(&p->unit, ", others %u", rest);
}

static void put_facts(struct page *p, const struct json *facts, const char *sign)
{
    for (uint32_t i = 0; i < facts->count; i++) {
        mgi_buf_printf(&p->unit, "  %s ", sign);
        mgi_value_fact(&p->unit, &facts->items[i], FACT_BYTES);
        mgi_buf_putc(&p->unit, '\n');
    }
}

/* Counted by predicate, because the program keeps them. They are told where nothing else is. */
static void show_delta(struct page *p, const struct json *delta, bool told)
{
    const struct json *in = list_at(delta, "assert"), *out = list_at(delta, "retract");
    if (in->count + out->count == 0)
        return;
    mgi_buf_printf(&p->unit, "facts kept, +%u", in->count);
    size_t label_len = p->unit.len;
    put_counts(p, in);
    if (!mgi_page_fits(p)) {
        p->unit.len = label_len;
        p->cut = true;
    }
    mgi_buf_putc(&p->unit, '\n');
    mgi_page_take_anyway(p);
    if (!told || in->count + out->count > TOLD)
        return;
    put_facts(p, out, "-");
    put_facts(p, in, "+");
    (void)mgi_page_take(p);
}

/* ---- the sentences --------------------------------------------------------------------- */

static void show_sentence(struct page *p, const char *label, struct str text)
{
    mgi_buf_puts(&p->unit, label);
    mgi_clean_cut(&p->unit, text, LINE_BYTES);
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
}

static bool went_well(const struct json *event)
{
    struct str status = text_at(event, "status");
    return status.len == 0 || str_is(status, "success");
}

static const struct json *events_of(const struct json *payload)
{
    return list_at(mgi_json_get(payload, "observability"), "events");
}

/* Is the server's sentence to be told? It says in words what the result says in full; where the
 * result is little, or a step went wrong, it says more. */
static bool is_needed(const struct json *payload)
{
    const struct json *result = mgi_json_get(payload, "result"), *events = events_of(payload);
    for (uint32_t i = 0; i < events->count; i++)
        if (!went_well(&events->items[i]))
            return true;
    return !result || result->type != JSON_OBJECT || result->count < RICH;
}

static void show_summary(struct page *p, const struct json *root, const struct json *payload)
{
    if (p->how.about)
        mgi_page_name(p, str_of(p->how.about));
    mgi_buf_puts(&p->unit, p->how.about ? ":" : "result:");
    struct str summary = text_at(mgi_json_get(payload, "observability"), "summary");
    size_t label_len = p->unit.len;
    if (summary.len && is_needed(payload)) {
        mgi_buf_putc(&p->unit, ' ');
        mgi_clean_cut(&p->unit, summary, LINE_BYTES);
    }
    if (!mgi_page_fits(p)) {
        p->unit.len = label_len;
        mgi_buf_putc(&p->unit, ' ');
        mgi_clean_cut(&p->unit, summary, CUT_BYTES);
        p->cut = true;
    }
    mgi_buf_putc(&p->unit, '\n');
    mgi_page_take_anyway(p);
    if (is_true(mgi_json_get(root, "extensions"), "x-idempotent-replay"))
        mgi_buf_puts(&p->text, "it ran before, and this is what came of it then\n");
}

static void show_failed_step(struct page *p, const struct json *event)
{
    mgi_buf_puts(&p->unit, "step ");
    mgi_clean_name(&p->unit, text_at(event, "action"));
    mgi_buf_putc(&p->unit, ' ');
    mgi_clean_name(&p->unit, text_at(event, "status"));
    struct str detail = text_at(event, "detail");
    if (detail.len) {
        mgi_buf_puts(&p->unit, ": ");
        mgi_clean_cut(&p->unit, detail, LINE_BYTES / 2);
    }
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
}

static void show_warnings(struct page *p, const struct json *payload)
{
    const struct json *events = events_of(payload);
    for (uint32_t i = 0; i < events->count; i++)
        if (!went_well(&events->items[i]))
            show_failed_step(p, &events->items[i]);
    const struct json *all = list_at(mgi_json_get(payload, "observability"), "warnings");
    for (uint32_t i = 0; i < all->count; i++) {
        const struct json *v = &all->items[i];
        show_sentence(p, "warning: ", v->type == JSON_STRING ? v->string : text_at(v, "message"));
    }
    const struct json *whole = mgi_json_get(payload, "effects_complete");
    if (whole && whole->type == JSON_BOOL && !whole->boolean)
        mgi_buf_puts(&p->text, "warning: more may have changed than is told\n");
}

static void show_suggestion(struct page *p, const struct json *suggestion)
{
    const struct json *params = mgi_json_get(suggestion, "params");
    struct str about = text_at(suggestion, "description");
    mgi_buf_puts(&p->unit, "next: ");
    mgi_clean_name(&p->unit, text_at(suggestion, "name"));
    mgi_buf_putc(&p->unit, '(');
    for (uint32_t i = 0; params && params->type == JSON_OBJECT && i < params->count; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : "");
        mgi_clean_name(&p->unit, params->members[i].name);
        mgi_buf_puts(&p->unit, ": ");
        mgi_clean_json(&p->unit, &params->members[i].value, FACT_BYTES);
    }
    mgi_buf_putc(&p->unit, ')');
    if (about.len) {
        mgi_buf_puts(&p->unit, " - ");
        mgi_clean_cut(&p->unit, about, LINE_BYTES / 2);
    }
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
}

static void show_suggestions(struct page *p, const struct json *payload)
{
    const struct json *all = list_at(mgi_json_get(payload, "next"), "suggested_intents");
    for (uint32_t i = 0; i < all->count; i++)
        show_suggestion(p, &all->items[i]);
}

/* What comes behind the result, in half of the budget at most. */
static struct buf write_tail(struct page *p, const struct json *payload)
{
    uint64_t rest = p->left / 2;
    struct buf head = p->text;
    p->text = (struct buf){ 0 };
    p->left -= rest;
    show_warnings(p, payload);
    const struct json *result = mgi_json_get(payload, "result");
    bool bare =
        !result || result->type == JSON_NULL || (result->type == JSON_OBJECT && result->count == 0);
    show_delta(p, mgi_json_get(payload, "state_delta"), bare);
    if (!p->how.leave_suggestions_out)
        show_suggestions(p, payload);
    struct buf tail = p->text;
    p->text = head;
    p->left += rest;
    return tail;
}

/* The result takes the rest of the budget, so what comes behind it is written before. */
static enum manglecp_status show_outcome(struct page *p, const struct json *root)
{
    const struct json *payload = mgi_json_get(root, "payload");
    const struct json *plan = mgi_json_get(mgi_json_get(root, "extensions"), "x-dry-run");
    if (!payload || payload->type != JSON_OBJECT)
        return MANGLECP_ERR_INVALID;
    show_summary(p, root, payload);
    struct buf tail = write_tail(p, payload);
    if (plan && plan->type == JSON_OBJECT)
        mgi_buf_puts(&p->text, "nothing was done: this is the plan\n");
    show_result_value(p,
                      plan && plan->type == JSON_OBJECT ? plan : mgi_json_get(payload, "result"));
    mgi_buf_str(&p->text, mgi_buf_view(&tail));
    p->nomem |= tail.oom;
    mgi_buf_fini(&tail);
    return MANGLECP_OK;
}

enum manglecp_status manglecp_show_result(manglecp_shown *shown, const char *json, size_t len,
                                          const struct manglecp_show *how, char **out,
                                          size_t *out_len)
{
    struct page p;
    struct json root;
    enum manglecp_status status = mgi_page_open(&p, shown, how, (struct str){ json, len }, &root);
    if (!status)
        status = show_outcome(&p, &root);
    return mgi_page_close(&p, status, out, out_len);
}
