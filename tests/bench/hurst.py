#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# hurst.py LOG2N [METHOD ...]: seconds and H of flithurst's methods as one writes them in NumPy, on
# white noise. Peer of bench_hurst.
import sys
import time

import numpy as np


def scales(low, high, count):
    return np.unique(np.round(low * (high / low) ** (np.arange(count) / (count - 1))).astype(int))


def slope(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


def least(function, low, high, precision=1e-6):
    ratio = (np.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = function(a), function(b)
    while high - low > precision:
        if at_a < at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = function(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = function(b)
    return (low + high) / 2


def means(x, m):
    return x[: len(x) // m * m].reshape(-1, m).mean(axis=1)


def profile(x):
    return np.cumsum(x - x.mean())


def powers(x, last=None):
    n = len(x)
    power = np.abs(np.fft.rfft(x - x.mean())[1 : (n + 1) // 2]) ** 2 / (2 * np.pi * n)
    power = power[: int(last)] if last else power
    return 2 * np.pi * np.arange(1, len(power) + 1) / n, power


def block_scales(x):
    return scales(10, len(x) / 128, 50)


def aggvar(x):
    m = block_scales(x)
    return 1 + slope(m, [means(x, k).var() for k in m]) / 2


def diffvar(x):
    m = block_scales(x)
    fall = -np.diff([means(x, k).var() for k in m])
    return 1 + slope(m[:-1][fall > 0], fall[fall > 0]) / 2


def absmom(x):
    m = block_scales(x)
    return 1 + slope(m, [np.abs(means(x, k) - x.mean()).mean() for k in m])


def higuchi(x):
    y, n, k = profile(x), len(x), scales(1, len(x) / 10, 40)
    return 2 + slope(k, [np.abs(y[j:] - y[:-j]).sum() * (n - 1) / ((n - 1) // j) / j**2 / j
                         for j in k])


def block_residuals(y, m, order):
    blocks = y[: len(y) // m * m].reshape(-1, m)
    basis = np.linalg.qr(np.vander(np.linspace(-1, 1, m), order + 1))[0]
    blocks = blocks - blocks[:, :1]
    return ((blocks**2).sum(axis=1) - ((blocks @ basis) ** 2).sum(axis=1)) / m


def dfa(order):
    def estimate(x):
        y, m = profile(x), scales(16, len(x) / 10, 30)
        both = [(block_residuals(y, k, order).mean() +
                 block_residuals(y[len(y) % k :], k, order).mean()) / 2 for k in m]
        return slope(m, both) / 2

    return estimate


def residuals(x):
    y, m = profile(x), scales(16, len(x) / 10, 30)
    return slope(m, [np.median(block_residuals(y, k, 1)) for k in m]) / 2


def rs(x):
    m = scales(64, len(x) / 10, 25)

    def ratio(k):
        blocks = x[: len(x) // k * k].reshape(-1, k)
        y = np.cumsum(blocks - blocks.mean(axis=1, keepdims=True), axis=1)
        return ((y.max(axis=1) - y.min(axis=1)) / blocks.std(axis=1)).mean()

    return slope(m, [ratio(k) for k in m])


def periodogram(x):
    return (1 - slope(*powers(x, len(x) / 10))) / 2


def avper(x):
    power = powers(x, len(x) ** 0.65)[1]
    return 1 - np.log(power.sum() / power[: len(power) // 2].sum()) / (2 * np.log(2))


def gph(x):
    l, power = powers(x, len(x) ** 0.5)
    return 0.5 - slope(2 * np.sin(l / 2), power) / 2


def lw(x):
    l, power = powers(x, len(x) ** 0.65)
    return 0.5 + least(lambda d: np.log((power * l ** (2 * d)).mean()) - 2 * d * np.log(l).mean(),
                       -1.5, 1.5)


def elw(x):
    n, last = len(x), int(len(x) ** 0.65)
    series = np.fft.rfft(x - x.mean(), 2 * n)
    logs = np.log(2 * np.pi * np.arange(1, last + 1) / n).mean()

    def objective(d):
        k = np.arange(1, n)
        filtered = np.fft.rfft(np.cumprod(np.concatenate(([1.0], (k - 1 - d) / k))), 2 * n)
        y = np.fft.irfft(series * filtered)[:n]
        return np.log((np.abs(np.fft.rfft(y)[1 : last + 1]) ** 2).mean()) - 2 * d * logs

    return 0.5 + least(objective, -0.5, 0.5)


def whittle(x):
    l, power = powers(x)

    def deviance(h):
        # Paxson's sum of the aliases, by three terms and the integral.
        a, b = 2 * np.pi * np.arange(1, 5)[:, None] + l, 2 * np.pi * np.arange(1, 5)[:, None] - l
        d = -2 * h - 1
        rest = (a[2:] ** (d + 1) + b[2:] ** (d + 1)).sum(axis=0) / (8 * np.pi * (-d - 1))
        f = (1 - np.cos(l)) * (l**d + (a[:3] ** d + b[:3] ** d).sum(axis=0) + rest)
        return np.log((power / f).mean()) + np.log(f).mean()

    return least(deviance, 0.01, 0.99)


def farima(x):
    l, power = powers(x)
    return 0.5 + least(lambda d: (power * (2 * np.sin(l / 2)) ** (2 * d)).sum(), -1.5, 1.5)


def logscale(low, first):
    high = low[::-1] * (-1.0) ** np.arange(len(low))

    def estimate(x):
        octaves, details, counts = [], [], []
        a, octave = x - x[0], 1
        while len(a) >= 2 * len(low) + 16:
            count = (len(a) - len(low)) // 2 + 1
            parts = [a[i : i + 2 * count - 1 : 2] for i in range(len(low))]
            energy = sum(h * p for h, p in zip(high, parts))
            a = sum(h * p for h, p in zip(low, parts))
            if octave >= first:
                octaves.append(octave)
                details.append(np.log2((energy**2).mean()))
                counts.append(count)
            octave += 1
        return (1 + np.polyfit(octaves, details, 1, w=np.sqrt(counts))[0]) / 2

    return estimate


daubechies = np.array([0.33267055, 0.80689151, 0.45987750, -0.13501102, -0.08544127, 0.03522629])
methods = {
    "aggvar": aggvar, "diffvar": diffvar, "absmom": absmom, "higuchi": higuchi,
    "residuals": residuals, "dfa1": dfa(1), "dfa2": dfa(2), "dfa3": dfa(3), "rs": rs,
    "periodogram": periodogram, "avper": avper,
    "gph": gph, "lw": lw, "elw": elw, "whittle": whittle, "whittle-farima": farima,
    "haar": logscale(np.array([1, 1]) / np.sqrt(2), 2), "wavelet": logscale(daubechies, 6),
}
n = 1 << int(sys.argv[1])
x = 100 + 10 * np.random.default_rng(1).standard_normal(n)
together = 0.0
for name in sys.argv[2:] or methods:
    begin = time.perf_counter()
    h = methods[name](x)
    seconds = time.perf_counter() - begin
    together += seconds
    print(f"{name}\t{n}\t{seconds:.3f}\tH {h:.3f}", flush=True)
print(f"together\t{n}\t{together:.3f}", flush=True)
