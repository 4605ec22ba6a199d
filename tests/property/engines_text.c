// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "engines_case.h"

#define WORDS_MAX 6

static enum num_dimension dimension_of(enum engines_kind kind)
{
	return kind == ENGINES_TIME	? NUM_TIME
	       : kind == ENGINES_SHARE	? NUM_PLAIN
	       : kind == ENGINES_RATE	? NUM_RATE
	       : kind == ENGINES_LENGTH ? NUM_LENGTH
					: NUM_SPEED;
}

static void write_param(const struct engines_param *param, const struct myr_params *params,
			FILE *out)
{
	const void *place = (const char *)params + param->offset_bytes;
	char text[64];

	if (param->kind == ENGINES_COUNT)
		fprintf(out, "set %s %llu\n", param->name,
			(unsigned long long)*(const uint64_t *)place);
	else if (param->kind == ENGINES_FLAG)
		fprintf(out, "set %s %d\n", param->name, *(const bool *)place);
	else if (param->kind == ENGINES_CHOICE)
		fprintf(out, "set %s %u\n", param->name, *(const unsigned *)place);
	else
		fprintf(out, "set %s %s\n", param->name,
			num_format_exact(*(const struct num_ratio *)place,
					 dimension_of(param->kind), text, sizeof(text)));
}

static void write_network(const struct net_topology *topology, FILE *out)
{
	char text[64];

	fprintf(out, "hosts %u\n", topology->hosts);
	for (uint32_t i = 0; i < topology->switches; i++)
		fprintf(out, "switch %u\n", topology->ports[i]);
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];

		fprintf(out, "cable %u.%u %u.%u", cable->ends[0].node, cable->ends[0].port,
			cable->ends[1].node, cable->ends[1].port);
		if (cable->length_m.den != 0)
			fprintf(out, " %s",
				num_format_exact(cable->length_m, NUM_LENGTH, text, sizeof(text)));
		if (cable->rate_bps.den != 0)
			fprintf(out, "%s %s", cable->length_m.den == 0 ? " -" : "",
				num_format_exact(cable->rate_bps, NUM_RATE, text, sizeof(text)));
		if (cable->conversion_s.den != 0)
			fprintf(out, "%s%s %s",
				cable->length_m.den == 0 && cable->rate_bps.den == 0 ? " -" : "",
				cable->rate_bps.den == 0 ? " -" : "",
				num_format_exact(cable->conversion_s, NUM_TIME, text,
						 sizeof(text)));
		fputc('\n', out);
	}
}

static void write_faults(const struct engines_case *item, FILE *out)
{
	for (uint32_t i = 0; i < item->fault_count; i++) {
		const struct net_fault *fault = &item->faults[i];

		fprintf(out, "fault %s %u %lld ", fault->kind == NET_FAULT_HOST ? "host" : "cable",
			fault->number, (long long)fault->from_ticks);
		if (fault->to_ticks == INT64_MAX)
			fprintf(out, "-\n");
		else
			fprintf(out, "%lld\n", (long long)fault->to_ticks);
	}
}

static void write_packet(const struct engines_packet *packet, FILE *out)
{
	if (packet->size_bytes == 0) {
		fprintf(out, "refused %lld\n", (long long)packet->time_ticks);
		return;
	}
	fprintf(out, "packet %lld %u %u %u", (long long)packet->time_ticks, packet->source,
		packet->destination, packet->size_bytes);
	if (packet->route_count == 0)
		fprintf(out, " -");
	for (uint32_t i = 0; i < packet->route_count && packet->route_count <= ENGINES_ROUTE; i++)
		fprintf(out, "%s%u", i > 0 ? "," : " ", packet->route[i]);
	fputc('\n', out);
}

void engines_case_write(const struct engines_case *item, FILE *out)
{
	struct engines_case usual = *item;

	write_network(&item->topology, out);
	for (size_t i = 0; i < engines_param_count; i++)
		if (engines_case_default(&usual, &engines_params[i]))
			write_param(&engines_params[i], &item->params, out);
	if (item->order[0] != '\0')
		fprintf(out, "order %s\n", item->order);
	if (item->sampling.width_ticks > 0)
		fprintf(out, "sample %lld %lld\n", (long long)item->sampling.width_ticks,
			(long long)item->sampling.start_ticks);
	write_faults(item, out);
	if (item->reaction.rounds != 0)
		fprintf(out, "react %llu %u %lld\n", (unsigned long long)item->reaction.seed,
			item->reaction.rounds, (long long)item->reaction.think_ticks);
	if (item->cut_ticks != 0)
		fprintf(out, "cut %lld\n", (long long)item->cut_ticks);
	if (item->enough != 0)
		fprintf(out, "enough %llu\n", (unsigned long long)item->enough);
	if (item->shuffle != 0)
		fprintf(out, "shuffle %llu\n", (unsigned long long)item->shuffle);
	for (size_t i = 0; i < item->packet_count; i++)
		write_packet(&item->packets[i], out);
}

// Splits a line into words; returns how many.
struct words {
	const char *at[WORDS_MAX];
	int count;
};

static bool number(const char *word, uint64_t max, uint32_t *out)
{
	uint64_t value;
	bool ok = num_parse_count(word, 0, max, &value, NULL) == TR_OK;

	*out = ok ? (uint32_t)value : 0;
	return ok;
}

static bool read_hosts(struct engines_case *item, const struct words *words)
{
	return words->count == 2 && number(words->at[1], 65536, &item->topology.hosts);
}

static bool read_switch(struct engines_case *item, const struct words *words)
{
	uint32_t ports;

	if (words->count != 2 || !number(words->at[1], NET_PORTS_MAX, &ports))
		return false;
	engines_case_switch(item, ports);
	return true;
}

static bool read_end(const char *word, struct net_end *end)
{
	char node[16];
	size_t length = strcspn(word, ".");

	if (word[length] != '.' || length >= sizeof(node))
		return false;
	memcpy(node, word, length);
	node[length] = '\0';
	return number(node, UINT32_MAX, &end->node) &&
	       number(word + length + 1, UINT32_MAX, &end->port);
}

static bool read_cable(struct engines_case *item, const struct words *words)
{
	struct net_end ends[2];
	struct net_cable *cable;

	if (words->count < 3 || words->count > 6 || !read_end(words->at[1], &ends[0]) ||
	    !read_end(words->at[2], &ends[1]))
		return false;
	cable = engines_case_cable(item, ends[0], ends[1]);
	if (words->count > 3 && strcmp(words->at[3], "-") != 0 &&
	    num_parse(words->at[3], NUM_LENGTH, &cable->length_m, NULL) != TR_OK)
		return false;
	if (words->count > 4 && strcmp(words->at[4], "-") != 0 &&
	    num_parse(words->at[4], NUM_RATE, &cable->rate_bps, NULL) != TR_OK)
		return false;
	return words->count < 6 ||
	       num_parse(words->at[5], NUM_TIME, &cable->conversion_s, NULL) == TR_OK;
}

static bool read_value(struct myr_params *params, const struct engines_param *param,
		       const char *word)
{
	void *place = (char *)params + param->offset_bytes;
	uint32_t flag;

	if (param->kind == ENGINES_COUNT)
		return num_parse_count(word, 0, UINT64_MAX, place, NULL) == TR_OK;
	if (param->kind == ENGINES_CHOICE)
		return number(word, 15, place);
	if (param->kind != ENGINES_FLAG)
		return num_parse(word, dimension_of(param->kind), place, NULL) == TR_OK;
	if (!number(word, 1, &flag))
		return false;
	*(bool *)place = flag;
	return true;
}

static bool read_set(struct engines_case *item, const struct words *words)
{
	for (size_t i = 0; i < engines_param_count && words->count == 3; i++)
		if (strcmp(engines_params[i].name, words->at[1]) == 0)
			return read_value(&item->params, &engines_params[i], words->at[2]);
	return false;
}

static bool read_order(struct engines_case *item, const struct words *words)
{
	return words->count == 2 && snprintf(item->order, sizeof(item->order), "%s", words->at[1]) <
					    (int)sizeof(item->order);
}

static bool ticks(const char *word, int64_t *out)
{
	return num_parse_signed(word, INT64_MIN, INT64_MAX, out, NULL) == TR_OK;
}

static bool read_sample(struct engines_case *item, const struct words *words)
{
	return words->count == 3 && ticks(words->at[1], &item->sampling.width_ticks) &&
	       ticks(words->at[2], &item->sampling.start_ticks);
}

static bool read_cut(struct engines_case *item, const struct words *words)
{
	return words->count == 2 && ticks(words->at[1], &item->cut_ticks);
}

static bool read_enough(struct engines_case *item, const struct words *words)
{
	return words->count == 2 &&
	       num_parse_count(words->at[1], 0, UINT64_MAX, &item->enough, NULL) == TR_OK;
}

static bool read_shuffle(struct engines_case *item, const struct words *words)
{
	return words->count == 2 &&
	       num_parse_count(words->at[1], 0, UINT64_MAX, &item->shuffle, NULL) == TR_OK;
}

static bool read_fault(struct engines_case *item, const struct words *words)
{
	struct net_fault *fault = &item->faults[item->fault_count];

	if (words->count != 5 || item->fault_count == ENGINES_FAULTS)
		return false;
	fault->kind = strcmp(words->at[1], "host") == 0 ? NET_FAULT_HOST : NET_FAULT_CABLE;
	if (fault->kind == NET_FAULT_CABLE && strcmp(words->at[1], "cable") != 0)
		return false;
	fault->to_ticks = INT64_MAX;
	item->fault_count++;
	return number(words->at[2], UINT32_MAX, &fault->number) &&
	       ticks(words->at[3], &fault->from_ticks) &&
	       (strcmp(words->at[4], "-") == 0 || ticks(words->at[4], &fault->to_ticks));
}

static bool read_react(struct engines_case *item, const struct words *words)
{
	return words->count == 4 &&
	       num_parse_count(words->at[1], 0, UINT64_MAX, &item->reaction.seed, NULL) == TR_OK &&
	       number(words->at[2], UINT32_MAX, &item->reaction.rounds) &&
	       ticks(words->at[3], &item->reaction.think_ticks);
}

// Ports with commas between them, or "-".
static bool read_route(struct engines_packet *packet, const char *word)
{
	char copy[8 * ENGINES_ROUTE];
	char *rest = NULL;
	uint32_t port;

	packet->route_count = 0;
	if (strcmp(word, "-") == 0)
		return true;
	if (strlen(word) >= sizeof(copy))
		return false;
	strcpy(copy, word);
	for (char *at = strtok_r(copy, ",", &rest); at; at = strtok_r(NULL, ",", &rest)) {
		if (packet->route_count == ENGINES_ROUTE || !number(at, UINT16_MAX, &port))
			return false;
		packet->route[packet->route_count++] = (uint16_t)port;
	}
	return packet->route_count > 0;
}

static bool read_packet(struct engines_case *item, const struct words *words)
{
	struct engines_packet packet = {.route_count = ENGINES_USUAL_ROUTE};

	if (words->count < 5 || words->count > 6 || !ticks(words->at[1], &packet.time_ticks) ||
	    !number(words->at[2], UINT32_MAX, &packet.source) ||
	    !number(words->at[3], UINT32_MAX, &packet.destination) ||
	    !number(words->at[4], UINT32_MAX, &packet.size_bytes) ||
	    (words->count == 6 && !read_route(&packet, words->at[5])))
		return false;
	engines_case_packet(item, packet);
	return true;
}

static bool read_refused(struct engines_case *item, const struct words *words)
{
	struct engines_packet packet = {.route_count = ENGINES_USUAL_ROUTE};

	if (words->count != 2 || !ticks(words->at[1], &packet.time_ticks))
		return false;
	engines_case_packet(item, packet);
	return true;
}

static const struct line_kind {
	const char *name;
	bool (*read)(struct engines_case *item, const struct words *words);
} line_kinds[] = {
	{"hosts", read_hosts},	   {"switch", read_switch}, {"cable", read_cable},
	{"set", read_set},	   {"order", read_order},   {"sample", read_sample},
	{"cut", read_cut},	   {"enough", read_enough}, {"shuffle", read_shuffle},
	{"fault", read_fault},	   {"react", read_react},   {"packet", read_packet},
	{"refused", read_refused},
};

static bool read_line(struct engines_case *item, char *line)
{
	struct words words = {.count = 0};
	char *rest = NULL;

	for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
		if (words.count == WORDS_MAX)
			return false;
		words.at[words.count++] = word;
	}
	if (words.count == 0 || words.at[0][0] == '#')
		return true;
	for (size_t i = 0; i < sizeof(line_kinds) / sizeof(*line_kinds); i++)
		if (strcmp(line_kinds[i].name, words.at[0]) == 0)
			return line_kinds[i].read(item, &words);
	return false;
}

enum tr_status engines_case_read(struct engines_case *item, FILE *in, struct tr_error *err)
{
	char *line = NULL;
	size_t bytes = 0;
	bool good = true;

	engines_case_open(item);
	for (unsigned at = 1; good && getline(&line, &bytes, in) >= 0; at++) {
		good = line[0] == '#' || read_line(item, line);
		if (!good)
			tr_fail(err, "line %u is none of a case", at);
	}
	free(line);
	return good ? TR_OK : TR_ERROR;
}
