import CPosterTesting
public import Flights

/// Decides what host names under `.test` resolve to, for everything in this process, libcurl included.
///
/// `CPosterTesting` replaces `getaddrinfo` in the executable that it is linked into. Names that are neither mapped nor hung
/// do not exist, and none of them reaches the network. Names live as long as the process, so each test uses its own.
public enum TestResolver {
    /// `name`, which ends in `.test`, resolves to this address.
    public static func map(_ name: String, to address: String) {
        poster_resolver_map(name, address)
    }

    /// A public address whose connections end up at 127.0.0.1, same port: what looks public in every respect and can be
    /// served by an ``OriginServer``.
    public static var publicAddress: String { String(cString: poster_resolver_public_address) }

    /// Resolving `name`, which ends in `.test`, blocks until the result is released.
    public static func hang(_ name: String) -> HangingName {
        let hanging = HangingName(name)
        // Never balanced: a resolving thread may outlive the test.
        let context = Unmanaged.passRetained(hanging.asked).toOpaque()
        poster_resolver_hang(name, { Unmanaged<Gate>.fromOpaque($0).takeUnretainedValue().open() }, context)
        return hanging
    }

    /// How often a mapped or hung name was resolved.
    public static func callCount(of name: String) -> Int {
        poster_resolver_call_count(name)
    }
}

/// A host name whose resolution blocks until a test releases it.
public struct HangingName: Sendable {
    /// The host name.
    public let name: String
    /// Opens when the name is resolved.
    public let asked = Gate()

    fileprivate init(_ name: String) {
        self.name = name
    }

    /// Ends the resolution: the name does not exist.
    public func release() {
        poster_resolver_release(self.name)
    }
}
