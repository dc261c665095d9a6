/* See manglecp_sarif.h. The codes of findings are the rules of the report, in the order in which
 * they first occur. */
#include "cli/manglecp_sarif.h"

#include "cli/cli_errors.h"
#include "manglecp.h"

#define MAX_RULES 256 /* more than there are codes; what is beyond has no index */

struct sarif {
    struct json_writer w;
    const char *folder;
    const char *rules[MAX_RULES];
    size_t rule_count;
};

static size_t rule_index(const struct sarif *s, const char *code)
{
    size_t i = 0;
    while (i < s->rule_count && strcmp(s->rules[i], code) != 0)
        i++;
    return i;
}

static void collect_rules(struct sarif *s, struct findings *findings)
{
    for (size_t i = 0; i < mgi_findings_count(findings); i++) {
        const char *code = mgi_findings_get(findings, i)->code;
        if (rule_index(s, code) == s->rule_count && s->rule_count < MAX_RULES)
            s->rules[s->rule_count++] = code;
    }
}

/* A path as the path of an address (RFC 3986). */
static void put_path(struct buf *out, const char *path)
{
    for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("-._~/", *c);
        if (plain)
            mgi_buf_putc(out, (char)*c);
        else
            mgi_buf_printf(out, "%%%02X", *c);
    }
}

static void write_uri(struct sarif *s, const char *file)
{
    struct buf uri = { 0 };
    bool absolute = file[0] == '/' || s->folder[0] == '/';
    size_t len = strlen(s->folder);
    if (absolute)
        mgi_buf_puts(&uri, "file://");
    if (file[0] != '/') {
        put_path(&uri, s->folder);
        if (len > 0 && s->folder[len - 1] != '/')
            mgi_buf_putc(&uri, '/');
    }
    put_path(&uri, file);
    mgi_jw_member_str(&s->w, "uri", mgi_buf_view(&uri));
    if (!absolute)
        mgi_jw_member_cstr(&s->w, "uriBaseId", "%SRCROOT%");
    s->w.out->oom |= uri.oom;
    mgi_buf_fini(&uri);
}

/* Options and the standard rules are no files of the domain. */
static bool is_file(const char *name)
{
    return name[0] != '-' && name[0] != '<';
}

static void write_location(struct sarif *s, const struct finding *f)
{
    struct json_writer *w = &s->w;
    mgi_jw_begin_object(w);
    if (is_file(f->file)) {
        mgi_jw_key(w, "physicalLocation");
        mgi_jw_begin_object(w);
        mgi_jw_key(w, "artifactLocation");
        mgi_jw_begin_object(w);
        write_uri(s, f->file);
        mgi_jw_end_object(w);
        if (f->line > 0) {
            mgi_jw_key(w, "region");
            mgi_jw_begin_object(w);
            mgi_jw_member_int(w, "startLine", f->line);
            mgi_jw_member_int(w, "startColumn", f->column > 0 ? f->column : 1);
            mgi_jw_end_object(w);
        }
        mgi_jw_end_object(w);
    } else {
        mgi_jw_key(w, "logicalLocations");
        mgi_jw_begin_array(w);
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "fullyQualifiedName", f->file);
        mgi_jw_end_object(w);
        mgi_jw_end_array(w);
    }
    mgi_jw_end_object(w);
}

static void write_message(struct sarif *s, const struct finding *f)
{
    struct buf text = { 0 };
    mgi_buf_puts(&text, f->message);
    if (f->hint)
        mgi_buf_printf(&text, ". %s", f->hint);
    mgi_jw_key(&s->w, "message");
    mgi_jw_begin_object(&s->w);
    mgi_jw_member_str(&s->w, "text", mgi_buf_view(&text));
    mgi_jw_end_object(&s->w);
    s->w.out->oom |= text.oom;
    mgi_buf_fini(&text);
}

static void write_result(struct sarif *s, const struct finding *f)
{
    struct json_writer *w = &s->w;
    size_t rule = rule_index(s, f->code);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "ruleId", f->code);
    if (rule < s->rule_count)
        mgi_jw_member_int(w, "ruleIndex", (int64_t)rule);
    mgi_jw_member_cstr(w, "level", f->severity == MANGLE_ERROR ? "error" : "warning");
    write_message(s, f);
    mgi_jw_key(w, "locations");
    mgi_jw_begin_array(w);
    write_location(s, f);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

/* A code, with its page as the help. */
static void write_rule(struct json_writer *w, const char *code)
{
    const struct error_page *page = mgi_error_page(code);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "id", code);
    if (page) {
        mgi_jw_key(w, "shortDescription");
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "text", mgi_error_meaning(page));
        mgi_jw_end_object(w);
        mgi_jw_key(w, "help");
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "text", page->text);
        mgi_jw_member_cstr(w, "markdown", page->text);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_object(w);
}

static void write_tool(struct sarif *s)
{
    struct json_writer *w = &s->w;
    mgi_jw_key(w, "tool");
    mgi_jw_begin_object(w);
    mgi_jw_key(w, "driver");
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "name", "manglecp check");
    mgi_jw_member_cstr(w, "version", MANGLECP_VERSION);
    mgi_jw_key(w, "rules");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < s->rule_count; i++) {
        write_rule(w, s->rules[i]);
    }
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
    mgi_jw_end_object(w);
}

void mgi_sarif_write(struct buf *out, const char *folder, struct findings *findings)
{
    struct sarif s = { .folder = folder };
    struct json_writer *w = &s.w;
    collect_rules(&s, findings);
    mgi_json_writer_init(w, out, 2);
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    mgi_jw_member_cstr(w, "version", "2.1.0");
    mgi_jw_key(w, "runs");
    mgi_jw_begin_array(w);
    mgi_jw_begin_object(w);
    write_tool(&s);
    mgi_jw_member_cstr(w, "columnKind", "unicodeCodePoints");
    mgi_jw_key(w, "results");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < mgi_findings_count(findings); i++)
        write_result(&s, mgi_findings_get(findings, i));
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}
