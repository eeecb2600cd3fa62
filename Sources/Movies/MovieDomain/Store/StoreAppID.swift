/// Names an app of a store. Written `itunes:361309726`; a name alone belongs to the embedded store.
public struct StoreAppID: Hashable, Sendable, LosslessStringConvertible {
    /// ``MovieSource/itunes`` or ``MovieSource/embedded``.
    public let source: MovieSource
    /// Digits of iTunes; lower-case letters, digits and hyphens of the embedded store.
    public let key: String

    /// - Returns: nil when the source cannot call an app so.
    public init?(source: MovieSource, key: String) {
        guard [.itunes, .embedded].contains(source), let id = MovieID(source: source, key: key) else { return nil }
        (self.source, self.key) = (id.source, id.key)
    }

    /// Reads `source:key` or `key`.
    public init?(_ description: String) {
        guard let id = MovieID(description) else { return nil }
        self.init(source: id.source, key: id.key)
    }

    /// As it is read.
    public var description: String { self.source == .embedded ? self.key : "\(self.source.rawValue):\(self.key)" }
}
