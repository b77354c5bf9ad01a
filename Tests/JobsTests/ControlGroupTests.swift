import Foundation
import Jobs
import TestMaps
import Testing

struct ControlGroupTests {
  private func cores(_ limits: [String: String], own: String) throws -> Double? {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("12:cpu:/old\n0::\(own)\n", to: "membership")
    for (folder, text) in limits {
      try FileManager.default.createDirectory(atPath: scratch.path("root\(folder)"), withIntermediateDirectories: true)
      try scratch.write(text, to: "root\(folder)/cpu.max")
    }
    return ControlGroups(root: scratch.path("root"), membership: scratch.path("membership")).cores
  }

  @Test(
    arguments: [
      (["/": "max 100000\n"], "/", nil), (["/": "150000 100000\n"], "/", 1.5), ([:], "/unit", nil),
      (["/slice": "200000 100000\n", "/slice/unit": "400000 100000\n"], "/slice/unit", 2),
      (["/slice": "max 100000\n", "/slice/unit": "50000 100000\n", "/other": "1 100000\n"], "/slice/unit", 0.5),
    ] as [([String: String], String, Double?)])
  func useTheSmallestOfTheirLimits(limits: [String: String], own: String, expected: Double?) throws {
    #expect(try cores(limits, own: own) == expected)
  }

  @Test func workersAreWholeAndAtLeastOne() throws {
    let groups = ControlGroups(root: "/nowhere", membership: "/nowhere")
    #expect(groups.workers(of: 3) == 3 && groups.workers(of: 0) == 1)
  }

  @Test(
    arguments: [
      ("Cpus_allowed:\tff\nCpus_allowed_list:\t0-3,8\n", 5), ("Cpus_allowed_list:\t7\n", 1), ("Name:\todometer\n", nil),
      ("Cpus_allowed_list:\tx\n", nil),
    ] as [(String, Int?)])
  func affinityCountsTheCoresOfItsList(text: String, expected: Int?) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    #expect(try ControlGroups.affinity(status: scratch.write(text, to: "status")) == expected)
  }

  @Test func filesThatCanBeReclaimedAreFree() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write("0::/\n", to: "membership")
    for (name, text) in [
      "memory.max": "1000\n", "memory.current": "900\n",
      "memory.stat": "anon 300\ninactive_file 400\nactive_file 200\n",
    ] { try scratch.write(text, to: name) }
    #expect(ControlGroups(root: scratch.folder, membership: scratch.path("membership")).memory == 700)
    try scratch.write("150000 100000\n", to: "cpu.max")
    #expect(ControlGroups(root: scratch.folder, membership: scratch.path("membership")).workers(of: 8) == 2)
  }

  @Test func addressSpaceLimitsMemory() {
    let limit = MemoryLimit(4 << 30, workers: 2, addressSpace: 400 << 20)
    #expect(limit.bytes == 256 << 20 && limit.origin == "ulimit -v")
    #expect(MemoryLimit(4 << 30, workers: 8, addressSpace: 400 << 20).bytes == 0)
    #expect(MemoryLimit(1 << 20, addressSpace: nil).origin == "the key memory")
    #expect(MemoryLimit(nil, addressSpace: nil).origin == nil)
  }

  @Test func freeSpaceIsRoundedDown() {
    let free = [65_536, 1_999_999, 2_000_000, 1_970_000_000, 1_999_000_000_000]
    #expect(free.map(MemoryLimit.text(free:)) == ["65 kB", "1 MB", "2 MB", "1.9 GB", "1.9 TB"])
  }

  @Test func readsThePeakFromTheStatusOfTheProcess() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let status = try scratch.write("Name:\todometer\nVmHWM:\t    1234 kB\nVmRSS:\t    1000 kB\n", to: "status")
    #expect(ProcessUse.status("VmHWM", in: status) == 1234 * 1024 && ProcessUse.status("VmSwap", in: status) == nil)
    #expect(ProcessUse.peakBytes > 1 << 20)
  }
}
