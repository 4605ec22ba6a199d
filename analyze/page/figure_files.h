// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a page as files of their own, for papers and slides.
#ifndef REPORT_FIGURE_FILES_H
#define REPORT_FIGURE_FILES_H

#include "page/page.h"
#include "trace/files.h"
#include "trace/status.h"

// Writes for panel P of figure N, both from 1: figure-N-P.tsv (its data), figure-N-P.gp (gnuplot's commands, which
// may be run again there) and, by gnuplot, figure-N-P.svg and figure-N-P.pdf into the folder, which is made where it is
// absent; its parent must be there. N has two digits at least. TR_ERROR where something can't be written, would
// overwrite one of files, or gnuplot fails.
enum tr_status figure_files_write(const struct page *page, const char *folder, const struct tr_files *files,
				  struct tr_error *err);

#endif
