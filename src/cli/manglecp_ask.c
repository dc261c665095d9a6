/* Asking a person at the terminal; see manglecp_ask.h. */
#include "cli/manglecp_ask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <termios.h>
#include <unistd.h>

#include "base/utf8.h"
#include "cli/manglecp_render.h"
#include "cli/manglecp_view.h"

#define SHOWN_MAX    ((size_t)64 << 10) /* bytes: nobody reads more */
#define MOST_CHOICES 30

static const char *shown(struct view *v, const char *text)
{
    struct json word = { .type = JSON_STRING, .string = str_of(text) };
    return mgi_render_text(&v->arena, &word);
}

/* Exactly what will run, however long: what a table would cut or a wrapped line join may be what
 * matters. */
static void show_value(const struct view *v, struct str name, const struct json *value,
                       const char *remark)
{
    struct buf key = { 0 };
    mgi_utf8_show(&key, name);
    fprintf(v->to, "  %s%s%s: ", v->style->cyan, key.ptr ? key.ptr : "", v->style->reset);
    if (value)
        mgi_render_json_behind(v->to, value, "  ");
    fprintf(v->to, "%s\n", remark);
    mgi_buf_fini(&key);
}

static void show_values(const struct view *v, const struct json *args, const struct json *bound)
{
    for (uint32_t i = 0; i < mgi_view_members(args); i++)
        show_value(v, args->members[i].name, &args->members[i].value, "");
    for (uint32_t i = 0; i < mgi_view_count(bound); i++) {
        const struct json *name = mgi_json_get(&bound->items[i], "name");
        const struct json *value = mgi_json_get(&bound->items[i], "value");
        if (name && name->type == JSON_STRING)
            show_value(v, name->string, value,
                       value ? "  (filled in by a rule)"
                             : "filled in by a rule; its value is not told to you");
    }
}

/* It runs already: what it asks before it goes on. */
static void show_question(struct view *v, const struct manglecp_consent *what)
{
    fprintf(v->to, "  it has begun, and asks: %s%s%s\n", v->style->bold, shown(v, what->question),
            v->style->reset);
}

bool mgi_ask_show(const struct manglecp_consent *what, const char *who)
{
    struct view v;
    struct json args, bound, inputs;
    struct buf effects = { 0 };
    const char *given = what->question ? what->inputs : "{}";
    size_t bytes = strlen(what->args) + strlen(what->bound) + strlen(given);
    mgi_view_open(&v, stderr);
    fprintf(stderr, "%s%s%s asks for your consent", v.style->bold, shown(&v, what->tool),
            v.style->reset);
    fprintf(stderr, "%s%s\n", who ? ", for " : "", who ? shown(&v, who) : "");
    mgi_view_wrap(&v, 2, 0, shown(&v, what->description));
    if (what->question)
        show_question(&v, what);
    bool readable = bytes <= SHOWN_MAX &&
                    mgi_json_parse(&v.arena, str_of(what->args), NULL, &args, NULL) == JSON_OK &&
                    mgi_json_parse(&v.arena, str_of(what->bound), NULL, &bound, NULL) == JSON_OK &&
                    mgi_json_parse(&v.arena, str_of(given), NULL, &inputs, NULL) == JSON_OK;
    if (readable)
        show_values(&v, &args, &bound);
    else
        fprintf(stderr, "  arguments of %zu bytes: more than can be shown\n", bytes);
    if (readable && what->question) {
        fprintf(stderr, "  it would run %s%s%s with\n", v.style->bold, shown(&v, what->action),
                v.style->reset);
        show_values(&v, &inputs, NULL);
    }
    for (size_t i = 0; i < what->side_effect_count; i++)
        mgi_buf_printf(&effects, "%s%s", i ? ", " : "", shown(&v, what->side_effects[i]));
    fprintf(stderr, "  effects: %s%s\n", effects.len ? effects.ptr : "not said",
            what->reversible ? "" : "; it cannot be undone");
    mgi_buf_fini(&effects);
    mgi_view_close(&v);
    return readable;
}

bool mgi_ask_can(void)
{
    return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

/* One line, whole: the rest of a long one is no answer to the next question. NULL: none. */
static const char *read_answer(char line[16])
{
    size_t len = 0;
    for (int c; (c = getchar()) != '\n';) {
        if (c == EOF)
            return NULL;
        if (len < 15 && c != ' ' && c != '\r')
            line[len++] = (char)c;
    }
    line[len] = '\0';
    return line;
}

bool mgi_ask_yes(const char *question)
{
    char line[16];
    fflush(stdout);
    tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed before the question is no answer to it */
    fprintf(stderr, "%s [y/N] ", question);
    const char *answer = read_answer(line);
    return answer && (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0);
}

size_t mgi_ask_which(const char *question, const char *const *choices, size_t count)
{
    char line[16];
    fflush(stdout);
    tcflush(STDIN_FILENO, TCIFLUSH);
    fprintf(stderr, "%s\n", question);
    for (size_t i = 0; i < count && i < MOST_CHOICES; i++)
        fprintf(stderr, "  %zu  %s\n", i + 1, choices[i]);
    if (count > MOST_CHOICES)
        fprintf(stderr, "  and %zu more\n", count - MOST_CHOICES);
    for (int turn = 0; turn < 3; turn++) {
        fprintf(stderr, "number [1-%zu]: ", count);
        const char *answer = read_answer(line);
        char *end = line;
        unsigned long n = answer ? strtoul(answer, &end, 10) : 0;
        if (!answer)
            break;
        if (answer[0] >= '0' && answer[0] <= '9' && *end == '\0' && n >= 1 && n <= count)
            return (size_t)n - 1;
    }
    return count;
}
