import Glibc

/// Why the service cannot listen at a place.
public struct ListeningFailure: Error, Hashable, CustomStringConvertible {
    /// A sentence for whoever starts the service.
    public let description: String
    /// The system's own number; 0 where it has none.
    public let code: Int32

    init(_ description: String, code: Int32 = 0) {
        self.description = description
        self.code = code
    }

    /// - Parameter what: What could not be done, up to the reason.
    static func system(_ what: String, _ code: Int32) -> ListeningFailure {
        ListeningFailure("\(what): \(String(cString: strerror(code)))", code: code)
    }
}
