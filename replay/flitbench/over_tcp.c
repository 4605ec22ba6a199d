// SPDX-License-Identifier: GPL-3.0-or-later
// TCP, between two processes of this host or of two.
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel.h"

#define NAP_US 100000 // between two attempts, and between two looks at the clock

static enum tr_status tcp_fail(struct tr_error *err, const char *what)
{
	return tr_fail(err, "tcp: %s: %s", what, strerror(errno));
}

// A connected socket: no delay for small messages, and waiting ends at times to look at the clock.
static enum tr_status over_tcp_set_up(struct channel *channel, struct tr_error *err)
{
	const struct timeval nap = {.tv_usec = NAP_US};
	const int one = 1;

	if (setsockopt(channel->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) != 0 ||
	    setsockopt(channel->socket, SOL_SOCKET, SO_RCVTIMEO, &nap, sizeof(nap)) != 0 ||
	    setsockopt(channel->socket, SOL_SOCKET, SO_SNDTIMEO, &nap, sizeof(nap)) != 0)
		return tcp_fail(err, "socket options");
	return channel_own_buffers(channel, err);
}

static void take_socket(struct channel *channel, int socket)
{
	(void)close(channel->socket);
	channel->socket = socket;
}

// Takes one connection from the listening socket, which is closed.
static enum tr_status accept_one(struct channel *channel, struct tr_error *err)
{
	struct pollfd ready = {.fd = channel->socket, .events = POLLIN};
	int connection;

	while (poll(&ready, 1, NAP_US / 1000) <= 0)
		if (channel_check_partner(channel, err) != TR_OK)
			return TR_ERROR;
	connection = accept4(channel->socket, NULL, NULL, SOCK_CLOEXEC);
	if (connection < 0)
		return tcp_fail(err, "accept");
	take_socket(channel, connection);
	return over_tcp_set_up(channel, err);
}

// ---- addresses

// Parts "[HOST:]PORT"; a host in brackets may have colons.
static enum tr_status resolve(const char *address, int flags, struct addrinfo **found,
			      struct tr_error *err)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags};
	const char *colon = strrchr(address, ':'), *port = colon ? colon + 1 : address;
	size_t host_bytes = colon ? (size_t)(colon - address) : 0;
	const char *start = address;
	char host[256];
	int failure;

	if (host_bytes >= 2 && start[0] == '[' && start[host_bytes - 1] == ']') {
		start++;
		host_bytes -= 2;
	}
	if (host_bytes >= sizeof(host) || *port == '\0' ||
	    (host_bytes == 0 && !(flags & AI_PASSIVE)))
		return tr_fail(err, "tcp: %s: expected %s", address,
			       flags & AI_PASSIVE ? "[HOST:]PORT" : "HOST:PORT");
	memcpy(host, start, host_bytes);
	host[host_bytes] = '\0';
	failure = getaddrinfo(host_bytes ? host : NULL, port, &hints, found);
	return failure == 0 ? TR_OK : tr_fail(err, "tcp: %s: %s", address, gai_strerror(failure));
}

// A socket that listens at the address; its port.
static enum tr_status listen_at(int *listener, const struct addrinfo *at, unsigned *port)
{
	const int one = 1;
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} bound;
	socklen_t bound_bytes = sizeof(bound);

	*listener = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*listener < 0)
		return TR_ERROR;
	(void)setsockopt(*listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(*listener, at->ai_addr, at->ai_addrlen) != 0 || listen(*listener, 1) != 0 ||
	    getsockname(*listener, &bound.any, &bound_bytes) != 0) {
		const int why = errno;

		(void)close(*listener);
		errno = why;
		return TR_ERROR;
	}
	*port = ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
	return TR_OK;
}

static enum tr_status open_listener(struct channel *channel, const char *address, unsigned *port,
				    struct tr_error *err)
{
	struct addrinfo *found;
	int listener = -1;
	enum tr_status status;

	if (resolve(address, AI_PASSIVE, &found, err) != TR_OK)
		return TR_ERROR;
	status = listen_at(&listener, found, port);
	freeaddrinfo(found);
	if (status != TR_OK)
		return tcp_fail(err, address);
	channel->socket = listener;
	return TR_OK;
}

enum tr_status channel_listen(struct channel *channel, const char *address,
			      void (*listening)(void *context, unsigned port), void *context,
			      struct tr_error *err)
{
	unsigned port = 0;

	channel_set_deadline(channel);
	if (open_listener(channel, address, &port, err) != TR_OK)
		return TR_ERROR;
	if (listening)
		listening(context, port);
	return accept_one(channel, err);
}

// One attempt at each address. TR_END: nobody listens there yet.
static enum tr_status try_connect(struct channel *channel, const struct addrinfo *found)
{
	int failure = 0;

	for (const struct addrinfo *at = found; at; at = at->ai_next) {
		const int attempt = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		const struct timeval patience = {.tv_sec = channel->timeout_ns / 1000000000 + 1};

		// It bounds connect(2) as well.
		if (attempt >= 0 &&
		    setsockopt(attempt, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) ==
			    0 &&
		    connect(attempt, at->ai_addr, at->ai_addrlen) == 0) {
			channel->socket = attempt;
			return TR_OK;
		}
		failure = errno;
		if (attempt >= 0)
			(void)close(attempt);
	}
	errno = failure;
	return failure == ECONNREFUSED ? TR_END : TR_ERROR;
}

enum tr_status channel_connect(struct channel *channel, const char *address, struct tr_error *err)
{
	struct addrinfo *found;
	enum tr_status status;

	channel_set_deadline(channel);
	if (resolve(address, 0, &found, err) != TR_OK)
		return TR_ERROR;
	while ((status = try_connect(channel, found)) == TR_END &&
	       channel_check(channel, NULL) == TR_OK)
		(void)usleep(NAP_US);
	freeaddrinfo(found);
	return status == TR_OK ? over_tcp_set_up(channel, err) : tcp_fail(err, address);
}

// ---- two processes of this host

static enum tr_status over_tcp_prepare(struct channel *channel, struct tr_error *err)
{
	unsigned port = 0;

	return open_listener(channel, "127.0.0.1:0", &port, err);
}

static enum tr_status over_tcp_join(struct channel *channel, enum channel_side side,
				    struct tr_error *err)
{
	struct sockaddr_in at;
	socklen_t bytes = sizeof(at);
	int connection;

	if (side == CHANNEL_TIMES)
		return accept_one(channel, err);
	connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (connection < 0 || getsockname(channel->socket, (struct sockaddr *)&at, &bytes) != 0 ||
	    connect(connection, (struct sockaddr *)&at, bytes) != 0) {
		if (connection >= 0)
			(void)close(connection);
		return tcp_fail(err, "connect");
	}
	take_socket(channel, connection);
	return over_tcp_set_up(channel, err);
}

// ---- messages

static enum tr_status over_tcp_put(struct channel *channel, size_t bytes, uint8_t mark,
				   struct tr_error *err)
{
	const uint8_t *from = channel->out_end - bytes;

	channel->out_end[-1] = mark;
	while (bytes > 0) {
		const ssize_t sent = send(channel->socket, from, bytes, MSG_NOSIGNAL);

		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return tcp_fail(err, "send");
		if ((size_t)sent == bytes)
			return TR_OK;
		if (channel_check(channel, err) != TR_OK)
			return TR_ERROR;
		if (sent > 0) {
			from += sent;
			bytes -= (size_t)sent;
		}
	}
	return TR_OK;
}

static enum tr_status over_tcp_take(struct channel *channel, size_t bytes, uint8_t mark,
				    struct tr_error *err)
{
	uint8_t *to = channel->in_end - bytes;

	while (bytes > 0) {
		const ssize_t got = recv(channel->socket, to, bytes, 0);

		if (got == 0)
			return tr_fail(err, "tcp: the other side has closed the connection");
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return tcp_fail(err, "receive");
		if (channel_check(channel, err) != TR_OK)
			return TR_ERROR;
		if (got > 0) {
			to += got;
			bytes -= (size_t)got;
		}
	}
	if (channel->in_end[-1] != mark)
		return tr_fail(err, "tcp: a message ends with %u, expected %u", channel->in_end[-1],
			       mark);
	return TR_OK;
}

static void over_tcp_leave(struct channel *channel)
{
	if (channel->socket > 0)
		(void)close(channel->socket);
	channel->socket = 0;
}

const struct transport transport_tcp = {
	.name = "tcp",
	.bytes_min = 1,
	.prepare = over_tcp_prepare,
	.join = over_tcp_join,
	.send = over_tcp_put,
	.await = over_tcp_take,
	.leave = over_tcp_leave,
};
