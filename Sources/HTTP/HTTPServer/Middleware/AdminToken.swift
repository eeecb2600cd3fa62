import Glibc
import HTTPSemantics
package import Hummingbird
import Synchronization

/// Rejects requests without the operator's token.
package struct AdminMiddleware<Context: RequestContext>: RouterMiddleware {
    private let token: AdminToken

    /// For routes that change something, or return non-public data.
    package init(_ token: AdminToken) {
        self.token = token
    }

    /// - Throws: ``Problem`` of the kind `unauthorized`; errors of the routes.
    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard self.token.permits(request.headers[.authorization]) else {
            throw Problem(.unauthorized, "this request requires 'Authorization: Bearer' with the server's admin token")
        }
        return try await next(request, context)
    }
}

/// The secret that operators send as `Authorization: Bearer`; it can be replaced.
package final class AdminToken: Sendable {
    /// Why a token cannot be used.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case unacceptable

        package var description: String {
            switch self {
            case .unreadable(let path, let reason): "the token file \(path) cannot be read: \(reason)"
            case .unacceptable:
                "a token is \(AdminToken.lengths.lowerBound) to \(AdminToken.lengths.upperBound) "
                    + "visible ASCII characters without spaces; 'openssl rand -hex 32' makes one"
            }
        }
    }

    static let lengths = 16...512
    /// Maximum number of bytes read from a file: a token and white space around it.
    private static let fileLimit = 1024

    private let bytes: Mutex<[UInt8]>
    /// Whether every user of the machine can read the token's file, which deserves a warning.
    package let isPublic: Bool

    /// - Parameter text: The token; surrounding white space is ignored.
    /// - Throws: ``Failure/unacceptable``.
    package init(_ text: String) throws(Failure) {
        self.bytes = Mutex(try Self.trimmed(Array(text.utf8)))
        self.isPublic = false
    }

    /// Reads a file that contains only the token.
    package init(contentsOf path: String) throws(Failure) {
        let file: SecretFile
        do throws(SecretFile.Unreadable) {
            file = try SecretFile(path, limit: Self.fileLimit)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        guard let content = file.content else { throw .unacceptable }
        self.bytes = Mutex(try Self.trimmed(content))
        self.isPublic = file.isPublic
    }

    private static func trimmed(_ text: [UInt8]) throws(Failure) -> [UInt8] {
        let token = SecretFile.trimmed(text)
        guard Self.lengths.contains(token.count), token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .unacceptable
        }
        return token
    }

    /// Replaces the secret by the secret of `other`, for all holders of this token.
    package func replace(with other: AdminToken) {
        let bytes = other.bytes.withLock { $0 }
        self.bytes.withLock { $0 = bytes }
    }

    /// The current secret, for deriving keys. Replacing the token invalidates everything signed with them.
    package var secret: [UInt8] { self.bytes.withLock { $0 } }

    /// Whether a request has the operator's permissions.
    ///
    /// The time it takes depends only on the field, and reveals nothing about the token.
    ///
    /// - Parameter authorization: The `Authorization` field; `nil` if it is missing.
    package func permits(_ authorization: String?) -> Bool {
        let scheme = "bearer "
        guard let authorization, authorization.prefix(scheme.count).lowercased() == scheme else { return false }
        let bytes = self.bytes.withLock { $0 }
        var difference = 0
        var count = 0
        for byte in authorization.utf8.dropFirst(scheme.utf8.count) {
            difference |= Int(byte ^ bytes[count % bytes.count])
            count += 1
        }
        return difference | (count ^ bytes.count) == 0
    }
}

/// The contents of a file with restricted permissions.
package struct SecretFile {
    /// Why a file cannot be read: the system's message.
    package struct Unreadable: Error {
        package let reason: String
    }

    /// `nil` if the file is larger than allowed.
    package let content: [UInt8]?
    /// Whether every user of the machine can read the file, which deserves a warning.
    package let isPublic: Bool

    /// - Parameter limit: Maximum number of bytes to read.
    package init(_ path: String, limit: Int) throws(Unreadable) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure() }
        defer { close(descriptor) }
        var content = [UInt8](repeating: 0, count: limit + 1)
        let count = read(descriptor, &content, content.count)
        guard count >= 0 else { throw Self.failure() }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.failure() }
        self.content = count <= limit ? Array(content[..<count]) : nil
        self.isPublic = status.st_mode & S_IROTH != 0
    }

    package static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return text.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    }

    private static func failure() -> Unreadable {
        Unreadable(reason: String(cString: strerror(errno)))
    }
}
