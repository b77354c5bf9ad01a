import Jobs
import Tables

/// Kinds of jobs, as help shows them.
enum KindHelp {
  static func text(_ kind: JobKind) -> String {
    """
    Kind \(kind.rawValue): \(kind.summary).

    Keys of its own:
    \(KeyHelp.table(KeyHelp.own(of: kind)))

    Keys of every kind:
    \(KeyHelp.table(KeyHelp.shared))

    Tables of its own: \(kind.tables.map(\.name).joined(separator: ", ")) (odometer help TABLE).
    odometer init \(kind.rawValue) prints a job file with all of them.
    """
  }

  static var list: String {
    """
    \(HelpTable(JobKind.allCases.map { ($0.rawValue, $0.summary) }))

    odometer help KIND describes a kind and its keys, odometer init KIND prints a job file.
    """
  }
}
