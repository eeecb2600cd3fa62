import CPosterTesting
public import Flights

/// Controls the resolution of host names under `.test` for the whole process, libcurl included.
///
/// `CPosterTesting` replaces `getaddrinfo` in the executable that it is linked into. Names that are neither mapped nor hung
/// do not exist, and none of them reaches the network. Names are never removed, so each test uses its own.
public enum TestResolver {
    /// Makes `name`, which ends in `.test`, resolve to this address.
    public static func map(_ name: String, to address: String) {
        poster_resolver_map(name, address)
    }

    /// An address that looks public, for tests that fetch from an ``OriginServer``: its connections are redirected to
    /// the same port of 127.0.0.1.
    public static var publicAddress: String { String(cString: poster_resolver_public_address) }

    /// Makes the resolution of `name`, which ends in `.test`, block until it is released.
    public static func hang(_ name: String) -> HangingName {
        let hanging = HangingName(name)
        // Never balanced: a resolving thread may outlive the test.
        let context = Unmanaged.passRetained(hanging.asked).toOpaque()
        poster_resolver_hang(name, { Unmanaged<Gate>.fromOpaque($0).takeUnretainedValue().open() }, context)
        return hanging
    }

    /// The number of resolutions of a mapped or hanging name.
    public static func callCount(of name: String) -> Int {
        poster_resolver_call_count(name)
    }
}

/// A host name that resolves only after a test releases it.
public struct HangingName: Sendable {
    /// The host name.
    public let name: String
    /// Opens when the name is resolved.
    public let asked = Gate()

    fileprivate init(_ name: String) {
        self.name = name
    }

    /// Ends the resolution with the error that the name does not exist.
    public func release() {
        poster_resolver_release(self.name)
    }
}
