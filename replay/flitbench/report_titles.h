// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed texts of the thesis's reports.
#ifndef FLITBENCH_REPORT_TITLES_H
#define FLITBENCH_REPORT_TITLES_H

#define REPORT_RULE "----------------------------------------"
#define REPORT_SIZE "Size"
#define REPORT_FLAG "Insufficient accuracy "
#define REPORT_SECTIONS 4

// Raw latency, raw throughput, and their summaries, in the order of a report.
extern const char *const report_titles[REPORT_SECTIONS];

#endif
