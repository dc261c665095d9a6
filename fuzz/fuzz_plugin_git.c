/* What the git plugin reads of others by itself: whether a configuration has an include, and paths.
 * Input: a byte that says which. An include that libgit2 would follow is one that is seen here; a
 * path that is called plain is one that stays where it is. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugins/git/open_int.h"

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static bool is_include(const char *name)
{
    size_t len = strlen(name);
    return strcmp(name, "include.path") == 0 || (strncmp(name, "includeif.", 10) == 0 && len > 15 &&
                                                 strcmp(name + len - 5, ".path") == 0);
}

/* Does libgit2 find one? It follows those that it finds: what would lead anywhere is left out. */
static bool has_include(struct str text)
{
    char path[64];
    git_config *config = NULL;
    git_config_iterator *it = NULL;
    git_config_entry *e;
    bool found = false;
    int fd = memfd_create("config", MFD_CLOEXEC);
    MUST(fd >= 0 && write(fd, text.ptr, text.len) == (ssize_t)text.len);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (git_config_open_ondisk(&config, path) == 0 && git_config_iterator_new(&it, config) == 0)
        while (!found && git_config_next(&e, it) == 0)
            found = is_include(e->name);
    git_config_iterator_free(it);
    git_config_free(config);
    close(fd);
    return found;
}

static void read_config(struct str text)
{
    static bool begun;
    if (!begun)
        MUST(git_libgit2_init() > 0);
    begun = true;
    if (text.len && memchr(text.ptr, '/', text.len))
        return; /* an include of this could lead to a device */
    MUST(mgi_git_config_includes(text) || !has_include(text));
}

static void read_path(struct str text)
{
    char canonical[PATH_MOST + 1];
    char *path = malloc(text.len + 1);
    MUST(path);
    memcpy(path, text.ptr, text.len);
    path[text.len] = '\0';
    if (text.len <= PATH_MOST && strlen(path) == text.len && mgi_git_is_plain_path(path) &&
        !mgi_path_canonical(text, canonical))
        MUST(strcmp(canonical, path) == 0 && path[0] != '/' && !strstr(path, "/../"));
    free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 1 || size > 20000)
        return 0;
    struct str text = { (const char *)bytes + 1, size - 1 };
    if (bytes[0] % 2 == 0)
        read_config(text);
    else
        read_path(text);
    return 0;
}
