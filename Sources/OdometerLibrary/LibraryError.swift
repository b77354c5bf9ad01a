/// The error of a failed call, in one sentence.
struct LibraryError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
