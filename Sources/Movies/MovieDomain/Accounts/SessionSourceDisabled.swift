/// A session of a source where nobody signs in here now. It is not over: what is missing may come back.
public struct SessionSourceDisabled: Error, Hashable, Sendable {
    /// Whose session it is.
    public let source: MovieSource

    /// A session of a source where nobody signs in here now.
    public init(source: MovieSource) {
        self.source = source
    }
}
