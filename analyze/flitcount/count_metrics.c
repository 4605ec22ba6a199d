// SPDX-License-Identifier: GPL-3.0-or-later
// Counters and a histogram of rates as OpenMetrics 1.0
// (https://prometheus.io/docs/specs/om/open_metrics_spec/), which a node exporter reads too: no
// timestamps, and "# EOF" is a comment to it.
#include "flitcount.h"

#include <inttypes.h>
#include <string.h>

#include "file/outfile.h"
#include "value/ticks.h"

// ---- a histogram of rates on the wire

// Bytes per second that 0, and 10, 20 and 50 Mb/s times powers of ten, are.
const double count_rate_bounds[COUNT_RATE_BOUNDS] = {0,	     1.25e6,  2.5e6,  6.25e6, 1.25e7, 2.5e7,
						     6.25e7, 1.25e8,  2.5e8,  6.25e8, 1.25e9, 2.5e9,
						     6.25e9, 1.25e10, 2.5e10, 6.25e10};

enum tr_status count_rates_open(struct count_rates *rates, const struct tr_header *header,
				struct tr_error *err)
{
	const struct num_ratio width = {1, COUNT_RATES_PER_S};
	int64_t width_ticks;

	*rates = (struct count_rates){.end_ticks = INT64_MIN};
	if (tr_ticks_exact(width, header->ticks_per_s, &width_ticks, err) != TR_OK)
		return TR_ERROR;
	return bin_grid_set(&rates->grid, width_ticks, header, 0, err);
}

static void close_window(struct count_rates *rates)
{
	const double rate = (double)rates->wire_bytes * COUNT_RATES_PER_S;
	size_t i = 0;

	while (i < COUNT_RATE_BOUNDS && rate > count_rate_bounds[i])
		i++;
	rates->buckets[i]++;
	rates->sum += rate;
}

enum tr_status count_rates_pass(struct count_rates *rates, int64_t time_ticks, struct tr_error *err)
{
	int64_t index;

	if (time_ticks < rates->end_ticks)
		return TR_OK;
	if (bin_grid_index(&rates->grid, time_ticks, &index, err) != TR_OK)
		return TR_ERROR;
	if (rates->windows > 0) { // the first was observed only in part
		if (rates->windows > 1)
			close_window(rates);
		rates->buckets[0] += (uint64_t)(index - rates->index - 1);
	}
	rates->windows++;
	rates->wire_bytes = 0;
	rates->index = index;
	rates->end_ticks = bin_grid_start(&rates->grid, index + 1);
	return TR_OK;
}

enum tr_status count_rates_add(struct count_rates *rates, int64_t time_ticks, uint32_t wire_bytes,
			       struct tr_error *err)
{
	if (count_rates_pass(rates, time_ticks, err) != TR_OK)
		return TR_ERROR;
	rates->wire_bytes += wire_bytes;
	return TR_OK;
}

// ---- the text

static void write_family(FILE *out, const char *name, const char *type, const char *help)
{
	(void)fprintf(out, "# HELP flitline_%s %s\n# TYPE flitline_%s %s\n", name, help, name,
		      type);
}

static void write_counter(FILE *out, const char *name, const char *help, uint64_t value)
{
	write_family(out, name, "counter", help);
	(void)fprintf(out, "flitline_%s_total %" PRIu64 "\n", name, value);
}

static void write_label(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			(void)putc('\\', out);
		(void)putc(*text, out);
	}
}

static void write_by_class(FILE *out, const char *name, const char *help,
			   const uint64_t counts[COUNT_CLASSES])
{
	write_family(out, name, "counter", help);
	for (int i = 0; i < COUNT_CLASSES; i++)
		if (counts[i] && i < COUNT_CLASSES - 1)
			(void)fprintf(out, "flitline_%s_total{priority=\"%d\"} %" PRIu64 "\n", name,
				      i, counts[i]);
		else if (counts[i])
			(void)fprintf(out, "flitline_%s_total{priority=\"link\"} %" PRIu64 "\n",
				      name, counts[i]);
}

static void write_congestion(FILE *out, const struct count_totals *totals)
{
	write_counter(out, "markable_packets", "Packets that switches may mark (ECN).",
		      totals->markable);
	write_counter(out, "marked_packets", "Packets that switches marked (ECN).", totals->marked);
	write_counter(out, "congestion_notifications", "Congestion notification packets of RoCE.",
		      totals->notifications);
	write_counter(
		out, "pause_frames",
		"Frames of Ethernet that ask a link to pause, or to go on (802.3x, 802.1Qbb).",
		totals->pause_frames);
	write_by_class(out, "pauses", "Pauses asked for and renewed, by priority.", totals->pauses);
	write_by_class(out, "pause_ends", "Ends of pauses asked for, by priority.",
		       totals->pause_ends);
}

// Frames that a capture could not decode, by reason.
static void write_undecoded(FILE *out, const struct tr_names *names)
{
	static const char prefix[] = "undecoded.";

	write_family(out, "undecoded_frames", "counter", "Frames without a record, by reason.");
	for (uint32_t i = 0; i < names->counter_count; i++) {
		const struct tr_counter *counter = &names->counters[i];

		if (strncmp(counter->key, prefix, strlen(prefix)) != 0)
			continue;
		(void)fputs("flitline_undecoded_frames_total{reason=\"", out);
		write_label(out, counter->key + strlen(prefix));
		(void)fprintf(out, "\"} %" PRIu64 "\n", counter->value);
	}
}

// What the capture lost so far, where it says so.
static void write_lost(FILE *out, const struct tr_reader *in)
{
	const struct tr_trailer *trailer = tr_reader_trailer(in);
	const struct tr_names *names = tr_reader_names(in);
	static const char key[] = "lost_so_far";
	bool known = trailer->lost_known;
	uint64_t lost = trailer->lost;

	for (uint32_t i = 0; !known && i < names->counter_count; i++)
		if (strcmp(names->counters[i].key, key) == 0) {
			known = true;
			lost = names->counters[i].value;
		}
	if (known)
		write_counter(out, "lost_packets", "Packets that the capture lost.", lost);
}

static void write_rates(FILE *out, const struct count_rates *rates)
{
	uint64_t below = 0;

	write_family(out, "wire_rate_bytes_per_second", "histogram",
		     "Rate of the frames on the wire over windows of 100 us.");
	for (size_t i = 0; i < COUNT_RATE_BOUNDS; i++) {
		below += rates->buckets[i];
		(void)fprintf(out,
			      "flitline_wire_rate_bytes_per_second_bucket{le=\"%g%s\"} %" PRIu64
			      "\n",
			      count_rate_bounds[i], i == 0 ? ".0" : "", below);
	}
	below += rates->buckets[COUNT_RATE_BOUNDS];
	(void)fprintf(out,
		      "flitline_wire_rate_bytes_per_second_bucket{le=\"+Inf\"} %" PRIu64 "\n"
		      "flitline_wire_rate_bytes_per_second_sum %.17g\n"
		      "flitline_wire_rate_bytes_per_second_count %" PRIu64 "\n",
		      below, rates->sum, below);
}

static void write_metrics(const struct count_live *live, int64_t time_ticks, FILE *out)
{
	const struct count_totals *totals = &live->totals;
	char time_s[64];

	write_counter(out, "packets", "Packets.", totals->packets);
	write_counter(out, "wire_bytes", "Bytes of the packets' frames on the wire.",
		      totals->wire_bytes);
	write_counter(out, "payload_bytes", "Bytes that the transport carried in the packets.",
		      totals->payload_bytes);
	write_congestion(out, totals);
	write_undecoded(out, tr_reader_names(live->in));
	write_lost(out, live->in);
	write_rates(out, &live->rates);
	write_family(out, "time_seconds", "gauge",
		     "Time in the trace up to which packets are counted, since the Unix epoch.");
	(void)fprintf(out, "flitline_time_seconds %s\n# EOF\n",
		      live_reports_time_text(tr_reader_header(live->in), time_ticks, time_s,
					     sizeof(time_s)));
}

static enum tr_status write_metrics_file(const struct count_live *live, int64_t time_ticks,
					 struct tr_error *err)
{
	const struct tr_outfile_options options = {.files = tool_files(live->tool)};
	struct tr_outfile *file;
	FILE *out;

	if (tr_outfile_open(&file, live->path, &options, err) != TR_OK)
		return TR_ERROR;
	out = tr_outfile_stream(file);
	if (out)
		write_metrics(live, time_ticks, out);
	if (tr_outfile_close(file, out, err) != TR_OK)
		return TR_ERROR;
	return out ? TR_OK : tr_no_memory(err, "%s", live->path);
}

enum tr_status count_metrics_write(const struct count_live *live, int64_t time_ticks)
{
	struct tr_error err;

	if (!live->path || strcmp(live->path, "-") == 0) {
		write_metrics(live, time_ticks, tool_stdout(live->tool));
		return fflush(stdout) == 0 ? TR_OK : TR_END;
	}
	if (write_metrics_file(live, time_ticks, &err) == TR_OK)
		return TR_OK;
	tool_error(live->tool, "%s", err.text);
	return TR_END;
}
