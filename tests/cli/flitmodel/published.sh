# SPDX-License-Identifier: GPL-3.0-or-later
# 23.355 (at nearly 8192 B), 33.26 and 44.32 MB/s are printed; each residual is nothing.
for adapter in sbus pci33 pci66; do
	flitmodel --format csv -s 8192B --fabric myrinet:preset=$adapter | sed -n 2p
done
flitmodel --format csv -n direct -s 70,8192B
flitmodel --format csv -n yates128 -s 8192
