/* What an import came to, for people and for programs; see manglecp_import.h. */
#include <stdio.h>

#include "base/utf8.h"
#include "cli/manglecp_import.h"
#include "cli/manglecp_repeat.h"
#include "cli/manglecp_view.h"

enum { SLOW_MS = 5000, TOLD = 40, WIDE_TOKENS = 2000 };

static const char *const step_words[] = { "new", "changed", "same", "kept", "gone" };

static size_t tools_of(const struct importing *im, struct str server)
{
    size_t count = 0;
    for (size_t i = 0; i < im->tool_count; i++)
        count += !im->tools[i].left_out && str_eq(im->tools[i].server, server);
    return count;
}

static size_t count_steps(const struct importing *im, enum import_step step)
{
    size_t count = 0;
    for (size_t i = 0; i < im->change_count; i++)
        count += im->changes[i].step == step;
    return count;
}

/* ---- for people -------------------------------------------------------------------------------
 */

struct telling {
    struct importing *im;
    struct view v;
    const struct cli_style *s;
};

static void head(const struct telling *t, const char *text)
{
    printf("%s%s%s\n", t->s->bold, text, t->s->reset);
}

static void tell_servers(const struct telling *t)
{
    struct importing *im = t->im;
    head(t, im->openapi ? "document" : "servers");
    for (size_t i = 0; i < im->asked.count; i++) {
        const struct asked_server *s = &im->asked.items[i];
        const char *name = mgi_server_shown(&im->arena, s->name);
        if (s->why)
            printf("  %sfailed%s   %-20s %s\n", t->s->red, t->s->reset, name,
                   mgi_server_shown(&im->arena, str_of(s->why)));
        else
            printf("  %sstarted%s  %-20s %4zu tools  %5lld ms%s\n", t->s->green, t->s->reset, name,
                   tools_of(im, s->name), (long long)s->took_ms,
                   s->took_ms > SLOW_MS ? "  slow" : "");
    }
    for (size_t i = 0; i < im->server_count && im->openapi; i++)
        printf("  %-20s %4zu tools\n", mgi_server_shown(&im->arena, im->servers[i].name),
               im->servers[i].tools);
    for (size_t i = 0; i < im->config.left_out_count; i++)
        printf("  left out %s\n", im->config.left_out[i]);
}

static void tell_model(const struct telling *t)
{
    const struct importing *im = t->im;
    if (!im->embed)
        return;
    head(t, "ranking");
    if (im->embed_why)
        printf("  by words alone: %s\n", mgi_server_shown(&t->im->arena, str_of(im->embed_why)));
    else
        printf("  by words, and by what texts mean: %zu vectors in vectors.json\n", im->embedded);
}

static void tell_left_out(const struct telling *t)
{
    struct importing *im = t->im;
    size_t count = 0;
    for (size_t i = 0; i < im->tool_count; i++) {
        const struct import_tool *tool = &im->tools[i];
        if (!tool->left_out)
            continue;
        if (count++ == 0)
            head(t, "tools left out");
        if (count <= TOLD)
            printf("  %s %s: %s\n", mgi_server_shown(&im->arena, tool->server),
                   mgi_server_shown(&im->arena, tool->name),
                   mgi_server_shown(&im->arena, str_of(tool->left_out)));
    }
    if (count > TOLD)
        printf("  and %zu more\n", count - TOLD);
}

static void tell_clashes(const struct telling *t)
{
    struct importing *im = t->im;
    size_t count = 0;
    for (size_t i = 0; i < im->tool_count; i++) {
        const struct import_tool *tool = &im->tools[i];
        if (tool->left_out || !tool->clashed)
            continue;
        if (count++ == 0)
            head(t, "names that several servers have");
        if (count <= TOLD)
            printf("  %s is %s of %s\n", tool->id, mgi_server_shown(&im->arena, tool->name),
                   mgi_server_shown(&im->arena, tool->server));
    }
    if (count > TOLD)
        printf("  and %zu more\n", count - TOLD);
}

static bool is_to_confirm(const struct import_tool *t)
{
    return !t->left_out && t->harm == HARM_DESTRUCTIVE && !t->confirmed;
}

/* What a server says of its own tool is told in one paragraph. */
static void tell_hinted(struct telling *t)
{
    struct importing *im = t->im;
    struct buf names = { 0 };
    for (size_t i = 0; i < im->tool_count; i++)
        if (is_to_confirm(&im->tools[i]) && im->tools[i].harm_by_hint)
            mgi_buf_printf(&names, "%s%s", names.len ? ", " : "", im->tools[i].id);
    if (names.len > 0 && !names.oom) {
        printf("  and because their servers say so (destructiveHint):\n");
        t->v.to = stdout;
        mgi_view_wrap(&t->v, 4, 0, names.ptr);
    }
    mgi_buf_fini(&names);
}

static void tell_harm(struct telling *t)
{
    struct importing *im = t->im;
    size_t count = 0;
    for (size_t i = 0; i < im->tool_count; i++)
        count += is_to_confirm(&im->tools[i]);
    if (count == 0)
        return;
    head(t, "destructive, as far as verb, object and schema tell: confirm or correct them in "
            "facts/confirmed.mg");
    count = 0;
    for (size_t i = 0; i < im->tool_count; i++) {
        const struct import_tool *tool = &im->tools[i];
        if (!is_to_confirm(tool) || tool->harm_by_hint)
            continue;
        if (count++ < TOLD)
            printf("  %s%s%s: %s\n", t->s->yellow, tool->id, t->s->reset,
                   tool->harm_why ? tool->harm_why : "");
    }
    if (count > TOLD)
        printf("  and %zu more: all are in facts/confirmed.mg\n", count - TOLD);
    tell_hinted(t);
}

static void tell_variables(const struct telling *t)
{
    struct importing *im = t->im;
    if (im->config.variable_count > 0)
        head(t, "variables to set in the environment that the domain is served with");
    for (size_t i = 0; i < im->config.variable_count; i++) {
        const struct import_variable *v = &im->config.variables[i];
        printf("  %.*s  of %.*s (%s%s)\n", STR_ARG(v->name), STR_ARG(v->server), v->where,
               v->value.ptr ? "; its value stands in the configuration and was not copied" : "");
    }
}

static void tell_changes(const struct telling *t)
{
    const struct importing *im = t->im;
    size_t told = 0;
    if (im->fresh)
        return;
    head(t, im->dry ? "files: what would change" : "files");
    for (size_t i = 0; i < im->change_count; i++) {
        const struct import_change *c = &im->changes[i];
        bool own = c->step == FILE_KEPT && c->file && c->file->once;
        if (c->step != FILE_SAME && !own && told++ < 4 * TOLD)
            printf("  %-8s %s%s\n", step_words[c->step], c->path,
                   c->step == FILE_KEPT
                       ? " (it was changed by hand; remove it to have it written anew)"
                       : "");
    }
    if (told > (size_t)4 * TOLD)
        printf("  and %zu more\n", told - (size_t)4 * TOLD);
    printf("  %zu new, %zu changed, %zu gone, %zu the same; the author's files are as they were\n",
           count_steps(im, FILE_NEW), count_steps(im, FILE_CHANGED), count_steps(im, FILE_GONE),
           count_steps(im, FILE_SAME));
}

static void tell_improvements(const struct telling *t)
{
    struct importing *im = t->im;
    const struct import_bill *b = &im->bill;
    bool wide = b->plain_tokens > WIDE_TOKENS;
    if (b->unreached_count > 0 || wide)
        head(t, "to improve");
    if (wide)
        printf("  the intent use is wide: with nothing said it shows %zu tools, %zu tokens\n",
               b->plain_tools, b->plain_tokens);
    if (b->unreached_count > 0)
        printf("  not found by their own words (a rule in rules/domain/own.mg can prove them):\n");
    for (size_t i = 0; i < b->unreached_count && i < TOLD; i++)
        printf("    %s\n", b->unreached[i]->id);
    if (b->unreached_count > TOLD)
        printf("    and %zu more\n", b->unreached_count - TOLD);
}

static void tell_bill(const struct telling *t)
{
    struct importing *im = t->im;
    const struct import_bill *b = &im->bill;
    size_t sum = 0, most = 0;
    head(t, "the bill, in tokens");
    printf("  %8zu  all %zu tools as their servers list them\n", b->verbatim, im->imported);
    printf("  %8zu  all of them as one line each\n", b->lines);
    for (size_t i = 0; i < b->ask_count; i++) {
        const struct import_ask *a = &b->asks[i];
        sum += a->tokens;
        most = a->tokens > most ? a->tokens : most;
        printf("  %8zu  \"%s\": %zu tools%s\n", a->tokens, mgi_server_shown(&im->arena, a->request),
               a->offered, a->reached ? "" : ", not the one that is called so");
    }
    if (b->ask_count > 0)
        printf("  %8zu  an intent, on average of these %zu; %zu at most\n", sum / b->ask_count,
               b->ask_count, most);
    printf("  %zu of %zu tools that were tried are found by their own words\n",
           b->tried - b->unreached_count, b->tried);
}

static void tell_end(const struct telling *t)
{
    struct importing *im = t->im;
    struct buf word = { 0 };
    mgi_repeat_word(&word, im->into);
    const char *folder = word.ptr ? word.ptr : "";
    printf("%zu errors and %zu warnings of check; %zu of %zu scenarios hold\n", im->errors,
           im->warnings, im->scenarios_passed, im->scenarios);
    if (im->dry)
        printf("nothing was written\n");
    else
        printf("%s%s is a domain%s\n  manglecp check %s\n  manglecp mcp %s\n", t->s->bold, folder,
               t->s->reset, folder, folder);
    mgi_buf_fini(&word);
}

/* ---- for programs -----------------------------------------------------------------------------
 */

static void write_servers(struct json_writer *w, const struct importing *im)
{
    mgi_jw_key(w, "servers");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < im->asked.count; i++) {
        const struct asked_server *s = &im->asked.items[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", s->name);
        mgi_jw_member_bool(w, "started", s->why == NULL);
        mgi_jw_member_cstr(w, "why", s->why);
        mgi_jw_member_int(w, "ms", s->took_ms);
        mgi_jw_member_int(w, "tools", (int64_t)tools_of(im, s->name));
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_key(w, "servers_left_out");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < im->config.left_out_count; i++)
        mgi_jw_cstring(w, im->config.left_out[i]);
    mgi_jw_end_array(w);
    mgi_jw_key(w, "variables");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < im->config.variable_count; i++) {
        const struct import_variable *v = &im->config.variables[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "name", v->name);
        mgi_jw_member_str(w, "server", v->server);
        mgi_jw_member_cstr(w, "where", v->where);
        mgi_jw_member_bool(w, "was_literal", v->value.ptr != NULL);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_tools(struct json_writer *w, const struct importing *im)
{
    mgi_jw_key(w, "tools");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < im->tool_count; i++) {
        const struct import_tool *t = &im->tools[i];
        mgi_jw_begin_object(w);
        mgi_jw_member_cstr(w, "id", t->left_out ? NULL : t->id);
        mgi_jw_member_str(w, "server", t->server);
        mgi_jw_member_str(w, "name", t->name);
        mgi_jw_member_cstr(w, "verb", t->words.verb ? t->words.verb->canonical : NULL);
        mgi_jw_member_cstr(w, "effect", mgi_import_effect_name(t->effect));
        mgi_jw_member_cstr(w, "harm", mgi_import_harm_name(t->harm));
        mgi_jw_member_cstr(w, "why", t->harm_why);
        mgi_jw_member_cstr(w, "confirmed", t->confirmed ? mgi_import_harm_name(t->said) : NULL);
        mgi_jw_member_bool(w, "clashed", t->clashed);
        mgi_jw_member_cstr(w, "left_out", t->left_out);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
}

static void write_bill(struct json_writer *w, const struct importing *im)
{
    const struct import_bill *b = &im->bill;
    mgi_jw_key(w, "bill");
    mgi_jw_begin_object(w);
    mgi_jw_member_int(w, "tools", (int64_t)im->imported);
    mgi_jw_member_int(w, "verbatim_tokens", (int64_t)b->verbatim);
    mgi_jw_member_int(w, "line_tokens", (int64_t)b->lines);
    mgi_jw_member_int(w, "tried", (int64_t)b->tried);
    mgi_jw_key(w, "intents");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < b->ask_count; i++) {
        mgi_jw_begin_object(w);
        mgi_jw_member_str(w, "request", b->asks[i].request);
        mgi_jw_member_cstr(w, "tool", b->asks[i].tool->id);
        mgi_jw_member_int(w, "tokens", (int64_t)b->asks[i].tokens);
        mgi_jw_member_int(w, "offered", (int64_t)b->asks[i].offered);
        mgi_jw_member_bool(w, "reached", b->asks[i].reached);
        mgi_jw_end_object(w);
    }
    mgi_jw_end_array(w);
    mgi_jw_key(w, "unreached");
    mgi_jw_begin_array(w);
    for (size_t i = 0; i < b->unreached_count; i++)
        mgi_jw_cstring(w, b->unreached[i]->id);
    mgi_jw_end_array(w);
    mgi_jw_end_object(w);
}

static void write_changes(struct json_writer *w, const struct importing *im)
{
    mgi_jw_key(w, "files");
    mgi_jw_begin_object(w);
    for (size_t i = 0; i < im->change_count; i++)
        if (im->changes[i].step != FILE_SAME) {
            mgi_jw_key_str(w, str_of(im->changes[i].path));
            mgi_jw_cstring(w, step_words[im->changes[i].step]);
        }
    mgi_jw_end_object(w);
}

static bool print_json(const struct importing *im)
{
    struct buf text = { 0 };
    struct json_writer w;
    mgi_json_writer_init(&w, &text, 2);
    mgi_jw_begin_object(&w);
    mgi_jw_member_cstr(&w, "folder", im->into);
    mgi_jw_member_bool(&w, "written", !im->dry);
    mgi_jw_member_int(&w, "errors", (int64_t)im->errors);
    mgi_jw_member_int(&w, "warnings", (int64_t)im->warnings);
    mgi_jw_member_int(&w, "scenarios", (int64_t)im->scenarios);
    mgi_jw_member_int(&w, "scenarios_passed", (int64_t)im->scenarios_passed);
    if (im->embed) {
        mgi_jw_member_int(&w, "vectors", (int64_t)im->embedded);
        mgi_jw_member_cstr(&w, "no_model", im->embed_why);
    }
    write_servers(&w, im);
    write_tools(&w, im);
    write_changes(&w, im);
    write_bill(&w, im);
    mgi_jw_end_object(&w);
    if (!text.oom)
        printf("%s\n", text.ptr);
    bool good = !text.oom;
    mgi_buf_fini(&text);
    return good;
}

bool mgi_import_print(struct importing *im, bool json)
{
    if (json)
        return print_json(im);
    struct telling t = { .im = im, .s = mgi_cli_style(stdout) };
    tell_servers(&t);
    tell_model(&t);
    tell_left_out(&t);
    tell_clashes(&t);
    tell_harm(&t);
    tell_variables(&t);
    tell_changes(&t);
    tell_improvements(&t);
    tell_bill(&t);
    tell_end(&t);
    return true;
}
