// SPDX-License-Identifier: GPL-3.0-or-later
// What the name of an output promises: a file called .pcap is a capture, one called .gz is packed by gzip.
#ifndef TRACE_OUT_NAME_H
#define TRACE_OUT_NAME_H

#include "trace/status.h"

enum tr_out_form {
	TR_OUT_STREAM, // may be called .zst, and is packed then
	TR_OUT_PCAP,   // never packed
};

// TR_ERROR where path ends as files of another form do; err names the path and how to get that form.
enum tr_status tr_out_name_check(const char *path, enum tr_out_form form, struct tr_error *err);

#endif
