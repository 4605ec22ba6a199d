// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of flow control, and what they come to on a cable.
#include <string.h>

#include "net/ethernet/ethernet_pause.h"
#include "value/num.h"

#define QUANTUM_B 64u // 512 bit times
#define QUANTA_MAX 65535u

// The response time of IEEE 802.1Qbb and its successors, in quanta, up to a rate; the last is for
// all above. As Gupta and Mazurek, "Detecting, Troubleshooting, and Preventing Congestion in
// Storage Networks", Cisco Press, chapter 7, have them in bit times: 30,720, 40,960, 60,416,
// 201,728 and 463,360.
static const struct {
	uint64_t rate_bps;
	uint64_t quanta;
} responses[] = {{10000000000, 60},
		 {25000000000, 80},
		 {40000000000, 118},
		 {100000000000, 394},
		 {UINT64_MAX, 905}};

// Reads "auto" or a number.
static enum tr_status ethernet_pause_size(const char *key, const char *text,
					  enum num_dimension dimension, uint64_t most,
					  uint64_t *out, struct tr_error *err)
{
	struct num_ratio value;
	struct tr_error why;

	*out = ETHERNET_AUTO;
	if (strcmp(text, "auto") == 0)
		return TR_OK;
	if (num_parse(text, dimension, &value, &why) != TR_OK || value.den != 1 || value.num < 0 ||
	    (uint64_t)value.num > most)
		return tr_fail(err, "ethernet: %s: expected auto, or 0 to %llu", key,
			       (unsigned long long)most);
	*out = (uint64_t)value.num;
	return TR_OK;
}

// Reads "all", or "PRIORITY/...".
static enum tr_status ethernet_pause_priorities(const char *text, uint8_t used, uint8_t *out,
						struct tr_error *err)
{
	*out = used;
	if (strcmp(text, "all") == 0)
		return TR_OK;
	*out = 0;
	for (;; text += 2) {
		if (text[0] < '0' || text[0] > '7' || (text[1] != '\0' && text[1] != '/'))
			return tr_fail(err, "ethernet: pfc: expected all, or priorities, as in "
					    "3/4, of 0 to 7");
		if ((used >> (text[0] - '0') & 1) == 0)
			return tr_fail(err,
				       "ethernet: pfc: no packet has the priority %c; see the key "
				       "priority",
				       text[0]);
		*out |= (uint8_t)(1u << (text[0] - '0'));
		if (text[1] == '\0')
			return TR_OK;
	}
}

enum tr_status ethernet_pause_read(struct ethernet_pause_keys *keys,
				   const struct ethernet_params *params, uint8_t used,
				   struct tr_error *err)
{
	const struct ethernet_pause_params *pause = &params->pause;
	const uint64_t most_B = ethernet_frame_B((uint32_t)params->mtu_B) + ETHERNET_PREAMBLE_B +
				ETHERNET_GAP_B;

	*keys = (struct ethernet_pause_keys){.priorities = 0};
	if (!ethernet_has_pauses(params))
		return TR_OK;
	if (ethernet_pause_priorities(pause->of, used, &keys->priorities, err) != TR_OK ||
	    ethernet_pause_size("xoff", pause->xoff, NUM_SIZE, UINT32_MAX, &keys->xoff_B, err) !=
		    TR_OK ||
	    ethernet_pause_size("xon", pause->xon, NUM_SIZE, UINT32_MAX, &keys->xon_B, err) !=
		    TR_OK ||
	    ethernet_pause_size("headroom", pause->headroom, NUM_SIZE, UINT32_MAX,
				&keys->headroom_B, err) != TR_OK ||
	    ethernet_pause_size("response", pause->response, NUM_PLAIN, QUANTA_MAX,
				&keys->response_quanta, err) != TR_OK)
		return TR_ERROR;
	if (pause->quanta > QUANTA_MAX)
		return tr_fail(err, "ethernet: quanta: expected 1 to %u", QUANTA_MAX);
	// Renewed when half of it is over, behind a frame that has just begun.
	if (pause->quanta * QUANTUM_B < 2 * most_B)
		return tr_fail(err,
			       "ethernet: quanta: a pause of %llu may end before it can be renewed "
			       "behind a frame of the MTU; expected %llu or more",
			       (unsigned long long)pause->quanta,
			       (unsigned long long)((2 * most_B + QUANTUM_B - 1) / QUANTUM_B));
	return TR_OK;
}

static uint64_t ethernet_pause_response_quanta(const struct net_cable_times *times,
					       uint64_t ticks_per_s)
{
	const uint64_t rate_bps = 8 * (ticks_per_s / (uint64_t)times->byte_ticks);
	size_t i = 0;

	while (rate_bps > responses[i].rate_bps)
		i++;
	return responses[i].quanta;
}

// What may still come after the frame with which the count passes xoff: until the pause frame has
// waited for a frame, has been sent, has crossed the cable and has taken effect, and then a frame
// that has just begun, and what is on the cable. That frame itself may be above xoff but for a
// byte.
static uint64_t ethernet_pause_headroom(uint64_t frame_B, const struct net_cable_times *times,
					uint64_t response_B)
{
	const uint64_t pause_waits_B = frame_B + ETHERNET_PREAMBLE_B + ETHERNET_GAP_B;
	const uint64_t pause_B = ETHERNET_PREAMBLE_B + ETHERNET_PAUSE_B;
	const uint64_t begun_B = ETHERNET_PREAMBLE_B + frame_B;
	const uint64_t cable_B = ((uint64_t)times->propagation_ticks * 2 +
				  (uint64_t)times->byte_ticks - 1) /
				 (uint64_t)times->byte_ticks;

	return frame_B + pause_waits_B + pause_B + response_B + begun_B + cable_B;
}

enum tr_status ethernet_pause_limit(const struct ethernet_pause_keys *keys, uint64_t mtu_B,
				    const struct net_cable_times *times, uint64_t ticks_per_s,
				    struct ethernet_pause_limits *out, struct tr_error *err)
{
	const uint64_t frame_B = ethernet_frame_B((uint32_t)mtu_B);
	const uint64_t quanta = keys->response_quanta != ETHERNET_AUTO
					? keys->response_quanta
					: ethernet_pause_response_quanta(times, ticks_per_s);
	uint64_t needs_B;

	out->response_B = quanta * QUANTUM_B;
	needs_B = ethernet_pause_headroom(frame_B, times, out->response_B);
	out->headroom_B = keys->headroom_B != ETHERNET_AUTO ? keys->headroom_B : needs_B;
	out->xoff_B = keys->xoff_B != ETHERNET_AUTO ? keys->xoff_B : needs_B;
	out->xon_B = keys->xon_B != ETHERNET_AUTO ? keys->xon_B
		     : out->xoff_B > frame_B	  ? out->xoff_B - frame_B
						  : 0;
	if (out->xon_B <= out->xoff_B)
		return TR_OK;
	return tr_fail(err, "ethernet: xon: %llu B is above xoff, %llu B",
		       (unsigned long long)out->xon_B, (unsigned long long)out->xoff_B);
}
