// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recognise.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/header.h"
#include "trace/text.h"

struct kind {
	const char *begin;
	size_t begin_bytes;
	const char *what;
	const char *take;   // "%s": the name
	const char *reader; // the program for a format that is not the suite's own, and for what is compressed; NULL: ours
	size_t at;	    // where the bytes of begin are
	bool (*is)(const char *data, size_t size_bytes); // decides further; NULL: begin is enough
	bool text;					 // a program that takes columns of a table may read it
};

#define BEGINS(text) text, sizeof(text) - 1
#define OF_CAPTURES "flitcap -r %s -w FILE.flt makes a trace of it", "flitcap"
#define OF_PACKED "flitcap -r %s reads compressed captures", "flitcap"
#define OF_PARALLEL "flitread %s reads it", "flitread"

// "MPI_Init entering at walltime 8.1", as dumpi2ascii prints it.
static bool is_dumpi_text(const char *data, size_t size_bytes)
{
	static const char entering[] = " entering at walltime ";

	return memmem(data, size_bytes, entering, sizeof(entering) - 1);
}

// "0 init", a rank and what it does.
static bool is_time_independent(const char *data, size_t size_bytes)
{
	static const char *const actions[] = {"init",	   "finalize",	 "compute",  "sleep",	  "send",      "isend",
					      "recv",	   "irecv",	 "sendrecv", "wait",	  "waitall",   "waitany",
					      "barrier",   "bcast",	 "reduce",   "allreduce", "alltoall",  "alltoallv",
					      "allgather", "allgatherv", "gather",   "scatter",	  "comm_size", NULL};
	size_t at = 0, bytes = 0;

	while (at < size_bytes && data[at] >= '0' && data[at] <= '9')
		at++;
	if (at == 0 || at == size_bytes || data[at++] != ' ')
		return false;
	while (at + bytes < size_bytes && data[at + bytes] > ' ')
		bytes++;
	for (const char *const *action = actions; *action; action++)
		if (strlen(*action) == bytes && strncasecmp(*action, data + at, bytes) == 0)
			return true;
	return false;
}

static const struct kind kinds[] = {
	{BEGINS(TR_MAGIC), "a trace stream", "flitinfo %s says of what", NULL},
	{BEGINS("\xd4\xc3\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\xc3\xd4"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x4d\x3c\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\x3c\x4d"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x34\xcd\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\xcd\x34"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x0a\x0d\x0d\x0a"), "a pcapng capture", OF_CAPTURES},
	{BEGINS("snoop\0\0\0"), "a snoop capture", OF_CAPTURES},
	{BEGINS("\x1f\x8b"), "compressed by gzip", OF_PACKED},
	{BEGINS("\x28\xb5\x2f\xfd"), "compressed by zstd", OF_PACKED},
	{BEGINS("\xfd"
		"7zXZ"),
	 "compressed by xz", OF_PACKED},
	{BEGINS("\x04\x22\x4d\x18"), "compressed by lz4", OF_PACKED},
	{BEGINS("BZh"), "compressed by bzip2", OF_PACKED},
	{BEGINS("OTF2"), "an OTF2 archive", OF_PARALLEL, .at = 2},
	{BEGINS("\xff\xaa\xdd"
		"DUMPI"),
	 "a DUMPI trace", OF_PARALLEL},
	{BEGINS("MPI_"), "a DUMPI trace in text", OF_PARALLEL, .is = is_dumpi_text, .text = true},
	{BEGINS("hostname="), "the description of a DUMPI trace", OF_PARALLEL, .text = true},
	{BEGINS(""), "a time-independent trace of SimGrid", OF_PARALLEL, .is = is_time_independent, .text = true},
	{BEGINS("flitline MPI record"), "a record of flitmpi", OF_PARALLEL},
	{BEGINS("ts,te,td,"), "a table of nfdump", OF_PARALLEL, .text = true},
	{BEGINS("firstSeen,"), "a table of nfdump", OF_PARALLEL, .text = true},
	{BEGINS("\x0c\xa5"), "a file of nfdump", "nfdump -r %s -o csv | flitread reads it", "nfdump"},
	{BEGINS(TR_TEXT_MAGIC), "the text form of a trace", "flitcut --from-text %s reads it back", NULL},
	{BEGINS("flitline-partial"), "what a program summed up", "its second line names the program that adds %s to others",
	 NULL},
	{BEGINS("flitline-model"), "a model", "flitgen %s generates its traffic", NULL},
	{BEGINS("flitline-topology"), "a network", "flitnet %s reads it", NULL},
	{BEGINS("flitline-routes"), "routes", "flitroute %s reads them", NULL},
	{BEGINS("flitline-blocks"), "the blocks of a design", "flitroute %s makes routes inside them", NULL},
	{BEGINS("flitline-program"), "a program of processes", "flitsim --program %s runs it", NULL},
	{BEGINS("num_ranks"), "a parallel program", "flitsim --program %s runs it", NULL},
};

static bool is_of(const struct kind *kind, const char *data, size_t size_bytes)
{
	return size_bytes >= kind->at + kind->begin_bytes && memcmp(data + kind->at, kind->begin, kind->begin_bytes) == 0 &&
	       (!kind->is || kind->is(data, size_bytes));
}

static const struct kind *find(const void *data, size_t size_bytes)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_of(&kinds[i], data, size_bytes))
			return &kinds[i];
	return NULL;
}

static const char *describe(const struct kind *kind, const char *name, char *out, size_t out_bytes)
{
	const char *hole = kind ? strstr(kind->take, "%s") : NULL;

	*out = '\0';
	if (hole)
		(void)snprintf(out, out_bytes, ": it is %s (%.*s%.200s%s)", kind->what, (int)(hole - kind->take), kind->take,
			       name, hole + 2);
	return out;
}

const char *tr_recognise(const void *data, size_t size_bytes, const char *name, char *out, size_t out_bytes)
{
	return describe(find(data, size_bytes), name, out, out_bytes);
}

// Whether more bytes can tell: a line of numbers on a slow pipe is not waited for.
static bool may_be_foreign(const char *data, size_t size_bytes)
{
	size_t digits = 0;

	while (digits < size_bytes && data[digits] >= '0' && data[digits] <= '9')
		digits++;
	if (digits > 0)
		return digits + 1 < size_bytes && data[digits] == ' ' && (data[digits + 1] | 0x20) >= 'a';
	return size_bytes > 0 && data[0] != TR_MAGIC[0];
}

enum tr_status tr_recognise_foreign(struct tr_source *source, const char *program, bool tables, char *out, size_t out_bytes,
				    struct tr_error *err)
{
	const struct kind *kind;
	const uint8_t *data;
	size_t got_bytes;

	*out = '\0';
	if (tr_source_peek(source, 8, &data, &got_bytes, err) == TR_ERROR)
		return TR_ERROR;
	if (!may_be_foreign((const char *)data, got_bytes))
		return TR_OK;
	if (tr_source_peek(source, TR_RECOGNISE_BYTES, &data, &got_bytes, err) == TR_ERROR)
		return TR_ERROR;
	kind = find(data, got_bytes);
	if (kind && kind->reader && strcmp(kind->reader, program) != 0 && !(tables && kind->text))
		(void)describe(kind, tr_source_name(source), out, out_bytes);
	return TR_OK;
}

const char *tr_recognise_source(struct tr_source *source, char *out, size_t out_bytes)
{
	const uint8_t *data;
	struct tr_error err;
	size_t got_bytes;

	*out = '\0';
	if (tr_source_peek(source, TR_RECOGNISE_BYTES, &data, &got_bytes, &err) != TR_ERROR)
		(void)tr_recognise(data, got_bytes, tr_source_name(source), out, out_bytes);
	return out;
}

bool tr_is_capture_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const struct kind *kind = NULL;
	char data[TR_RECOGNISE_BYTES];
	struct stat info;
	ssize_t got_bytes;

	if (fd < 0)
		return false;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (got_bytes = read(fd, data, sizeof(data))) > 0)
		kind = find(data, (size_t)got_bytes);
	(void)close(fd);
	return kind && kind->reader && strcmp(kind->reader, "flitcap") == 0;
}
