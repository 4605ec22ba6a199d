// SPDX-License-Identifier: GPL-3.0-or-later
// Capture files, or an interface, to a trace stream.
#include "flitcap.h"

#include "table/opt_rows.h"

static const struct opt_choice node_words[] = {
	{"address", PK_NODES_BY_ADDRESS, "the IP address"},
	{"port", PK_NODES_BY_PORT, "the IP address and the port"},
	{"mac", PK_NODES_BY_MAC, "the Ethernet address"},
	{NULL, 0},
};

static const struct opt_choice finder_words[] = {
	{"both", CAP_MESSAGES_BY_BOTH, "by headers where a connection has any, else by the rule"},
	{"headers", CAP_MESSAGES_BY_HEADERS,
	 "by the headers that MPI libraries put before messages"},
	{"rule", CAP_MESSAGES_BY_RULE, "by sizes and times of packets"},
	{NULL, 0},
};

// Outputs are opened last: once there is something to write; for an interface by the user who
// writes them.
static bool flitcap_open_all(struct cap *cap, const struct cap_live_options *live,
			     struct opt_list *reads)
{
	if (!cap_open(cap))
		return false;
	if (live->interface)
		return cap_open_live(cap, live) && cap_drop_privileges(cap, live->user);
	return cap_open_files(cap, reads) && cap_open_dump(cap);
}

static int flitcap_run(struct tool *tool, struct cap_options *o,
		       const struct cap_live_options *live, struct opt_list *reads)
{
	struct cap cap = {.tool = tool, .options = o};

	o->live = live->interface != NULL;
	o->clamp |= o->live;
	if (flitcap_open_all(&cap, live, reads))
		cap_run(&cap);
	cap_close(&cap);
	return tool_finish(tool, TOOL_OK);
}

// Which options cannot be combined, and which have no effect alone.
#define RELATIONS \
	OPT_NOT_WITH("interface", "read"), \
		OPT_ONLY_WITH("snaplen,buffer-size,rings,no-promiscuous,relinquish-privileges", \
			      "interface"), \
		OPT_NOT_WITH("reorder,clamp", "unsorted"), \
		OPT_NOT_WITH("interface,rotate", "messages"), \
		OPT_ONLY_WITH("messages-by", "messages"), \
		OPT_NOT_WITH("interface,count,rotate,messages,reorder,unsorted,clamp,dedup", \
			     "join"), \
		OPT_ONLY_WITH("longest-delay", "join")

static const struct cap_options defaults = {
	.reorder_s = {1, 1000},
	.period_s = {0, 1},
	.longest_s = {1, 1},
	.link_rate_bps = {0, 1},
	.threshold_bytes = PK_THRESHOLD_BYTES,
	.memory_B = {1 << 30, 1},
};

int main(int argc, char **argv)
{
	struct cap_options o = defaults;
	struct opt_list reads = {NULL, 0};
	struct cap_live_options live = {.buffer_kib = 16384, .rings = 1};
	const struct opt opts[] = {
		{OPT_TYPE_LIST, 'r', "read", "FILE", OPT_READ_HELP, &reads, NUM_PLAIN, NULL,
		 OPT_PATH, 0},
		OPT_STRING_LISTED('i', "interface", "NAME", &live.interface, cap_interface_words,
				  "capture from an interface (list)"),
		OPT_NUMBER('s', "snaplen", &live.snap_bytes, 0,
			   "capture N bytes of each frame (256; with --pcap 262144)"),
		{OPT_TYPE_COUNT, 'B', "buffer-size", "KIB",
		 "size of the kernel's ring buffer in KiB", &live.buffer_kib, NUM_PLAIN, NULL,
		 OPT_SILENT | OPT_ABOVE_ZERO, INT32_MAX / 1024},
		{OPT_TYPE_COUNT, 0, "rings", "N",
		 "spread the interface's flows over N ring buffers, each read by a thread",
		 &live.rings, NUM_PLAIN, NULL, OPT_SILENT | OPT_ABOVE_ZERO, PK_RINGS_MAX},
		OPT_FLAG('p', "no-promiscuous", &live.not_promiscuous,
			 "do not use promiscuous mode"),
		OPT_SILENT_STRING('Z', "relinquish-privileges", "USER", &live.user,
				  "drop privileges to USER (tcpdump, else nobody)"),
		OPT_SILENT_FILE(0, "pcap", &o.pcap, "also write the frames to a capture file"),
		OPT_WRITE(&o.write),
		OPT_MESSAGES(&o.messages),
		OPT_CHOICE(0, "messages-by", &o.messages_by, finder_words, "how to find messages"),
		OPT_FLAG(0, "join", &o.joins,
			 "join captures of several hosts, FILE or NAME=FILE, into deliveries"),
		OPT_TIME(0, "longest-delay", &o.longest_s, "longest delay between two points"),
		OPT_STOP_AFTER(&o.count),
		OPT_FILE('F', "filter-file", &o.filter_file, "read the filter from FILE"),
		OPT_FILE(0, "addresses", &o.nodes, "read names and roles of addresses from FILE"),
		OPT_CHOICE(0, "nodes-by", &o.nodes_by, node_words, "what identifies a node"),
		OPT_FLAG(0, "outer", &o.outer, "do not decode tunnels"),
		OPT_SILENT_FLAG(0, "print", &o.print, "print a line for each decoded frame"),
		OPT_COUNT(0, "threshold", &o.threshold_bytes,
			  "payloads of up to N bytes are overhead"),
		OPT_TIME(0, "reorder", &o.reorder_s, "sort packets within this window"),
		OPT_FLAG(0, "unsorted", &o.unsorted, "keep the order of times that go back"),
		OPT_FLAG(0, "clamp", &o.clamp,
			 "give packets older than the window the time of the previous packet"),
		OPT_LINK_RATE(&o.link_rate_bps),
		OPT_SILENT_STRING(0, "anonymize", "KEY", &o.anonymize,
				  "anonymize addresses, preserving prefixes; KEY or @FILE"),
		OPT_MEMORY(&o.memory_B),
		{OPT_TYPE_LIST, 0, "dedup", "TIME",
		 "drop copies of packets seen within TIME (10ms): mirrored, bridged", &o.dedup,
		 NUM_PLAIN, NULL, OPT_OPTIONAL, 0},
		OPT_TIME('G', "rotate", &o.period_s, "start a new trace at each multiple of TIME"),
		OPT_COMPRESS(&o.compress),
		OPT_UNBUFFERED(&o.flush_each),
		RELATIONS,
		OPT_END,
	};
	const struct tool_spec spec = {"flitcap",
				       "[option ...] [-i interface | [-r] file ...] [filter]",
				       "Converts captures to a trace stream.", opts};

	return flitcap_run(tool_start(argc, argv, &spec), &o, &live, &reads);
}
