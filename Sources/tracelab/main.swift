import Foundation
import Geography
import Routing
import StreetNetwork
func cpu() -> Double { var t = timespec(); clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return Double(t.tv_sec) + Double(t.tv_nsec) * 1e-9 }
let a = CommandLine.arguments
var o = MatchOptions()
var repeats = 1, fastest = false, limit = Int.max
for x in a.dropFirst(5) { let kv = x.split(separator: "="); let v = Double(kv[1])!
  switch kv[0] { case "sigma": o.accuracy = v; case "repeat": repeats = Int(v)
  case "fastest": fastest = v > 0; case "limit": limit = Int(v); case "min": o.breadcrumb.minimumDistance = v; default: fatalError() } }
o.comparesWithFastest = fastest
let network = try StreetNetwork(map: a[1], profile: .stock(a[2]))
let router = Router(network, .init())
let matcher = TraceMatcher(router, o)
var traces: [(String, [Fix])] = []
for line in try String(contentsOfFile: a[3], encoding: .utf8).split(separator: "\n").dropFirst() {
  let f = line.split(separator: ",")
  if traces.last?.0 != String(f[0]) { if traces.count == limit { break }; traces.append((String(f[0]), [])) }
  traces[traces.count - 1].1.append(Fix(coordinate: Coordinate(latitude: Double(f[3])!, longitude: Double(f[2])!), timestamp: Date(timeIntervalSince1970: Double(f[1])!)))
}
var out = "", used = 0.0, total = 0, matched = 0, failed = 0, parts = 0
var sigmas: [Double] = [], reasons: [String: Int] = [:], begins: [String: Int] = [:]
for (id, fixes) in traces {
  if repeats > 1 { _ = matcher.match(fixes) }
  let s = cpu()
  for _ in 1..<repeats { _ = matcher.match(fixes) }
  let m = matcher.match(fixes)
  used += (cpu() - s) / Double(repeats)
  total += fixes.count; matched += m.fixes.count { $0.place != nil }; parts += m.parts.count
  if m.parts.isEmpty { failed += 1 }
  sigmas.append(m.sigma)
  for f in m.fixes { reasons[f.reason?.rawValue ?? "matched", default: 0] += 1 }
  for p in m.parts { begins[p.beginReason.rawValue, default: 0] += 1 }
  if m.status != .ok { reasons["STATUS " + m.status.rawValue, default: 0] += 1 }
  let ps: [String] = m.parts.map { p in
    let cs: [String] = p.polyline.coordinates.map { "[\($0.longitude),\($0.latitude)]" }
    return "[" + cs.joined(separator: ",") + "]" }
  out += "{\"id\":\"\(id)\",\"points\":\(fixes.count),\"matched\":\(matched),\"parts\":[" + ps.joined(separator: ",") + "]}\n"
}
out += "{\"cpu\":\(used),\"points\":\(total),\"matched\":\(matched),\"traces\":\(traces.count),\"failed\":\(failed)}\n"
try out.write(toFile: a[4], atomically: true, encoding: .utf8)
sigmas.sort()
print((a[3] as NSString).lastPathComponent, "points/s", Int(Double(total) / used), "parts", parts, "sigma p10/50/90", sigmas[sigmas.count / 10], sigmas[sigmas.count / 2], sigmas[sigmas.count * 9 / 10], reasons, begins)
