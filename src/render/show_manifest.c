/* What a server is and which intents it has, for a model: a line an intent, with the facts that it
 * wants. Of a predicate the names of its arguments are told where it is first wanted. */
#include "render/render_int.h"

#define ABOUT_BYTES  400
#define INTENT_BYTES 200

static const struct json *find_predicate(const struct json *payload, struct str name)
{
    const struct json *all = list_at(mgi_json_get(payload, "facts_profile"), "predicates");
    for (uint32_t i = 0; i < all->count; i++)
        if (str_eq(text_at(&all->items[i], "predicate"), name))
            return &all->items[i];
    return NULL;
}

/* name(arg, arg), if its arguments were not named before. */
static void put_predicate(struct page *p, const struct json *payload, struct str name)
{
    const struct json *args = list_at(find_predicate(payload, name), "arg_names");
    struct buf line = { 0 };
    mgi_clean_name(&line, name);
    size_t name_len = line.len;
    mgi_buf_putc(&line, '(');
    for (uint32_t i = 0; i < args->count; i++) {
        mgi_buf_puts(&line, i ? ", " : "");
        if (args->items[i].type == JSON_STRING)
            mgi_clean_name(&line, args->items[i].string);
    }
    mgi_buf_putc(&line, ')');
    bool news = args->count > 0 && mgi_page_is_news(p, "predicate", name, mgi_buf_view(&line));
    mgi_buf_str(&p->unit, (struct str){ line.ptr, news ? line.len : name_len });
    p->nomem |= line.oom;
    mgi_buf_fini(&line);
}

static void put_wanted(struct page *p, const struct json *payload, const struct json *intent,
                       const char *member, const char *label)
{
    const struct json *all = list_at(intent, member);
    for (uint32_t i = 0; i < all->count; i++) {
        mgi_buf_puts(&p->unit, i ? ", " : label);
        if (all->items[i].type == JSON_STRING)
            put_predicate(p, payload, all->items[i].string);
    }
}

/* Within one text the same predicate comes again: what is pending counts as shown. */
static void show_intent(struct page *p, const struct json *payload, const struct json *intent,
                        uint32_t *unfit)
{
    mgi_buf_puts(&p->unit, "  ");
    mgi_clean_name(&p->unit, text_at(intent, "name"));
    mgi_buf_puts(&p->unit, ": ");
    mgi_clean_cut(&p->unit, text_at(intent, "description"), INTENT_BYTES);
    put_wanted(p, payload, intent, "required_facts", "; needs ");
    put_wanted(p, payload, intent, "optional_facts", "; takes ");
    mgi_buf_putc(&p->unit, '\n');
    *unfit += !mgi_page_take(p);
}

/* The intents are as they were: their names. */
static void show_names(struct page *p, const struct json *intents)
{
    for (uint32_t i = 0; i < intents->count; i++)
        if (!mgi_page_list_name(
                p, i ? ", " : "intents, as before: ", text_at(&intents->items[i], "name")))
            break;
    mgi_page_end_list(p);
}

static void show_about(struct page *p, const struct json *payload)
{
    struct str status = text_at(payload, "status");
    mgi_page_name(p, text_at(payload, "server_name"));
    if (!str_is(status, "ready")) {
        mgi_buf_puts(&p->unit, " [it is ");
        mgi_clean_name(&p->unit, status);
        mgi_buf_putc(&p->unit, ']');
    }
    struct str about = text_at(mgi_json_get(payload, "domain"), "description");
    size_t name_len = p->unit.len;
    if (about.len && mgi_page_is_news(p, "server", text_at(payload, "server_name"), about)) {
        mgi_buf_puts(&p->unit, ": ");
        mgi_clean_cut(&p->unit, about, ABOUT_BYTES);
    }
    if (!mgi_page_fits(p)) {
        p->unit.len = name_len;
        p->mark_count = p->mark_kept;
        p->cut = true;
    }
    mgi_buf_putc(&p->unit, '\n');
    mgi_page_take_anyway(p);
}

/* A server that is booting names its intents, and says of predicates later. */
static bool intents_are_news(struct page *p, const struct json *payload)
{
    struct str name = text_at(payload, "server_name");
    const struct json *predicates = list_at(mgi_json_get(payload, "facts_profile"), "predicates");
    bool news = mgi_page_is_news(p, "intents", name, list_at(payload, "intents")->text);
    return mgi_page_is_news(p, "predicates", name, predicates->text) || news;
}

static enum manglecp_status show_server(struct page *p, const struct json *payload)
{
    const struct json *intents = list_at(payload, "intents");
    uint32_t unfit = 0;
    if (!payload || payload->type != JSON_OBJECT || !mgi_json_get(payload, "server_name"))
        return MANGLECP_ERR_INVALID;
    show_about(p, payload);
    if (!intents_are_news(p, payload)) {
        show_names(p, intents);
        return MANGLECP_OK;
    }
    p->mark_count = p->mark_kept; /* it is shown when all of them fitted */
    mgi_buf_puts(&p->text, "intents, with the facts that each needs or takes:\n");
    for (uint32_t i = 0; i < intents->count; i++)
        show_intent(p, payload, &intents->items[i], &unfit);
    if (unfit)
        mgi_buf_printf(&p->text, "%u more intents do not fit here\n", unfit);
    else if (intents_are_news(p, payload))
        p->mark_kept = p->mark_count;
    return MANGLECP_OK;
}

enum manglecp_status manglecp_show_manifest(manglecp_shown *shown, const char *json, size_t len,
                                            const struct manglecp_show *how, char **out,
                                            size_t *out_len)
{
    struct page p;
    struct json root;
    enum manglecp_status status = mgi_page_open(&p, shown, how, (struct str){ json, len }, &root);
    if (!status)
        status = show_server(&p, mgi_json_get(&root, "payload"));
    return mgi_page_close(&p, status, out, out_len);
}
