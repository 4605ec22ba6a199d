# SPDX-License-Identifier: GPL-3.0-or-later
# The same series by R: Geweke and Porter-Hudak by fracdiff, the wavelets' energies by waveslim; local Whittle, the
# slope of the periodogram and aggregated variance from R's transform, optimizer and regression.
command -v Rscript >/dev/null || { echo 'skipped: R is not installed' >&2; exit 77; }
Rscript -e 'library(fracdiff); library(waveslim)' >/dev/null 2>&1 ||
	{ echo 'skipped: R has no fracdiff or waveslim' >&2; exit 77; }
awk 'BEGIN { srand(5); for (i = 0; i < 4096; i++) { a = .95 * a + rand(); b = .6 * b + rand(); print a + b } }' >x
cat >r.R <<'END'
suppressPackageStartupMessages({ library(fracdiff); library(waveslim) })
x <- scan("x", quiet = TRUE)
n <- length(x)
say <- function(name, value) cat(sprintf("%s %.6f\n", name, value))
say("gph", fdGPH(x, bandw.exp = 0.5)$d + 0.5)
d <- dwt(x - x[1], "haar", 8)
for (j in 1:8) say(paste0("haar", j), log2(mean(d[[j]]^2)) - (digamma(length(d[[j]]) / 2) / log(2) - log2(length(d[[j]]) / 2)))
I <- (Mod(fft(x - mean(x)))^2 / (2 * pi * n))[2:(n / 2)]
l <- 2 * pi * seq_along(I) / n
m <- floor(n^0.65)
R <- function(H) log(mean(l[1:m]^(2 * H - 1) * I[1:m])) - (2 * H - 1) * mean(log(l[1:m]))
say("lw", optimize(R, c(0, 1.9), tol = 1e-9)$minimum)
m <- 409
say("periodogram", (1 - coef(lm(log10(I[1:m]) ~ log10(l[1:m])))[[2]]) / 2)
means <- function(k) sapply(split(x[1:(k * (n %/% k))], rep(1:(n %/% k), each = k)), mean)
k <- c(16, 32, 64, 128)
v <- sapply(k, function(k) { b <- means(k); mean((b - mean(b))^2) })
say("aggvar", 1 + coef(lm(log10(v) ~ log10(k)))[[2]] / 2)
END
Rscript r.R >theirs
{
	flithurst -m gph -m lw -m periodogram x | awk '$1 == "x" && NF > 6 { print $2, $3 }'
	flithurst -m aggvar --scale-min 16 --scale-max 128 --scales 4 x | awk '$2 == "aggvar" { print $2, $3 }'
	flithurst -m haar -p x | awk '$2 == "haar" && NF == 9 { j = log($3) / log(2); if (j < 8.5) printf "haar%d %s\n", j + .5, $6 }'
} >ours
sort ours >a
sort theirs | join a - | awk '{ print $1, ($2 - $3) ^ 2 < 1e-9 ? "agrees" : $0 }'
