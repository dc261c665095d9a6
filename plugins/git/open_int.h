/* What open.c shows to its tests and fuzz target. */
#ifndef PLUGINS_GIT_OPEN_INT_H
#define PLUGINS_GIT_OPEN_INT_H

#include "plugins/git/git_plugin.h"

/* True if a configuration's text has a section [include] or [includeIf]. */
bool mgi_git_config_includes(struct str text);

#endif
