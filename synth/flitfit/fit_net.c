// SPDX-License-Identifier: GPL-3.0-or-later
// The latency of traffic over a network: flitsim carries the trace, and runs of each model fitted to the whole of it, and says
// how long packets take.
//
// Why the whole trace, while the distances compare halves: one number cannot be fitted too closely, except by a copy of the
// trace, which the rule does not prefer; and halves of one capture differ. Of 72 recordings of parallel programs the mean latency
// of the first half was off the second's by more than 10 % in 27.
#include "flitfit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/compare.h"
#include "trace/num.h"
#include "trace/spawn.h"
#include "trace/writer.h"

#define WORM_LEAST_B 8192u
#define WITHIN 10.0 // percent
#define FABRIC_WORDS 16u
#define NAME_BYTES 32u

// What one run of flitsim says.
struct latency {
	double mean_us, low_us, high_us, p99_us;
};

// The place of each node of a generator or of the trace, by id; ids from count on are their own. Nodes are written by their places,
// with the names of the trace, by which flitsim makes them hosts as it does those of the trace.
struct places {
	uint32_t *of;
	uint32_t count;
	uint32_t *id; // in the trace, of the node at a place
	uint32_t nodes;
	const struct tr_names *names; // of the trace; lent
};

static uint32_t place_of(const struct places *places, uint32_t id)
{
	return id < places->count ? places->of[id] : id;
}

static const char *name_at(const struct places *places, uint32_t place, char text[NAME_BYTES])
{
	if (place < places->nodes)
		return tr_names_node(places->names, places->id[place]);
	(void)snprintf(text, NAME_BYTES, "host%u", place);
	return text;
}

static void places_clear(struct places *places)
{
	free(places->of);
	free(places->id);
	*places = (struct places){.of = NULL};
}

// ---- Carrying packets

static enum tr_status put_packets(struct tr_writer *writer, const struct packet_sample *packets, const struct places *places,
				  uint32_t *largest_B)
{
	enum tr_status status = TR_OK;
	uint32_t named = 0;
	char text[NAME_BYTES];

	*largest_B = WORM_LEAST_B;
	for (size_t i = 0; i < packets->count && status == TR_OK; i++) {
		const struct tr_packet packet = {.time_ticks = packets->ticks[i] - packets->begin_ticks,
						 .id = i,
						 .flow = TR_FLOW_NONE,
						 .src = place_of(places, packets->src[i]),
						 .dst = place_of(places, packets->dst[i]),
						 .payload_bytes = packets->payload_B[i],
						 .wire_bytes = packets->wire_B[i],
						 .class = packets->class[i]};
		const uint32_t high = packet.src > packet.dst ? packet.src : packet.dst;

		for (; named <= high && status == TR_OK; named++)
			status = tr_put_node(writer, named, name_at(places, named, text), TR_ROLE_UNKNOWN);
		*largest_B = packet.payload_bytes > *largest_B ? packet.payload_bytes : *largest_B;
		if (status == TR_OK)
			status = tr_put(writer, &packet);
	}
	return status;
}

static enum tr_status write_packets(const struct packet_sample *packets, const struct places *places, const char *path,
				    uint32_t *largest_B, struct tr_error *err)
{
	const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = (uint64_t)packets->ticks_per_s};
	const struct tr_trailer trailer = {0};
	struct tr_writer *writer;
	enum tr_status status;

	if (tr_writer_open(&writer, path, &header, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	status = put_packets(writer, packets, places, largest_B);
	return tr_writer_close(writer, status == TR_OK ? &trailer : NULL, err) == TR_OK ? status : TR_ERROR;
}

// The word of the line at this column, from 0 on; its length is *bytes. NULL: the line has fewer.
static const char *word_at(const char *line, size_t column, size_t *bytes)
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
			while ((word = word_at(line, column, &bytes)) &&
			       (strlen(name) != bytes || strncmp(word, name, bytes) != 0))
				column++;
			column = word ? column : SIZE_MAX;
		} else if (column != SIZE_MAX && strncmp(line, "all\t", 4) == 0 && (word = word_at(line, column, &bytes))) {
			(void)snprintf(number, sizeof(number), "%.*s", (int)bytes, word);
			return num_parse_real(number, &value, &ignored) == TR_OK ? value : NAN;
		}
	}
	return value;
}

// What flitsim says of its input, without the names of both. A map of nodes, which it advises last, is no option here.
static void fit_net_remark(struct tr_error *err, const struct tr_error *why)
{
	static const char before[] = ": flitsim: ";
	const char *said = strstr(why->text, before), *map;

	said = said ? said + sizeof(before) - 1 : why->text;
	said += strncmp(said, "-: ", 3) == 0 ? 3 : 0;
	map = strstr(said, "--map FILE");
	if (map)
		(void)tr_fail_for(err, why,
				  "%.*sother names to the nodes (in the text of flitcut -T text, which --from-text reads)",
				  (int)(map - said), said);
	else
		(void)tr_fail_for(err, why, "%s", said);
}

static enum tr_status simulate(const struct fit_request *request, const char *packets, uint32_t largest_B, const char *tables,
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
		fit_net_remark(err, &why);
	return status;
}

static enum tr_status carry(const struct fit_request *request, const struct packet_sample *packets, const struct places *places,
			    struct latency *out, struct tr_error *err)
{
	struct tr_scratch stream = {.file = NULL}, tables = {.file = NULL};
	uint32_t largest_B = 0;
	char *text = NULL;
	enum tr_status status = tr_scratch_open(&stream, "the packets to carry", err);

	if (status == TR_OK)
		status = tr_scratch_open(&tables, "the latencies", err);
	if (status == TR_OK)
		status = write_packets(packets, places, stream.path, &largest_B, err);
	if (status == TR_OK)
		status = simulate(request, stream.path, largest_B, tables.path, err);
	if (status == TR_OK)
		status = tr_scratch_take(&tables, "the latencies", &text, err);
	if (status == TR_OK) {
		*out = (struct latency){cell(text, "latency_us"), cell(text, "latency_lo_us"), cell(text, "latency_hi_us"),
					cell(text, "p99_us")};
		if (!isfinite(out->mean_us) || !isfinite(out->p99_us))
			status = tr_fail(err, "flitsim measured no latency of %zu packets", packets->count);
	}
	free(text);
	tr_scratch_close(&stream);
	tr_scratch_close(&tables);
	return status;
}

// ---- Places: the model's numbers of the nodes (controllers first). A bootstrap has the trace's ids, a program ranks.

static enum tr_status place(const struct fit_source *source, const struct family *family, struct places *out,
			    struct tr_error *err)
{
	const struct packet_people *people = &source->sample->people;
	const uint32_t *ranks = family == &program_family ? source->request->fit.ranks : NULL;
	const bool own = family && family != &bootstrap_family && !ranks; // a model's node is its own place
	uint32_t next = people->senders;

	*out = (struct places){.of = calloc((size_t)people->count + 1, sizeof(*out->of)),
			       .count = own ? 0 : people->count,
			       .id = calloc((size_t)people->count + 1, sizeof(*out->id)),
			       .nodes = people->count,
			       .names = tr_reader_names(source->in)};
	if (!out->of || !out->id) {
		places_clear(out);
		return tr_no_memory(err, "%u hosts", people->count);
	}
	for (uint32_t id = 0; id < people->count; id++) {
		const uint32_t at = people->number[id] != UINT32_MAX ? people->number[id] : next++;
		const uint32_t as = ranks ? ranks[id] : id;

		out->id[at] = id;
		if (as < people->count)
			out->of[as] = at;
	}
	return TR_OK;
}

// ---- One family

static double mean_of(const double *values, size_t runs, double level, struct interval *interval)
{
	struct sample sample = {.n = (double)runs};
	double squares = 0;

	for (size_t r = 0; r < runs; r++)
		sample.mean += (values[r] - values[0]) / sample.n;
	sample.mean += values[0]; // exact where all are equal
	for (size_t r = 0; r < runs; r++)
		squares += (values[r] - sample.mean) * (values[r] - sample.mean);
	sample.sd = sqrt(squares / (sample.n - 1));
	*interval = interval_above(sample_interval(&sample, level), 0);
	return sample.mean;
}

static double percent_off(double value, double from)
{
	return 100 * (value / from - 1);
}

static bool is_within(double off)
{
	return off >= -WITHIN && off <= WITHIN;
}

// Whether a limit is inside the interval.
static bool is_unsure(double value, struct interval interval, double from)
{
	const bool within = is_within(percent_off(value, from));

	return is_within(percent_off(interval.lo, from)) != within || is_within(percent_off(interval.hi, from)) != within;
}

static void compare(const struct fit_request *request, const struct latency *trace, const double *means_us,
		    const double *p99s_us, struct fit_latency *out)
{
	const double level = request->fit.pulse.level;

	out->mean_us = mean_of(means_us, request->replicates, level, &out->mean);
	out->p99_us = mean_of(p99s_us, request->replicates, level, &out->p99);
	out->off = percent_off(out->mean_us, trace->mean_us);
	out->p99_off = percent_off(out->p99_us, trace->p99_us);
	out->carried = true;
	out->carries = is_within(out->off) && is_within(out->p99_off);
	out->unsure = is_unsure(out->mean_us, out->mean, trace->mean_us) || is_unsure(out->p99_us, out->p99, trace->p99_us);
}

// before: runs of other families, of all.
static enum tr_status carry_runs(const struct fit_source *source, const struct family *family, const struct model *text,
				 uint64_t before, uint64_t all, double *means_us, double *p99s_us, struct tr_error *err)
{
	const struct fit_request *request = source->request;
	struct places places;
	enum tr_status status = place(source, family, &places, err);

	for (unsigned r = 0; r < request->replicates && status == TR_OK; r++) {
		struct packet_sample packets;
		struct latency latency;

		tool_progress_part(source->tool, (double)(before + r) / (double)all, "%s: carried over %s: replicate %u of %u",
				   family->name, request->network, r + 1, (unsigned)request->replicates);
		status = judge_replicate(text, source->sample, request->seed + r, &packets, err);
		if (status == TR_OK && packets.count == 0)
			status = tr_fail(err, "a run has no packets");
		if (status == TR_OK)
			status = carry(request, &packets, &places, &latency, err);
		if (status == TR_OK) {
			means_us[r] = latency.mean_us;
			p99s_us[r] = latency.p99_us;
		}
		packet_sample_clear(&packets);
	}
	places_clear(&places);
	return status;
}

// before: families, of count. TR_ERROR: memory ends. A model that cannot be fitted or carried has a reason.
static enum tr_status carry_family(const struct fit_source *source, const struct latency *trace, const struct judged *judged,
				   size_t before, size_t count, struct fit_latency *out, struct tr_error *err)
{
	const uint64_t runs = source->request->replicates;
	double *values = calloc(2 * runs, sizeof(*values));
	struct fit_notes notes = {.freedom = 0};
	struct model text = {.name = NULL};
	struct tr_error why = {.text = ""};
	enum tr_status status;

	*out = (struct fit_latency){.mean_us = NAN, .off = NAN, .p99_us = NAN, .p99_off = NAN};
	out->mean = out->p99 = (struct interval){NAN, NAN};
	if (!values)
		return tr_no_memory(err, "%llu runs", (unsigned long long)runs);
	status = fit_family_text(source, judged->family, judged->by, NULL, &text, &notes, &why);
	if (status == TR_OK)
		status = carry_runs(source, judged->family, &text, before * runs, count * runs, values, values + runs, &why);
	if (status == TR_OK) {
		out->freedom = notes.freedom;
		out->scales = judged_scales(&(struct judged){.family = judged->family, .by = judged->by, .notes = notes});
		compare(source->request, trace, values, values + runs, out);
	} else {
		(void)snprintf(out->reason, sizeof(out->reason), "%s%.200s", status == TR_END ? "cannot be trusted: " : "",
			       why.text);
	}
	model_clear(&text);
	free(values);
	if (!why.breakdown)
		return TR_OK;
	*err = why;
	return TR_ERROR;
}

// ---- The choice

static double distance(const struct fit_latency *latency)
{
	return fmax(fabs(latency->off), fabs(latency->p99_off));
}

// Those that carry the latency first: the smallest of them, or the closest by the distances, whose order the list has; but a
// bootstrap, which is the trace again, behind all others. Then the nearest.
static bool is_better(const struct fit_net *net, const struct judged *x, const struct judged *y)
{
	const struct fit_latency *a = &net->each[x->place], *b = &net->each[y->place];

	if (a->carries != b->carries || a->carried != b->carried)
		return a->carries > b->carries || (a->carries == b->carries && a->carried);
	if (!a->carried)
		return false;
	if (!a->carries)
		return distance(a) < distance(b);
	if ((x->family == &bootstrap_family) != (y->family == &bootstrap_family))
		return y->family == &bootstrap_family;
	return !net->poisson_carries && a->freedom < b->freedom;
}

static void say_place(const struct fit_net *net, const struct judged *list, size_t at, size_t carrying)
{
	struct fit_latency *of = &net->each[list[at].place];
	const char *unsure = of->unsure ? "; more replicates may decide otherwise" : "";

	if (!of->carried)
		return;
	if (!of->carries)
		(void)snprintf(of->reason, sizeof(of->reason), "%smean off by %.3g %%, 99th percentile by %.3g %%%s",
			       at == 0 ? "the nearest, but " : "", of->off, of->p99_off, unsure);
	else if (at == 0)
		(void)snprintf(of->reason, sizeof(of->reason), "%s%s",
			       carrying == 1	      ? "the only one that carries the latency"
			       : net->poisson_carries ? "the closest by distances of those that carry the latency"
						      : "the fewest free parameters of those that carry the latency",
			       unsure);
	else if (list[at].family == &bootstrap_family)
		(void)snprintf(of->reason, sizeof(of->reason), "carries the latency too, but is the trace again%s", unsure);
	else if (net->poisson_carries)
		(void)snprintf(of->reason, sizeof(of->reason), "carries the latency too; the distances put it behind%s",
			       unsure);
	else
		(void)snprintf(of->reason, sizeof(of->reason), "carries the latency too, with %u free parameters against %u%s",
			       of->freedom, net->each[list[0].place].freedom, unsure);
}

static void order(struct fit_net *net, struct judged *list, size_t count)
{
	size_t carrying = 0;

	for (size_t i = 0; i < count; i++) {
		const bool carries = net->each[list[i].place].carries;

		carrying += carries;
		net->poisson_carries = net->poisson_carries || (carries && list[i].family == &poisson_process_family);
	}
	for (size_t i = 1; i < count; i++) {
		const struct judged one = list[i];
		size_t at = i;

		for (; at > 0 && is_better(net, &one, &list[at - 1]); at--)
			list[at] = list[at - 1];
		list[at] = one;
	}
	for (size_t i = 0; i < count; i++)
		say_place(net, list, i, carrying);
}

bool fit_net_carry(const struct fit_source *source, struct judged *list, size_t count, struct fit_net *net)
{
	struct places places = {.of = NULL};
	struct latency trace = {0};
	struct tr_error err;
	enum tr_status status;

	net->each = calloc(count, sizeof(*net->each));
	status = net->each ? place(source, NULL, &places, &err) : tr_no_memory(&err, "%zu latencies", count);
	if (status == TR_OK)
		status = carry(source->request, source->sample, &places, &trace, &err);
	places_clear(&places);
	net->trace = (struct fit_latency){.mean_us = trace.mean_us,
					  .mean = {trace.low_us, trace.high_us},
					  .p99_us = trace.p99_us,
					  .p99 = {NAN, NAN},
					  .off = NAN,
					  .p99_off = NAN};
	for (size_t i = 0; i < count && status == TR_OK; i++)
		status = carry_family(source, &trace, &list[i], i, count, &net->each[list[i].place], &err);
	if (status == TR_OK)
		order(net, list, count);
	else
		tool_error(source->tool, "%s: --net %s: %s", tr_reader_name(source->in), source->request->network, err.text);
	return status == TR_OK;
}
