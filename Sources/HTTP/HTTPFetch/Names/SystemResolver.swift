import Glibc
import InternetAddress

/// `getaddrinfo`.
enum SystemResolver {
    /// The most addresses of one name that are tried; more would only lengthen the wait for the last.
    static let maxAddresses = 16

    /// Looks a name up; blocks for as long as the system's resolver does.
    static func lookUp(_ name: String) -> NameResolver.Answer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        errno = 0
        let code = getaddrinfo(name, nil, &hints, &first)
        guard code == 0 else { return .failure(Self.failure(code: code, errno: errno)) }
        defer { freeaddrinfo(first) }
        var addresses: [IPAddress] = []
        var next = first
        while let entry = next?.pointee, addresses.count < Self.maxAddresses {
            let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            if let address = IPAddress(sockaddr: bytes), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
    }

    /// - Parameter code: An `EAI_…`. Without a descriptor for its socket or its files, `getaddrinfo` reports an unknown name
    ///   or a temporary failure as often as a system error.
    static func failure(code: Int32, errno: Int32) -> ResolverError {
        if errno == EMFILE || errno == ENFILE { return .outOfDescriptors }
        return code == EAI_AGAIN ? .temporaryFailure : .notFound
    }
}

/// Why a name has no addresses.
enum ResolverError: Error, Hashable {
    /// The name does not exist, or has no addresses.
    case notFound
    /// The system's resolver got no answer, or was asked to try again later.
    case temporaryFailure
    /// The process or the system has too many files open.
    case outOfDescriptors
    /// Too many lookups are waiting, or no thread can be started; no lookup was made.
    case busy

    /// Whether it may be cached.
    var isLasting: Bool { self == .notFound }
}
