// SPDX-License-Identifier: GPL-3.0-or-later
// The definitions of an archive that is written: regions, ranks and communicators.
#include "foreign/otf2_archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name;
	OTF2_RegionRole role;
} regions[] = {
	{"MPI call", OTF2_REGION_ROLE_FUNCTION},
	{"MPI_Send", OTF2_REGION_ROLE_POINT2POINT},
	{"MPI_Recv", OTF2_REGION_ROLE_POINT2POINT},
	{"MPI_Isend", OTF2_REGION_ROLE_POINT2POINT},
	{"MPI_Irecv", OTF2_REGION_ROLE_POINT2POINT},
	{"MPI_Wait", OTF2_REGION_ROLE_POINT2POINT},
	{"MPI_Barrier", OTF2_REGION_ROLE_BARRIER},
	{"MPI_Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL},
	{"MPI_Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE},
	{"MPI_Allreduce", OTF2_REGION_ROLE_COLL_ALL2ALL},
	{"MPI_Gather", OTF2_REGION_ROLE_COLL_ALL2ONE},
	{"MPI_Allgather", OTF2_REGION_ROLE_COLL_ALL2ALL},
	{"MPI_Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL},
	{"MPI_Alltoall", OTF2_REGION_ROLE_COLL_ALL2ALL},
	{"MPI_Reduce_scatter", OTF2_REGION_ROLE_COLL_ALL2ALL},
	{"MPI_Scan", OTF2_REGION_ROLE_COLL_OTHER},
	{"MPI_Exscan", OTF2_REGION_ROLE_COLL_OTHER},
};
#define REGIONS ((uint32_t)(sizeof(regions) / sizeof(*regions)))

static uint32_t string(struct otf2_output *archive, OTF2_GlobalDefWriter *writer, uint32_t *count,
		       const char *text)
{
	otf2_check(archive, OTF2_GlobalDefWriter_WriteString(writer, *count, text));
	return (*count)++;
}

static void put_locations(struct otf2_output *archive, OTF2_GlobalDefWriter *writer,
			  uint32_t *strings)
{
	uint32_t thread = string(archive, writer, strings, "Master thread");
	char name[32];

	for (uint32_t rank = 0; rank < archive->events->ranks && archive->good; rank++) {
		const char *own = archive->events->names[rank];
		uint32_t id;

		(void)snprintf(name, sizeof(name), "rank%" PRIu32, rank);
		id = string(archive, writer, strings, own ? own : name);
		otf2_check(archive, OTF2_GlobalDefWriter_WriteLocationGroup(
					    writer, rank, id, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
					    OTF2_UNDEFINED_LOCATION_GROUP));
		otf2_check(archive, OTF2_GlobalDefWriter_WriteLocation(
					    writer, rank, thread, OTF2_LOCATION_TYPE_CPU_THREAD,
					    archive->counts[rank], rank));
	}
}

static void otf2_write_put_communicator(struct otf2_output *archive, OTF2_GlobalDefWriter *writer,
					uint32_t id, const uint32_t *ranks, uint32_t count,
					uint64_t *members)
{
	for (uint32_t i = 0; i < count; i++)
		members[i] = ranks[i];
	otf2_check(archive, OTF2_GlobalDefWriter_WriteGroup(
				    writer, id + 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
				    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members));
	otf2_check(archive,
		   OTF2_GlobalDefWriter_WriteComm(writer, id, 0, id + 1, OTF2_UNDEFINED_COMM,
						  OTF2_COMM_FLAG_NONE));
}

// Each communicator once, by the first of its members. String 0 is empty, group 0 the locations of
// the ranks.
static bool put_communicators(struct otf2_output *archive, OTF2_GlobalDefWriter *writer)
{
	const struct events *events = archive->events;
	uint64_t *members = reallocarray(NULL, events->ranks, sizeof(*members));
	bool *done = calloc((size_t)events->communicators + 1, sizeof(*done));
	bool good = members && done;

	for (uint32_t rank = 0; good && rank < events->ranks; rank++)
		members[rank] = rank;
	if (good)
		otf2_check(archive,
			   OTF2_GlobalDefWriter_WriteGroup(
				   writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
				   OTF2_GROUP_FLAG_NONE, events->ranks, members));
	for (uint32_t rank = 0; good && rank < events->ranks; rank++)
		for (uint32_t i = 0; i < events->by_rank[rank].communicator_count && archive->good;
		     i++) {
			uint32_t id = events->by_rank[rank].communicators[i].id;
			uint32_t count;
			const uint32_t *ranks;

			if (id == EVENT_NOBODY || done[id])
				continue;
			done[id] = true;
			ranks = events_members(events, rank, i, &count);
			otf2_write_put_communicator(archive, writer, id, ranks, count, members);
		}
	free(members);
	free(done);
	return good;
}

bool otf2_put_definitions(struct otf2_output *archive)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive->archive);
	const struct events *events = archive->events;
	uint64_t date = events->origin_s > 0 ? (uint64_t)events->origin_s * 1000000000
					     : OTF2_UNDEFINED_TIMESTAMP;
	uint32_t strings = 0, machine;

	archive->good = archive->good && writer;
	if (!archive->good)
		return true;
	otf2_check(archive, OTF2_GlobalDefWriter_WriteClockProperties(
				    writer, events->ticks_per_s, OTF2_TIME_FIRST,
				    (uint64_t)archive->end_ticks, date));
	(void)string(archive, writer, &strings, "");
	machine = string(archive, writer, &strings, "machine");
	otf2_check(archive,
		   OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_MPI,
						      string(archive, writer, &strings, "MPI"),
						      OTF2_PARADIGM_CLASS_PROCESS));
	otf2_check(archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(
				    writer, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t i = 0; i < REGIONS; i++) {
		uint32_t name = string(archive, writer, &strings, regions[i].name);

		otf2_check(archive,
			   OTF2_GlobalDefWriter_WriteRegion(
				   writer, i, name, name, 0, regions[i].role, OTF2_PARADIGM_MPI,
				   OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
	}
	put_locations(archive, writer, &strings);
	if (!put_communicators(archive, writer))
		return false;
	otf2_check(archive, OTF2_Archive_CloseGlobalDefWriter(archive->archive, writer));
	return true;
}

void otf2_put_local_definitions(struct otf2_output *archive)
{
	otf2_check(archive, OTF2_Archive_OpenDefFiles(archive->archive));
	for (uint32_t rank = 0; rank < archive->events->ranks && archive->good; rank++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->archive, rank);

		archive->good = writer;
		if (writer)
			otf2_check(archive, OTF2_Archive_CloseDefWriter(archive->archive, writer));
	}
	otf2_check(archive, OTF2_Archive_CloseDefFiles(archive->archive));
}
