/* From command-line words to request payloads. */
#include "cli/manglecp_request.h"

#include "base/time.h"
#include "base/utf8.h"

bool mgi_request_members(struct json_writer *w, const struct cli_list *pairs)
{
    struct arena arena;
    mgi_arena_init(&arena, 0);
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < pairs->count; i++) {
        const char *pair = pairs->items[i], *equals = strchr(pair, '=');
        struct json value;
        if (!equals || equals == pair) {
            mgi_cli_error("\"%s\" must be written as NAME=VALUE", pair);
            mgi_arena_fini(&arena);
            return false;
        }
        mgi_jw_key_str(w, (struct str){ pair, (size_t)(equals - pair) });
        if (mgi_json_parse(&arena, str_of(equals + 1), NULL, &value, NULL) == JSON_OK)
            mgi_jw_value(w, &value);
        else
            mgi_jw_cstring(w, equals + 1);
    }
    mgi_jw_end_object(w);
    mgi_arena_fini(&arena);
    return true;
}

/* An array, one object, or an object a line. */
static bool add_text(manglecp_facts *facts, const char *where, struct buf *text)
{
    if (manglecp_facts_add(facts, text->ptr ? text->ptr : "[]"))
        return true;
    size_t number = 0;
    for (char *line = text->ptr, *next; line && *line; line = next) {
        char *end = strchr(line, '\n');
        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        number++;
        if (line[strspn(line, " \t\r")] && !manglecp_facts_add(facts, line)) {
            mgi_cli_error("%s:%zu: this is no fact object", where, number);
            mgi_cli_hint("A fact looks like {\"pred\":\"current_url\",\"args\":[\"/home\"]}.");
            return false;
        }
    }
    return true;
}

bool mgi_request_facts(const struct intent_options *o, manglecp_facts *facts)
{
    for (size_t i = 0; i < o->facts_files.count; i++) {
        struct buf text = { 0 };
        const char *why;
        bool ok = mgi_cli_read_file(o->facts_files.items[i], 0, &text, &why);
        if (!ok)
            mgi_cli_error("%s: %s", o->facts_files.items[i], why);
        ok = ok && add_text(facts, o->facts_files.items[i], &text);
        mgi_buf_fini(&text);
        if (!ok)
            return false;
    }
    for (size_t i = 0; i < o->facts.count; i++) {
        if (manglecp_facts_add(facts, o->facts.items[i]))
            continue;
        mgi_cli_error("--fact %s is no fact object", o->facts.items[i]);
        mgi_cli_hint("Write it like '{\"pred\":\"current_url\",\"args\":[\"/home\"]}'.");
        return false;
    }
    return true;
}

bool mgi_request_intent(struct buf *out, const struct intent_options *o, const char *facts_json)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "intent");
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "name", o->name);
    mgi_jw_key(&w, "params");
    if (!mgi_request_members(&w, &o->params))
        return false;
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "facts");
    mgi_jw_raw(&w, str_of(facts_json));
    if (o->has_eval_time) {
        struct buf time = { 0 };
        mgi_time_print(&time, o->eval_time_ns);
        mgi_jw_member_str(&w, "eval_time", mgi_buf_view(&time));
        mgi_buf_fini(&time);
    }
    mgi_jw_key(&w, "constraints");
    mgi_jw_begin_object(&w);
    if (o->max_tools != NOT_SAID)
        mgi_jw_member_int(&w, "max_tools_returned", o->max_tools);
    if (o->max_tokens != NOT_SAID)
        mgi_jw_member_int(&w, "max_tokens_budget", o->max_tokens);
    mgi_jw_end_object(&w);
    mgi_jw_key(&w, "options");
    mgi_jw_begin_object(&w);
    mgi_jw_member_bool(&w, "include_proof_hints", o->why);
    if (o->disclosure)
        mgi_jw_member_cstr(&w, "disclosure_preference", o->disclosure);
    mgi_jw_end_object(&w);
    mgi_jw_end_object(&w);
    return !out->oom;
}

void mgi_hint_of_no_tools(const struct json *manifest, const char *intent, const struct json *tools)
{
    const struct json *intents = mgi_json_get(manifest, "intents");
    struct buf names = { 0 };
    bool listed = false;
    if (!tools || tools->type != JSON_ARRAY || tools->count > 0)
        return;
    for (uint32_t i = 0; intents && intents->type == JSON_ARRAY && i < intents->count; i++) {
        const struct json *name = mgi_json_get(&intents->items[i], "name");
        if (!name || name->type != JSON_STRING)
            continue;
        listed |= str_is(name->string, intent);
        mgi_buf_puts(&names, i ? ", " : "");
        mgi_utf8_show(&names, name->string);
    }
    if (listed)
        mgi_cli_hint("No rule speaks for a tool on these facts; the manifest lists the facts that "
                     "%s looks at.",
                     intent);
    else
        mgi_cli_hint("The server lists no intent \"%s\"; it has %s.", intent,
                     names.len ? names.ptr : "none");
    mgi_buf_fini(&names);
}
