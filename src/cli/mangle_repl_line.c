/* Line editing is libedit's, opened when a session begins on a terminal: linked in, it and the four
 * libraries behind it would cost every start of `mangle` a millisecond. */
#include "cli/mangle_repl_line.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/alloc.h"

#define EDIT_LIBRARY  "libedit.so.2"
#define HISTORY_LINES 1000
#define SHOWN_MAX     100 /* candidates of a completion */

#define EDIT_FUNCTIONS(X)                                                                          \
    X(el_init)                                                                                     \
    X(el_end)                                                                                      \
    X(el_set)                                                                                      \
    X(el_wset)                                                                                     \
    X(el_gets)                                                                                     \
    X(el_line)                                                                                     \
    X(el_insertstr)                                                                                \
    X(el_deletestr)                                                                                \
    X(history_init)                                                                                \
    X(history_end)                                                                                 \
    X(history)

struct edit_late {
/* NOLINTNEXTLINE(bugprone-macro-parentheses): a member cannot be put in parentheses */
#define EDIT_MEMBER(name) __typeof__(&name) name;
    EDIT_FUNCTIONS(EDIT_MEMBER)
#undef EDIT_MEMBER
};

struct line_reader {
    FILE *in, *out;
    bool terminal;
    line_complete *complete;
    void *context;
    char *text; /* plain: getline's, hence free() */
    size_t text_cap;
    struct edit_late edit;
    EditLine *el; /* NULL: plain lines */
    History *history;
    char *history_path; /* NULL: none is kept */
    const char *prompt;
    bool broken_off;    /* by a signal */
    sigset_t open_mask; /* lets Ctrl-C through */
};

/* ---- libedit --------------------------------------------------------------------------------- */

static bool load_function(void *library, const char *name, void *member, size_t size)
{
    void *address = dlsym(library, name);
    if (!address || size != sizeof address)
        return false;
    memcpy(member, &address, size);
    return true;
}

static bool load_edit(struct edit_late *out)
{
    void *library = dlopen(EDIT_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool ok = library != NULL;
#define EDIT_FIND(name) ok = ok && load_function(library, #name, &out->name, sizeof out->name);
    EDIT_FUNCTIONS(EDIT_FIND)
#undef EDIT_FIND
    if (library)
        dlclose(library); /* NODELETE keeps it */
    return ok;
}

/* libedit asks for the prompt with nothing in hand but itself, and there is one terminal. */
static struct line_reader *active;

static char *prompt_of(EditLine *el)
{
    (void)el;
    return (char *)active->prompt;
}

/* Wait for input with Ctrl-C let through, which is held back elsewhere while a line is read: so
 * none gets lost between two looks. */
static bool wait_for_input(struct line_reader *r)
{
    struct pollfd fd = { .fd = fileno(r->in), .events = POLLIN };
    r->broken_off = ppoll(&fd, 1, NULL, &r->open_mask) < 0 && errno == EINTR;
    return !r->broken_off;
}

/* libedit's own way of reading goes on after a signal; here Ctrl-C breaks the line off. */
static int read_key(EditLine *el, wchar_t *key)
{
    mbstate_t state = { 0 };
    (void)el;
    for (;;) {
        char byte;
        if (!wait_for_input(active))
            return -1;
        ssize_t n = read(fileno(active->in), &byte, 1);
        if (n != 1)
            return n == 0 ? 0 : -1;
        size_t got = mbrtowc(key, &byte, 1, &state);
        if (got == 0 || got == 1)
            return 1;
        if (got == (size_t)-1) { /* no UTF-8: as it is */
            *key = (unsigned char)byte;
            return 1;
        }
    }
}

/* ---- history --------------------------------------------------------------------------------- */

static bool make_folder(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* $XDG_STATE_HOME/mangle/history, or ~/.local/state/mangle/history; NULL: nowhere. */
static char *history_file(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    struct buf path = { 0 };
    bool ok = true;
    if (state && state[0] == '/') {
        mgi_buf_puts(&path, state);
        ok = make_folder(mgi_buf_view(&path).ptr);
    } else if (home && home[0] == '/') {
        mgi_buf_printf(&path, "%s/.local", home);
        ok = make_folder(mgi_buf_view(&path).ptr);
        mgi_buf_puts(&path, "/state");
        ok = ok && make_folder(mgi_buf_view(&path).ptr);
    } else {
        return NULL;
    }
    mgi_buf_puts(&path, "/mangle");
    ok = ok && make_folder(mgi_buf_view(&path).ptr);
    mgi_buf_puts(&path, "/history");
    char *text = ok ? mgi_buf_take(&path, NULL) : NULL;
    mgi_buf_fini(&path);
    return text;
}

/* Only its owner may read what was typed. */
static void save_history(struct line_reader *r)
{
    HistEvent event;
    int fd = open(r->history_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    (void)fchmod(fd, 0600);
    (void)close(fd);
    r->edit.history(r->history, &event, H_SAVE, r->history_path);
}

/* ---- completion ------------------------------------------------------------------------------ */

void mgi_line_words_add(struct line_words *w, const char *text, size_t len)
{
    char *copy = mgi_alloc(len + 1);
    if (!copy || !mgi_grow(&w->items, &w->cap, w->count + 1, sizeof *w->items)) {
        w->oom = true;
        mgi_free(copy);
        return;
    }
    memcpy(copy, text, len);
    copy[len] = '\0';
    w->items[w->count++] = copy;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_words(struct line_words *w)
{
    size_t kept = 0;
    if (w->count)
        qsort(w->items, w->count, sizeof *w->items, by_text);
    for (size_t i = 0; i < w->count; i++) {
        if (kept && strcmp(w->items[i], w->items[kept - 1]) == 0)
            mgi_free(w->items[i]);
        else
            w->items[kept++] = w->items[i];
    }
    w->count = kept;
}

/* How much all candidates have in common. */
static size_t common_length(const struct line_words *w)
{
    size_t len = w->count ? strlen(w->items[0]) : 0;
    for (size_t i = 1; i < w->count; i++)
        for (size_t k = 0; k < len; k++)
            if (w->items[i][k] != w->items[0][k])
                len = k;
    return len;
}

static void show_words(const struct line_reader *r, const struct line_words *w)
{
    fputc('\n', r->out);
    for (size_t i = 0; i < w->count && i < SHOWN_MAX; i++)
        fprintf(r->out, "%s\n", w->items[i]);
    if (w->count > SHOWN_MAX)
        fprintf(r->out, "and %zu more\n", w->count - SHOWN_MAX);
    fflush(r->out);
}

static unsigned char apply_words(struct line_reader *r, const struct line_words *w)
{
    size_t common = common_length(w);
    if (w->count == 0)
        return CC_REFRESH_BEEP;
    if (common > w->prefix) {
        if (r->edit.el_insertstr(r->el, w->items[0] + w->prefix) != 0)
            return CC_ERROR;
        size_t extra = strlen(w->items[0]) - common; /* what only the first one has */
        if (extra)
            r->edit.el_deletestr(r->el, (int)extra);
        return CC_REFRESH;
    }
    if (w->count == 1)
        return CC_REFRESH_BEEP;
    show_words(r, w);
    return CC_REDISPLAY;
}

static unsigned char complete_word(EditLine *el, int key)
{
    struct line_reader *r = active;
    const LineInfo *line = r->edit.el_line(el);
    struct line_words words = { 0 };
    (void)key;
    r->complete(r->context, (struct str){ line->buffer, (size_t)(line->cursor - line->buffer) },
                &words);
    sort_words(&words);
    unsigned char result = apply_words(r, &words);
    for (size_t i = 0; i < words.count; i++)
        mgi_free(words.items[i]);
    mgi_free(words.items);
    return result;
}

/* ---- life ------------------------------------------------------------------------------------ */

static void set_up_history(struct line_reader *r)
{
    HistEvent event;
    r->history = r->edit.history_init();
    r->history_path = history_file();
    if (!r->history)
        return;
    r->edit.history(r->history, &event, H_SETSIZE, HISTORY_LINES);
    r->edit.history(r->history, &event, H_SETUNIQUE, 1);
    if (r->history_path)
        r->edit.history(r->history, &event, H_LOAD, r->history_path);
    r->edit.el_set(r->el, EL_HIST, r->edit.history, r->history);
}

static void set_up_edit(struct line_reader *r)
{
    if (!load_edit(&r->edit))
        return;
    r->el = r->edit.el_init("mangle", r->in, r->out, stderr);
    if (!r->el)
        return;
    active = r;
    r->edit.el_set(r->el, EL_PROMPT, prompt_of);
    r->edit.el_set(r->el, EL_GETCFN, read_key);
    r->edit.el_set(r->el, EL_EDITOR, "emacs");
    /* el_set() would copy the two texts, and never free them */
    r->edit.el_wset(r->el, EL_ADDFN, L"mangle-complete", L"complete the word", complete_word);
    r->edit.el_set(r->el, EL_BIND, "^I", "mangle-complete", NULL);
    r->edit.el_set(r->el, EL_BIND, "^R", "em-inc-search-prev", NULL);
    set_up_history(r);
}

struct line_reader *mgi_line_reader_new(FILE *in, FILE *out, line_complete *complete, void *context)
{
    struct line_reader *r = mgi_calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->in = in;
    r->out = out;
    r->complete = complete;
    r->context = context;
    r->terminal = isatty(fileno(in)) && isatty(fileno(out));
    if (r->terminal)
        set_up_edit(r);
    return r;
}

void mgi_line_reader_free(struct line_reader *r)
{
    if (!r)
        return;
    if (r->history && r->history_path)
        save_history(r);
    if (r->el)
        r->edit.el_end(r->el);
    if (r->history)
        r->edit.history_end(r->history);
    mgi_free(r->history_path);
    free(r->text);
    mgi_free(r);
}

bool mgi_line_reader_terminal(const struct line_reader *r)
{
    return r->terminal;
}

/* ---- reading --------------------------------------------------------------------------------- */

static struct str without_end(const char *text, size_t len)
{
    while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
        len--;
    return (struct str){ text, len };
}

static enum line_result read_edited(struct line_reader *r, struct str *line)
{
    int count = 0;
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    r->broken_off = false;
    (void)pthread_sigmask(SIG_BLOCK, &held, &r->open_mask);
    /* single keys from now on; by itself libedit would show the prompt first */
    r->edit.el_set(r->el, EL_PREP_TERM, 1);
    const char *text = r->edit.el_gets(r->el, &count);
    (void)pthread_sigmask(SIG_SETMASK, &r->open_mask, NULL);
    if (!text || count <= 0) {
        if (!r->broken_off)
            return LINE_END;
        fputc('\n', r->out);
        return LINE_INTERRUPTED;
    }
    *line = without_end(text, (size_t)count);
    HistEvent event;
    if (r->history && line->len)
        r->edit.history(r->history, &event, H_ENTER, text);
    return LINE_READ;
}

static enum line_result read_plain(struct line_reader *r, struct str *line)
{
    if (r->terminal) {
        fputs(r->prompt, r->out);
        fflush(r->out);
    }
    errno = 0;
    ssize_t len = getline(&r->text, &r->text_cap, r->in);
    if (len < 0) {
        bool interrupted = errno == EINTR;
        clearerr(r->in);
        return interrupted ? LINE_INTERRUPTED : LINE_END;
    }
    *line = without_end(r->text, (size_t)len);
    return LINE_READ;
}

enum line_result mgi_line_read(struct line_reader *r, const char *prompt, struct str *line)
{
    r->prompt = prompt;
    return r->el ? read_edited(r, line) : read_plain(r, line);
}
