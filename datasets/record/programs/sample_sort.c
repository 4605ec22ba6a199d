// SPDX-License-Identifier: GPL-3.0-or-later
// Sample sort (Frazer and McKellar, JACM 17 (1970) 496-507) of n keys of 4 bytes: each process
// sorts its own, all gather samples of them and take splitters of these, each sends every other the
// keys between its splitters, as many as there are, and sorts what it gets. The keys are 0 to n - 1
// in random order, new ones each step: what a process holds at the end is known from its splitters.
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "pattern.h"

enum { SAMPLES = 32, FLOPS_PER_COMPARISON = 2, PROCS_MAX = 256 };

struct keys {
	const struct job *job;
	int mine, got;			       // keys at the begin and at the end
	uint32_t first[PROCS_MAX + 1];	       // key of each process, and one behind the last
	uint32_t samples[SAMPLES * PROCS_MAX]; // of all, sorted
	uint32_t scratch[SAMPLES * PROCS_MAX];
	uint32_t keys[]; // room for all keys, twice
};

static bool sort_fits(int n, int procs)
{
	return (n & (n - 1)) == 0 && n % procs == 0 && n / procs >= SAMPLES && procs <= PROCS_MAX;
}

static void *sort_open(const struct job *job)
{
	struct keys *k = calloc(1, sizeof(*k) + 2 * (size_t)job->n * sizeof(k->keys[0]));

	if (!k)
		return NULL;
	k->job = job;
	k->mine = job->n / job->procs;
	return k;
}

// Key i of all, a permutation of 0 to n - 1, a power of two: each line can be undone.
static uint32_t sort_key(uint32_t i, uint32_t n, int repetition)
{
	const uint32_t shift = (uint32_t)log2(n) / 2 + 1;

	i = (i + pattern_word(5, (uint32_t)repetition)) & (n - 1);
	for (int round = 0; round < 3; round++) {
		i = i * 0x9e3779b1u & (n - 1);
		i ^= i >> shift;
	}
	return i;
}

// By bytes, from the last one on; scratch has as much room.
static void sort_bytes(uint32_t *keys, uint32_t *scratch, int count)
{
	for (int byte = 0; byte < 4; byte++) {
		const uint32_t *from = byte % 2 ? scratch : keys;
		uint32_t *to = byte % 2 ? keys : scratch;
		int place[257] = {0};

		for (int i = 0; i < count; i++)
			place[(from[i] >> 8 * byte & 255u) + 1]++;
		for (int d = 0; d < 256; d++)
			place[d + 1] += place[d];
		for (int i = 0; i < count; i++)
			to[place[from[i] >> 8 * byte & 255u]++] = from[i];
	}
}

static void sort_local(const struct job *job, uint32_t *keys, uint32_t *scratch, int count)
{
	struct timespec begun = phase_begin();

	sort_bytes(keys, scratch, count);
	phase_end(begun, FLOPS_PER_COMPARISON * count * log2(count + 1), job->flops_per_s);
}

static void sort_splitters(struct keys *k)
{
	const int p = k->job->procs;
	uint32_t own[SAMPLES];

	for (int i = 0; i < SAMPLES; i++)
		own[i] = k->keys[(int)((double)k->mine * i / SAMPLES)];
	MPI_Allgather(own, SAMPLES, MPI_UINT32_T, k->samples, SAMPLES, MPI_UINT32_T,
		      MPI_COMM_WORLD);
	sort_bytes(k->samples, k->scratch, SAMPLES * p);
	for (int r = 1; r < p; r++)
		k->first[r] = k->samples[SAMPLES * r];
	k->first[p] = (uint32_t)k->job->n;
}

static void sort_step(void *state, int repetition)
{
	struct keys *k = state;
	const int n = k->job->n, p = k->job->procs, begin = k->job->rank * k->mine;
	int out[PROCS_MAX], out_at[PROCS_MAX], in[PROCS_MAX], in_at[PROCS_MAX];
	uint32_t *own = k->keys, *other = own + n;

	for (int i = 0; i < k->mine; i++)
		own[i] = sort_key((uint32_t)(begin + i), (uint32_t)n, repetition);
	sort_local(k->job, own, other, k->mine);
	sort_splitters(k);
	for (int r = 0, i = 0; r < p; r++) {
		out_at[r] = i;
		while (i < k->mine && own[i] < k->first[r + 1])
			i++;
		out[r] = i - out_at[r];
	}
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
	k->got = 0;
	for (int r = 0; r < p; r++) {
		in_at[r] = k->got;
		k->got += in[r];
	}
	MPI_Alltoallv(own, out, out_at, MPI_UINT32_T, other, in, in_at, MPI_UINT32_T,
		      MPI_COMM_WORLD);
	sort_local(k->job, other, own, k->got);
}

static bool sort_right(void *state, int repetition)
{
	const struct keys *k = state;
	const uint32_t first = k->first[k->job->rank], *keys = k->keys + k->job->n;

	(void)repetition;
	for (int i = 0; i < k->got; i++)
		if (keys[i] != first + (uint32_t)i)
			return false;
	return first + (uint32_t)k->got == k->first[k->job->rank + 1];
}

static const struct pattern samplesort = {
	{"samplesort", "keys of all processes", 131072, sort_fits,
	 "n to be a power of two, and 32 keys or more on each of at most 256 processes", sort_open,
	 pattern_run, free},
	"the keys in order",
	sort_step,
	sort_right};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &samplesort.program);
}
