// SPDX-License-Identifier: GPL-3.0-or-later
// An OTF2 archive while it is read: otf2.c reads definitions, otf2_events.c the events of each
// location. And while it is written: otf2_write.c writes the events, then otf2_definitions.c the
// definitions.
#ifndef FOREIGN_OTF2_ARCHIVE_H
#define FOREIGN_OTF2_ARCHIVE_H

#include <otf2/otf2.h>

#include "foreign/foreign.h"
#include "foreign/whole_messages.h"
#include "value/id_map.h"

// The library's first message about a failure.
struct otf2_said {
	char text[256];
	bool no_memory; // of any
};

// For OTF2_Error_RegisterCallback, with a struct otf2_said: instead of printing it.
OTF2_ErrorCode otf2_hear(void *said, const char *file, uint64_t line, const char *function,
			 OTF2_ErrorCode code, const char *format, va_list values)
	__attribute__((format(printf, 6, 0)));

struct otf2_group {
	uint32_t self;
	bool is_self; // each rank alone
	uint32_t count;
	uint64_t *members;
};

struct otf2_communicator {
	uint32_t self, group;
};

struct otf2_location {
	uint64_t self;
	uint32_t rank;		// EVENT_NOBODY: no rank of MPI
	struct tr_id_array own; // the rank's own numbers of communicators
};

struct otf2_archive {
	struct events *events;
	struct tr_error *err;
	uint64_t ticks_per_s, offset_ticks, real_ns;
	struct otf2_location *locations;
	uint32_t location_count;
	struct otf2_group *groups;
	uint32_t group_count;
	struct otf2_communicator *communicators;
	uint32_t communicator_count;
	const struct otf2_communicator *world; // NULL: not found
	uint32_t mpi_locations;		       // index of their group, EVENT_NOBODY: none
	struct tr_id_array mpi;		       // names of its regions
	struct tr_id_array neighbours;	       // those of neighbourhood collectives
	// The location that is read, and the call of MPI that it is in.
	struct otf2_location *now;
	bool within;
	int64_t entered;
	uint32_t first; // event since then
	bool failed;
	bool never_in_place; // flitread wrote it
	struct otf2_said said;
};

// Reads an archive up to events_finish. TR_ERROR: err names it; *no_memory: the library ran out of
// it. events_clear in any case.
enum tr_status otf2_read(const char *path, struct events *events, bool *no_memory,
			 struct tr_error *err);

// The functions that the library calls for the events of archive->now; they set archive->failed.
void otf2_set_callbacks(OTF2_EvtReaderCallbacks *callbacks);

// ---- while it is written

// Tick 0 of the events in the archive's time. Where a chunk of the file begins at time 0, libotf2
// 3.0 writes no time there, and then reads on forever.
#define OTF2_TIME_FIRST 1

// Regions of an archive; of collective operations each has its own, in their order.
enum otf2_region {
	OTF2_CALL_CALL,
	OTF2_CALL_SEND,
	OTF2_CALL_RECV,
	OTF2_CALL_ISEND,
	OTF2_CALL_IRECV,
	OTF2_CALL_WAIT,
	OTF2_CALL_COLLECTIVE
};

struct otf2_output {
	OTF2_Archive *archive;
	const struct events *events;
	struct inbox inbox;
	OTF2_EvtWriter *writer; // of the current rank
	uint32_t rank;
	int64_t last_ticks;
	uint64_t *counts; // of events, by rank
	int64_t end_ticks;
	bool good;
	struct otf2_said said;
};

// Notes whether a call of the library failed.
static inline void otf2_check(struct otf2_output *archive, OTF2_ErrorCode code)
{
	archive->good = archive->good && code == OTF2_SUCCESS;
}

// Writes the definitions of all ranks, after their events. False if out of memory; what the library
// refuses shows in good.
bool otf2_put_definitions(struct otf2_output *archive);

// Each location has a file of definitions, which is empty.
void otf2_put_local_definitions(struct otf2_output *archive);

#endif
