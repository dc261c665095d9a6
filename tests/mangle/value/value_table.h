/* A table of values for each test of them, and short ways to make names and strings in it. Include
 * after cmocka.h. */
#ifndef TESTS_MANGLE_VALUE_TABLE_H
#define TESTS_MANGLE_VALUE_TABLE_H

#include <string.h>

#include "mangle/value/value.h"

static mangle_values *t;

static int setup(void **state)
{
    (void)state;
    t = mgi_values_new(NULL, 0);
    return t ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    mgi_values_free(t);
    t = NULL;
    return 0;
}

static mangle_value name(const char *text)
{
    return mangle_name(t, text, strlen(text));
}

static mangle_value string(const char *text)
{
    return mangle_string(t, text, strlen(text));
}

#endif
