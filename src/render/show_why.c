/* Why a tool is offered, and why one is not, for a model: the rules and the facts that did it, in
 * two lines; and what would bring it. */
#include "render/render_int.h"

#define FACTS      4   /* of a proof, of a change */
#define RULES      6   /* of a proof */
#define REASONS    4   /* after what would bring the tool, which is what can be acted upon */
#define ARG_BYTES  60  /* of an argument */
#define LINE_BYTES 300 /* of a message */

static void put_fact_list(struct page *p, const struct json *facts, const char *label)
{
    for (uint32_t i = 0; i < facts->count && i < FACTS; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : label);
        mgi_value_fact(&p->unit, &facts->items[i], ARG_BYTES);
    }
    if (facts->count > FACTS)
        mgi_buf_printf(&p->unit, ", %u more", facts->count - FACTS);
}

static void put_rules(struct page *p, const struct json *rules)
{
    for (uint32_t i = 0; i < rules->count && i < RULES; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : " by the rules ");
        if (rules->items[i].type == JSON_STRING)
            mgi_clean_name(&p->unit, rules->items[i].string);
    }
    if (rules->count > RULES)
        mgi_buf_printf(&p->unit, ", %u more", rules->count - RULES);
}

/* The name that belongs to a macro_id. */
static struct str name_of(const struct json *payload, struct str macro_id)
{
    const struct json *tools = list_at(payload, "macro_tools");
    for (uint32_t i = 0; i < tools->count; i++)
        if (str_eq(text_at(&tools->items[i], "macro_id"), macro_id))
            return text_at(&tools->items[i], "name");
    return macro_id;
}

static void show_proof(struct page *p, struct str name, const struct json *proof)
{
    mgi_clean_name(&p->unit, name);
    mgi_buf_puts(&p->unit, " is offered");
    put_rules(p, list_at(proof, "rule_chain"));
    put_fact_list(p, list_at(proof, "supporting_facts"), "\n  from ");
    mgi_buf_putc(&p->unit, '\n');
    (void)mgi_page_take(p);
}

static void put_reason(struct page *p, const struct json *reason)
{
    struct str premise = text_at(reason, "premise"), by = text_at(reason, "by");
    mgi_buf_puts(&p->unit, "  ");
    mgi_clean_cut(&p->unit, text_at(reason, "message"), LINE_BYTES);
    if (by.len) {
        mgi_buf_puts(&p->unit, ": ");
        mgi_clean_name(&p->unit, by);
    }
    if (premise.len) {
        mgi_buf_puts(&p->unit, "; missing ");
        mgi_clean_cut(&p->unit, premise, LINE_BYTES);
    }
    put_fact_list(p, list_at(reason, "facts"), "; because of ");
    mgi_buf_putc(&p->unit, '\n');
}

static void put_change(struct page *p, const struct json *change)
{
    const struct json *add = list_at(change, "add"), *without = list_at(change, "remove");
    put_fact_list(p, add, "  it would come with ");
    put_fact_list(p, without, add->count ? " and without " : "  it would come without ");
    mgi_buf_putc(&p->unit, '\n');
}

static void show_absence(struct page *p, const struct json *one)
{
    const struct json *reasons = list_at(one, "reasons"), *changes = list_at(one, "changes");
    mgi_clean_name(&p->unit, text_at(one, "tool"));
    mgi_buf_puts(&p->unit, is_true(one, "selected") ? " is offered\n" : " is not offered\n");
    for (uint32_t i = 0; i < changes->count; i++)
        put_change(p, &changes->items[i]);
    for (uint32_t i = 0; i < reasons->count && i < REASONS; i++)
        put_reason(p, &reasons->items[i]);
    if (reasons->count > REASONS)
        mgi_buf_printf(&p->unit, "  and %u more reasons\n", reasons->count - REASONS);
    (void)mgi_page_take(p);
}

static void show_reasons(struct page *p, const struct json *root, const char *tool)
{
    const struct json *payload = mgi_json_get(root, "payload");
    const struct json *proofs = list_at(mgi_json_get(payload, "proof_hints"), "derivations");
    const struct json *absent = list_at(mgi_json_get(root, "extensions"), "x-why-not");
    for (uint32_t i = 0; i < proofs->count; i++) {
        struct str id = text_at(&proofs->items[i], "macro_id"), name = name_of(payload, id);
        if (!tool || str_is(name, tool) || str_is(id, tool))
            show_proof(p, name, &proofs->items[i]);
    }
    for (uint32_t i = 0; i < absent->count; i++)
        if (!tool || str_is(text_at(&absent->items[i], "tool"), tool))
            show_absence(p, &absent->items[i]);
    if (p->text.len == 0 && !p->cut)
        mgi_buf_puts(&p->text, "the answer does not say why: nobody asked it\n");
}

enum manglecp_status manglecp_show_why(const char *json, size_t len, const char *tool,
                                       const struct manglecp_show *how, char **out, size_t *out_len)
{
    struct page p;
    struct json root;
    enum manglecp_status status = mgi_page_open(&p, NULL, how, (struct str){ json, len }, &root);
    if (!status && !mgi_json_get(&root, "payload"))
        status = MANGLECP_ERR_INVALID;
    if (!status)
        show_reasons(&p, &root, tool);
    return mgi_page_close(&p, status, out, out_len);
}
