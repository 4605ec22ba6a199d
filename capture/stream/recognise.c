// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/recognise.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/spawn.h"
#include "stream/header.h"
#include "stream/text.h"
#include "value/escape.h"
#include "value/memstream.h"

#define NAME_BYTES 201u // of a name, quoted

struct recognise_kind {
	const char *begin;
	size_t begin_bytes;
	const char *what;
	const char *take;   // "%s": the name
	const char *reader; // the program for a format that is not the suite's own, and for what is
			    // compressed; NULL: ours
	size_t at;	    // where the bytes of begin are
	bool (*is)(const char *data, size_t size_bytes); // decides further; NULL: begin is enough
	bool text;	      // a program that takes columns of a table may read it
	bool gzip;	      // its reader reads it packed by gzip, too
	const char *unpacker; // "NAME -dc" writes what is in it, which is not known yet; NULL: it
			      // is not packed
};

#define BEGINS(text) text, sizeof(text) - 1
#define OF_CAPTURES "flitcap -r %s -w FILE.flt makes a trace of it", "flitcap"
#define OF_PACKED(command) \
	"flitcap -r %s reads it if it is a capture, " command " -dc unpacks anything else", \
		"flitcap", .unpacker = command
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
	static const char *const actions[] = {
		"init",	     "finalize",   "compute",  "sleep",	    "send",	 "isend",
		"recv",	     "irecv",	   "sendrecv", "wait",	    "waitall",	 "waitany",
		"barrier",   "bcast",	   "reduce",   "allreduce", "alltoall",	 "alltoallv",
		"allgather", "allgatherv", "gather",   "scatter",   "comm_size", NULL};
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

static size_t name_bytes(const char *data, size_t size_bytes)
{
	size_t end = 0;

	while (end < size_bytes && data[end] > ' ' && data[end] != ',' && data[end] < 0x7f)
		end++;
	return end;
}

// The first of a list of the ranks' files, one name per line, as foreign/time_independent.c takes
// it.
static bool is_time_independent_list(const char *data, size_t size_bytes)
{
	const size_t end = name_bytes(data, size_bytes);

	return end > 4 && memcmp(data + end - 4, ".txt", 4) == 0 &&
	       (end == size_bytes || data[end] == '\n');
}

// The metadata of a Chakra trace: its length, then a version as "0.0.4", or the attribute "schema".
static bool is_chakra(const char *data, size_t size_bytes)
{
	size_t at = 0;

	while (at < 3 && at < size_bytes && (uint8_t)data[at] >= 0x80)
		at++;
	at++;
	if (at + 4 > size_bytes)
		return false;
	if (data[at] == 0x0a)
		return data[at + 1] > 0 && data[at + 1] < ' ' && data[at + 2] >= '0' &&
		       data[at + 2] <= '9' && data[at + 3] == '.';
	return data[at] == 0x12 && at + 10 <= size_bytes &&
	       memcmp(data + at + 2, "\x0a\x06schema", 8) == 0;
}

// An object of JSON that begins with one of these keys, after blanks.
static bool recognise_begins_with_key(const char *data, size_t size_bytes, const char *const *keys)
{
	size_t at = 0;

	while (at < size_bytes && (data[at] == '{' || strchr(" \t\r\n", data[at])))
		at++;
	while (*keys && (size_bytes - at < strlen(*keys) ||
			 memcmp(data + at, *keys, strlen(*keys)) != 0 || at == 0))
		keys++;
	return *keys;
}

// What PyTorch's profiler writes first, or who has rewritten its trace.
static bool is_kineto(const char *data, size_t size_bytes)
{
	static const char *const keys[] = {"\"schemaVersion\"", "\"traceEvents\"",
					   "\"deviceProperties\"", "\"distributedInfo\"", NULL};

	return recognise_begins_with_key(data, size_bytes, keys);
}

static bool is_inspector(const char *data, size_t size_bytes)
{
	static const char *const keys[] = {"\"header\"", NULL};

	return recognise_begins_with_key(data, size_bytes, keys) &&
	       memmem(data, size_bytes, "\"id\"", 4);
}

#define ERF_HEAD_BYTES 16u
#define ERF_TYPE_AT 8u
#define ERF_BYTES_AT 10u

// The length of the ERF record (packet/erf.c) that a head of ERF_HEAD_BYTES begins; 0 if it is of
// none. It has no magic: a text is told by its bytes, none of which is a control character.
static size_t erf_record_bytes(const uint8_t *head)
{
	const unsigned type = head[ERF_TYPE_AT] & 0x7fu;
	const size_t record_bytes = (size_t)head[ERF_BYTES_AT] << 8 | head[ERF_BYTES_AT + 1];
	bool text = true;

	for (size_t i = 0; i < ERF_HEAD_BYTES; i++)
		text &= head[i] >= ' ' || head[i] == '\t' || head[i] == '\n' || head[i] == '\r';
	return !text && ((type >= 1 && type <= 29) || type == 48) && record_bytes >= ERF_HEAD_BYTES
		       ? record_bytes
		       : 0;
}

// A record that ends where the next one begins, or the file ends.
static bool is_erf(const char *data, size_t size_bytes)
{
	const uint8_t *bytes = (const uint8_t *)data;
	const size_t record_bytes = size_bytes < ERF_HEAD_BYTES ? 0 : erf_record_bytes(bytes);

	return record_bytes > 0 &&
	       (size_bytes == record_bytes || (size_bytes >= record_bytes + ERF_HEAD_BYTES &&
					       erf_record_bytes(bytes + record_bytes) > 0));
}

static const struct recognise_kind kinds[] = {
	{BEGINS(TR_MAGIC), "a trace stream", "flitinfo %s describes it", NULL},
	{BEGINS("\xd4\xc3\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\xc3\xd4"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x4d\x3c\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\x3c\x4d"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x34\xcd\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\xcd\x34"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x0a\x0d\x0d\x0a"), "a pcapng capture", OF_CAPTURES},
	{BEGINS("snoop\0\0\0"), "a snoop capture", OF_CAPTURES},
	{BEGINS("\x1f\x8b"), "compressed by gzip", OF_PACKED("gzip")},
	{BEGINS("\x28\xb5\x2f\xfd"), "compressed by zstd", OF_PACKED("zstd")},
	{BEGINS("\xfd"
		"7zXZ"),
	 "compressed by xz", OF_PACKED("xz")},
	{BEGINS("\x04\x22\x4d\x18"), "compressed by lz4", OF_PACKED("lz4")},
	{BEGINS("BZh"), "compressed by bzip2", OF_PACKED("bzip2")},
	{BEGINS("OTF2"), "an OTF2 archive", OF_PARALLEL, .at = 2},
	{BEGINS("\xff\xaa\xdd"
		"DUMPI"),
	 "a DUMPI trace", OF_PARALLEL},
	{BEGINS("MPI_"), "a DUMPI trace in text", OF_PARALLEL, .is = is_dumpi_text, .text = true},
	{BEGINS("hostname="), "the description of a DUMPI trace", OF_PARALLEL, .text = true},
	{BEGINS(""), "a time-independent trace of SimGrid", OF_PARALLEL, .is = is_time_independent,
	 .text = true},
	{BEGINS("flitline MPI record"), "a record of flitmpi", OF_PARALLEL},
	{BEGINS("ts,te,td,"), "a table of nfdump", OF_PARALLEL, .text = true},
	{BEGINS("firstSeen,"), "a table of nfdump", OF_PARALLEL, .text = true},
	{BEGINS("\x0c\xa5"), "a file of nfdump", "nfdump -r %s -o csv | flitread reads it",
	 "nfdump"},
	{BEGINS(TR_TEXT_MAGIC), "the text form of a trace", "flitcut --from text %s reads it back",
	 NULL},
	{BEGINS("flitline-partial"), "partial sums of a program",
	 "its second line names the program that merges %s with others", NULL},
	{BEGINS("flitline-model"), "a model", "flitgen %s generates its traffic", NULL},
	{BEGINS("flitline-topology"), "a network", "flitnet %s reads it", NULL},
	{BEGINS("flitline-routes"), "routes", "flitroute %s reads them", NULL},
	{BEGINS("flitline-blocks"), "the blocks of a design",
	 "flitroute %s makes routes inside them", NULL},
	{BEGINS("flitline-program"), "a program of processes", "flitsim --program %s runs it",
	 NULL},
	{BEGINS("num_ranks"), "a parallel program", "flitsim --program %s runs it", NULL},
	{BEGINS(""), "a list of the files of a time-independent trace", OF_PARALLEL,
	 .is = is_time_independent_list, .text = true},
	{BEGINS(""), "a Chakra execution trace",
	 "flitread -T goal %s, with the files of all ranks, makes a program of it", "flitread",
	 .is = is_chakra},
	{BEGINS(""), "a trace of PyTorch's profiler", OF_PARALLEL, .is = is_kineto, .gzip = true},
	{BEGINS(""), "a dump of NCCL's Inspector", OF_PARALLEL, .is = is_inspector, .gzip = true},
	{BEGINS(""), "an ERF capture", OF_CAPTURES, .is = is_erf},
};

static bool is_of(const struct recognise_kind *kind, const char *data, size_t size_bytes)
{
	return size_bytes >= kind->at + kind->begin_bytes &&
	       memcmp(data + kind->at, kind->begin, kind->begin_bytes) == 0 &&
	       (!kind->is || kind->is(data, size_bytes));
}

static bool is_reader(const struct recognise_kind *kind, const char *program)
{
	return kind->reader && strcmp(kind->reader, program) == 0;
}

static const struct recognise_kind *recognise_find(const void *data, size_t size_bytes)
{
	for (size_t i = 0; size_bytes > 0 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_of(&kinds[i], data, size_bytes))
			return &kinds[i];
	return NULL;
}

// The name as a shell reads it; cut if it is too long.
static const char *quote_name(const char *name, char *out, size_t out_bytes)
{
	char *quoted = NULL;
	size_t bytes;
	FILE *to = tr_memstream_open(&quoted, &bytes);

	if (to)
		text_write_shell(to, name);
	(void)snprintf(out, out_bytes, "%s", to && tr_memstream_close(to) ? quoted : name);
	free(quoted);
	return out;
}

// Whether the reader of kind reads it packed so.
static bool recognise_unpacks(const struct recognise_kind *kind,
			      const struct recognise_kind *packed)
{
	return kind->gzip && strcmp(packed->unpacker, "gzip") == 0;
}

// packed: how the file of this name is packed; NULL: it is not.
static const char *recognise_describe(const struct recognise_kind *kind,
				      const struct recognise_kind *packed, const char *name,
				      char *out, size_t out_bytes)
{
	const char *hole = kind ? strstr(kind->take, "%s") : NULL;
	const bool unpacks = packed && kind &&
			     (is_reader(kind, "flitcap") || recognise_unpacks(kind, packed));
	char quoted[NAME_BYTES];
	size_t used;

	*out = '\0';
	if (!hole)
		return out;
	name = quote_name(name, quoted, sizeof(quoted));
	used = (size_t)snprintf(out, out_bytes, ": it is %s%s%s (", kind->what, packed ? ", " : "",
				packed ? packed->what : "");
	if (packed && !unpacks)
		used += (size_t)snprintf(out + used, out_bytes - used, "%s -dc %s >FILE, then ",
					 packed->unpacker, name);
	(void)snprintf(out + used, out_bytes - used, "%.*s%s%s)", (int)(hole - kind->take),
		       kind->take, packed && !unpacks ? "FILE" : name, hole + 2);
	return out;
}

static const struct recognise_kind *find_packed(const char *unpacker)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].unpacker && strcmp(kinds[i].unpacker, unpacker) == 0)
			return &kinds[i];
	return NULL;
}

const char *tr_recognise(const void *data, size_t size_bytes, const char *unpacker,
			 const char *name, char *out, size_t out_bytes)
{
	// The suite's programs unpack zstd themselves.
	return recognise_describe(recognise_find(data, size_bytes),
				  strcmp(unpacker, "zstd") == 0 ? NULL : find_packed(unpacker),
				  name, out, out_bytes);
}

// Lines of numbers, two or more in the first.
static bool is_of_numbers(const char *data, size_t size_bytes)
{
	const char *end = memchr(data, '\n', size_bytes);
	size_t cells = 0, bytes = end ? (size_t)(end - data) : size_bytes;

	for (size_t i = 0; i < bytes; i++) {
		const bool parts = strchr(" \t,;\r", data[i]) != NULL;

		if (data[i] == '\0' || (!parts && !strchr("0123456789.+-eE", data[i])))
			return false;
		cells += !parts && (i == 0 || strchr(" \t,;", data[i - 1]));
	}
	return cells > 1 && end;
}

// Whether more bytes can tell: a line of numbers on a slow pipe is not waited for.
static bool may_be_foreign(const char *data, size_t size_bytes)
{
	size_t digits = 0;

	while (digits < size_bytes && data[digits] >= '0' && data[digits] <= '9')
		digits++;
	// "0 init" and "0.txt", neither of which is a number.
	if (digits > 0)
		return digits + 1 < size_bytes && (data[digits] == ' ' || data[digits] == '.') &&
		       (data[digits + 1] | 0x20) >= 'a' && (data[digits + 1] | 0x20) != 'e';
	return size_bytes > 0 && data[0] != TR_MAGIC[0];
}

// The kind of the next bytes of a source; *kind is NULL if it is not known.
static enum tr_status find_source(struct tr_source *source, const struct recognise_kind **kind,
				  struct tr_error *err)
{
	const uint8_t *data;
	size_t got_bytes, record_bytes;

	*kind = NULL;
	if (tr_source_peek(source, TR_RECOGNISE_BYTES, &data, &got_bytes, err) == TR_ERROR)
		return TR_ERROR;
	*kind = recognise_find(data, got_bytes);
	// A name that is longer.
	if (!*kind && got_bytes >= TR_RECOGNISE_BYTES &&
	    name_bytes((const char *)data, got_bytes) == got_bytes) {
		if (tr_source_peek(source, PATH_MAX, &data, &got_bytes, err) == TR_ERROR)
			return TR_ERROR;
		*kind = recognise_find(data, got_bytes);
	}
	record_bytes = *kind || got_bytes < ERF_HEAD_BYTES ? 0 : erf_record_bytes(data);
	if (record_bytes == 0)
		return TR_OK;
	if (tr_source_peek(source, record_bytes + ERF_HEAD_BYTES, &data, &got_bytes, err) ==
	    TR_ERROR)
		return TR_ERROR;
	*kind = recognise_find(data, got_bytes);
	return TR_OK;
}

// What is in a packed regular file of this name ("-": standard input): its unpacker writes its
// first bytes. NULL if that cannot be told.
static const struct recognise_kind *find_inside(const struct recognise_kind *packed,
						const char *name)
{
	const char *const path = strcmp(name, "-") == 0 ? "/dev/stdin" : name;
	const char *const argv[] = {packed->unpacker, "-dc", NULL};
	const struct recognise_kind *kind = NULL;
	struct tr_source *inside;
	struct tr_child child;
	struct stat info;
	int out;

	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
	    tr_spawn_read(&child, argv, path, &out, NULL) != TR_OK)
		return NULL;
	if (tr_source_open_fd(&inside, out, name, NULL) == TR_OK) {
		(void)find_source(inside, &kind, NULL);
		tr_source_close(inside);
	}
	(void)tr_spawn_end(&child, NULL);
	return kind;
}

// Of what is packed, what is in it where that can be told; "" if the program reads it so.
static void describe_source(const struct recognise_kind *kind, const char *program,
			    const char *name, char *out, size_t out_bytes)
{
	const struct recognise_kind *inside = kind && kind->unpacker ? find_inside(kind, name)
								     : NULL;

	if (inside && recognise_unpacks(inside, kind) && is_reader(inside, program))
		return;
	(void)recognise_describe(inside ? inside : kind, inside ? kind : NULL, name, out,
				 out_bytes);
}

enum tr_status tr_recognise_foreign(struct tr_source *source, const char *program, bool tables,
				    char *out, size_t out_bytes, struct tr_error *err)
{
	const struct recognise_kind *kind;
	const uint8_t *data;
	size_t got_bytes;

	*out = '\0';
	if (tr_source_peek(source, 8, &data, &got_bytes, err) == TR_ERROR)
		return TR_ERROR;
	if (!may_be_foreign((const char *)data, got_bytes))
		return TR_OK;
	if (find_source(source, &kind, err) == TR_ERROR)
		return TR_ERROR;
	if (kind && kind->reader && !is_reader(kind, program) && !(tables && kind->text))
		describe_source(kind, program, tr_source_name(source), out, out_bytes);
	return TR_OK;
}

const char *tr_recognise_source(struct tr_source *source, char *out, size_t out_bytes)
{
	const struct recognise_kind *kind;
	struct tr_error err;

	*out = '\0';
	if (find_source(source, &kind, &err) == TR_OK)
		describe_source(kind, "", tr_source_name(source), out, out_bytes);
	return out;
}

bool tr_is_capture_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const struct recognise_kind *kind = NULL;
	char data[TR_RECOGNISE_BYTES];
	struct stat info;
	ssize_t got_bytes;

	if (fd < 0)
		return false;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
	    (got_bytes = read(fd, data, sizeof(data))) > 0)
		kind = recognise_find(data, (size_t)got_bytes);
	(void)close(fd);
	return kind && is_reader(kind, "flitcap");
}

const char *tr_recognise_no_trace(struct tr_source *source, char *out, size_t out_bytes)
{
	const uint8_t *data;
	size_t got_bytes;

	if (*tr_recognise_source(source, out, out_bytes) ||
	    tr_source_peek(source, TR_RECOGNISE_BYTES, &data, &got_bytes, NULL) == TR_ERROR ||
	    !is_of_numbers((const char *)data, got_bytes))
		return out;
	(void)snprintf(out, out_bytes,
		       ": it is a table of numbers (flitcut --columns time,bytes -w FILE.flt "
		       "%.200s makes a trace of these two columns)",
		       tr_source_name(source));
	return out;
}
