/* Asking a person at the terminal; see manglecp_ask.h. */
#include "cli/manglecp_ask.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/manglecp_render.h"
#include "cli/manglecp_view.h"

static const char *shown(struct view *v, const char *text)
{
    struct json word = { .type = JSON_STRING, .string = str_of(text) };
    return mgi_render_text(&v->arena, &word);
}

void mgi_ask_show(const struct manglecp_consent *what, const char *who)
{
    struct view v;
    struct json args, bound;
    struct buf effects = { 0 };
    mgi_view_open(&v, stderr);
    fprintf(stderr, "%s%s%s asks for your consent", v.style->bold, shown(&v, what->tool),
            v.style->reset);
    fprintf(stderr, "%s%s\n", who ? ", for " : "", who ? shown(&v, who) : "");
    mgi_view_wrap(&v, 2, 0, shown(&v, what->description));
    if (mgi_json_parse(&v.arena, str_of(what->args), NULL, &args, NULL) == JSON_OK &&
        mgi_view_members(&args))
        mgi_view_tree(&v, 2, &args);
    if (mgi_json_parse(&v.arena, str_of(what->bound), NULL, &bound, NULL) == JSON_OK)
        mgi_view_bound(&v, &bound);
    for (size_t i = 0; i < what->side_effect_count; i++)
        mgi_buf_printf(&effects, "%s%s", i ? ", " : "", shown(&v, what->side_effects[i]));
    fprintf(stderr, "  effects: %s%s\n", effects.len ? effects.ptr : "not said",
            what->reversible ? "" : "; it cannot be undone");
    mgi_buf_fini(&effects);
    mgi_view_close(&v);
}

bool mgi_ask_can(void)
{
    return isatty(STDIN_FILENO);
}

bool mgi_ask_yes(const char *question)
{
    char line[16];
    fprintf(stderr, "%s [y/N] ", question);
    return fgets(line, sizeof line, stdin) && (line[0] == 'y' || line[0] == 'Y');
}
