/* mangle lsp: the language server on standard input and output. Reads what has arrived, then
 * answers; checks documents only when nothing waits. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/mangle_commands.h"
#include "lsp/lsp.h"

#define MAX_FILE_BYTES ((size_t)16 << 20) /* of a workspace file */
#define MAX_FOLDERS    24                 /* how deep the workspace is searched */
#define READ_BYTES     65536

const struct cli_command mgi_mangle_lsp = {
    .name = "mangle lsp",
    .usage = "[--stdio]",
    .help = "A language server for editors, on standard input and output.",
    .run = mgi_mangle_lsp_command,
};

/* ---- the world ------------------------------------------------------------------------------ */

struct terminal {
    bool broken; /* nobody reads what is written */
};

static void send_bytes(void *context, struct str bytes)
{
    struct terminal *t = context;
    while (bytes.len && !t->broken) {
        ssize_t n = write(STDOUT_FILENO, bytes.ptr, bytes.len);
        if (n > 0) {
            bytes.ptr += n;
            bytes.len -= (size_t)n;
        } else if (errno == EAGAIN) {
            struct pollfd ready = { STDOUT_FILENO, POLLOUT, 0 };
            (void)poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            t->broken = true;
        }
    }
}

/* Regular files only: a named pipe would block. */
static bool read_path(void *context, const char *path, struct buf *out)
{
    (void)context;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    char piece[16384];
    ssize_t n = -1;
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= (off_t)MAX_FILE_BYTES)
        while ((n = read(fd, piece, sizeof piece)) > 0 && out->len <= MAX_FILE_BYTES)
            mgi_buf_append(out, piece, (size_t)n);
    close(fd);
    return n == 0;
}

struct walk {
    void (*found)(void *to, const char *path);
    void *to;
    struct buf path;
};

static void walk_folder(struct walk *w, int depth)
{
    DIR *folder = depth < MAX_FOLDERS && !w->path.oom ? opendir(w->path.ptr) : NULL;
    struct dirent *entry;
    if (!folder)
        return;
    size_t len = w->path.len;
    while ((entry = readdir(folder)) != NULL) {
        struct stat st;
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, "node_modules") == 0)
            continue;
        mgi_buf_printf(&w->path, "/%s", entry->d_name);
        if (w->path.oom)
            break;
        if (lstat(w->path.ptr, &st) == 0 && S_ISDIR(st.st_mode))
            walk_folder(w, depth + 1);
        else if (mgi_str_ends(str_of(entry->d_name), STR_LIT(".mg")))
            w->found(w->to, w->path.ptr);
        if (w->path.oom)
            break;
        w->path.len = len;
        w->path.ptr[len] = 0;
    }
    closedir(folder);
}

static void walk_path(void *context, const char *folder, void (*found)(void *to, const char *path),
                      void *to)
{
    (void)context;
    struct walk w = { found, to, { 0 } };
    mgi_buf_puts(&w.path, folder);
    if (w.path.ptr)
        walk_folder(&w, 0);
    mgi_buf_fini(&w.path);
}

/* ---- the loop ------------------------------------------------------------------------------- */

static bool has_input(bool block)
{
    struct pollfd ready = { STDIN_FILENO, POLLIN, 0 };
    int n;
    do
        n = poll(&ready, 1, block ? -1 : 0);
    while (n < 0 && errno == EINTR);
    return n > 0;
}

/* All of the session; the exit status. */
static int converse(struct lsp *s, const struct terminal *t)
{
    char *bytes = malloc(READ_BYTES);
    bool open = bytes != NULL;
    int status = 1;
    while (!mgi_lsp_ended(s, &status) && !t->broken && (open || mgi_lsp_waiting(s))) {
        bool waiting = mgi_lsp_waiting(s);
        if (open && !mgi_lsp_crowded(s) && has_input(!waiting)) {
            ssize_t n = read(STDIN_FILENO, bytes, READ_BYTES);
            if (n > 0)
                mgi_lsp_receive(s, (struct str){ bytes, (size_t)n });
            else if (n == 0 || (errno != EINTR && errno != EAGAIN))
                open = false;
        } else if (waiting) {
            mgi_lsp_step(s);
        }
    }
    free(bytes);
    return status == 0 ? EXIT_ANSWERED : EXIT_WRONG;
}

int mgi_mangle_lsp_command(int argc, char **argv)
{
    bool stdio, helped;
    struct cli_list none = { 0 };
    const struct cli_option options[] = {
        { "--stdio", OPTION_FLAG, &stdio, NULL, NULL, "as without it: some editors add it" },
        { 0 },
    };
    if (!mgi_cli_parse(&mgi_mangle_lsp, options, argc, argv, &none, NULL, &helped))
        return EXIT_USAGE;
    if (helped)
        return EXIT_ANSWERED;
    if (none.count) {
        mgi_cli_error("mangle lsp takes no files: the editor opens them");
        return EXIT_USAGE;
    }
    struct terminal terminal = { 0 };
    struct lsp_world world = { &terminal, send_bytes, read_path, walk_path };
    struct lsp *s = mgi_lsp_new(&world);
    if (!s) {
        mgi_cli_error("out of memory");
        return EXIT_USAGE;
    }
    signal(SIGPIPE, SIG_IGN);
    int status = converse(s, &terminal);
    mgi_lsp_free(s);
    return status;
}
