/// What an origin can be asked with whether it still has the same bytes (RFC 9110, 8.8).
public struct Validators: Hashable, Sendable {
    /// With its quotation marks, and `W/` for a weak one.
    public var etag: String?
    /// A date, as sent.
    public var lastModified: String?

    /// None, unless given.
    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Whether there is nothing to ask with.
    public var isEmpty: Bool { self.etag == nil && self.lastModified == nil }
}
