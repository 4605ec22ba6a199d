// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/libpcap.h"

#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "value/ticks.h"

struct pk_dump {
	char *path;
	struct tr_outfile *out;
	FILE *file; // a second descriptor of it, since libpcap closes its own
	uint32_t snap_bytes;
	uint16_t link;
	pcap_t *pcap;
	bool failed;	       // and it was reported
	pcap_dumper_t *dumper; // once the link type is known; it then owns file
};

enum tr_status pk_dump_open(struct pk_dump **out, const char *path, uint32_t snap_bytes,
			    const struct tr_outfile_options *options, struct tr_error *err)
{
	struct pk_dump *dump = calloc(1, sizeof(*dump));
	int fd = -1;

	*out = NULL;
	if (!dump || !(dump->path = strdup(path))) {
		free(dump);
		return tr_no_memory(err, "%s", path);
	}
	dump->snap_bytes = snap_bytes;
	if (tr_outfile_open(&dump->out, path, options, err) == TR_OK)
		fd = fcntl(tr_outfile_descriptor(dump->out), F_DUPFD_CLOEXEC, 0);
	dump->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (dump->file) {
		*out = dump;
		return TR_OK;
	}
	if (dump->out)
		(void)tr_fail(err, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		(void)close(fd);
	(void)pk_dump_close(dump, false, NULL);
	return TR_ERROR;
}

bool pk_dump_is_exposed(const struct pk_dump *dump)
{
	return tr_outfile_is_exposed(dump->out);
}

const char *pk_dump_part(const struct pk_dump *dump)
{
	return tr_outfile_part(dump->out);
}

static enum tr_status dump_begin(struct pk_dump *dump, const struct pk_link *link,
				 struct tr_error *err)
{
	dump->link = link->number;
	dump->pcap = pk_handle_open(link, dump->snap_bytes, err);
	if (!dump->pcap)
		return TR_ERROR;
	dump->dumper = pcap_dump_fopen(dump->pcap, dump->file);
	if (!dump->dumper)
		return tr_fail(err, "%s: %.300s", dump->path, pcap_geterr(dump->pcap));
	return TR_OK;
}

enum tr_status pk_dump_frame(struct pk_dump *dump, const struct pk_frame *frame,
			     struct tr_error *err)
{
	struct pcap_pkthdr head = {.caplen = frame->captured_bytes, .len = frame->wire_bytes};

	if (!dump->dumper && dump_begin(dump, frame->link, err) != TR_OK)
		return TR_ERROR;
	if (frame->link->number != dump->link)
		return tr_fail(
			err, "%s: frames of link types %u and %u, but the format supports only one",
			dump->path, dump->link, frame->link->number);
	if (frame->time_ns < 0 || frame->time_ns / TR_NS_PER_S > UINT32_MAX)
		return tr_fail(err, "%s: a time before 1970 or after 2106", dump->path);
	head.ts.tv_sec = frame->time_ns / TR_NS_PER_S;
	head.ts.tv_usec = frame->time_ns % TR_NS_PER_S;
	pcap_dump((u_char *)dump->dumper, &head, frame->data);
	dump->failed = ferror(dump->file) != 0;
	if (dump->failed)
		return tr_fail(err, "%s: %s", dump->path, strerror(errno));
	return TR_OK;
}

enum tr_status pk_dump_close(struct pk_dump *dump, bool whole, struct tr_error *err)
{
	const struct pk_link ethernet = pk_link_of(PK_LINK_ETHERNET, false);
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (!dump)
		return TR_OK;
	if (dump->file && !dump->dumper && whole)
		status = dump_begin(dump, &ethernet, &why);
	if (dump->dumper) {
		if (!dump->failed && (pcap_dump_flush(dump->dumper) != 0 || ferror(dump->file)))
			status = tr_fail(&why, "%s: %s", dump->path, strerror(errno));
		pcap_dump_close(dump->dumper); // the file is unbuffered: everything is written
	} else if (dump->file) {
		(void)fclose(dump->file);
	}
	if (dump->pcap)
		pcap_close(dump->pcap);
	whole = whole && status == TR_OK && !dump->failed;
	if (tr_outfile_close(dump->out, whole, status == TR_OK ? &why : NULL) != TR_OK)
		status = TR_ERROR;
	if (status == TR_ERROR && err)
		*err = why;
	free(dump->path);
	free(dump);
	return status;
}
