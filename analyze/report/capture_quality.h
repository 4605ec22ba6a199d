// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of how well an input was captured: its end, losses, what was not decoded, when it was.
#ifndef REPORT_CAPTURE_QUALITY_H
#define REPORT_CAPTURE_QUALITY_H

#include <stdbool.h>

#include "report/input.h"
#include "page/page.h"

// Whether the head of the page tells it: of the first three traces, and of an input that is damaged or whose capture is known to
// have lost packets.
bool capture_is_told(const struct report *report, const struct input *input);

// Adds a paragraph. input has a reader.
void capture_quality_say(struct page *page, const struct input *input);

#endif
