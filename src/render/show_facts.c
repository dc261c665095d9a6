/* What is known, for a model: groups of facts by predicate, each with its number and the newest
 * ones as far as there is room; or all of one predicate. */
#include "render/render_int.h"

#define FEW       3  /* facts of each group that are told */
#define ARG_BYTES 80 /* of an argument */

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

/* All numbers first, then some of each. */
static void show_groups(struct page *p, const struct json *facts)
{
    size_t count;
    uint32_t rest = facts->count;
    const struct group *groups = mgi_group_facts(&p->arena, facts, &count);
    for (size_t i = 0; groups && i < count; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : "  ");
        mgi_clean_name(&p->unit, groups[i].pred);
        mgi_buf_printf(&p->unit, " %u", groups[i].count);
        rest -= groups[i].count;
    }
    if (rest)
        mgi_buf_printf(&p->unit, ", others %u", rest);
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
    for (size_t i = 0; groups && i < count; i++)
        p->cut |= show_those(p, facts, groups[i].pred, FEW) > 0;
}

static void show_known(struct page *p, const struct json *facts, const char *predicate)
{
    struct str pred = str_of(predicate);
    if (!predicate) {
        mgi_buf_printf(&p->text, "facts that are known: %u\n", facts->count);
        if (facts->count)
            show_groups(p, facts);
        return;
    }
    mgi_buf_printf(&p->text, "facts of it that are known: %u\n", count_of(facts, pred));
    uint32_t left_out = show_those(p, facts, pred, facts->count);
    if (left_out)
        mgi_buf_printf(&p->text, "  %u more\n", left_out);
    p->cut |= left_out > 0;
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
