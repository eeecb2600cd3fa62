import PosterCodec

/// What of a request's header fields pictures depend on.
struct PictureHeaders: Hashable, Sendable {
    /// What `Accept` makes of a format that is not named.
    var format: OutputFormat = .jpeg
    /// What the client says of its screen and its line.
    var hints = ClientHints()

    /// Of a client that says nothing.
    init() {}

    /// - Parameters:
    ///   - accept: The field's lines joined by commas; nil without one.
    init(accept: String?, hints: ClientHints = ClientHints()) {
        self.format = AcceptHeader(accept).format
        self.hints = hints
    }

    /// As an event loop has it, which leaves requests with hints to others.
    init(format: OutputFormat) {
        self.format = format
    }
}
