// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recognise.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/header.h"
#include "trace/text.h"

struct kind {
	const char *begin;
	size_t begin_bytes;
	const char *what;
	const char *take; // "%s": the name
	bool capture;
};

#define BEGINS(text) text, sizeof(text) - 1
#define OF_CAPTURES "flitcap -r %s -w FILE.flt makes a trace of it", true

static const struct kind kinds[] = {
	{BEGINS(TR_MAGIC), "a trace stream", "flitinfo %s says of what", false},
	{BEGINS("\xd4\xc3\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\xc3\xd4"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x4d\x3c\xb2\xa1"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\xa1\xb2\x3c\x4d"), "a pcap capture", OF_CAPTURES},
	{BEGINS("\x0a\x0d\x0d\x0a"), "a pcapng capture", OF_CAPTURES},
	{BEGINS("snoop\0\0\0"), "a snoop capture", OF_CAPTURES},
	{BEGINS("\x1f\x8b"), "compressed by gzip", "flitcap -r %s reads compressed captures", true},
	{BEGINS("\x28\xb5\x2f\xfd"), "compressed by zstd", "flitcap -r %s reads compressed captures", true},
	{BEGINS("\xfd"
		"7zXZ"),
	 "compressed by xz", "flitcap -r %s reads compressed captures", true},
	{BEGINS("\x04\x22\x4d\x18"), "compressed by lz4", "flitcap -r %s reads compressed captures", true},
	{BEGINS("BZh"), "compressed by bzip2", "flitcap -r %s reads compressed captures", true},
	{BEGINS(TR_TEXT_MAGIC), "the text form of a trace", "flitcut --from-text %s reads it back", false},
	{BEGINS("flitline-partial"), "what a program summed up", "its second line names the program that adds %s to others",
	 false},
	{BEGINS("flitline-model"), "a model", "flitgen %s generates its traffic", false},
	{BEGINS("flitline-topology"), "a network", "flitnet %s reads it", false},
	{BEGINS("flitline-routes"), "routes", "flitroute %s reads them", false},
	{BEGINS("flitline-blocks"), "the blocks of a design", "flitroute %s makes routes inside them", false},
	{BEGINS("flitline-program"), "a program of processes", "flitsim --program %s runs it", false},
	{BEGINS("num_ranks"), "a parallel program", "flitsim --program %s runs it", false},
};

static const struct kind *find(const void *data, size_t size_bytes)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (size_bytes >= kinds[i].begin_bytes && memcmp(data, kinds[i].begin, kinds[i].begin_bytes) == 0)
			return &kinds[i];
	return NULL;
}

const char *tr_recognise(const void *data, size_t size_bytes, const char *name, char *out, size_t out_bytes)
{
	const struct kind *kind = find(data, size_bytes);
	const char *hole = kind ? strstr(kind->take, "%s") : NULL;

	*out = '\0';
	if (hole)
		(void)snprintf(out, out_bytes, ": it is %s (%.*s%.200s%s)", kind->what, (int)(hole - kind->take), kind->take,
			       name, hole + 2);
	return out;
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
	return kind && kind->capture;
}
