# SPDX-License-Identifier: GPL-3.0-or-later
# The calls of calls.tsv at one rank, as dumpi2ascii prints them; then messages on communicators made of groups and grids.
# RANK; EMPTY: a call in place has no count and no type, otherwise some that mean nothing.
function line(text) { printf "%s\n", text }
function begin(name) { now += 10; line("MPI_" name sprintf(" entering at walltime 7.%09d, cputime 0.000000000 seconds in thread 0.", now)); open = name }
function end() { line("MPI_" open sprintf(" returning at walltime 7.%09d, cputime 0.000000000 seconds in thread 0.", now + 5)) }
function type(name, number) { line("MPI_Datatype " name "=" number " (type)") }
function given(name, in_place, count) {
	line("int " name "count=" (in_place ? EMPTY ? 0 : 99 : count))
	type(name "type", in_place ? EMPTY ? 1 : 2 : 9)
}
function comm(number) { line("MPI_Comm comm=" number " (comm)") }
function list(name, values) { line("int " name "[4]=" values) }
function reduction(name, root) {
	begin(name); line("int count=5"); type("datatype", 9); line("MPI_Op op=4 (MPI_SUM)")
	if (root) line("int root=1")
	comm(2); end()
}
function gather(place) {
	begin("Gather"); line("int commrank=" RANK); given("send", place, 3)
	line("int recvcount=" (RANK == 1 ? 3 : 0)); type("recvtype", RANK == 1 ? 9 : 0); line("int root=1"); comm(2); end()
}
function gatherv(place) {
	begin("Gatherv"); line("int commrank=" RANK); line("int commsize=4"); given("send", place, RANK + 1)
	if (RANK == 1) { list("recvcounts", "[1, 2, 3, 4]"); list("displs", "[0, 1, 3, 6]") } else list("recvcounts", "<IGNORED>")
	type("recvtype", 9); line("int root=1"); comm(2); end()
}
function scatter(place) {
	begin("Scatter"); line("int commrank=" RANK); line("int sendcount=" (RANK == 1 ? 3 : 0)); type("sendtype", RANK == 1 ? 9 : 0)
	given("recv", place, 3); line("int root=1"); comm(2); end()
}
function scatterv(place) {
	begin("Scatterv"); line("int commrank=" RANK); line("int commsize=4")
	if (RANK == 1) { list("sendcounts", "[1, 2, 3, 4]"); list("displs", "[0, 1, 3, 6]") } else list("sendcounts", "<IGNORED>")
	type("sendtype", 9); given("recv", place, RANK + 1); line("int root=1"); comm(2); end()
}
function each(name, place) { begin(name); given("send", place, 3); line("int recvcount=3"); type("recvtype", 9); comm(2); end() }
function allgatherv(place) {
	begin("Allgatherv"); line("int commsize=4"); given("send", place, RANK + 1); list("recvcounts", "[1, 2, 3, 4]")
	list("displs", "[0, 1, 3, 6]"); type("recvtype", 9); comm(2); end()
}
function pairs(i, values) {
	for (i = 0; i < 4; i++) values = values (i ? ", " : "") 1 + RANK + i
	return "[" values "]"
}
function types(i, values) {
	for (i = 0; i < 4; i++) values = values (i ? ", " : "") ((RANK + i) % 2 ? "14 (MPI_DOUBLE)" : "9 (MPI_INT)")
	return "[" values "]"
}
function alltoallv(place) {
	begin("Alltoallv"); line("int commsize=4"); list("sendcounts", place ? "<IGNORED>" : pairs()); list("senddispls", "<IGNORED>")
	type("sendtype", place ? 1 : 9); list("recvcounts", pairs()); list("recvdispls", "<IGNORED>"); type("recvtype", 9); comm(2); end()
}
function alltoallw(place) {
	begin("Alltoallw"); line("int commsize=4"); list("sendcounts", place ? "<IGNORED>" : pairs()); list("senddispls", "<IGNORED>")
	line("MPI_Datatype sendtypes[4]=" (place ? "<IGNORED>" : types())); list("recvcounts", pairs()); list("recvdispls", "<IGNORED>")
	line("MPI_Datatype recvtypes[4]=" types()); comm(2); end()
}
# ---- communicators
function group(name, one, two, made) {
	begin(name)
	line("MPI_Group group" (two ? 1 : "") "=" one " (group)")
	if (two) line("MPI_Group group2=" two " (group)")
	return made
}
function of_ranks(name, one, count, ranks, made) {
	group(name, one); line("int count=" count); line("int ranks[" count "]=" ranks); line("MPI_Group newgroup=" made " (group)"); end()
}
# The lines break where dumpi2ascii breaks them.
function of_ranges(name, one, count, first, second, made) {
	group(name, one); line("int count=" count); line("int ranges[" count "][3]=[" first)
	if (second) line(", " second)
	line("]MPI_Group newgroup=" made " (group)"); end()
}
function of_two(name, one, two, made) { group(name, one, two); line("MPI_Group newgroup=" made " (group)"); end() }
function say(made, bytes, from, dest) {
	if (RANK == from || RANK == dest) {
		begin(RANK == from ? "Send" : "Recv"); line("int count=" bytes); type("datatype", 2)
		line(RANK == from ? "int dest=1" : "int source=0"); line("int tag=0"); comm(made)
		if (RANK == dest) line("MPI_Status status=<IGNORED>")
		end()
	} else {
		now += 10
	}
}
function made_by(name, parent, between, made, member) {
	begin(name); line("MPI_Comm oldcomm=" parent " (comm)"); if (between) line(between)
	line("MPI_Comm newcomm=" (member ? made : 1) " (comm)"); end()
}
# local_leader and remote_leader: their places; in parent the latter.
function between(local, local_leader, parent, remote_leader, tag, made) {
	begin("Intercomm_create"); line("MPI_Comm localcomm=" local " (comm)"); line("int localleader=" local_leader)
	line("MPI_Comm remotecomm=" parent " (comm)"); line("int remoteleader=" remote_leader); line("int tag=" tag)
	line("MPI_Comm newcomm=" made " (comm)"); end()
}
# From rank from to rank dest, whose places in their groups are given, too.
function say_over(made, bytes, from, from_place, dest, dest_place) {
	if (RANK == from || RANK == dest) {
		begin(RANK == from ? "Send" : "Recv"); line("int count=" bytes); type("datatype", 2)
		line(RANK == from ? "int dest=" dest_place : "int source=" from_place); line("int tag=0"); comm(made)
		if (RANK == dest) line("MPI_Status status=<IGNORED>")
		end()
	} else {
		now += 10
	}
}
function create(parent, from_group, made, member, bytes, from, dest) {
	made_by("Comm_create", parent, "MPI_Group group=" from_group " (group)", made, member)
	say(made, bytes, from, dest)
}
BEGIN {
	begin("Init"); line("int argc=0"); end()
	begin("Barrier"); comm(2); end()
	begin("Bcast"); line("int count=5"); type("datatype", 9); line("int root=1"); comm(2); end()
	reduction("Reduce", 1); reduction("Reduce", 1)
	reduction("Allreduce"); reduction("Allreduce"); reduction("Scan"); reduction("Scan"); reduction("Exscan"); reduction("Exscan")
	for (i = 0; i < 2; i++) {
		begin("Reduce_scatter"); line("int commsize=4"); list("recvcounts", "[1, 2, 3, 4]"); type("datatype", 9); comm(2); end()
	}
	root = RANK == 1
	gather(0); gather(root); gatherv(0); gatherv(root); scatter(0); scatter(root); scatterv(0); scatterv(root)
	each("Allgather", 0); each("Allgather", 1); allgatherv(0); allgatherv(1); each("Alltoall", 0); each("Alltoall", 1)
	alltoallv(0); alltoallv(1); alltoallw(0); alltoallw(1)

	odd = RANK % 2
	begin("Comm_group"); comm(2); line("MPI_Group group=3 (group)"); end()
	of_ranks("Group_incl", 3, 4, "[3, 2, 1, 0]", 4); create(2, 4, 10, 1, 101, 3, 2)
	of_ranges("Group_range_incl", 3, 1, "[3, 0, -2]", "", 5); create(2, 5, 11, odd, 102, 3, 1)
	of_ranges("Group_range_incl", 3, 2, "[2, 3, 1]", "[0, 1, 1]", 6); create(2, 6, 12, 1, 103, 2, 3)
	of_ranks("Group_incl", 3, 2, "[3, 1]", 7); of_ranks("Group_excl", 3, 2, "[3, 1]", 8)
	of_two("Group_union", 7, 8, 9); create(2, 9, 13, 1, 104, 3, 1)
	of_two("Group_difference", 3, 7, 9); create(2, 9, 14, !odd, 105, 0, 2)
	of_two("Group_intersection", 4, 7, 9); create(2, 9, 15, odd, 106, 3, 1)
	of_ranges("Group_range_excl", 3, 1, "[3, 0, -2]", "", 9); create(2, 9, 16, !odd, 107, 0, 2)
	made_by("Comm_create", 2, "MPI_Group group=" (odd ? 7 : 8) " (group)", 17, 1); say(17, 108, odd ? 3 : 0, odd ? 1 : 2)
	made_by("Comm_dup", 2, "", 18, 1); say(18, 111, 0, 1)
	made_by("Comm_split", 18, "int color=" int(RANK / 2) "\nint key=" (-RANK), 19, 1)
	say(19, 112, RANK < 2 ? 1 : 3, RANK < 2 ? 0 : 2)
	begin("Comm_group"); comm(19); line("MPI_Group group=20 (group)"); end()
	of_ranks("Group_incl", 20, 2, "[1, 0]", 21); create(19, 21, 20, 1, 113, RANK < 2 ? 0 : 2, RANK < 2 ? 1 : 3)
	made_by("Cart_create", 18, "int ndim=2\nint dims[2]=[2, 2]\nint periods[2]=[0, 0]\nint reorder=0", 21, 1); say(21, 114, 0, 1)
	begin("Cart_sub"); line("int ndim=2"); line("MPI_Comm oldcomm=21 (comm)"); line("int remain_dims[2]=[1, 0]")
	line("MPI_Comm newcomm=22 (comm)"); end(); say(22, 115, odd, odd + 2)
	made_by("Graph_create", 2, "int nnodes=4", 23, 1); say(23, 116, 0, 1)
	# A library that turns the ranks of a grid around says so.
	made_by("Cart_create", 2, "int ndim=1\nint dims[1]=[4]\nint periods[1]=[1]\nint reorder=1", 24, 1)
	begin("Comm_rank"); comm(24); line("int rank=" 3 - RANK); end(); say(24, 117, 3, 2)
	# Between the even ranks, which 2 leads, and the odd ones, which 1 leads: the world has both leaders. Peers are those of the other
	# group. Then both groups in one, the odd ones first, and what is made of these.
	made_by("Comm_split", 2, "int color=" odd "\nint key=" (-RANK), 25, 1) # 2 0, 3 1
	between(25, odd, 2, odd ? 2 : 1, 7, 26); say_over(26, 121, 0, 1, 3, 0)
	made_by("Comm_dup", 26, "", 27, 1); say_over(27, 122, 3, 0, 0, 1)
	begin("Intercomm_merge"); comm(26); line("int high=" !odd); line("MPI_Comm newcomm=28 (comm)"); end() # 3 1 2 0
	say(28, 123, 3, 1)
	begin("Comm_remote_group"); comm(26); line("MPI_Group group=22 (group)"); end()
	begin("Comm_group"); comm(26); line("MPI_Group group=23 (group)"); end()
	of_two("Group_union", 22, 23, 24) # those of the others, then one's own
	of_ranks("Group_incl", 24, 4, odd ? "[0, 1, 2, 3]" : "[2, 3, 0, 1]", 25); create(28, 25, 29, 1, 124, 2, 0)
	# Twice with the same leaders and tag, of groups that the merge made.
	made_by("Comm_split", 28, "int color=" odd "\nint key=0", 30, 1) # 2 0, 3 1
	between(30, 1, 2, odd ? 0 : 1, 7, 31); say_over(31, 125, 0, 1, 1, 1)
	between(30, 1, 2, odd ? 0 : 1, 7, 32); say_over(32, 126, 0, 1, 3, 0)
	begin("Barrier"); comm(32); end() # another one in each group
	begin("Put"); line("int origincount=2"); type("origintype", 9); line("int targetrank=1"); end()
	begin("Finalize"); end()
}
