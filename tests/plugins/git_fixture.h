/* Repositories for the tests of the git plugin, made and judged by the program git in a scratch
 * folder, which knows no configuration but its own. */
#ifndef TESTS_PLUGINS_GIT_FIXTURE_H
#define TESTS_PLUGINS_GIT_FIXTURE_H

#include "plugins/plugin_host.h"
#include "plugins/scratch_folder.h"

#include <sys/wait.h>

#define GIT_START                                                                                  \
    1700000000L /* the time of the first commit; each later one is a minute younger                \
                 */
static long git_clock = GIT_START;

static inline void git_environment(void)
{
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("HOME", scratch, 1);
    setenv("GIT_AUTHOR_NAME", "Ann", 1);
    setenv("GIT_AUTHOR_EMAIL", "ann@example.org", 1);
    setenv("GIT_COMMITTER_NAME", "Bob", 1);
    setenv("GIT_COMMITTER_EMAIL", "bob@example.org", 1);
    setenv("LC_ALL", "C", 1);
    setenv("TZ", "UTC", 1);
}

static inline void git_tick(void)
{
    char text[32];
    snprintf(text, sizeof text, "%ld +0000", git_clock);
    setenv("GIT_AUTHOR_DATE", text, 1);
    setenv("GIT_COMMITTER_DATE", text, 1);
    git_clock += 60;
}

/* A shell line in the repository `root`; its exit status. */
static inline int shell_in(const char *folder, const char *format, ...)
{
    static char line[70000];
    int len = snprintf(line, sizeof line, "cd '%s/%s' && { ", scratch, folder);
    va_list args;
    va_start(args, format);
    len += vsnprintf(line + len, sizeof line - (size_t)len, format, args);
    va_end(args);
    snprintf(line + len, sizeof line - (size_t)len, "\n} >/dev/null 2>'%s/outside/stderr'",
             scratch);
    git_tick();
    return system(line);
}

#define SHELL(...)                                                                                 \
    do {                                                                                           \
        if (shell_in("root", __VA_ARGS__) != 0)                                                    \
            fail_msg("%s:%d: %s", __FILE__, __LINE__, get_text(at("outside/stderr")));             \
    } while (0)

/* What a shell line prints, without the last line break; borrowed until the next but three. */
static inline char *said(const char *format, ...)
{
    static char rooms[4][400000];
    static unsigned next;
    char line[8000], *out = rooms[next++ % 4];
    int len = snprintf(line, sizeof line, "cd '%s/root' && ", scratch);
    va_list args;
    va_start(args, format);
    vsnprintf(line + len, sizeof line - (size_t)len, format, args);
    va_end(args);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(out, 1, sizeof rooms[0] - 1, pipe);
    int status = pclose(pipe);
    if (status != 0)
        fail_msg("status %d: %s", status, line);
    out[got] = '\0';
    while (got > 0 && out[got - 1] == '\n')
        out[--got] = '\0';
    return out;
}

static inline void git_begin(void)
{
    scratch_begin();
    git_environment();
    git_clock = GIT_START;
    SHELL("git init -q -b main .");
}

/* Load the plugin with `more` settings behind the repository, like ",\"write\":true". */
static inline void git_load(const char *more)
{
    static char settings[2000];
    snprintf(settings, sizeof settings, "{\"repository\":\"%s/root\"%s}", scratch, more);
    plugin_load(settings);
}

static inline void git_end(void)
{
    plugin_unload();
    toolhost_plugin_fini();
    scratch_end();
}

/* ---- answers as values ---------------------------------------------------------------------- */

static struct arena answer_arena;
static struct json answer_value;

/* The answer, which is good; borrowed until the next one. */
static inline const struct json *ask(const char *name, const char *format, ...)
{
    static char input[70000], copy[1048577];
    va_list args;
    va_start(args, format);
    vsnprintf(input, sizeof input, format, args);
    va_end(args);
    strcpy(copy, plugin_ask(name, input));
    mgi_arena_fini(&answer_arena);
    mgi_arena_init(&answer_arena, 0);
    assert_int_equal(mgi_json_parse(&answer_arena, str_of(copy), NULL, &answer_value, NULL),
                     JSON_OK);
    return &answer_value;
}

static inline const struct json *member(const struct json *v, const char *name)
{
    const struct json *found = mgi_json_get(v, name);
    if (!found)
        fail_msg("no member %s in %.*s", name, STR_ARG(v->text));
    return found;
}

/* A member as a C string; "" if it is not there. */
static inline const char *text_in(const struct json *v, const char *name)
{
    static char rooms[8][4200];
    static unsigned next;
    const struct json *found = mgi_json_get(v, name);
    char *out = rooms[next++ % 8];
    if (!found)
        return "";
    assert_int_equal(found->type, JSON_STRING);
    assert_true(found->string.len < sizeof rooms[0]);
    memcpy(out, found->string.ptr, found->string.len);
    out[found->string.len] = '\0';
    return out;
}

static inline int64_t int_in(const struct json *v, const char *name)
{
    const struct json *found = member(v, name);
    assert_int_equal(found->type, JSON_INT);
    return found->integer;
}

static inline bool true_in(const struct json *v, const char *name)
{
    const struct json *found = mgi_json_get(v, name);
    return found && found->type == JSON_BOOL && found->boolean;
}

/* The members `name` of all elements, a line each. */
static inline char *column(const struct json *list, const char *name)
{
    static char rooms[2][400000];
    static unsigned next;
    char *out = rooms[next++ % 2];
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < list->count; i++)
        len += (size_t)snprintf(out + len, sizeof rooms[0] - len, "%s%s", i ? "\n" : "",
                                text_in(&list->items[i], name));
    return out;
}

static inline void same_text(const char *where, int line, const char *got, const char *want)
{
    if (strcmp(got, want) == 0)
        return;
    size_t at = 0;
    while (got[at] == want[at])
        at++;
    while (at > 0 && got[at - 1] != '\n')
        at--;
    fail_msg("%s:%d: differ at byte %zu\n got  %.300s\n want %.300s", where, line, at, got + at,
             want + at);
}
#define SAME(got, want) same_text(__FILE__, __LINE__, got, want)

#endif
