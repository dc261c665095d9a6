#include "cli/manglecp_import.h"
int mgi_import_confirm(const char *folder, const struct cli_list *words)
{
    (void)folder, (void)words;
    return EXIT_USAGE;
}
