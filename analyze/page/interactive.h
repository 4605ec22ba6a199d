// SPDX-License-Identifier: GPL-3.0-or-later
// What interactive figures need: the script (interactive*.js), and the axes and curves of each
// panel.
#ifndef PAGE_INTERACTIVE_H
#define PAGE_INTERACTIVE_H

#include <stddef.h>
#include <stdio.h>

#include "page/figure.h"
#include "value/status.h"

// interactive*.js, as CMake makes an array of them.
extern const unsigned char interactive_script[];
extern const size_t interactive_script_bytes;

// The script's hash, as a content security policy names it.
#define INTERACTIVE_SCRIPT_HASH "sha256-crFpH8gJRWilDA5KwcNM9lz+HpeSZCY/DPEaUgwk9rQ="

// Writes the script as an element.
void interactive_write_script(FILE *out);

// Writes what the script reads of a panel, as text of an element that is not shown: the places of
// its plots, which are next in *pictures, and their axes and curves. TR_ERROR if out of memory.
enum tr_status interactive_write_panel(FILE *out, const struct panel *panel, const char **pictures,
				       struct tr_error *err);

#endif
