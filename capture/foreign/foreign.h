// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of other people's traces. A new one is a file that fills in a struct foreign_format, and
// a line of the table in formats.c.
#ifndef FOREIGN_FOREIGN_H
#define FOREIGN_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "foreign/json.h"
#include "foreign/rank_events.h"
#include "table/opt.h"
#include "value/num.h"
#include "value/status.h"

// The files to read, in order: one or several of one trace.
struct foreign_input {
	const char *const *paths;
	size_t count;
	// Opens a path, of those given or of a file that one of them names (beside: the file that
	// names it; NULL: none). The caller closes the source. TR_ERROR: err says why.
	enum tr_status (*open)(void *context, const char *beside, const char *path,
			       struct tr_source **out, struct tr_error *err);
	void (*tell)(void *context, const char *path,
		     const char *text); // a user should know it; needed by tables
	void *context;
	struct num_ratio flops_per_s; // of a host, for computing without times; den 0: not given
	const char *columns;	      // of a table: "time=ts,src=sa,..."; NULL: none
};

// The fields that a column of a table can be.
extern const struct opt_choice message_table_words[];

struct event_goal_ways;	 // event_goal.h
struct collective_parts; // collective_tables.h

struct foreign_format {
	const char *name;
	const char *summary; // one line: what is given to read it
	// Whether the file is of this format, by its first bytes. NULL: cannot be told.
	bool (*claims)(struct tr_source *source);
	// Reads the whole trace, up to events_finish. TR_ERROR with the file and where in it;
	// events_clear in any case. NULL: it has no times of calls, only a program.
	enum tr_status (*read)(const struct foreign_input *input, struct events *events,
			       struct tr_error *err);
	// Of a trace that is a program: writes it as GOAL. TR_ERROR as above.
	enum tr_status (*write)(const struct foreign_input *input,
				const struct event_goal_ways *ways, FILE *out,
				struct tr_error *err);
	// Of a trace that says how long collective operations took, but not when: adds them, in
	// ticks of which *ticks_per_s are a second. TR_ERROR as above.
	enum tr_status (*measure)(const struct foreign_input *input, struct collective_parts *parts,
				  uint64_t *ticks_per_s, struct tr_error *err);
};

#ifdef FLIT_OTF2
#define FOREIGN_WITH_OTF2(ROW) ROW(otf2)
#else
#define FOREIGN_WITH_OTF2(ROW)
#endif

#define FOREIGN_FORMATS(ROW) \
	ROW(chakra) \
	ROW(csv) \
	ROW(dumpi) \
	ROW(inspector) \
	ROW(kineto) \
	ROW(mpi) \
	ROW(nfdump) \
	FOREIGN_WITH_OTF2(ROW) \
	ROW(ti)

#define DECLARE(format) extern const struct foreign_format foreign_##format;
FOREIGN_FORMATS(DECLARE)
#undef DECLARE

// The formats that this build has, ended by NULL.
extern const struct foreign_format *const foreign_formats[];

// The format called name; NULL: there is none, err then names those there are.
const struct foreign_format *foreign_find(const char *name, struct tr_error *err);

// Reads a file of JSON (json.h).
enum tr_status foreign_read_json(const struct foreign_input *input, const char *path,
				 enum json_extent extent, json_take *take, void *context,
				 struct tr_error *err);

// Tells the user of count things that text says, unless count is 0.
void foreign_tell(const struct foreign_input *input, uint64_t count, const char *text);

// Prints them, for flitread --from list.
enum tr_status foreign_list(struct table_style style, FILE *out, struct tr_error *err);

// The format of a file; NULL if none claims it, err then says what was found instead.
const struct foreign_format *foreign_recognise(struct tr_source *source, struct tr_error *err);

#endif
