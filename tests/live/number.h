// SPDX-License-Identifier: GPL-3.0-or-later
// How live_flood numbers frames: by their payload's size, then by their source port.
#ifndef LIVE_NUMBER_H
#define LIVE_NUMBER_H

#define LIVE_PAYLOADS 256u
#define LIVE_PORTS 16384u
#define LIVE_PORT 1024u // the first
#define LIVE_NUMBERS (LIVE_PAYLOADS * LIVE_PORTS)

#endif
