// SPDX-License-Identifier: GPL-3.0-or-later
#include "tap_ports.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tap_link.h"

enum { LINK_ETHERNET = 1, TYPE_IPV4 = 0x0800, NOBODY = 255 };

#define OFFSET_MAX_NS INT64_C(3600000000000)
#define DRIFT_MAX_PPB 100000

static FILE *file_of(const struct ports *ports, const char *suffix)
{
	char path[4096];
	int length = snprintf(path, sizeof(path), "%s%s", ports->prefix, suffix);

	return length < (int)sizeof(path) ? fopen(path, "wbe") : NULL;
}

bool ports_open(struct ports *ports, uint64_t seed, int64_t now_ns)
{
	const uint32_t header[] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, ports->snap, LINK_ETHERNET};

	ports->begin_ns = now_ns;
	for (int i = 0; i < ports->count && ports->prefix; i++) {
		struct port *port = &ports->port[i];
		char suffix[32];

		snprintf(suffix, sizeof(suffix), "%d.pcap", i);
		port->offset_ns = (int64_t)((2 * link_draw(seed, (uint64_t)i, 0) - 1) *
					    (double)OFFSET_MAX_NS);
		port->drift_ppb = (int64_t)((2 * link_draw(seed, (uint64_t)i, 1) - 1) *
					    DRIFT_MAX_PPB);
		port->file = file_of(ports, suffix);
		if (!port->file || fwrite(header, sizeof(header), 1, port->file) != 1)
			return false;
	}
	return true;
}

static int64_t clock_of(const struct ports *ports, int host, int64_t time_ns)
{
	const struct port *port = &ports->port[host];

	return time_ns + port->offset_ns +
	       (int64_t)((__int128)(time_ns - ports->begin_ns) * port->drift_ppb / 1000000000);
}

static uint64_t address(const uint8_t *bytes)
{
	uint64_t mac = 0;

	for (int i = 0; i < 6; i++)
		mac = mac << 8 | bytes[i];
	return mac;
}

static bool is_ipv4(const uint8_t *bytes)
{
	return (bytes[12] << 8 | bytes[13]) == TYPE_IPV4;
}

static bool capture(struct ports *ports, int host, int64_t now_ns, const uint8_t *bytes,
		    size_t length)
{
	struct port *port = &ports->port[host];
	const int64_t stamp_ns = clock_of(ports, host, now_ns);
	const uint32_t kept = length < ports->snap ? (uint32_t)length : ports->snap;
	const uint32_t header[] = {(uint32_t)(stamp_ns / 1000000000),
				   (uint32_t)(stamp_ns % 1000000000), kept, (uint32_t)length};

	if (is_ipv4(bytes) && (!port->first_ns || now_ns < port->first_ns))
		port->first_ns = now_ns;
	return fwrite(header, sizeof(header), 1, port->file) == 1 &&
	       fwrite(bytes, kept, 1, port->file) == 1;
}

bool ports_sent(struct ports *ports, int host, int64_t now_ns, const uint8_t *bytes, size_t length,
		uint64_t *serial)
{
	*serial = ports->fate_count;
	if (!ports->prefix)
		return true;
	if (ports->fate_count == ports->fate_capacity) {
		size_t more = ports->fate_capacity ? 2 * ports->fate_capacity : 4096;
		struct fate *larger = realloc(ports->fates, more * sizeof(*larger));

		if (!larger)
			return false;
		ports->fates = larger;
		ports->fate_capacity = more;
	}
	ports->port[host].mac = address(bytes + 6);
	ports->fates[ports->fate_count++] = (struct fate){
		address(bytes), is_ipv4(bytes) ? (uint8_t)host : NOBODY, 0};
	return capture(ports, host, now_ns, bytes, length);
}

bool ports_arrived(struct ports *ports, int host, int64_t now_ns, const uint8_t *bytes,
		   size_t length, uint64_t serial)
{
	if (!ports->prefix)
		return true;
	if (ports->fates[serial].to == ports->port[host].mac &&
	    ports->fates[serial].copies < UINT8_MAX)
		ports->fates[serial].copies++;
	return capture(ports, host, now_ns, bytes, length);
}

static void way_print(const struct ports *ports, int from, int to, FILE *file)
{
	uint64_t sent = 0, lost = 0, duplicates = 0;

	for (size_t i = 0; i < ports->fate_count; i++) {
		const struct fate *fate = &ports->fates[i];

		if (fate->from != from || fate->to != ports->port[to].mac)
			continue;
		sent++;
		lost += fate->copies == 0;
		duplicates += fate->copies ? fate->copies - 1u : 0;
	}
	if (sent)
		fprintf(file, "way %d %d %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", from, to, sent,
			lost, duplicates);
}

bool ports_close(struct ports *ports)
{
	FILE *truth = ports->prefix ? file_of(ports, "truth") : NULL;
	bool good = truth != NULL || !ports->prefix;

	for (int i = 0; i < ports->count && truth; i++) {
		const int64_t first_ns = ports->port[i].first_ns;

		fprintf(truth, "clock %d %" PRId64 "\n", i,
			clock_of(ports, i, first_ns) - clock_of(ports, 0, first_ns));
		for (int j = 0; j < ports->count; j++)
			way_print(ports, i, j, truth);
	}
	for (int i = 0; i < ports->count && ports->prefix; i++)
		good = fclose(ports->port[i].file) == 0 && good;
	free(ports->fates);
	return (!truth || fclose(truth) == 0) && good;
}
