// SPDX-License-Identifier: GPL-3.0-or-later
// ns3_tree K BYTES udp|tcp PAIRS: messages over a fat tree of switches with K ports (Al-Fares and
// others, 2008) in ns-3 3.37, as tests/bench/peers runs them in flitsim. PAIRS names a file of
// lines "source destination", each a message of BYTES at time 0, in packets of 4,086 B of payload:
// with udp all are queued at once, with tcp each message has a connection. Cables of 100 Gb/s and 1
// us; queues have no bound. Prints what was received, and when the last of it was, in us; the
// status is 1 unless that is all. It needs ns-3 and is no part of the build:
//     c++ -O3 -DNDEBUG ns3_tree.cc -o ns3_tree
//         $(pkg-config --cflags --libs ns3-applications ns3-internet ns3-point-to-point)
#include <fstream>
#include <iostream>

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

using namespace ns3;

static const uint32_t payload_B = 4086, first_address = 0x0a000001;

struct Tree {
	uint32_t half; // of the ports of a switch
	NodeContainer hosts, edges, middles, cores;
};

struct Received {
	uint64_t bytes;
	double last_us;
};
static Received received;

static void take(Ptr<const Packet> packet, const Address &)
{
	received.bytes += packet->GetSize();
	received.last_us = Simulator::Now().GetNanoSeconds() / 1e3;
}

// Routes by arithmetic, so that no table is made or searched: the way up follows from the digits of
// the destination. Port p of a node is its interface p + 1; the lowest ports lead down.
class TreeRouting : public Ipv4RoutingProtocol
{
      public:
	uint32_t half, level, index; // level 0: hosts; switches of a level are numbered by pods

	bool RouteInput(Ptr<const Packet> packet, const Ipv4Header &header,
			Ptr<const NetDevice> device, UnicastForwardCallback forward,
			MulticastForwardCallback, LocalDeliverCallback deliver,
			ErrorCallback) override
	{
		if (level == 0)
			deliver(packet, header, ipv4->GetInterfaceForDevice(device));
		else
			forward(route_to(header.GetDestination()), packet, header);
		return true;
	}

	Ptr<Ipv4Route> RouteOutput(Ptr<Packet>, const Ipv4Header &header, Ptr<NetDevice>,
				   Socket::SocketErrno &error) override
	{
		error = Socket::ERROR_NOTERROR;
		return route_to(header.GetDestination());
	}

	void SetIpv4(Ptr<Ipv4> of_node) override
	{
		ipv4 = of_node;
	}
	void NotifyInterfaceUp(uint32_t) override
	{
	}
	void NotifyInterfaceDown(uint32_t) override
	{
	}
	void NotifyAddAddress(uint32_t, Ipv4InterfaceAddress) override
	{
	}
	void NotifyRemoveAddress(uint32_t, Ipv4InterfaceAddress) override
	{
	}
	void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override
	{
	}

      private:
	Ptr<Ipv4> ipv4;

	uint32_t port_to(uint32_t host) const
	{
		const uint32_t edge = host / half, pod = edge / half;

		if (level == 1)
			return edge == index ? host % half : half + host % half;
		if (level == 2)
			return pod == index / half ? edge % half : half + edge % half;
		return level == 3 ? pod : 0;
	}

	Ptr<Ipv4Route> route_to(Ipv4Address destination) const
	{
		const uint32_t interface = port_to(destination.Get() - first_address) + 1;
		Ptr<Ipv4Route> route = Create<Ipv4Route>();

		route->SetDestination(destination);
		route->SetSource(ipv4->GetAddress(interface, 0).GetLocal());
		route->SetGateway(destination);
		route->SetOutputDevice(ipv4->GetNetDevice(interface));
		return route;
	}
};

static void cable(Ptr<Node> lower, Ptr<Node> upper)
{
	PointToPointHelper helper;

	helper.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
	helper.SetDeviceAttribute("Mtu", UintegerValue(9000));
	helper.SetChannelAttribute("Delay", StringValue("1us"));
	helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("4000000000B"));
	helper.Install(lower, upper);
}

// In the order of the ports of each switch: what leads down first.
static void cable_all(const Tree &tree)
{
	const uint32_t half = tree.half;

	for (uint32_t host = 0; host < tree.hosts.GetN(); host++)
		cable(tree.hosts.Get(host), tree.edges.Get(host / half));
	for (uint32_t edge = 0; edge < tree.edges.GetN(); edge++)
		for (uint32_t i = 0; i < half; i++)
			cable(tree.edges.Get(edge), tree.middles.Get(edge / half * half + i));
	for (uint32_t middle = 0; middle < tree.middles.GetN(); middle++)
		for (uint32_t i = 0; i < half; i++)
			cable(tree.middles.Get(middle), tree.cores.Get(middle % half * half + i));
}

// No queue discipline is installed, as addresses are not given by a helper.
static void start(const Tree &tree, const NodeContainer &nodes, uint32_t level)
{
	InternetStackHelper stack;

	stack.SetIpv6StackInstall(false);
	stack.Install(nodes);
	for (uint32_t index = 0; index < nodes.GetN(); index++) {
		Ptr<Ipv4> ipv4 = nodes.Get(index)->GetObject<Ipv4>();
		Ptr<TreeRouting> routing = CreateObject<TreeRouting>();
		const Ipv4Address address(level == 0 ? first_address + index : 0x0b000001);

		routing->half = tree.half;
		routing->level = level;
		routing->index = index;
		ipv4->SetRoutingProtocol(routing);
		for (uint32_t i = 0; i < nodes.Get(index)->GetNDevices(); i++) {
			Ptr<NetDevice> device = nodes.Get(index)->GetDevice(i);

			if (ipv4->GetInterfaceForDevice(device) >= 0)
				continue; // the loopback
			const uint32_t interface = ipv4->AddInterface(device);

			ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, "255.0.0.0"));
			ipv4->SetUp(interface);
		}
	}
}

static void send_udp(Ptr<Node> node, InetSocketAddress to, uint64_t bytes)
{
	Ptr<Socket> socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());

	socket->Connect(to);
	for (; bytes > 0; bytes -= std::min<uint64_t>(bytes, payload_B))
		socket->Send(Create<Packet>(std::min<uint64_t>(bytes, payload_B)));
}

static void send_tcp(Ptr<Node> node, InetSocketAddress to, uint64_t bytes)
{
	BulkSendHelper helper("ns3::TcpSocketFactory", to);

	helper.SetAttribute("MaxBytes", UintegerValue(bytes));
	helper.SetAttribute("SendSize", UintegerValue(payload_B));
	helper.Install(node);
}

static uint64_t send_all(const Tree &tree, const char *path, uint64_t bytes, bool tcp)
{
	std::ifstream pairs(path);
	uint64_t messages = 0;
	uint32_t from, to;

	for (; pairs >> from >> to; messages++) {
		const InetSocketAddress address(Ipv4Address(first_address + to), 9);

		if (tcp)
			send_tcp(tree.hosts.Get(from), address, bytes);
		else
			Simulator::Schedule(Seconds(0), &send_udp, tree.hosts.Get(from), address,
					    bytes);
	}
	return messages;
}

static void set_tcp()
{
	Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
	Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(payload_B));
	Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
	Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
	Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
	Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));
}

int main(int argc, char **argv)
{
	const bool tcp = argc == 5 && std::string(argv[3]) == "tcp";
	Tree tree = {};

	if (argc != 5 || (!tcp && std::string(argv[3]) != "udp")) {
		std::cerr << "usage: ns3_tree K BYTES udp|tcp PAIRS" << std::endl;
		return 2;
	}
	tree.half = std::stoul(argv[1]) / 2;
	tree.hosts.Create(2 * tree.half * tree.half * tree.half);
	tree.edges.Create(2 * tree.half * tree.half);
	tree.middles.Create(2 * tree.half * tree.half);
	tree.cores.Create(tree.half * tree.half);
	set_tcp();
	cable_all(tree);
	uint32_t level = 0;
	for (const NodeContainer &nodes : {tree.hosts, tree.edges, tree.middles, tree.cores})
		start(tree, nodes, level++);

	const char *factory = tcp ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
	PacketSinkHelper sink(factory, InetSocketAddress(Ipv4Address::GetAny(), 9));
	ApplicationContainer sinks = sink.Install(tree.hosts);
	for (uint32_t i = 0; i < sinks.GetN(); i++)
		sinks.Get(i)->TraceConnectWithoutContext("Rx", MakeCallback(&take));
	const uint64_t bytes = std::stoull(argv[2]);
	const uint64_t messages = send_all(tree, argv[4], bytes, tcp);

	Simulator::Run();
	std::cout << messages << " messages, " << received.bytes << " of " << messages * bytes
		  << " B received, last at " << received.last_us << " us" << std::endl;
	return received.bytes == messages * bytes ? 0 : 1;
}
