# SPDX-License-Identifier: GPL-3.0-or-later
# Published sizes: a mesh, a torus, a cube, trees.
flitnet direct switch:8 line:3 ring:5 mesh:8x8 torus:8x8 torus:4x4x4 hypercube:6 fattree:4,3 fattree:100 clos:4,4,8 \
	triangle18 george96 | sed '/^$/,$d'
