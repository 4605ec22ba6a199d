# SPDX-License-Identifier: GPL-3.0-or-later
# The network of George and VanLoon: their latency (eq. 3) at 4 B and 8 kB, term by term.
flitsim --fabric myrinet:preset=george -n switch:2 --explain 4 --format tsv
flitsim --fabric myrinet:preset=george -n switch:2 --explain 8192 --format tsv | sed -n '/^sum\|^simulated/p'
# What is given holds, whatever the preset; so does an adapter.
flitsim --fabric myrinet:preset=george,link-length=20m --explain 4 --format tsv | grep '^links'
flitsim --explain 4 --fabric myrinet:preset=first,preset=sbus --format tsv | grep '^DMA'
