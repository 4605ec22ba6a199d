// SPDX-License-Identifier: GPL-3.0-or-later
// Packets from a plain table: lines of cells, as other programs and scripts write them. Described
// in flitcut(1).
#ifndef STREAM_COLUMNS_H
#define STREAM_COLUMNS_H

#include "file/source.h"
#include "stream/header.h"
#include "stream/text.h"
#include "table/opt.h"

#define TR_COLUMNS_TICKS_PER_S UINT64_C(1000000000)

struct tr_columns;

// The fields that a column can be.
extern const struct opt_choice tr_columns_words[];

// Reads the table's first lines from source, which is lent. description assigns columns to fields,
// such as "time=Stamp:ms,src,dst,bytes=4,sep=tab". round: round times to the nearest nanosecond
// instead of refusing fractions of one. TR_ERROR names the item of the description, or the line.
enum tr_status tr_columns_open(struct tr_columns **out, struct tr_source *source,
			       const char *description, bool round, struct tr_error *err);

// Ticks are nanoseconds; the origin is the whole second before the first packet, or 0 if that is
// before 1973.
const struct tr_header *tr_columns_header(const struct tr_columns *columns);

// Which columns were taken of how many; "" if all. Lent.
const char *tr_columns_note(const struct tr_columns *columns);

// Whether a column names nodes; else every packet goes from a node "sender" to a node "receiver".
bool tr_columns_has_nodes(const struct tr_columns *columns);

// The next name or packet, names before the packet that uses them; lent until the next call. TR_END
// after the last line. TR_ERROR names the line and the cell.
enum tr_status tr_columns_next(struct tr_columns *columns, struct tr_text_item *item,
			       struct tr_error *err);

// The number of the last line read, from 1.
uint64_t tr_columns_line(const struct tr_columns *columns);

// Frees it, not the source; NULL is accepted.
void tr_columns_close(struct tr_columns *columns);

#endif
