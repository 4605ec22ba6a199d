// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/socket_ring.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "value/ticks.h"

// ---- opening

static enum tr_status ring_refuse(const struct pk_ring *ring, const char *interface, int status,
				  struct tr_error *err)
{
	const char *what = pcap_statustostr(status);
	const char *detail = pcap_geterr(ring->pcap);

	if (!*detail || strcmp(what, detail) == 0)
		return tr_fail(err, "%s: %s", interface, what);
	return tr_fail(err, "%s: %s: %s", interface, what, detail);
}

static enum tr_status ring_set_filter(struct pk_ring *ring, const struct pk_live_options *options,
				      struct tr_error *err)
{
	struct bpf_program code;
	int status;

	if (!options->filter)
		return TR_OK;
	if (pcap_compile(ring->pcap, &code, options->filter, 1, PCAP_NETMASK_UNKNOWN) != 0)
		return tr_fail(err, "filter \"%.200s\": %.200s", options->filter,
			       pcap_geterr(ring->pcap));
	status = pcap_setfilter(ring->pcap, &code);
	pcap_freecode(&code);
	return status ? ring_refuse(ring, options->interface, status, err) : TR_OK;
}

// Loopback shows each frame to captures when it is sent and when it is received. libpcap skips the
// first, but only after it took room in the ring, or was counted as dropped. Kernels before 4.20
// cannot leave it out.
static void ignore_sent_copies(const struct pk_ring *ring, const char *interface)
{
	const int socket = pcap_get_selectable_fd(ring->pcap);
	struct ifreq request = {.ifr_flags = 0};
	const int yes = 1;

	(void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
	if (ioctl(socket, SIOCGIFFLAGS, &request) == 0 && request.ifr_flags & IFF_LOOPBACK)
		(void)setsockopt(socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, &yes, sizeof(yes));
}

static enum tr_status ring_activate(struct pk_ring *ring, const struct pk_live_options *options,
				    int block_ms, struct tr_error *warning, struct tr_error *err)
{
	char text[PCAP_ERRBUF_SIZE];
	int status;

	(void)pcap_set_snaplen(ring->pcap, (int)options->snap_bytes);
	(void)pcap_set_promisc(ring->pcap, options->promiscuous);
	(void)pcap_set_timeout(ring->pcap, block_ms);
	if (options->buffer_bytes)
		(void)pcap_set_buffer_size(ring->pcap, (int)options->buffer_bytes);
	// If this is refused, stamps are in microseconds.
	(void)pcap_set_tstamp_precision(ring->pcap, PCAP_TSTAMP_PRECISION_NANO);
	status = pcap_activate(ring->pcap);
	if (status < 0)
		return ring_refuse(ring, options->interface, status, err);
	if (status > 0)
		(void)ring_refuse(ring, options->interface, status, warning);
	ignore_sent_copies(ring, options->interface);
	if (ring_set_filter(ring, options, err) != TR_OK)
		return TR_ERROR;
	if (pcap_setnonblock(ring->pcap, 1, text) != 0)
		return tr_fail(err, "%s: %.300s", options->interface, text);
	ring->descriptor = pcap_get_selectable_fd(ring->pcap);
	ring->index = if_nametoindex(options->interface);
	ring->link = pk_link_of(pk_link_from_dlt(pcap_datalink(ring->pcap)),
				__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	ring->unit_ns = pcap_get_tstamp_precision(ring->pcap) == PCAP_TSTAMP_PRECISION_NANO ? 1
											    : 1000;
	return TR_OK;
}

enum tr_status pk_ring_open(struct pk_ring *ring, const struct pk_live_options *options,
			    int block_ms, struct tr_error *warning, struct tr_error *err)
{
	char text[PCAP_ERRBUF_SIZE] = "";

	warning->text[0] = '\0';
	*ring = (struct pk_ring){.pcap = pcap_create(options->interface, text)};
	if (!ring->pcap)
		return tr_fail(err, "%s: %.300s", options->interface, text);
	if (ring_activate(ring, options, block_ms, warning, err) == TR_OK)
		return TR_OK;
	pk_ring_close(ring);
	return TR_ERROR;
}

// ---- frames

enum tr_status pk_ring_next(struct pk_ring *ring, struct pk_frame *frame, struct tr_error *err)
{
	struct pcap_pkthdr *head;
	const uint8_t *data;
	const int answer = pcap_next_ex(ring->pcap, &head, &data);

	if (answer != 1)
		return answer == 0 ? TR_END
				   : tr_fail(err, "capture: %.300s", pcap_geterr(ring->pcap));
	*frame = (struct pk_frame){
		.time_ns = (int64_t)head->ts.tv_sec * TR_NS_PER_S +
			   (int64_t)head->ts.tv_usec * ring->unit_ns,
		.data = data,
		.captured_bytes = head->caplen,
		.wire_bytes = head->len,
		.link = &ring->link,
		.time_state = PK_TIME_KNOWN,
	};
	return TR_OK;
}

uint64_t pk_ring_begin(struct pk_ring *ring)
{
	struct pcap_stat stat;

	if (pcap_stats(ring->pcap, &stat) != 0)
		return UINT64_MAX;
	ring->dropped = (struct pk_ring_dropped){0, stat.ps_drop, stat.ps_ifdrop};
	return stat.ps_recv - stat.ps_drop;
}

bool pk_ring_count_dropped(struct pk_ring *ring)
{
	struct pk_ring_dropped *dropped = &ring->dropped;
	struct pcap_stat stat;

	if (pcap_stats(ring->pcap, &stat) != 0)
		return false;
	dropped->frames += stat.ps_drop - dropped->kernel;
	if (!ring->leaves_interface)
		dropped->frames += stat.ps_ifdrop - dropped->interface;
	dropped->kernel = stat.ps_drop;
	dropped->interface = stat.ps_ifdrop;
	return true;
}

enum pk_live_state pk_ring_look_up(const struct pk_ring *ring, enum pk_live_state before)
{
	struct ifreq request = {.ifr_ifindex = (int)ring->index};

	if (!ring->index)
		return PK_LIVE_UP;
	if (ioctl(ring->descriptor, SIOCGIFNAME, &request) != 0)
		return errno == ENODEV || errno == ENXIO ? PK_LIVE_GONE : before;
	if (ioctl(ring->descriptor, SIOCGIFFLAGS, &request) != 0)
		return before;
	return request.ifr_flags & IFF_UP ? PK_LIVE_UP : PK_LIVE_DOWN;
}

void pk_ring_close(struct pk_ring *ring)
{
	if (ring->pcap)
		pcap_close(ring->pcap);
	ring->pcap = NULL;
}
