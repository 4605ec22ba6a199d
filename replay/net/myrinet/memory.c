// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/memory.h"

#include "net/myrinet/receiver.h"
#include "net/myrinet/sender.h"

static bool take(struct myr_network *net, struct myr_host *host, uint64_t size_bytes,
		 uint64_t limit)
{
	uint64_t need = size_bytes + net->params->adapter.header_B;

	if (need > limit || host->memory_used_B > limit - need)
		return false;
	host->memory_used_B += need;
	return true;
}

bool myr_memory_take_to_send(struct myr_network *net, struct myr_host *host, uint64_t size_bytes)
{
	const struct myr_adapter_params *adapter = &net->params->adapter;

	return take(net, host, size_bytes, adapter->sram_B - adapter->receive_reserve_B);
}

bool myr_memory_take_to_receive(struct myr_network *net, struct myr_host *host, uint64_t size_bytes)
{
	return take(net, host, size_bytes, net->params->adapter.sram_B);
}

void myr_memory_drop(struct myr_network *net, struct myr_host *host, uint64_t size_bytes)
{
	host->memory_used_B -= size_bytes + net->params->adapter.header_B;
}

void myr_memory_look(struct myr_network *net, struct myr_host *host)
{
	myr_receiver_room(net, host);
	myr_sender_fetch(net, host);
}

void myr_memory_free(struct myr_network *net, struct myr_host *host, uint64_t size_bytes)
{
	myr_memory_drop(net, host, size_bytes);
	myr_memory_look(net, host);
}

bool myr_memory_fits(const struct myr_network *net, uint64_t size_bytes)
{
	const struct myr_adapter_params *adapter = &net->params->adapter;

	return size_bytes + adapter->header_B <= adapter->sram_B - adapter->receive_reserve_B;
}
