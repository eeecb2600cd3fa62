/// Decides which addresses may be connected to, so that a URL cannot reach into the network that the service runs in.
///
/// It is asked with the address of each socket just before that is connected: a name that resolves differently the second
/// time, a redirect and an odd spelling of an address all come down to this.
struct AddressGuard: Sendable {
    /// Whether only what cannot be one host at all is refused.
    let allowsPrivate: Bool

    /// - Parameter sockaddr: The bytes of a `sockaddr` of any family.
    /// - Returns: nil when it may be connected to; else the address in words.
    func refusal(of sockaddr: UnsafeRawBufferPointer) -> String? {
        guard let address = IPAddress(sockaddr: sockaddr) else { return "not an IP address" }
        return self.admits(address) ? nil : address.description
    }

    func admits(_ address: IPAddress) -> Bool {
        switch address.reach {
        case .global: true
        case .local: self.allowsPrivate
        case .none: false
        }
    }
}
