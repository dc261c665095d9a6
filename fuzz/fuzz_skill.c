/* Any bytes as a SKILL.md: a skill with text, or findings that say what it lacks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "domain/skills.c"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct arena arena;
    struct findings *findings = mgi_findings_new();
    struct file file = { "SKILL.md", { (const char *)bytes, len } };
    struct skill skill = { 0 };
    mgi_arena_init(&arena, 1 << 24);
    struct yaml_context c = { .arena = &arena, .findings = findings };
    bool read = read_skill(&c, &file, &skill);
    bool good = read && mgi_findings_errors(findings) == 0;
    if (good && (!skill.name.ptr || !skill.description.ptr || skill.content.len == 0))
        abort(); /* accepted without what every skill has */
    if (good && !memmem(bytes, len, skill.content.ptr, skill.content.len))
        abort(); /* the text is a part of the file, and a copy of it */
    mgi_findings_free(findings);
    mgi_arena_fini(&arena);
    return 0;
}
