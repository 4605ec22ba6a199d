// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/equations.h"

#include <string.h>

static const struct equation estimators_equations[] = {
	{"aggvar", "Var X^(m) ~ m^(2H - 2)", NULL},
	{"diffvar", "Var X^(m) - Var X^(2m) ~ m^(2H - 2)", NULL},
	{"absmom", "mean |X^(m) - mean X| ~ m^(H - 1)", NULL},
	{"higuchi", "L(m) = (n - 1)/m^3 sum_(i<=m) 1/[(n - i)/m] sum_k |Y(i + km) - Y(i + (k-1)m)| ~ m^(H - 2)", NULL},
	{"residuals", "median over blocks of Var(Y - its line) ~ m^(2H)", NULL},
	{"dfa1", "F(m)^2 = mean over blocks of (Y - its line)^2, F(m) ~ m^H", NULL},
	{"dfa2", "F(m)^2 = mean over blocks of (Y - its parabola)^2, F(m) ~ m^H", NULL},
	{"dfa3", "F(m)^2 = mean over blocks of (Y - its cubic)^2, F(m) ~ m^H", NULL},
	{"rs", "R/S = (max Y - min Y)/sd X in blocks of m ~ m^H", NULL},
	{"periodogram", "I(f) ~ f^(1 - 2H) as f goes to 0", NULL},
	{"avper", "H = 1 - ln(F(qf)/F(f))/(2 ln q), F(f) = sum of I up to f", NULL},
	{"gph", "ln I(f) = c - (H - 1/2) ln(4 sin^2(f/2)) + error", NULL},
	{"lw", "H minimises ln(mean f^(2H - 1) I(f)) - (2H - 1) mean ln f, f near 0", NULL},
	{"elw", "d = H - 1/2 minimises ln(mean I of (1 - B)^d X) - 2d mean ln f, f near 0", NULL},
	{"whittle", "H minimises sum I(f)/g(f), g(f) = c (1 - cos f) sum_k |f + 2 pi k|^(-2H - 1)", NULL},
	{"whittle-farima", "H minimises sum I(f)/g(f), g(f) = c |2 sin(f/2)|^(1 - 2H)", NULL},
	{"haar", "log2 mean d(j,k)^2 = (2H - 1) j + c, d(j,k): Haar coefficients of octave j", NULL},
	{"wavelet", "log2 mean d(j,k)^2 = (2H - 1) j + c, d(j,k): Daubechies coefficients of octave j", NULL},
};

static const struct equation quantities[] = {
	{"variance-time plot",
	 "Var N(w)/(mean N(w))^2 over w, N(w): packets in a bin w wide; slope 2H - 2 of fractional Gaussian noise",
	 "Leland, Taqqu, Willinger, Wilson 1994"},
	{"index of dispersion", "Var N(w)/mean N(w); 1 for Poisson traffic", "Cox, Lewis 1966, section 4.5"},
	{"periodogram", "I(f_j) = |sum_t X(t) exp(-i f_j t)|^2/(2 pi n), f_j = 2 pi j/n", "Priestley 1981, section 6.1"},
	{"verdict",
	 "Whittle's likelihood of white noise + two relaxations a/(1 + (f t)^2) against white noise + one + a power law f^(1 - 2H)",
	 "flitline-verdict(7); Whittle 1953"},
	{"periods", "g = max I(f)/sum I(f) over the whitened spectrum, then combs of harmonics of one frequency",
	 "Fisher 1929"},
	{"trains", "share of gaps below 1/10 of the mean gap; 1 - exp(-1/10) for Poisson traffic", "this page"},
	{"silences", "share of the time in gaps above 10 mean gaps; 11 exp(-10) for Poisson traffic", "this page"},
	{"Hill's index", "k/sum_(i<=k) ln(x_i/x_(k+1)), x_1 >= x_2 >= ... the gaps", "Hill 1975"},
	{"latency", "mean over batches of consecutive packets, +- t s/sqrt(b) of b batches",
	 "Law, Simulation Modeling and Analysis, chapter 9"},
	{"Kolmogorov-Smirnov distance", "sup |F(x) - G(x)|, F and G the shares up to x", "Kolmogorov 1933; Smirnov 1939"},
	{"earth mover's distance", "integral of |F(x) - G(x)| dx, in the unit of x", "Vallender 1974"},
};

const char *equation_of_estimator(const char *name)
{
	for (size_t i = 0; i < sizeof(estimators_equations) / sizeof(*estimators_equations); i++)
		if (strcmp(estimators_equations[i].name, name) == 0)
			return estimators_equations[i].text;
	return NULL;
}

const struct equation *equations_of_quantities(size_t *count)
{
	*count = sizeof(quantities) / sizeof(*quantities);
	return quantities;
}
