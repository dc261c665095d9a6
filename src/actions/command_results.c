/* How what a program prints and how it ends becomes an answer: `output`, `output_schema`, `exit` of
 * a command. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "actions/command_int.h"
#include "domain/command_form.h"

static const char *const output_kinds[] = { "text", "lines", "json", "jsonl", "csv", "none", NULL };

/* ---- regular expressions --------------------------------------------------------------------- */

/* Whatever is wrong is told at load: the plugin compiles the same text with the same options. */
static void check_regex(struct provider_reader *r, const struct yaml_node *n)
{
    int error;
    uint32_t names = 0;
    PCRE2_SIZE offset;
    unsigned char message[160];
    pcre2_code *code =
        pcre2_compile((PCRE2_SPTR)n->text.ptr, n->text.len,
                      PCRE2_UTF | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error, &offset, NULL);
    if (!code) {
        pcre2_get_error_message(error, message, sizeof message);
        mgi_yaml_error(r->yaml, n, "BAD_REGEX", NULL, "at character %zu: %s", (size_t)offset + 1,
                       (const char *)message);
        return;
    }
    pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names);
    pcre2_code_free(code);
    if (names == 0)
        mgi_yaml_error(r->yaml, n, "BAD_REGEX", "(?<name>...) makes a member \"name\".",
                       "it has no named group, so nothing of the output would be told");
}

static void write_regex(struct provider_reader *r, const struct yaml_node *n, struct json_writer *w)
{
    static const char *const keys[] = { "regex", "all", NULL };
    const struct yaml_node *all = mgi_yaml_get(n, "all");
    const struct yaml_node *regex = mgi_yaml_get(n, "regex");
    bool every = false;
    mgi_yaml_known_keys(r->yaml, n, "output", keys);
    struct str text = mgi_yaml_text(r->yaml, n, "regex", true);
    if (regex && text.len > 0)
        check_regex(r, regex);
    if (all && !mgi_yaml_bool(all, &every))
        mgi_yaml_error(r->yaml, all, "BAD_VALUE", NULL, "all must be true or false");
    mgi_jw_member_cstr(w, "kind", "regex");
    mgi_jw_member_str(w, "regex", text);
    mgi_jw_member_bool(w, "all", every);
}

static void write_output(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    mgi_jw_key(w, "output");
    mgi_jw_begin_object(w);
    if (n && n->kind == YAML_MAP) {
        write_regex(r, n, w);
    } else {
        const char *const *kind = output_kinds;
        while (n && *kind && !(n->kind == YAML_SCALAR && str_is(n->text, *kind)))
            kind++;
        if (!*kind) {
            const char *near =
                n->kind == YAML_SCALAR ? mgi_nearest_name(n->text, output_kinds) : NULL;
            mgi_yaml_error(r->yaml, n, "BAD_VALUE",
                           near ? mgi_arena_printf(r->yaml->arena, "Did you mean %s?", near) : NULL,
                           "output is text, lines, json, jsonl, csv, none or {regex: ...}");
        }
        mgi_jw_member_cstr(w, "kind", *kind ? *kind : "text");
    }
    mgi_jw_end_object(w);
}

/* ---- exit codes ------------------------------------------------------------------------------ */

static size_t number(struct str text, int *out)
{
    size_t len = 0;
    *out = 0;
    while (len < text.len && len < 3 && text.ptr[len] >= '0' && text.ptr[len] <= '9')
        *out = *out * 10 + (text.ptr[len++] - '0');
    return len;
}

/* "1", "2-5" or "other". */
static bool read_codes(struct str key, int *from, int *to)
{
    if (str_is(key, "other")) {
        *from = 1;
        *to = 255;
        return true;
    }
    size_t len = number(key, from);
    *to = *from;
    if (len > 0 && len < key.len && key.ptr[len] == '-') {
        struct str rest = { key.ptr + len + 1, key.len - len - 1 };
        size_t more = number(rest, to);
        len = more ? len + 1 + more : 0;
    }
    return len > 0 && len == key.len && *from <= *to && *to <= 255;
}

static void write_status(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    static const char *const statuses[] = { "error", "invalid_pick", "breaker", NULL };
    const char *const *one = statuses;
    while (*one && !(n->kind == YAML_SCALAR && str_is(n->text, *one)))
        one++;
    if (*one)
        mgi_jw_member_cstr(w, "status", *one);
    else
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "status is error, invalid_pick or breaker");
}

static void write_ending(struct provider_reader *r, const struct yaml_node *n,
                         struct json_writer *w)
{
    static const char *const keys[] = { "ok", "error", "status", "output", NULL };
    const struct yaml_node *ok = mgi_yaml_get(n, "ok"), *status = mgi_yaml_get(n, "status");
    const struct yaml_node *output = mgi_yaml_get(n, "output");
    bool good = false;
    mgi_yaml_known_keys(r->yaml, n, "an exit code", keys);
    if (ok && !mgi_yaml_bool(ok, &good))
        mgi_yaml_error(r->yaml, ok, "BAD_VALUE", NULL, "ok must be true or false");
    struct str error = mgi_yaml_text(r->yaml, n, "error", false);
    mgi_jw_member_bool(w, "ok", good);
    if (error.len > 0)
        mgi_jw_member_str(w, "error", error);
    if (status)
        write_status(r, status, w);
    if (good && (error.len > 0 || status))
        mgi_yaml_error(r->yaml, n, "BAD_VALUE", NULL, "what is ok has no error and no status");
    if (output && (!good || output->kind != YAML_MAP))
        mgi_yaml_error(r->yaml, output, "BAD_VALUE", NULL,
                       "output is a map that is told in place of what was printed, with ok: true");
    else if (output) {
        mgi_jw_key(w, "output");
        mgi_yaml_write_json(w, output);
    }
}

static void write_exit(struct provider_reader *r, const struct yaml_entry *e, struct json_writer *w)
{
    int from, to;
    if (!read_codes(e->key, &from, &to)) {
        mgi_yaml_error(r->yaml, e->value, "BAD_VALUE", NULL,
                       "\"%.*s\" is no exit code: 0 to 255, a range such as 2-5, or other",
                       STR_ARG(e->key));
        return;
    }
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "from", from);
    mgi_jw_member_int(w, "to", to);
    mgi_jw_member_bool(w, "other", str_is(e->key, "other"));
    if (e->value->kind == YAML_MAP)
        write_ending(r, e->value, w);
    else if (e->value->kind == YAML_SCALAR && str_is(e->value->text, "ok"))
        mgi_jw_member_bool(w, "ok", true);
    else if (e->value->kind == YAML_SCALAR && e->value->text.len > 0)
        mgi_jw_member_str(w, "error", e->value->text);
    else
        mgi_yaml_error(r->yaml, e->value, "BAD_VALUE",
                       "Write it as {1: {ok: true}, 2: \"the file is not there\"}.",
                       "an exit code means ok, an error text, or a map");
    mgi_jw_end_object(w);
}

void mgi_command_write_results(struct provider_reader *r, const struct yaml_node *command,
                               struct json_writer *w)
{
    const struct yaml_node *codes = mgi_yaml_get(command, "exit");
    write_output(r, mgi_yaml_get(command, "output"), w);
    if (codes && codes->kind != YAML_MAP) {
        mgi_yaml_error(r->yaml, codes, "BAD_VALUE", NULL, "exit must be a map of exit codes");
        return;
    }
    mgi_jw_key(w, "exit");
    mgi_jw_begin_array(w);
    for (size_t i = 0; codes && i < codes->count; i++)
        write_exit(r, &codes->entries[i], w);
    mgi_jw_end_array(w);
}
