/* Token files: any bytes are a table of tokens or a message that says which line is wrong. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "security/auth.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct arena arena;
    const char *why = NULL;
    const struct principal *who = NULL;
    mgi_arena_init(&arena, 0);
    struct auth *auth = mgi_auth_new(NULL, (struct str){ (const char *)bytes, size }, &arena, &why);
    if (!auth && !why)
        abort();
    if (auth && mgi_auth_check(auth, STR_LIT("nobody's"), 0, &who) == AUTH_GOOD)
        abort();
    mgi_auth_unref(auth);
    mgi_arena_fini(&arena);
    return 0;
}
