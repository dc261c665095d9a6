/* What is known, for a model: groups of facts by predicate, each with its number and the newest
 * ones as far as there is room; or all of one predicate. */
#include "render/render_int.h"

#define FEW       3  /* facts of each group that are told */
#define ARG_BYTES 80 /* of an argument */

/* Is fact `i` the first of its predicate? */
static bool is_first(const struct json *facts, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (str_eq(text_at(&facts->items[k], "pred"), text_at(&facts->items[i], "pred")))
            return false;
    return true;
}

static uint32_t count_of(const struct json *facts, struct str pred)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->count; i++)
        count += str_eq(text_at(&facts->items[i], "pred"), pred);
    return count;
}

static void put_times(struct page *p, const struct json *fact)
{
    const struct json *t = mgi_json_get(fact, "t");
    if (t && t->type == JSON_OBJECT && t->count == 1) {
        mgi_buf_puts(&p->unit, " at ");
        mgi_value_put(&p->unit, &t->members[0].value, ARG_BYTES);
    } else if (t) {
        mgi_buf_puts(&p->unit, " during ");
        mgi_clean_json(&p->unit, t, ARG_BYTES);
    }
    mgi_buf_putc(&p->unit, '\n');
}

/* At most `most` facts of `pred`, the newest (the last) first. How many did not come. */
static uint32_t show_those(struct page *p, const struct json *facts, struct str pred, uint32_t most)
{
    uint32_t left_out = 0;
    for (uint32_t i = facts->count; i-- > 0;) {
        if (!str_eq(text_at(&facts->items[i], "pred"), pred))
            continue;
        if (most == 0) {
            left_out++;
            continue;
        }
        mgi_buf_puts(&p->unit, "    ");
        mgi_value_fact(&p->unit, &facts->items[i], ARG_BYTES);
        put_times(p, &facts->items[i]);
        if (mgi_page_take(p))
            most--;
        else
            left_out++;
    }
    return left_out;
}

static void show_group(struct page *p, const struct json *facts, struct str pred, bool alone)
{
    uint32_t count = count_of(facts, pred);
    mgi_buf_puts(&p->unit, "  ");
    mgi_clean_name(&p->unit, pred);
    mgi_buf_printf(&p->unit, ": %u\n", count);
    if (!mgi_page_take(p))
        return;
    uint32_t left_out = show_those(p, facts, pred, alone ? count : FEW);
    if (left_out) {
        mgi_buf_printf(&p->unit, "    %u more\n", left_out);
        (void)mgi_page_take(p);
        p->cut = true;
    }
}

static void show_known(struct page *p, const struct json *facts, const char *predicate)
{
    mgi_buf_printf(&p->text, "facts that are known: %u\n", facts->count);
    for (uint32_t i = 0; i < facts->count; i++) {
        struct str pred = text_at(&facts->items[i], "pred");
        if (is_first(facts, i) && (!predicate || str_is(pred, predicate)))
            show_group(p, facts, pred, predicate != NULL);
    }
}

enum manglecp_status manglecp_show_facts(const char *json, size_t len, const char *predicate,
                                         const struct manglecp_show *how, char **out,
                                         size_t *out_len)
{
    struct page p;
    struct json root;
    enum manglecp_status status = mgi_page_open(&p, NULL, how, (struct str){ json, len }, &root);
    if (!status && root.type != JSON_ARRAY)
        status = MANGLECP_ERR_INVALID;
    if (!status)
        show_known(&p, &root, predicate);
    return mgi_page_close(&p, status, out, out_len);
}
