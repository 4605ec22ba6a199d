// SPDX-License-Identifier: GPL-3.0-or-later
// ns3_rdma SENDERS MS LOSS SEED: an incast over one switch in the ns-3 of the authors of DCQCN
// (ns3-rdma, of ns-3.17), as tests/bench/peers runs it in flitsim: hosts that begin at once and do
// not end, cables of 40 Gb/s and 1 us of which that of the receiver loses a part of what comes, and
// the constants of flitsim's defaults but for the least rate, which is this peer's 100 Mb/s. Prints
// for each 5 ms what arrives in Gb/s, Jain's index of the senders' shares, the mean and the most of
// the switch's queue in B, and the notices; then how many packets were sent, and how many of them
// had been sent before. It needs that ns-3 and is no part of the build.
//
// Cables have 39.99 Gb/s: the peer cuts times to whole ns, and at 40 Gb/s a packet of 204 ns to
// 203. No pauses: what the switch may hold is far above what comes, up to the peer's 9 MB.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ns3/applications-module.h"
#include "ns3/broadcom-node.h"
#include "ns3/core-module.h"
#include "ns3/error-model.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/qbb-helper.h"
#include "ns3/qbb-net-device.h"

using namespace ns3;

static const double every_s = .005, start_s = 1, sample_s = 5e-7;
static const uint32_t priority = 3, far_B = 400000000;

static std::vector<uint64_t> arrived_B; // of each sender, in this interval
static uint64_t sent, again, notices, queue_most_B;
static std::vector<uint32_t> next; // of each sender: the number of its next new packet
static double queue_sum_B, samples;
static Ptr<QbbNetDevice> output; // of the switch

// Takes the headers of the link and of IP from a packet's copy.
static Ipv4Header uncover(Ptr<Packet> copy)
{
	PppHeader link;
	Ipv4Header header;

	copy->RemoveHeader(link);
	copy->RemoveHeader(header);
	return header;
}

static void at_receiver(Ptr<const Packet> packet)
{
	const Ipv4Header header = uncover(packet->Copy());

	if (header.GetProtocol() == 17)
		arrived_B[(header.GetSource().Get() >> 8 & 255) - 1] += packet->GetSize();
}

static void at_sender(Ptr<const Packet> packet)
{
	notices += uncover(packet->Copy()).GetProtocol() == 0xff;
}

static void leaves(uint32_t sender, Ptr<const Packet> packet)
{
	Ptr<Packet> copy = packet->Copy();
	UdpHeader udp;
	SeqTsHeader number;

	if (uncover(copy).GetProtocol() != 17)
		return;
	copy->RemoveHeader(udp);
	copy->RemoveHeader(number);
	sent++;
	if (number.GetSeq() < next[sender])
		again++;
	else
		next[sender] = number.GetSeq() + 1;
}

static void sample()
{
	const uint64_t queue_B = output->GetQueue()->GetNBytes(priority);

	queue_sum_B += queue_B;
	queue_most_B = std::max(queue_most_B, queue_B);
	samples++;
	Simulator::Schedule(Seconds(sample_s), sample);
}

static void tell()
{
	double sum_B = 0, squares = 0;

	for (auto &bytes : arrived_B) {
		sum_B += bytes;
		squares += (double)bytes * bytes;
		bytes = 0;
	}
	printf("%.3f %.4f %.0f %lu %lu\n", sum_B * 8e-9 / every_s,
	       squares > 0 ? sum_B * sum_B / squares / arrived_B.size() : 0, queue_sum_B / samples,
	       queue_most_B, notices);
	queue_sum_B = samples = 0;
	queue_most_B = notices = 0;
	Simulator::Schedule(Seconds(every_s), tell);
}

static void set(const char *name, const AttributeValue &value)
{
	Config::SetDefault(std::string("ns3::QbbNetDevice::") + name, value);
}

static void set_rules()
{
	set("QcnEnabled", BooleanValue(true));
	set("DynamicThreshold", BooleanValue(false));
	set("ClampTargetRate", BooleanValue(true)); // each notice lowers the target
	set("CNPInterval", DoubleValue(50));
	set("AlphaResumInterval", DoubleValue(55));
	set("RPTimer", DoubleValue(55));
	set("ByteCounter", UintegerValue(10000000));
	set("FastRecoveryTimes", UintegerValue(5));
	set("DCTCPGain", DoubleValue(1. / 256));
	set("RateAI", DataRateValue(DataRate("40Mb/s")));
	set("RateHAI", DataRateValue(DataRate("400Mb/s")));
	set("MinRate", DataRateValue(DataRate("100Mb/s")));
	set("L2ChunkSize", UintegerValue(4000));
	set("L2AckInterval", UintegerValue(1));
}

// The cable of a host to the switch, node 0.
static void join(NodeContainer &nodes, uint32_t host, double loss)
{
	const uint32_t senders = nodes.GetN() - 2;
	const std::string base = "10.1." + std::to_string(host) + ".0";
	QbbHelper cable;
	Ipv4AddressHelper addresses;
	Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
	NetDeviceContainer ends;

	cable.SetDeviceAttribute("DataRate", StringValue("39990000000bps"));
	cable.SetChannelAttribute("Delay", StringValue("1us"));
	ends = cable.Install(nodes.Get(0), nodes.Get(host));
	errors->SetAttribute("ErrorRate", DoubleValue(host > senders ? loss : 0));
	errors->SetAttribute("ErrorUnit", StringValue("ERROR_UNIT_PACKET"));
	ends.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
	addresses.SetBase(base.c_str(), "255.255.255.0");
	addresses.Assign(ends);
	if (host > senders) {
		output = DynamicCast<QbbNetDevice>(ends.Get(0));
		ends.Get(1)->TraceConnectWithoutContext("PhyRxEnd", MakeCallback(at_receiver));
		return;
	}
	ends.Get(1)->TraceConnectWithoutContext("PhyRxEnd", MakeCallback(at_sender));
	ends.Get(1)->TraceConnectWithoutContext("PhyTxBegin", MakeBoundCallback(leaves, host - 1));
}

static void send(NodeContainer &nodes, uint32_t host)
{
	Ptr<Node> receiver = nodes.Get(nodes.GetN() - 1);
	const Ipv4Address to = receiver->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
	UdpServerHelper server(1000 + host);
	UdpClientHelper client(to, 1000 + host, priority);

	server.Install(receiver).Start(Seconds(start_s / 2));
	client.SetAttribute("MaxPackets", UintegerValue(UINT32_MAX));
	client.SetAttribute("Interval", TimeValue(Seconds(2.5e-7)));
	client.SetAttribute("PacketSize", UintegerValue(1000));
	client.Install(nodes.Get(host)).Start(Seconds(start_s));
}

int main(int count, char **words)
{
	const uint32_t senders = count == 5 ? atoi(words[1]) : 0;
	NodeContainer nodes; // the switch, senders, the receiver

	if (senders == 0 || senders > 60) {
		fprintf(stderr, "usage: ns3_rdma SENDERS MS LOSS SEED\n");
		return 2;
	}
	set_rules();
	SeedManager::SetSeed(atoi(words[4]));
	nodes.Create(senders + 2);
	nodes.Get(0)->SetNodeType(1, false);
	nodes.Get(0)->m_broadcom->SetBroadcomParams(far_B, far_B, 1030, 1030, far_B, far_B, far_B,
						    far_B, 1030, far_B, far_B, far_B, 16, 128, 0);
	nodes.Get(0)->m_broadcom->SetMarkingThreshold(5, 200, .01); // in 1030 B
	InternetStackHelper().Install(nodes);
	for (uint32_t host = 1; host < senders + 2; host++)
		join(nodes, host, atof(words[3]));
	arrived_B.resize(senders);
	next.resize(senders);
	Ipv4GlobalRoutingHelper::PopulateRoutingTables();
	for (uint32_t host = 1; host <= senders; host++)
		send(nodes, host);
	Simulator::Schedule(Seconds(start_s), sample);
	Simulator::Schedule(Seconds(start_s + every_s), tell);
	Simulator::Stop(Seconds(start_s + atof(words[2]) * 1e-3) + NanoSeconds(1));
	Simulator::Run();
	printf("%lu sent, %lu again\n", sent, again);
	Simulator::Destroy();
	return 0;
}
