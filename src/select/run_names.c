/* The words for ends and statuses (T-BUD-5). */
#include "select/run.h"

static const char *const end_names[] = {
    [SELECT_END_NONE] = "",
    [SELECT_END_NOOP] = "noop",
    [SELECT_END_ASK_SUP] = "ask_sup",
    [SELECT_END_GOAL_DONE] = "goal_done",
    [SELECT_END_TOOL_ERROR] = "tool_error",
    [SELECT_END_MAX_STEPS] = "max_steps",
    [SELECT_END_MAX_INVALID_PICKS] = "max_invalid_picks",
    [SELECT_END_LOOP_GUARD] = "loop_guard",
    [SELECT_END_CANCELLED] = "cancelled",
    [SELECT_END_DEADLINE] = "deadline",
};

static const char *const status_names[] = {
    [SELECT_STATUS_NONE] = "",
    [SELECT_STATUS_OK] = "OK",
    [SELECT_STATUS_INVALID_PICK] = "INVALID_PICK",
    [SELECT_STATUS_TOOL_ERROR] = "TOOL_ERROR",
    [SELECT_STATUS_BREAKER_TRIP] = "BREAKER_TRIP",
};

const char *mgi_select_end_name(enum select_end end)
{
    return end_names[end];
}

const char *mgi_select_status_name(enum select_status status)
{
    return status_names[status];
}

int mgi_select_end_exit(enum select_end end)
{
    return end == SELECT_END_NOOP || end == SELECT_END_ASK_SUP || end == SELECT_END_GOAL_DONE ? 0
                                                                                              : 1;
}
