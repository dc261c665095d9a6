/* The configuration written: as YAML, and as the JSON Schema of that YAML. Both walk the rows. */
#include <inttypes.h>
#include <strings.h>

#include "base/json.h"
#include "base/time.h"
#include "service/config_int.h"

void mgi_config_number(struct buf *out, const struct config_row *row, int64_t value)
{
    static const char *const units[] = { "", "KiB", "MiB", "GiB" };
    int power = 0;
    if (row->kind == CONFIG_DURATION) {
        mgi_duration_print(out, value * NS_PER_MS);
        return;
    }
    while (row->kind == CONFIG_BYTES && value > 0 && value % 1024 == 0 && power < 3) {
        value /= 1024;
        power++;
    }
    mgi_buf_printf(out, "%" PRId64 "%s", value, units[power]);
}

/* ---- YAML ---------------------------------------------------------------------------------- */

/* A JSON string is a YAML one. */
static void print_text(struct buf *out, const char *text)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 0);
    mgi_jw_cstring(&w, text);
}

static void print_list(struct buf *out, const struct config_list *list)
{
    mgi_buf_putc(out, '[');
    for (size_t i = 0; i < list->count; i++) {
        mgi_buf_puts(out, i > 0 ? ", " : "");
        print_text(out, list->items[i]);
    }
    mgi_buf_putc(out, ']');
}

/* A setting of a domain is no place for a secret, but may hold one all the same. */
static bool looks_secret(struct str key)
{
    static const char *const words[] = { "token",  "secret", "password",
                                         "passwd", "key",    "credential" };
    for (size_t at = 0; at < key.len; at++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (key.len - at >= strlen(words[i]) &&
                strncasecmp(key.ptr + at, words[i], strlen(words[i])) == 0)
                return true;
    return false;
}

static void print_set(struct buf *out, const struct config_list *set)
{
    size_t shown = 0;
    for (size_t i = 0; i < set->count; i++)
        shown += !looks_secret((struct str){ set->items[i], strcspn(set->items[i], "=") });
    if (shown == 0)
        mgi_buf_puts(out, "{}");
    for (size_t i = 0; i < set->count; i++) {
        const char *item = set->items[i];
        struct str key = { item, strcspn(item, "=") };
        struct buf quoted = { 0 };
        struct json_writer w;
        mgi_json_writer_init(&w, &quoted, 0);
        mgi_jw_string(&w, key);
        if (quoted.oom)
            out->oom = true;
        else if (looks_secret(key))
            mgi_buf_printf(out, "\n  # %s is left out: it may be a secret", quoted.ptr);
        else
            mgi_buf_printf(out, "\n  %s: ", quoted.ptr);
        if (!looks_secret(key))
            print_text(out, item + key.len + 1);
        mgi_buf_fini(&quoted);
    }
}

static void print_value(struct buf *out, const struct config_row *row, const void *from)
{
    const void *at = (const char *)from + row->offset;
    switch (row->kind) {
    case CONFIG_TEXT:
    case CONFIG_PATH:
        print_text(out, *(const char *const *)at);
        break;
    case CONFIG_TEXTS:
    case CONFIG_PATHS:
        print_list(out, at);
        break;
    case CONFIG_SET:
        print_set(out, at);
        break;
    case CONFIG_BOOL:
        mgi_buf_puts(out, *(const bool *)at ? "true" : "false");
        break;
    case CONFIG_NUMBER:
    case CONFIG_BYTES:
    case CONFIG_DURATION:
        mgi_config_number(out, row, *(const int64_t *)at);
        break;
    case CONFIG_WORD:
        mgi_buf_puts(out, row->words[*(const int64_t *)at]);
        break;
    case CONFIG_TIME:
        mgi_buf_putc(out, '"');
        mgi_time_print(out, *(const int64_t *)at);
        mgi_buf_putc(out, '"');
        break;
    case CONFIG_LISTENERS:
        break;
    }
}

/* Is there anything to write? Texts, lists and times have no default to show. */
static bool is_said(const struct config_row *row, const void *from)
{
    const void *at = (const char *)from + row->offset;
    switch (row->kind) {
    case CONFIG_TEXT:
    case CONFIG_PATH:
        return *(const char *const *)at != NULL;
    case CONFIG_TEXTS:
    case CONFIG_PATHS:
    case CONFIG_SET:
        return ((const struct config_list *)at)->count > 0;
    case CONFIG_TIME:
        return *(const bool *)((const char *)from + row->more_offset);
    case CONFIG_LISTENERS:
        return false;
    default:
        return true;
    }
}

static void print_listeners(struct buf *out, const struct service_config *config);

/* All rows of a scope that say something; `indent` blanks before each line. */
static void print_scope(struct buf *out, bool listener, const void *from, int indent,
                        const struct service_config *config)
{
    struct str section = { "", 0 };
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        if ((row->scope == CONFIG_LISTENER) != listener || row->scope == CONFIG_OPERATIONS_LISTENER)
            continue;
        if (row->kind == CONFIG_LISTENERS)
            print_listeners(out, config);
        if (!is_said(row, from))
            continue;
        const char *dot = strchr(row->path, '.');
        struct str of = { row->path, dot ? (size_t)(dot - row->path) : 0 };
        if (dot && !str_eq(of, section))
            mgi_buf_printf(out, "%*s%.*s:\n", indent, "", STR_ARG(of));
        section = of;
        mgi_buf_printf(out, "%*s%s: ", indent + (dot ? 2 : 0), "", dot ? dot + 1 : row->path);
        print_value(out, row, from);
        mgi_buf_putc(out, '\n');
    }
}

static void print_listeners(struct buf *out, const struct service_config *config)
{
    if (config->listener_count > 0)
        mgi_buf_puts(out, "listen:\n");
    for (size_t i = 0; i < config->listener_count; i++) {
        struct buf one = { 0 };
        print_scope(&one, true, &config->listeners[i], 4, config);
        if (one.oom)
            out->oom = true;
        else if (one.len > 2)
            one.ptr[2] = '-'; /* "  - address: …" */
        mgi_buf_str(out, mgi_buf_view(&one));
        mgi_buf_fini(&one);
    }
}

void mgi_config_print(struct buf *out, const struct service_config *config)
{
    print_scope(out, false, config, 0, config);
}

/* ---- JSON Schema --------------------------------------------------------------------------- */

static void schema_listen(struct json_writer *w);

/* A number in a range (if there is one), or what stands for one as text. */
static void schema_text_or_number(struct json_writer *w, const char *pattern, int64_t min,
                                  int64_t max)
{
    mgi_jw_key(w, "anyOf");
    mgi_jw_begin_array(w);
    if (min <= max) {
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "type", "integer");
        mgi_jw_member_int(w, "minimum", min);
        mgi_jw_member_int(w, "maximum", max);
        mgi_jw_end_object(w);
    }
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "type", "string");
    mgi_jw_member_cstr(w, "pattern", pattern);
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
}

static void schema_types(struct json_writer *w)
{
    static const char *const scalars[] = { "string", "number", "boolean" };
    mgi_jw_key(w, "type");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        mgi_jw_cstring(w, scalars[i]);
    mgi_jw_end_array(w);
}

/* YAML reads a bare 8765 or true as what it looks like; where text is wanted, we take that too. */
static void schema_text(struct json_writer *w)
{
    schema_types(w);
    mgi_jw_member_int(w, "minLength", 1);
}

static void schema_kind(struct json_writer *w, const struct config_row *row)
{
    switch (row->kind) {
    case CONFIG_TEXT:
    case CONFIG_PATH:
        schema_text(w);
        break;
    case CONFIG_TEXTS:
    case CONFIG_PATHS:
        mgi_jw_member_cstr(w, "type", "array");
        mgi_jw_key(w, "items");
        mgi_jw_begin_object(w);
        schema_text(w);
        mgi_jw_end_object(w);
        break;
    case CONFIG_SET:
        mgi_jw_member_cstr(w, "type", "object");
        mgi_jw_key(w, "additionalProperties");
        mgi_jw_begin_object(w);
        schema_types(w);
        mgi_jw_end_object(w);
        break;
    case CONFIG_BOOL:
        mgi_jw_member_cstr(w, "type", "boolean");
        mgi_jw_member_bool(w, "default", false);
        break;
    case CONFIG_NUMBER:
        mgi_jw_member_cstr(w, "type", "integer");
        mgi_jw_member_int(w, "minimum", row->min);
        mgi_jw_member_int(w, "maximum", row->max);
        mgi_jw_member_int(w, "default", row->fallback);
        break;
    case CONFIG_BYTES:
        schema_text_or_number(w, "^[0-9]+(KiB|MiB|GiB)?$", row->min, row->max);
        break;
    case CONFIG_DURATION:
        schema_text_or_number(w, "^(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|ms|s|m|h|d))+$", 0,
                              row->min == 0 ? 0 : -1); /* 0 needs no unit */
        break;
    case CONFIG_WORD:
        mgi_jw_key(w, "enum");
        mgi_jw_begin_array(w);
        for (size_t i = 0; row->words[i]; i++)
            mgi_jw_cstring(w, row->words[i]);
        mgi_jw_end_array(w);
        mgi_jw_member_cstr(w, "default", row->words[row->fallback]);
        break;
    case CONFIG_TIME:
        mgi_jw_member_cstr(w, "type", "string");
        mgi_jw_member_cstr(w, "format", "date-time");
        break;
    case CONFIG_LISTENERS:
        schema_listen(w);
        break;
    }
    if (row->kind == CONFIG_BYTES || row->kind == CONFIG_DURATION) {
        struct buf text = { 0 };
        mgi_config_number(&text, row, row->fallback);
        mgi_jw_member_cstr(w, "default", text.ptr);
        w->out->oom |= text.oom;
        mgi_buf_fini(&text);
    }
}

static void schema_row(struct json_writer *w, const struct config_row *row, const char *name)
{
    mgi_jw_key(w, name);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "description", row->help);
    schema_kind(w, row);
    mgi_jw_end_object(w);
}

static void schema_scope(struct json_writer *w, bool listener)
{
    struct str section = { "", 0 };
    mgi_jw_member_cstr(w, "type", "object");
    mgi_jw_member_bool(w, "additionalProperties", false);
    mgi_jw_key(w, "properties");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < mgi_config_row_count; i++) {
        const struct config_row *row = &mgi_config_rows[i];
        if ((row->scope == CONFIG_LISTENER) != listener || row->scope == CONFIG_OPERATIONS_LISTENER)
            continue;
        const char *dot = strchr(row->path, '.');
        struct str of = { row->path, dot ? (size_t)(dot - row->path) : 0 };
        if (section.len > 0 && !str_eq(of, section)) {
            mgi_jw_end_object(w);
            mgi_jw_end_object(w);
        }
        if (of.len > 0 && !str_eq(of, section)) {
            mgi_jw_key_str(w, of);
            mgi_jw_begin_object(w);
            mgi_jw_member_cstr(w, "type", "object");
            mgi_jw_member_bool(w, "additionalProperties", false);
            mgi_jw_key(w, "properties");
            mgi_jw_begin_object(w);
        }
        section = of;
        schema_row(w, row, dot ? dot + 1 : row->path);
    }
    if (section.len > 0) {
        mgi_jw_end_object(w);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

static void schema_listen(struct json_writer *w)
{
    mgi_jw_member_cstr(w, "type", "array");
    mgi_jw_key(w, "items");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "anyOf");
    mgi_jw_begin_array(w);
    mgi_jw_begin_object(w);
    schema_text(w);
    mgi_jw_end_object(w);
    mgi_jw_begin_object(w);
    schema_scope(w, true);
    mgi_jw_key(w, "required");
    mgi_jw_begin_array(w);
    mgi_jw_cstring(w, "address");
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

void mgi_config_schema(struct buf *out)
{
    struct json_writer w;
    mgi_json_writer_init(&w, out, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "$schema", "https://json-schema.org/draft/2020-12/schema");
    mgi_jw_member_cstr(&w, "title", "manglecp serve --config FILE");
    mgi_jw_member_cstr(&w, "description", "What a MangleCP server is told: docs/serving.md");
    schema_scope(&w, false);
    mgi_jw_end_object(&w);
    mgi_buf_putc(out, '\n');
}
