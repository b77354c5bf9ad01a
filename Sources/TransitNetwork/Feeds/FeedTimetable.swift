import Foundation
import Geography
import Input
import StreetNetwork
import Tables
import Transit

/// The timetable of a job's feeds in a file, which is opened if the feeds were read before, and otherwise written.
///
/// `NAME-KEY.timetable` is next to the first feed or in the cache folder; the key identifies the content of the zips
/// and the format version.
package struct FeedTimetable: Sendable {
  package let timetable: Timetable
  /// In the order of the job.
  package let feeds: [Feed]
  /// The timetable file.
  package let path: String
  /// The zips and the file, as read.
  package let watched: [WatchedFile]

  /// One of the feeds.
  package struct Feed: Sendable {
    /// The zip.
    package let path: String
    /// SHA-256 of the zip, in hexadecimal digits.
    package let digest: String
    /// Facts found while reading the feed.
    package let facts: FeedFacts

    /// Its rejected rows, for table `rejected`.
    package var rejected: [RejectedRow] {
      facts.rejected.map { RejectedRow(file: "\(path)/\($0.file)", line: $0.line, text: $0.text, reason: $0.reason) }
    }

    /// Notes for the user, without full stops.
    package var notes: [String] {
      facts.zipNotes.map { "\(path): \($0)" } + facts.notes.map { "\(path)/\($0)" }
        + (facts.rejectedRows == 0 ? [] : ["\(path): rows rejected: \(facts.rejectedRows) (table rejected)"])
        + (facts.unread.isEmpty ? [] : ["\(path): not read: \(facts.unread.joined(separator: ", "))"])
    }
  }

  /// - Parameters:
  ///   - paths: GTFS zips, one or more.
  ///   - cache: The folder for the file; nil: the first feed's folder.
  ///   - report: Called with a sentence before feeds are read; nothing is read if it throws.
  /// - Throws: `InputError` for a feed, `CacheError` if the file cannot be written.
  package init(_ paths: [String], cache: String? = nil, report: (String) throws -> Void = { _ in }) throws {
    let zips = try paths.map { try FeedTimetable.digest(of: $0, cache) }
    for (index, zip) in zips.enumerated() {
      guard let first = zips[..<index].firstIndex(where: { $0.digest == zip.digest }) else { continue }
      throw InputError(file: paths[index], problem: "got the same feed as \(paths[first]), expected each once")
    }
    let content = Digest.of(zips.flatMap(\.digest))
    let origin = ColumnOrigin(from: content, with: Digest.of([UInt8]()))
    path = FeedTimetable.path(paths[0], cache, content)
    var known: (timetable: Timetable, facts: [FeedFacts], file: WatchedFile)?
    do {
      known = try FeedTimetable.opened(path, origin)
    } catch let error as POSIXError where error.code == .ENOENT {
      try report("reading the timetable of \(paths.joined(separator: ", ")), once")
    } catch {
      try report("\(path): the timetable file \(POSIXError.reason(of: error)); reading the feeds again")
    }
    if known == nil {
      let contents = try FeedTimetable.read(paths)
      // If a file has changed, its data must not be stored.
      try zips.map(\.file).check(\.isSame)
      do {
        if let cache { try FileManager.makeFolder(cache) }
        try TimetableFile.write(contents, to: path, origin)
        known = try FeedTimetable.opened(path, origin)
      } catch {
        throw CacheError(path: path, kind: "timetable", reason: error)
      }
    }
    let (timetable, facts, file) = known!
    (self.timetable, watched) = (timetable, zips.map(\.file) + [file])
    feeds = paths.indices.map { Feed(path: paths[$0], digest: zips[$0].digest.hexadecimal, facts: facts[$0]) }
  }

  private static func read(_ paths: [String]) throws -> TimetableFile.Contents {
    var (columns, facts) = (TimetableColumns(), [FeedFacts]())
    for path in paths {
      guard let feed = try GTFSFeed.open(path) else { throw InputError(file: path, problem: "not a GTFS zip") }
      let reader = try FeedReader(feed)
      columns.add(reader)
      facts.append(reader.facts)
    }
    var contents = columns.contents()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    contents.add(.facts, Array(try encoder.encode(facts)))
    return contents
  }

  private static func digest(of path: String, _ cache: String?) throws -> (digest: [UInt8], file: WatchedFile) {
    if let problem = FileManager.irregularity(of: path, expecting: "a GTFS zip") {
      throw InputError(file: path, problem: problem)
    }
    do {
      let zip = try Digest.noted(of: path, in: cache)
      return (zip.0, zip.of)
    } catch {
      throw InputError(file: path, problem: "the feed cannot be read: \(POSIXError.reason(of: error))")
    }
  }

  private static func path(_ feed: String, _ cache: String?, _ content: [UInt8]) -> String {
    let key = Digest.of(content + [UInt8(TimetableSection.format.version)]).hexadecimal.prefix(12)
    let file = (feed as NSString).lastPathComponent as NSString
    let name = file.pathExtension == "zip" ? file.deletingPathExtension : file as String
    let folder = cache ?? feed.folder
    return "\(folder.isEmpty ? "" : folder + "/")\(name)-\(key)\(TimetableSection.suffix)"
  }

  private static func opened(
    _ path: String, _ origin: ColumnOrigin
  ) throws -> (timetable: Timetable, facts: [FeedFacts], file: WatchedFile) {
    let file = try TimetableFile(path: path, origin, check: .unlessNoted(DigestNote(of: path)))
    let facts = try JSONDecoder().decode([FeedFacts].self, from: Data(file.column(.facts, of: UInt8.self)))
    let timetable = try Timetable(file)
    guard timetable.timeZones.count == facts.count else {
      throw InvalidColumnFile.impossible("\(TimetableSection.facts)")
    }
    return (timetable, facts, file.watched)
  }
}
