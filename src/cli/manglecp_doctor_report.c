/* `manglecp doctor`: what was found, for people and for programs. */
#include <stdio.h>

#include "actions/enforcement.h"
#include "base/utf8.h"
#include "cli/manglecp_doctor.h"
#include "cli/manglecp_view.h"
#include "mcp/clean.h"

static const char *const severity_words[] = { "error", "warning", "note" };
static const char *const state_words[] = { "off", "not started", "failed", "started" };

static const char *visible(struct view *v, struct str text)
{
    struct buf out = { 0 };
    mgi_utf8_show(&out, mgi_utf8_prefix(text, 1000));
    struct str kept = mgi_arena_str(&v->arena, mgi_buf_view(&out));
    mgi_buf_fini(&out);
    return kept.ptr ? kept.ptr : "";
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *file_title(const struct doctor_file *f)
{
    return f->row ? f->row->title : "given";
}

static const char *servers_clients(struct view *v, const struct doctor_server *s)
{
    char *text = mgi_arena_strdup(&v->arena, "");
    for (size_t i = 0; text && i < s->file_count; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= file_title(s->files[k]) == file_title(s->files[i]);
        if (!again)
            text =
                mgi_arena_printf(&v->arena, "%s%s%s", text, i ? ", " : "", file_title(s->files[i]));
    }
    return text ? text : "";
}

static void print_findings(struct view *v, const struct doctor_findings *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct doctor_finding *one = &f->items[i];
        const struct cli_style *style = v->style;
        const char *colour = one->severity == CHECK_ERROR     ? style->red
                             : one->severity == CHECK_WARNING ? style->yellow
                                                              : style->dim;
        fprintf(v->to, "  %s%-7s%s ", colour, severity_words[one->severity], style->reset);
        const char *text =
            mgi_arena_printf(&v->arena, "%s: %s", mgi_doctor_checks[one->check].word, one->text);
        mgi_view_wrap(v, 10, 10, text ? text : "");
        mgi_view_wrap(v, 12, 0, mgi_doctor_checks[one->check].advice);
    }
}

static void print_row(struct view *v, const struct doctor_server *s)
{
    char start[32];
    const char *colour = s->state == SERVER_STARTED  ? v->style->green
                         : s->state == SERVER_FAILED ? v->style->red
                                                     : v->style->dim;
    if (s->state == SERVER_STARTED)
        snprintf(start, sizeof start, "%lld ms", (long long)s->start_ms);
    else
        snprintf(start, sizeof start, "%s", state_words[s->state]);
    fprintf(v->to, "%-20s %-26s %s%11s%s", mgi_view_cut(v, visible(v, s->name), 20),
            mgi_view_cut(v, servers_clients(v, s), 26), colour, start, v->style->reset);
    if (s->state == SERVER_STARTED)
        fprintf(v->to, " %-10s %5zu %7zu", mgi_view_text(v, &s->offer, "revision"), s->tool_count,
                s->tokens);
    fputc('\n', v->to);
}

static void print_table(struct view *v, const struct examination *e)
{
    size_t tools = 0, tokens = 0;
    if (e->server_count == 0)
        return;
    fprintf(v->to, "%s%s%s\n", v->style->bold,
            "SERVER               CLIENTS                          START REVISION   TOOLS  TOKENS",
            v->style->reset);
    for (size_t i = 0; i < e->server_count; i++) {
        print_row(v, e->servers[i]);
        tools += e->servers[i]->tool_count;
        tokens += e->servers[i]->tokens;
    }
    fprintf(v->to, "%-20s %-26s %11s %-10s %5zu %7zu\n", "all", "", "", "", tools, tokens);
}

static void print_server(struct view *v, const struct doctor_server *s)
{
    if (s->findings.count == 0)
        return;
    fprintf(v->to, "\n%s%s%s", v->style->bold, visible(v, s->name), v->style->reset);
    for (size_t i = 0; i < s->file_count; i++)
        fprintf(v->to, "%s%s", i ? ", " : "  ", visible(v, str_of(s->files[i]->path)));
    fputc('\n', v->to);
    print_findings(v, &s->findings);
}

static void print_file(struct view *v, const struct doctor_file *f)
{
    if (f->findings.count == 0)
        return;
    fprintf(v->to, "\n%s%s%s  %s%s%s\n", v->style->bold, visible(v, str_of(f->path)),
            v->style->reset, f->row ? f->row->title : "", f->row ? ", " : "", f->scope);
    print_findings(v, &f->findings);
}

void mgi_doctor_print(struct examination *e)
{
    struct view v;
    mgi_view_open(&v, stdout);
    if (e->file_count == 0)
        fprintf(v.to, "No client's configuration was found.\n");
    print_table(&v, e);
    for (size_t i = 0; i < e->file_count; i++)
        print_file(&v, e->files[i]);
    for (size_t i = 0; i < e->server_count; i++)
        print_server(&v, e->servers[i]);
    if (e->machine.count > 0) {
        fprintf(v.to, "\n%sthis machine%s\n", v.style->bold, v.style->reset);
        print_findings(&v, &e->machine);
    }
    size_t errors = mgi_doctor_count(e, CHECK_ERROR), warnings = mgi_doctor_count(e, CHECK_WARNING),
           notes = mgi_doctor_count(e, CHECK_NOTE);
    fprintf(v.to, "\n%zu file%s, %zu server%s: %zu error%s, %zu warning%s, %zu note%s\n",
            e->file_count, e->file_count == 1 ? "" : "s", e->server_count,
            e->server_count == 1 ? "" : "s", errors, errors == 1 ? "" : "s", warnings,
            warnings == 1 ? "" : "s", notes, notes == 1 ? "" : "s");
    if (e->full)
        fprintf(v.to, "Only the first %d files and %d servers were looked at.\n", DOCTOR_FILES,
                DOCTOR_SERVERS);
    mgi_view_close(&v);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void write_findings(struct json_writer *w, const struct doctor_findings *f)
{
    mgi_jw_key(w, "findings");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < f->count; i++) {
        const struct doctor_finding *one = &f->items[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "check", mgi_doctor_checks[one->check].word);
        mgi_jw_member_cstr(w, "severity", severity_words[one->severity]);
        mgi_jw_member_cstr(w, "text", one->text);
        mgi_jw_member_cstr(w, "advice", mgi_doctor_checks[one->check].advice);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_file_json(struct json_writer *w, const struct doctor_file *f)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_cstr(w, "path", f->path);
    mgi_jw_member_cstr(w, "client", f->row ? f->row->client : NULL);
    mgi_jw_member_cstr(w, "scope", f->scope);
    mgi_jw_member_int(w, "servers", (int64_t)f->server_count);
    write_findings(w, &f->findings);
    mgi_jw_end_object(w);
}

/* What a server says of itself. */
static void write_clean(struct json_writer *w, const char *key, const struct json *from,
                        const char *name)
{
    const struct json *v = mgi_json_get(from, name);
    struct buf clean = { 0 };
    if (v && v->type == JSON_STRING)
        mgi_clean(&clean, v->string, CLEAN_NAME_BYTES, NULL);
    mgi_jw_member_str(w, key, mgi_buf_view(&clean));
    w->out->oom |= clean.oom;
    mgi_buf_fini(&clean);
}

static void write_server_json(struct json_writer *w, const struct doctor_server *s)
{
    mgi_jw_begin_object(w);
    mgi_jw_member_str(w, "name", s->name);
    mgi_jw_member_cstr(w, "state", state_words[s->state]);
    mgi_jw_key(w, "files");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < s->file_count; i++)
        mgi_jw_cstring(w, s->files[i]->path);
    mgi_jw_end_array(w);
    if (s->state == SERVER_STARTED) {
        const struct json *is = mgi_json_get(&s->offer, "server");
        mgi_jw_member_int(w, "start_ms", s->start_ms);
        write_clean(w, "revision", &s->offer, "revision");
        mgi_jw_key(w, "server");
        mgi_jw_begin_object(w);
        write_clean(w, "name", is, "name");
        write_clean(w, "version", is, "version");
        mgi_jw_end_object(w);
        mgi_jw_member_int(w, "tools", (int64_t)s->tool_count);
        mgi_jw_member_int(w, "tokens", (int64_t)s->tokens);
    }
    write_findings(w, &s->findings);
    mgi_jw_end_object(w);
}

static void write_totals(struct json_writer *w, const struct examination *e)
{
    int64_t tools = 0, tokens = 0;
    for (size_t i = 0; i < e->server_count; i++) {
        tools += (int64_t)e->servers[i]->tool_count;
        tokens += (int64_t)e->servers[i]->tokens;
    }
    mgi_jw_key(w, "totals");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "files", (int64_t)e->file_count);
    mgi_jw_member_int(w, "servers", (int64_t)e->server_count);
    mgi_jw_member_int(w, "tools", tools);
    mgi_jw_member_int(w, "tokens", tokens);
    mgi_jw_member_int(w, "errors", (int64_t)mgi_doctor_count(e, CHECK_ERROR));
    mgi_jw_member_int(w, "warnings", (int64_t)mgi_doctor_count(e, CHECK_WARNING));
    mgi_jw_member_int(w, "notes", (int64_t)mgi_doctor_count(e, CHECK_NOTE));
    mgi_jw_member_bool(w, "complete", !e->full);
    mgi_jw_end_object(w);
}

bool mgi_doctor_print_json(struct examination *e)
{
    struct buf out = { 0 }, means = { 0 };
    struct json_writer w;
    mgi_enforcement_tell(&means);
    mgi_json_writer_init(&w, &out, 0);
    mgi_jw_begin_object(&w);
    mgi_jw_key(&w, "files");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < e->file_count; i++)
        write_file_json(&w, e->files[i]);
    mgi_jw_end_array(&w);
    mgi_jw_key(&w, "servers");
    mgi_jw_begin_array(&w);
    for (size_t i = 0; i < e->server_count; i++)
        write_server_json(&w, e->servers[i]);
    mgi_jw_end_array(&w);
    mgi_jw_key(&w, "machine");
    mgi_jw_begin_object(&w);
    mgi_jw_member_str(&w, "confinement", mgi_buf_view(&means));
    write_findings(&w, &e->machine);
    mgi_jw_end_object(&w);
    write_totals(&w, e);
    mgi_jw_end_object(&w);
    bool good = !out.oom && !means.oom;
    if (good)
        printf("%s\n", out.ptr);
    mgi_buf_fini(&out);
    mgi_buf_fini(&means);
    return good;
}
