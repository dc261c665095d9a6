/* Commands in the words of a shell. */
#include "cli/manglecp_repeat.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"

/* Would a terminal do something with the character at word.ptr[at], of `len` bytes? */
static bool is_unseen(struct str word, size_t at, size_t *len)
{
    size_t end = at;
    struct buf shown = { 0 };
    mgi_utf8_next(word, &end);
    *len = end - at;
    mgi_utf8_show(&shown, (struct str){ word.ptr + at, *len });
    bool unseen = !str_eq(mgi_buf_view(&shown), (struct str){ word.ptr + at, *len });
    mgi_buf_fini(&shown);
    return unseen && word.ptr[at] != '\\';
}

/* bash's $'...': what a person could not see, or a terminal would obey, is spelled out. */
static bool repeat_unseen(struct buf *out, struct str word)
{
    struct buf quoted = { 0 };
    bool any = false;
    mgi_buf_puts(&quoted, "$'");
    for (size_t at = 0, len; at < word.len; at += len) {
        bool unseen = is_unseen(word, at, &len);
        any |= unseen;
        for (size_t i = 0; i < len; i++)
            if (unseen)
                mgi_buf_printf(&quoted, "\\x%02x", (unsigned char)word.ptr[at + i]);
            else if (word.ptr[at + i] == '\'' || word.ptr[at + i] == '\\')
                mgi_buf_printf(&quoted, "\\%c", word.ptr[at + i]);
            else
                mgi_buf_putc(&quoted, word.ptr[at + i]);
    }
    mgi_buf_putc(&quoted, '\'');
    if (any)
        mgi_buf_str(out, mgi_buf_view(&quoted));
    mgi_buf_fini(&quoted);
    return any;
}

void mgi_repeat_word(struct buf *out, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        mgi_buf_puts(out, word);
        return;
    }
    if (repeat_unseen(out, str_of(word)))
        return;
    mgi_buf_putc(out, '\'');
    for (const char *p = word; *p; p++)
        if (*p == '\'')
            mgi_buf_puts(out, "'\\''");
        else
            mgi_buf_putc(out, *p);
    mgi_buf_putc(out, '\'');
}

/* Does the shell find `path` under its name alone? */
static bool in_search_path(const char *path)
{
    char candidate[PATH_MAX], real[PATH_MAX];
    const char *name = strrchr(path, '/') + 1, *folders = getenv("PATH");
    while (folders && *folders) {
        size_t len = strcspn(folders, ":");
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)len, folders, name);
        if (len > 0 &&
            access(candidate, X_OK) == 0) /* the first that it finds is the one it runs */
            return realpath(candidate, real) && strcmp(real, path) == 0;
        folders += len + (folders[len] == ':');
    }
    return false;
}

/* This program as a command that works from here: its name if the shell finds it so, else its path,
 * relative to the working directory if it lies below. */
const char *mgi_repeat_program(struct arena *a)
{
    char path[PATH_MAX], here[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0 || !getcwd(here, sizeof here))
        return "manglecp";
    path[n] = '\0';
    size_t len = strlen(here);
    bool below = strncmp(path, here, len) == 0 && path[len] == '/';
    const char *shown = below ? path + len + 1 : path;
    const char *out = mgi_arena_strdup(a, in_search_path(path) ? strrchr(path, '/') + 1 : shown);
    return out ? out : "manglecp";
}

void mgi_repeat_list(struct buf *out, const char *option, const struct cli_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        mgi_buf_printf(out, " %s ", option);
        mgi_repeat_word(out, list->items[i]);
    }
}

void mgi_repeat_target(struct buf *out, const struct target *t)
{
    if (!t->word)
        return;
    mgi_repeat_word(out, t->word);
    mgi_buf_putc(out, ' ');
}

static void repeat_text(struct buf *out, const char *option, const char *word)
{
    if (!word)
        return;
    mgi_buf_printf(out, " %s ", option);
    mgi_repeat_word(out, word);
}

static void repeat_number(struct buf *out, const char *option, int64_t n)
{
    if (n != 0)
        mgi_buf_printf(out, " %s %" PRId64, option, n);
}

void mgi_repeat_target_end(struct buf *out, const struct target *t)
{
    const struct target_options *o = &t->options;
    mgi_buf_puts(out, o->websocket ? " --websocket" : "");
    repeat_text(out, "--ca", o->ca_file);
    repeat_text(out, "--certificate", o->certificate);
    repeat_text(out, "--certificate-key", o->certificate_key);
    repeat_number(out, "--timeout-ms", o->timeout_ms);
    repeat_number(out, "--connect-timeout-ms", o->connect_timeout_ms);
    repeat_number(out, "--manifest-timeout-ms", o->manifest_timeout_ms);
    repeat_number(out, "--ready-timeout-ms", o->ready_timeout_ms);
    if (t->local) {
        mgi_repeat_list(out, "--set", &o->host.set);
        mgi_repeat_list(out, "--plugins", &o->host.plugin_paths);
        repeat_text(out, "--toolhost", o->host.toolhost);
        repeat_text(out, "--log", o->host.log_level);
        if (o->host.fixed_clock) {
            mgi_buf_puts(out, " --clock ");
            mgi_time_print(out, o->host.clock_ns);
        }
    }
    if (t->word)
        return;
    mgi_buf_puts(out, " --");
    for (size_t i = 0; i + 1 < t->command.count; i++) {
        mgi_buf_putc(out, ' ');
        mgi_repeat_word(out, t->command.items[i]);
    }
}
