import CPosterCurl
import Glibc
import InternetAddress

/// A thread that a lookup may block.
///
/// Nobody joins it: `getaddrinfo` cannot be interrupted.
enum ResolverThread {
    /// Addresses of one name that are tried; more would only lengthen the wait for the last.
    static let maxAddresses = 16

    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// - Returns: Whether the thread could be started.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                poster_curl_name_thread("http-resolve")
                FetchThread.ignoreBrokenPipes()
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Blocks for as long as the system's resolver likes.
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

    /// - Parameter code: An `EAI_…`. Without a descriptor for its socket or its files, `getaddrinfo` says that the name is
    ///   unknown, or to try again, as often as it says that the system failed.
    static func failure(code: Int32, errno: Int32) -> ResolverError {
        if errno == EMFILE || errno == ENFILE { return .outOfDescriptors }
        return code == EAI_AGAIN ? .unanswered : .notFound
    }
}
