import Foundation

extension POSIXError {
  /// The error of the last system call.
  package static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// Returns the system's message for a failed read or write, such as "No space left on device", instead of
  /// Foundation's. Odometer's errors keep their messages.
  package static func reason(for error: any Error) -> String {
    if let error = error as? POSIXError { return message(for: error.code) }
    guard error is CocoaError || type(of: error) == NSError.self else { return "\(error)" }
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    if cause.domain == NSPOSIXErrorDomain { return message(for: POSIXErrorCode(rawValue: Int32(cause.code)) ?? .EIO) }
    let code: POSIXErrorCode =
      switch CocoaError.Code(rawValue: cause.code) {
      case .fileNoSuchFile, .fileReadNoSuchFile: .ENOENT
      case .fileReadNoPermission, .fileWriteNoPermission: .EACCES
      case .fileWriteFileExists: .EEXIST
      case .fileWriteOutOfSpace: .ENOSPC
      case .fileWriteVolumeReadOnly: .EROFS
      case .fileReadInvalidFileName, .fileWriteInvalidFileName: .EINVAL
      case .fileReadTooLarge: .EFBIG
      default: .EIO
      }
    return message(for: code)
  }

  private static func message(for code: POSIXErrorCode) -> String {
    // The system's message is "Illegal seek".
    code == .ESPIPE ? "this is a pipe or a device" : String(cString: strerror(code.rawValue))
  }
}
