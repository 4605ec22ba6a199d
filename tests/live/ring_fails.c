// SPDX-License-Identifier: GPL-3.0-or-later
// To be preloaded: the first ring that has given RING_FAILS_AFTER frames fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

int pcap_next_ex(pcap_t *pcap, struct pcap_pkthdr **head, const u_char **data)
{
	static _Thread_local long frames; // a thread has one ring
	const char *text = getenv("RING_FAILS_AFTER");
	int (*real)(pcap_t *, struct pcap_pkthdr **, const u_char **);
	void *found = dlsym(RTLD_NEXT, "pcap_next_ex");
	int status;

	memcpy(&real, &found, sizeof(real));
	if (text && frames == strtol(text, NULL, 10))
		return PCAP_ERROR;
	status = real(pcap, head, data);
	frames += status == 1;
	return status;
}
