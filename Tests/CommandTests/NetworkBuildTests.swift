import TestMaps
import Testing

@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct NetworkBuildTests {
  private func scene() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(TestMap("a-b-c").way("abc").opl, to: "map.opl")
    return scratch
  }

  @Test func planPrintsStatesMemoryAndTimeWithoutBuilding() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let plan = try Run(odometer: "network", "build", "map.opl", "--dry-run", in: scratch.folder)
    #expect(plan.status == 0 && plan.output.contains("states: about ") && plan.output.contains("memory: about "))
    #expect(
      plan.output.contains("time: about 1 s on one core") && plan.output.contains("available: "), "\(plan.output)")
    #expect(scratch.files == ["map.opl"])
  }

  @Test(arguments: [["--dry-run"], []])
  func refusesNetworksThatDoNotFit(more: [String]) throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let run = try Run(
      Project.binary, ["network", "build", "map.opl", "--memory", "10 MB"] + more, in: scratch.folder)
    #expect(run.status == 4 && run.error.contains("map.opl: building its network takes about "), "\(run.error)")
    #expect(run.error.contains("of memory, but the memory limit is 10 MB; raise it, or"), "\(run.error)")
    #expect(scratch.files == ["map.opl"])
  }

  @Test func refusesInvalidMemorySizes() throws {
    let scratch = try scene()
    defer { scratch.remove() }
    let run = try Run(odometer: "network", "build", "map.opl", "--memory", "much", in: scratch.folder)
    #expect(run.status == 2 && run.error.contains("--memory: got much, expected a size in MB"), "\(run.error)")
  }
}
