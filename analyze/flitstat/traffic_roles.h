// SPDX-License-Identifier: GPL-3.0-or-later
// Roles of the nodes of a trace: given, named in it, or found.
#ifndef ANALYZE_TRAFFIC_ROLES_H
#define ANALYZE_TRAFFIC_ROLES_H

#include <stdbool.h>

#include "trace/opt.h"
#include "trace/tool.h"
#include "traffic_report.h"

// Sets the view's finding and roles, which the caller frees: those of the trace's names; where
// neither these nor given names one, those that were found; and on top those given as NODE=ROLE.
// False after an error, which is said.
bool traffic_roles(struct tool *tool, const struct opt_list *given, struct traffic_view *view);

#endif
