// SPDX-License-Identifier: GPL-3.0-or-later
// Counters of ports read again and again, as text: what snmpget and snmpwalk, or ethtool -S, print,
// each time after a line with the time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "plan_rates.h"
#include "stream/lines.h"
#include "value/grow.h"
#include "value/memstream.h"
#include "value/order.h"
#include "value/ticks.h"

#define NAME_BYTES 96u

struct plan_sample {
	uint32_t port;
	uint32_t reading; // number of its line with a time
	uint8_t counter;  // enum plan_counter
	bool wide;	  // of 64 bits
	int64_t ns;
	uint64_t value;
};

struct plan_port {
	char name[NAME_BYTES];
	char shown[NAME_BYTES]; // its ifName; "": none
	uint32_t device;
};

struct plan_device {
	char name[NAME_BYTES];
	uint32_t times; // lines
};

struct plan_counters {
	struct tr_lines lines;
	struct tr_error *err;
	struct plan_sample *samples;
	uint32_t sample_count, sample_room;
	struct plan_port *ports;
	uint32_t port_count;
	struct plan_device *devices;
	uint32_t device_count, device;
	int64_t ns; // of the last line with a time
	bool timed;
	uint32_t readings;
	uint64_t wraps, resets;
	uint64_t unsure;     // differences of 32 bits in whose time a counter can wrap twice
	uint64_t due, taken; // samples
	struct plan_series series;
};

static uint32_t plan_counters_device(struct plan_counters *counters, const char *name)
{
	for (uint32_t i = 0; i < counters->device_count; i++)
		if (strcmp(counters->devices[i].name, name) == 0)
			return i;
	if (!GROW_BY_COUNT(counters->devices, counters->device_count))
		return NET_NOBODY;
	counters->devices[counters->device_count] = (struct plan_device){.times = 0};
	(void)snprintf(counters->devices[counters->device_count].name, NAME_BYTES, "%s", name);
	return counters->device_count++;
}

static uint32_t plan_counters_port(struct plan_counters *counters, const char *index)
{
	const char *device = counters->devices[counters->device].name;
	char name[2 * NAME_BYTES];

	(void)snprintf(name, sizeof(name), "%s%s%s", device, *device && *index ? "/" : "", index);
	for (uint32_t i = 0; i < counters->port_count; i++)
		if (strcmp(counters->ports[i].name, name) == 0)
			return i;
	if (counters->port_count == PLAN_NODES_MAX || strlen(name) >= NAME_BYTES ||
	    !GROW_BY_COUNT(counters->ports, counters->port_count))
		return NET_NOBODY;
	counters->ports[counters->port_count] = (struct plan_port){.device = counters->device};
	memcpy(counters->ports[counters->port_count].name, name, strlen(name) + 1);
	return counters->port_count++;
}

static enum tr_status plan_counters_put(struct plan_counters *counters, const char *index,
					enum plan_counter counter, bool wide, const char *value)
{
	struct plan_sample sample = {.counter = (uint8_t)counter,
				     .wide = wide,
				     .ns = counters->ns,
				     .reading = counters->readings};
	struct tr_error why;

	if (num_parse_count(value, 0, wide ? UINT64_MAX : UINT32_MAX, &sample.value, &why) != TR_OK)
		return tr_lines_fail(&counters->lines, counters->err, "%s", why.text);
	sample.port = plan_counters_port(counters, index);
	if (sample.port == NET_NOBODY)
		return tr_lines_fail(&counters->lines, counters->err,
				     "more than %u ports, or a name of more than %u characters",
				     PLAN_NODES_MAX, NAME_BYTES - 1);
	if (!GROW(counters->samples, counters->sample_room, counters->sample_count))
		return tr_no_memory(counters->err, "samples of counters");
	counters->samples[counters->sample_count++] = sample;
	return TR_OK;
}

// ---- lines

static enum tr_status plan_counters_time(struct plan_counters *counters, int64_t ns,
					 const char *name)
{
	if (strlen(name) >= NAME_BYTES)
		return tr_lines_fail(&counters->lines, counters->err, "the name is too long");
	if (counters->timed && ns < counters->ns)
		return tr_lines_fail(&counters->lines, counters->err,
				     "the time is before that of the lines above");
	counters->device = plan_counters_device(counters, name);
	if (counters->device == NET_NOBODY)
		return tr_no_memory(counters->err, "names of devices");
	counters->ns = ns;
	counters->timed = true;
	counters->readings++;
	counters->devices[counters->device].times++;
	return TR_OK;
}

// A switch that begins anew may give its ports other numbers.
static enum tr_status plan_counters_name(struct plan_counters *counters, const char *index,
					 char *value)
{
	const uint32_t port = plan_counters_port(counters, index);
	const size_t length = strlen(value);
	char *shown;

	if (port == NET_NOBODY)
		return TR_OK;
	if (length > 1 && *value == '"' && value[length - 1] == '"') {
		value[length - 1] = '\0';
		value++;
	}
	shown = counters->ports[port].shown;
	if (*shown != '\0' && strncmp(shown, value, NAME_BYTES - 1) != 0)
		return tr_lines_fail(&counters->lines, counters->err,
				     "port %s was %s above, and is %.60s now: give what was read "
				     "from here on by itself",
				     counters->ports[port].name, shown, value);
	(void)snprintf(shown, NAME_BYTES, "%s", value);
	return TR_OK;
}

// NAME = TYPE: VALUE
static enum tr_status plan_counters_snmp(struct plan_counters *counters, char *line, char *sign)
{
	const struct plan_object *object;
	const char *index;
	char *value = sign + 3, *type;

	*sign = '\0';
	object = plan_counter_object(line, &index);
	if (!object || strncmp(value, "No Such ", 8) == 0) // of which a sample is missing
		return TR_OK;
	type = strstr(value, ": ");
	if (type)
		value = type + 2;
	if (object->counter != COUNTERS)
		return plan_counters_put(counters, index, object->counter, object->wide, value);
	return plan_counters_name(counters, index, value);
}

static enum tr_status plan_counters_line(struct plan_counters *counters, char *line)
{
	const char *name;
	int64_t ns;
	char *sign;

	line += strspn(line, " \t");
	if (plan_counter_is_time(line, &ns, &name))
		return plan_counters_time(counters, ns, name);
	if (!counters->timed)
		return tr_lines_fail(&counters->lines, counters->err,
				     "expected a time in seconds since the Unix epoch (date +%%s), "
				     "found \"%.60s\"",
				     line);
	sign = strstr(line, " = ");
	if (sign)
		return plan_counters_snmp(counters, line, sign);
	if (strncmp(line, "tx_bytes: ", 10) == 0)
		return plan_counters_put(counters, "", COUNTER_SENT, true, line + 10);
	if (strncmp(line, "rx_bytes: ", 10) == 0)
		return plan_counters_put(counters, "", COUNTER_RECEIVED, true, line + 10);
	return TR_OK;
}

// ---- what passed between samples

static int plan_counters_compare(const void *left, const void *right)
{
	const struct plan_sample *a = left, *b = right;

	ORDER_BY(a->port, b->port);
	ORDER_BY(a->counter, b->counter);
	ORDER_BY(b->wide, a->wide);
	ORDER_BY(a->ns, b->ns);
	return ORDER(a->value, b->value);
}

// Bytes between two samples; false where the counter began anew. One of 32 bits that went down has
// wrapped if the port could carry that much.
static bool plan_counters_passed(struct plan_counters *counters, const struct plan_sample *from,
				 const struct plan_sample *to, double rate_bps, double *bytes)
{
	const double seconds = (double)(to->ns - from->ns) / TR_NS_PER_S;

	*bytes = (double)(to->value - from->value);
	counters->unsure += !to->wide && rate_bps * seconds > 8 * 0x1p32;
	if (to->value >= from->value)
		return true;
	*bytes = (double)(uint32_t)(to->value - from->value);
	if (to->wide || 8 * *bytes > rate_bps * seconds) {
		counters->resets++;
		return false;
	}
	counters->wraps++;
	return true;
}

// The bytes, evenly over the time between two samples, in intervals of the width; 0: in one.
static enum tr_status plan_counters_spread(struct plan_counters *counters,
					   const struct plan_sample *from,
					   const struct plan_sample *to, double bytes,
					   int64_t width_ns)
{
	const uint64_t key = (uint64_t)from->port * COUNTERS + from->counter;
	const double per_ns = bytes / (double)(to->ns - from->ns);
	int64_t at = from->ns;

	while (at < to->ns) {
		const int64_t left = to->ns - at, into = width_ns ? at % width_ns : 0;
		const int64_t most = width_ns ? width_ns - into : left;
		const int64_t covered = most < left ? most : left;
		const int64_t count = into || left < most || !width_ns ? 1 : left / width_ns;

		if (plan_series_add(&counters->series,
				    &(struct plan_point){key, width_ns ? at / width_ns : 0,
							 per_ns * (double)covered, covered,
							 (uint64_t)count - 1},
				    counters->err) != TR_OK)
			return TR_ERROR;
		at += count * covered;
	}
	return TR_OK;
}

// Cards of which each has the same counter need names of their own.
static enum tr_status plan_counters_check_twice(const struct plan_counters *counters,
						const struct plan_sample *last,
						const struct plan_sample *sample)
{
	if (last->reading != sample->reading || last->wide != sample->wide ||
	    last->value == sample->value)
		return TR_OK;
	return tr_fail(counters->err,
		       "%s: %s has two values of one counter behind one line with a time: give "
		       "each of its network cards a line and a name of its own",
		       tr_source_name(counters->lines.source), counters->ports[sample->port].name);
}

static enum tr_status plan_counters_sum(struct plan_counters *counters, double rate_bps,
					int64_t width_ns)
{
	const struct plan_sample *last = NULL;
	enum tr_status status = TR_OK;
	double bytes;

	if (counters->sample_count > 0)
		qsort(counters->samples, counters->sample_count, sizeof(*counters->samples),
		      plan_counters_compare);
	for (uint32_t i = 0; status == TR_OK && i < counters->sample_count; i++) {
		const struct plan_sample *sample = &counters->samples[i];

		if (!last || last->port != sample->port || last->counter != sample->counter)
			counters->due +=
				counters->devices[counters->ports[sample->port].device].times;
		else if (last->wide != sample->wide || last->ns == sample->ns) {
			status = plan_counters_check_twice(counters, last, sample);
			continue; // the counter of 64 bits says it
		} else if (plan_counters_passed(counters, last, sample, rate_bps, &bytes))
			status = plan_counters_spread(counters, last, sample, bytes, width_ns);
		counters->taken++;
		last = sample;
	}
	plan_series_merge(&counters->series);
	return status;
}

// ---- rates of ports, and the matrix

// Bytes of each port's counters in so many seconds, at totals[counter * ports + port].
static enum tr_status plan_counters_totals(const struct plan_counters *counters,
					   const struct plan_rate *rate, int64_t width_ns,
					   double *totals)
{
	const struct plan_series *series = &counters->series;
	struct plan_point *whole = calloc((size_t)series->count + 1, sizeof(*whole));

	if (!whole)
		return tr_no_memory(counters->err, "rates of ports");
	for (uint32_t i = 0, next; i < series->count; i = next) {
		const uint64_t key = series->points[i].key;
		uint32_t found = 0;
		double covered = 0;

		for (next = i; next < series->count && series->points[next].key == key; next++) {
			covered = (double)series->points[next].covered;
			if (width_ns == 0 || series->points[next].covered == width_ns)
				whole[found++] = series->points[next];
		}
		totals[key % COUNTERS * counters->port_count + key / COUNTERS] =
			width_ns == 0 ? whole[0].bytes / covered * TR_NS_PER_S
				      : plan_rate_quantile(whole, found, 0, rate->share);
	}
	free(whole);
	return TR_OK;
}

static void plan_counters_write(const struct plan_counters *counters, const double *a,
				const double *b, double scale, FILE *out)
{
	(void)fprintf(out, "src\tdst\tbytes\n");
	for (uint32_t i = 0; i < counters->port_count; i++)
		for (uint32_t j = 0; j < counters->port_count; j++) {
			const struct plan_port *from = &counters->ports[i];
			const struct plan_port *to = &counters->ports[j];

			if (i != j && a[i] * b[j] * scale >= 1)
				(void)fprintf(out, "%s\t%s\t%.0f\n", from->shown, to->shown,
					      a[i] * b[j] * scale);
		}
}

// An ifName takes the place of the index in a port's name. Blanks would end a name.
static void plan_counters_show(struct plan_counters *counters)
{
	for (uint32_t i = 0; i < counters->port_count; i++) {
		struct plan_port *port = &counters->ports[i];
		const char *device = counters->devices[port->device].name;
		char name[2 * NAME_BYTES + 2];

		(void)snprintf(name, sizeof(name), "%s%s%s", device,
			       *device && *port->shown ? "/" : "", port->shown);
		(void)snprintf(port->shown, NAME_BYTES, "%s",
			       *port->shown && strlen(name) < NAME_BYTES ? name : port->name);
		for (char *at = port->shown; *at != '\0'; at++)
			if (*at >= '\0' && *at <= ' ')
				*at = '-';
	}
}

static enum tr_status plan_counters_check_names(const struct plan_counters *counters)
{
	for (uint32_t i = 0; i < counters->port_count; i++)
		for (uint32_t j = 0; j < i; j++)
			if (strcmp(counters->ports[i].shown, counters->ports[j].shown) == 0)
				return tr_fail(counters->err,
					       "%s: %s and %s are both %s: without the lines of "
					       "ifName they are told apart by number",
					       tr_source_name(counters->lines.source),
					       counters->ports[j].name, counters->ports[i].name,
					       counters->ports[i].shown);
	return TR_OK;
}

#define SCALE 1e6 // intervals that the bytes are of, so that small rates keep their digits

static enum tr_status plan_counters_matrix(struct plan_counters *counters,
					   const struct plan_rate *rate, int64_t width_ns,
					   struct plan_pairs *pairs)
{
	const uint32_t ports = counters->port_count;
	double *totals = calloc((size_t)4 * ports + 1, sizeof(*totals));
	double *received = totals + ports, *a = totals + (size_t)2 * ports, *b = a + ports;
	double sent, got, worst;
	FILE *out;

	if (!totals || plan_counters_totals(counters, rate, width_ns, totals) != TR_OK) {
		free(totals);
		return tr_no_memory(counters->err, "rates of ports");
	}
	sent = plan_gravity_sum(totals, ports);
	got = plan_gravity_sum(received, ports);
	for (uint32_t j = 0; j < ports && got > 0; j++)
		received[j] *= sent / got;
	out = sent > 0 && got > 0 ? tr_memstream_open(&pairs->text, &pairs->bytes) : NULL;
	if (!out) {
		free(totals);
		return tr_fail(counters->err,
			       "%s: no two samples of what ports sent, and received, in whole "
			       "intervals",
			       tr_source_name(counters->lines.source));
	}
	worst = plan_gravity_fit(totals, received, ports, a, b);
	pairs->seconds = SCALE * (width_ns > 0 ? (double)width_ns / TR_NS_PER_S : 1);
	plan_counters_write(counters, a, b, SCALE, out);
	(void)snprintf(pairs->note, sizeof(pairs->note),
		       "traffic: a guess from the totals of %u ports, in which what one sends goes "
		       "to the others in proportion to what they receive (gravity); wraps %llu, "
		       "resets %llu, missing samples %llu of %llu; too far apart for 32 bits %llu",
		       ports, (unsigned long long)counters->wraps,
		       (unsigned long long)counters->resets,
		       (unsigned long long)(counters->due - counters->taken),
		       (unsigned long long)counters->due, (unsigned long long)counters->unsure);
	if (worst > 1e-6)
		(void)snprintf(pairs->warning, sizeof(pairs->warning),
			       "no matrix has the ports' totals: one port sends or receives more "
			       "than the others can take or give; by up to %.3g %% of what a port "
			       "received they are missed",
			       100 * worst);
	else if (fabs(sent / got - 1) > 0.01)
		(void)snprintf(pairs->warning, sizeof(pairs->warning),
			       "the ports sent %.4g MB/s and received %.4g MB/s; the latter is "
			       "scaled to the former",
			       sent * SCALE / pairs->seconds / 1e6,
			       got * SCALE / pairs->seconds / 1e6);
	free(totals);
	return tr_memstream_close(out) ? TR_OK : tr_no_memory(counters->err, "the pairs");
}

enum tr_status plan_rates_of_counters(struct tr_source *source, const struct plan_rate *rate,
				      double rate_bps, struct plan_pairs *pairs,
				      struct tr_error *err)
{
	struct plan_counters counters = {.lines.source = source, .err = err};
	int64_t width_ns = 0;
	enum tr_status status;
	char *line;

	if (rate->share > 0 && tr_ticks_exact(rate->width_s, TR_NS_PER_S, &width_ns, err) != TR_OK)
		return tr_fail_in(err, "--rate");
	while ((status = tr_lines_next(&counters.lines, &line, err)) == TR_OK)
		if (plan_counters_line(&counters, line) != TR_OK)
			break;
	status = status == TR_END ? plan_counters_sum(&counters, rate_bps, width_ns) : TR_ERROR;
	plan_counters_show(&counters);
	if (status == TR_OK)
		status = plan_counters_check_names(&counters);
	if (status == TR_OK)
		status = plan_counters_matrix(&counters, rate, width_ns, pairs);
	tr_lines_clear(&counters.lines);
	plan_series_close(&counters.series);
	free(counters.samples);
	free(counters.ports);
	free(counters.devices);
	return status;
}
