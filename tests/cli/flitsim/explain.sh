# SPDX-License-Identifier: GPL-3.0-or-later
flitsim --explain 8192B
flitsim --explain 40 --net direct --format csv
flitsim --explain 8192 --fabric myrinet:route-flit=20/3ns --format csv | tail -4
