#include "cli/mangle_repl_complete.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"

/* With the blank that comes before what they need. */
const char *const mgi_repl_commands[] = { "::help", "::load ",   "::pop",  "::quit", "::show ",
                                          "::time", "::whynot ", "::why ", NULL };

static bool begins_with(const char *text, struct str prefix)
{
    return strncmp(text, prefix.ptr, prefix.len) == 0;
}

static void offer(struct line_words *out, const char *text, struct str prefix)
{
    if (begins_with(text, prefix))
        mgi_line_words_add(out, text, strlen(text));
}

/* ---- words of the language ------------------------------------------------------------------- */

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == ':';
}

static struct str last_word(struct str line)
{
    size_t from = line.len;
    while (from && is_word_char(line.ptr[from - 1]))
        from--;
    return (struct str){ line.ptr + from, line.len - from };
}

static void offer_names(const struct repl_session *s, struct str word, struct line_words *out)
{
    const mangle_program *p = s->state.program;
    out->prefix = word.len;
    if (!word.len)
        return;
    for (size_t i = 0; i < mangle_program_pred_count(p); i++)
        offer(out, mangle_program_pred(p, (mangle_pred)i).name, word);
    struct mangle_builtin builtin;
    for (size_t i = 0; mangle_builtin_at(i, &builtin); i++)
        offer(out, builtin.name, word);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_folder(const char *folder, const char *name)
{
    struct stat st;
    struct buf path = { 0 };
    mgi_buf_printf(&path, "%s/%s", folder, name);
    bool folder_too = !path.oom && stat(path.ptr, &st) == 0 && S_ISDIR(st.st_mode);
    mgi_buf_fini(&path);
    return folder_too;
}

static void offer_entries(const char *folder, struct str start, struct line_words *out)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (!begins_with(e->d_name, start) || (e->d_name[0] == '.' && !start.len) ||
            strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        struct buf name = { 0 };
        mgi_buf_printf(&name, "%s%s", e->d_name, is_folder(folder, e->d_name) ? "/" : "");
        mgi_line_words_add(out, mgi_buf_view(&name).ptr, name.len);
        mgi_buf_fini(&name);
    }
    if (dir)
        (void)closedir(dir);
}

static void offer_files(const struct repl_session *s, struct str list, struct line_words *out)
{
    size_t from = list.len, slash = 0;
    while (from && list.ptr[from - 1] != ',' && list.ptr[from - 1] != ' ')
        from--;
    struct str path = { list.ptr + from, list.len - from };
    for (size_t i = 0; i < path.len; i++)
        if (path.ptr[i] == '/')
            slash = i + 1;
    struct buf folder = { 0 };
    if (s->root && !(path.len && path.ptr[0] == '/'))
        mgi_buf_printf(&folder, "%s/", s->root);
    mgi_buf_append(&folder, path.ptr, slash);
    struct str start = { path.ptr + slash, path.len - slash };
    out->prefix = start.len;
    if (!folder.oom)
        offer_entries(folder.len ? folder.ptr : ".", start, out);
    mgi_buf_fini(&folder);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void mgi_repl_complete(void *context, struct str line, struct line_words *out)
{
    const struct repl_session *s = context;
    static const char load[] = "::load ";
    while (line.len && line.ptr[0] == ' ')
        line = (struct str){ line.ptr + 1, line.len - 1 };
    if (line.len >= strlen(load) && strncmp(line.ptr, load, strlen(load)) == 0) {
        offer_files(s, (struct str){ line.ptr + strlen(load), line.len - strlen(load) }, out);
    } else if (line.len >= 2 && strncmp(line.ptr, "::", 2) == 0 &&
               !memchr(line.ptr, ' ', line.len)) {
        out->prefix = line.len;
        for (size_t i = 0; mgi_repl_commands[i]; i++)
            offer(out, mgi_repl_commands[i], line);
    } else {
        offer_names(s, last_word(line), out);
    }
}
