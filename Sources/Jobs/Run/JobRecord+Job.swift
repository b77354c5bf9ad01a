import Foundation
import Routing
import StreetNetwork
import Tables

extension JobRecord {
  /// Of a run that starts now.
  init(of job: Job, on network: StreetNetwork, version: String) {
    self.init(of: job, by: network.profile, map: network.fingerprints.map, version: version)
    // A network file says which map it is of: results are those of the map.
    identity[.map] = job.networkProfile == nil ? job.map : network.mapName
    identity[.mapDate] = network.mapDate
    identity[.profileSHA256] = network.fingerprints.profile
    identity[.networkSHA256] = network.fingerprints.network
    if let accessibility = network.accessibility { identity[.accessibility] = accessibility }
    identity.merge(job.task.identity(of: job, on: network))
    if let departures = job.departures { identity.merge(departures.identity(of: job.hours)) }
  }

  /// What names a job: kind, mode and the name of its file.
  init(naming job: Job) {
    self.init()
    identity[.kind] = job.kind.rawValue
    identity[.transportType] = job.transportType.rawValue
    run[.jobFile] = job.nameInRecord
  }

  /// What is known of a run before there is a network.
  ///
  /// - Parameter map: The digest of the map.
  init(of job: Job, by profile: Profile, map: String, version: String) {
    self.init()
    identity[.kind] = job.kind.rawValue
    identity[.version] = version
    identity[.map] = job.networkProfile == nil ? job.map : nil
    identity[.networkFile] = job.networkProfile == nil ? nil : job.map
    identity[.mapSHA256] = map
    identity[.profile] = profile.name
    if let digest = profile.elevationDigest { identity[.elevationSHA256] = digest }
    identity[.transportType] = job.transportType.rawValue
    identity.merge(job.identity)
    identity.set(.snapLegs, job.snapLegs ?? profile.countsSnapLegs)
    identity.set(.links, job.writesLinks)
    run[.jobFile] = job.nameInRecord
    run[.jobFileSHA256] = Digest.of(job.text.bytes).hexadecimal
    run[.jobText] = String(decoding: job.text.bytes, as: UTF8.self)
    run[.workingFolder] = FileManager.default.currentDirectoryPath
    run[.started] = Date().formatted(.iso8601)
  }

  /// The SHA-256 of a file's content; empty where there is no file: reading it will say so.
  fileprivate static func digest(of path: String) -> String { (try? Digest.of(file: path).hexadecimal) ?? "" }

  /// What is known when a run ends: of `rows` that are written, `new` were computed by it.
  static func ending(rows: Int, new: Int, rejected: Int, seconds: Double, workers: Int) -> JobRecord {
    var record = JobRecord()
    record.figures.set(.rows, rows)
    record.figures.set(.rejected, rejected)
    record.run[.finished] = Date().formatted(.iso8601)
    record.run.set(.seconds, (seconds * 1000).rounded() / 1000)
    record.run.set(.rate, (Double(new) / seconds * 10).rounded() / 10)
    record.run.set(.workers, workers)
    return record
  }
}

extension Entries<IdentityKey> {
  /// Sets the path of an input under its key, and the digest of its content.
  mutating func setFile(_ key: String, _ file: String) {
    self[IdentityKey(key)] = file
    // Of a GeoPackage the table counts, too.
    self[IdentityKey(digestOf: key)] = JobRecord.digest(of: FeatureTable.file(of: file)) + FeatureTable.suffix(of: file)
  }
}

extension Job {
  /// What tells the job from others: the path of its file; of one from standard input with its table.
  fileprivate var nameInRecord: String {
    guard file == Job.nameOfStandardInput, let table = task.files.first else { return file }
    return "\(file) (\((table as NSString).lastPathComponent))"
  }
}
