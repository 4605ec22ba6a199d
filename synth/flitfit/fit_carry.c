// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/spawn.h"
#include "stream/writer.h"
#include "value/num.h"

#define WORM_LEAST_B 8192u
#define FABRIC_WORDS 16u
#define NAME_BYTES 32u
#define TICKS_MOST 1e12 // a second

static uint32_t fit_carry_place_of(const struct fit_places *places, uint32_t id)
{
	return id < places->count ? places->of[id] : id;
}

static const char *name_at(const struct fit_places *places, uint32_t place, char text[NAME_BYTES])
{
	if (place < places->nodes)
		return tr_names_node(places->names, places->id[place]);
	(void)snprintf(text, NAME_BYTES, "host%u", place);
	return text;
}

void fit_places_clear(struct fit_places *places)
{
	free(places->of);
	free(places->id);
	*places = (struct fit_places){.of = NULL};
}

// ---- Carrying packets

static int64_t faster(int64_t time_ticks, double ticks)
{
	return ticks == 1 ? time_ticks : (int64_t)((double)time_ticks * ticks);
}

// ticks: what a tick of the packets becomes in the stream.
static enum tr_status fit_carry_put_packets(struct tr_writer *writer,
					    const struct packet_sample *packets,
					    const struct fit_places *places, double ticks,
					    uint32_t *largest_B)
{
	enum tr_status status = TR_OK;
	uint32_t named = 0;
	char text[NAME_BYTES];

	*largest_B = WORM_LEAST_B;
	for (size_t i = 0; i < packets->count && status == TR_OK; i++) {
		const struct tr_packet packet = {
			.time_ticks = faster(packets->ticks[i] - packets->begin_ticks, ticks),
			.id = i,
			.flow = TR_FLOW_NONE,
			.src = fit_carry_place_of(places, packets->src[i]),
			.dst = fit_carry_place_of(places, packets->dst[i]),
			.payload_bytes = packets->payload_B[i],
			.wire_bytes = packets->wire_B[i],
			.class = packets->class[i]};
		const uint32_t high = packet.src > packet.dst ? packet.src : packet.dst;

		for (; named <= high && status == TR_OK; named++)
			status = tr_put_node(writer, named, name_at(places, named, text),
					     TR_ROLE_UNKNOWN);
		*largest_B = packet.payload_bytes > *largest_B ? packet.payload_bytes : *largest_B;
		if (status == TR_OK)
			status = tr_put(writer, &packet);
	}
	return status;
}

// Faster packets have finer ticks, of round numbers, so that no two become one.
static enum tr_status write_packets(const struct packet_sample *packets,
				    const struct fit_places *places, double speed, const char *path,
				    uint32_t *largest_B, struct tr_error *err)
{
	double finer = 1;

	while (speed != 1 && packets->ticks_per_s * finer * 10 <= TICKS_MOST)
		finer *= 10;

	const struct tr_header header = {.kind = TR_PACKET,
					 .ticks_per_s = (uint64_t)(packets->ticks_per_s * finer)};
	const struct tr_trailer trailer = {0};
	struct tr_writer *writer;
	enum tr_status status;

	if (tr_writer_open(&writer, path, &header, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	status = fit_carry_put_packets(writer, packets, places, finer / speed, largest_B);
	return tr_writer_close(writer, status == TR_OK ? &trailer : NULL, err) == TR_OK ? status
											: TR_ERROR;
}

// The word of the line at this column, from 0 on; its length is *bytes. NULL: the line has fewer.
static const char *fit_carry_word_at(const char *line, size_t column, size_t *bytes)
{
	*bytes = strcspn(line, "\t\n");
	for (; column > 0 && line[*bytes] == '\t'; column--) {
		line += *bytes + 1;
		*bytes = strcspn(line, "\t\n");
	}
	return column == 0 ? line : NULL;
}

// The value of all packets in the column of the first table that has it.
static double cell(const char *text, const char *name)
{
	size_t column = SIZE_MAX, bytes;
	double value = NAN;
	struct tr_error ignored;

	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *word;
		char number[64];

		if (strncmp(line, "class\t", 6) == 0) {
			column = 0;
			while ((word = fit_carry_word_at(line, column, &bytes)) &&
			       (strlen(name) != bytes || strncmp(word, name, bytes) != 0))
				column++;
			column = word ? column : SIZE_MAX;
		} else if (column != SIZE_MAX && strncmp(line, "all\t", 4) == 0 &&
			   (word = fit_carry_word_at(line, column, &bytes))) {
			(void)snprintf(number, sizeof(number), "%.*s", (int)bytes, word);
			return num_parse_real(number, &value, &ignored) == TR_OK ? value : NAN;
		}
	}
	return value;
}

// What flitsim says of its input, without the names of both. A map of nodes, which it advises last,
// is no option here.
static void fit_carry_remark(struct tr_error *err, const struct tr_error *why)
{
	static const char before[] = ": flitsim: ";
	const char *said = strstr(why->text, before), *map;

	said = said ? said + sizeof(before) - 1 : why->text;
	said += strncmp(said, "-: ", 3) == 0 ? 3 : 0;
	map = strstr(said, "--map FILE");
	if (map)
		(void)tr_fail_for(err, why,
				  "%.*sother names for the nodes (edit the text of flitcut -T "
				  "text, which flitcut --from text reads)",
				  (int)(map - said), said);
	else
		(void)tr_fail_for(err, why, "%s", said);
}

static enum tr_status fit_carry_simulate(const struct fit_request *request, const char *packets,
					 uint32_t largest_B, const char *tables,
					 struct tr_error *err)
{
	char path[PATH_MAX], mtu[32], level[32];
	const char *argv[16 + 2 * FABRIC_WORDS];
	size_t n = 0;
	struct tr_error why = {.text = ""};
	enum tr_status status;

	(void)snprintf(mtu, sizeof(mtu), "--mtu=%uB", largest_B);
	(void)snprintf(level, sizeof(level), "--level=%d", request->level_percent);
	argv[n++] = tr_spawn_beside("flitsim", path);
	argv[n++] = "-q";
	argv[n++] = "--format=tsv";
	argv[n++] = mtu;
	argv[n++] = level;
	argv[n++] = "-N";
	argv[n++] = request->network;
	for (size_t i = 0; i < request->fabric.count && i < FABRIC_WORDS; i++) {
		argv[n++] = "--fabric";
		argv[n++] = request->fabric.words[i];
	}
	argv[n++] = "-";
	argv[n] = NULL;
	status = tr_spawn(argv, packets, tables, &why);
	if (status == TR_END)
		return tr_fail(err, "flitsim is neither beside this program nor on PATH");
	if (status != TR_OK)
		fit_carry_remark(err, &why);
	return status;
}

// The time until the last delivery; if the network drops packets, as long as all would take at the
// same pace.
static double whole_s(const char *text)
{
	static const char line[] = "\nfrom_s\tto_s\t";
	const char *row = strstr(text, line), *word;
	const double delivered = cell(text, "delivered_percent") / 100;
	char number[64];
	size_t bytes;
	double value = NAN;
	struct tr_error ignored;

	row = row ? strchr(row + sizeof(line) - 1, '\n') : NULL;
	word = row ? fit_carry_word_at(row + 1, 1, &bytes) : NULL;
	if (!word)
		return NAN;
	(void)snprintf(number, sizeof(number), "%.*s", (int)bytes, word);
	return num_parse_real(number, &value, &ignored) == TR_OK ? value / delivered : NAN;
}

enum tr_status fit_carry(const struct fit_request *request, const struct packet_sample *packets,
			 const struct fit_places *places, double speed, struct fit_carried *out,
			 struct tr_error *err)
{
	struct tr_scratch stream = {.file = NULL}, tables = {.file = NULL};
	uint32_t largest_B = 0;
	char *text = NULL;
	enum tr_status status = tr_scratch_open(&stream, "the packets to carry", err);

	if (status == TR_OK)
		status = tr_scratch_open(&tables, "the latencies", err);
	if (status == TR_OK)
		status = write_packets(packets, places, speed, stream.path, &largest_B, err);
	if (status == TR_OK)
		status = fit_carry_simulate(request, stream.path, largest_B, tables.path, err);
	if (status == TR_OK)
		status = tr_scratch_take(&tables, "the latencies", &text, err);
	if (status == TR_OK) {
		*out = (struct fit_carried){cell(text, "latency_us"), cell(text, "latency_lo_us"),
					    cell(text, "latency_hi_us"), cell(text, "p99_us"),
					    whole_s(text)};
		if (!isfinite(out->mean_us) || !isfinite(out->p99_us))
			status = tr_fail(err, "flitsim measured no latency of %zu packets",
					 packets->count);
	}
	free(text);
	tr_scratch_close(&stream);
	tr_scratch_close(&tables);
	return status;
}

// The place of each node in the order in which they appear.
static enum tr_status place_by_appearance(const struct packet_sample *packets,
					  struct fit_places *out, uint32_t *hosts,
					  struct tr_error *err)
{
	uint32_t high = 0;

	*hosts = 0;
	for (size_t i = 0; i < packets->count; i++) {
		high = packets->src[i] > high ? packets->src[i] : high;
		high = packets->dst[i] > high ? packets->dst[i] : high;
	}
	*out = (struct fit_places){.of = calloc((size_t)high + 1, sizeof(*out->of)),
				   .count = high + 1};
	if (!out->of)
		return tr_no_memory(err, "%u hosts", high);
	for (uint32_t id = 0; id <= high; id++)
		out->of[id] = UINT32_MAX;
	for (size_t i = 0; i < packets->count; i++) {
		const uint32_t ends[2] = {packets->src[i], packets->dst[i]};

		for (unsigned e = 0; e < 2; e++)
			if (out->of[ends[e]] == UINT32_MAX)
				out->of[ends[e]] = (*hosts)++;
	}
	return TR_OK;
}

enum tr_status fit_net_latency(const struct fit_request *request,
			       const struct packet_sample *packets, uint32_t line, double out[2],
			       struct tr_error *err)
{
	static const char *fast = FIT_LINE_FABRIC;
	struct fit_request over = *request;
	struct fit_places places = {.of = NULL};
	struct fit_carried latency;
	char network[NAME_BYTES];
	uint32_t hosts = line;
	enum tr_status status = line > 0 ? TR_OK
					 : place_by_appearance(packets, &places, &hosts, err);

	if (status == TR_OK) {
		(void)snprintf(network, sizeof(network), "%s:%u", line > 0 ? "line" : "switch",
			       hosts);
		over.network = network;
		over.fabric = (struct opt_list){&fast, line > 0 ? 1 : 0};
		status = fit_carry(&over, packets, &places, 1, &latency, err);
	}
	fit_places_clear(&places);
	if (status != TR_OK)
		return status;
	out[0] = latency.mean_us * 1e-6;
	out[1] = latency.p99_us * 1e-6;
	return TR_OK;
}
