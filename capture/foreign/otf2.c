// SPDX-License-Identifier: GPL-3.0-or-later
// OTF2 archives, read by libotf2 (3.0 and later), which finds the files of an archive by itself.
#include "foreign/otf2_archive.h"
#include "value/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- errors

OTF2_ErrorCode otf2_hear(void *said, const char *file, uint64_t line, const char *function,
			 OTF2_ErrorCode code, const char *format, va_list values)
{
	struct otf2_said *first = said;

	(void)file, (void)line, (void)function;
	first->no_memory |= code == OTF2_ERROR_MEM_ALLOC_FAILED || code == OTF2_ERROR_MEM_FAULT ||
			    code == OTF2_ERROR_ENOMEM;
	if (!*first->text) {
		int length = snprintf(first->text, sizeof(first->text),
				      "%s: ", OTF2_Error_GetDescription(code));

		if (length > 0 && (size_t)length < sizeof(first->text))
			(void)vsnprintf(first->text + length, sizeof(first->text) - (size_t)length,
					format, values);
	}
	return code;
}

static OTF2_CallbackCode otf2_stop(struct otf2_archive *archive)
{
	archive->failed = true;
	return OTF2_CALLBACK_INTERRUPT;
}

static OTF2_CallbackCode no_memory(struct otf2_archive *archive)
{
	(void)tr_no_memory(archive->err, "the definitions of the archive");
	return otf2_stop(archive);
}

// ---- definitions

static OTF2_CallbackCode on_clock(void *context, uint64_t ticks_per_s, uint64_t offset,
				  uint64_t length, uint64_t real_ns)
{
	struct otf2_archive *archive = context;

	(void)length;
	archive->ticks_per_s = ticks_per_s;
	archive->offset_ticks = offset;
	archive->real_ns = real_ns == OTF2_UNDEFINED_TIMESTAMP ? 0 : real_ns;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t events,
				     OTF2_LocationGroupRef group)
{
	struct otf2_archive *archive = context;

	(void)name;
	(void)type;
	(void)events;
	(void)group;
	if (!GROW_BY_COUNT(archive->locations, archive->location_count))
		return no_memory(archive);
	archive->locations[archive->location_count++] = (struct otf2_location){
		.self = self, .rank = EVENT_NOBODY};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *context, OTF2_RegionRef self, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	struct otf2_archive *archive = context;

	(void)canonical, (void)description, (void)role, (void)flags, (void)file, (void)begin,
		(void)end;
	if (paradigm == OTF2_PARADIGM_MPI && self < (1u << 24) &&
	    tr_id_set(&archive->mpi, self, name < UINT32_MAX ? name : UINT32_MAX - 1,
		      archive->err) != TR_OK)
		return otf2_stop(archive);
	return OTF2_CALLBACK_SUCCESS;
}

// Neighbourhood collectives, of which Score-P says only when they were called.
static OTF2_CallbackCode on_string(void *context, OTF2_StringRef self, const char *string)
{
	struct otf2_archive *archive = context;
	const bool neighbours = strncmp(string, "MPI_Neighbor_", 13) == 0 ||
				strncmp(string, "MPI_Ineighbor_", 14) == 0;

	if (neighbours && self < (1u << 24) &&
	    tr_id_set(&archive->neighbours, self, 1, archive->err) != TR_OK)
		return otf2_stop(archive);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *context, OTF2_GroupRef self, OTF2_StringRef name,
				  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
				  uint32_t count, const uint64_t *members)
{
	struct otf2_archive *archive = context;
	struct otf2_group *made;

	(void)name;
	(void)flags;
	if (paradigm != OTF2_PARADIGM_MPI)
		return OTF2_CALLBACK_SUCCESS;
	if (!GROW_BY_COUNT(archive->groups, archive->group_count))
		return no_memory(archive);
	made = &archive->groups[archive->group_count];
	*made = (struct otf2_group){
		.self = self, .is_self = type == OTF2_GROUP_TYPE_COMM_SELF, .count = count};
	made->members = reallocarray(NULL, (size_t)count + 1, sizeof(*made->members));
	if (!made->members)
		return no_memory(archive);
	if (count > 0)
		memcpy(made->members, members, count * sizeof(*members));
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
		archive->mpi_locations = archive->group_count;
	archive->group_count++;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_communicator(void *context, OTF2_CommRef self, OTF2_StringRef name,
					 OTF2_GroupRef group, OTF2_CommRef parent,
					 OTF2_CommFlag flags)
{
	struct otf2_archive *archive = context;

	(void)name;
	(void)parent;
	(void)flags;
	if (!GROW_BY_COUNT(archive->communicators, archive->communicator_count))
		return no_memory(archive);
	archive->communicators[archive->communicator_count++] = (struct otf2_communicator){self,
											   group};
	return OTF2_CALLBACK_SUCCESS;
}

static enum tr_status read_definitions(OTF2_Reader *reader, struct otf2_archive *archive)
{
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t count;
	bool good = definitions && callbacks;

	if (good) {
		OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
		OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
		OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
		OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
		OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
		OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_communicator);
		good = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks,
							      archive) == OTF2_SUCCESS &&
		       OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) ==
			       OTF2_SUCCESS;
	}
	if (callbacks)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	return good && !archive->failed ? TR_OK : TR_ERROR;
}

// ---- ranks and communicators

static int by_self(const void *a, const void *b)
{
	const struct otf2_location *x = a, *y = b;

	return (x->self > y->self) - (x->self < y->self);
}

static struct otf2_location *find_location(const struct otf2_archive *archive, uint64_t self)
{
	const struct otf2_location key = {.self = self};

	return bsearch(&key, archive->locations, archive->location_count, sizeof(key), by_self);
}

// Ranks are the locations that MPI has, in its order; all locations where the archive does not say.
static enum tr_status number_ranks(struct otf2_archive *archive)
{
	uint32_t ranks = archive->location_count;

	if (archive->location_count > 0)
		qsort(archive->locations, archive->location_count, sizeof(*archive->locations),
		      by_self);
	if (archive->mpi_locations == EVENT_NOBODY) {
		for (uint32_t i = 0; i < ranks; i++)
			archive->locations[i].rank = i;
	} else {
		const struct otf2_group *group = &archive->groups[archive->mpi_locations];

		ranks = group->count;
		for (uint32_t i = 0; i < ranks; i++) {
			struct otf2_location *location = find_location(archive, group->members[i]);

			if (!location)
				return tr_fail(archive->err,
					       "expected a location for rank %" PRIu32
					       ", found none called %" PRIu64,
					       i, group->members[i]);
			location->rank = i;
		}
	}
	if (archive->ticks_per_s == 0 || archive->ticks_per_s > INT64_MAX)
		return tr_fail(archive->err, "expected a clock, found %" PRIu64 " ticks a second",
			       archive->ticks_per_s);
	return events_open(archive->events, ranks, archive->ticks_per_s, archive->err);
}

static struct otf2_location *location_of(struct otf2_archive *archive, uint64_t rank)
{
	if (archive->mpi_locations == EVENT_NOBODY)
		return rank < archive->location_count ? &archive->locations[rank] : NULL;
	if (rank >= archive->groups[archive->mpi_locations].count)
		return NULL;
	return find_location(archive, archive->groups[archive->mpi_locations].members[rank]);
}

static enum tr_status otf2_join(struct otf2_archive *archive, const struct otf2_communicator *made,
				uint32_t rank, const uint32_t *members, uint32_t count)
{
	struct otf2_location *location = location_of(archive, rank);
	uint32_t number;

	if (!location)
		return tr_fail(archive->err, "communicator %" PRIu32 ": no rank %" PRIu32,
			       made->self, rank);
	if (made == archive->world)
		number = EVENT_WORLD;
	else if (events_communicator(archive->events, rank, members, count, &number,
				     archive->err) != TR_OK)
		return TR_ERROR;
	return tr_id_set(&location->own, made->self, number, archive->err);
}

static bool is_world(const struct otf2_archive *archive, const uint32_t *members, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (members[i] != i)
			return false;
	return count == archive->events->ranks;
}

// Members of groups are ranks. The first communicator of all ranks is MPI_COMM_WORLD.
static enum tr_status add_communicator(struct otf2_archive *archive,
				       const struct otf2_communicator *made)
{
	const struct otf2_group *group = NULL;
	uint32_t *members;
	enum tr_status status = TR_OK;

	for (uint32_t i = 0; i < archive->group_count && !group; i++)
		if (archive->groups[i].self == made->group)
			group = &archive->groups[i];
	if (!group || made->self >= 1u << 24)
		return TR_OK;
	if (group->is_self) {
		for (uint32_t rank = 0; status == TR_OK && rank < archive->events->ranks; rank++)
			status = otf2_join(archive, made, rank, &rank, 1);
		return status;
	}
	members = reallocarray(NULL, (size_t)group->count + 1, sizeof(*members));
	if (!members)
		return tr_no_memory(archive->err, "members of communicators");
	for (uint32_t i = 0; i < group->count; i++)
		members[i] = group->members[i] < EVENT_NOBODY ? (uint32_t)group->members[i]
							      : EVENT_NOBODY;
	if (!archive->world && is_world(archive, members, group->count))
		archive->world = made;
	for (uint32_t i = 0; status == TR_OK && i < group->count; i++)
		status = otf2_join(archive, made, members[i], members, group->count);
	free(members);
	return status;
}

// ---- the archive

static bool read_location(OTF2_Reader *reader, struct otf2_archive *archive, bool definitions,
			  const OTF2_EvtReaderCallbacks *callbacks)
{
	OTF2_DefReader *local = definitions ? OTF2_Reader_GetDefReader(reader, archive->now->self)
					    : NULL;
	OTF2_EvtReader *events;
	uint64_t count;

	if (local) { // clocks, and numbers that differ by location, which the library then maps
		if (OTF2_Reader_ReadAllLocalDefinitions(reader, local, &count) != OTF2_SUCCESS)
			return false;
		OTF2_Reader_CloseDefReader(reader, local);
	}
	events = OTF2_Reader_GetEvtReader(reader, archive->now->self);
	archive->within = false;
	return events &&
	       OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, archive) ==
		       OTF2_SUCCESS &&
	       OTF2_Reader_ReadAllLocalEvents(reader, events, &count) == OTF2_SUCCESS &&
	       !archive->failed && OTF2_Reader_CloseEvtReader(reader, events) == OTF2_SUCCESS;
}

static bool read_events(OTF2_Reader *reader, struct otf2_archive *archive)
{
	OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
	bool good = callbacks, definitions;

	if (good)
		otf2_set_callbacks(callbacks);
	for (uint32_t i = 0; good && i < archive->location_count; i++)
		if (archive->locations[i].rank != EVENT_NOBODY)
			good = OTF2_Reader_SelectLocation(reader, archive->locations[i].self) ==
			       OTF2_SUCCESS;
	definitions = good && OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
	archive->said.text[0] = '\0'; // an archive may have none
	good = good && OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS;
	for (uint32_t i = 0; good && i < archive->location_count; i++) {
		archive->now = &archive->locations[i];
		if (archive->now->rank != EVENT_NOBODY)
			good = read_location(reader, archive, definitions, callbacks);
	}
	if (callbacks)
		OTF2_EvtReaderCallbacks_Delete(callbacks);
	return good;
}

static bool made_by_flitread(OTF2_Reader *reader)
{
	char *creator = NULL;
	const bool is = OTF2_Reader_GetCreator(reader, &creator) == OTF2_SUCCESS && creator &&
			strncmp(creator, "flitread ", 9) == 0;

	free(creator);
	return is;
}

static enum tr_status read_archive(OTF2_Reader *reader, struct otf2_archive *archive)
{
	archive->never_in_place = made_by_flitread(reader);
	if (OTF2_Reader_SetSerialCollectiveCallbacks(reader) != OTF2_SUCCESS ||
	    read_definitions(reader, archive) != TR_OK || number_ranks(archive) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < archive->communicator_count; i++)
		if (add_communicator(archive, &archive->communicators[i]) != TR_OK)
			return TR_ERROR;
	if (!read_events(reader, archive))
		return TR_ERROR;
	// The date is that of the clock's offset, which is tick 0 here, to the whole second.
	archive->events->origin_s = (int64_t)(archive->real_ns / 1000000000);
	return events_finish(archive->events, archive->err);
}

static void otf2_clear(struct otf2_archive *archive)
{
	for (uint32_t i = 0; i < archive->location_count; i++)
		tr_id_array_clear(&archive->locations[i].own);
	for (uint32_t i = 0; i < archive->group_count; i++)
		free(archive->groups[i].members);
	tr_id_array_clear(&archive->mpi);
	tr_id_array_clear(&archive->neighbours);
	free(archive->locations);
	free(archive->groups);
	free(archive->communicators);
}

enum tr_status otf2_read(const char *path, struct events *events, bool *no_memory,
			 struct tr_error *err)
{
	struct otf2_archive archive = {.events = events, .err = err, .mpi_locations = EVENT_NOBODY};
	OTF2_Reader *reader;
	struct tr_error why = {""};
	enum tr_status status = TR_ERROR;

	archive.err = &why;
	OTF2_Error_RegisterCallback(otf2_hear, &archive.said);
	reader = OTF2_Reader_Open(path);
	if (reader)
		status = read_archive(reader, &archive);
	if (reader)
		OTF2_Reader_Close(reader);
	OTF2_Error_RegisterCallback(NULL, NULL);
	otf2_clear(&archive);
	*no_memory = archive.said.no_memory;
	if (status != TR_OK)
		return tr_fail_for(err, &why, "%s: %s", path,
				   *why.text		? why.text
				   : *archive.said.text ? archive.said.text
							: "expected an archive of OTF2");
	return TR_OK;
}
