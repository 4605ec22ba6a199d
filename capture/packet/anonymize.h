// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix-preserving anonymization: addresses share a prefix of n bits exactly if their originals
// do. Crypto-PAn: Xu, Fan, Ammar, Moon: Prefix-preserving IP address anonymization, ICNP 2002;
// AES-128. IPv6 is the same over 128 bits.
#ifndef PACKET_ANONYMIZE_H
#define PACKET_ANONYMIZE_H

#include <stdint.h>

#include "packet/nodes.h"
#include "value/status.h"

#define PK_SECRET_BYTES 32u // an AES key and the block that yields the padding

struct pk_anonymizer;

// Copies the secret, and wipes the copy when freed. NULL if out of memory.
struct pk_anonymizer *pk_anonymizer_new(const uint8_t secret[PK_SECRET_BYTES]);

// Derives the secret from the user's key: "hex:" and 64 hexadecimal digits are the secret itself;
// "@FILE" is the first line of a file, anything else a passphrase, both stretched by PBKDF2 (RFC
// 8018, HMAC-SHA-256, 200,000 rounds, salt "flitline anonymize"), so that the same phrase gives the
// same addresses.
enum tr_status pk_secret_of(const char *key, uint8_t secret[PK_SECRET_BYTES], struct tr_error *err);

// Replaces an address with its anonymized form.
void pk_anonymize(const struct pk_anonymizer *anonymizer, struct pk_address *address);

// Overwrites the key and frees it; NULL does nothing.
void pk_anonymizer_free(struct pk_anonymizer *anonymizer);

#endif
