import Glibc

/// A file operation that failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, as a verb: "open".
    public let action: String
    /// The file or folder.
    public let path: String
    /// The C library's error number.
    public let code: Int32

    init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// A sentence such as "cannot open /x: No such file or directory".
    public var description: String {
        "cannot \(self.action) \(self.path): \(String(cString: strerror(self.code)))"
    }
}
