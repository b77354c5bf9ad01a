import Foundation
import TestMaps
import Testing

/// What a run says of an earlier one that did not end.
@Suite(.enabled(if: Project.hasBinary, "the release binary is not built: make build"))
struct ResumeTests {
  private let map = TestMap(
    """
    a-b-c
      | |
      d-e
    """
  ).way("abc").way("bd").way("de").way("ce")

  /// A folder with a job of three chunks, stopped by a person after the first or the second.
  private func stopped() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write(map.opl, to: "map.opl")
    let rows = (0..<60_000).map { "\($0),0,0,0.0018,-0.0\(100_000 + $0 % 80_000)\n" }
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n" + rows.joined(), to: "pairs.csv")
    try scratch.write(job(), to: "job.json5")
    let script = """
      "$0" run job.json5 --quiet & job=$!
      while [ ! -s out/routes.geojson.gz.part ]; do sleep 0.01; done
      kill -INT $job; wait $job
      """
    let run = try Run("/bin/sh", ["-c", script, Project.binary], in: scratch.folder)
    #expect(run.status == 130 && run.error.contains("the same command resumes"), "\(run.error)")
    return scratch
  }

  private func job(_ keys: String = "") -> String {
    "{ kind: 'routes', map: 'map.opl', transportType: 'walking', pairs: 'pairs.csv', output: 'out', \(keys) }"
  }

  @Test func theSameCommandGoesOn() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 0 && run.error.hasPrefix("odometer: going on after "), "\(run.error)")
    try Run(odometer: "run", "job.json5", "--output", "again", "--workers", "1", in: scratch.folder)
    #expect(scratch.bytes("out/routes.geojson.gz") == scratch.bytes("again/routes.geojson.gz"))
    let log = scratch.text("out/log.jsonl").split(separator: "\n")
    let events = log.compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["event"] as? String
    }
    #expect(
      events == ["start", "forecast", "chunks", "interrupted", "start", "forecast", "chunks", "sealed", "finished"])
    // A finished job is not gone on with: the next night begins anew, also its log.
    #expect(try Run(odometer: "run", "job.json5", in: scratch.folder).error.isEmpty)
    #expect(scratch.text("out/log.jsonl").split(separator: "\n").count == 5)
  }

  @Test func whatHasChangedSinceIsSaid() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    let pairs = scratch.text("pairs.csv")
    func expectRefusal(_ sentence: String) throws {
      let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
      #expect(run.status == 4 && run.error.contains(sentence) && run.error.contains("--fresh"), "\(run.error)")
      #expect(run.error.split(separator: "\n").count == 1)
    }
    try scratch.write(job("snapLimit: 200"), to: "job.json5")
    try expectRefusal("since it began snap_limit was 1000.0, is 200.0; give that back")
    try scratch.write(job(), to: "job.json5")
    try scratch.write(pairs + "x,0,0,0,0.001\n", to: "pairs.csv")
    try expectRefusal("the content of pairs has changed")
    try scratch.write(pairs, to: "pairs.csv")
    try scratch.write(map.opl.replacing("footway", with: "path") + "\n", to: "map.opl")
    try expectRefusal("the content of map has changed")
    try scratch.write(map.opl, to: "map.opl")
    // Words that change nothing do not matter.
    try scratch.write("// tonight\n" + job("language: 'en'"), to: "job.json5")
    #expect(try Run(odometer: "run", "job.json5", "--quiet", in: scratch.folder).status == 0)
  }

  @Test func freshStartsOver() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    try scratch.write(job("snapLimit: 200"), to: "job.json5")
    let run = try Run(odometer: "run", "job.json5", "--fresh", in: scratch.folder)
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    #expect(scratch.files(in: "out") == ["log.jsonl", "report.html", "results.sqlite", "routes.geojson.gz"])
  }

  @Test func aFileThatIsShorterThanItWasIsRefused() throws {
    let scratch = try stopped()
    defer { scratch.remove() }
    try scratch.write("", to: "out/routes.geojson.gz.part")
    let run = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(run.status == 4 && run.error.contains("the file has 0 bytes, the unfinished job wrote "), "\(run.error)")
    try scratch.write("no database at all, but long enough to be one", to: "out/results.sqlite.part")
    let other = try Run(odometer: "run", "job.json5", in: scratch.folder)
    #expect(other.status == 4 && other.error.contains("start over with --fresh"), "\(other.error)")
  }

  @Test func aSecondRunIntoTheFolderIsRefused() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    try scratch.write(map.opl, to: "map.opl")
    try scratch.write("id,o_lon,o_lat,d_lon,d_lat\n1,0,0,0.0018,0\n", to: "pairs.csv")
    try scratch.write(job(), to: "job.json5")
    // A lock as a run holds it, and the folder is free again when its holder is killed.
    let script = """
      mkdir out; flock out sleep 60 & holder=$!; sleep 0.2
      "$0" run job.json5; echo $?; pkill -KILL -P $holder; kill -KILL $holder; "$0" run job.json5 --quiet; echo $?
      """
    let run = try Run("/bin/sh", ["-c", script, Project.binary], in: scratch.folder)
    #expect(run.output == "4\n1 routes: 1 ok\n0\n", "\(run.output) \(run.error)")
    #expect(run.error.contains("out: another run is writing into this folder"), "\(run.error)")
  }
}
