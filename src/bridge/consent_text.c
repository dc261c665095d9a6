/* The question before consent: what runs, what it does, with which values. */
#include "bridge/consent_text.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/utf8.h"
#include "mcp/clean.h"

#define MAX_TEXT  600  /* bytes of one foreign text that are shown */
#define MAX_ARGS  2400 /* and of all arguments; beyond it each has its share */
#define MAX_NAMED 24   /* arguments that are named then */
#define MAX_WORDS 16   /* effects */
#define MAX_MARKS 4    /* on one character; more would be written over the lines around it */

/* Marks beyond MAX_MARKS are counted, not shown. */
static void show_text(struct buf *out, struct str text)
{
    size_t from = 0, marks = 0, at = 0;
    while (at < text.len) {
        size_t start = at;
        bool is_mark = mgi_clean_is_mark(mgi_utf8_next(text, &at));
        if (is_mark && ++marks == MAX_MARKS + 1)
            mgi_utf8_show(out, (struct str){ text.ptr + from, start - from });
        if (is_mark && marks > MAX_MARKS)
            from = at;
        if (marks > MAX_MARKS && (!is_mark || at == text.len))
            mgi_buf_printf(out, "(%zu marks more)", marks - MAX_MARKS);
        if (!is_mark)
            marks = 0;
    }
    mgi_utf8_show(out, (struct str){ text.ptr + from, text.len - from });
}

static void put_text(struct buf *out, struct str text, size_t most)
{
    struct str shown = mgi_utf8_prefix(text, most);
    show_text(out, shown);
    if (shown.len < text.len)
        mgi_buf_printf(out, " (%zu bytes more)", text.len - shown.len);
}

/* Escapes are longer than what they stand for. */
static void cut(struct buf *out, size_t start)
{
    static const char note[] = "\n(cut)";
    if (out->oom || out->len - start <= CONSENT_TEXT_BYTES)
        return;
    struct str all = { out->ptr + start, out->len - start };
    out->len = start + mgi_utf8_prefix(all, CONSENT_TEXT_BYTES - sizeof note).len;
    mgi_buf_puts(out, note);
}

static void show_effects(struct buf *out, const struct manglecp_consent *what)
{
    mgi_buf_puts(out, "\neffects: ");
    if (what->side_effect_count == 0)
        mgi_buf_puts(out, "not said");
    for (size_t i = 0; i < what->side_effect_count && i < MAX_WORDS; i++) {
        mgi_buf_puts(out, i ? ", " : "");
        put_text(out, str_of(what->side_effects[i]), MAX_TEXT / 8);
    }
    if (what->side_effect_count > MAX_WORDS)
        mgi_buf_printf(out, " and %zu more", what->side_effect_count - MAX_WORDS);
    mgi_buf_puts(out, what->reversible ? "; can be undone" : "; cannot be undone");
}

static bool is_empty(const char *json)
{
    return !json || str_is(str_of(json), "{}") || str_is(str_of(json), "[]");
}

/* Many, or long ones: the beginning of each, so that a long one hides no other. */
static void show_each(struct buf *out, const struct json *args)
{
    size_t share = MAX_ARGS / (args->count < MAX_NAMED ? args->count + 1 : MAX_NAMED);
    for (uint32_t i = 0; i < args->count && i < MAX_NAMED; i++) {
        mgi_buf_puts(out, "\n  ");
        put_text(out, args->members[i].name, share / 2);
        mgi_buf_puts(out, ": ");
        put_text(out, args->members[i].value.text, share / 2);
    }
    if (args->count > MAX_NAMED)
        mgi_buf_printf(out, "\n  and %u arguments more", args->count - MAX_NAMED);
}

static void show_arguments(struct buf *out, struct str text)
{
    struct arena arena;
    struct json args;
    mgi_buf_puts(out, "\nwith: ");
    if (text.len <= MAX_ARGS) {
        put_text(out, text, MAX_ARGS);
        return;
    }
    mgi_arena_init(&arena, 0);
    enum json_fault fault = mgi_json_parse(&arena, text, NULL, &args, NULL);
    if (fault == JSON_OK && args.type == JSON_OBJECT)
        show_each(out, &args);
    else if (fault == JSON_NOMEM)
        out->oom = true;
    else
        put_text(out, text, MAX_ARGS);
    mgi_arena_fini(&arena);
}

void mgi_consent_text(struct buf *out, const struct manglecp_consent *what)
{
    size_t start = out->len;
    mgi_buf_puts(out, "Run ");
    put_text(out, str_of(what->tool), 128);
    mgi_buf_puts(out, what->differs ? "? This is not what the tool said before." : "?");
    if (what->question) {
        mgi_buf_puts(out, "\nit runs already, and asks: ");
        put_text(out, str_of(what->question), MAX_TEXT);
        mgi_buf_puts(out, "\nbefore: ");
        put_text(out, str_of(what->action), 128);
    } else if (what->description[0]) {
        mgi_buf_puts(out, "\n");
        put_text(out, str_of(what->description), MAX_TEXT);
    }
    show_effects(out, what);
    const char *args = what->question && what->inputs ? what->inputs : what->args;
    if (!is_empty(args))
        show_arguments(out, str_of(args));
    if (!is_empty(what->bound)) {
        mgi_buf_puts(out, "\nfilled in by rules: ");
        put_text(out, str_of(what->bound), MAX_TEXT);
    }
    cut(out, start);
}
