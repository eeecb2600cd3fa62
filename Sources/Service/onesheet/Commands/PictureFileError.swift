import Glibc
import PosterOrigins

/// A file or stream of the command line that cannot be used. The description names it.
enum PictureFileError: Error, Equatable, CustomStringConvertible {
    case directory(String)
    /// `code` is an `errno`.
    case unreadable(String, code: Int32)
    case tooLong(String, limit: Int)

    var description: String {
        switch self {
        case .directory(let name): "\(name) is a directory"
        case .unreadable(let name, let code): "cannot read \(name): \(String(cString: strerror(code)))"
        case .tooLong(let name, let limit):
            "\(name): over the limit of bytes: it has more than \(limit), the value of --max-bytes"
        }
    }

    /// The line about a failed input or output, which names it once.
    static func line(_ error: any Error, name: String) -> String {
        error is FileError || error is PictureFileError ? "\(error)" : "\(name): \(error)"
    }
}
