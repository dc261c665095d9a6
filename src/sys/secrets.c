/* The environment that the process was started with: see secrets.h. */
#include "sys/secrets.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/str.h"

/* ---- taking it ------------------------------------------------------------------------------ */

/* The copies are the process's and live as long as it does, like the environment itself. */
bool mgi_secrets_take(void)
{
    size_t count = 0, bytes = 0;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (; environ && environ[count]; count++)
        bytes += strlen(environ[count]) + 1;
    char **list = mgi_calloc(count + 1, sizeof *list);
    char *texts = mgi_alloc(bytes + 1);
    if (!list || !texts) {
        mgi_free(list);
        mgi_free(texts);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t size = strlen(environ[i]) + 1;
        list[i] = memcpy(texts, environ[i], size);
        texts += size;
        explicit_bzero(environ[i], size);
    }
    if (count == 0)
        mgi_free(texts);
    environ = list;
    return true;
}

/* Not setenv(): that would leave the list, which is ours, behind. */
bool mgi_secrets_add(const char *name, struct str value)
{
    size_t count = 0, len = strlen(name), at;
    while (environ && environ[count])
        count++;
    char **list = mgi_calloc(count + 2, sizeof *list);
    char *text = mgi_alloc(len + value.len + 2);
    if (!list || !text) {
        mgi_free(list);
        mgi_free(text);
        return false;
    }
    memcpy(text, name, len);
    text[len] = '=';
    if (value.len)
        memcpy(text + len + 1, value.ptr, value.len);
    text[len + 1 + value.len] = '\0';
    if (count)
        memcpy(list, environ, count * sizeof *list);
    for (at = 0; at < count; at++)
        if (strncmp(list[at], text, len + 1) == 0)
            break;
    list[at] = text;
    mgi_free(environ);
    environ = list;
    return true;
}

const char *mgi_secret(const char *name)
{
    return getenv(name);
}

/* ---- children ------------------------------------------------------------------------------- */

/* A name that ends in '*' is a prefix. */
static const char *const clean_names[] = {
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TMPDIR",
    "MACHINA_TOOLHOST_*",
    "MACHINA_TOOL_*",
    "MACHINA_SECCOMP_*",
    "MACHINA_PLUGIN_*",
    "MACHINA_PROFILE",
    "MACHINA_ROOT",
    "MACHINA_FS_WRITE_ROOT",
    "MACHINA_HTTP_ALLOWED_HOSTS",
    "MACHINA_HTTP_DEFAULT_DENY",
    "MACHINA_SHELL_ALLOWED_EXE",
    "MACHINA_WAL_FSYNC",
    "MACHINA_DETERMINISTIC_RUN_ID",
    "ASAN_OPTIONS", /* of a build for tests */
    "LSAN_OPTIONS",
    "TSAN_OPTIONS",
    "UBSAN_OPTIONS",
};

static bool is_clean(struct str name)
{
    for (size_t i = 0; i < sizeof clean_names / sizeof *clean_names; i++) {
        struct str clean = str_of(clean_names[i]);
        if (clean.ptr[clean.len - 1] == '*') {
            clean.len--;
            if (mgi_str_starts(name, clean))
                return true;
        } else if (str_eq(name, clean)) {
            return true;
        }
    }
    return false;
}

static bool is_promised(struct str name, const char *promised)
{
    while (promised && *promised) {
        size_t len = strcspn(promised, ",");
        if (str_eq(name, (struct str){ promised, len }))
            return true;
        promised += len + (promised[len] == ',');
    }
    return false;
}

char **mgi_secrets_environment(const char *promised, unsigned more)
{
    size_t count = 0, kept = 0;
    while (environ && environ[count])
        count++;
    char **list = mgi_calloc(count + more + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        const struct str name = { environ[i], strcspn(environ[i], "=") };
        if (!mgi_str_starts(name, STR_LIT("LD_")) &&
            (is_clean(name) || is_promised(name, promised)))
            list[kept++] = environ[i];
    }
    return list;
}
