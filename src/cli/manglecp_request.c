/* From command-line words to what the client library takes. */
#include "cli/manglecp_request.h"

#include <string.h>

#include "base/utf8.h"
#include "protocol/envelope.h"

const char *mgi_request_pair(const char *pair)
{
    const char *equals = strchr(pair, '=');
    size_t bad = 0;
    struct buf shown = { 0 };
    if (equals && equals != pair && mgi_utf8_valid(str_of(pair), &bad))
        return equals;
    mgi_utf8_show(&shown, str_of(pair));
    if (!equals || equals == pair)
        mgi_cli_error("\"%s\" must be written as NAME=VALUE", shown.ptr ? shown.ptr : "");
    else
        mgi_cli_error("\"%s\" is no UTF-8: byte %zu is none of a character; bytes go in as text, "
                      "in base64 for instance",
                      shown.ptr ? shown.ptr : "", bad + 1);
    mgi_buf_fini(&shown);
    return NULL;
}

bool mgi_request_members(const struct cli_list *pairs, struct manglecp_member **members)
{
    struct manglecp_member *out = mgi_cli_keep((pairs->count + 1) * sizeof *out);
    *members = out;
    if (!out) {
        mgi_cli_error("out of memory");
        return false;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        const char *pair = pairs->items[i], *equals = mgi_request_pair(pair);
        if (!equals)
            return false;
        char *name = mgi_cli_keep((size_t)(equals - pair) + 1);
        if (!name) {
            mgi_cli_error("out of memory");
            return false;
        }
        memcpy(name, pair, (size_t)(equals - pair));
        name[equals - pair] = '\0';
        out[i] = (struct manglecp_member){ name, manglecp_word(equals + 1) };
    }
    return true;
}

/* ---- facts -------------------------------------------------------------------------------------
 */

static bool read_file(manglecp_facts *facts, const char *path)
{
    struct buf text = { 0 };
    struct manglecp_fault fault;
    const char *why;
    if (!mgi_cli_read_file(path, 0, &text, &why)) {
        mgi_cli_error("%s: %s", path, why);
        mgi_buf_fini(&text);
        return false;
    }
    enum manglecp_status status =
        manglecp_facts_read(facts, text.ptr ? text.ptr : "", text.len, &fault);
    mgi_buf_fini(&text);
    if (status == MANGLECP_ERR_INVALID) {
        mgi_cli_error("%s:%zu:%zu: %s", path, fault.line, fault.column, fault.message);
        mgi_cli_hint("A fact looks like {\"pred\":\"current_url\",\"args\":[\"/home\"]}.");
    } else if (status) {
        mgi_cli_error("out of memory");
    }
    return !status;
}

bool mgi_request_facts(const struct intent_options *o, manglecp_facts *facts)
{
    for (size_t i = 0; i < o->facts_files.count; i++)
        if (!read_file(facts, o->facts_files.items[i]))
            return false;
    for (size_t i = 0; i < o->facts.count; i++) {
        struct manglecp_fault fault;
        const char *text = o->facts.items[i];
        enum manglecp_status status = manglecp_facts_read(facts, text, strlen(text), &fault);
        if (!status)
            continue;
        if (status != MANGLECP_ERR_INVALID) {
            mgi_cli_error("out of memory");
            return false;
        }
        mgi_cli_error("--fact %s: column %zu: %s", text, fault.column, fault.message);
        mgi_cli_hint("Write it like '{\"pred\":\"current_url\",\"args\":[\"/home\"]}'.");
        return false;
    }
    return true;
}

/* ---- intents ------------------------------------------------------------------------------------
 */

static bool level_of(const char *word, enum manglecp_level *out)
{
    static const char *const words[] = { "adaptive", "minimal", "condensed", "full" };
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0) {
            *out = (enum manglecp_level)i;
            return true;
        }
    if (word)
        mgi_cli_error("--disclosure is adaptive, full, condensed or minimal, not \"%s\"", word);
    return !word;
}

/* The names, with a NULL behind them. */
static bool take_why_not(const struct intent_options *o, struct manglecp_intent *out)
{
    if (o->why_not.count == 0)
        return true;
    if (o->why_not.count > WHY_NOT_MOST) {
        mgi_cli_error("--why-not may be said %d times", WHY_NOT_MOST);
        return false;
    }
    const char **names = mgi_cli_keep((WHY_NOT_MOST + 1) * sizeof(const char *));
    if (!names) {
        mgi_cli_error("out of memory");
        return false;
    }
    for (size_t i = 0; i < o->why_not.count; i++)
        names[i] = o->why_not.items[i];
    names[o->why_not.count] = NULL;
    out->why_not = names;
    return true;
}

bool mgi_request_intent(const struct intent_options *o, struct manglecp_intent *out)
{
    struct manglecp_member *params;
    *out = (struct manglecp_intent){
        .name = o->name, .know_all = true, .server_time = o->server_time, .proofs = o->why
    };
    if (!take_why_not(o, out))
        return false;
    if (!level_of(o->disclosure, &out->level) || !mgi_request_members(&o->params, &params))
        return false;
    out->params = params;
    out->param_count = o->params.count;
    if (o->has_eval_time && o->server_time) {
        mgi_cli_error("--eval-time and --server-time are two times; choose one");
        return false;
    }
    out->eval_time_ns = o->has_eval_time ? &o->eval_time_ns : NULL;
    out->max_tools = o->has_max_tools ? &o->max_tools : NULL;
    out->max_tokens = o->has_max_tokens ? &o->max_tokens : NULL;
    return true;
}

void mgi_hint_of_tools(const manglecp_tools *tools, const char *intent)
{
    struct buf names = { 0 };
    for (size_t i = 0; i < manglecp_tools_left_out_count(tools); i++) {
        mgi_buf_puts(&names, i ? ", " : "");
        mgi_utf8_show(&names, str_of(manglecp_tools_left_out(tools, i)));
    }
    if (names.len)
        mgi_cli_hint("%s does not look at these facts, so they were not sent: %s", intent,
                     names.ptr);
    if (manglecp_tools_count(tools) == 0)
        mgi_cli_hint("No rule speaks for a tool on these facts; the manifest lists the facts that "
                     "%s looks at.",
                     intent);
    mgi_buf_fini(&names);
}
